"""Options that commands share, and values read from text: each mistake is one sentence."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

import rookery as rk
from rookery.cli import completion

T = TypeVar("T")
Text = str | None


def argument(metavar: str, help: str, default: Any = ..., offered: Any = None) -> Any:
    """An argument of a command, as the default of its parameter; ``offered``: what a shell may complete it with."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=offered)


def option(metavar: str, help: str, default: Any = None, *names: str, offered: Any = None) -> Any:
    """An option with a value; its name is that of its parameter, unless there are others."""
    return typer.Option(default, *names, metavar=metavar, help=help, autocompletion=offered)


def flag(names: str, help: str, default: bool | None = False) -> Any:
    """An option without a value."""
    return typer.Option(default, names, help=help)


ProblemName = Annotated[
    str,
    typer.Argument(
        metavar="PROBLEM",
        help="A built-in problem (see rookery list) or path/to/file.py:Class.",
        autocompletion=completion.problems,
    ),
]
AnyFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="The result of a search, the record of a match, a picture, SGF, or a game of Morpion Solitaire.",
    ),
]
Variant = Annotated[
    Text, typer.Option(metavar="NAME", help="Rules of Morpion: 5T, 5D, 4T, 4D [default: the file's, or inferred]")
]
# Numbers are declared as texts: they are read below, so that the messages are the library's own.
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        "-p",
        metavar="KEY=VALUE",
        help="A parameter of the problem.",
        autocompletion=completion.parameters,
    ),
]
Seed = Annotated[Text, typer.Option(metavar="N", help="The same seed gives the same result.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Debug = Annotated[
    bool, typer.Option("--debug", help="Check every array index in the problem's functions; show tracebacks.")
]

MOST_SHOWN = 60
"""The most characters of a value that an error shows."""
DIGITS = 40
"""The most digits of a whole number: every limit of the library has fewer."""
SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}


def whole(option: str, text: str, least: int = 1) -> int:
    """A whole number of at least ``least``; ``1e6`` is one too. The library decides how large it may be.

    >>> whole("--playouts", "1e6")
    1000000
    """
    try:
        value = Decimal(text if text.isascii() else "")  # Python reads digits of all scripts
        if not value.is_finite() or value != value.to_integral_value():
            raise ValueError("not whole")
    except (ArithmeticError, ValueError):
        raise rk.InputError(f"{option} must be a whole number, got {shown(text)}") from None
    if value < least:
        raise rk.InputError(f"{option} must be at least {least}, got {shown(text)[1:-1]}")
    if value.adjusted() >= DIGITS:
        raise rk.InputError(f"{option} must be a number of at most {DIGITS} digits, got {shown(text)[1:-1]}")
    return int(value)


def number(option: str, text: str) -> float:
    """A number.

    >>> number("--alpha", "0.5")
    0.5
    """
    value = _float(text)
    if value is None or value != value:
        raise rk.InputError(f"{option} must be a number, got {shown(text)}")
    return value


def duration(option: str, text: str) -> float:
    """Seconds, from a number with or without a unit.

    >>> duration("--time", "1.5m"), duration("--time", "60"), duration("--time", "500ms")
    (90.0, 60.0, 0.5)
    """
    match = re.fullmatch(r"(.*?)\s*(ms|s|m|h|)", text.strip())
    value = _float(match[1]) if match else None
    if match is None or value is None or value != value:
        raise rk.InputError(f"{option} must be a time such as 60s, 1.5m, 2h or 500ms, got {shown(text)}")
    return value * SECONDS[match[2]]


def optional(read: Callable[[str, str], T], option: str, text: str | None) -> T | None:
    """The value of an option, if it is given.

    >>> optional(whole, "--level", None)
    """
    return None if text is None else read(option, text)


def per_level(read: Callable[[str, str], T], option: str, texts: Sequence[str]) -> T | dict[int, T]:
    """One value for all levels, or a mapping from level to value.

    >>> per_level(whole, "--iterations", ["3:10", "2:50"])
    {3: 10, 2: 50}
    """
    values: dict[int, T] = {}
    for text in texts:
        level, colon, value = text.partition(":")
        if not colon:
            if len(texts) > 1:
                raise rk.InputError(f"{option} must be given once, or each time as LEVEL:VALUE, got {shown(text)}")
            return read(option, text)
        key = whole(f"the level in {option} LEVEL:VALUE", level)
        if key in values:
            raise rk.InputError(f"{option} is given twice for level {key}")
        values[key] = read(option, value)
    return values


def key_values(texts: Sequence[str] | None, option: str = "-p") -> dict[str, str]:
    """Parameters given as KEY=VALUE.

    >>> key_values(["n=50", "seed=1"])
    {'n': '50', 'seed': '1'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise rk.InputError(f"{option} must be given as key=value, got {shown(text)}")
        if key in found:
            raise rk.InputError(f"{option} {key} is given twice")
        found[key] = value
    return found


@dataclass(frozen=True)
class Moves:
    """Moves that were given: as text, or by the result of a run."""

    option: str
    text: str
    moves: tuple[Any, ...]
    result: rk.Result | None = None

    def of(self, problem: rk.Problem | rk.PythonProblem, name: str) -> tuple[Any, ...]:
        """The moves, for a problem that was loaded by this name.

        >>> moves("--start-from", "1,0").of(rk.problems.LeftMove(depth=3), "leftmove")
        (1, 0)
        """
        if self.result is not None and _class(self.result.problem) != _class(name):
            was = shown(self.result.problem)
            raise rk.InputError(f"{self.option} must be a result of {name}, got {self.text}, which is one of {was}")
        for move in self.moves if isinstance(problem, rk.Problem) else ():
            if type(move) is not int or not -(1 << 63) <= move < 1 << 63:
                rule = f"those of {type(problem).__name__} are whole numbers of 64 bits"
                raise rk.InputError(f"{self.option} must be a result file or moves ({rule}), got {shown(move)}")
        return self.moves


def moves(option: str, text: str) -> Moves:
    """A sequence: that of a result file, or moves with commas between them.

    >>> moves("--start-from", "3,7,12").moves
    (3, 7, 12)
    """
    path = Path(text)
    if text.endswith(".json") or (text and _is_file(path)):
        result = rk.Result.load(path)
        return Moves(option, text, result.moves, result)
    if text.lstrip().startswith("["):
        try:
            return Moves(option, text, tuple(map(_frozen, json.loads(text))))
        except (ValueError, TypeError, RecursionError):
            text = text.strip()  # refused below
    elif text.strip():
        return Moves(option, text, tuple(_move(part.strip()) for part in text.split(",")))
    raise rk.InputError(f"{option} must be a result file or moves such as 3,7,12, got {shown(text)}")


def check_plot(path: str) -> None:
    """Refuse a plot that could not be made, before minutes are spent on it.

    >>> check_plot("plot.doc")
    Traceback (most recent call last):
    rookery.errors.InputError: --plot must end in .png, .svg or .pdf, got 'plot.doc'
    """
    if Path(path).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise rk.InputError(f"--plot must end in .png, .svg or .pdf, got {shown(path)}")
    rk.files.check_writable(path)
    if importlib.util.find_spec("matplotlib") is None:
        raise rk.InputError('--plot needs matplotlib: pip install "rookery[experiment]"')


def check_outputs(plot: str | None, *files: str | None) -> None:
    """Refuse a plot and other files that could not be written, where they are given, before anything is computed.

    >>> check_outputs(None, None)
    """
    if plot is not None:
        check_plot(plot)
    for path in files:
        if path is not None:
            rk.files.check_writable(path)


def cores() -> int:
    """How many processors this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shown(value: Any) -> str:
    """A value as an error shows it, cut if it is long.

    >>> shown("two"), shown(2.5)
    ("'two'", '2.5')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= MOST_SHOWN else value[: MOST_SHOWN - 3] + "...")
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# --- what is printed ---


def rows(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and texts in two columns.

    >>> print(rows([("score", "82"), ("seed", "1")]))
    score     82
    seed      1
    """
    return "\n".join(f"{name:<10}{text}" for name, text in pairs)


def counted(n: int, thing: str, things: str = "") -> str:
    """A number of things, in words.

    >>> counted(1, "move"), counted(2000, "entry", "entries")
    ('1 move', '2,000 entries')
    """
    return f"{n:,} {thing if n == 1 else things or thing + 's'}"


def printable(text: str) -> str:
    r"""Text as a terminal may show it: a file may hold anything, and have any name.

    >>> printable("a\x1b[31mred")
    'a\\x1b[31mred'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def listed(moves: Iterable[str], width: int) -> str:
    """Moves separated by commas, in lines of this width that are broken only between moves.

    >>> listed(["left", "two steps right"], 20)
    'left,\\ntwo steps right'
    """
    unit = "\N{NO-BREAK SPACE}"  # what textwrap does not break at
    text = ", ".join(move.replace(" ", unit) for move in moves)
    return textwrap.fill(text, max(20, width), break_long_words=False, break_on_hyphens=False).replace(unit, " ")


def _class(name: str) -> str:
    """The part of a problem's name that does not depend on where its file is."""
    return name.rpartition(":")[2]


def _float(text: str) -> float | None:
    try:
        return float(text) if text.isascii() else None
    except ValueError:
        return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _move(text: str) -> int | str:
    try:
        return int(text) if text.isascii() else text
    except ValueError:
        return text


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
