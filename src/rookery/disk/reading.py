"""Files are read within limits: size, depth and count are bounded before anything is parsed.

Whatever is wrong with a file is reported in one sentence. A file that would fill the memory or take minutes to
refuse, a device that never ends and a pipe that nobody writes to are refused at once.
"""

from __future__ import annotations

import json
import math
import os
import select
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rookery.errors import InputError, reason

T = TypeVar("T")

LARGEST = 1 << 26
"""The most bytes that are read of a file."""
LONGEST_TEXT = 1 << 24
"""The most bytes of a text file."""
MOST_LINES = 1 << 20
"""The most lines of a text."""
LONGEST_LINE = 1 << 22
"""The most bytes of a line in a file of JSON lines, which may have any number of them."""
MOST_VALUES = 1 << 20
"""The most values in JSON: lists, objects, and what they hold."""
DEEPEST = 256
"""How deeply lists and objects in JSON may be nested."""
PATIENCE = 1.0
"""Seconds to wait for somebody to write to a pipe."""

_CHUNK = 1 << 20
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def file_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """All bytes of a file, which is read once: it may be a pipe. ``most``: a limit below the usual one.

    >>> file_bytes("no such file")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    most = LARGEST if most is None else most
    try:
        content = _pipe(path, most + 1) if _is_pipe(path) else _file(path, most + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {_why(error)}") from None
    if len(content) > most:
        raise InputError(f"cannot read {path}: a file must have at most {most >> 20} MB")
    return content


def file_lines(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of a file one by one, each with its end; the last may have none.

    >>> list(file_lines("no such file"))
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    if _is_pipe(path):
        yield from file_bytes(path).splitlines(keepends=True)
        return
    try:
        with Path(path).open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise InputError(f"a line must have at most {LONGEST_LINE >> 20} MB")
                yield line
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {_why(error)}") from None


def _why(error: OSError | ValueError) -> str:
    return str(error) if isinstance(error, InputError) else reason(error)


def _file(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a file; if it has ``most`` or more, that many zeros in their place: it will be refused."""
    with Path(path).open("rb") as file:
        return bytes(most) if os.fstat(file.fileno()).st_size >= most else file.read(most)


def _is_pipe(path: str | os.PathLike[str]) -> bool:
    try:
        return os.name == "posix" and stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _pipe(path: str | os.PathLike[str], most: int) -> bytes:
    """The first bytes of a pipe; if nobody writes to it, it is not waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # else it would wait here
    try:
        first, until = b"", time.monotonic() + PATIENCE
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        while not poll.poll(50):  # neither data nor a writer that has come and gone
            try:
                first = os.read(handle, 1)
            except BlockingIOError:  # somebody is there, and takes time to write
                break
            if first:
                break
            if time.monotonic() > until:
                raise InputError("it is a pipe, and nobody writes into it")
        os.set_blocking(handle, True)
        with os.fdopen(os.dup(handle), "rb") as file:
            return first + file.read(most - len(first))
    finally:
        os.close(handle)


def as_text(content: bytes) -> str:
    """Text in any Unicode encoding; a byte order mark is dropped.

    >>> as_text("(28,28)".encode("utf-16"))
    '(28,28)'
    """
    if len(content) > LONGEST_TEXT:
        raise InputError(f"a text must have at most {LONGEST_TEXT >> 20} MB, got {len(content) >> 20} MB")
    try:
        text = content.decode(json.detect_encoding(content)).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    except UnicodeDecodeError:
        raise InputError("not text") from None
    lines = sum(map(text.count, _LINE_ENDS))
    if lines > MOST_LINES:
        raise InputError(f"a text must have at most {MOST_LINES} lines, got {lines}")
    return text


def as_json(text: str) -> Any:
    """What a JSON text says.

    >>> as_json('{"score": }')
    Traceback (most recent call last):
    rookery.errors.InputError: not JSON, line 1: Expecting value
    """
    check_size(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise InputError("not JSON, nested too deeply or with a number too long") from None


def check_size(text: str) -> None:
    """Refuse JSON that is too deep, or of too many values, without parsing it.

    >>> check_size("[" * 1000)
    Traceback (most recent call last):
    rookery.errors.InputError: JSON must be nested at most 256 deep, got more
    """
    opened, commas = text.count("[") + text.count("{"), text.count(",")
    if opened <= DEEPEST and opened + commas <= MOST_VALUES:
        return
    content = text.encode("utf-8", "surrogatepass")
    if b"\\" in content:  # what is escaped neither ends a text nor begins a list
        content = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    inside, depth, values = 0, 0, 0
    for begin in range(0, len(content), _CHUNK):
        signs = np.frombuffer(content, np.uint8, min(_CHUNK, len(content) - begin), begin)
        quotes = np.cumsum(signs == ord('"')) + inside
        inside = int(quotes[-1]) & 1
        signs = signs[quotes & 1 == 0]
        opens = (signs == ord("[")) | (signs == ord("{"))
        closes = (signs == ord("]")) | (signs == ord("}"))
        values += int(opens.sum() + (signs == ord(",")).sum())
        depths = np.cumsum(opens.astype(np.int64) - closes) + depth
        if values > MOST_VALUES:
            raise InputError(f"JSON must have at most {MOST_VALUES} values, got more")
        if depths.size and depths.max() > DEEPEST:
            raise InputError(f"JSON must be nested at most {DEEPEST} deep, got more")
        depth = int(depths[-1]) if depths.size else depth


def frozen(value: Any) -> Any:
    """A value from JSON with tuples in place of lists, as moves are.

    >>> frozen([1, [2, "a"]])
    (1, (2, 'a'))
    """
    try:
        return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value
    except RecursionError:
        raise InputError("nested too deeply") from None


def plain(value: Any) -> Any:
    """A value as a JSON file gives it back; what JSON does not have is a text.

    >>> plain({1: (2, 3j)})
    {'1': [2, '3j']}
    """
    return json.loads(json.dumps(value, default=str))


def is_a(value: Any, kind: str) -> bool:
    """Whether a value from JSON is of a kind, in words.

    >>> is_a(3, "a whole number"), is_a([], "a text"), is_a(True, "a number")
    (True, False, False)
    """
    if kind == "a text":
        return isinstance(value, str)
    if kind == "an object":
        return isinstance(value, dict)
    if kind == "a list":
        return isinstance(value, (list, tuple))  # to_json leaves some as tuples
    if kind == "a whole number":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def check_fields(data: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
    """Refuse an object some of whose fields are not of their kind.

    >>> check_fields({"moves": 3}, {"moves": "a list"})
    Traceback (most recent call last):
    rookery.errors.InputError: 'moves' must be a list, got 3
    """
    for name, kind in kinds.items():
        if not is_a(data.get(name), kind):
            raise InputError(f"'{name}' must be {kind}, got {brief(data.get(name))}")


def brief(value: Any) -> str:
    """A value as JSON writes it, cut if it is long.

    >>> brief([1, None]), brief("a" * 50)
    ('[1, null]', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...')
    """
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else text[:37] + "..."


def read_json(path: str | os.PathLike[str], kind: str, make: Callable[[Any], T]) -> T:
    """What ``make`` makes of a JSON file; whatever is wrong with the file is one sentence."""
    content = file_bytes(path)
    try:
        return make(as_json(as_text(content)))
    except InputError as error:
        raise InputError(f"{path} is not {kind}: {error}") from None
