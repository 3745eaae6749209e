"""The ``self`` of compiled functions: a named tuple of the numbers and arrays of a problem.

The tuple classes are attributes of this module, made when first asked for and named after their fields, so
that machine code read from the disk cache in another process refers to the same class.
"""

from __future__ import annotations

import numbers
from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

from rookery.errors import ProblemError

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


def normalise(owner: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as compiled code takes them: int, float, bool, or a contiguous writeable array."""
    return {name: _normal(owner, name, value) for name, value in values.items()}


def _normal(owner: str, name: str, value: Any) -> Any:
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
