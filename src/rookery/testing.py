"""Checks for problems of your own: in a test, at a prompt, or as ``rookery check``."""

from __future__ import annotations

from collections.abc import Iterable

from rookery.checking.examine import examine
from rookery.checking.measures import Measures, Part
from rookery.checking.report import CheckError, Finding, Report
from rookery.problem import Problem, PythonProblem

__all__ = ["CheckError", "Finding", "Measures", "Part", "Report", "check_problem", "examine"]


def check_problem(
    problem: Problem | PythonProblem,
    *,
    playouts: int = 200,
    seconds: float = 10.0,
    seed: int = 0,
    allow: Iterable[str] = (),
    measure: bool = True,
) -> Report:
    """Check that a problem keeps its contract; raise a :class:`CheckError` that lists every error if it does not.

    Parameters
    ----------
    playouts
        how many to play in plain Python
    seconds
        time for them and for the comparison with compiled functions; compiling and measuring come on top
    seed
        of the playouts
    allow
        names of errors that are warnings for this problem
    measure
        measure playouts per second and the cost of each function too

    >>> import rookery as rk
    >>> print(check_problem(rk.LeftMove(depth=6), playouts=20, measure=False))
    LeftMove keeps its contract: nothing was found in 20 playouts
    """
    report = examine(problem, playouts=playouts, seconds=seconds, seed=seed, allow=allow, measure=measure)
    report.raise_errors()
    return report
