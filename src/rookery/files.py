"""Files that users exchange: read as JSON, written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rookery.contents import as_json, as_text, file_bytes
from rookery.errors import InputError

T = TypeVar("T")


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
    reason = None
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target)
        if stat.S_ISDIR(mode) or name.endswith(("/", os.sep)):
            reason = "it is a folder"
        elif mode and not stat.S_ISREG(mode):  # renamed onto, a device would be lost to the whole system
            reason = "it is a device or a pipe, not a file"
        elif mode and not os.access(target, os.W_OK):  # renamed onto, it would be lost all the same
            reason = os.strerror(errno.EACCES)
        else:
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".rookery-")
            os.close(handle)
            Path(temporary).unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or str(error)
    if reason is not None:
        raise InputError(f"cannot write {path}: {reason}")


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
