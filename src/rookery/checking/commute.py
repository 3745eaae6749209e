"""What ``key`` and ``commute`` promise: equal keys, equal moves; moves that commute may come in any order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rookery.checking.origin import listing
from rookery.checking.records import RecordCalls
from rookery.checking.report import Broken

if TYPE_CHECKING:
    from rookery.checking.watch import Playout


PAIRS = 6
"""Pairs of moves that are tried at a state, and swaps that are tried in a playout."""


class KeysAndOrders:
    """Compares states that a problem declares to be equivalent."""

    def __init__(self, calls: RecordCalls) -> None:
        self._calls = calls
        self._turn = 0
        self._keys: dict[int, tuple[frozenset[int], tuple[Any, ...]]] = {}

    def check(self, state: Any, moves: tuple[int, ...]) -> None:
        """Check that a state with these legal moves keeps what its key and its moves promise."""
        if self._calls.has("key"):
            self._saw(self._calls.value("key", state), frozenset(moves))
        if self._calls.has("commute"):
            self._pairs(state, moves)

    def _saw(self, key: int, moves: frozenset[int]) -> None:
        legal, before = self._keys.setdefault(key, (moves, tuple(self._calls.path)))
        if legal != moves:
            move = next(iter(legal ^ moves))
            there, here = ("is legal", "is not") if move in legal else ("is not legal", "is")
            text = (
                f"two states have the key {key}, but after {listing(before)} the move {move} {there} and here it {here}"
            )
            self._calls.find("key-inconsistent", "key", text)

    def _pairs(self, state: Any, moves: tuple[int, ...]) -> None:
        """Try pairs of the legal moves of a state in both orders."""
        n, ply = len(moves), len(self._calls.path)
        for k in range(min(PAIRS, n)):  # other pairs at other steps
            a, b = moves[(7 * k + ply) % n], moves[(3 * k + ply // 2 + 1) % n]
            if a != b and self._commute(a, b):
                self._compare(a, b, self._after(state, (a, b)), self._after(state, (b, a)))

    def swaps(self, playout: Playout) -> None:
        """Swap neighbouring moves that were both legal: the rest must stay legal and lead to the same score."""
        moves, done = playout.moves, 0
        self._turn += 1
        for i in sorted(range(1, len(moves)), key=lambda i: (7919 * i + self._turn) % len(moves)):
            a, b = moves[i - 1], moves[i]
            if done < PAIRS and a != b and self._commute(a, b):
                done += 1
                self._swap(playout, i)

    def _swap(self, playout: Playout, i: int) -> None:
        calls, moves = self._calls, playout.moves
        a, b = moves[i - 1], moves[i]
        swapped = (*moves[: i - 1], b, a, *moves[i + 1 :])
        before = self._after(calls.begin_playout(calls.begin()), moves[: i - 1])
        if before is None or b not in self._legal(before):
            return  # only the first move makes the second one legal: nothing is said of such moves
        ended = self._after(before, swapped[i - 1 :])
        if ended is None:
            self._untrue(a, b, "a playout that is legal in this order is not with the two swapped")
            return
        score = calls.value("score", ended)
        rounding = 1e-4 if calls.states.has_short_floats else 1e-9  # sums in another order
        if not math.isclose(score, playout.result, rel_tol=rounding, abs_tol=rounding):
            text = f"this playout has the score {playout.result}, and {score} with the two swapped"
            self._untrue(a, b, text)

    def _commute(self, a: int, b: int) -> bool:
        calls = self._calls
        try:
            there, back = bool(calls.raw("commute", a, b)), bool(calls.raw("commute", b, a))
        except Exception as error:
            calls.exception("commute", error)
            raise Broken from error
        if there != back:
            text = f"commute({a}, {b}) is {there}, but commute({b}, {a}) is {back}"
            calls.find("commute-not-symmetric", "commute", text)
        return there and back

    def _after(self, state: Any, moves: tuple[int, ...]) -> Any | None:
        """The state after moves, or None if one of them is not legal."""
        state = self._calls.copy(state)
        for move in moves:
            if move not in self._legal(state):
                return None
            state = self._calls.play(state, move)
        return state

    def _legal(self, state: Any) -> frozenset[int]:
        return frozenset(self._calls.listed("moves", state))

    def _compare(self, a: int, b: int, one: Any | None, other: Any | None) -> None:
        if one is None and other is None:
            return
        if one is None or other is None:
            first, second = (a, b) if one is None else (b, a)
            self._untrue(a, b, f"{second} is not legal after {first}, where {first} is after {second}")
            return
        moves = [self._legal(state) for state in (one, other)]
        if moves[0] != moves[1]:
            move = next(iter(moves[0] ^ moves[1]))
            self._untrue(a, b, f"the move {move} is legal after one order and not after the other")
        elif self._calls.has("key"):
            keys = [self._calls.value("key", state) for state in (one, other)]
            if keys[0] != keys[1]:
                self._untrue(a, b, f"the keys after them are {keys[0]} and {keys[1]}")

    def _untrue(self, a: int, b: int, text: str) -> None:
        self._calls.find("commute-untruthful", "commute", f"commute({a}, {b}) is true, but {text}")
