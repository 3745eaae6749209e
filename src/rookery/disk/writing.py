"""Files are written whole or not at all; what a killed process has left is removed by the next."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from rookery.disk.locks import is_at, try_lock
from rookery.errors import InputError, reason

PREFIX = ".rookery-"
"""What the temporary name of a file that is being written begins with."""
_TEMPORARY = re.compile(re.escape(PREFIX) + r"\w{8}")


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
        handle, temporary = _temporary(target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                os.chmod(temporary, 0o666 & ~_umask())
                if os.name == "posix":  # while it is locked: nobody takes it for a leftover
                    os.replace(temporary, target)
            if os.name != "posix":  # where an open file cannot be renamed
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
        elif mode and not stat.S_ISREG(mode):  # a rename onto a device would lose it for the whole system
            why = "it is a device or a pipe, not a file"
        elif mode and not os.access(target, os.W_OK):  # a rename onto it would lose it all the same
            why = os.strerror(errno.EACCES)
        else:
            handle, temporary = _temporary(target.parent)
            Path(temporary).unlink(missing_ok=True)
            os.close(handle)
            remove_leftovers(target.parent)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = reason(error)
    if why is not None:
        raise InputError(f"cannot write {path}: {why}")


def _temporary(folder: Path) -> tuple[int, str]:
    """A new file under a temporary name, locked for as long as it is open."""
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=PREFIX)
        if try_lock(handle) and is_at(handle, Path(name)):
            return handle, name
        os.close(handle)  # somebody took it for a leftover before it was locked


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes have left half-written in a folder: what nobody has locked.

    >>> with tempfile.TemporaryDirectory() as name:
    ...     Path(name, ".rookery-abcdefgh").touch()
    ...     remove_leftovers(Path(name))
    ...     os.listdir(name)
    []
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_leftover(entry.path)


def _remove_leftover(name: str) -> None:
    handle = os.open(name, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        if try_lock(handle) and is_at(handle, Path(name)) and os.name == "posix":
            os.unlink(name)
            return
    finally:
        os.close(handle)
    if os.name != "posix":  # which removes no file that somebody has open
        os.unlink(name)


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
