"""Deep copies of states at speed: what ``copy.deepcopy`` returns, several times faster for plain containers."""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_ATOMIC = frozenset({type(None), bool, int, float, complex, str, bytes, range, type(...), type(NotImplemented)})
"""Types whose values are their own copies."""
_HEAP_TYPE = 1 << 9  # in type.__flags__: made by a class statement
_NOTHING = object()

Memo = dict[int, Any]


def deep_copy(value: Any) -> Any:
    """What ``copy.deepcopy(value)`` returns.

    Lists, dicts, tuples, sets and plain objects are copied here; anything else in them, by ``deepcopy`` with the same
    memo, so that what occurs twice also does so in the copy.

    >>> state = [[1, 2], {3: (4, 5)}]
    >>> copied = deep_copy(state)
    >>> copied == state, copied[0] is state[0], copied[1][3] is state[1][3]
    (True, False, True)
    """
    return value if type(value) in _ATOMIC else _copied(value, {})


def _copied(value: Any, memo: Memo) -> Any:
    kind = type(value)
    if kind in _ATOMIC:
        return value
    known = memo.get(id(value), _NOTHING)
    if known is not _NOTHING:
        return known
    copier = _COPIERS.get(kind)
    if copier is not None:
        return copier(value, memo)
    if _is_plain(kind):  # type: ignore[arg-type]
        return _copied_object(value, memo)
    return copy.deepcopy(value, memo)


def _copied_list(value: list[Any], memo: Memo) -> list[Any]:
    if _ATOMIC.issuperset(map(type, value)):
        made = memo[id(value)] = value[:]
        return made
    made = memo[id(value)] = []  # known before its items are copied: one of them may hold the list
    for item in value:
        made.append(_copied(item, memo))
    return made


def _copied_dict(value: dict[Any, Any], memo: Memo) -> dict[Any, Any]:
    if _ATOMIC.issuperset(map(type, value)) and _ATOMIC.issuperset(map(type, value.values())):
        made = memo[id(value)] = value.copy()
        return made
    made = memo[id(value)] = {}
    for key, item in value.items():
        made[_copied(key, memo)] = _copied(item, memo)
    return made


def _copied_tuple(value: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    if _ATOMIC.issuperset(map(type, value)):
        return value
    items = [_copied(item, memo) for item in value]
    known: tuple[Any, ...] | None = memo.get(id(value))
    if known is not None:  # an item held the tuple
        return known
    made = value if all(map(_same, value, items)) else tuple(items)
    memo[id(value)] = made
    return made


def _same(a: Any, b: Any) -> bool:
    return a is b


def _copied_set(value: Any, memo: Memo) -> Any:
    """By way of a list, as ``deepcopy`` does: ``value.copy()`` might give its items in another order."""
    items = list(value)
    if not _ATOMIC.issuperset(map(type, items)):
        items = [_copied(item, memo) for item in items]
    made = memo[id(value)] = type(value)(items)
    return made


def _copied_object(value: Any, memo: Memo) -> Any:
    fields = vars(value)
    if not _LOOKED_UP.isdisjoint(fields):  # deepcopy asks the object, not its class
        return copy.deepcopy(value, memo)
    made = memo[id(value)] = object.__new__(type(value))
    if _ATOMIC.issuperset(map(type, fields.values())):
        vars(made).update(fields)
    else:
        vars(made).update({name: _copied(field, memo) for name, field in fields.items()})
    return made


_COPIERS: dict[type, Callable[[Any, Memo], Any]] = {
    list: _copied_list,
    dict: _copied_dict,
    tuple: _copied_tuple,
    set: _copied_set,
    frozenset: _copied_set,
}

_DEFAULTS = {
    name: getattr(object, name)
    for name in ("__new__", "__reduce__", "__reduce_ex__", "__getstate__", "__getattribute__")
}
_LOOKED_UP = frozenset({"__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__class__"})
_HOOKS = ("__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__getattr__")


@lru_cache(maxsize=256)
def _is_plain(kind: type) -> bool:
    """Whether objects of a class are just their ``__dict__``, and ``deepcopy`` has no special rule for them."""
    return (
        all(base.__flags__ & _HEAP_TYPE for base in kind.__mro__[:-1])
        and type(kind) is type
        and all(getattr(kind, name) is default for name, default in _DEFAULTS.items())
        and not any(hasattr(kind, name) for name in _HOOKS)
        and not any("__slots__" in vars(base) for base in kind.__mro__[:-1])
        and kind not in copyreg.dispatch_table
        and kind not in copy._deepcopy_dispatch  # type: ignore[attr-defined]
    )
