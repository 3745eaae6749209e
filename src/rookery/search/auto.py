"""Auto: a portfolio of searches under one budget, for whoever does not want to choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rookery.arguments import whole
from rookery.control import Signal
from rookery.kernels.memory import Call, Memory
from rookery.plans.plan import Plan
from rookery.plans.portfolio import Arm, Portfolio, Unit
from rookery.plans.restarts import Restarts
from rookery.rng import mix_int
from rookery.search.nrpa import NRPA
from rookery.search.protocol import Cost, Search, Setting
from rookery.search.tempering import Tempering
from rookery.stop import Stop
from rookery.tasks import Moves, Task, Worker

LADDERS = 2
"""Sets of lines, where neither the user nor the number of workers says how many."""
UNKNOWN = 1_000_000
"""The budget, in playouts, of a run whose limits are neither playouts nor time."""
CLIMB, STEPS = 2_000, 20
"""With fewer playouts in all, each worker improves a line as far as it goes, in about this many steps."""
COLDEST = 1e-100
"""A temperature at which nothing worse is accepted."""
CHEAPER = 3
"""About how many proposals can be made in the time of a playout, where time is the budget."""
RUNGS = ((1_000_000, 10, 200), (150_000, 6, 100), (24_000, 4, 50), (0, 4, 20))
"""From how many proposals on a ladder has so many replicas, and proposals between exchanges: finding out what names a
move takes about a tenth of the budget at most."""
TASKS, ROUNDS = 200, 20
"""About how many tasks of tempering fit into the budget; the most rounds of one."""
LEVELS = ((20_000_000, 4), (50_000, 3), (0, 2))
"""From how many playouts on NRPA has which level. A run need not end: the top level learns from its first calls on."""
LARGER_TASKS = 500_000
"""From how many playouts on a task of NRPA is a call of level 2: with fewer, few of them would fit into the budget."""
MEASURED, MEASURING = 100, 0.02
"""How many playouts are measured at most, where the budget is time, and the share of it that this may take."""


@dataclass(frozen=True)
class Auto(Search):
    """A portfolio: tempering and NRPA are tried with a part of the budget, and what finds more gets the rest.

    Where the problem has a bias, NRPA is also tried without it; where it has several, also with weights that it learns.

    The budget is what ``stop`` of the run says: playouts or time, a million playouts if neither. With a limit on
    playouts no clock enters a decision, and the same seed gives the same answer on any workers. ``result.decisions``
    says what was tried and why it went on as it did.

    Parameters
    ----------
    ladders
        sets of lines of tempering that run side by side, each on one worker; None: as many as workers where the budget
        is time, else 2; the result names the number

    >>> import rookery as rk
    >>> result = rk.solve(rk.problems.LeftMove(depth=12), rk.Auto(), stop=rk.MaxPlayouts(3000), seed=1)
    >>> result.score, result.decisions[0]
    (12.0, 'try tempering, NRPA of level 2')
    """

    ladders: int | None = None

    name = "auto"
    endless = True
    options = ()

    def __post_init__(self) -> None:
        if self.ladders is not None:
            whole("ladders", self.ladders, 1, 10_000)

    def smallest_task(self, prefix: Moves) -> Task:
        """A playout of tempering; those of the others are compiled with it."""
        return FirstTask(search=self, key=0, prefix=prefix)

    def fitted(self, setting: Setting) -> Auto:
        """As many ladders as workers, if the clock may decide."""
        if self.ladders is not None:
            return self
        return replace(self, ladders=setting.workers if _by_clock(setting.stop) else LADDERS)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """A portfolio of what fits the budget."""
        playouts, budget, unit = self._budget(setting)

        def arms(key: int, playouts: float, unit: Unit) -> list[Arm]:
            return [
                Arm(name, search.name, partial(_plan, search, setting, playouts, mix_int(key, number)))
                for number, (name, search) in enumerate(self._searches(playouts, unit, setting.worker).items())
            ]

        return lambda key: Portfolio(
            partial(arms, key), playouts, budget, unit, lambda score: f"{setting.sign * score:g}"
        )

    def _budget(self, setting: Setting) -> tuple[float, float, Unit]:
        """How many playouts there may be, and the budget: those, or the seconds of all workers together."""
        stop = setting.stop
        if not _by_clock(stop):
            playouts = UNKNOWN if stop.playouts is None else stop.playouts
            return playouts, playouts, "playouts"
        assert stop.time is not None
        seconds = stop.time * setting.workers
        return seconds / _cost_of_playout(setting), seconds, "seconds"

    def _searches(self, playouts: float, unit: Unit, worker: Worker) -> dict[str, Search]:
        """What is tried, by names for people."""
        ladders = self.ladders or LADDERS
        if playouts < CLIMB:
            lines = ladders if unit == "seconds" else 1
            proposals = min(max(1, round(playouts / lines / STEPS)), STEPS)
            only = Tempering(1, proposals, rounds=1, key="move", cold=COLDEST, hot=COLDEST, ladders=lines)
            return {"a climb": only}
        made = playouts * (CHEAPER if unit == "seconds" else 1) / ladders
        replicas, proposals = next((n, m) for least, n, m in RUNGS if made >= least)
        rounds = min(max(1, round(made / TASKS / replicas / proposals)), ROUNDS)
        level = next(level for least, level in LEVELS if playouts >= least)
        return {
            "tempering": Tempering(replicas, proposals, rounds, ladders=ladders),
            **{f"NRPA of level {level}{how}": search for how, search in _ways(worker, level).items()},
        }


def _ways(worker: Worker, level: int = 1) -> dict[str, NRPA]:
    """NRPA as the problem has it, and where that has biases also without them, and with weights of their own."""
    ways = {"": NRPA(level=level)}
    if worker.has("bias"):
        ways[" without bias"] = NRPA(level=level, bias_scale=0.0)
    if worker.has("biases"):
        ways[" with learned biases"] = NRPA(level=level, learn_bias=True)
    return ways


def _by_clock(stop: Stop) -> bool:
    """Whether the budget is time."""
    return stop.playouts is None and stop.time is not None


def _plan(search: Search, setting: Setting, playouts: float, key: int) -> Plan:
    """The plan of an arm; a search that ends begins anew."""
    level = getattr(search, "level", 0)
    largest = 2 if playouts >= LARGER_TASKS else 1
    planner = search.planner(replace(setting, atomic_level=min(largest, max(1, level - 1)) if level else None))
    return planner(key) if search.endless else Restarts(lambda number: planner(mix_int(key, number)), None)


def _cost_of_playout(setting: Setting) -> float:
    """Seconds of a playout: of the first one, or of as many as take a small part of the time."""
    assert setting.stop.time is not None
    cost = Cost(setting.worker, setting.prefix)
    first, _ = cost.seconds(NRPA().smallest_task(setting.prefix))
    count = min(MEASURED, int(MEASURING * setting.stop.time / first))
    if count < 2:
        return first
    seconds, playouts = cost.seconds(NRPA().smallest_task(setting.prefix, count))
    return min(first, seconds / playouts)


@dataclass(frozen=True, kw_only=True)
class FirstTask(Task):
    """A playout; whoever computes it gets ready for all searches of a portfolio."""

    def _smallest(self, search: Search) -> Task:
        return replace(search.smallest_task(self.prefix), budget=self.budget, keep=self.keep)

    def warm(self, worker: Any) -> None:
        """Compile what the tasks of all need."""
        for search in (Tempering(), *_ways(worker).values()):
            worker.warm(self._smallest(search))

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the first."""
        call: Call = self._first().call(memory, signal)
        return call

    def _first(self) -> Task:
        return replace(self._smallest(Tempering()), key=self.key, target=self.target)

    @property
    def twin(self) -> str | None:
        """That of the first."""
        return self._first().twin

    def plain(self) -> dict[str, Any]:
        """What the twin of the first is given."""
        return self._first().plain()
