"""The states of compiled problems and games as plain Python reads and writes them: fast, as attributes of an object.

They can be compared field by field, and made with wider fields, where nothing wraps.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Any

import numpy as np

from rookery.compiler.layout import record_dtype

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


def state_class(dtype: np.dtype[Any]) -> type[State]:
    """The class of the states of one layout."""
    names = dtype.names or ()
    body: dict[str, Any] = {"__slots__": tuple(_SLOT(i) for i in range(len(names)))}
    for i, name in enumerate(names):
        body[name] = _field(_SLOT(i), is_array=bool(dtype[name].shape))
    return type("State", (State,), body)


def _field(slot: str, is_array: bool) -> property:
    def write(state: Any, value: Any) -> None:
        getattr(state, slot)[()] = value

    return property(attrgetter(slot) if is_array else lambda state: getattr(state, slot)[()], write)


_WIDE = {"b": "?", "i": "i8", "u": "i8", "f": "f8"}


class States:
    """Makes, copies and compares the states of one layout.

    >>> import rookery as rk
    >>> from rookery.compiler.layout import state_dtype
    >>> states = States(state_dtype(rk.problems.LeftMove(depth=3)))
    >>> state = states.new()
    >>> copy = states.copy(state)
    >>> copy.lefts = 2
    >>> states.differences(state, copy)
    [('lefts', '0', '2')]
    """

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.names = dtype.names or ()
        kinds = {name: dtype[name] for name in self.names}
        self.narrow = any(kind.base.itemsize < 8 and kind.base.kind in "iuf" for kind in kinds.values())
        self.has_short_floats = any(kind.base.kind == "f" and kind.base.itemsize < 8 for kind in kinds.values())
        fields = [(name, np.dtype((_wider(kind.base), kind.shape))) for name, kind in kinds.items()]
        self.wide_dtype = record_dtype(np.dtype(fields, align=True))
        self._kinds = kinds
        self._class, self._wide_class = state_class(dtype), state_class(self.wide_dtype)

    def new(self, fill: int = 0) -> State:
        """A state with every number equal to ``fill``; False for truth values."""
        state = self._class(np.zeros(1, self.dtype))
        if fill:
            for name, kind in self._kinds.items():
                if kind.base.kind != "b":
                    state[name] = fill
        return state

    def copy(self, state: State) -> State:
        """A separate state with the same bytes, even between the fields, which NumPy's copies leave as they were."""
        array = state._rookery_array
        return type(state)(array.view(np.uint8).copy().view(array.dtype))

    def assign(self, state: Any, values: Any) -> None:
        """Give a state the values of another one, wide ones cut to size as compiled code does."""
        with np.errstate(all="ignore"):
            for name, kind in self._kinds.items():
                state[name] = np.asarray(values[name]).astype(kind.base)

    def widen(self, state: State) -> State:
        """The same values in fields of eight bytes."""
        wide = self._wide_class(np.zeros(1, self.wide_dtype))
        for name in self.names:
            wide[name] = state[name]
        return wide

    def differences(self, first: Any, second: Any) -> list[tuple[str, str, str]]:
        """Field (with the index of its first difference) and both values, for each field that differs."""
        found = []
        for name in self.names:
            a, b = np.asarray(first[name]), np.asarray(second[name])
            if a.tobytes() == b.tobytes():
                continue
            differs = _first(name, ~((a == b) | ((a != a) & (b != b))), a, b)
            if differs:
                found.append(differs)
        return found

    def only_rounding(self, first: Any, second: Any) -> bool:
        """Whether only the last digits of floats differ."""
        for name, kind in self._kinds.items():
            a, b = np.asarray(first[name]), np.asarray(second[name])
            rough = 1e-4 if kind.base.itemsize < 8 else 1e-9
            exact = kind.base.kind != "f"
            if not (np.array_equal(a, b) if exact else np.allclose(a, b, rtol=rough, atol=1e-12, equal_nan=True)):
                return False
        return True

    def overflowed(self, narrow: Any, wide: Any) -> tuple[str, str, str] | None:
        """The first field whose value does not fit: its name, its type and the value."""
        for name, kind in self._kinds.items():
            values = np.asarray(wide[name])
            if kind.base.kind in "iu" and kind.base.itemsize < 8:
                bounds = np.iinfo(kind.base)
                over = (values < bounds.min) | (values > bounds.max)
            elif kind.base.kind == "f" and kind.base.itemsize < 8:
                over = np.isfinite(values) & ~np.isfinite(np.asarray(narrow[name]))
            else:
                continue
            if over.any():
                return _first(name, over, np.full(values.shape, kind.base.str[1:]), values)
        return None

    def strayed(self, narrow: Any, wide: Any) -> tuple[str, str, str] | None:
        """The first field whose value differs for a reason other than its own width: name and both values."""
        for name, kind in self._kinds.items():
            a, b = np.asarray(narrow[name]), np.asarray(wide[name])
            differs = a != b
            if kind.base.kind == "f":
                differs = ~np.isclose(a, b, rtol=1e-4 if self.has_short_floats else 1e-12, atol=1e-12, equal_nan=True)
            if np.any(differs):
                return _first(name, differs, a, b)
        return None


def same_number(first: Any, second: Any, rough: bool) -> bool:
    """Whether two results are equal, floats up to rounding.

    >>> same_number((1, (2, 3)), (1, (2, 3)), False), same_number(1.0, 1.5, True)
    (True, False)
    """
    if isinstance(first, tuple):
        return len(first) == len(second) and all(same_number(a, b, rough) for a, b in zip(first, second, strict=True))
    if isinstance(first, float) or isinstance(second, float):
        close = math.isclose(first, second, rel_tol=1e-4 if rough else 1e-12, abs_tol=1e-12)
        return close or (first != first and second != second)
    return bool(first == second)


def _first(name: str, where: Any, first: Any, second: Any) -> tuple[str, str, str] | None:
    """The field, with the first index at which ``where`` is true, and what the two have there."""
    found = np.argwhere(where)
    if not len(found):
        return None
    at = tuple(map(int, found[0]))
    index = f"[{', '.join(map(str, at))}]" if at else ""
    return f"{name}{index}", str(first[at]), str(second[at])


def _wider(kind: np.dtype[Any]) -> np.dtype[Any]:
    return kind if kind.itemsize >= 8 or kind.kind == "b" else np.dtype(_WIDE[kind.kind])
