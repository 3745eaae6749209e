"""Annealing: lines that are edited under a falling temperature, fewer and fewer of them as it falls."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from rookery.arguments import whole
from rookery.compiler.specialise import Specialisation
from rookery.control import LINE, OK, Signal
from rookery.errors import InputError
from rookery.kernels.memory import Call, Memory
from rookery.kernels.turns import CODE_KEYS, LOSS, OWN, UNDECIDED, make_ln, make_turns
from rookery.plans.ladders import Carried, Ladders
from rookery.plans.plan import Plan
from rookery.plans.stored import Part
from rookery.rng import exp, mix, seed_stream
from rookery.search.editing import EditingTask, check_parameters
from rookery.search.protocol import Search, Setting
from rookery.tasks import Moves, Task

UNKNOWN, MOST = 100_000, 1 << 60
"""Playouts of a run that nothing limits but its own end, and the most that it may have."""
MEASURED, MEASURING, AT_MOST, USED = 200, 0.015, 0.06, 0.95
"""Playouts of the first small run by which time is turned into playouts, each later one having four times as many;
the share of the time that the last of them takes, and that all of them take at most; and the share of the rest that
the run itself should take."""
STAGES = 16
"""Tasks of a run; each makes the same number of proposals. The first is a climb: nothing worse is accepted."""
TURN = 200
"""Proposals for a line before the next has its turn."""
HOT, COLD = 2.0, 0.2
"""The first and the last temperature, in small losses of the climb."""


@dataclass(frozen=True)
class Annealing(Search):
    """Edits of good lines under a falling temperature.

    Several lines are changed a little, again and again. The later a change for the worse comes, the more rarely it is
    kept. From time to time the worse half of the lines is dropped.

    Parameters
    ----------
    playouts
        approximate number of playouts in one run; the temperature falls over all of them; None: as many as the
        limits of the run allow
    population
        number of lines at the start, a power of two
    key
        what names a move when lines are compared: the ``"move"`` itself or its ``"code"``; None: whichever does
        better at first
    cold
        the last temperature, in units of the score; None: found by the search
    hot
        the first temperature, in units of the score; None: found by the search

    >>> Annealing(playouts=50_000).population
    8
    """

    playouts: int | None = field(default=None, metadata={"option": "games"})
    population: int = 8
    key: Literal["move", "code"] | None = None
    cold: float | None = None
    hot: float | None = None

    name = "annealing"
    twin = "rookery.reference.annealing:anneal"

    def __post_init__(self) -> None:
        if self.playouts is not None:
            whole("playouts", self.playouts, 1, MOST)
        whole("population", self.population, 1, 1 << 12)
        if self.population & (self.population - 1):
            raise InputError(f"population must be a power of two, got {self.population}")
        check_parameters(self)

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """The length of a run, how many lines it begins with, and what names a move."""
        return {
            "playouts": (None, 10_000, 30_000, 100_000, 300_000, 1_000_000),
            "population": (1, 4, 16),
            "key": (None, "move", "code"),
        }

    def living(self, stage: int) -> int:
        """How many lines a stage has: halved again and again, at equal distances.

        >>> [Annealing(population=4).living(stage) for stage in (0, 5, 6, 10, 11, 15)]
        [4, 4, 2, 2, 1, 1]
        """
        return self.population >> (stage * self.population.bit_length() // STAGES)

    def smallest_task(self, prefix: Moves) -> Task:
        """A playout and a proposal."""
        return AnnealingTask(search=replace(self, playouts=1, population=1), key=0, prefix=prefix)

    def fitted(self, setting: Setting) -> Annealing:
        """One run takes all playouts, or about all of the time where that is the only limit: no clock decides else."""
        if self.playouts is not None:
            return self
        stop = setting.stop
        if stop.playouts is not None or stop.time is None:
            return replace(self, playouts=UNKNOWN if stop.playouts is None else max(1, stop.playouts))
        keys = [replace(self, key=key) for key in ("move", "code")] if self.key is None else [self]
        fits = min(of._in_time(setting, stop.time / len(keys)) for of in keys)  # one may be far slower than the other
        return replace(self, playouts=min(len(keys) * fits, MOST))

    def _in_time(self, setting: Setting, seconds: float) -> int:
        """About how many playouts a run can have: small ones, each of them larger than the last, tell."""
        playouts, spent = MEASURED, 0.0
        while True:
            small, took, made, carried = replace(self, playouts=playouts), 0.0, 0, None
            for stage in range(STAGES):
                task = AnnealingTask(search=small, key=0, prefix=setting.prefix, stage=stage, carried=carried)
                began = time.perf_counter()
                outcome = setting.worker.run(task, Signal())
                took += time.perf_counter() - began
                made, carried = made + outcome.playouts, outcome.value
                if spent + took > AT_MOST * seconds:
                    break
            spent += took
            if took > MEASURING * seconds or spent > AT_MOST * seconds:
                return min(max(1, int(USED * (seconds - spent) * made / took)), MOST)
            playouts *= 4

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """The stages, one after the other."""
        task = partial(AnnealingTask, search=self, prefix=setting.prefix, target=setting.target)
        return lambda key: Ladders(
            lambda key, stage, carried: task(key=key, stage=stage, carried=carried), key, 1, STAGES
        )


@dataclass(frozen=True, kw_only=True)
class AnnealingTask(EditingTask):
    """A stage of a run."""

    stage: int = 0

    @property
    def proposals(self) -> int:
        """Proposals for each line in this stage."""
        search = self.search
        playouts = UNKNOWN if search.playouts is None else search.playouts
        return max(1, (playouts - search.population) // STAGES // search.living(self.stage))

    @property
    def after(self) -> int:
        """How many lines are left for the next stage; at the end, one."""
        return self.search.living(self.stage + 1) if self.stage + 1 < STAGES else 1

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search = self.search
        living, ply = search.living(self.stage), len(self.prefix)
        about = (self.stage, np.uint64(self.key), ply, self.proposals, living, self.after)
        return self.called(memory, signal, ("annealing", make_annealing), search.population, OWN, *about)

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        living = {"living": self.search.living(self.stage), "after": self.after}
        return {**super().plain(), "stage": self.stage, "stages": STAGES, "proposals": self.proposals, **living}

    def playouts_to(self, left: Carried) -> int:
        """Proposals, and at first the playouts with which lines have begun."""
        search = self.search
        made: int = search.living(self.stage) * self.proposals + (search.population if self.stage == 0 else 0)
        return made

    def check_left(self, left: Part) -> None:
        """As many lines as the next stage has."""
        self.checked(left, OWN, self.after, decided=True)


def make_annealing(spec: Specialisation) -> Any:
    """The kernel of annealing tasks."""
    turn, set_shares, fade, forget, set_loss, decide, _ = make_turns(spec)
    ln = make_ln(spec)

    @spec.kernel
    def give_up_worst(work, after):
        """Drop the worst lines until ``after`` are left; of equals the last."""
        left = 0
        for i in range(work.row.size):
            left += work.lengths[i] >= 0
        while left > after:
            worst = -1
            for i in range(work.row.size):
                if work.lengths[i] >= 0 and (worst < 0 or work.scores[i] <= work.scores[worst]):
                    worst = i
            work.lengths[worst] = -1
            left -= 1

    def anneal(stage, key, ply, proposals, living, after, cold, hot, self, states, work, run):
        """A stage: all lines take turns, then the worst of them are dropped."""
        numbers, rng = work.numbers, run.rng[0]
        forget(work, 1.0)
        seed_stream(rng, mix(key, stage))
        if stage == 0:
            for i in range(living):
                status, _, _ = turn(self, states, ply, i, False, 0.0, 1, work, run, rng)
                if status != OK:
                    return status
            set_loss(work)
        race = numbers[CODE_KEYS] == UNDECIDED
        begin = ln(hot) if hot > 0.0 else ln(HOT * numbers[LOSS])
        end = ln(cold) if cold > 0.0 else ln(COLD * numbers[LOSS])
        rounds = (proposals + TURN - 1) // TURN
        for number in range(rounds):
            set_shares(work)
            past = (stage - 1 + number / rounds) / (STAGES - 1)
            temperature = 0.0 if stage == 0 else exp(begin + (end - begin) * past)
            for i in range(living):
                run.control[LINE] = i
                code_keys = i % 2 == 1 if race else numbers[CODE_KEYS] == 1.0
                count = min(TURN, proposals - TURN * number)
                status, _, _ = turn(self, states, ply, i, code_keys, temperature, count, work, run, rng)
                if status != OK:
                    return status
            forget(work, 1.0 - 0.002 * living)
            fade(work)
        if race:
            decide(work)
        give_up_worst(work, after)
        return OK

    return anneal
