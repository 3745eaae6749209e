"""Where in a user's code something is wrong, and the one sentence that says it."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SOURCE_WIDTH = 100
INSTALLED = {"site-packages", "dist-packages"}
"""Folders of installed packages."""


@dataclass(frozen=True)
class Place:
    """A line of a user's code; ``line`` is 0 if unknown.

    >>> str(Place("TSP.play()", "my_tsp.py", 41, "s.lenght += 1"))
    'TSP.play() at my_tsp.py:41, `s.lenght += 1`'
    """

    function: str
    file: str
    line: int
    source: str

    def __str__(self) -> str:
        where = f" at {self.file}:{self.line}" if self.line else ""
        return self.function + where + (f", `{self.source}`" if self.source else "")

    def says(self, reason: str, advice: str = "") -> str:
        """The message of an error at this place.

        >>> Place("Coins.score()", "", 0, "").says("returned nan", "a score must be finite")
        'Coins.score() returned nan; a score must be finite'
        """
        gap = " " if str(self) == self.function else ": "
        return f"{self}{gap}{reason}" + (f"; {advice}" if advice else "")


def place(problem: Any, code: types.CodeType, line: int | None = None) -> Place:
    """The place of a line in a function of a problem (or of a class of problems); by default of its ``def``."""
    cls = problem if isinstance(problem, type) else type(problem)
    owned = any(getattr(value, "__code__", None) is code for c in cls.__mro__ for value in vars(c).values())
    function = f"{cls.__name__}.{code.co_name}()" if owned else f"{cls.__name__}, {code.co_name}()"
    number = code.co_firstlineno if line is None else line
    source = " ".join(linecache.getline(code.co_filename, number).split())
    if len(source) > SOURCE_WIDTH:
        source = source[: SOURCE_WIDTH - 3] + "..."
    return Place(function, short_path(code.co_filename), number, source)


def place_of(problem: Any, name: str) -> Place:
    """The place of the ``def`` of a function of a problem, by its name."""
    cls = problem if isinstance(problem, type) else type(problem)
    member = getattr(cls, name, None)
    function = getattr(member, "__func__", member)  # the function behind a class method
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    return Place(f"{cls.__name__}.{name}()", "", 0, "") if code is None else place(cls, code)


def place_of_error(problem: Any, error: BaseException) -> Place | None:
    """The innermost line of an exception's traceback that lies in the user's own files, if any does."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if is_users(trace.tb_frame.f_code.co_filename):
            found = place(problem, trace.tb_frame.f_code, trace.tb_lineno)
        trace = trace.tb_next
    return found


def place_of_return(problem: Any, function: Callable[..., Any], *arguments: Any) -> Place:
    """The line at which a call of a plain function returns; the call is repeated to find out."""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    code = plain.__code__
    last = code.co_firstlineno

    def watch(frame: types.FrameType, event: str, value: Any) -> Any:
        nonlocal last
        if frame.f_code is code:
            if event == "return":
                last = frame.f_lineno
            return watch
        return None

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        function(*arguments)
    except Exception:
        pass  # what it raised does not matter here
    finally:
        sys.settrace(before)
    return place(problem, code, last)


def short_path(file: str) -> str:
    """A path relative to the current folder, if it lies below that."""
    try:
        return file.removeprefix(os.getcwd() + os.sep)
    except OSError:  # the current folder is gone
        return file


def is_users(file: str) -> bool:
    """Whether a file is the user's own: not part of the library's machinery, of Python or of an installed package.

    >>> is_users(os.__file__)
    False
    """
    paths = sysconfig.get_paths()
    library = os.path.dirname(__file__)
    foreign = (library, paths["stdlib"], paths["purelib"], paths["platlib"])
    path = os.path.abspath(file)
    if path.startswith((os.path.join(library, "problems") + os.sep, os.path.join(library, "games") + os.sep)):
        return True  # the problems and games of the library are written as a user would write them
    if not INSTALLED.isdisjoint(path.split(os.sep)):  # in this environment, or one that it builds on
        return False
    return not file.startswith(("<frozen", "<__array")) and not any(path.startswith(f + os.sep) for f in foreign)


def describe_exception(error: BaseException) -> str:
    """An exception on one line: its place in the user's own code, if it has one, its type and its text.

    >>> describe_exception(ValueError("no such city"))
    'ValueError: no such city'
    """
    what = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # a bug in a user's exception class
        text = ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_users(frame.filename)]
    if frames:
        file, line, function, _ = frames[-1]
        inside = "" if function.startswith("<") else f" in {function}"
        what = f"{short_path(file)}:{line}: {what}{inside}"
    return f"{what}: {text}" if text else what
