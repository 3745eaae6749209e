"""The library's part in the key of the disk cache: its kernels, the compiler and the processor."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import llvmlite
import numba
import numpy as np

from rookery.settings import cpu_identity

KERNEL_SOURCES = (
    "compiler",
    "kernels",
    "search",
    "bits.py",
    "control.py",
    "rng.py",
    "settings.py",
    "checking/kernels.py",
)
"""What of the library is compiled into machine code, or decides how."""


@cache
def library_key() -> str:
    """Hash of the library's kernels, of the compiler's versions and of the processor.

    >>> library_key() == library_key()
    True
    """
    digest = hashlib.sha256()
    versions = (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
    python = (sys.implementation.name, getattr(sys, "abiflags", ""), sys.platform, platform.machine(), sys.maxsize)
    digest.update(repr((versions, python, cpu_identity())).encode())
    package = resources.files("rookery")
    for source in KERNEL_SOURCES:
        for name, file in _python_files(package / source, source):
            digest.update(f"{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _python_files(item: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    """The Python files of a folder and of those inside it, in a fixed order; or the file itself."""
    if item.is_file():
        if name.endswith(".py"):
            yield name, item
        return
    for inner in sorted(item.iterdir(), key=lambda entry: entry.name):
        if inner.is_file() or inner.name != "__pycache__":
            yield from _python_files(inner, f"{name}/{inner.name}")
