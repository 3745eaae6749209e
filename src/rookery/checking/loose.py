"""What ``makes``, ``needs``, ``undo``, ``makers`` and ``clash`` promise: moves can be taken back and replaced."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, Any

from rookery.checking.origin import listing
from rookery.checking.records import RecordCalls

if TYPE_CHECKING:
    from rookery.checking.watch import Playout

PLACES = 4
"""Moves of a playout that are taken back or replaced, one at a time."""


class TakenBack:
    """Takes back moves of playouts with all that depends on them, and puts others in their place."""

    def __init__(self, calls: RecordCalls) -> None:
        self._calls = calls
        self._turn = 0

    def check(self, playout: Playout) -> None:
        """Take back a few moves: what is left must be as if they had never been played; then replace them.

        This takes as long as many playouts, so only the first, the second, the fourth and so on are looked at.
        """
        self._turn += 1
        if self._turn & (self._turn - 1):
            return
        calls, self._moves, n = self._calls, playout.moves, len(playout.moves)
        self._made: list[int] = []
        state = calls.begin_playout(calls.begin())
        for move in self._moves:
            thing = calls.value("makes", state, move)
            if thing < 0:
                calls.find("makes-negative", "makes", f"of the move {move} it is {thing}")
                return
            self._made.append(thing)
            state = calls.play(state, move)
        for k in range(min(PLACES, n)):
            place = (7919 * k + 31 * self._turn) % n
            if not self._take_back(calls.copy(state), place):
                return
            if calls.has("makers") and not self._replace(calls.copy(state), place):
                return

    def _needs(self, move: int) -> Iterable[int]:
        calls = self._calls
        for i in count():
            thing = calls.read("needs", calls.guarded("needs", calls.raw, "needs", move, i))
            if thing < 0:
                return
            yield thing

    def _depending(self, roots: set[int], apart: set[int] = frozenset()) -> set[int]:  # type: ignore[assignment]
        """Places with all that depends on them, but for what is ``apart``."""
        found, lost = set(roots), {self._made[place] for place in roots}
        for place in range(min(roots, default=0), len(self._moves)):
            if place not in found | apart and not lost.isdisjoint(self._needs(self._moves[place])):
                found.add(place)
                lost.add(self._made[place])
        return found

    def _without(self, gone: Iterable[int], state: Any) -> Any:
        """Undo places, the last first."""
        for place in sorted(gone, reverse=True):
            state = self._calls.change("undo", state, self._moves[place], self._made[place])
        return state

    def _played(self, moves: Iterable[int]) -> tuple[Any, int | None]:
        """The state after moves, up to the first that is not legal, and that one."""
        calls = self._calls
        state = calls.begin_playout(calls.begin())
        for move in moves:
            if move not in calls.listed("moves", state):
                return state, move
            state = calls.play(state, move)
        return state, None

    def _difference(self, state: Any, other: Any) -> str:
        """How a state differs from what it should be; empty if it does not."""
        calls = self._calls
        legal, wanted = (sorted(calls.listed("moves", s)) for s in (state, other))
        if legal != wanted:
            return f"the legal moves are {listing(legal)} instead of {listing(wanted)}"
        if not wanted and (score := calls.value("score", state)) != (right := calls.value("score", other)):
            return f"the score is {score} instead of {right}"
        return ""

    def _take_back(self, state: Any, place: int) -> bool:
        """Take back a move and what depends on it, and play all that again; whether that is sound."""
        calls, moves = self._calls, self._moves
        gone = self._depending({place})
        left_out = listing([moves[p] for p in sorted(gone)])
        wanted, refused = self._played(move for p, move in enumerate(moves) if p not in gone)
        if refused is not None:
            text = f"the move {refused} is not legal in this playout without {left_out}, which it does not need"
            calls.find("needs-incomplete", "needs", text)
            return False
        whole = calls.copy(state)
        state = self._without(gone, state)
        what = self._difference(state, wanted)
        for p in sorted(gone) if not what else ():
            state = calls.play(state, moves[p])
        again = "" if what else self._difference(state, whole)
        if what or again:
            then = " and playing that again" if again else ""
            calls.find("undo-differs", "undo", f"after taking back {left_out}{then}, {what or again}")
        return not (what or again)

    def _replace(self, state: Any, place: int) -> bool:
        """Put each other move that makes the same in the place of one; whether that is sound."""
        calls, moves, thing = self._calls, self._moves, self._made[place]
        for other in calls.makers(state, thing):
            if other in moves:
                continue
            roots = {p for p, move in enumerate(moves) if p != place and calls.raw("clash", other, move)}
            gone = self._depending(roots)
            later = self._depending({place}, gone) if place not in gone else gone
            lost = {self._made[p] for p in gone | later} - {thing}
            if place in gone or not lost.isdisjoint(self._needs(other)):
                continue
            after = self._without([place], self._without(gone, calls.copy(state)))
            where = (
                f"in the place of {moves[place]}, without {listing([moves[p] for p in sorted(gone)])}, the move {other}"
            )
            if other not in calls.listed("moves", after):
                calls.find("makers-untruthful", "makers", f"{where} is not legal")
                return False
            if (made := calls.value("makes", after, other)) != thing:
                calls.find("makers-untruthful", "makers", f"{where} makes {made} instead of {thing}")
                return False
            rest = [move for p, move in enumerate(moves) if p not in gone | later]
            line = [*rest, other, *(moves[p] for p in sorted(later - {place}))]
            wanted, refused = self._played(line)
            what = f"{refused} is not legal any more" if refused is not None else ""
            what = what or self._difference(calls.play(after, other), wanted)
            if what:
                calls.find("makers-untruthful", "makers", f"{where} is played, but {what}")
                return False
        return True
