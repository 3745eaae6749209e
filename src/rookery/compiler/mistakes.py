"""Mistakes that are seen in a function before Numba sees it: each a reason, some advice and a line."""

from __future__ import annotations

import dataclasses
import difflib
import random
import types
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numba.core import ir
from numba.core import types as numba_types

from rookery.compiler import constants

PLAIN = (
    *("limits", "layout", "constants", "parameters", "describe_move", "describe_moves", "format_score"),
    *("draw", "draw_svg", "picture", "read", "write", "build"),
)
"""Functions of a problem that are not compiled, and that compiled ones cannot call."""

NOT_COMPILED = (list, dict, set, bytearray)


class Mistake(Exception):
    """What is wrong with a line of a function, and what to do about it."""

    def __init__(self, reason: str, advice: str, line: int) -> None:
        super().__init__(f"{reason}; {advice}")
        self.reason = reason
        self.advice = advice
        self.line = line


def is_self(kind: Any) -> bool:
    """Whether a Numba type is that of the ``self`` of compiled functions."""
    cls = getattr(kind, "instance_class", None)
    return cls is not None and cls.__module__ == constants.__name__


def check_attribute(
    cls: type, fixed: Collection[str], owner: Any, attribute: str, stored: bool, kind: Any, line: int
) -> None:
    """Refuse ``owner.attribute`` if it cannot work; ``kind`` is the Numba type of an argument, else None."""
    if isinstance(kind, numba_types.Record):
        _check_field(kind, attribute, stored, line)
    elif is_self(kind):
        _check_constant(cls, [*kind.fields, *fixed], attribute, stored, line)
    elif isinstance(owner, (ir.Global, ir.FreeVar)) and (
        owner.value is random or (owner.value is np and attribute == "random")
    ):
        raise _random(f"{owner.value.__name__}.{attribute}", line)


def check_global(name: str, value: Any, line: int) -> None:
    """Refuse a global name that compiled code cannot use."""
    if name == "super":
        raise Mistake(
            "super() cannot be compiled", "call the function of the parent class: Parent.play(self, s, move)", line
        )
    if isinstance(value, NOT_COMPILED):
        advice = "make it an array of NumPy or a tuple" if isinstance(value, list) else "use arrays or numbers"
        raise Mistake(f"the global {name} is a {type(value).__name__}, which cannot be compiled", advice, line)
    if isinstance(getattr(value, "__self__", None), (random.Random, np.random.RandomState)):
        raise _random(name, line)


def _random(name: str, line: int) -> Mistake:
    return Mistake(
        f"{name} draws random numbers that no seed controls",
        "draw in choose(self, s, moves, n, rng), with rookery.below(rng, n) or rookery.uniform(rng)",
        line,
    )


def _check_field(record: Any, name: str, stored: bool, line: int) -> None:
    fields = list(record.fields)
    if name not in fields:
        raise Mistake(f"the state has no field '{name}'", _nearest(name, fields, "the fields are"), line)
    if stored and isinstance(record.typeof(name), numba_types.NestedArray):
        raise Mistake(f"the field '{name}' is an array", f"assign its items, as in s.{name}[:] = 0", line)


def _check_constant(cls: type, known: list[str], name: str, stored: bool, line: int) -> None:
    if stored:
        raise Mistake(f"self.{name} cannot be changed", "keep what changes in the state, in a field of layout()", line)
    if name in PLAIN:
        raise Mistake(
            f"self.{name}() is a plain function, which compiled functions cannot call",
            "return the values that they need from constants()",
            line,
        )
    if name in known or isinstance(getattr(cls, name, None), types.FunctionType):
        return
    fields = {f.name for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    value = getattr(cls, name, None)
    if isinstance(value, property):
        raise Mistake(f"self.{name} is a property", "return its value from constants(), under its name", line)
    if isinstance(value, types.MethodType):
        raise Mistake(f"self.{name} is a class method", "make it a method that takes self", line)
    if name in fields:
        advice = f"return what compiled functions need of '{name}' from constants(), as numbers or arrays of NumPy"
        raise Mistake(f"self.{name} is neither a number nor an array in constants()", advice, line)
    if hasattr(cls, name):
        advice = "return it from constants() as an array, or make it a global tuple or array of the module"
        raise Mistake(f"self.{name} is an attribute of the class that is no number", advice, line)
    methods = [n for c in cls.__mro__[:-1] for n, v in vars(c).items() if isinstance(v, types.FunctionType)]
    there = [*known, *(n for n in methods if not n.startswith("__") and n not in PLAIN)]
    near = difflib.get_close_matches(name, there, n=1, cutoff=0.7)
    has = f"constants() has {', '.join(known)}" if known else "constants() has none"
    advice = f"did you mean self.{near[0]}?" if near else has
    raise Mistake(f"there is no constant or method self.{name}", advice, line)


def _nearest(name: str, known: list[str], there: str) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"{there} {', '.join(known)}"


def check_parameters(name: str, function: types.FunctionType, expected: Iterable[str]) -> str | None:
    """What is wrong with the parameters of a function, in words."""
    wanted = tuple(expected)
    code = function.__code__
    plain = code.co_varnames[: code.co_argcount]
    flexible = code.co_kwonlyargcount or code.co_flags & 0x0C  # *args or **kwargs
    if len(plain) == len(wanted) and not flexible:
        return None
    return f"takes ({', '.join(plain)}{', ...' if flexible else ''}), but {name} must take ({', '.join(wanted)})"
