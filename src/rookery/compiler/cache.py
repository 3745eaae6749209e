"""Machine code on disk: one file per compiled kernel, named by its key.

The folder is private to the user who runs the library (files in it are loaded as code, like ``.pyc``
files): ``ROOKERY_CACHE_DIR``, or ``rookery`` under the system's usual cache folder.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

MOST_BYTES = 512 * 1024 * 1024
"""Beyond this size the entries that were not used for longest are removed."""


def cache_folder() -> Path:
    """Where compiled code is kept.

    >>> import os
    >>> os.environ["ROOKERY_CACHE_DIR"] = "somewhere"
    >>> cache_folder().name
    'somewhere'
    >>> del os.environ["ROOKERY_CACHE_DIR"]
    """
    chosen = os.environ.get("ROOKERY_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home())
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rookery"


class KernelCache(_Cache):
    """Numba's cache interface for one kernel, under a key of our own."""

    _complained = False

    def __init__(self, key: str, name: str) -> None:
        self._key = key
        self._name = name
        self.hits = 0

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's interface asks for it."""
        return str(cache_folder())

    def _file(self, sig: Any) -> Path:
        digest = hashlib.sha256(f"{self._key};{self._name};{sig}".encode()).hexdigest()
        return cache_folder() / f"{self._name}-{digest[:40]}.kernel"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for this signature, or None."""
        # All that machine code needs; refreshing the whole context, as compiling does, takes 0.2 s more.
        rtsys.initialize(target_context)
        file = self._file(sig)
        try:
            data = file.read_bytes()
            check, payload = data[:32], data[32:]
            if hashlib.sha256(payload).digest() != check:
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
        if data.library.has_dynamic_globals:
            return
        payload = _dumps(data._reduce())
        folder = cache_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(payload).digest() + payload)
                os.replace(temporary, self._file(sig))
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
            _evict(folder)
        except OSError as error:
            if not KernelCache._complained:
                KernelCache._complained = True
                warnings.warn(
                    f"compiled code cannot be kept in {folder} ({error.strerror or error}); "
                    "it will be compiled again in every process",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def enable(self) -> None:
        """Nothing to do."""

    def disable(self) -> None:
        """Nothing to do."""

    def flush(self) -> None:
        """Nothing to do."""


def _dumps(value: Any) -> bytes:
    from numba.core.serialize import dumps

    data: bytes = dumps(value)
    return data


def _evict(folder: Path) -> None:
    """Remove the entries used longest ago until the folder is within its size."""
    entries = []
    for file in folder.glob("*.kernel"):
        try:
            status = file.stat()
        except OSError:
            continue
        entries.append((status.st_mtime, status.st_size, file))
    total = sum(size for _, size, _ in entries)
    for _, size, file in sorted(entries, key=lambda entry: entry[0]):
        if total <= MOST_BYTES:
            return
        file.unlink(missing_ok=True)
        total -= size
