"""Command lines of all kinds: an answer or one line on standard error, never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import typer
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery import testing
from rookery.cli import app, bench, main
from rookery.web import serving

PLAYOUTS = 30
"""Playouts of a run at most, whatever the command line says."""
PATIENCE = 30
"""Seconds that a command may take: none takes one."""

WORDS = """
import rookery as rk


class Words(rk.PythonProblem):
    def __init__(self, length: int = 3, share: float = 0.5, loud: bool = False, name: str = "", most: int | None = 9):
        self.length = min(length, 5)
        self.share = share

    def start(self):
        return ""

    def moves(self, state):
        return ["a", "b"] if len(state) < self.length else []

    def code(self, state, move):
        return len(state), move

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")


class Wrong(Words):
    def score(self, state):
        raise ValueError("wrong")
"""

RESULT = {
    "problem": "leftmove",
    "parameters": {"depth": 3},
    "search": {"algorithm": "nrpa"},
    **{"seed": 1, "workers": 1, "score": 2.0, "moves": [1, 1, 0], "playouts": 1, "iterations": 1, "restarts": 0},
    **{"seconds": 0.5, "compile_seconds": 0.1, "status": "finished", "version": "0.1.0"},
}

FILES = {"words.py": WORDS, "good.json": json.dumps(RESULT), "cut.json": json.dumps(RESULT)[:100]}

COMMANDS: dict[str, Any] = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
COMMANDS.pop("serve")  # it serves until it is stopped: tests/web has requests of all kinds for it
COMMANDS.pop("gtp")  # it says nothing unless it is asked: tests/matches/test_gtp.py has lines of all kinds for it

# Never a slash, so that no path leads out of the folder.
odd_texts = st.text(st.characters(exclude_characters="/\\"), max_size=6)
numbers = st.one_of(
    st.sampled_from(
        ["1", "2", "3", "+2", " 2 ", "1e0", "0", "-1", "1.5", "1e30", "1e300", "1e999", "1e999999999", "x"]
    ),
    st.sampled_from(
        ["", "nan", "inf", "-inf", "9" * 50, "9" * 5000, "٣", "²", "1\0", "1\n2", "\ud800", "0x1", "--", "-"]
    ),
)
levels = st.one_of(
    numbers, st.tuples(numbers, numbers).map(":".join), st.sampled_from(["2:2", "1:2", ":", "1:", "1:1:1"])
)
ties = st.one_of(
    levels, st.sampled_from([">", ">=", "=>", "0.3", "2:>", "1:0.5", "first", "random", "First", "0" * 5000])
)
files = st.sampled_from(["good.json", "cut.json", "none.json", "folder", "folder.json", "words.py", ".", "", "\0.json"])
moves = st.one_of(
    files,
    st.sampled_from(
        ["1", "1,1,0", "1,1,1,1,1,1", "5", "a,b", ",", "[1, 0]", "[1", "[[1]]", "[1.5]", "[null]", "[" * 5000]
    ),
    st.sampled_from(['["a", "b"]', "[NaN]", "[{}]", "9" * 30, '["\\ud800"]', "[]"]),
)
parameters = st.one_of(
    st.sampled_from(
        ["depth=3", "length=2", "depth=4", "depth", "=", "=3", "width=3", "depth=99999999999", "share=nan"]
    ),
    st.sampled_from(["loud=perhaps", "most=none", "name=\0", "name=\ud800", "share=inf"]),
    st.tuples(st.sampled_from(["depth", "length", "share", "most"]), numbers).map("=".join),
    odd_texts,
)
VALUES: dict[str, st.SearchStrategy[str]] = {
    "--parameter": parameters,
    "--algorithm": st.sampled_from(
        ["nrpa", "nmcs", "reflexive", "uct", "spmcts", "sampling", "nrpa", "ucb", "", "NRPA", "\0"]
    ),
    "--iterations": levels,
    "--games": levels,
    "--rule": st.sampled_from(["uniform", "mobility", "own", "", "Own"]),
    "--ties": ties,
    "--start-from": moves,
    "--warm-start": moves,
    "--out": st.one_of(
        files, st.sampled_from(["result.json", "none\0", "n" * 300, "\ud800", "folder/", "folder/result.json"])
    ),
    "--time": st.one_of(numbers, st.sampled_from(["1ms", "10ms", "1s", "1e300s", "5x", "s", "-1s", "1e308h", "٣s"])),
}
PROBLEMS = {name: st.sampled_from(["leftmove", "words.py:Words"]) for name in ("solve", "bench")}
wrong_problems = st.one_of(
    st.sampled_from(["", " ", ":", "x:", "words.py", "words.py:", "words.py:Wrong", "words.py:Nothing", "words.py:rk"]),
    st.sampled_from(
        ["good.json:X", "folder:X", "none.py:X", "\0", "\0.py:X", "\ud800.py:X", "leftmoves", ".", "x" * 5000]
    ),
    odd_texts,
)


def options_of(command: Any) -> list[tuple[list[str], bool]]:
    """The options of a command, by all their names, and whether each takes a value."""
    found = [p for p in command.params if p.param_type_name == "option"]
    return [([*p.opts, *p.secondary_opts], not (p.is_flag or p.name == "help")) for p in found if p.name != "debug"]


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with a problem that is mostly right, and options that are mostly its own."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    line = [name]
    if any(p.param_type_name == "argument" for p in COMMANDS[name].params):
        right = PROBLEMS.get(name, st.just("words.py:Words"))
        line += [draw(wrong_problems if draw(st.integers(0, 5)) == 0 else right)]
    for names, valued in draw(st.lists(st.sampled_from(options_of(COMMANDS[name])), max_size=4)):
        option = draw(st.sampled_from(names))
        line.append(option)
        if valued:
            main_name = next((n for n in names if n in VALUES), "")
            value = draw(VALUES.get(main_name, numbers))
            line[-1:] = [f"{option}={value}"] if draw(st.integers(0, 9)) == 0 else [option, value]
    flaw = draw(st.integers(0, 19))
    if flaw == 0:
        line.pop()
    elif flaw == 1:
        line.insert(
            draw(st.integers(0, len(line))), draw(st.one_of(odd_texts, st.sampled_from(["-h", "--", "--nothing"])))
        )
    return line


def capped(solve: Any) -> Any:
    """``solve`` that ends soon."""

    def ending(problem: Any, search: Any = None, *, stop: rk.Stop | None = None, **run: Any) -> Any:
        stop = stop or rk.Stop()
        most = min(stop.playouts or PLAYOUTS, PLAYOUTS)
        return solve(problem, search, stop=replace(stop, playouts=most), **run)

    return ending


def small(simulate: Any) -> Any:
    """``simulate`` that ends soon."""

    def ending(problem: Any, search: Any, **run: Any) -> Any:
        return simulate(problem, rk.NRPA(level=2, iterations=2), **run)

    return ending


def brief(tune: Any) -> Any:
    """``tune`` that ends soon."""

    def ending(problem: Any, searches: Any, *, runs: int | None, budget: float | None, stop: Any, **run: Any) -> Any:
        return tune(problem, searches, runs=min(runs or 16, 16), stop=stop and rk.MaxPlayouts(2), **run)

    return ending


def shortened(examine: Any) -> Any:
    """``examine`` that ends soon."""

    def ending(problem: Any, *, playouts: int, seconds: float, measure: bool, **run: Any) -> Any:
        return examine(problem, playouts=min(playouts, 6), seconds=min(seconds, 0.1), measure=False, **run)

    return ending


class Nobody:
    """A page that is not served."""

    def __init__(self, *_: Any) -> None:
        pass

    def wait(self) -> None:
        pass

    close = wait


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of our own, the kernels made, and nothing that takes long."""
    path = tmp_path_factory.mktemp("fuzz")
    (path / "folder").mkdir()
    (path / "folder.json").mkdir()
    for search in (rk.NRPA(level=1, iterations=2), rk.NMCS(level=1), rk.Reflexive(), rk.UCT(), rk.Sampling()):
        rk.solve(rk.problems.LeftMove(depth=3), search, stop=rk.MaxPlayouts(2), seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        patch.setenv("ROOKERY_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))  # which a command may empty
        patch.setattr(rk, "solve", capped(rk.solve))
        patch.setattr(rk, "simulate", small(rk.simulate))
        patch.setattr(rk, "tune", brief(rk.tune))
        patch.setattr(testing, "examine", shortened(testing.examine))
        patch.setattr(serving.Server, "run", serving.Server.close)  # the other commands end by themselves
        patch.setattr(serving, "Beside", Nobody)
        patch.setattr("webbrowser.open", lambda address: True)
        patch.setattr(bench, "STANDARD", (("leftmove", {"depth": "3"}, rk.NRPA(level=1, iterations=2)),))
        yield path


@contextlib.contextmanager
def watchdog() -> Iterator[None]:
    """Whatever takes too long is a failure, with the place where it was."""
    if os.name == "nt" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def bark(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("the command takes too long")

    before = signal.signal(signal.SIGALRM, bark)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def contents(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def run(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with watchdog(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def check(folder: Path, arguments: list[str]) -> int:
    """The claims, of one command line; its exit code."""
    for name, text in FILES.items():  # a line may have written to them
        (folder / name).write_text(text)
    before = contents(folder)
    code, out, err = run(arguments)
    new = contents(folder) - before
    for path in [folder / name for name in new]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    assert "Traceback" not in err
    assert code in (0, 1, 2)
    if code == 0:
        assert out
        assert "TimeoutError" not in err
    else:
        lines = err.splitlines()
        assert (out, len(lines)) == ("", 1) or (code == 1 and arguments[0] == "check")
        assert new == set()
        if lines:
            assert lines[0].startswith("rookery: ")
            assert lines[0].isprintable()
    if code == 1:
        assert "words.py:Wrong" in arguments or arguments[0] == "check"
    if code == 0 and "--json" in arguments and not {"-h", "--help"} & set(arguments):
        json.loads(out, parse_constant=pytest.fail)
    return code


@settings(max_examples=500)
@given(command_lines())
@example([])
@example(["--version"])
@example(["solve", "leftmove", "-p", "depth=3", "--level", "1", "--playouts", "5", "--out", "result.json", "--json"])
@example(["solve", "words.py:Words", "-p", "share=inf", "--level", "1", "--json"])
@example(["solve", "words.py:Words", "--out", "good.json", "--level", "30"])
@example(["solve", "leftmove", "--level", "30", "--atomic-level", "30", "--iterations", "1e12"])
@example(["bench", "--json"])
def test_a_command_line_is_answered_or_refused_in_one_line(folder: Path, arguments: list[str]) -> None:
    check(folder, arguments)


@settings(max_examples=100)
@given(
    st.lists(
        st.one_of(odd_texts, st.sampled_from(["-p", "--level", "-q", "--json", "--", "-", "=", "--=", "-h"])),
        max_size=5,
    )
)
def test_a_line_of_anything_is_answered_or_refused_in_one_line(folder: Path, arguments: list[str]) -> None:
    check(folder, arguments)


def test_lines_of_both_kinds_are_made(folder: Path) -> None:
    """So that the claims above are not about refusals alone."""
    small = ["-p", "depth=3", "--level", "1", "--iterations", "2", "--quiet"]
    assert check(folder, ["solve", "leftmove", *small, "--out", "result.json"]) == 0
    assert check(folder, ["solve", "leftmove", *small, "--out", "folder"]) == 2
    assert check(folder, ["solve", "words.py:Wrong", "--quiet"]) == 1
    assert check(folder, ["tune", "words.py:Words", "--quiet", "--preset", "tuned.json"]) == 0
