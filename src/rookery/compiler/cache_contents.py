"""The folder of compiled code: where it is, what is in it, how large it may become.

Our files are named after the problem's class, the kernel and a hash. Anything else in the folder is left alone.
"""

from __future__ import annotations

import math
import os
import re
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rookery.errors import InputError, RookeryWarning

MOST_BYTES = 512 * 1024 * 1024
"""Beyond this size the least recently used entries are removed."""

STALE_SECONDS = 3600.0
"""No process takes this long to write a file: older half-written ones are removed."""

_ENTRY = re.compile(r"(?:(?P<problem>\w+)\.)?(?P<kernel>\w+)-[0-9a-f]{40}\.kernel", re.ASCII)
_PART = re.compile(r"(?:\w+\.)?\w+-[0-9a-f]{40}\.\w+\.part", re.ASCII)

_complained: set[str] = set()


@dataclass(frozen=True)
class CacheEntry:
    """One compiled kernel on disk.

    Parameters
    ----------
    path
        its file
    problem
        name of the problem's class; empty if the file does not say
    kernel
        what was compiled: ``nrpa``, ``nmcs``, ``sampling``, ``replay``, ...
    bytes
        size of the file
    last_used
        when it was written or last read

    >>> CacheEntry(Path("a.kernel"), "TSP", "nrpa", 48_000, datetime(2026, 1, 2, tzinfo=UTC)).kernel
    'nrpa'
    """

    path: Path
    problem: str
    kernel: str
    bytes: int
    last_used: datetime


def cache_folder() -> Path:
    """Where compiled code is kept: ``ROOKERY_CACHE_DIR``, or ``rookery`` under the system's usual cache folder.

    >>> from unittest import mock
    >>> with mock.patch.dict(os.environ, ROOKERY_CACHE_DIR="somewhere"):
    ...     cache_folder().name
    'somewhere'
    """
    chosen = os.environ.get("ROOKERY_CACHE_DIR")
    try:
        if chosen:
            return Path(chosen).expanduser()
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or str(Path.home())
        elif sys.platform == "darwin":
            base = str(Path.home() / "Library" / "Caches")
        else:
            base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError:  # for a user that the system does not know, as in a container
        raise InputError("there is no home folder to keep compiled code in; set ROOKERY_CACHE_DIR") from None
    return Path(base) / "rookery"


def cache_limit() -> int:
    """The bytes beyond which old entries are removed: ``ROOKERY_CACHE_SIZE`` megabytes, or 512.

    >>> from unittest import mock
    >>> with mock.patch.dict(os.environ, ROOKERY_CACHE_SIZE="100"):
    ...     cache_limit()
    104857600
    """
    text = os.environ.get("ROOKERY_CACHE_SIZE", "").strip()
    if not text:
        return MOST_BYTES
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = math.nan
    if math.isfinite(megabytes) and megabytes > 0:
        return int(megabytes * 1024 * 1024)
    if text not in _complained:
        _complained.add(text)
        warnings.warn(
            f"ROOKERY_CACHE_SIZE must be a number of megabytes above 0, got {text!r}; it is taken as 512",
            RookeryWarning,
            stacklevel=2,
        )
    return MOST_BYTES


def cache_contents() -> list[CacheEntry]:
    """The compiled kernels on disk, the last used first.

    >>> import tempfile
    >>> from unittest import mock
    >>> with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, ROOKERY_CACHE_DIR=folder):
    ...     cache_contents()
    []
    """
    folder = cache_folder()
    try:
        return sorted(_entries(folder), key=lambda entry: entry.last_used, reverse=True)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror or error}") from None


def clear_cache() -> list[CacheEntry]:
    """Remove all compiled kernels, and what was left half-written; the removed entries.

    >>> import tempfile
    >>> from unittest import mock
    >>> with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, ROOKERY_CACHE_DIR=folder):
    ...     clear_cache()
    []
    """
    removed, reasons = [], []
    entries = cache_contents()
    for entry in entries:
        try:
            entry.path.unlink(missing_ok=True)
            removed.append(entry)
        except OSError as error:
            reasons.append(error.strerror or str(error))
    remove_half_written(cache_folder())
    if reasons:
        raise InputError(f"cannot remove {len(reasons)} of {len(entries)} entries in {cache_folder()}: {reasons[0]}")
    return removed


def evict(folder: Path) -> None:
    """Remove the least recently used entries until the folder is within its size, and what was left half-written."""
    remove_half_written(folder)
    limit = cache_limit()
    entries = sorted(_entries(folder), key=lambda entry: entry.last_used)
    total = sum(entry.bytes for entry in entries)
    for entry in entries:
        if total <= limit:
            return
        with suppress(OSError):  # another user's, or being read on Windows
            entry.path.unlink(missing_ok=True)
            total -= entry.bytes


def remove_half_written(folder: Path) -> None:
    """Remove the files of processes that ended while they wrote."""
    for path in _files(folder):
        if _PART.fullmatch(path.name):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()


def _entries(folder: Path) -> Iterator[CacheEntry]:
    for path in _files(folder):
        match = _ENTRY.fullmatch(path.name)
        if match is None:
            continue
        with suppress(FileNotFoundError):  # removed by another process since
            status = path.stat()
            used = datetime.fromtimestamp(status.st_mtime, UTC)
            yield CacheEntry(path, match["problem"] or "", match["kernel"], status.st_size, used)


def _files(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            return [Path(entry.path) for entry in found if entry.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return []
