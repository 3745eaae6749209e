"""Turns: many proposals for one line at one temperature; which kinds of edits are made how often.

A proposal that is not worse is accepted, a worse one with probability exp(change / temperature): simulated annealing
(Kirkpatrick et al. 1983).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import INFEASIBLE_SCORE, OK
from rookery.kernels.edits import EQUAL, make_proposals
from rookery.kernels.incumbents import COMMON, COMMON_MOST, FIRST, KINDS, NOWHERE, STAMP, TAIL, Incumbents
from rookery.kernels.loose import make_loose
from rookery.kernels.policy import u
from rookery.rng import exp, log, uniform

# Cells of Incumbents.numbers: proposals by kind of edit, those of them that were accepted and changed the score; the
# same without and with common codes; the best score since the last restart; proposals since then; whether keys are
# codes (UNDECIDED: not known yet); a small loss of a climb. Searches have their own behind OWN.
TRIED, WON, COMMON_TRIED, COMMON_WON, BEST, SINCE, CODE_KEYS, LOSS, OWN = 0, 3, 6, 8, 10, 11, 12, 13, 14
UNDECIDED = -1.0

FIRST_LOSS = 0.02
"""The first guess of a loss, in standard deviations of playouts."""
LEAST_SHARE = 0.04
"""The least share of each kind of edit, and of proposals with and without common codes."""
LESS, MORE = 0.95, 1.0027
"""What a loss of a climb is multiplied by if it is more, and if it is less, than that of a proposal: so it settles at
more than one in twenty of them."""
MOST_LOSS = 1e100
LEAST_CHANGE = -40.0
"""Below this the exponential is less than any number that is drawn, except 0."""
FADES = 0.98
"""What is left of the counts after each round."""


class Turns(NamedTuple):
    """The functions of this module, specialised for a problem."""

    turn: Any
    set_shares: Any
    fade: Any
    forget: Any
    set_loss: Any
    decide: Any
    wanted: Any


def make_turns(spec: Specialisation) -> Turns:
    """Turns of proposals, and what is learned from them."""
    make = make_proposals if spec.functions.undo is None else make_loose
    load, propose, keep, leave, compose, learn_line, wanted, forget, kinds = make(spec)

    @spec.kernel
    def turn(self, states, ply, row, code_keys, temperature, count, work, run, rng):
        """Make this many proposals, or the playout that a line begins with if there is none.

        Returns the status, how many proposals were worse, and how many of these were accepted.
        """
        numbers, scores, proposal, best = work.numbers, work.scores, work.lengths.size - 2, work.lengths.size - 1
        worse, taken, begins = 0, 0, work.lengths[row] == NOWHERE
        if begins:
            work.lengths[row] = 0
        status = load(self, states, row, code_keys, work, run)
        if status != OK:
            return status, worse, taken
        for _ in range(count):
            status, kind, common, drew = propose(self, states, ply, row, code_keys, begins, work, run, rng)
            if status != OK:
                return status, worse, taken
            if scores[proposal] > scores[best]:
                scores[best] = scores[proposal]
                compose(row, best, work)
            numbers[SINCE] += 0.0 if begins else 1.0
            if scores[proposal] > numbers[BEST]:
                numbers[BEST], numbers[SINCE] = scores[proposal], 0.0
            change = scores[proposal] - scores[row]
            if abs(change) < EQUAL * (1.0 + abs(scores[row])):
                change = 0.0
            accepted = begins or change >= 0.0
            if not accepted:
                worse += 1
                if temperature == 0.0:
                    if scores[proposal] > INFEASIBLE_SCORE:
                        loss = numbers[LOSS] * (LESS if -change < numbers[LOSS] else MORE)
                        numbers[LOSS] = min(loss, MOST_LOSS)
                else:
                    drawn, x = uniform(rng), change / temperature
                    accepted = drawn < exp(x) if x > LEAST_CHANGE else drawn == 0.0
                    taken += accepted
            if accepted:
                keep(self, states, row, work, run)
            else:
                leave(self, states, row, work)
            if begins:
                return OK, worse, taken
            numbers[TRIED + kind] += 1.0
            won = accepted and change != 0.0
            if won:
                numbers[WON + kind] += 1.0
            if drew:
                numbers[COMMON_TRIED + common] += 1.0
                if won:
                    numbers[COMMON_WON + common] += 1.0
        return learn_line(self, states, row, code_keys, work, run), worse, taken

    @spec.kernel
    def set_shares(work):
        """Shares in proportion to the rate of success, none below LEAST_SHARE."""
        numbers, shares = work.numbers, work.shares
        total = 0.0
        for kind in range(kinds):
            shares[kind] = (numbers[WON + kind] + 1.0) / (numbers[TRIED + kind] + 20.0)
            total += shares[kind]
        kept = 0.0
        for kind in range(kinds):
            shares[kind] = max(LEAST_SHARE, shares[kind] / total)
            kept += shares[kind]
        for kind in range(kinds):
            shares[kind] /= kept
        without = (numbers[COMMON_WON] + 1.0) / (numbers[COMMON_TRIED] + 20.0)
        with_them = (numbers[COMMON_WON + 1] + 1.0) / (numbers[COMMON_TRIED + 1] + 20.0)
        shares[KINDS] = min(max(with_them / (without + with_them), LEAST_SHARE), 1.0 - LEAST_SHARE)

    @spec.kernel
    def fade(work):
        for i in range(TRIED, BEST):
            work.numbers[u(i)] *= FADES

    @spec.kernel
    def set_loss(work):
        """The first guess of a loss: a share of the standard deviation of the first playouts."""
        lines, n, mean, squares = work.row.size, 0, 0.0, 0.0
        for i in range(lines):
            if work.scores[i] > INFEASIBLE_SCORE:
                n += 1
                mean += (work.scores[i] - mean) / n
        for i in range(lines):
            if work.scores[i] > INFEASIBLE_SCORE:
                squares += (work.scores[i] - mean) * (work.scores[i] - mean) / n
        loss = FIRST_LOSS * max(np.sqrt(squares), 1e-6 * (1.0 + abs(mean)))
        work.numbers[LOSS] = loss if loss <= MOST_LOSS else MOST_LOSS  # even where the sum is too large

    @spec.kernel
    def decide(work):
        """The kind of keys whose lines have climbed higher, those of odd lines being codes; moves if both are equal."""
        moves, codes, n = 0.0, 0.0, work.row.size
        for i in range(n):
            if i % 2 == 0:
                moves += work.scores[work.row[i]] / ((n + 1) // 2)
            else:
                codes += work.scores[work.row[i]] / (n // 2)
        work.numbers[CODE_KEYS] = 1.0 if n > 1 and codes > moves else 0.0

    return Turns(turn, set_shares, fade, forget, set_loss, decide, wanted)


def make_ln(spec: Specialisation) -> Any:
    """The logarithm of any positive number."""

    @spec.inlined
    def ln(x):
        return log(x) if x >= 1.0 else -log(1.0 / x)

    return ln


def carry_in(work: Incumbents, carried: dict[str, Any], beginning: list[float]) -> None:
    """Fill the memory of a task with what the task before it has left; without that, with initial values."""
    work.counts[COMMON] = 0
    work.common_slot[:] = COMMON_MOST
    work.row[:] = np.arange(work.row.size)
    work.lengths[:] = -1
    work.scores[-1] = -np.inf
    work.numbers[:] = carried.get("numbers", beginning)
    for i, (moves, score) in enumerate(zip(carried.get("lines", ()), carried.get("scores", ()), strict=True)):
        work.moves[i, : len(moves)] = moves
        work.lengths[i], work.scores[i] = len(moves), score
    codes = np.asarray(carried.get("codes", ())).astype(np.uint64)
    work.counts[COMMON] = codes.size
    work.common_code[: codes.size] = codes
    work.common_weight[: codes.size] = carried.get("weights", ())


def last_moves(work: Incumbents, row: int, loose: bool) -> list[int]:
    """The moves of the last proposal for a line, with those of older ones behind them."""
    if loose:
        slots = work.loose.slot[: max(0, work.lengths[row])]
        stays = work.loose.marked[slots] < work.counts[STAMP]
        return [*work.moves[row, : stays.size][stays].tolist(), *work.loose.tail[: work.counts[TAIL]].tolist()]
    first = int(work.counts[FIRST])
    return [*work.moves[row, :first].tolist(), *work.moves[-2, first:].tolist()]


def carry_out(work: Incumbents) -> dict[str, Any]:
    """What the next task continues from."""
    n = int(work.counts[COMMON])
    rows = [int(row) for row in work.row if work.lengths[row] >= 0]
    return {
        "numbers": work.numbers.tolist(),
        "lines": [work.moves[row, : work.lengths[row]].tolist() for row in rows],
        "scores": [float(work.scores[row]) for row in rows],
        "codes": work.common_code[:n].copy(),
        "weights": work.common_weight[:n].copy(),
    }
