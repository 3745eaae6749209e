"""The bar of progress in a notebook."""

from __future__ import annotations

import sys
import types

import pytest

import rookery as rk
from examples_of_games import PythonNim
from rookery.running import notebook


class ZMQInteractiveShell:
    """What the kernel of a notebook has."""


class Page:
    """Stands in for IPython: what is displayed, and what it is replaced by."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, html: str, display_id: bool) -> Page:
        assert display_id
        self.shown.append(f"new: {html}")
        return self

    def update(self, html: str) -> None:
        self.shown.append(html)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    page = Page()
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    vars(ipython)["get_ipython"] = ZMQInteractiveShell
    vars(display).update(HTML=str, display=page.display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(notebook, "SECONDS", 0.0)
    return page


def test_a_bar_is_brought_up_to_date_where_it_stands_and_taken_away(page, capfd) -> None:
    problem, search = PythonNim(5), rk.NRPA(level=1, iterations=10)
    line = rk.ProgressLine()
    line.on_compile(problem)
    line.on_start(problem, search, 1)
    for iteration in (2, 5):
        line.on_tick(rk.Progress(1, iteration, 10, restart=0, playouts=iteration, seconds=1.0, score=None))
    line.on_end(None)
    first, *rest, last = page.shown
    assert first.startswith('new: <progress max="1" style')
    assert "starting PythonNim" in first
    assert [html[:29] for html in rest] == [f'<progress max="1" value="0.{n}"' for n in (2, 5)]
    assert "5 playouts" in rest[-1]
    assert last == ""
    assert capfd.readouterr().err == ""


def test_a_match_has_a_bar_too(page) -> None:
    rk.match(PythonNim(5), rk.FlatMC(playouts=2), rk.FlatMC(playouts=2), games=2, progress=True)
    assert page.shown[0].startswith("new: ")
    assert page.shown[-1] == ""


def test_a_bar_is_not_shown_more_often_than_a_page_can_follow(page, monkeypatch) -> None:
    monkeypatch.setattr(notebook, "SECONDS", 1000.0)
    bar = notebook.NotebookBar()
    for share in (0.1, 0.2, 0.3):
        bar.show("text", share)
    assert len(page.shown) == 1


def test_elsewhere_there_is_none() -> None:
    assert not notebook.in_notebook()
