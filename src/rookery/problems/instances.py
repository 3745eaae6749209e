"""Instances and solutions as text: words in lines, in a file or on one line with slashes where lines end.

A mistake is reported in one sentence, with the number of its line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from rookery.disk import as_text, brief, file_bytes
from rookery.errors import InputError

T = TypeVar("T")


class Line(NamedTuple):
    """The words of a line that is not empty, and its number, from 1."""

    number: int
    words: tuple[str, ...]

    def refuse(self, rule: str, got: Any) -> InputError:
        """The error that names this line, a rule, and what was found instead."""
        return InputError(f"line {self.number}: {rule}, got {brief(got)}")

    def reals(self, count: int, what: str) -> list[float]:
        """Its words as finite numbers, exactly ``count`` of them.

        >>> Line(3, ("1.5", "2")).reals(2, "ready and due")
        [1.5, 2.0]
        """
        if len(self.words) != count:
            raise InputError(f"line {self.number}: there must be {count} numbers, {what}, got {len(self.words)}")
        values = [_real(word) for word in self.words]
        if not all(map(math.isfinite, values)):
            wrong = next(word for word, value in zip(self.words, values, strict=True) if not math.isfinite(value))
            raise self.refuse("a number is expected", wrong)
        return values

    def wholes(self, least: int, most: int, what: str) -> list[int]:
        """Its words as whole numbers in a range.

        >>> Line(2, ("4", "x")).wholes(0, 9, "a city")
        Traceback (most recent call last):
        rookery.errors.InputError: line 2: a city must be 0 to 9, got "x"
        """
        for word in self.words:
            if not (word.isascii() and word.isdigit() and len(word) < 10 and least <= int(word) <= most):
                raise self.refuse(f"{what} must be {least} to {most}", word)
        return [int(word) for word in self.words]


def _real(word: str) -> float:
    try:
        return float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        return math.nan


def lines_of(text: str) -> list[Line]:
    """The lines of a text that are not empty; what follows a ``#`` is a comment.

    >>> lines_of("2 2  # a comment\\n\\n0 1")[1]
    Line(number=3, words=('0', '1'))
    """
    split = (Line(number, tuple(line.partition("#")[0].split())) for number, line in enumerate(text.splitlines(), 1))
    return [line for line in split if line.words]


def read_instance(given: str, what: str, parse: Callable[[list[Line]], T]) -> T:
    """What ``parse`` makes of an instance: a file of this name, or its text, with `` / `` where a line ends.

    >>> read_instance("2 2 / 0 1", "a table", len)
    2
    """
    here = "\n" in given or " / " in given or given.endswith(" /")
    name = "the instance" if here else given
    text = given.replace(" /", "\n") if here else as_text(file_bytes(given))
    try:
        return parse(lines_of(text))
    except InputError as error:
        raise InputError(f"{name} is not {what}: {error}") from None


def one_line(rows: Iterable[Iterable[Any]]) -> str:
    """Rows of numbers or words as :func:`read_instance` takes them, on one line.

    >>> one_line([[2, 2], [0.5, 1.0]])
    '2 2 / 0.5 1 /'
    """
    return " ".join(" ".join(map(_written, row)) + " /" for row in rows)


def _written(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def refuse_both(name: str, **generated: tuple[Any, Any]) -> None:
    """Refuse values for a random instance where an instance is given; each comes with its default.

    >>> refuse_both("instance", n=(30, 20))
    Traceback (most recent call last):
    rookery.errors.InputError: n is for instances made at random, and instance was given; got n 30
    """
    for key, (value, default) in generated.items():
        if value != default:
            raise InputError(f"{key} is for instances made at random, and {name} was given; got {key} {value}")


def told_parameters(
    problem: Any, name: str, rows: Callable[[], Iterable[Iterable[Any]]], *fields: str
) -> dict[str, Any]:
    """What ``build`` was given; instead of a file, the instance itself and these fields: the file may be gone later."""
    built = problem.__dict__.get("_built_with")
    if built is not None and built[name] is None:
        return {key: value for key, value in built.items() if key != name}
    return {name: one_line(rows()), **{field: getattr(problem, field) for field in fields}}
