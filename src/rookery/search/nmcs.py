"""Nested Monte Carlo Search (Cazenave 2009)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rookery.arguments import MOST_LEVEL, Rule, flag, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import OK, PLY, STOPPED, Signal
from rookery.errors import InputError
from rookery.kernels.buffers import PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Kernel, Memory
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.kernels.repeat import Repeat
from rookery.kernels.rules import make_copy_line, make_note_move, make_random_playout
from rookery.plans.nested_calls import Branch, NestedCall, Steps
from rookery.plans.nested_steps import NestedSteps
from rookery.plans.plan import Plan
from rookery.rng import below, mix, seed_stream
from rookery.search.protocol import Cost, RuleSearch, Setting, highest_level
from rookery.stop import Stop
from rookery.tasks import Moves, Task


@dataclass(frozen=True)
class NMCS(RuleSearch):
    """Nested Monte Carlo Search (Cazenave 2009, section 3; Rosin 2011, Figure 1).

    Parameters
    ----------
    level
        depth of the nesting; level 0 is a playout
    memorise
        follow the best sequence found so far unless a step finds a better one
    ties
        which of several equal moves is played: the ``"first"``, or one at ``"random"``
    sample
        try this many children at each step, drawn with replacement (Rosin 2011, section 4.1), instead of all
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> NMCS(level=2).memorise
    True
    """

    level: int = 3
    memorise: bool = True
    ties: Literal["first", "random"] = "first"
    sample: int | None = None
    rule: Rule | None = None

    name = "nmcs"
    twin = "rookery.reference.nmcs:nmcs"
    options = ("restarts", "runs", "atomic_level")

    def __post_init__(self) -> None:
        whole("level", self.level, 1, MOST_LEVEL)
        flag("memorise", self.memorise)
        if not (isinstance(self.ties, str) and self.ties in ("first", "random")):
            raise InputError(f'ties must be "first" or "random" for NMCS, got {shown(self.ties)}')
        if self.sample is not None:
            whole("sample", self.sample, 1, 1 << 20)
        self.check_rule()

    @classmethod
    def cazenave(cls, level: int = 3, memorise: bool = True) -> NMCS:
        """The settings of Cazenave 2009: a random choice among equal moves.

        >>> NMCS.cazenave(2).ties
        'random'
        """
        return cls(level=level, memorise=memorise, ties="random")

    @classmethod
    def rosin(cls, level: int = 3, sample: int | None = None) -> NMCS:
        """The settings of Rosin 2011: the first of equal moves; ``sample`` for Sample-k NMCS.

        >>> NMCS.rosin(4, sample=5).sample
        5
        """
        return cls(level=level, sample=sample)

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """Level, memory, and how many children are tried."""
        return {"level": (1, 2, 3, 4), "memorise": (True, False), "sample": (None, 3, 10, 30)}

    # --- a run ---

    def kernel(self, spec: Specialisation) -> Kernel:
        """The kernel of its tasks."""
        return self.by_rule("nmcs", make_nmcs, spec)

    def smallest_task(self, prefix: Moves) -> Task:
        """A call of level 1."""
        return NMCSTask(search=replace(self, level=1), key=0, prefix=prefix, level=1)

    def atomic_level(self, cost: Cost, stop: Stop, given: int | None, workers: int) -> int | None:
        """The highest level whose call takes no longer than a task may."""
        if given:
            return given
        seconds, playouts = cost.seconds(self.smallest_task(cost.prefix))
        level = 1
        calls = self.calls(playouts)
        while level < highest_level(self.level, workers) and seconds * calls <= cost.most:
            level += 1
            seconds *= calls
        return level

    def calls(self, playouts: int) -> float:
        """About how many nested calls a call makes, if one of level 1 makes so many playouts."""
        return playouts / 2

    def steps(self, target: float = float("inf")) -> Steps:
        """What the plan knows about the search: the children of a step are its moves, or some of them."""

        def branches(call: NestedCall, moves: Moves, tasks: bool) -> tuple[Branch, ...]:
            if self.sample is not None:
                moves = tuple(moves[call.stream.below(len(moves))] for _ in range(self.sample))
            return tuple(((move,), 1) for move in moves)

        def fits(call: NestedCall, moves: Moves) -> bool:
            if self.sample is None:
                return call.tried == tuple((move,) for move in moves)
            return len(call.tried) == self.sample and all(len(one) == 1 and one[0] in moves for one in call.tried)

        def task(level: int, prefix: Moves, key: int, children: tuple[int, int] | None) -> Task:
            return NMCSTask(search=self, key=key, prefix=prefix, target=target, level=level)

        return Steps(self.level, self.memorise, self.ties == "random", branches, fits, task)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """The children of a step side by side, above the atomic level."""
        steps, atomic = self.steps(setting.target), setting.atomic_level or 1
        return lambda key: NestedSteps(steps, setting.worker, key, atomic, setting.prefix)


@dataclass(frozen=True, kw_only=True)
class NMCSTask(Task):
    """A nested call of some level from the state after the prefix."""

    level: int

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, level = self.search, self.level
        sample = search.sample or 0
        run = memory.assign(self, signal, level + 2, sample)
        states, lines = memory.states, memory.lines

        def again(by: Any) -> Any:
            ply, rng = int(run.control[PLY]), run.rng[STREAM_BEFORE]
            line = lines.moves[lines.best[0], ply:]
            nodes = (by.children(states[i], line, ply, search.rule, rng) for i in range(1, level + 1))
            return next((fault for fault in nodes if fault is not None), None)

        return Call(
            kernel=search.kernel(memory.spec),
            arguments=(
                *(level, np.uint64(self.key), len(self.prefix), memory.constants, states, lines, run),
                *(search.memorise, search.ties == "random", sample),
            ),
            again=again,
            found=lambda: memory.line(lines.best[level], len(self.prefix)),
            start=level,
            repeat=Repeat(1, lines.scores, lines.best, level),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "level": self.level,
            "key": self.key,
            "memorise": search.memorise,
            "random_ties": search.ties == "random",
            "sample": search.sample or 0,
            "rule": search.rule,
            **search.own_parameters(),
        }


def make_nmcs(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of NMCS tasks: a nested call of some level from a state."""
    nested = make_nested(spec, rule)

    def nmcs_task(level, key, ply, self, states, lines, run, memorise, random_ties, sample):
        """A nested call from ``states[level]``."""
        return nested(level, key, ply, self, states, lines, run, memorise, random_ties, sample)

    return nmcs_task


def make_nested(spec: Specialisation, rule: str | None, narrow: Any = None) -> Any:
    """A nested call; with ``narrow``, it tries only the moves that this leaves at a step."""
    functions, lazy = spec.functions, narrow is not None
    moves, play, value = functions.moves, functions.play, functions.value
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)
    note_move, keeps = make_note_move(spec), spec.keeps

    @spec.kernel
    def nested(level, key, ply, self, states, lines, run, memorise, random_ties, sample):
        """Rosin 2011, Figure 1; Cazenave 2009, section 3: from ``states[level]``, into the row of the level's best."""
        best_row, step_row, child_row = lines.best[level], lines.step[level], lines.best[level - 1]
        # A level-1 call makes its own choices from the stream that its playouts draw from.
        rng = run.rng[PLAYOUT_STREAM if level == 1 else level]
        seed_stream(rng, key)
        s = states[level]
        out = lines.out[level]
        best = -np.inf
        calls = 0
        status = OK
        while status == OK:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, run.control)
            if n <= 0 or status != OK:
                break
            for i in range(sample):
                lines.sampled[level, u(i)] = out[u(below(rng, n))]
            run.control[PLY] = ply
            step_best = -np.inf
            equal = 0
            tried = sample if sample > 0 else n
            if lazy:
                listed = lines.sampled[level] if sample > 0 else out
                status, tried = narrow(listed, tried, key, calls, level, ply, self, states, lines, run)
                step_best = lines.scores[step_row]
                equal = 1
            for i in range(tried):
                move = lines.sampled[level, u(i)] if sample > 0 else out[u(i)]
                states[level - 1] = s
                play(self, states[level - 1], move)
                if keeps:
                    note_move(lines, level, ply, move)
                if level == 1:
                    status = random_playout(self, states[0], states, ply + 1, child_row, rng, lines, run)
                else:
                    child = mix(key, calls)
                    status = nested(level - 1, child, ply + 1, self, states, lines, run, memorise, random_ties, sample)
                calls += 1
                if status > STOPPED or (status == STOPPED and level == 1):
                    break
                result = lines.scores[child_row]
                taken = result > step_best
                if taken:
                    equal = 1
                elif random_ties and result == step_best and status == OK:
                    equal += 1
                    taken = below(rng, equal) == 0
                if taken and result > -np.inf:
                    step_best = result
                    copy_line(lines, child_row, step_row, ply + 1)
                    lines.moves[step_row, u(ply)] = move
                if status != OK:
                    break
            if status > STOPPED:
                break
            if step_best > best or (not memorise and status == OK):
                best = step_best
                copy_line(lines, step_row, best_row, ply)
            if ply >= lines.lengths[best_row]:
                break  # the best playout ended here, by a rule that holds only in playouts
            if status == OK:
                if keeps:
                    note_move(lines, level, ply, lines.moves[best_row, u(ply)])
                play(self, s, lines.moves[best_row, u(ply)])
                ply += 1
        if status == OK:
            best = value(self, s)
            lines.lengths[best_row] = ply
        lines.scores[best_row] = best
        return status

    return nested
