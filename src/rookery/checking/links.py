"""What ``makes`` and ``needs`` promise: a playout without a move, and without all that depends on it, stays legal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.checking.origin import listing
from rookery.checking.records import RecordCalls

if TYPE_CHECKING:
    from rookery.checking.watch import Playout

PLACES = 4
"""Moves of a playout that are left out, one at a time."""


class LeftOut:
    """Plays playouts again without some of their moves."""

    def __init__(self, calls: RecordCalls) -> None:
        self._calls = calls
        self._turn = 0

    def check(self, playout: Playout) -> None:
        """Leave out a few moves, each with those that depend on it: all others must be legal in their order.

        This takes as long as many playouts, so only the first, the second, the fourth and so on are looked at.
        """
        self._turn += 1
        if self._turn & (self._turn - 1):
            return
        moves, n = playout.moves, len(playout.moves)
        made, needed = self._links(moves)
        if min(made, default=0) < 0:
            return
        for k in range(min(PLACES, n)):
            self._leave_out(moves, made, needed, (7919 * k + 31 * self._turn) % n)

    def _links(self, moves: tuple[int, ...]) -> tuple[list[int], list[set[int]]]:
        """What each move makes and what it needs."""
        calls, made, needed = self._calls, [], []
        state = calls.begin_playout(calls.begin())
        for move in moves:
            thing = calls.value("makes", state, move)
            if thing < 0:
                calls.find("makes-negative", "makes", f"of the move {move} it is {thing}")
            made.append(thing)
            needed.append(self._needs(state, move))
            state = calls.play(state, move)
        return made, needed

    def _needs(self, state: Any, move: int) -> set[int]:
        calls, things = self._calls, set()
        for i in range(calls.limits.length):
            thing = calls.value("needs", state, move, i)
            if thing < 0:
                break
            things.add(thing)
        return things

    def _leave_out(self, moves: tuple[int, ...], made: list[int], needed: list[set[int]], place: int) -> None:
        calls, lost, left_out = self._calls, {made[place]}, [moves[place]]
        state = calls.begin_playout(calls.begin())
        for i, move in enumerate(moves):
            if i == place:
                continue
            if i > place and not lost.isdisjoint(needed[i]):
                lost.add(made[i])
                left_out.append(move)
                continue
            if i > place and move not in calls.listed("moves", state):
                text = f"the move {move} is not legal in this playout without {listing(left_out)}"
                calls.find("needs-incomplete", "needs", f"{text}, which it does not need")
                return
            state = calls.play(state, move)
