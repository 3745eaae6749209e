"""The kernels of a check: they call a single function, walk along playouts to time functions, collect positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.rng import mix, seed_stream

WALK, PLAY, MOVES, CODE, BIAS, SCORE = 1, 2, 4, 8, 16, 32
"""What is done along a playout, as flags: go through its steps, call functions; the state is always copied."""
OPERATIONS = (
    *("start", "play", "begin_playout", "moves", "playout_moves", "code", "nth", "score", "bias", "key"),
    *("count", "player", "winner", "choose", "sample", "playout", "is_legal", "feature", "prior", "estimate"),
    *("commute", "makes", "needs", "undo", "makers", "clash"),
)
"""The functions of problems and games; the probe knows each by its place."""


def make_probe(spec: Specialisation) -> Any:
    """A kernel that calls one function, given by its place in OPERATIONS, on a state."""

    @spec.kernel
    def none(self, s):
        return 0

    @spec.kernel
    def none_of_one(self, s, given):
        return 0

    @spec.kernel
    def none_of_two(self, s, given, other):
        return 0

    @spec.kernel
    def no_choice(self, s, moves, n, rng):
        return 0

    compiled = spec.compiled
    start, play, code, moves = compiled["start"], compiled["play"], compiled["code"], compiled["moves"]
    begin_playout, score, key = (compiled.get(name, none) for name in ("begin_playout", "score", "key"))
    count, player, winner = (compiled.get(name, none) for name in ("count", "player", "winner"))
    nth, bias, commute = (compiled.get(name, none_of_one) for name in ("nth", "bias", "commute"))
    feature, prior = (compiled.get(name, none_of_one) for name in ("feature", "prior"))
    estimate = compiled.get("estimate", none)
    sample, playout, is_legal = (compiled.get(name, none_of_one) for name in ("sample", "playout", "is_legal"))
    makes, needs, clash = (compiled.get(name, none_of_one) for name in ("makes", "needs", "clash"))
    undo, makers = (compiled.get(name, none_of_two) for name in ("undo", "makers"))
    playout_moves, choose = compiled.get("playout_moves", none_of_one), compiled.get("choose", no_choice)

    def probe(operation, self, states, out, move, other, rng):
        """Returns a whole number and a float, of which the one that the function gives counts."""
        s = states[0]
        whole, real = np.int64(0), 0.0
        if operation == 0:
            start(self, s)
        elif operation == 1:
            play(self, s, move)
        elif operation == 2:
            begin_playout(self, s)
        elif operation == 3:
            whole = np.int64(moves(self, s, out))
        elif operation == 4:
            whole = np.int64(playout_moves(self, s, out))
        elif operation == 5:
            whole = np.int64(code(self, s, move))
        elif operation == 6:
            whole = np.int64(nth(self, s, move))
        elif operation == 7:
            real = np.float64(score(self, s))
        elif operation == 8:
            real = np.float64(bias(self, s, move))
        elif operation == 9:
            whole = np.int64(key(self, s))
        elif operation == 10:
            whole = np.int64(count(self, s))
        elif operation == 11:
            whole = np.int64(player(self, s))
        elif operation == 12:
            whole = np.int64(winner(self, s))
        elif operation == 13:
            whole = np.int64(choose(self, s, out, move, rng))
        elif operation == 14:
            whole = np.int64(sample(self, s, rng))
        elif operation == 15:
            whole = np.int64(playout(self, s, rng))
        elif operation == 16:
            whole = np.int64(is_legal(self, s, move))
        elif operation == 17:
            whole = np.int64(feature(self, s, move))
        elif operation == 18:
            real = np.float64(prior(self, s, move))
        elif operation == 19:
            real = np.float64(estimate(self, s))
        elif operation == 20:
            whole = np.int64(commute(self, move, other))
        elif operation == 21:
            whole = np.int64(makes(self, s, move))
        elif operation == 22:
            whole = np.int64(needs(self, move, other))
        elif operation == 23:
            undo(self, s, move, other)
        elif operation == 24:
            whole = np.int64(makers(self, s, move, out))
        else:
            whole = np.int64(clash(self, move, other))
        return whole, real

    return probe


class Recorded(NamedTuple):
    """Playouts as arrays; shapes: P playouts, N steps in all, M legal moves in all."""

    ends: npt.NDArray[np.int64]  # [P] where the steps of a playout end
    moves: npt.NDArray[np.int64]  # [N]
    legal_ends: npt.NDArray[np.int64]  # [N] where the legal moves of a step end
    legal: npt.NDArray[np.int64]  # [M]


def make_profile(spec: Specialisation) -> Any:
    """A kernel that walks along playouts with chosen functions."""
    functions = spec.functions
    list_moves, move_at, code, play = functions.list_moves, functions.move_at, functions.code, functions.play
    value, begin_playout, bias = functions.value, functions.begin_playout, functions.bias
    reads_list = "count" in spec.compiled

    @spec.kernel
    def no_bias(self, s, move):
        return 0.0

    weigh = no_bias if bias is None else bias

    def profile(parts, times, self, states, recorded, out):
        """Walk along all playouts ``times`` times; the sum returned keeps every call from being optimised away."""
        total = 0.0
        for _ in range(times):
            step = 0
            low = 0
            for end in recorded.ends:
                states[1] = states[0]
                s = states[1]
                begin_playout(self, s)
                while parts & WALK and step < end:
                    high = recorded.legal_ends[step]
                    if parts & MOVES:
                        n = list_moves(self, s, out)
                        total += n
                        if reads_list:
                            for k in range(n):
                                total += move_at(self, s, out, k)
                    if parts & CODE:
                        for k in range(low, high):
                            total += np.int64(code(self, s, recorded.legal[k]))
                    if parts & BIAS:
                        for k in range(low, high):
                            total += weigh(self, s, recorded.legal[k])
                    if parts & PLAY:
                        play(self, s, recorded.moves[step])
                    low = high
                    step += 1
                if parts & MOVES:
                    total += list_moves(self, s, out)
                if parts & SCORE:
                    total += value(self, s)
        return total

    return profile


class Collected(NamedTuple):
    """Positions of random games, one after the other; shapes: P positions, G games."""

    keys: npt.NDArray[np.uint64]  # [P]
    prints: npt.NDArray[np.uint64]  # [P] of the legal moves with their codes, in any order; at the end, of the winner
    players: npt.NDArray[np.int8]  # [P] who is to move; -1 at the end
    moves: npt.NDArray[np.int64]  # [P] what was played
    ends: npt.NDArray[np.int64]  # [G] where the positions of a game end
    winners: npt.NDArray[np.int8]  # [G]


def make_collect(spec: Specialisation) -> Any:
    """A kernel that plays at random and keeps a fingerprint of every position."""
    functions = spec.functions
    start, moves, code, play = functions.start, functions.moves, functions.code, functions.play
    player, winner, key, sample = functions.player, functions.winner, functions.key, functions.sample

    def collect(seed, self, states, out, rng, longest, most, into):
        """Play from ``states[1]``, which is zeroed, until ``into`` is full; returns the games that were finished."""
        seed_stream(rng, seed)
        at, games = 0, 0
        while games < into.ends.size:
            states[0] = states[1]
            s = states[0]
            start(self, s)
            for ply in range(longest + 1):
                n = np.int64(moves(self, s, out))
                if at >= into.keys.size or n < 0 or n > most:
                    return games
                mark = np.uint64(0)
                for k in range(n):
                    mark += mix(mix(np.uint64(7), out[k]), np.int64(code(self, s, out[k])))
                into.keys[at] = np.uint64(key(self, s))
                into.players[at] = -1
                if n == 0:
                    won = np.int64(winner(self, s))
                    into.prints[at] = np.uint64(won + 2)
                    into.winners[games] = won
                    at += 1
                    into.ends[games] = at
                    games += 1
                    break
                into.prints[at] = mark
                into.players[at] = player(self, s)
                _, move = sample(self, s, out, rng)
                if move < 0 or ply == longest:
                    return games
                into.moves[at] = move
                at += 1
                play(self, s, move)
        return games

    return collect
