"""The kernels of a check of a game: one that calls a single function, and one that collects many positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.rng import mix, seed_stream


def make_game_probe(spec: Specialisation) -> Any:
    """A kernel that calls one function of the game, given by its number in GAME_PARAMETERS, on a state."""
    compiled = spec.compiled

    @spec.kernel
    def no_sample(self, s, rng):
        return 0

    start, moves, code, play = compiled["start"], compiled["moves"], compiled["code"], compiled["play"]
    player, winner, key = compiled["player"], compiled["winner"], compiled["key"]
    playout_moves, sample = compiled.get("playout_moves", moves), compiled.get("sample", no_sample)
    playout = compiled.get("playout", no_sample)

    def game_probe(operation, self, states, out, move, rng):
        """Returns the whole number that the function gives."""
        s = states[0]
        whole = np.int64(0)
        if operation == 0:
            start(self, s)
        elif operation == 1:
            whole = np.int64(moves(self, s, out))
        elif operation == 2:
            whole = np.int64(code(self, s, move))
        elif operation == 3:
            play(self, s, move)
        elif operation == 4:
            whole = np.int64(player(self, s))
        elif operation == 5:
            whole = np.int64(winner(self, s))
        elif operation == 6:
            whole = np.int64(np.uint64(key(self, s)))
        elif operation == 7:
            whole = np.int64(playout_moves(self, s, out))
        elif operation == 8:
            whole = np.int64(sample(self, s, rng))
        else:
            whole = np.int64(playout(self, s, rng))
        return whole

    return game_probe


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
