"""The engine of a problem: compiled, or in plain Python."""

from __future__ import annotations

from typing import Any

from rookery.compiler.engine import CompiledEngine
from rookery.errors import ProblemError
from rookery.problem import Problem, PythonProblem
from rookery.reference.engine import PythonEngine


def make_engine(problem: Any, debug: bool) -> CompiledEngine | PythonEngine:
    """What makes workers for a problem of either kind."""
    if isinstance(problem, Problem):
        return CompiledEngine(problem, debug)
    if isinstance(problem, PythonProblem):
        return PythonEngine(problem)
    raise ProblemError(f"a problem must be a Problem or a PythonProblem, got {problem!r}")
