"""The parameters of a problem, and how their values are read from text."""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rookery.errors import InputError
from rookery.search.parameters import shown


@dataclass(frozen=True)
class Parameter:
    """A parameter of a problem; ``default`` is ``inspect.Parameter.empty`` for one that must be given.

    >>> Parameter("n", int, 50).kind
    'a whole number'
    """

    name: str
    annotation: Any
    default: Any

    @property
    def kind(self) -> str | None:
        """What a value must be, in words; None if it cannot be read from text."""
        kinds = ", ".join(words for words, _ in _readers(self.annotation))
        return " or ".join(kinds.rsplit(", ", 1)) or None

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty

    def read(self, text: str) -> Any:
        """Its value from text: of the first of its types that can be read.

        >>> Parameter("most", int | None, None).read("5")
        5
        """
        for _, read in _readers(self.annotation):
            try:
                return read(text)
            except (KeyError, ValueError):
                continue
        raise InputError(f"-p {self.name} must be {self.kind}, got {shown(text)}")


def _types(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, None first; of any other annotation, itself."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return (annotation,)
    return tuple(sorted(typing.get_args(annotation), key=lambda kind: kind is not type(None)))


def _whole(text: str) -> int:
    if not text.isascii():  # Python reads digits of all scripts
        raise ValueError("not a number")
    return int(text)


def _number(text: str) -> float:
    value = float(text) if text.isascii() else math.nan
    if value != value:
        raise ValueError("not a number")
    return value


_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    type(None): ("none", lambda text: {"none": None}[text.lower()]),
    bool: ("true or false", lambda text: {"true": True, "yes": True, "false": False, "no": False}[text.lower()]),
    int: ("a whole number", _whole),
    float: ("a number", _number),
    str: ("a text", str),
    Any: ("a text", str),
    Path: ("a path", Path),
}
"""What a value of each type must be, in words, and how it is read from text."""


def _readers(annotation: Any) -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The readers of an annotation's types, without those that text cannot give."""
    for kind in _types(annotation):
        if typing.get_origin(kind) is typing.Literal:
            choices = {str(choice): choice for choice in typing.get_args(kind)}
            yield ", ".join(choices), choices.__getitem__
        yield from (reader for known, reader in _READERS.items() if known is kind)
