"""Pictures of reproduced items."""

from __future__ import annotations

from pathlib import Path

import rookery as rk
from rookery.papers.rows import Row


def row(name: str, number: float) -> Row:
    return Row(name, (name,), 1, 1, number=number, low=number, high=number, their_number=number)


def panels(*rows: Row) -> list[list[str]]:
    figure = rk.papers.plot(rk.papers.Reproduced("table 2", "medians", "half", ("name",), rows))
    return [[label.get_text() for label in axes.get_yticklabels()] for axes in figure.axes]


def test_figures_of_other_units_have_a_panel_of_their_own() -> None:
    rows = (row("MorpT", 153.0), row("CrossC", 33_229.0), row("MorpD", 79.0), row("CrossP", 26_222.0))
    assert panels(*rows) == [["MorpT", "MorpD"], ["CrossC", "CrossP"]]


def test_figures_that_fit_on_one_axis_stay_together() -> None:
    assert panels(row("a", 1.2), row("b", 21.2), row("c", 100.0)) == [["a", "b", "c"]]


def test_an_item_without_rows_is_drawn_empty(tmp_path: Path) -> None:
    rk.papers.plot(rk.papers.Reproduced("table 2", "medians", "half"), tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").stat().st_size > 0
