"""The ``self`` of compiled functions: a named tuple of the numbers and arrays of a problem.

The tuple classes are attributes of this module, made when first asked for and named after their fields, so
that machine code read from the disk cache in another process refers to the same class.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.compiler.hasher import method_of, takes_self
from rookery.errors import InputError, ProblemError
from rookery.problem import Model
from rookery.settings import INTERPRETED

_PREFIX = "Constants"
_classes: dict[str, type] = {}


def __getattr__(name: str) -> type:
    if not name.startswith(_PREFIX + "_"):
        raise AttributeError(name)
    if name not in _classes:
        fields, rest = [], name[len(_PREFIX) + 1 :]
        while rest:  # each field as its length and its name: unambiguous whatever the names
            length, rest = rest.split("_", 1)
            fields.append(rest[: int(length)])
            rest = rest[int(length) :]
        cls: type = namedtuple(name, fields)  # type: ignore[misc]
        cls.__module__ = __name__
        _classes[name] = cls
    return _classes[name]


def constants_class(fields: tuple[str, ...]) -> type:
    """The named tuple class with these fields."""
    return __getattr__(_PREFIX + "_" + "".join(f"{len(f)}_{f}" for f in fields))


@dataclass(frozen=True)
class Fixed:
    """A constant whose value is compiled in; see :func:`fixed`."""

    value: bool | int | float


def fixed(value: Any) -> Fixed:
    """A constant whose value is compiled in, for use in ``constants``: loops over it are unrolled, dead branches
    removed.

    Each value needs its own compilation: use it where a few variants of a problem differ.

    >>> fixed(5)
    Fixed(value=5)
    """
    if not isinstance(value, (numbers.Real, np.bool_)):
        raise InputError(f"a fixed constant must be a number, got {value!r}")
    return Fixed(_normal("", "", value))


def constants_of(model: Model) -> tuple[Any, dict[str, Any]]:
    """The ``self`` of a problem's functions, and what is compiled in instead."""
    cls, given = type(model), model.constants()
    values, fixed = normalise(cls.__name__, given), fixed_values(cls, given)
    if INTERPRETED:
        return interpreted_constants(cls, values), fixed
    varying = {name: value for name, value in values.items() if name not in fixed}
    return constants_class(tuple(varying))(**varying), fixed


def fixed_values(cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is compiled in: the fixed constants, and numbers in the body of the class that are not fields."""
    fields = {f.name for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    names = {name for parent in cls.__mro__ for name in vars(parent) if not name.startswith("__")} - fields
    body = {name: getattr(cls, name) for name in sorted(names)}
    numbers_of_body = {n: _normal("", n, v) for n, v in body.items() if isinstance(v, (numbers.Real, np.bool_))}
    return numbers_of_body | {name: value.value for name, value in given.items() if isinstance(value, Fixed)}


def normalise(owner: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as compiled code takes them: int, float, bool, or a contiguous writeable array."""
    return {name: _normal(owner, name, value) for name, value in values.items()}


def _normal(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, Fixed):
        return value.value
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        dtype = value.dtype.newbyteorder("=")
        return np.require(value, dtype=dtype, requirements=["C", "A", "W"])
    raise ProblemError(
        f"{owner}.constants(): '{name}' is a {type(value).__name__}; it must be a number or an array of numbers"
    )


def interpreted_constants(cls: type[Model], values: dict[str, Any]) -> Any:
    """The constants as ``self`` of interpreted functions: with the methods that compiled code has resolved."""
    names = {name for parent in cls.__mro__ for name in vars(parent) if not name.startswith("__")}
    methods = {name: method_of(cls, name) for name in names - set(values)}
    owner = constants_class(tuple(values))
    bound: dict[str, Any] = {
        n: f if takes_self(cls, n) else staticmethod(f) for n, f in methods.items() if f is not None
    }
    bound |= {name: value for name, value in fixed_values(cls, {}).items() if name not in values}
    return type(cls.__name__, (owner,), bound)(**values)
