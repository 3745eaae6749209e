"""States that plain Python reads and writes fast: the fields of a record as attributes of an object."""

from __future__ import annotations

from typing import Any

import numpy as np

_SLOT = "_rookery_view_{}".format


class State:
    """One record, whose fields are attributes, as in compiled functions; NumPy's own records take five times as long.

    Its other names begin with an underscore, so that a field may have any name.

    >>> dtype = np.dtype([("here", "i8"), ("todo", "i2", 3)])
    >>> s = state_class(dtype)(np.zeros(1, dtype))
    >>> s.here += 2
    >>> s.todo[1] = 7
    >>> int(record_of(s)["here"]), record_of(s)["todo"].tolist()
    (2, [0, 7, 0])
    """

    __slots__ = ("_rookery_array",)

    def __init__(self, array: Any) -> None:
        self._rookery_array = array
        for i, name in enumerate(array.dtype.names):
            # Both are views: of shape () for a number, of the shape of the field for an array.
            setattr(self, _SLOT(i), array[name][0] if array.dtype[name].shape else array[name].reshape(()))

    def __getitem__(self, name: str) -> Any:
        return self._rookery_array[name][0]

    def __setitem__(self, name: str, value: Any) -> None:
        self._rookery_array[name] = value


def record_of(state: State) -> Any:
    """The record of a state."""
    return state._rookery_array[0]


def bytes_of(state: State) -> bytes:
    """All of a state as bytes."""
    data: bytes = state._rookery_array.tobytes()
    return data


def copy_of(state: State) -> State:
    """A state of its own with the same bytes, also between the fields, where NumPy's copies have what was there."""
    array = state._rookery_array
    return type(state)(array.view(np.uint8).copy().view(array.dtype))


def state_class(dtype: np.dtype[Any]) -> type[State]:
    """The class of the states of one layout."""
    names = dtype.names or ()
    body: dict[str, Any] = {"__slots__": tuple(_SLOT(i) for i in range(len(names)))}
    for i, name in enumerate(names):
        body[name] = _array_field(_SLOT(i)) if dtype[name].shape else _number_field(_SLOT(i))
    return type("State", (State,), body)


def _number_field(slot: str) -> property:
    def read(state: Any) -> Any:
        return getattr(state, slot)[()]

    def write(state: Any, value: Any) -> None:
        getattr(state, slot)[()] = value

    return property(read, write)


def _array_field(slot: str) -> property:
    def read(state: Any) -> Any:
        return getattr(state, slot)

    def write(state: Any, value: Any) -> None:
        getattr(state, slot)[...] = value

    return property(read, write)
