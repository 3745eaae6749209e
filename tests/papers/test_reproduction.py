"""``reproduce``: cells are matches with records, played once, resumed, summarised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.matches.record import record_header
from rookery.papers import ppa2015
from rookery.papers.ppa2015 import Cell, cells, variants
from rookery.papers.reproduction import summarise


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of Breakthrough alone, with few games."""
    monkeypatch.setattr(ppa2015, "TABLE_1", {("breakthrough", 5): (60.0, 56.2)})
    monkeypatch.setattr(ppa2015, "QUICK_GAMES", 4)
    monkeypatch.setattr(ppa2015, "QUICK_PLAYOUTS", 60)


class Count(rk.Callback):
    def __init__(self, most: int | None = None) -> None:
        self.games, self.most = 0, most

    def on_game(self, played: Any, progress: Any) -> None:
        self.games += 1
        if self.games == self.most:
            raise KeyboardInterrupt


@pytest.mark.usefixtures("small")
def test_a_cell_is_a_match_with_a_record(tmp_path: Path) -> None:
    table = rk.papers.reproduce("ppa-2015", "quick", out=tmp_path)
    game = rk.load_game("breakthrough", {"size": "5"})
    expected = rk.match(game, rk.PPA(playouts=60), rk.GameUCT(playouts=60), games=4)
    assert [(row.games, row.wins, row.paper, row.verdict) for row in table.rows] == [(4, expected.wins_a, 60.0, None)]
    assert table.complete
    assert sorted(path.name for path in tmp_path.iterdir()) == ["breakthrough-5x5-60.jsonl", "summary.json"]
    assert rk.papers.PaperTable.load(tmp_path / "summary.json") == table


@pytest.mark.usefixtures("small")
def test_an_interrupted_table_goes_on_and_what_is_finished_is_not_played_again(tmp_path: Path) -> None:
    counts = [Count(most=2), Count(), Count()]
    tables = [rk.papers.reproduce(scale="quick", out=tmp_path, observers=lambda cell, c=count: [c]) for count in counts]
    assert [table.complete for table in tables] == [False, True, True]
    assert counts[0].games + counts[1].games == 4
    assert counts[2].games == 0
    assert tables[1] == tables[2]


@pytest.mark.usefixtures("small")
def test_the_folder_is_named_after_the_paper_and_the_scale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rk.papers.reproduce(scale="quick")
    assert (tmp_path / "ppa-2015-quick" / "summary.json").exists()


def fill(folder: Path, cell: Cell, wins: int, games: int = 500) -> None:
    """Write a record as if so many games had been won."""
    lines = [record_header(rk.load_game(cell.game, cell.parameters), *cell.sides, seed=1)]
    for number in range(games):
        first, winner = ("a", "b")[number % 2], "a" if number < wins else "b"
        lines.append({"game": number, "first": first, "winner": winner, "playouts": 1, "moves": [], "words": []})
    (folder / f"{cell.name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_the_table_of_half_has_verdicts_corrected_for_twenty_cells(tmp_path: Path) -> None:
    for cell in cells("half"):
        fill(tmp_path, cell, 250 if cell.name == "go-5x5-1000" else cell.paper_wins)
    table = summarise("ppa-2015", "half", 1, tmp_path)
    assert table.complete
    verdicts = {(row.game, row.size): row.verdict for row in table.rows}
    assert verdicts.pop(("go", 5)) == "higher"
    assert set(verdicts.values()) == {"agrees"}
    assert len(verdicts) == 19
    odd = next(row for row in table.rows if row.verdict == "higher")
    assert odd.p_holm == pytest.approx(20 * odd.p)  # type: ignore[operator]


def test_cells_that_are_missing_are_left_out_and_the_table_is_not_complete(tmp_path: Path) -> None:
    first, second = cells("full")[:2]
    fill(tmp_path, first, 300)
    fill(tmp_path, second, 30, games=60)
    table = summarise("ppa-2015", "full", 1, tmp_path)
    assert not table.complete
    assert [row.verdict is None for row in table.rows] == [False, True]


def test_rules_that_were_tried_are_shown_with_the_default_ones(tmp_path: Path) -> None:
    default, other = [cell for cell in variants("half") if cell.game == "go"][:2]
    fill(tmp_path, default, 250)
    assert summarise("ppa-2015", "half", 1, tmp_path).variants == ()
    fill(tmp_path, other, 110)
    table = summarise("ppa-2015", "half", 1, tmp_path)
    assert [row.rules for row in table.variants] == [{}, other.rules]
    assert table.best == {"go": other.rules}
    assert len(table.rows) == 1


def test_a_record_of_another_seed_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, cells("half")[0], 250)
    with pytest.raises(rk.InputError, match="is the record of another match: its seed is 1, not 2"):
        summarise("ppa-2015", "half", 2, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"paper": "ppa-2014"}, "unknown paper 'ppa-2014': there is ppa-2015"),
        ({"scale": "huge"}, "the scale must be quick, half or full, got 'huge'"),
        ({"only": "chess"}, "only must be a part of a name such as atarigo-5x5-100, got 'chess'"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"seed": 1 << 64}, "seed must be at most 18446744073709551615, got 18446744073709551616"),
    ],
)
def test_a_mistake_is_one_sentence_and_makes_no_folder(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        rk.papers.reproduce(**{"out": tmp_path / "new", **arguments})
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(rk.InputError, match="cannot make .*file: File exists"):
        rk.papers.reproduce(out=tmp_path / "file")
