"""How the library's functions are compiled: the one place that sets Numba's options."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True when ``NUMBA_DISABLE_JIT=1``: everything runs as plain Python, with the same results."""


def quiet_overflow() -> AbstractContextManager[Any]:
    """Streams and hashes wrap around on purpose, where interpreted NumPy scalars would warn at every draw."""
    return np.errstate(over="ignore") if INTERPRETED else nullcontext()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would keep rescanning everything that a compiler makes and keeps."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


OURS = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Options of the library's functions. They allocate nothing, so they need not count references to arrays: counting
them at every use cost more than the rest of a step in a tree."""

INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls: without a wrapper for Python they compile faster."""


def kernel(function: F) -> F:
    """Compile a function of the library: no bounds checks, no interpreter lock."""
    compiled: F = numba.njit(**OURS, no_cfunc_wrapper=True)(function)  # no C code calls it
    return compiled


def inner_kernel(function: F) -> F:
    """Compile a function of the library that Python itself never calls."""
    compiled: F = numba.njit(**OURS, **INNER)(function)
    return compiled


def inlined_kernel(function: F) -> F:
    """Compile a function of the library into those that call it."""
    compiled: F = numba.njit(**OURS, **INNER, forceinline=True)(function)
    return compiled


NUMBA_SETTINGS = (
    *("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DISABLE_INTEL_SVML", "USING_SVML"),
    *("CPU_NAME", "CPU_FEATURES", "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "PARFOR_MAX_TUPLE_SIZE"),
    *("DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_PROFILING", "DEBUG_NRT", "NRT_STATS"),
)
"""Settings of Numba, from ``NUMBA_...`` in the environment or its file, that change the machine code."""


def cpu_identity() -> tuple[str, str]:
    """Name and features of the processor that machine code is made for."""
    import llvmlite.binding as llvm

    name = numba.config.CPU_NAME or llvm.get_host_cpu_name()
    chosen = numba.config.CPU_FEATURES  # empty, not None, for the processor "generic"
    return name, llvm.get_host_cpu_features().flatten() if chosen is None else chosen
