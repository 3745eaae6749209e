"""Reproductions as text, Markdown, CSV and files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

import rookery as rk
from rookery.papers.reproductions import Reproduced, Reproduction
from rookery.papers.rows import Row, judged

FULL = Row("go 5x5", ("go", "5x5"), 500, 500, ours="70.0", theirs="50.0", number=70.0, their_number=50.0, p=1e-10)
NONE = Row("go 8x8", ("go", "8x8"), 0, needs=7200.0, theirs="23.0", their_number=23.0)
ITEM = Reproduced("table 1", "PPA against UCT", "half", ("game", "size"), judged([FULL, NONE]), {"a": ((1.0, 2.0),)})


def test_markdown_has_a_line_for_every_row() -> None:
    lines = ITEM.markdown().splitlines()
    assert lines[2] == "| go | 5x5 | 500 | 70.0 | | 50.0 | 1e-10 | 1e-10 | higher |"
    assert lines[3] == "| go | 8x8 | | | | 23.0 | | | not run: needs 2.0 core-hours |"
    assert len({line.count("|") for line in lines}) == 1


def test_as_text_columns_stand_under_one_another() -> None:
    _, heading, first, second = str(ITEM).splitlines()
    assert heading.index("ours") == first.index("70.0")
    assert first.index("higher") == second.index("not run")


def test_csv_has_a_line_for_every_row() -> None:
    rows = list(csv.DictReader(io.StringIO(Reproduction("ppa-2015", 1, (ITEM,)).csv())))
    assert [(row["paper"], row["item"], row["name"], row["verdict"]) for row in rows] == [
        ("ppa-2015", "table 1", "go 5x5", "higher"),
        ("ppa-2015", "table 1", "go 8x8", "not run: needs 2.0 core-hours"),
    ]


def test_a_reproduction_is_saved_and_loaded_as_it_is(tmp_path: Path) -> None:
    made = Reproduction("ppa-2015", 1, (ITEM,))
    made.save(tmp_path / "x.json")
    assert Reproduction.load(tmp_path / "x.json") == made


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"paper": "a", "seed": 1, "items": [3], "version": "1"}', "no"],
)
def test_a_file_that_holds_no_reproduction_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(rk.InputError, match=r"x\.json is not a reproduction of a paper: "):
        Reproduction.load(tmp_path / "x.json")


def test_of_two_reproductions_the_rows_with_more_samples_count_and_are_judged_together() -> None:
    second = judged([replace(FULL, name="go 8x8", labels=("go", "8x8"), p=0.03)])
    other = replace(ITEM, rows=(replace(FULL, done=20, asked=20), *second), series={"b": ((3.0, 4.0),)})
    merged = Reproduction("p", 1, (ITEM,)).merged(Reproduction("p", 1, (other,))).items[0]
    assert [(row.name, row.done) for row in merged.rows] == [("go 5x5", 500), ("go 8x8", 500)]
    assert merged.rows[0].p_holm == pytest.approx(2e-10)
    assert set(merged.series) == {"a", "b"}


def test_rows_that_an_item_has_no_longer_are_dropped() -> None:
    other = replace(ITEM, rows=(replace(FULL, name="go 8x8", labels=("go", "8x8"), done=20),))
    assert [row.name for row in ITEM.merged(other).rows] == ["go 8x8"]


def test_what_rows_share_was_spent_once() -> None:
    shared = [replace(FULL, name=name, playouts=7, core_seconds=1.5) for name in ("ties", "improvements")]
    item = replace(ITEM, rows=(*shared, replace(FULL, playouts=7, core_seconds=2.0)))
    assert (item.playouts, item.core_seconds) == (14, 3.5)
