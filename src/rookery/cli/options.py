"""Options that commands share, and values read from text: each mistake is one sentence."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

import rookery as rk

T = TypeVar("T")
Text = str | None

ProblemName = Annotated[
    str, typer.Argument(metavar="PROBLEM", help="A built-in problem (see rookery list) or path/to/file.py:Class.")
]
# Numbers are declared as texts: they are read below, so that the messages are the library's own.
Parameters = Annotated[
    list[str] | None, typer.Option("--parameter", "-p", metavar="KEY=VALUE", help="A parameter of the problem.")
]
Algorithm = Annotated[str, typer.Option(metavar="NAME", help="nrpa, nmcs or sampling.")]
Level = Annotated[Text, typer.Option(metavar="N", help="Depth of the nesting (nrpa, nmcs).")]
Iterations = Annotated[
    list[str] | None,
    typer.Option(metavar="N|LEVEL:N", help="Nested calls per level (nrpa); may be repeated for several levels."),
]
Alpha = Annotated[Text, typer.Option(metavar="X", help="Step of adapt (nrpa).")]
Ties = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE|LEVEL:RULE",
        help="nrpa: '>=', '>' or a fraction, and may be repeated for several levels; nmcs: first or random.",
    ),
]
Memorise = Annotated[
    bool | None, typer.Option("--memorise/--no-memorise", help="Follow the best sequence so far (nmcs).")
]
Sample = Annotated[Text, typer.Option(metavar="K", help="Try K children drawn at each step, not all (nmcs).")]
Seed = Annotated[Text, typer.Option(metavar="N", help="The same seed gives the same result.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Debug = Annotated[
    bool, typer.Option("--debug", help="Check every array index in the problem's functions; show tracebacks.")
]

SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}


def whole(option: str, text: str) -> int:
    """A whole number; ``1e6`` is one too.

    >>> whole("--playouts", "1e6")
    1000000
    """
    try:
        return int(text)
    except ValueError:
        value = _float(text)
        if value is None or not value.is_integer() or abs(value) > 1 << 53:
            raise rk.InputError(f"{option} must be a whole number, got {text!r}") from None
        return int(value)


def number(option: str, text: str) -> float:
    """A number.

    >>> number("--alpha", "0.5")
    0.5
    """
    value = _float(text)
    if value is None or value != value:
        raise rk.InputError(f"{option} must be a number, got {text!r}")
    return value


def duration(option: str, text: str) -> float:
    """Seconds, from a number with or without a unit.

    >>> duration("--time", "1.5m"), duration("--time", "60"), duration("--time", "500ms")
    (90.0, 60.0, 0.5)
    """
    match = re.fullmatch(r"(.*?)\s*(ms|s|m|h|)", text.strip())
    value = _float(match[1]) if match else None
    if match is None or value is None or value != value:
        raise rk.InputError(f"{option} must be a time such as 60s, 1.5m, 2h or 500ms, got {text!r}")
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
                raise rk.InputError(f"{option} must be given once, or each time as LEVEL:VALUE, got {text!r}")
            return read(option, text)
        key = whole(f"the level in {option} {text}", level)
        if key in values:
            raise rk.InputError(f"{option} is given twice for level {key}")
        values[key] = read(option, value)
    return values


def key_values(texts: Sequence[str] | None) -> dict[str, str]:
    """The parameters of a problem.

    >>> key_values(["n=50", "seed=1"])
    {'n': '50', 'seed': '1'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise rk.InputError(f"-p must be given as key=value, got {text!r}")
        if key in found:
            raise rk.InputError(f"-p {key} is given twice")
        found[key] = value
    return found


def moves(option: str, text: str) -> tuple[Any, ...]:
    """A sequence: that of a result file, or moves with commas between them.

    >>> moves("--start-from", "3,7,12")
    (3, 7, 12)
    """
    path = Path(text)
    if text.endswith(".json") or (text and _is_file(path)):
        return rk.Result.load(path).moves
    if text.lstrip().startswith("["):
        try:
            return tuple(map(_frozen, json.loads(text)))
        except (ValueError, TypeError, RecursionError):
            raise rk.InputError(f"{option} must be a result file or moves such as 3,7,12, got {text!r}") from None
    return tuple(_move(part.strip()) for part in text.split(",")) if text.strip() else ()


def cores() -> int:
    """How many processors this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _move(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
