"""States of compiled problems as bytes, with names for what changed; and with wider fields, where nothing wraps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rookery.checking.fields import State, copy_of, state_class

_WIDE = {"b": "?", "i": "i8", "u": "i8", "f": "f8"}


class States:
    """Makes, copies and compares the states of one layout.

    >>> import rookery as rk
    >>> from rookery.problem import state_dtype
    >>> states = States(state_dtype(rk.LeftMove(depth=3)))
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
        self.wide_dtype = np.dtype((np.record, np.dtype(fields, align=True)))
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
        """A state of its own with the same values."""
        return copy_of(state)

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
            where = _first(~((a == b) | ((a != a) & (b != b))))
            if where is not None:
                index = f"[{', '.join(map(str, where))}]" if where else ""
                found.append((f"{name}{index}", str(a[where]), str(b[where])))
        return found

    def only_rounding(self, first: Any, second: Any) -> bool:
        """Whether nothing differs but the last digits of floats."""
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
                where = _first((values < bounds.min) | (values > bounds.max))
            elif kind.base.kind == "f" and kind.base.itemsize < 8:
                where = _first(np.isfinite(values) & ~np.isfinite(np.asarray(narrow[name])))
            else:
                continue
            if where is not None:
                index = f"[{', '.join(map(str, where))}]" if where else ""
                return f"{name}{index}", kind.base.str[1:], str(values[where])
        return None

    def strayed(self, narrow: Any, wide: Any) -> tuple[str, str, str] | None:
        """The first field whose value differs for another reason than its own width: name and both values."""
        for name, kind in self._kinds.items():
            a, b = np.asarray(narrow[name]), np.asarray(wide[name])
            differs = a != b
            if kind.base.kind == "f":
                differs = ~np.isclose(a, b, rtol=1e-4 if self.has_short_floats else 1e-12, atol=1e-12, equal_nan=True)
            where = _first(differs)
            if where is not None:
                index = f"[{', '.join(map(str, where))}]" if where else ""
                return f"{name}{index}", str(a[where]), str(b[where])
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


def _first(where: Any) -> tuple[int, ...] | None:
    """The first index at which an array is true."""
    found = np.argwhere(where)
    return tuple(int(i) for i in found[0]) if len(found) else None


def _wider(kind: np.dtype[Any]) -> np.dtype[Any]:
    return kind if kind.itemsize >= 8 or kind.kind == "b" else np.dtype(_WIDE[kind.kind])
