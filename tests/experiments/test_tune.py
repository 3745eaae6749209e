from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.experiments import trials
from rookery.experiments.tuning import Gain, Tried, Tuning, median_interval, shift

LEFT = rk.problems.LeftMove(depth=30)
SLOW = rk.NRPA(level=2, iterations=10, alpha=0.01)
ALPHAS = {"alpha": (0.01, 0.1, 1.0)}


class Nim(rk.PythonGame):
    """Twelve stones; who takes the last of them wins."""

    def start(self) -> Any:
        return 12, 0

    def moves(self, state: Any) -> Any:
        return range(1, min(3, state[0]) + 1)

    def play(self, state: Any, move: Any) -> Any:
        return state[0] - move, 1 - state[1]

    def player(self, state: Any) -> int:
        return int(state[1])

    def winner(self, state: Any) -> int:
        return 1 - int(state[1])


def tuned(**options: Any) -> Tuning:
    given: dict[str, Any] = {"space": ALPHAS, "stop": rk.MaxPlayouts(200), "runs": 40, **options}
    return rk.tune(LEFT, SLOW, **given)


@pytest.fixture(scope="module")
def left() -> Tuning:
    return tuned()


def test_the_better_setting_wins_and_its_gain_is_shown_on_other_seeds(left: Tuning) -> None:
    assert left.best == "nrpa alpha=1.0"
    assert left.gain is not None
    assert left.gain.shown


def test_trials_are_no_more_than_asked_for(left: Tuning) -> None:
    assert 20 < left.trials <= 40


def test_the_same_seed_gives_the_same_answer_on_any_workers(left: Tuning) -> None:
    assert tuned(workers=2).to_json() == left.to_json()


def test_a_folder_is_continued_without_a_run_being_made_again(
    left: Tuning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "trials"
    rounds: list[str] = []
    measure = trials.Runs.measure

    def interrupted(self: Any, stage: str, *rest: Any) -> Any:
        rounds.append(stage)
        if stage == "held-out":
            raise trials.Interrupted
        return measure(self, stage, *rest)

    monkeypatch.setattr(trials.Runs, "measure", interrupted)
    first = tuned(folder=folder)
    assert not first.complete
    assert "interrupted" in str(first)
    monkeypatch.setattr(trials.Runs, "measure", measure)
    files = {file: file.stat().st_mtime_ns for file in folder.glob("round-*/*.run.json")}
    assert tuned(folder=folder).to_json() == left.to_json()
    assert {file: file.stat().st_mtime_ns for file in files} == files


def test_a_folder_of_other_trials_is_refused(tmp_path: Path) -> None:
    tuned(folder=tmp_path, runs=16)
    with pytest.raises(rk.InputError, match="holds other trials"):
        tuned(folder=tmp_path, runs=17)


def test_a_default_that_wins_is_said_to_be_one() -> None:
    done = rk.tune(LEFT, replace(SLOW, alpha=1.0), space=ALPHAS, stop=rk.MaxPlayouts(200), runs=16)
    assert done.best == done.default
    assert done.gain is None
    assert "the winner is the default" in str(done)


def test_a_problem_that_is_minimised_is_tuned_towards_less() -> None:
    problem = rk.problems.TSP.build(n=12)
    done = rk.tune(problem, SLOW, space={"alpha": (0.01, 1.0)}, stop=rk.MaxPlayouts(200), runs=24)
    assert done.best == "nrpa alpha=1.0"
    assert done.gain is not None
    assert done.gain.value > 0


def test_several_searches_meet_and_the_first_is_the_default() -> None:
    searches = [rk.Sampling(), rk.NRPA(level=2)]
    done = rk.tune(LEFT, searches, space={"level": (1, 2)}, stop=rk.MaxPlayouts(200), runs=24)
    assert done.default == "sampling"
    assert done.best.startswith("nrpa")


def test_a_game_is_tuned_against_the_default() -> None:
    done = rk.tune(Nim(), rk.GameUCT(playouts=2), space={"playouts": (2, 100)}, runs=24)
    assert done.best == "uct playouts=100"
    assert list(done.held_out) == [done.best]
    assert done.gain is not None
    assert done.gain.value > 0.5


def test_games_are_kept_and_counted_again(tmp_path: Path) -> None:
    options: dict[str, Any] = {"space": {"c": (0.1, 0.4, 1.0)}, "runs": 16}
    search = rk.GameUCT(playouts=5)
    first = rk.tune(Nim(), search, folder=tmp_path, **options)
    assert list(tmp_path.glob("round-1/uct_c=1.0.jsonl"))
    assert rk.tune(Nim(), search, folder=tmp_path, **options).to_json() == first.to_json()
    assert rk.tune(Nim(), search, **options).to_json() == first.to_json()


def test_a_budget_says_how_many_runs_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials.Runs, "seconds", lambda self, setting: 0.02)
    done = rk.tune(LEFT, SLOW, space=ALPHAS, stop=rk.MaxPlayouts(50), budget=0.5, folder=tmp_path)
    assert json.loads((tmp_path / "tune.json").read_text())["runs"] == 25
    assert done.trials <= 25


def test_optuna_proposes_the_better_setting_and_is_continued(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    options: dict[str, Any] = {"space": {"alpha": rk.tools.Range(0.01, 2.0)}, "sampler": "optuna", "runs": 48}
    options |= {"stop": rk.MaxPlayouts(200), "folder": tmp_path}
    done = rk.tune(LEFT, SLOW, **options)
    assert done.search.alpha > 0.1
    assert rk.tune(LEFT, SLOW, **options).to_json() == done.to_json()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"runs": 3}, "runs must be at least 16"),
        ({"runs": 20, "budget": 3.0}, "runs and budget say the same"),
        ({"budget": -1.0, "runs": None}, "budget must be more than 0"),
        ({"budget": 0.05, "runs": None, "stop": rk.MaxTime(0.02)}, "budget must be enough for 16 runs"),
        ({"stop": None}, "stop must limit time or playouts"),
        ({"sampler": "grid"}, "sampler must be"),
        ({"seed": -1}, "seed must be"),
        ({"space": {"depth": (1,)}}, "space must hold parameters of nrpa"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(options: dict[str, Any], told: str) -> None:
    with pytest.raises(rk.InputError, match=told):
        tuned(**options)


def test_a_search_of_the_wrong_kind_or_without_parameters_is_refused() -> None:
    with pytest.raises(rk.InputError, match="search must be NRPA"):
        rk.tune(LEFT, rk.GameUCT(), stop=rk.MaxPlayouts(10))
    with pytest.raises(rk.InputError, match="flat has no parameter to tune"):
        rk.tune(Nim(), rk.FlatMC())
    with pytest.raises(rk.InputError, match="leave stop out"):
        rk.tune(Nim(), rk.GameUCT(), stop=rk.MaxPlayouts(10))
    with pytest.raises(rk.InputError, match="same playouts and seconds"):
        rk.tune(Nim(), [rk.GameUCT(playouts=5), rk.PPA(playouts=6)])


# --- the result ---


def test_the_shift_and_its_interval_are_those_of_a_published_table() -> None:
    # Hollander and Wolfe, Nonparametric Statistical Methods, example 4.1: permeability of membranes, shift 0.305 (a - b
    # has the other sign there), exact 95% interval -0.76 to 0.15.
    at_term = (0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46)
    early = (1.15, 0.88, 0.90, 0.74, 1.21)
    found = shift(early, at_term, "max")
    assert found.value == pytest.approx(-0.305)
    assert found.low == pytest.approx(-0.76, abs=0.05)
    assert found.high == pytest.approx(0.15, abs=0.05)


def test_a_shift_between_runs_without_a_solution_is_known() -> None:
    nothing = (float("inf"),) * 4
    assert shift(nothing, nothing, "min").value == 0
    assert shift((1.0,) * 4, nothing, "min").low == float("inf")


def test_the_interval_of_a_median_needs_six_values() -> None:
    assert median_interval((1.0,) * 5) is None
    assert median_interval(tuple(map(float, range(15)))) == (3.0, 11.0)  # 4th and 12th of 15, by the binomial table


def test_a_gain_that_may_be_none_is_told_so() -> None:
    done = Tuning(
        subject="tsp",
        parameters={},
        kind="problem",
        sense="max",
        limit="10 playouts each",
        seed=1,
        settings={"nrpa": rk.NRPA(), "nrpa level=2": rk.NRPA(level=2)},
        tried=(Tried("nrpa level=2", 1, 1.0, (3.0,)), Tried("nrpa", 1, 2.0, (2.0,))),
        defaults=("nrpa",),
        best="nrpa level=2",
        held_out={"nrpa level=2": (1.0, 2.0, 3.0, 4.0), "nrpa": (1.0, 2.0, 3.0, 5.0)},
        trials=10,
        complete=True,
    )
    assert not Gain(0.0, -1.0, 1.0).shown
    assert str(done).endswith("no gain over the default is shown")
