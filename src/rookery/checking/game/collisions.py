"""Phase three, for keys: a great many positions of compiled random games, and whether two of one key differ."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.checking.kernels import Collected, make_collect
from rookery.checking.origin import at_def
from rookery.checking.report import Log
from rookery.engine.compiled import CompiledEngine
from rookery.kernels.memory import legal_width
from rookery.rng import root_key

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
    """For each position of a finished game, whether it may be the end only because no game is longer.

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
