"""The kernels of a check: one that calls a single function, and one that walks along playouts to time functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation

WALK, PLAY, MOVES, CODE, BIAS, SCORE = 1, 2, 4, 8, 16, 32
"""What is done along a playout, to be added up: go through its steps, call functions; the state is always copied."""


def make_probe(spec: Specialisation) -> Any:
    """A kernel that calls one function of the problem, given by its number, on a state."""
    compiled = spec.compiled

    @spec.kernel
    def none(self, s):
        return 0

    @spec.kernel
    def none_of_move(self, s, move):
        return 0

    @spec.kernel
    def no_choice(self, s, moves, n, rng):
        return 0

    start, moves, code = compiled["start"], compiled["moves"], compiled["code"]
    play, score = compiled["play"], compiled["score"]
    bias, key = compiled.get("bias", none_of_move), compiled.get("key", none)
    begin_playout, choose = compiled.get("begin_playout", none), compiled.get("choose", no_choice)
    commute, count, nth = (
        compiled.get("commute", none_of_move),
        compiled.get("count", none),
        compiled.get("nth", none_of_move),
    )

    def probe(operation, self, states, out, move, other, rng):
        """Returns a whole number and a float: the one that the function gives is meant."""
        s = states[0]
        whole, real = np.int64(0), 0.0
        if operation == 0:
            start(self, s)
        elif operation == 1:
            whole = np.int64(moves(self, s, out))
        elif operation == 2:
            whole = np.int64(code(self, s, move))
        elif operation == 3:
            play(self, s, move)
        elif operation == 4:
            real = np.float64(score(self, s))
        elif operation == 5:
            real = np.float64(bias(self, s, move))
        elif operation == 6:
            whole = np.int64(key(self, s))
        elif operation == 7:
            begin_playout(self, s)
        elif operation == 8:
            whole = np.int64(choose(self, s, out, move, rng))
        elif operation == 9:
            whole = np.int64(commute(self, move, other))
        elif operation == 10:
            whole = np.int64(count(self, s))
        else:
            whole = np.int64(nth(self, s, move))
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
        """Walk along all playouts ``times`` times; the sum returned keeps every call from being left out."""
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
