"""Compiled kernels for one problem, and workers that call them."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from rookery.compiler.layout import declared_limits
from rookery.compiler.soundness import check_functions, kernel_error
from rookery.compiler.specialise import specialise
from rookery.engine.worker import CompiledWorker
from rookery.kernels.memory import poisoned
from rookery.problem import Model
from rookery.settings import INTERPRETED, quiet_overflow


class CompiledEngine:
    """Workers for one compiled problem."""

    def __init__(self, problem: Model, debug: bool = False) -> None:
        self.problem = problem
        self.specialisation, self.constants = specialise(problem, debug)
        self.limits = declared_limits(problem)
        self.debug = debug
        self._warm: set[Any] = set()

    def states(self, n: int) -> npt.NDArray[Any]:
        """Room for states."""
        states = np.zeros(n, self.specialisation.dtype)
        return poisoned(states) if self.debug else states

    def worker(self) -> CompiledWorker:
        """A worker with memory of its own."""
        return CompiledWorker(self)

    def call(self, name: str, make: Any, *arguments: Any) -> Any:
        """Call a kernel, compiled if need be."""
        self.warm(name, make, *arguments)
        with quiet_overflow():
            return self.specialisation.entry(name, make)(*arguments)

    def warm(self, name: str, make: Any, *arguments: Any) -> None:
        """Compile a kernel for these arguments, or read it from disk, without calling it."""
        if INTERPRETED:
            return
        kernel = self.specialisation.entry(name, make)
        if kernel in self._warm:
            return
        types = tuple(numba.typeof(a) for a in arguments)
        if not (self.specialisation.sound or self.specialisation.is_kept(kernel, types)):
            check_functions(type(self.problem), self.specialisation.compiled, self.constants, self.states(1))
            self.specialisation.sound = True
        try:
            kernel.compile(types)
        except Exception as error:
            raise kernel_error(make, error) from error
        self._warm.add(kernel)
