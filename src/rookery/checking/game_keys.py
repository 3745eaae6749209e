"""What ``key`` of a game promises: equal for the same position with the same player to move, different otherwise."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.checking.game_watch import GameWatch, View
from rookery.checking.kernels import Collected, make_collect
from rookery.checking.origin import at_def, listing
from rookery.checking.report import Log
from rookery.engine.compiled import CompiledEngine
from rookery.kernels.memory import legal_width
from rookery.rng import Stream, root_key

MOST_KEPT = 30_000
"""Positions that are kept."""
MOST_PAIRS = 400
"""How many pairs of one key are played on."""
CONTINUATIONS = 2
"""How often each is played on."""
IDLE_TRIALS = 12
"""Games that must give the same result whatever an idle field holds."""
IDLE_DRAWS = 40
"""States that are tried to find one with another value."""
IDLE_PATIENCE = 0.5
"""Seconds for a game from an impossible state: it need not end."""


@dataclass(frozen=True)
class Known:
    """A position that was seen: a copy of its state, what it offers, the moves that led to it."""

    state: Any
    view: View
    path: tuple[Any, ...]


class KnownPositions:
    """Positions that were seen, by their keys."""

    def __init__(self, watch: GameWatch) -> None:
        self._watch = watch
        self.all: list[Known] = []
        self._seen: dict[Hashable, Known] = {}
        self._by_key: dict[tuple[Hashable, bool], Known] = {}
        self._pairs: list[tuple[Known, Known]] = []

    def saw(self, state: Any, view: View) -> None:
        """Note a position; compare it with the one that has the same key, if there is one."""
        watch = self._watch
        if len(self.all) >= MOST_KEPT:
            return
        copied = watch.calls.copy(state)
        identity = watch.calls.identity(copied)
        known = Known(copied, view, tuple(watch.path))
        if identity is not None:
            before = self._seen.setdefault(identity, known)
            if before is not known:
                self._same_key(before, known)
                return
        self.all.append(known)
        if view.key is None:
            return
        other = self._by_key.setdefault((view.key, self._is_last(len(known.path))), known)
        if other is not known and self._alike(other, known, view, other.view, "") and len(self._pairs) < MOST_PAIRS:
            self._pairs.append((other, known))

    def _is_last(self, ply: int) -> bool:
        """Whether a game may be over only because it has the greatest length.

        Keys need not count moves: such a position is compared with others of its kind alone.
        """
        return self._watch.longest is not None and ply >= self._watch.longest

    def play_on(self, stream: Stream, deadline: float) -> None:
        """Play pairs of one key on, with the same moves: they must offer the same, to the end."""
        for pair in self._pairs:
            for _ in range(CONTINUATIONS):
                if time.perf_counter() > deadline or not self._played_on(*pair, stream, deadline):
                    return

    def _played_on(self, first: Known, second: Known, stream: Stream, deadline: float) -> bool:
        watch = self._watch
        states, views = [watch.calls.copy(first.state), watch.calls.copy(second.state)], [first.view, second.view]
        more: list[Any] = []
        plies = [len(first.path), len(second.path)]
        while views[0].moves and (plies[0] == plies[1] or not self._is_last(max(plies) + len(more) + 1)):
            move = views[0].moves[stream.below(len(views[0].moves))]
            more.append(move)
            for i, known in enumerate((first, second)):
                watch.path[:] = (*known.path, *more[:-1])
                states[i] = watch.after(states[i], move)
                views[i] = watch.look(states[i])
                watch.check_length(views[i])
            if time.perf_counter() > deadline:
                break
            if not self._alike(first, second, views[1], views[0], f" and then both times {listing(more)}"):
                return False
        return True

    def _alike(self, old: Known, new: Known, here: View, there: View, then: str) -> bool:
        """Whether two positions of one key offer the same; what differs is noted, at the newer one."""
        name, after = "key-inconsistent", f"after {listing(old.path)}{then}"
        if set(here.moves) != set(there.moves):
            move = next(iter(set(here.moves) ^ set(there.moves)))
            legal = ("is legal", "is not") if move in there.moves else ("is not legal", "is")
            difference = f"the move {move} {legal[0]} {after}, and here it {legal[1]}"
        elif here.winner != there.winner:
            difference = f"the winner is {there.winner} {after}, and here {here.winner}"
        elif here.moves and here.player != there.player:
            name = "key-inconsistent" if then else "key-ignores-player"
            difference = f"player {there.player} is to move {after}, and here player {here.player}"
        elif here.coded != there.coded:
            move = next(move for move, code in here.coded.items() if there.coded[move] != code)
            difference = f"the code of the move {move} is {there.coded[move]} {after}, and here {here.coded[move]}"
        else:
            return True
        text = f"two positions have the key {new.view.key}, but {difference}{at_def(self._watch.of, 'key')}"
        self._watch.log.add(name, "key", text, new.path)
        return False

    def check_transpositions(self) -> None:
        """The same position must have one key, however it was reached."""
        found: dict[Hashable, Known] = {}
        for known in self.all:
            position = self._watch.position(known.state)
            if position is None or known.view.key is None:
                continue
            self._same_key(found.setdefault(position, known), known)

    def _same_key(self, old: Known, new: Known) -> None:
        """Two states that are one position must have one key."""
        if old.view.key != new.view.key:
            text = (
                f"the position after {listing(old.path)} has the key {old.view.key}; it is the same here, "
                f"where the key is {new.view.key}{at_def(self._watch.of, 'key')}"
            )
            self._watch.log.add("key-misses-transposition", "key", text, new.path)


def idle_fields(watch: GameWatch, known: list[Known], stream: Stream, deadline: float) -> tuple[str, ...]:
    """The fields of the state on which nothing but the key depends; none if there is no time to be sure.

    A field is idle if a state with a strange value in it, taken from another state, can be played on to the end and
    nothing else changes: not the legal moves, the codes, the player, the winner, nor any other field. A hash that is
    kept up to date move by move is such a field, and so is the last move of a game whose rules do not ask for it.
    """
    going_on = [one for one in known if one.view.moves]
    trial = _Trial(watch, going_on, stream)
    found: list[str] = []
    for name in watch.records.states.names if going_on else ():
        if name not in watch.records.scratch and trial.is_idle((name,), deadline):
            found.append(name)
    return tuple(found) if found and trial.is_idle(tuple(found), deadline) else ()


class _Trial:
    def __init__(self, watch: GameWatch, known: list[Known], stream: Stream) -> None:
        self._calls = watch.records
        self._longest = watch.longest
        self._known, self._stream = known, stream

    def is_idle(self, names: tuple[str, ...], deadline: float) -> bool:
        """Whether strange values in these fields change nothing else, in several games."""
        for _ in range(IDLE_TRIALS):
            one = self._one()
            other = self._unlike(one, names)
            if other is None or time.perf_counter() > deadline or not self._same_game(one, other, names):
                return False
        return True

    def _one(self) -> Known:
        return self._known[self._stream.below(len(self._known))]

    def _unlike(self, one: Known, names: tuple[str, ...]) -> Known | None:
        """A state with a different value in one of the fields."""
        for _ in range(IDLE_DRAWS):
            other = self._one()
            if any((np.asarray(one.state[name]) != np.asarray(other.state[name])).any() for name in names):
                return other
        return None

    def _same_game(self, one: Known, other: Known, names: tuple[str, ...]) -> bool:
        calls, states = self._calls, self._calls.states
        true, strange = states.copy(one.state), states.copy(one.state)
        for name in names:
            strange[name] = other.state[name]
        ply = len(one.path)
        calls.patience.began(IDLE_PATIENCE)
        try:
            with calls.log.silent():
                while True:
                    moves = self._looks_alike(true, strange)
                    if not moves or (self._longest is not None and ply >= self._longest):
                        return moves is not None
                    move = moves[self._stream.below(len(moves))]
                    for state in (true, strange):
                        calls.raw("play", state, move)
                    ply += 1
                    differing = {name.partition("[")[0] for name, _, _ in states.differences(true, strange)}
                    if not differing <= {*names, *calls.scratch}:
                        return False
        except Exception:  # an impossible state: the field matters
            return False
        finally:
            calls.patience.ended()

    def _looks_alike(self, true: Any, strange: Any) -> tuple[int, ...] | None:
        """The legal moves if both states offer the same, else None."""
        one, other = self._offer(true), self._offer(strange)
        return one[0] if one == other else None

    def _offer(self, state: Any) -> tuple[tuple[int, ...], Any, tuple[Any, ...], Any]:
        raw, moves = self._calls.raw, self._calls.listers["moves"](state)
        codes = tuple(raw("code", state, move) for move in moves)
        return moves, raw("player", state), codes, None if moves else raw("winner", state)


FIRST, MOST = 1 << 12, 1 << 19
"""Positions that are collected at first, and at most."""
LONGEST = 0.5
"""Seconds for collecting, about."""


def collect(engine: CompiledEngine, seed: int) -> tuple[Collected, int]:
    """Positions of random games, as many as there is time for; and the number of games that were finished."""
    positions = FIRST
    engine.warm("collect", make_collect, *_arguments(engine, seed, _room(1)))
    while True:
        into = _room(positions)
        began = time.perf_counter()
        games = int(engine.call("collect", make_collect, *_arguments(engine, seed, into)))
        took = time.perf_counter() - began
        if 4 * took > LONGEST or positions >= MOST:
            return into, games
        positions *= 4


def _arguments(engine: CompiledEngine, seed: int, into: Collected) -> tuple[Any, ...]:
    limits = engine.limits
    states = np.zeros(2, engine.specialisation.dtype)
    out, rng = np.zeros(legal_width(limits), np.int64), np.zeros(4, np.uint64)
    return np.uint64(root_key(seed)), engine.constants, states, out, rng, limits.length, limits.moves, into


def _room(n: int) -> Collected:
    arrays: list[Any] = [np.zeros(n, kind) for kind in ("u8", "u8", "i1", "i8", "i8", "i1")]
    return Collected(*arrays)


def check_collisions(engine: CompiledEngine, seen: Collected, games: int, log: Log) -> bool:
    """Note two positions of one key that differ; whether there are none."""
    last = _is_last(seen, games, engine.limits.length)
    order = np.lexsort((seen.keys[: len(last)], last))
    keys, prints, players = seen.keys[order], seen.prints[order], seen.players[order]
    same = (keys[1:] == keys[:-1]) & (last[order][1:] == last[order][:-1])
    for name, differs in (
        ("key-inconsistent", prints[1:] != prints[:-1]),
        ("key-ignores-player", players[1:] != players[:-1]),
    ):
        where = np.flatnonzero(same & differs)
        if len(where):
            first, second = (_path(seen, int(order[i])) for i in (where[0], where[0] + 1))
            what = "who is to move" if name == "key-ignores-player" else "the legal moves, their codes or the winner"
            text = f"two positions have the key {int(keys[where[0]])}, but differ in {what}: this one and that after "
            text += ", ".join(map(str, first)) or "no moves"
            log.add(name, "key", text + at_def(engine.problem, "key"), second)
            return False
    return True


def _is_last(seen: Collected, games: int, longest: int) -> npt.NDArray[np.bool_]:
    """For each position of a finished game, whether it may be the end only because the game has the greatest length.

    Keys need not count moves: such a position is compared with others of its kind alone.
    """
    begins = np.concatenate([[0], seen.ends[:games]])
    ply = np.arange(begins[-1]) - np.repeat(begins[:-1], np.diff(begins))
    is_last: npt.NDArray[np.bool_] = ply >= longest
    return is_last


def _path(seen: Collected, at: int) -> tuple[int, ...]:
    """The moves that led to a position."""
    ends: npt.NDArray[np.int64] = seen.ends
    game = int(np.argmax(ends > at))
    begin = int(ends[game - 1]) if game else 0
    return tuple(map(int, seen.moves[begin:at]))
