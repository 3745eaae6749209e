"""Tempering: lines that are edited again and again, and exchanged between many temperatures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from rookery.arguments import whole
from rookery.compiler.specialise import Specialisation
from rookery.control import LINE, OK, Signal
from rookery.kernels.memory import Call, Memory
from rookery.kernels.policy import u
from rookery.kernels.turns import BEST, CODE_KEYS, LOSS, OWN, SINCE, UNDECIDED, make_ln, make_turns
from rookery.plans.ladders import Carried, Ladders
from rookery.plans.plan import Plan
from rookery.plans.stored import MOST, Part
from rookery.rng import exp, log_float, mix, seed_stream, uniform
from rookery.search.editing import EditingTask, check_parameters, check_shares, no_lines
from rookery.search.protocol import Search, Setting
from rookery.tasks import Moves, Task

# Cells of Incumbents.numbers: the round; whether the ladder is set; the logarithms of the coldest and the hottest
# temperature; of both, how often they were moved, and the worse proposals since then and those of them that were
# accepted; restarts; the round in which the lines began. Then for each temperature the swaps with the next one that
# were tried and made, and the worse proposals and those of them that were accepted.
ROUND, SET, COLD, MOVED, WORSE, TAKEN, RESTARTS, BEGUN, RUNGS = (OWN + i for i in (0, 1, 2, 4, 6, 8, 10, 11, 12))

RACE, RACED = 10, 4
"""Lines with keys of both kinds climb for this many rounds, and a round for each so many proposals of a round, to see
which is better: 50 rounds of 200 proposals."""
FIRST_SPAN = 5.0
"""The hottest temperature over the coldest, at first."""
LEAST_SPAN = 0.7
"""The least difference between the logarithms of the hottest and the coldest temperature."""
MOST_LOG = 460.0
"""The largest logarithm, positive or negative, of a temperature that the search finds by itself."""
BY_ITSELF, NEVER = 0, -1
"""What the kernel is told instead of a number of proposals."""
LEAST_PATIENCE, TIMES = 500_000.0, 3.0
"""All lines start afresh after this many proposals without a better one, and not before this many times as many as the
best one took to be found."""
STUCK = 0.75
"""A ladder is stuck when it has made this share of those proposals without a better line."""
GAIN, GAIN_ROUNDS = 0.35, 30.0
"""How far a temperature is moved, and after how many moves that has halved."""


@dataclass(frozen=True)
class Tempering(Search):
    """Edits of good lines under replica exchange.

    Each of several lines is changed a little and played again. The new line is kept if it is not worse, and sometimes
    even if it is: the hotter its temperature, the more often. From time to time lines at neighbouring temperatures
    change places. A proposal counts as a playout.

    Parameters
    ----------
    replicas
        number of lines, each at its own temperature
    proposals
        proposals for each line between two exchanges; together they are a round
    rounds
        rounds in one task
    key
        what names a move when lines are compared: the ``"move"`` itself or its ``"code"``; None: whichever does
        better in the first rounds
    cold
        the lowest temperature, in units of the score; None: found by the search
    hot
        the highest temperature, in units of the score; None: found by the search
    patience
        proposals without a better line after which all lines start afresh; 0: never; None: several times as
        many as the best one took to be found
    ladders
        sets of lines that run side by side, each on one worker; one that is stuck takes the best line of its neighbour

    >>> Tempering(replicas=8).key is None
    True
    """

    replicas: int = 10
    proposals: int = 200
    rounds: int = 20
    key: Literal["move", "code"] | None = None
    cold: float | None = None
    hot: float | None = None
    patience: int | None = None
    ladders: int = 1

    name = "tempering"
    twin = "rookery.reference.tempering:temper"
    endless = True
    options = ()

    def __post_init__(self) -> None:
        for name, least, most in (("replicas", 1, 1000), ("proposals", 1, 1 << 30), ("rounds", 1, 1 << 30)):
            whole(name, getattr(self, name), least, most)
        whole("ladders", self.ladders, 1, 10_000)
        if self.patience is not None:
            whole("patience", self.patience, 0, 1 << 62)
        check_parameters(self)

    def smallest_task(self, prefix: Moves) -> Task:
        """One playout."""
        search = replace(self, replicas=1, proposals=1, rounds=1)
        return TemperingTask(search=search, key=0, prefix=prefix, last=1)

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """Lines, how often they change places, and what names a move."""
        return {"replicas": (4, 6, 10, 16), "proposals": (50, 100, 200, 500), "key": (None, "move", "code")}

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """Rounds of ladders."""

        make = partial(TemperingTask, search=self, prefix=setting.prefix, target=setting.target)

        def task(key: int, stage: int, carried: Carried | None) -> TemperingTask:
            return make(key=key, first=stage * self.rounds, last=(stage + 1) * self.rounds, carried=carried)

        return lambda key: Ladders(task, key, self.ladders, None, self.takes_line, self.told, self.figures)

    def takes_line(self, carried: Carried) -> bool:
        """Whether a ladder is stuck: it takes a better line of its neighbour before its own lines are given up.

        >>> Tempering().takes_line({"numbers": [0.0] * RUNGS})
        False
        """
        numbers = carried["numbers"]
        made = (numbers[ROUND] - numbers[BEGUN]) * self.replicas * self.proposals
        limit = self.patience or max(LEAST_PATIENCE, TIMES * (made - numbers[SINCE]))
        stuck: bool = numbers[SINCE] >= STUCK * limit
        return stuck

    def told(self, carried: Carried) -> tuple[str, ...]:
        """Temperatures, how often neighbours change places, and how often worse proposals are accepted.

        >>> numbers = [0.0] * RUNGS + [4.0, 0.0, 1.0, 0.0, 100.0, 100.0, 1.0, 5.0]
        >>> Tempering(replicas=2).told({"numbers": numbers})
        ('T 1 to 1', 'swaps 25%', 'worse accepted 1% to 5%')
        """
        numbers, n = carried["numbers"], self.replicas
        tried, made, worse, taken = (numbers[RUNGS + i * n : RUNGS + (i + 1) * n] for i in range(4))
        cold, hot = (math.exp(x) for x in numbers[COLD : COLD + 2])
        swaps = sum(made) / max(sum(tried), 1e-9)
        ends = [taken[i] / max(worse[i], 1e-9) for i in (0, -1)]
        accepted = f"worse accepted {100 * ends[0]:.2g}% to {100 * ends[1]:.2g}%"
        return f"T {cold:.3g} to {hot:.3g}", f"swaps {swaps:.0%}", accepted

    def figures(self, carried: Carried) -> dict[str, list[float]]:
        """The temperature of each replica, the share of worse proposals that it accepts, and that of its exchanges.

        >>> numbers = [0.0] * RUNGS + [4.0, 0.0, 1.0, 0.0, 100.0, 100.0, 1.0, 5.0]
        >>> Tempering(replicas=2).figures({"numbers": numbers})
        {'temperature': [1.0, 1.0], 'accepted': [0.01, 0.05], 'swaps': [0.25, 0.0]}
        """
        numbers, n = carried["numbers"], self.replicas
        tried, made, worse, taken = (numbers[RUNGS + i * n : RUNGS + (i + 1) * n] for i in range(4))
        cold, hot = numbers[COLD : COLD + 2]
        return {
            "temperature": [round(math.exp(cold + (hot - cold) * i / max(1, n - 1)), 6) for i in range(n)],
            "accepted": [round(t / max(w, 1e-9), 4) for t, w in zip(taken, worse, strict=True)],
            "swaps": [round(m / max(t, 1e-9), 4) for m, t in zip(made, tried, strict=True)],
        }


@dataclass(frozen=True, kw_only=True)
class TemperingTask(EditingTask):
    """The rounds ``first`` to ``last - 1`` of a ladder."""

    first: int = 0
    last: int

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search = self.search
        patience = {None: BY_ITSELF, 0: NEVER}.get(search.patience, search.patience)
        about = (self.first, self.last, np.uint64(self.key), len(self.prefix), search.proposals, patience)
        kernel = "tempering", make_tempering
        return self.called(memory, signal, kernel, search.replicas, RUNGS + 4 * search.replicas, *about)

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        rounds = {"first": self.first, "last": self.last, "replicas": search.replicas, "proposals": search.proposals}
        return {**super().plain(), **rounds, "patience": search.patience}

    def playouts_to(self, left: Carried) -> int:
        """Proposals, and the playouts that lines began with, at first and after each restart."""
        search = self.search
        before = 0.0 if self.carried is None else self.carried["numbers"][RESTARTS]
        begun = int(left["numbers"][RESTARTS] - before) + no_lines(self.carried) - no_lines(left)
        made: int = search.replicas * ((self.last - self.first) * search.proposals + begun)
        return made

    def check_left(self, left: Part) -> None:
        """After a restart there are no lines; temperatures are those given, or those found by the search."""
        search, n = self.search, self.search.replicas
        anew = search.patience != 0 and left["lines"].value == []
        numbers = self.checked(left, RUNGS + 4 * n, 0 if anew else n, self.last >= max(RACE, search.proposals // RACED))
        numbers[ROUND].number(self.last, self.last)
        numbers[SET].number(1.0, 1.0)
        cold, hot = numbers[COLD : COLD + 2]
        if search.cold is None:
            cold.number(-MOST_LOG - LEAST_SPAN, hot.number(-MOST_LOG, MOST_LOG))
        else:
            cold.number(*[_ln(search.cold)] * 2)
            hot.number(*[_ln(search.hot)] * 2)
        for moved in numbers[MOVED : MOVED + 2]:
            moved.number(0.0, MOST)
        check_shares(numbers[WORSE : WORSE + 2], numbers[TAKEN : TAKEN + 2])
        restarts = numbers[RESTARTS].number(float(anew), 0.0 if search.patience == 0 else self.last)
        numbers[RESTARTS].need(restarts.is_integer(), "a whole number")
        begun = numbers[BEGUN].number(restarts, self.last if restarts else 0.0)
        numbers[BEGUN].need(begun.is_integer(), "a whole number")
        for of in (RUNGS, RUNGS + 2 * n):
            check_shares(numbers[of : of + n], numbers[of + n : of + 2 * n])


def _ln(x: float) -> float:
    return log_float(x) if x >= 1.0 else -log_float(1.0 / x)


def make_tempering(spec: Specialisation) -> Any:
    """The kernel of tempering tasks."""
    turn, set_shares, fade, forget, set_loss, decide, wanted = make_turns(spec)
    ln = make_ln(spec)

    @spec.kernel
    def set_ladder(work, cold, hot):
        """The first temperatures: those given, or a small loss and a few times that."""
        numbers = work.numbers
        numbers[SET] = 1.0
        set_loss(work)
        if cold > 0.0:
            numbers[COLD], numbers[COLD + 1] = ln(cold), ln(hot)
            return
        numbers[COLD], numbers[COLD + 1] = ln(numbers[LOSS]), ln(FIRST_SPAN * numbers[LOSS])

    @spec.kernel
    def move_end(numbers, end, worse, taken, shares):
        """Move the coldest or the hottest temperature towards where it accepts its share of worse proposals."""
        share = shares[1] if end == 1 else shares[0]
        numbers[WORSE + end] += worse
        numbers[TAKEN + end] += taken
        if numbers[WORSE + end] * share < 3.0:
            return
        missed = ln(share * numbers[WORSE + end] / (numbers[TAKEN + end] + 0.3))
        gain = GAIN / (1.0 + numbers[MOVED + end] / GAIN_ROUNDS)
        moved = numbers[COLD + end] + gain * min(max(missed, -1.5), 1.5)
        numbers[COLD + end] = min(max(moved, -MOST_LOG), MOST_LOG)
        numbers[COLD] = min(numbers[COLD], numbers[COLD + 1] - LEAST_SPAN)
        numbers[MOVED + end] += 1.0
        numbers[WORSE + end], numbers[TAKEN + end] = 0.0, 0.0

    @spec.inlined
    def temperature_of(numbers, i, replicas):
        share = i / max(1, replicas - 1)
        return exp(numbers[COLD] + (numbers[COLD + 1] - numbers[COLD]) * share)

    @spec.kernel
    def exchange(parity, work, rng):
        """Neighbours change places with probability exp of (1/T - 1/T') (score' - score): Hukushima and Nemoto 1996."""
        replicas, numbers, row = work.row.size, work.numbers, work.row
        for i in range(parity, replicas - 1, 2):
            a, b = row[i], row[i + 1]
            inverse = 1.0 / temperature_of(numbers, i, replicas) - 1.0 / temperature_of(numbers, i + 1, replicas)
            x = inverse * (work.scores[b] - work.scores[a])
            numbers[RUNGS + i] += 1.0
            if x >= 0.0 or uniform(rng) < exp(x):
                row[i], row[i + 1] = b, a
                numbers[RUNGS + replicas + i] += 1.0

    @spec.kernel
    def begin_lines(self, states, ply, cold, hot, work, run, rng):
        """The playouts that lines begin with, at first or after a restart."""
        for i in range(work.row.size):
            status, _, _ = turn(self, states, ply, work.row[i], False, 0.0, 1, work, run, rng)
            if status != OK:
                return status
        if work.numbers[SET] == 0.0:
            set_ladder(work, cold, hot)
        return OK

    def temper(first, last, key, ply, proposals, patience, cold, hot, self, states, work, run):
        """The rounds ``first`` to ``last - 1`` of a ladder."""
        numbers, rng, row, replicas = work.numbers, run.rng[0], work.row, work.row.size
        forget(work, 1.0)
        for number in range(first, last):
            seed_stream(rng, mix(key, number))
            set_shares(work)
            if work.lengths[row[0]] < 0:
                status = begin_lines(self, states, ply, cold, hot, work, run, rng)
                if status != OK:
                    return status
            race = numbers[CODE_KEYS] == UNDECIDED
            for i in range(replicas):
                temperature = 0.0 if race else temperature_of(numbers, i, replicas)
                code_keys = i % 2 == 1 if race else numbers[CODE_KEYS] == 1.0
                run.control[LINE] = row[i]
                status, worse, taken = turn(
                    self, states, ply, row[i], code_keys, temperature, proposals, work, run, rng
                )
                if status != OK:
                    return status
                numbers[u(RUNGS + 2 * replicas + i)] += worse
                numbers[u(RUNGS + 3 * replicas + i)] += taken
                if cold == 0.0 and not race and (i == 0 or i == replicas - 1):
                    move_end(numbers, 1 if i > 0 else 0, worse, taken, wanted(self, row[i], work))
            forget(work, 1.0 - 0.002 * replicas)
            fade(work)
            for i in range(RUNGS, numbers.size):
                numbers[u(i)] *= 0.98
            if race:
                if number + 1 >= max(RACE, proposals // RACED):
                    decide(work)
            else:
                exchange(number % 2, work, rng)
                made = (number + 1.0 - numbers[BEGUN]) * replicas * proposals
                limit = patience
                if patience == BY_ITSELF:
                    limit = max(LEAST_PATIENCE, TIMES * (made - numbers[SINCE]))
                if patience != NEVER and numbers[SINCE] >= limit:
                    work.lengths[:replicas] = -1  # not that of the best line
                    numbers[BEGUN] = number + 1.0
                    numbers[BEST], numbers[SINCE] = -np.inf, 0.0
                    numbers[RESTARTS] += 1.0
            numbers[ROUND] = number + 1.0
        return OK

    return temper
