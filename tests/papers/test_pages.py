"""The page about papers is made from the outcomes that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import rookery as rk
from rookery.papers.pages import BEGIN, END, PICTURES, drawn, picture_name, read_data
from rookery.papers.reproductions import Reproduced, Reproduction
from rookery.papers.rows import Row, judged

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_that_of_the_outcomes_that_are_kept() -> None:
    text = (DOCS / "reproducing.md").read_text(encoding="utf-8")
    made = text.partition(BEGIN)[2].partition(END)[0].strip()
    assert made == rk.papers.page(read_data(DOCS / "data"))


def test_every_item_of_every_paper_has_a_line_on_the_page() -> None:
    page = rk.papers.page({})
    for name in rk.papers.paper_names():
        for item in rk.papers.paper_named(name).items:
            assert f"### {name}: {item.name}" in page


def test_everything_that_is_drawn_has_a_picture() -> None:
    for name, kept in read_data(DOCS / "data").items():
        for item in filter(drawn, kept.items):
            assert (DOCS / PICTURES / picture_name(name, item.item)).is_file()


def test_only_the_marked_part_of_a_page_is_written_and_pictures_beside_it(tmp_path: Path) -> None:
    row = Row("10", ("10",), 20, 20, number=56.0, low=51.0, high=61.0, their_number=55.0, ours="56", theirs="55", p=0.8)
    item = Reproduced("table 1", "best length by sampling, random moves", "quick", ("games",), judged([row]))
    Reproduction("reflexive-2007", 1, (item,)).save(tmp_path / "reflexive-2007.json")
    page = tmp_path / "page.md"
    page.write_text(f"# Before\n\n{BEGIN}\nold\n{END}\n\nafter\n")
    rk.papers.write_page(page, tmp_path)
    text = page.read_text()
    assert text.startswith(f"# Before\n\n{BEGIN}\n\n| paper |")
    assert text.endswith(f"{END}\n\nafter\n")
    assert "old" not in text
    assert "| 10 | 20 | 56 | | 55 | 0.8 | 0.8 | agrees |" in text
    assert (tmp_path / PICTURES / "reflexive-2007-table-1.svg").is_file()


def test_a_page_without_marks_is_refused_and_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("mine")
    with pytest.raises(rk.InputError, match="page.md must have the lines <!-- "):
        rk.papers.write_page(page, tmp_path)
    assert page.read_text() == "mine"
