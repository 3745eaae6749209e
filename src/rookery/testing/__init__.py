"""Checks for your own problems, games and searches: in a test, at a prompt, or as ``rookery check``."""

from __future__ import annotations

from collections.abc import Iterable

from rookery.checking.examine import examine
from rookery.checking.measures import GameMeasures, Measures, Part
from rookery.checking.report import CheckError, Finding, Report
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.problem import Problem, PythonProblem
from rookery.testing.searches import check_search

__all__ = ["CheckError", "Finding", "GameMeasures", "Measures", "Part", "Report"]
__all__ += ["check_game", "check_problem", "check_search", "examine"]


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
    >>> print(check_problem(rk.problems.LeftMove(depth=6), playouts=20, measure=False))
    LeftMove keeps its contract: nothing was found in 20 playouts
    """
    if not isinstance(problem, (Problem, PythonProblem)):
        raise InputError(f"problem must be a Problem or a PythonProblem, got {problem!r}")
    report = examine(problem, playouts=playouts, seconds=seconds, seed=seed, allow=allow, measure=measure)
    report.raise_errors()
    return report


def check_game(
    game: Game | PythonGame,
    *,
    playouts: int = 200,
    seconds: float = 10.0,
    seed: int = 0,
    allow: Iterable[str] = (),
    measure: bool = True,
) -> Report:
    """Check that a game keeps its contract; raise a :class:`CheckError` that lists every error if it does not.

    The parameters are those of :func:`check_problem`; the time is also for positions reached in other orders.

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> print(check_game(Race(), playouts=20, measure=False))
    Race keeps its contract: nothing was found in 20 playouts
    """
    if not isinstance(game, (Game, PythonGame)):
        raise InputError(f"game must be a Game or a PythonGame, got {game!r}")
    report = examine(game, playouts=playouts, seconds=seconds, seed=seed, allow=allow, measure=measure)
    report.raise_errors()
    return report
