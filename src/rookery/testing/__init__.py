"""Checks for your own problems, games and searches: in a test, at a prompt, or as ``rookery check``."""

from __future__ import annotations

from collections.abc import Iterable

from rookery.checking.game.examine import examine_game
from rookery.checking.game.measures import GameMeasures
from rookery.checking.measures import Measures, Part
from rookery.checking.problem.examine import examine
from rookery.checking.report import CheckError, Finding, Report
from rookery.game import Game, PythonGame
from rookery.problem import Problem, PythonProblem
from rookery.testing.searches import check_search

__all__ = [
    "CheckError",
    "Finding",
    "GameMeasures",
    "Measures",
    "Part",
    "Report",
    "check_game",
    "check_problem",
    "check_search",
    "examine",
    "examine_game",
]


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

    Parameters
    ----------
    playouts
        how many games to play in plain Python
    seconds
        time for them, for positions reached in other orders, and for the comparison with compiled functions; compiling
        and measuring come on top
    seed
        of the games
    allow
        names of errors that are warnings for this game
    measure
        measure playouts per second and who wins them too

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
    report = examine_game(game, playouts=playouts, seconds=seconds, seed=seed, allow=allow, measure=measure)
    report.raise_errors()
    return report
