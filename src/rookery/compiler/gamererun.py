"""A playout of a game that went wrong in compiled code, played again interpreted: finds the line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

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
        return self.playout(state, moves, 0)

    def playout(self, root: Any, moves: Iterable[int], ply: int, *_: Any) -> Fault | None:
        """The fault of playing moves from a position that is ``ply`` moves from the start."""
        try:
            state = self._copy(root)
            for move in map(int, moves):
                if move not in self._look(state, ply):
                    return None  # of an older playout: this one ended here
                self._call("play", state, move)
                ply += 1
            self._look(state, ply)
        except Found as found:
            return found.fault
        return None

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
