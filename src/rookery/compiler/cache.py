"""Machine code on disk: one file per compiled kernel, named by its key.

Files in the folder are loaded as code, like ``.pyc`` files. So the folder is made private to the user who runs the
library, and files that others have written, or could have, are not read; nor is what is reached through a link.
"""

from __future__ import annotations

import errno
import hashlib
import os
import pickle
import re
import stat
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from rookery.compiler.cache_contents import cache_folder, evict
from rookery.errors import InputError, RookeryWarning

OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""A file with any of these bits can be written by users other than its owner."""
_warned: set[str] = set()


class KernelCache(_Cache):
    """Numba's cache interface for one kernel, under a key of our own.

    Parameters
    ----------
    key
        hash of all that the machine code depends on
    name
        of the kernel
    problem
        name of the problem's class, for whoever looks into the folder
    """

    _complained = False

    def __init__(self, key: str, name: str, problem: str = "") -> None:
        self.key = key
        self._name = name
        self._problem = re.sub(r"\W", "_", problem, flags=re.ASCII)[:60]
        self.hits = 0

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's interface asks for it."""
        return str(cache_folder())

    def _digest(self, sig: Any) -> str:
        return hashlib.sha256(f"{self.key};{self._name};{sig}".encode()).hexdigest()[:40]

    def _file(self, sig: Any) -> Path:
        label = f"{self._problem}.{self._name}" if self._problem else self._name
        return cache_folder() / f"{label}-{self._digest(sig)}.kernel"

    def _check(self, sig: Any, payload: bytes) -> bytes:
        """What a file begins with: it reveals damage, and a file under the wrong name."""
        return hashlib.sha256(self._digest(sig).encode() + payload).digest()

    def holds(self, sig: Any) -> bool:
        """Whether there is a file for this signature, whatever is in it."""
        try:
            file = self._file(sig)
            return file.exists() and not file.is_symlink() and not file.parent.is_symlink()
        except (OSError, InputError):
            return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for this signature, or None."""
        # All that machine code needs; refreshing the whole context, as compiling does, takes 0.2 s more.
        rtsys.initialize(target_context)
        try:
            file = self._file(sig)
            data = _read(file)
            check, payload = data[:32], data[32:]
            if self._check(sig, payload) != check:
                return None
            result = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # unreadable, cut short, of another version: compile again
            return None
        with suppress(OSError):
            os.utime(file)
        self.hits += 1
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel: written under a temporary name, then renamed."""
        if data.library.has_dynamic_globals or _calls_by_address(data.library):
            return
        try:
            payload: bytes = dumps(data._reduce())
        except Exception:  # what cannot be serialised cannot be kept
            return
        try:
            file = self._file(sig)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if file.parent.is_symlink():
                raise OSError(errno.ELOOP, "it is a link, and no link is followed")
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f"{file.stem}.", suffix=".part")
            try:
                with os.fdopen(handle, "wb") as part:
                    part.write(self._check(sig, payload) + payload)
                os.replace(temporary, file)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
            evict(file.parent)
        except OSError as error:
            _complain(f"compiled code cannot be kept in {cache_folder()} ({error.strerror or error})")
        except InputError as error:
            _complain(f"compiled code cannot be kept: {error}")

    def enable(self) -> None:
        """Nothing to do."""

    def disable(self) -> None:
        """Nothing to do."""

    def flush(self) -> None:
        """Nothing to do."""


def _calls_by_address(library: Any) -> bool:
    """Whether functions in a library call each other in a cycle: by addresses that are valid only in this process."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in library._final_module.global_variables)


def _read(file: Path) -> bytes:
    """The bytes of a file that this user, or the system's administrator, wrote, and nobody else could have."""
    if os.name != "posix":
        if file.is_symlink() or file.parent.is_symlink():
            raise PermissionError(f"{file} is reached through a link")
        return file.read_bytes()
    _warn_of(file.parent)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with os.fdopen(os.open(file.name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as opened:
            status = os.fstat(opened.fileno())
            if status.st_uid not in (os.getuid(), 0) or not stat.S_ISREG(status.st_mode) or status.st_mode & OTHERS:
                raise PermissionError(f"{file} may be the work of another user")
            return opened.read()
    finally:
        os.close(folder)


def _warn_of(folder: Path) -> None:
    """Warn, once in a process, if others can put files into the folder; those are not loaded."""
    status = folder.stat()
    if status.st_uid not in (os.getuid(), 0):
        why = "it belongs to another user"
    elif status.st_mode & stat.S_IWOTH:
        why = "every user can write into it"
    else:
        return
    if str(folder) not in _warned:
        _warned.add(str(folder))
        warnings.warn(f"compiled code is kept in {folder}: {why}", RookeryWarning, stacklevel=4)


def _complain(what: str) -> None:
    """Warn, once in a process."""
    if not KernelCache._complained:
        KernelCache._complained = True
        warnings.warn(f"{what}; it will be compiled again in every process", RookeryWarning, stacklevel=4)
