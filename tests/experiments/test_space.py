from __future__ import annotations

import pytest

import rookery as rk
from rookery.experiments.space import Range, check_space, draw_settings, made, setting_name, space_of

LEFT = rk.problems.LeftMove(depth=10)


def drawn(space: dict, count: int = 100, seed: int = 1, base: rk.Search | None = None) -> dict:
    return draw_settings({"nrpa": base or rk.NRPA()}, {"nrpa": space}, LEFT, count, seed)


def test_a_small_space_is_drawn_whole_and_the_default_comes_first() -> None:
    found = drawn({"level": (2, 3, 4), "alpha": (0.5, 1.0)})
    assert next(iter(found)) == "nrpa"
    assert {(one.level, one.alpha) for one in found.values()} == {(a, b) for a in (2, 3, 4) for b in (0.5, 1.0)}


def test_no_setting_is_drawn_twice_from_a_range_of_few_numbers() -> None:
    found = drawn({"level": Range(1, 3)})
    assert sorted(one.level for one in found.values()) == [1, 2, 3]


def test_draws_follow_the_seed() -> None:
    space = {"alpha": Range(0.1, 10.0)}
    assert drawn(space, 5, seed=1) == drawn(space, 5, seed=1) != drawn(space, 5, seed=2)


def test_a_wide_range_is_drawn_from_by_ratios() -> None:
    alphas = [one.alpha for one in drawn({"alpha": Range(0.01, 1.0)}, 400).values()]
    assert 0.4 < sum(alpha < 0.1 for alpha in alphas) / len(alphas) < 0.6  # of 400, five standard errors


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2.0, 1.0), (float("nan"), 1.0), (0.0, float("inf"))])
def test_a_range_must_rise(low: float, high: float) -> None:
    with pytest.raises(rk.InputError, match="range"):
        Range(low, high)


def test_what_a_search_refuses_for_a_problem_is_not_drawn() -> None:
    assert all(not one.layers for one in drawn({"layers": (False, True), "level": (2, 3)}).values())


def test_a_range_that_a_problem_refuses_everywhere_gives_the_default_alone() -> None:
    class Refusing(rk.NRPA):
        def check(self, problem: object) -> None:
            raise rk.InputError("never")

    assert list(drawn({"alpha": Range(0.1, 1.0), "level": Range(1, 20)}, base=Refusing())) == ["nrpa"]


def test_every_search_can_be_made_with_all_that_it_says_is_worth_trying() -> None:
    for cls in rk.tools.builtin_searches().values():
        base = cls()
        for name, values in base.space(LEFT).items():
            assert all(made(base, {name: value}, LEFT) is not None for value in values), (cls, name)


def test_every_search_for_games_can_be_made_with_all_that_it_says_is_worth_trying() -> None:
    game = rk.games.Breakthrough()
    for cls in rk.tools.game_searches().values():
        base = cls()
        for name, values in base.space(game).items():
            assert all(made(base, {name: value}, game) is not None for value in values), (cls, name)


def test_layers_are_tried_only_where_moves_commute() -> None:
    assert "layers" in space_of(rk.NRPA(), rk.problems.Morpion())
    assert "layers" not in space_of(rk.NRPA(), LEFT)


def test_a_setting_is_named_by_what_it_changes() -> None:
    assert setting_name("uct 2", rk.GameUCT(c=0.7), rk.GameUCT()) == "uct 2 c=0.7"


@pytest.mark.parametrize(
    ("space", "told"),
    [
        ({"depth": (1, 2)}, "space must hold parameters of nrpa, got 'depth'"),
        ({"level": ()}, "the values of level in space must be a list or a Range"),
        ({"level": "23"}, "the values of level in space must be a list or a Range"),
        ({"level": (2, 0)}, "level must be"),
        ({"level": Range(0, 3)}, "level must be at least 1, got 0"),
        ([("level", (1, 2))], "space must map names"),
    ],
)
def test_a_space_that_cannot_be_used_is_refused(space: object, told: str) -> None:
    with pytest.raises(rk.InputError, match=told):
        check_space(space, [rk.NRPA()])
