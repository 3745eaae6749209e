"""Ours beside the paper's: tests, corrections, verdicts, tables."""

from __future__ import annotations

from pathlib import Path

import pytest

import rookery as rk
from rookery.matches.scores import fisher
from rookery.papers.agreement import PaperRow, PaperTable, compared


def row(wins: int, paper: float = 50.0, games: int = 500, game: str = "go", **more: str) -> PaperRow:
    return PaperRow(game, 5, 1000, more, games=games, wins=wins, asked=500, paper=paper)


def test_a_row_counts_draws_as_halves() -> None:
    from rookery.papers.ppa2015 import Cell

    made = PaperRow.of(Cell("go", 5, 1000, 500, 21.2), ["a", "draw", "b", "draw", "a"])
    assert (made.games, made.wins, made.complete) == (5, 3, False)


def test_p_is_that_of_two_matches_that_both_vary() -> None:
    assert row(280).tested().p == fisher(280, 500, 250, 500)
    # One sample against a fixed half would give 0.008.
    assert row(280).tested().p == pytest.approx(0.066, abs=0.001)


def test_holm_corrects_by_rank_as_in_a_worked_example() -> None:
    wins = (250, 300, 285, 290)
    p = [fisher(won, 500, 250, 500) for won in wins]
    judged = compared([row(won) for won in wins])
    smallest, second, third = p[1], p[3], p[2]
    expected = [1.0, 4 * smallest, 2 * third, 3 * second]
    assert 4 * smallest < 3 * second < 2 * third < 1  # so that no maximum is taken
    assert [one.p_holm for one in judged] == pytest.approx(expected)


def test_a_difference_that_one_row_would_show_may_agree_among_many() -> None:
    alone = compared([row(287)])[0]
    among = compared([row(287), *[row(250)] * 19])[0]
    assert alone.p == among.p
    assert (alone.verdict, among.verdict) == ("higher", "agrees")


def test_verdicts_tell_the_direction() -> None:
    assert [one.verdict for one in compared([row(250), row(350), row(150)])] == ["agrees", "higher", "lower"]


def test_rows_without_all_games_have_no_verdict_and_do_not_count() -> None:
    short, full = compared([row(10, games=20), row(287)])
    assert (short.p, short.p_holm, short.verdict) == (None, None, None)
    assert full.p_holm == full.p


def table() -> PaperTable:
    tried = (
        row(400, 21.2),
        row(110, 21.2, ko="superko"),
        row(5, 21.2, games=20, ko="none"),
        row(300, 81.2, game="atarigo"),
    )
    return PaperTable("ppa-2015", "half", 1, True, compared([row(250), row(350)]), tried)


def test_the_rules_that_agree_best_are_those_nearest_to_the_paper_of_complete_rows() -> None:
    assert table().best == {"go": {"ko": "superko"}, "atarigo": {}}


def test_a_table_is_saved_and_loaded_as_it_is(tmp_path: Path) -> None:
    table().save(tmp_path / "summary.json")
    assert rk.papers.PaperTable.load(tmp_path / "summary.json") == table()


@pytest.mark.parametrize("content", ["[]", "{}", '{"rows": 3}', "no"])
def test_a_file_that_holds_no_table_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "summary.json").write_text(content)
    with pytest.raises(rk.InputError, match=r"summary\.json is not a table of a paper: "):
        rk.papers.PaperTable.load(tmp_path / "summary.json")


def test_markdown_has_a_line_for_every_row() -> None:
    lines = table().markdown().splitlines()
    assert len(lines) == 4
    assert lines[-1] == "| go | 5x5 | 1,000 | 70.0 | 65.8 to 73.9 | 50.0 | 1.4e-10 | 2.8e-10 | higher |"
    tried = table().variants_markdown().splitlines()
    assert tried[3].endswith("| ko=superko | 22.0 | 18.6 to 25.8 | 21.2 | | agrees best |")
    assert all(line.count("|") == tried[0].count("|") for line in tried)


def test_as_text_columns_stand_under_one_another() -> None:
    lines = str(table()).splitlines()
    assert lines[0].split() == ["game", "size", "playouts", "ours", "95%", "paper", "p", "p", "(Holm)"]
    assert lines[0].index("ours") == lines[1].index("50.0")
