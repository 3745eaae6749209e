"""Candidates for the pool of a run on Python objects: whole sequences, whichever search plays them."""

from __future__ import annotations

from typing import Any

from rookery.control import INFEASIBLE_SCORE, Signal
from rookery.plans.pool import Pool
from rookery.reference.playout import Monitor, Rules
from rookery.tasks import Sequence, Task

Path = tuple[Any, ...] | None
"""The moves that lead to a state, the last first: ``(move, (move before, ...))``."""


class TrackedRules(Rules):
    """Rules whose states know the moves that led to them."""

    ended: Path = None

    def copy(self, state: Any) -> Any:
        """A copy to play on."""
        return super().copy(state[0]), state[1]

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        return super().play(state[0], move), (move, state[1])

    def moves(self, state: Any) -> list[Any]:
        """The legal moves."""
        return super().moves(state[0])

    def named(self, state: Any, move: Any) -> Any:
        """The move itself, used as its name."""
        return super().named(state[0], move)

    def code(self, state: Any, move: Any) -> Any:
        """The code of a move."""
        return super().code(state[0], move)

    def value(self, state: Any) -> float:
        """The score, to be maximised; the moves that led to the state are remembered."""
        self.ended = state[1]
        return super().value(state[0])

    def estimate(self, state: Any) -> float:
        """How good a state is."""
        return super().estimate(state[0])

    def key(self, state: Any) -> Any:
        """What is equal for states that are the same."""
        return super().key(state[0])

    def factor(self, state: Any, move: Any) -> float:
        """``exp(bias)``."""
        return super().factor(state[0], move)

    def biases(self, state: Any, move: Any, each: bool) -> Any:
        """The bias of a move, or each of several."""
        return super().biases(state[0], move, each)

    def begin_playout(self, state: Any) -> Any:
        """Prepare a state for a playout."""
        return super().begin_playout(state[0]), state[1]

    def makes(self, state: Any, move: Any) -> Any:
        """What a move makes."""
        return super().makes(state[0], move)

    def undo(self, state: Any, move: Any, made: Any) -> Any:
        """The state without a move; the moves that led to it are known again once they are arranged."""
        return super().undo(state[0], move, made), state[1]

    def makers(self, state: Any, thing: Any) -> list[Any]:
        """The moves that make a thing, whose other needs are there."""
        return super().makers(state[0], thing)

    def arranged(self, state: Any, moves: list[Any]) -> Any:
        """The same state, reached by these moves."""
        path: Path = None
        for move in moves:
            path = (move, path)
        return state[0], path

    def choose(self, state: Any, moves: list[Any], stream: Any) -> int:
        """The index of the next move of a random playout."""
        return super().choose(state[0], moves, stream)


class KeepingMonitor(Monitor):
    """A monitor that keeps the best sequences of a task of a run that begins from ``root``."""

    def __init__(self, task: Task, signal: Signal, rules: TrackedRules, root: Any) -> None:
        super().__init__(signal, task.budget, task.target)
        assert task.keep is not None
        self._rules, self._root = rules, root
        self._fixed, self._given = task.prefix[: task.keep.fixed], task.prefix[task.keep.fixed :]
        self.pool = Pool(task.keep)

    def finish(self, score: float) -> None:
        """Count a finished playout, and keep it if it is among the best."""
        super().finish(score)
        if score > INFEASIBLE_SCORE and self.pool.takes(score):
            moves = [*self._given, *_listed(self._rules.ended)]
            self.pool.add([Sequence(score, (*self._fixed, *moves), self._codes(moves))])

    def _codes(self, moves: list[Any]) -> tuple[Any, ...]:
        rules, codes = self._rules, []
        state = rules.begin_playout(rules.copy(self._root))
        for move in moves:
            codes.append(rules.code(state, move))
            state = rules.play(state, move)
        return tuple(codes)


def _listed(path: Path) -> list[Any]:
    moves = []
    while path is not None:
        move, path = path
        moves.append(move)
    return moves[::-1]
