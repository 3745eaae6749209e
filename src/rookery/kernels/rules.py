"""Playouts by a rule: at random, by mobility, or by the problem's own ``choose``. All searches but NRPA make them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_CHOICE, DETAIL, FIRST, OK, STOPPED
from rookery.kernels.buffers import STREAM_BEFORE, TRIAL
from rookery.kernels.playout import check_step, finish_playout, may_begin
from rookery.kernels.policy import u
from rookery.kernels.pool import make_offer
from rookery.rng import below, copy_stream


def make_pick(spec: Specialisation, rule: str) -> Any:
    """How a playout chooses a move: (status, index), by one of the rules of :mod:`rookery.arguments`."""
    functions = spec.functions
    list_moves, move_at, moves = functions.list_moves, functions.move_at, functions.moves
    play, choose = functions.play, functions.choose

    if rule == "own":

        @spec.inlined
        def pick(self, s, states, out, n, rng, lines, control):
            moves(self, s, out)
            chosen = np.int64(choose(self, s, out, n, rng))
            if chosen < 0 or chosen >= n:
                control[DETAIL] = chosen
                return BAD_CHOICE, chosen
            return OK, chosen
    elif rule == "mobility":

        @spec.inlined
        def pick(self, s, states, out, n, rng, lines, control):
            """Cazenave 2007, section 2.3: one of the moves that lead to the most possible moves."""
            most, equal, chosen = -1, 0, 0
            for k in range(n):
                states[TRIAL] = s
                play(self, states[TRIAL], move_at(self, s, out, k))
                mobility = list_moves(self, states[TRIAL], lines.out[TRIAL])
                status = check_step(mobility, 0, control)
                if status != OK:
                    return status, chosen
                if mobility > most:
                    most, equal, chosen = mobility, 1, k
                elif mobility == most:
                    equal += 1
                    if below(rng, equal) == 0:
                        chosen = k
            return OK, chosen
    else:

        @spec.inlined
        def pick(self, s, states, out, n, rng, lines, control):
            return OK, below(rng, n)

    return pick


def make_random_playout(spec: Specialisation, rule: str | None = None) -> Any:
    """A playout by a rule; None: by the problem's own ``choose``, or uniformly at random if it has none."""
    functions = spec.functions
    list_moves, move_at = functions.list_moves, functions.move_at
    play, value, begin_playout = functions.play, functions.value, functions.begin_playout
    rule = rule or default_rule(spec)
    chosen_by_problem, keeps = rule == "own", spec.keeps
    pick, offer = make_pick(spec, rule), make_offer(spec)

    @spec.inlined
    def random_playout(self, s, states, ply, row, rng, lines, run):
        """Play from step ``ply`` to the end, into a row of ``lines``; the last of ``states`` is there to try moves."""
        control = run.control
        if not may_begin(control):
            return STOPPED
        if chosen_by_problem:
            copy_stream(run.rng[STREAM_BEFORE], rng)  # where a playout that goes wrong is replayed from
        begin_playout(self, s)
        out, line = lines.out[0], lines.moves[row]
        while True:
            n = list_moves(self, s, out)
            status = check_step(n, ply, control)
            if status != OK:
                return status
            if n == 0:
                break
            status, chosen = pick(self, s, states, out, n, rng, lines, control)
            if status != OK:
                return status
            move = move_at(self, s, out, chosen)
            line[u(ply)] = move
            play(self, s, move)
            ply += 1
        lines.lengths[row] = ply
        score = value(self, s)
        lines.scores[row] = score
        if keeps:
            offer(self, line, run.control[FIRST], ply, score, run)
        return finish_playout(score, run)

    return random_playout


def default_rule(spec: Specialisation) -> str:
    """The default rule of playouts: the problem's own, if it has one."""
    return "uniform" if spec.functions.choose is None else "own"


def make_copy_line(spec: Specialisation) -> Any:
    """Copy the moves of one row of ``lines`` into another, from a step on."""

    @spec.kernel
    def copy_line(lines, source, target, first):
        lines.lengths[target] = lines.lengths[source]
        for ply in range(first, lines.lengths[source]):
            lines.moves[target, u(ply)] = lines.moves[source, u(ply)]

    return copy_line


def make_note_move(spec: Specialisation) -> Any:
    """Copy a move of a level into the rows of the levels below, so that the row of a playout is the whole sequence."""

    @spec.kernel
    def note_move(lines, level, ply, move):
        for below_it in range(level):
            lines.moves[lines.best[below_it], u(ply)] = move
            lines.moves[lines.step[below_it], u(ply)] = move

    return note_move
