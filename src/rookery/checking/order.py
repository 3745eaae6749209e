"""What ``key`` and ``commute`` promise: equal keys, equal moves; moves that commute lead to the same in any order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rookery.checking.calls import Caller
from rookery.checking.report import Broken

if TYPE_CHECKING:
    from rookery.checking.watch import Playout

PAIRS = 6
"""Pairs of moves that are tried at a state, and swaps that are tried in a playout."""


class Order:
    """Compares states that a problem says are as good as equal."""

    def __init__(self, call: Caller) -> None:
        self._call = call
        self._turn = 0
        self._keys: dict[int, tuple[frozenset[int], tuple[Any, ...]]] = {}

    def saw(self, key: int, moves: tuple[int, ...]) -> None:
        """A state with this key has these legal moves."""
        call = self._call
        path = tuple(call.path)
        legal, before = self._keys.setdefault(key, (frozenset(moves), path))
        if legal != frozenset(moves):
            move = next(iter(legal ^ frozenset(moves)))
            there, here = ("is legal", "is not") if move in legal else ("is not legal", "is")
            text = (
                f"two states have the key {key}, but after {_moves(before)} the move {move} {there} "
                f"and here it {here}{call.place('key')}"
            )
            call.find("key-inconsistent", "key", text)

    def pairs(self, state: Any, moves: tuple[int, ...]) -> None:
        """Try pairs of the legal moves of a state in both orders."""
        n, ply = len(moves), len(self._call.path)
        for k in range(min(PAIRS, n)):  # other pairs at other steps
            a, b = moves[(7 * k + ply) % n], moves[(3 * k + ply // 2 + 1) % n]
            if a != b and self._commute(a, b):
                self._compare(a, b, self._after(state, (a, b)), self._after(state, (b, a)), list(self._call.path))

    def swaps(self, playout: Playout) -> None:
        """Swap neighbours of which both were legal: the rest must stay legal and come to the same score."""
        moves, done = playout.moves, 0
        self._turn += 1
        for i in sorted(range(1, len(moves)), key=lambda i: (7919 * i + self._turn) % len(moves)):
            a, b = moves[i - 1], moves[i]
            if done < PAIRS and a != b and self._commute(a, b):
                done += 1
                self._swap(playout, i)

    def _swap(self, playout: Playout, i: int) -> None:
        call, moves = self._call, playout.moves
        a, b = moves[i - 1], moves[i]
        swapped = (*moves[: i - 1], b, a, *moves[i + 1 :])
        begun = call.states.new()
        call.change("start", call.to("start"), begun)
        if call.has("begin_playout"):
            call.change("begin_playout", call.to("begin_playout"), begun)
        before = self._after(begun, moves[: i - 1])
        if before is None or b not in self._legal(before):
            return  # only the first move makes the second one legal: nothing is said of such moves
        ended = self._after(before, swapped[i - 1 :])
        if ended is None:
            self._untrue(a, b, "a playout that is legal in this order is not with the two swapped", list(moves))
            return
        score = call.score(ended)
        rounding = 1e-4 if call.states.has_short_floats else 1e-9  # sums in another order
        if not math.isclose(score, playout.score, rel_tol=rounding, abs_tol=rounding):
            text = f"this playout has the score {playout.score}, and {score} with the two swapped"
            self._untrue(a, b, text, list(moves))

    def _commute(self, a: int, b: int) -> bool:
        call = self._call
        try:
            there, back = bool(call.raw("commute", a, b)), bool(call.raw("commute", b, a))
        except Exception as error:
            call.exception("commute", error)
            raise Broken from error
        if there != back:
            text = f"commute({a}, {b}) is {there}, but commute({b}, {a}) is {back}{call.place('commute')}"
            call.find("commute-not-symmetric", "commute", text)
        return there and back

    def _after(self, state: Any, moves: tuple[int, ...]) -> Any | None:
        """The state after moves, or None if one of them is not legal."""
        state = self._call.states.copy(state)
        for move in moves:
            if move not in self._legal(state):
                return None
            self._play(state, move)
        return state

    def _legal(self, state: Any) -> frozenset[int]:
        return frozenset(self._call.pure("moves", self._call.list_moves, state)[1])

    def _play(self, state: Any, move: int) -> None:
        self._call.change("play", self._call.to("play", move), state)

    def _compare(self, a: int, b: int, one: Any | None, other: Any | None, path: list[Any]) -> None:
        call = self._call
        if one is None and other is None:
            return
        if one is None or other is None:
            first, second = (a, b) if one is None else (b, a)
            self._untrue(a, b, f"{second} is not legal after {first}, where {first} is after {second}", path)
            return
        moves = [self._legal(state) for state in (one, other)]
        if moves[0] != moves[1]:
            move = next(iter(moves[0] ^ moves[1]))
            self._untrue(a, b, f"the move {move} is legal after one order and not after the other", path)
        elif call.has("key"):
            keys = [call.key(state) for state in (one, other)]
            if keys[0] != keys[1]:
                self._untrue(a, b, f"the keys after them are {keys[0]} and {keys[1]}", path)

    def _untrue(self, a: int, b: int, text: str, path: list[Any]) -> None:
        call = self._call
        call.log.add(
            "commute-untruthful", "commute", f"commute({a}, {b}) is true, but {text}{call.place('commute')}", path
        )


def _moves(path: tuple[Any, ...]) -> str:
    return "the moves " + ", ".join(map(str, path)) if path else "no moves"
