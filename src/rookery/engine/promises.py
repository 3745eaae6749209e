"""What the user is told of a broken promise or an exception in compiled code: where, why, and what to do."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rookery import control as statuses
from rookery.engine.faults import Fault
from rookery.errors import ProblemError
from rookery.problem import Model, Problem
from rookery.user_code import place_of


def broken_promise(problem: Model, status: int, detail: int, fault: Fault | None) -> ProblemError:
    """The error for the status with which a kernel ended."""
    limits = problem.limits()
    moves = "count" if hasattr(problem, "count") else "moves"
    value = None if fault is None else fault.value
    function, reason, advice = {
        statuses.TOO_MANY_MOVES: (
            moves,
            f"returned {detail} moves, but limits() declares moves={limits.moves}",
            "declare the most that a state can have",
        ),
        statuses.NEGATIVE_MOVES: (
            moves,
            f"returned {detail}, a negative number of moves",
            "return 0 at the end of a sequence",
        ),
        statuses.TOO_LONG: (
            moves,
            f"has legal moves after {limits.length} moves, but limits() declares length={limits.length}",
            "declare the longest sequence, or return 0 at its end",
        ),
        statuses.CODE_RANGE: (
            "code",
            f"returned {detail}, but limits() declares codes={limits.codes}",
            'declare more than the largest code, or codes="hashed"; a code is never negative',
        ),
        statuses.FEATURE_RANGE: (
            "feature",
            f"returned {detail}, but limits() declares features={limits.features}",
            "declare more than the largest feature; a feature is never negative",
        ),
        statuses.BAD_BIAS: ("bias", f"returned {_told(value)}", "a bias must be a number"),
        statuses.BAD_PRIOR: ("prior", f"returned {_told(value)}", "a prior must be a number of at least 0"),
        statuses.BAD_ESTIMATE: (
            "estimate",
            f"returned {_told(value)}",
            "an estimate must be a number, or rk.INFEASIBLE"
            if isinstance(problem, Problem)
            else "return the share of games that the first player wins, 0 to 1",
        ),
        statuses.BAD_SCORE: (
            "score",
            f"returned {_told(value)}",
            "a score must be a number, or rk.INFEASIBLE",
        ),
        statuses.BAD_CHOICE: (
            "choose",
            f"returned {detail}, which is not an index of the legal moves",
            "return a whole number from 0 to n - 1: rookery.below(rng, n)",
        ),
        statuses.BAD_LAYERS: (
            "commute",
            "let moves change places that may not",
            "return False for them; rookery check finds such moves",
        ),
        statuses.BAD_MOVE: ("moves", f"lists the move {detail}", "moves of a game are whole numbers of at least 0"),
        statuses.BAD_PLAYER: ("player", f"returned {detail}", "return 0 or 1, who is to move"),
        statuses.BAD_WINNER: ("winner", f"returned {detail}", "return 0 or 1, who has won, or -1 for a draw"),
        statuses.ILLEGAL_MOVE: (
            moves,
            f"does not list move {detail + 1} of a sequence that was legal before",
            "legal moves must depend on the state alone",
        ),
    }[status]
    place = place_of(problem, function) if fault is None or fault.error is not None else fault.place
    return ProblemError(place.says(reason, advice))


def _told(value: Any) -> Any:
    return "a value that is not allowed" if value is None else value


def located(error: Exception, fault: Fault | None) -> Exception:
    """An exception of a compiled function with the place at which the interpreted one raises."""
    if fault is None:
        error.add_note("The line is not known: set NUMBA_DISABLE_JIT=1 to run the same as plain Python.")
        return error
    if isinstance(error, IndexError):  # the user wrote no raise: an index is past the end
        reason = str(fault.error) if isinstance(fault.error, IndexError) else str(error)
        advice = "make room in layout(), or stay within it"
        return ProblemError(fault.place.says(reason, advice)).with_traceback(_trace(fault))
    error.add_note(f"raised by {fault.place}")
    return error.with_traceback(_trace(fault))


def _trace(fault: Fault) -> TracebackType | None:
    return None if fault.error is None else fault.error.__traceback__
