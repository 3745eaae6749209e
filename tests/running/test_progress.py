"""The line of progress."""

from __future__ import annotations

import io
import sys

import pytest

import rookery as rk

pytestmark = pytest.mark.timing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Halves(rk.problems.LeftMove):
    def format_score(self, score: float) -> str:
        return f"{score / 2}!"


def progress(**changes: object) -> rk.Progress:
    values = {"level": 3, "iteration": 12, "iterations": 100, "restart": 0}
    values |= {"playouts": 1_234_567, "seconds": 12.5, "score": 61.0}
    return rk.Progress(**(values | changes))  # type: ignore[arg-type]


def started(stream: io.StringIO, problem: object = None, search: object = None) -> rk.ProgressLine:
    problem = rk.problems.LeftMove() if problem is None else problem
    line = rk.ProgressLine(stream)
    line.on_compile(problem)
    line.on_start(problem, rk.NRPA() if search is None else search, 1)
    return line


@pytest.fixture(autouse=True)
def usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")


def test_the_line_says_where_the_run_stands() -> None:
    text = started(io.StringIO()).text(progress())
    assert text == "nrpa level 3 | iteration 12/100 | best 61 | 1,234,567 playouts | 98,765/s | 12.5 s"


def test_iterations_are_those_of_the_current_restart() -> None:
    text = started(io.StringIO()).text(progress(iteration=230, restart=2))
    assert "| iteration 30/100 | restart 2 |" in text


def test_sampling_has_neither_level_nor_iterations() -> None:
    line = started(io.StringIO(), search=rk.Sampling())
    assert line.text(progress(level=0, iterations=None)).startswith("sampling | best 61 | ")


def test_the_score_is_written_as_the_problem_writes_it() -> None:
    assert "| best 30.5! |" in started(io.StringIO(), Halves()).text(progress())


def test_a_slip_in_format_score_does_not_end_the_run() -> None:
    class Slip(rk.PythonProblem):
        def format_score(self, score: float) -> str:
            raise KeyError(score)

    assert "| best 61 |" in started(io.StringIO(), Slip()).text(progress())


def test_a_terminal_sees_compiling_until_the_search_begins() -> None:
    stream = Terminal()
    line = rk.ProgressLine(stream)
    line.on_compile(rk.problems.LeftMove())
    line.close()
    assert "compiling LeftMove ... 0.0 s" in stream.getvalue()


def test_a_python_problem_is_not_said_to_be_compiled() -> None:
    stream = Terminal()
    line = rk.ProgressLine(stream)
    line.on_compile(rk.PythonProblem())
    line.close()
    assert "compiling" not in stream.getvalue()


def test_a_terminal_has_its_cursor_back_when_the_line_is_closed() -> None:
    stream = Terminal()
    before = sys.stderr
    line = started(stream)
    line.on_tick(progress())
    line.close()
    line.close()
    assert stream.getvalue().rindex("\x1b[?25h") > stream.getvalue().rindex("\x1b[?25l")
    assert sys.stderr is before


def test_elsewhere_improvements_are_printed_at_most_once_a_second() -> None:
    stream = io.StringIO()
    line = started(stream)
    for tenth in range(1, 41):
        now = progress(seconds=tenth / 10, score=float(tenth))
        line.on_best(now, ())
        line.on_tick(now)
    lines = stream.getvalue().splitlines()
    assert [text.rpartition("| ")[2] for text in lines] == ["1.0 s", "2.0 s", "3.0 s", "4.0 s"]


def test_elsewhere_nothing_is_printed_without_an_improvement() -> None:
    stream = io.StringIO()
    line = started(stream)
    for second in range(1, 10):
        line.on_tick(progress(seconds=float(second)))
    assert stream.getvalue() == ""


def test_a_dumb_terminal_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    line = started(stream)
    line.on_tick(progress())
    line.close()
    assert stream.getvalue() == ""


def test_rich_is_not_imported_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "rich" or name.startswith("rich.")]:
        monkeypatch.delitem(sys.modules, name)
    started(io.StringIO()).on_tick(progress())
    assert "rich" not in sys.modules
