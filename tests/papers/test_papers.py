"""The papers: their figures as printed, and the limits of their scales."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.papers import ppa2015
from rookery.papers.ppa2015 import ALPHA, GAMES, TABLE_1, C
from rookery.papers.ppaf2016 import SHARES
from rookery.papers.reflexive2007 import TABLES_4_AND_5
from rookery.papers.works import Games, Hands

PAPERS = rk.papers.paper_names()
MINUTE, HOUR = 60, 3600


@pytest.mark.parametrize("name", PAPERS)
def test_quick_takes_five_core_minutes_an_item_and_half_about_an_hour(name: str) -> None:
    for item in rk.papers.paper_named(name).items:
        assert item.cost("quick") <= 5 * MINUTE, item.name
        assert item.cost("half") <= 1.5 * HOUR, item.name


@pytest.mark.parametrize("name", PAPERS)
def test_every_item_is_computed_at_some_scale_or_says_why_not(name: str) -> None:
    for item in rk.papers.paper_named(name).items:
        assert bool(item.not_available) != bool([*item.computed("full")]), item.name


@pytest.mark.parametrize("name", PAPERS)
def test_cells_of_an_item_differ_in_name_and_have_a_label_for_every_column(name: str) -> None:
    for item in rk.papers.paper_named(name).items:
        names = [cell.name for cell in item.cells]
        assert len(names) == len(set(names)), item.name
        assert {len(cell.labels) for cell in item.cells} <= {len(item.columns)}, item.name


@pytest.mark.parametrize("name", PAPERS)
def test_works_of_one_name_are_one_work(name: str) -> None:
    works = [work for item in rk.papers.paper_named(name).items for work, _ in item.computed("full")]
    named = {work.name: work for work in works}
    assert all(work == named[work.name] for work in works)


@pytest.mark.parametrize("name", PAPERS)
def test_a_larger_scale_has_at_least_as_many_samples(name: str) -> None:
    for item in rk.papers.paper_named(name).items:
        for cell in item.cells:
            assert cell.samples["quick"] <= cell.samples["half"] <= cell.samples["full"], cell.name


def test_costs_on_this_machine_are_those_of_the_items_scaled_alike() -> None:
    paper = rk.papers.paper_named("ppa-2015")
    ratios = [seconds["full"] / item.cost("full") for item, seconds in rk.papers.costs(paper)]
    assert max(ratios) == pytest.approx(min(ratios))


# --- Cazenave 2015 ---


def test_a_game_in_which_both_have_the_same_eyes_is_that_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppa2015, "PLAYOUTS", (30, 30))
    game, a, b = rk.games.AtariGo(size=5), rk.PPA(30, c=C, alpha=ALPHA), rk.GameUCT(30, c=C)
    for number, played in enumerate(rk.match(game, a, b, games=4, seed=1).played):
        ours = ppa2015.game_by_own_eyes("atarigo", "diagonals", "diagonals", 1 + number, Hands(seed=1))
        assert (ours["won"], ours["playouts"]) == (float(played.winner == "a"), played.playouts)


def test_ppa_has_ten_games_on_two_sizes_with_two_numbers_of_playouts() -> None:
    assert {game for game, _ in TABLE_1} == set(rk.tools.builtin_games()) & {game for game, _ in TABLE_1}
    cells = rk.papers.paper_named("ppa-2015").item("table 1").cells
    assert [sum(bool(cell.samples[scale]) for cell in cells) for scale in ("quick", "half", "full")] == [10, 20, 40]
    shares = {cell.name: cell.theirs.number for cell in cells}
    assert shares["go 5x5 1,000"] == 21.2
    assert shares["misere-nogo 8x8 10,000"] == 89.4


def test_every_share_of_ppa_is_a_whole_number_of_its_games() -> None:
    for shares in TABLE_1.values():
        for share in shares:
            assert share * GAMES / 100 == pytest.approx(round(share * GAMES / 100), abs=1e-9)


def test_both_sides_have_the_parameters_of_the_paper() -> None:
    work = rk.papers.paper_named("ppa-2015").item("table 1").cells[0].work
    assert isinstance(work, Games)
    a, b = work.a, work.b
    assert isinstance(a, rk.PPA)
    assert isinstance(b, rk.GameUCT)
    assert (a.playouts, a.c, a.alpha, a.reuse, a.solver) == (1000, 0.4, 1.0, False, False)
    assert (b.playouts, b.c, b.unvisited, b.reuse, b.solver) == (1000, 0.4, "first", False, False)


# --- Cazenave 2016 ---


def test_features_are_compared_at_ten_thousand_playouts_only() -> None:
    cells = rk.papers.paper_named("ppaf-2016").item("claim features").cells
    assert [sum(bool(cell.samples[scale]) for cell in cells) for scale in ("quick", "half", "full")] == [21, 21, 42]
    compared = {cell.name: cell.theirs.number for cell in cells if cell.theirs.test}
    assert compared.keys() == {cell.name for cell in cells if cell.labels[2] == "10,000"}
    assert compared["nogo PPAF 10,000"] == 95.4
    assert compared["misere-domineering PPAFM 10,000"] == 95.8


def test_every_share_with_features_is_a_whole_number_of_games_and_those_of_ppa_are_of_2015() -> None:
    for game, shares in SHARES.items():
        assert shares[0] == TABLE_1[game, 8][1]
        for share in shares:
            assert share * GAMES / 100 == pytest.approx(round(share * GAMES / 100), abs=1e-9)


def test_searches_with_features_have_the_parameters_of_the_paper() -> None:
    for cell in rk.papers.paper_named("ppaf-2016").item("claim features").cells:
        a, b = cell.work.a, cell.work.b
        assert (a.c, a.alpha, a.features, a.keep) == (0.4, 1.0, cell.labels[1] != "PPA", cell.labels[1] == "PPAFM")
        assert f"{a.playouts:,}" == f"{b.playouts:,}" == cell.labels[2]


# --- Cazenave 2007 ---


def test_reflexive_has_all_rows_of_its_tables() -> None:
    paper = rk.papers.paper_named("reflexive-2007")
    assert [len(paper.item(f"table {n}").cells) for n in (1, 2, 3, 4, 5)] == [7, 6, 6, 12, 12]
    assert TABLES_4_AND_5[1000, 1] == (71, "3,188 s")
    assert TABLES_4_AND_5[100, 100] == (72, "26,225 s")


def test_cells_of_reflexive_that_take_less_than_a_minute_have_at_least_twenty_seeds() -> None:
    for item in rk.papers.paper_named("reflexive-2007").items:
        for cell in item.cells:
            assert cell.samples["full"] >= 20
            assert cell.work.cost > 15 or cell.samples["half"] >= 20, cell.name
