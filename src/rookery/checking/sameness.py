"""Phase three, second half: whole searches, compiled as users run them, against the same in plain Python."""

from __future__ import annotations

from rookery.checking.playouts import Ran
from rookery.checking.report import Log
from rookery.compiler.engine import CompiledEngine
from rookery.errors import CompileError
from rookery.tasks import Outcome, Signal


def compare_searches(engine: CompiledEngine, runs: list[Ran], log: Log) -> bool:
    """Run the tasks again, compiled; whether all was well.

    A task that ran out of time is compared as far as it came.
    """
    worker = engine.worker()
    for ran in runs:
        try:
            outcome = worker.run(ran.task.within(ran.outcome.playouts), Signal())
        except CompileError as error:
            log.add("compile-error", "", str(error))
            return False
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            log.add("compiled-exception", "", f"{ran.name} compiled raises {text}")
            return False
        if not _same(outcome, ran.outcome):
            rounded = log.count("rounding-differs") > 0
            text = f"{ran.name} {_words(outcome)} compiled, {_words(ran.outcome)} interpreted"
            log.add("rounding-differs" if rounded else "compiled-differs", "", text)
            return rounded
    return True


def _same(first: Outcome, second: Outcome) -> bool:
    return (first.sequence, first.playouts, first.improvements) == (
        second.sequence,
        second.playouts,
        second.improvements,
    )


def _words(outcome: Outcome) -> str:
    if outcome.sequence is None:
        return "found nothing"
    moves = ", ".join(map(str, outcome.sequence.moves[:10]))
    return f"found {outcome.sequence.score!r} in {outcome.playouts} playouts ({moves}...)"
