"""Values as JSON and back, exactly: tuples, bytes, infinite numbers, arrays and a few dataclasses too.

What JSON lacks is written as an object with one name that begins with an exclamation mark: a tuple (1, 2) as
``{"!tuple": [1, 2]}``. Reading only makes values of the types that are known here, so that no file can
make code run; whatever does not fit is refused with one sentence.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import types
from collections.abc import Callable, Hashable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from rookery.disk import brief
from rookery.errors import InputError
from rookery.running.result import Improvement, Tally, Work
from rookery.tasks import Outcome, Sequence, Weights

T = TypeVar("T")

DEEPEST = 100
"""How deep values may be nested."""

RECORDS: dict[str, type] = {cls.__name__: cls for cls in (Sequence, Outcome, Weights, Improvement, Tally, Work)}
"""The dataclasses that can be written and read, by name."""

ARRAYS = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
"""The types of arrays that can be written and read; all are written with the lowest byte first."""

_LONG = 1 << 4096  # larger whole numbers are written in hexadecimal: Python refuses to read long decimals


def encode(value: Any, depth: int = 0) -> Any:  # noqa: C901 - a branch for each kind of value
    """A value as JSON stores it.

    >>> encode({"moves": (1, "b"), "best": float("-inf")})
    {'moves': {'!tuple': [1, 'b']}, 'best': {'!float': '-inf'}}
    """
    kind = type(value)  # the exact type: a subclass, such as an enum, would come back as something else
    if kind is int:
        return value if -_LONG < value < _LONG else {"!int": hex(value)}
    if value is None or kind is str or kind is bool:
        return value
    if kind is float:
        return value if math.isfinite(value) else {"!float": repr(value)}
    if kind is bytes:
        return {"!bytes": _base64(value)}
    if depth >= DEEPEST:
        raise InputError(f"values must be nested at most {DEEPEST} deep to be written, got more")
    if kind is list:
        return [encode(item, depth + 1) for item in value]
    if kind is tuple:
        return {"!tuple": [encode(item, depth + 1) for item in value]}
    if kind is frozenset:
        return {"!frozenset": sorted((encode(item, depth + 1) for item in value), key=json.dumps)}
    if kind is dict:
        return _encode_dict(value, depth)
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if isinstance(value, (np.integer, np.floating, np.bool_)) and not isinstance(value, np.longdouble):
        return encode(value.item(), depth)
    if RECORDS.get(kind.__name__) is kind:
        # a policy without weights of biases is written as before there were any
        names = [name for name in _hints(value.__class__) if name != "biases" or value.biases]
        return {f"!{kind.__name__}": {name: encode(getattr(value, name), depth + 1) for name in names}}
    raise InputError(
        "moves and codes must be numbers, texts, bytes, None, True, False, or tuples and frozensets of these "
        f"to be kept in a checkpoint, got {kind.__name__}"
    )


def decode(data: Any, depth: int = 0) -> Any:
    """The value that :func:`encode` made this from.

    >>> decode({"!tuple": [1, {"!float": "nan"}]})
    (1, nan)
    >>> decode({"!object": 1})
    Traceback (most recent call last):
    rookery.errors.InputError: '!object' is not a known type
    """
    if isinstance(data, float) and not math.isfinite(data):
        raise InputError(f"a number must be finite, got {data}")
    if not isinstance(data, (list, dict)):
        return data
    if depth >= DEEPEST:
        raise InputError(f"values must be nested at most {DEEPEST} deep, got more")
    if isinstance(data, list):
        return _decode_items(data, depth)
    tag = next(iter(data), "")
    if not tag.startswith("!"):
        return {name: decode(item, depth + 1) for name, item in data.items()}
    if len(data) > 1:
        raise InputError(f"'{tag}' must stand alone, got {brief(data)}")
    content = data[tag]
    if tag[1:] in RECORDS:
        return made(RECORDS[tag[1:]], _decode_items(_expected(content, dict, tag), depth))
    if tag not in _READERS:
        raise InputError(f"'{brief(tag)[1:-1]}' is not a known type")
    form, read = _READERS[tag]
    return read(_expected(content, form, tag), depth)


def made(cls: type[T], values: dict[str, Any]) -> T:
    """A dataclass from its fields, every one of them checked against its type.

    >>> made(Improvement, {"seconds": 0.5, "playouts": "many", "score": 61.0})
    Traceback (most recent call last):
    rookery.errors.InputError: 'playouts' of Improvement must be int, got "many"
    """
    kind: Any = cls
    hints = _hints(kind)
    if cls is Weights:
        values = {"biases": (), **values}
    for name in hints.keys() ^ values.keys():
        raise InputError(f"'{name}' of {cls.__name__} is {'missing' if name in hints else 'not known'}")
    for name, hint in hints.items():
        if not _fits(values[name], hint):
            wanted = hint.__name__ if isinstance(hint, type) else re.sub(r"\w+\.(?=\w)", "", str(hint))
            raise InputError(f"'{name}' of {cls.__name__} must be {wanted}, got {_shown(values[name])}")
    if cls is Weights:
        _check_weights(values["codes"], values["weights"])
    return cls(**values)


# --- types ---


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls) if f.metadata.get("kept", True)}


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type, as far as the dataclasses here need it."""
    if hint is Any:
        return True
    if hint is Hashable:
        return _hashable(value)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, argument) for argument in arguments)
    if origin is list:
        return isinstance(value, list) and all(_fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(item, arguments[1]) for item in value.values())
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if arguments[1:] == (...,):
            return all(_fits(item, arguments[0]) for item in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    if hint in (int, float) and type(value) is int:
        return -(1 << 64) < value < 1 << 64
    return type(value) is hint


def _shown(value: Any) -> str:
    try:
        return brief(value)
    except ValueError:  # a number that is too long
        return type(value).__name__


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _check_weights(codes: Any, weights: Any) -> None:
    """A policy has a finite weight for each of its codes."""
    if isinstance(codes, np.ndarray):
        known = codes.ndim == 1 and codes.dtype.kind in "iu"
    else:
        known = isinstance(codes, (list, tuple)) and _fits(tuple(codes), tuple[Hashable, ...])
    if not known:
        raise InputError("'codes' of Weights must be a list of hashable values or an array of whole numbers")
    if not (isinstance(weights, np.ndarray) and weights.dtype == np.float64 and weights.shape == (len(codes),)):
        raise InputError("'weights' of Weights must be an array of one number for each code")


def _expected(content: Any, form: type, tag: str) -> Any:
    if not isinstance(content, form):
        raise InputError(f"'{tag}' must hold {_FORMS[form]}, got {brief(content)}")
    return content


_FORMS: dict[type, str] = {str: "a text", list: "a list", dict: "an object"}

# --- what JSON lacks ---


def _encode_dict(value: dict[Any, Any], depth: int) -> Any:
    for name in value:
        if type(name) is not str:
            raise InputError(f"the names in a dict must be texts to be kept in a checkpoint, got {name!r}")
    items = {name: encode(item, depth + 1) for name, item in value.items()}
    return {"!dict": items} if any(name.startswith("!") for name in value) else items


def _decode_items(content: Any, depth: int) -> Any:
    if isinstance(content, list):
        return [decode(item, depth + 1) for item in content]
    return {name: decode(item, depth + 1) for name, item in content.items()}


def _encode_array(array: np.ndarray[Any, Any]) -> Any:
    dtype = array.dtype.newbyteorder("<")
    if type(array) is not np.ndarray or dtype.str not in ARRAYS:
        raise InputError(f"an array must hold numbers of at most 64 bits to be kept in a checkpoint, got {array.dtype}")
    return {"!array": [dtype.str, list(array.shape), _base64(array.astype(dtype, copy=False).tobytes())]}


def _decode_array(content: list[Any], depth: int) -> np.ndarray[Any, Any]:
    if len(content) != 3 or content[0] not in ARRAYS:
        raise InputError(f"an array must have a type of {', '.join(ARRAYS)}, a shape and bytes, got {brief(content)}")
    dtype, shape = np.dtype(content[0]), content[1]
    if not isinstance(shape, list) or not all(_fits(n, int) and 0 <= n < 1 << 48 for n in shape):
        raise InputError(f"the shape of an array must be a list of whole numbers, got {brief(shape)}")
    data = _from_base64(_expected(content[2], str, "!array"), depth)
    if len(data) != math.prod(shape) * dtype.itemsize:
        raise InputError(f"an array of shape {brief(shape)} must have all its bytes, got {len(data)}")
    if dtype.kind == "b" and data.strip(b"\0\1"):
        raise InputError("an array of truth values must hold 0 and 1 alone")
    try:
        return np.frombuffer(data, dtype).reshape(shape).astype(dtype.newbyteorder("="))
    except ValueError:
        raise InputError(f"an array must have a shape that NumPy knows, got {brief(shape)}") from None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _from_base64(text: str, depth: int) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"bytes must be written in base 64, got {brief(text)}") from None


def _decode_int(text: str, depth: int) -> int:
    try:
        return int(text, 16)
    except ValueError:
        raise InputError(f"a long number must be written in hexadecimal, got {brief(text)}") from None


def _decode_float(text: str, depth: int) -> float:
    if text not in ("inf", "-inf", "nan"):
        raise InputError(f"'!float' must be inf, -inf or nan, got {brief(text)}")
    return float(text)


def _decode_frozenset(content: list[Any], depth: int) -> frozenset[Any]:
    items = _decode_items(content, depth)
    if not all(map(_hashable, items)):
        raise InputError(f"a set must hold hashable values, got {brief(content)}")
    return frozenset(items)


_READERS: dict[str, tuple[type, Callable[[Any, int], Any]]] = {
    "!int": (str, _decode_int),
    "!float": (str, _decode_float),
    "!bytes": (str, _from_base64),
    "!tuple": (list, lambda content, depth: tuple(_decode_items(content, depth))),
    "!frozenset": (list, _decode_frozenset),
    "!dict": (dict, _decode_items),
    "!array": (list, _decode_array),
}
