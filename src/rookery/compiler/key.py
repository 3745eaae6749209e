"""The key of the disk cache: a hash of everything that decides what the machine code does.

Whatever cannot be hashed exactly raises :class:`NotHashable`: then nothing is cached, so that old code
never runs in place of new.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import FunctionType

import llvmlite
import numba
import numpy as np

from rookery.compiler.functions import method_of
from rookery.compiler.hasher import Hasher, NotHashable
from rookery.settings import cpu_identity

__all__ = ["KERNEL_SOURCES", "NotHashable", "function_key", "functions_key", "library_key", "process_key"]

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

NUMBA_SETTINGS = (
    *("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DISABLE_INTEL_SVML", "USING_SVML"),
    *("CPU_NAME", "CPU_FEATURES", "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "PARFOR_MAX_TUPLE_SIZE"),
    *("DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_PROFILING", "DEBUG_NRT", "NRT_STATS"),
)
"""Settings of Numba, from ``NUMBA_...`` in the environment or its file, that change the machine code."""


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


def functions_key(cls: type, names: tuple[str, ...]) -> str:
    """Hash of these methods of a class and of all that they reach, the same in every process.

    >>> class Steps:
    ...     def score(self, s): return s.steps
    >>> functions_key(Steps, ("score",)) == functions_key(Steps, ("score",))
    True
    """
    try:
        return _hash(Hasher(cls), cls, names)
    except RecursionError:
        raise NotHashable("functions that call each other too deeply") from None


def function_key(function: FunctionType) -> str:
    """Hash of a function and of all that it reaches, the same in every process.

    >>> def step(x): return x + 1
    >>> function_key(step) == function_key(step)
    True
    """
    hasher = Hasher(object)
    try:
        hasher.function(function)
    except RecursionError:
        raise NotHashable("functions that call each other too deeply") from None
    return hasher.digest.hexdigest()


def process_key(cls: type, names: tuple[str, ...]) -> str:
    """The same for use in this process alone: what has no exact hash is taken as the object that it is.

    >>> thing = object()
    >>> class Steps:
    ...     def score(self, s): return thing
    >>> process_key(Steps, ("score",)) == process_key(Steps, ("score",))
    True
    """
    return _hash(Hasher(cls, by_identity=True), cls, names)


def _hash(hasher: Hasher, cls: type, names: tuple[str, ...]) -> str:
    hasher.add("settings", [(name, getattr(numba.config, name, None)) for name in NUMBA_SETTINGS])
    hasher.overloads()
    for name in names:
        function = method_of(cls, name)
        hasher.add("function of the contract", name)
        if function is not None:
            hasher.function(function)
    return hasher.digest.hexdigest()


def _python_files(item: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    """The Python files of a folder and of those inside it, in a fixed order; or the file itself."""
    if item.is_file():
        if name.endswith(".py"):
            yield name, item
        return
    for inner in sorted(item.iterdir(), key=lambda entry: entry.name):
        if inner.is_file() or inner.name != "__pycache__":
            yield from _python_files(inner, f"{name}/{inner.name}")
