"""What a problem declares: its limits, and the layout of its state as a type of records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from rookery.errors import ProblemError
from rookery.problem import Limits, Model
from rookery.user_code import place_of


def declared_limits(problem: Model) -> Limits:
    """What ``limits`` of a problem returns, which must be :class:`Limits`."""
    limits: Any = problem.limits()
    if not isinstance(limits, Limits):
        advice = "return rookery.Limits(moves=..., length=..., codes=...)"
        raise ProblemError(place_of(problem, "limits").says(f"returned {limits!r}", advice))
    return limits


def state_dtype(problem: Model) -> np.dtype[Any]:
    """The record type of a problem's state, aligned as a C struct."""
    layout = problem.layout()

    def refused(*told: str) -> ProblemError:
        return ProblemError(place_of(problem, "layout").says(*told))

    if not isinstance(layout, Mapping) or not layout:
        raise refused(f"returned {layout!r}", "return a dict of at least one field: name -> type")
    advice = 'a type is one of NumPy\'s numbers, as in "i8", "f8", "u1" or ("i2", 64)'
    fields = []
    for field, spec in layout.items():
        try:
            dtype: np.dtype[Any] = np.dtype(spec)
        except (TypeError, ValueError) as error:
            raise refused(f"field '{field}' has an unknown type {spec!r}", advice) from error
        if dtype.base.kind not in "biuf":
            raise refused(f"field '{field}' must hold numbers, got {spec!r}", advice)
        if str(field).startswith("__"):
            raise refused(f"field '{field}' must not begin with two underscores", "such names are Python's own")
        if dtype.base.kind == "b" and dtype.shape:  # Numba has no arrays of booleans within a record
            dtype = np.dtype(("u1", dtype.shape))
        fields.append((str(field), dtype))
    return record_dtype(np.dtype(fields, align=True))


def record_dtype(fields: np.dtype[Any]) -> np.dtype[Any]:
    """The type of records with these fields that are attributes in plain Python too, whatever their names are.

    Records of NumPy have attributes of their own, such as ``sum`` and ``size``, which would come first.

    >>> record = np.zeros(1, record_dtype(np.dtype([("sum", "i8"), ("size", "i8")])))[0]
    >>> record.sum += 2
    >>> int(record.sum), int(record.size)
    (2, 0)
    """
    return np.dtype((_record_class(fields.names or ()), fields))


@cache
def _record_class(names: tuple[str, ...]) -> type[np.void]:
    return type("StateRecord", (np.void,), {name: _field(name) for name in names})


def _field(name: str) -> property:
    def write(record: Any, value: Any) -> None:
        np.void.__setitem__(record, name, value)

    return property(lambda record: np.void.__getitem__(record, name), write)
