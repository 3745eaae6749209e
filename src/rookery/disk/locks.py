"""The right to write a file, which one run has at a time."""

from __future__ import annotations

import errno
import os
import sys
import weakref
from contextlib import suppress
from pathlib import Path

from rookery.errors import InputError


class SoleWriter:
    """The right to write a file, which one run has at a time; any other that asks for it is refused.

    It is a lock of the operating system on a file beside it, ``.NAME.lock``, because the file itself may be replaced.
    What a dead process held is free. Where there are no such locks nobody is refused.

    >>> import tempfile
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
        self.path = path
        self._release = weakref.finalize(self, _unlock, handle, beside, os.getpid())

    def close(self) -> None:
        """Give it up; doing so twice does no harm."""
        self._release()


UNLOCKED, TAKEN = -1, -2  # instead of a handle


def _locked(beside: Path) -> int:
    """A handle of the lock, whose file holds the id of this process."""
    while True:
        try:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        except (OSError, ValueError):
            return UNLOCKED
        taken = try_lock(handle)
        if taken and not is_at(handle, beside):  # whoever had it has removed it in between
            os.close(handle)
            continue
        if not taken:
            os.close(handle)
            return TAKEN
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        return handle


def try_lock(handle: int) -> bool:
    """Lock an open file, unless another process has; True also where there are no locks."""
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
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)  # another error: no locks here
    return True


def is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still what is found under its name."""
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
    if handle == UNLOCKED or os.getpid() != process:  # a fork inherits it from its parent
        return
    if sys.platform != "win32":  # while it is locked, so that nobody else's is removed
        with suppress(OSError):
            beside.unlink()
    os.close(handle)
    if sys.platform == "win32":  # which removes no file that somebody has open
        with suppress(OSError):
            beside.unlink()
