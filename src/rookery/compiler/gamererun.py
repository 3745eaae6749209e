"""A playout of a game that went wrong in compiled code, played again interpreted: finds the line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.compiler.rerun import Fault, Found, Rerun


class GameRerun(Rerun):
    """The functions of a game, interpreted, each call checked."""

    def replay(self, moves: Sequence[int]) -> Fault | None:
        """The fault of playing moves from the start of the game."""
        try:
            state = self._new()
            self._call("start", state)
        except Found as found:
            return found.fault
        return self.game(state, moves, 0)

    def game(
        self, root: Any, moves: Iterable[int], ply: int, rng: npt.NDArray[np.uint64] | None = None
    ) -> Fault | None:
        """The fault of playing moves from a position that is ``ply`` moves from the start.

        The last of them may be of an older playout. With a stream, the game's own playout is tried before it.
        """
        sequence = [int(move) for move in moves]
        try:
            state = self._copy(root)
            for i, move in enumerate(sequence):
                if i == len(sequence) - 1 and rng is not None and self._functions["playout"] is not None:
                    self._own_playout(state, rng)
                if move not in self._look(state, ply):
                    break  # of an older playout: this one ended here
                self._call("play", state, move)
                ply += 1
            self._look(state, ply)
        except Found as found:
            return found.fault
        return None

    def _own_playout(self, state: Any, rng: npt.NDArray[np.uint64]) -> None:
        won = int(self._call("playout", self._copy(state), rng.copy()))
        if won not in (-1, 0, 1):
            raise self._broken("playout", won, self._copy(state), rng.copy())

    def _look(self, state: Any, ply: int) -> list[int]:
        """Call whatever a search may call on a position; its legal moves."""
        self._call("key", state)
        legal = self._legal(state, ply, listed=True)
        if not legal:
            self._whole("winner", (-1, 0, 1), state)
            return legal
        self._whole("player", (0, 1), state)
        for move in legal:
            if move < 0:
                raise self._broken("moves", move, state, self._out)
        if self._functions["playout_moves"] is not None:
            n = int(self._call("playout_moves", state, self._out))
            if not 0 <= n <= self._limits.moves:
                raise self._broken("playout_moves", n, state, self._out)
        for move in legal:
            self._code(state, move)
        return legal

    def _whole(self, name: str, allowed: tuple[int, ...], state: Any) -> None:
        value = int(self._call(name, state))
        if value not in allowed:
            raise self._broken(name, value, state)
