"""Fields of the state on which nothing but the key depends: two states that differ in these alone are one position.

A field is idle if a state with a strange value in it, taken from another state, can be played on to the end and
nothing else is different: not the legal moves, the codes, the player, the winner, nor any other field. A hash that is
kept up to date move by move is such a field, and so is the last move of a game whose rules do not ask for it.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rookery.checking.game_positions import Known
from rookery.checking.game_records import GameCaller, RecordGameWatch
from rookery.rng import Stream

TRIALS = 12
"""Games that must come to the same."""
DRAWS = 40
"""States that are tried to find one with another value."""
PATIENCE = 0.5
"""Seconds for a game from a state that cannot be: it need not end."""


def idle_fields(watch: RecordGameWatch, known: list[Known], stream: Stream, deadline: float) -> tuple[str, ...]:
    """The names of such fields; none if there is no time to be sure."""
    going_on = [one for one in known if one.view.moves]
    trial = _Trial(watch, going_on, stream)
    found: list[str] = []
    for name in watch.call.states.names if going_on else ():
        if name not in watch.call.scratch and trial.is_idle((name,), deadline):
            found.append(name)
    return tuple(found) if found and trial.is_idle(tuple(found), deadline) else ()


class _Trial:
    def __init__(self, watch: RecordGameWatch, known: list[Known], stream: Stream) -> None:
        self._call: GameCaller = watch.call
        self._longest = watch.longest
        self._known, self._stream = known, stream

    def is_idle(self, names: tuple[str, ...], deadline: float) -> bool:
        """Whether strange values in these fields change nothing else, in several games."""
        for _ in range(TRIALS):
            one = self._one()
            other = self._unlike(one, names)
            if other is None or time.perf_counter() > deadline or not self._same_game(one, other, names):
                return False
        return True

    def _one(self) -> Known:
        return self._known[self._stream.below(len(self._known))]

    def _unlike(self, one: Known, names: tuple[str, ...]) -> Known | None:
        """Another state, with another value in one of the fields."""
        for _ in range(DRAWS):
            other = self._one()
            if any((np.asarray(one.state[name]) != np.asarray(other.state[name])).any() for name in names):
                return other
        return None

    def _same_game(self, one: Known, other: Known, names: tuple[str, ...]) -> bool:
        call, states = self._call, self._call.states
        true, strange = states.copy(one.state), states.copy(one.state)
        for name in names:
            strange[name] = other.state[name]
        ply = len(one.path)
        call.patience.began(PATIENCE)
        try:
            with call.log.silent():
                while True:
                    moves = self._looks_alike(true, strange)
                    if not moves or (self._longest is not None and ply >= self._longest):
                        return moves is not None
                    move = moves[self._stream.below(len(moves))]
                    for state in (true, strange):
                        call.raw("play", state, move)
                    ply += 1
                    differing = {name.partition("[")[0] for name, _, _ in states.differences(true, strange)}
                    if not differing <= {*names, *call.scratch}:
                        return False
        except Exception:  # a state that cannot be: the field matters
            return False
        finally:
            call.patience.ended()

    def _looks_alike(self, true: Any, strange: Any) -> tuple[int, ...] | None:
        """The legal moves if both states offer the same, else None."""
        call = self._call
        looks = []
        for state in (true, strange):
            _, moves = call.list_moves(state)
            looks.append(
                (
                    moves,
                    call.raw("player", state),
                    tuple(call.raw("code", state, move) for move in moves),
                    None if moves else call.raw("winner", state),
                )
            )
        return looks[0][0] if looks[0] == looks[1] else None
