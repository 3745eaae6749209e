"""Independent playouts: iterative sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rookery.arguments import Rule
from rookery.compiler.specialise import Specialisation
from rookery.control import OK, Signal
from rookery.kernels.buffers import PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Memory
from rookery.kernels.repeat import Repeat
from rookery.kernels.rules import make_copy_line, make_random_playout
from rookery.plans.independent import Samples
from rookery.plans.plan import Plan
from rookery.rng import mix, seed_stream
from rookery.search.protocol import CHUNK_SECONDS, Cost, RuleSearch, Setting
from rookery.tasks import Moves, Task

MEASURED = 100
"""How many playouts are measured, if they are fast."""


@dataclass(frozen=True)
class Sampling(RuleSearch):
    """Independent playouts, of which the best is kept.

    Parameters
    ----------
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> Sampling(rule="mobility")
    Sampling(rule='mobility')
    """

    rule: Rule | None = None

    name = "sampling"
    twin = "rookery.reference.playout:sampled"
    endless = True
    options = ()

    def __post_init__(self) -> None:
        self.check_rule()

    def smallest_task(self, prefix: Moves) -> SamplingTask:
        """One playout."""
        return SamplingTask(search=self, key=0, prefix=prefix, first=0, last=1)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """Chunks of playouts."""
        one = self.smallest_task(setting.prefix)
        playout = Cost(setting.worker, setting.prefix).playout(one, replace(one, last=MEASURED))
        chunk = max(1, int(CHUNK_SECONDS / max(playout, 1e-7)))
        task = partial(SamplingTask, search=self, prefix=setting.prefix, target=setting.target)
        return lambda key: Samples(lambda first, last: task(key=key, first=first, last=last), chunk)


@dataclass(frozen=True, kw_only=True)
class SamplingTask(Task):
    """The playouts ``first`` to ``last - 1`` of a run."""

    first: int
    last: int

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        states, lines, run = memory.states, memory.lines, memory.assign(self, signal)
        ply, rule = len(self.prefix), self.search.rule

        def again(by: Any) -> Any:
            return by.playout(states[0], lines.moves[lines.best[0], ply:], ply, rule, run.rng[STREAM_BEFORE])

        return Call(
            kernel=self.search.by_rule("sampling", make_sampling, memory.spec),
            arguments=(self.first, self.last, np.uint64(self.key), ply, memory.constants, states, lines, run),
            again=again,
            found=lambda: memory.line(lines.step[0], ply),
            repeat=Repeat(2, lines.scores, lines.step, 0),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        return {"first": self.first, "last": self.last, "key": self.key, "rule": self.search.rule}


def make_sampling(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of sampling tasks: the playouts ``first`` to ``last - 1`` of a run."""
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    def sample(first, last, key, ply, self, states, lines, run):
        """Each playout draws from a stream of its own; the best is left in its row, the first of equals."""
        last_row, best_row = lines.best[0], lines.step[0]
        lines.scores[best_row] = -np.inf
        for i in range(first, last):
            seed_stream(run.rng[PLAYOUT_STREAM], mix(key, i))
            states[1] = states[0]
            status = random_playout(self, states[1], states, ply, last_row, run.rng[PLAYOUT_STREAM], lines, run)
            if status != OK:
                return status
            if lines.scores[last_row] > lines.scores[best_row]:
                lines.scores[best_row] = lines.scores[last_row]
                copy_line(lines, last_row, best_row, ply)
        return OK

    return sample
