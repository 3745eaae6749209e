"""Beam search, and Monte Carlo beam search (Cazenave 2012)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from rookery.arguments import Rule, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_ESTIMATE, FIRST, FULL, LINE, OK, PLY, Signal
from rookery.errors import InputError
from rookery.kernels.beam import BASE, CUT, NODES, make_keep_best, trace_back
from rookery.kernels.buffers import PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Memory
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.kernels.rating import make_rate
from rookery.kernels.repeat import Repeat
from rookery.plans.independent import LastTask
from rookery.plans.plan import Plan
from rookery.rng import seed_stream
from rookery.search.protocol import RuleSearch, Setting
from rookery.tasks import Moves, Task

WIDEST = 1 << 18
"""The width up to which restarts make a beam wider."""
MOST_WIDTH = 1 << 24
ROOT, CHILD, LEVELS = 1, 2, 4
"""States of the kernel's memory: where the search begins, what a move leads to; how many there are."""


@dataclass(frozen=True)
class BeamSearch(RuleSearch):
    """Beam search: of all states that one more move leads to, the best are kept, and so on, move by move.

    States are rated by the problem's own ``estimate``; or, in Monte Carlo beam search (Cazenave 2012), by the best of
    some playouts. Finished states are scored, and do not take part. Of states with the same ``key``, if the problem has
    one, only the best is kept. Each restart doubles the width.

    Parameters
    ----------
    width
        number of states that are kept of each ply
    playouts
        playouts that rate a state; 0: the problem's ``estimate`` does
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> BeamSearch(width=100, playouts=0).restarted(2)
    BeamSearch(width=400, playouts=0, rule=None)
    """

    width: int = 10
    playouts: int = field(default=1, metadata={"option": "games", "least": 0})
    rule: Rule | None = None

    name = "beam"
    twin = "rookery.reference.beam:beam_search"

    def __post_init__(self) -> None:
        whole("width", self.width, 1, MOST_WIDTH)
        whole("playouts", self.playouts, 0, 1 << 40)
        self.check_rule()
        if self.rule is not None and self.playouts == 0:
            raise InputError(f"rule goes with playouts that rate states, got rule={self.rule!r} and playouts=0")

    def check(self, problem: Any) -> None:
        """Refuse a problem that cannot rate its states if it has to."""
        super().check(problem)
        if self.playouts == 0 and not hasattr(problem, "estimate"):
            name = type(problem).__name__
            raise InputError(f"playouts must be at least 1 unless the problem defines estimate, got 0 for {name}")

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """How wide it begins, and how states are rated."""
        estimated = (0,) if hasattr(problem, "estimate") else ()
        return {"width": (1, 4, 16, 64, 256, 1024), "playouts": (*estimated, 1, 4, 16)}

    # --- a run ---

    def smallest_task(self, prefix: Moves) -> Task:
        """A beam of one state."""
        search = replace(self, width=1, playouts=min(self.playouts, 1))
        return BeamTask(search=search, key=0, prefix=prefix)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """One task."""
        task = partial(BeamTask, search=self, prefix=setting.prefix, target=setting.target)
        return lambda key: LastTask(task(key=key))

    def restarted(self, number: int) -> BeamSearch:
        """The search with the width that it has in a restart."""
        width = max(self.width, min(self.width << min(number, WIDEST.bit_length()), WIDEST))
        return replace(self, width=width)

    def plans(self, setting: Setting) -> Callable[[int, int], Plan]:
        """The plans of restarts, each twice as wide as the one before."""
        return lambda number, key: self.restarted(number).planner(setting)(key)


@dataclass(frozen=True, kw_only=True)
class BeamTask(Task):
    """A beam from the state after the prefix; the value of its outcome: whether a wider one would be of no use."""

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, ply = self.search, len(self.prefix)
        run, work = memory.assign(self, signal, LEVELS), memory.beam(search.width)
        states, lines = memory.states, memory.lines

        def again(by: Any) -> Any:
            step, rng, rule = int(run.control[PLY]), run.rng[STREAM_BEFORE], search.rule
            node, line = work.states[run.control[LINE]], lines.moves[lines.best[0], step:]
            return by.estimates(node, step) if search.playouts == 0 else by.children(node, line, step, rule, rng)

        return Call(
            kernel=("beam", partial(make_beam, estimated=True))
            if search.playouts == 0
            else search.by_rule("beam_playouts", make_beam, memory.spec),
            arguments=(
                *(search.width, search.playouts, np.uint64(self.key), ply),
                *(memory.constants, states, lines, work, run),
            ),
            again=again,
            found=lambda: memory.line(lines.step[0], ply),
            carried=lambda: search.playouts == 0 and bool(work.facts[CUT] == 0 or search.width >= WIDEST),
            start=ROOT,
            grow=memory.widen,
            repeat=Repeat(2, lines.scores, lines.step, 0),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "width": search.width,
            "widest": WIDEST,
            "playouts": search.playouts,
            "key": self.key,
            "rule": search.rule,
            **search.own_parameters(),
        }


def make_beam(spec: Specialisation, rule: str | None = None, estimated: bool = False) -> Any:
    """The kernel of beam search, with states rated by playouts, or ``estimated`` by the problem."""
    functions = spec.functions
    list_moves, move_at, play = functions.list_moves, functions.move_at, functions.play
    estimate, key_of, keyed = functions.estimate, functions.key, functions.key is not None
    rate, keep_best = make_rate(spec, rule), make_keep_best(spec)

    @spec.kernel
    def judge(playouts, ply, self, states, lines, run):
        """Status, whether the child is finished, and its rating; one that is finished is scored."""
        first, best_row, child = run.control[FIRST], lines.step[0], states[CHILD]
        n = list_moves(self, child, lines.out[0])
        status = check_step(n, ply, run.control)
        if status != OK:
            return status, True, 0.0
        if n == 0:
            status, score = rate(1, child, ply, first, best_row, self, states, lines, run)
            return status, True, score
        if estimated:
            rating = estimate(self, child)
            return BAD_ESTIMATE if np.isnan(rating) else OK, False, rating
        status, rating = rate(playouts, child, ply, first, best_row, self, states, lines, run)
        return status, False, rating

    @spec.kernel
    def expand(at, n, width, playouts, ply, self, states, lines, work, run):
        """Status, how many candidates are kept, and their row: from ``n`` states at step ``ply``, from ``at`` on."""
        control, line, out, room = run.control, lines.moves[lines.best[0]], lines.out[1], work.states.size // 2
        row, count, floor = 0, 0, -np.inf
        for i in range(n):
            s = work.states[u(at + i)]
            control[PLY], control[LINE] = ply, at + i
            legal = list_moves(self, s, out)
            status = check_step(legal, ply, control)
            if status != OK:
                return status, count, row
            if count + legal > work.of.shape[1]:
                count, row = keep_best(work, row, count, width), 1 - row
                if count > room:
                    return FULL, count, row
                if count == width:
                    floor = work.rating[row, u(count - 1)]
            trace_back(work, work.facts[BASE] + i, control[FIRST], ply, line)
            for k in range(legal):
                move = move_at(self, s, out, k)
                line[u(ply)] = move
                states[CHILD] = s
                play(self, states[CHILD], move)
                status, finished, rating = judge(playouts, ply + 1, self, states, lines, run)
                if status != OK:
                    return status, count, row
                if finished:
                    continue
                if rating <= floor:
                    work.facts[CUT] = 1
                    continue
                work.of[row, u(count)], work.by[row, u(count)], work.rating[row, u(count)] = i, move, rating
                if keyed:
                    work.key[row, u(count)] = u(np.int64(key_of(self, states[CHILD])))
                count += 1
        count, row = keep_best(work, row, count, width), 1 - row
        return FULL if count > room else OK, count, row

    def beam(width, playouts, key, ply, self, states, lines, work, run):
        """From ``states[ROOT]``; the best line is left in the row of all playouts, the first of equals."""
        facts, room = work.facts, work.states.size // 2
        lines.scores[lines.step[0]] = -np.inf
        seed_stream(run.rng[PLAYOUT_STREAM], key)
        facts[CUT], facts[BASE], facts[NODES] = 0, 0, 1
        run.control[PLY], run.control[LINE] = ply, 0
        work.states[0] = states[ROOT]
        states[CHILD] = states[ROOT]
        at, n = 0, 1
        if list_moves(self, states[ROOT], lines.out[0]) == 0:
            return judge(playouts, ply, self, states, lines, run)[0]
        while n > 0:
            status, n_next, row = expand(at, n, width, playouts, ply, self, states, lines, work, run)
            if status != OK:
                return status
            for j in range(n_next):
                of, move = work.of[row, u(j)], work.by[row, u(j)]
                work.states[u(room - at + j)] = work.states[u(at + of)]
                play(self, work.states[u(room - at + j)], move)
                work.parent[u(facts[NODES] + j)], work.move[u(facts[NODES] + j)] = facts[BASE] + of, move
            facts[BASE] = facts[NODES]
            facts[NODES] += n_next
            at, n = room - at, n_next
            ply += 1
        return OK

    return beam
