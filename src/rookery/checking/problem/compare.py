"""Phase three for problems: every function at every step of a playout, and whole tasks."""

from __future__ import annotations

from typing import Any

from rookery.checking.compare import Prober, compiled
from rookery.checking.problem.playouts import Ran
from rookery.checking.problem.watch import BiasedLook, ProblemWatch
from rookery.checking.report import Broken, Log
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.rng import Stream
from rookery.tasks import Outcome


class ProblemProber(Prober[BiasedLook]):
    """Compares what a state of a problem offers."""

    watch: ProblemWatch

    def same_look(self, state: Any, look: BiasedLook, step: int) -> None:
        """Compare every function that leaves the state as it is, and the state."""
        calls = self.calls
        self.same("moves", "", look.moves, self.listed("moves"))
        for i, move in enumerate(look.moves):
            self.same("code", f" of the move {move}", look.codes[i], self.call("code", move))
            if look.biases:
                self.same("bias", f" of the move {move}", look.biases[i], self.call("bias", move))
            if calls.has("nth"):
                self.same("nth", f" of {i}", move, self.call("nth", i))
        if calls.has("count"):
            self.same("count", "", len(look.moves), self.call("count"))
        if calls.has("key"):
            self.same("key", "", calls.value("key", state), self.call("key"))
        if calls.has("commute"):
            for a, b in zip(look.moves, look.moves[1:], strict=False):
                both = bool(calls.raw("commute", a, b)), bool(self.call("commute", a, b))
                self.same("commute", f" of {a} and {b}", *both)
        if calls.has("choose") and look.moves:
            stream, n = Stream(step), len(look.moves)
            self.out[:n] = look.moves
            chosen = self.drawn("choose", stream, n)
            index = self.watch.choose(state, list(look.moves), stream)  # type: ignore[attr-defined]
            self.same("choose", "", (index, *stream.words), chosen)
        self.same_state("", state)
        if not look.moves:
            self.same("score", "", calls.value("score", state), self.call("score"))


def compare_searches(engine: CompiledEngine, runs: list[Ran], log: Log) -> None:
    """Run the tasks again, compiled as users run them.

    A task that ran out of time is compared as far as it came.
    """
    worker = engine.worker()
    for ran in runs:
        task = ran.task.within(ran.outcome.playouts)
        outcome = compiled(log, f"{ran.name} compiled raises", worker.run, task, Signal())
        if _parts(outcome) != _parts(ran.outcome):
            rounded = log.count("rounding-differs") > 0
            text = f"{ran.name} {_words(outcome)} compiled, {_words(ran.outcome)} interpreted"
            log.add("rounding-differs" if rounded else "compiled-differs", "", text)
            if not rounded:
                raise Broken
            return


def _parts(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.sequence, outcome.playouts, outcome.improvements


def _words(outcome: Outcome) -> str:
    if outcome.sequence is None:
        return "found nothing"
    moves = ", ".join(map(str, outcome.sequence.moves[:10]))
    return f"found {outcome.sequence.score!r} in {outcome.playouts} playouts ({moves}...)"
