"""Files: read within limits, written whole or not at all; whatever is wrong with one is reported in one sentence."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from rookery.errors import InputError, reason

T = TypeVar("T")

LARGEST = 1 << 26
"""The most bytes that are read: a file that never ends, such as a device, is refused."""


def file_bytes(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file, which is read once: it may be a pipe.

    >>> file_bytes("no such file")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {reason(error)}") from None
    if len(content) > LARGEST:
        raise InputError(f"cannot read {path}: a file must have at most {LARGEST >> 20} MB")
    return content


def as_text(content: bytes) -> str:
    """Text in any Unicode encoding, with or without a mark in front, without that mark.

    >>> as_text("(28,28)".encode("utf-16"))
    '(28,28)'
    """
    try:
        return content.decode(json.detect_encoding(content)).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    except UnicodeDecodeError:
        raise InputError("not text") from None


def as_json(text: str) -> Any:
    """What a JSON text says.

    >>> as_json('{"score": }')
    Traceback (most recent call last):
    rookery.errors.InputError: not JSON, line 1: Expecting value
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise InputError("not JSON, nested too deeply or with a number too long") from None


def frozen(value: Any) -> Any:
    """A value from JSON with tuples in place of lists, as moves are.

    >>> frozen([1, [2, "a"]])
    (1, (2, 'a'))
    """
    try:
        return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value
    except RecursionError:
        raise InputError("nested too deeply") from None


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


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, in UTF-8, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all.

    >>> write_bytes("no such folder/picture.png", b"")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot write no such folder/picture.png: No such file or directory
    """
    check_writable(path)
    target = Path(os.path.realpath(path))  # what a link leads to is written, and the link stays
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".rookery-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that could not be written, before any work is done for it."""
    name = os.fspath(path)
    if not name:
        raise InputError("cannot write a file without a name: the path must not be empty, got ''")
    why = None
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target)
        if stat.S_ISDIR(mode) or name.endswith(("/", os.sep)):
            why = "it is a folder"
        elif mode and not stat.S_ISREG(mode):  # renamed onto, a device would be lost to the whole system
            why = "it is a device or a pipe, not a file"
        elif mode and not os.access(target, os.W_OK):  # renamed onto, it would be lost all the same
            why = os.strerror(errno.EACCES)
        else:
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".rookery-")
            os.close(handle)
            Path(temporary).unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = reason(error)
    if why is not None:
        raise InputError(f"cannot write {path}: {why}")


class SoleWriter:
    """The right to write a file, which one run has at a time; whoever else asks for it is refused.

    It is a lock of the operating system on a file beside it, ``.NAME.lock``, because the file itself may be replaced.
    What a dead process held is free. Where there are no such locks nobody is refused.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = SoleWriter(f"{folder}/games.jsonl")
    ...     left = os.listdir(folder)
    ...     writer.close()
    ...     left, os.listdir(folder)
    (['.games.jsonl.lock'], [])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{target.name}.lock")
        handle = _locked(beside)
        if handle == TAKEN:
            owner = _owner(beside)
            by = f" (process {owner})" if owner else ""
            raise InputError(f"{path} is being written by another run{by}")
        self._release = weakref.finalize(self, _unlock, handle, beside, os.getpid())

    def close(self) -> None:
        """Give it up; doing so twice does no harm."""
        self._release()


UNLOCKED, TAKEN = -1, -2  # instead of a handle


def _locked(beside: Path) -> int:
    """A handle of the lock, with the number of this process in it."""
    while True:
        try:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        except (OSError, ValueError):
            return UNLOCKED
        taken = _try_lock(handle)
        if taken and not _is_at(handle, beside):  # whoever had it has removed it in between
            os.close(handle)
            continue
        if not taken:
            os.close(handle)
            return TAKEN
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        return handle


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 30, os.SEEK_SET)  # beyond what is written: a locked byte cannot be read
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)  # another: no locks here
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _owner(beside: Path) -> str:
    try:
        text = beside.read_text()
    except (OSError, ValueError):
        return ""
    return text if text.isdigit() else ""


def _unlock(handle: int, beside: Path, process: int) -> None:
    if handle == UNLOCKED or os.getpid() != process:  # a fork has it from its parent
        return
    if sys.platform != "win32":  # while it is locked, so that nobody else's is removed
        with suppress(OSError):
            beside.unlink()
    os.close(handle)
    if sys.platform == "win32":  # which removes no file that somebody has open
        with suppress(OSError):
            beside.unlink()


def _mode(path: Path) -> int:
    """What kind of file is there; 0 if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
