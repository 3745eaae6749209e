"""Lazy Nested Monte Carlo Search: nested calls for the most promising moves alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rookery.arguments import finite, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import OK, PLY, Signal
from rookery.errors import InputError
from rookery.kernels.buffers import PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Kernel, Memory
from rookery.kernels.rating import make_rate_moves
from rookery.plans.nested_calls import RATING, NestedCall, Steps
from rookery.rng import mix, mix_int, seed_stream
from rookery.search.nmcs import NMCS, make_nested
from rookery.tasks import Moves, Task

RATED = 1 << 62
"""The key of a step's ratings is that of a nested call with this number more than the first of the step has."""
RATES = 2
"""The level at which moves are rated in a task of their own."""


@dataclass(frozen=True)
class LazyNMCS(NMCS):
    """Nested Monte Carlo Search in which only the moves that a few playouts rate best get a nested call.

    At each step of a call of level 2 or above, some playouts from behind each move rate it by the best of them. The
    best share of the moves is then searched as in :class:`NMCS`. The best playout of the ratings counts as the outcome
    of a nested call. A call of level 1 is that of NMCS.

    Parameters
    ----------
    playouts
        playouts that rate a move
    share
        share of the moves that get a nested call, rounded; at least one of them does. If it is all of them, nothing is
        rated

    >>> LazyNMCS(level=3).kept(10)
    3
    """

    playouts: int = field(default=4, metadata={"option": "games"})
    share: float = 0.3

    name = "lazynmcs"

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("playouts", self.playouts, 1, 1 << 40)
        object.__setattr__(self, "share", finite("share", self.share))
        if not 0 < self.share <= 1:
            raise InputError(f"share must be above 0 and at most 1, got {shown(self.share)}")

    def own_parameters(self) -> dict[str, Any]:
        """What it adds to NMCS, and a user's class to it."""
        return {"playouts": self.playouts, "share": self.share, **super().own_parameters()}

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """That of NMCS, and how many moves are searched by how many playouts."""
        return {**super().space(problem), "playouts": (1, 4, 16), "share": (0.1, 0.3, 0.6)}

    def kept(self, moves: int) -> int:
        """How many of so many moves get a nested call."""
        return max(1, int(self.share * moves + 0.5))

    # --- a run ---

    def kernel(self, spec: Specialisation) -> Kernel:
        """The kernel of its tasks."""
        return self.by_rule("lazynmcs", make_lazy_nmcs, spec)

    def calls(self, playouts: int) -> float:
        """About how many nested calls a call makes, if one of level 1 makes so many playouts."""
        return max(1.0, self.share * super().calls(playouts))

    def steps(self, target: float = float("inf")) -> Steps:
        """What the plan knows about the search: that of NMCS, and how moves are rated."""
        steps = super().steps(target)

        def fits(call: NestedCall, moves: Moves) -> bool:
            listed = len(moves) if self.sample is None else self.sample
            keep, tried = self.kept(listed), call.tried
            rated = call.branches[:1] == (RATING,)
            if rated != (keep < listed) or len(call.branches) != rated + len(tried):
                return False
            if call.rates or not rated:
                return steps.fits(call, moves)
            left = iter(moves)
            among = (one[0] in (moves if self.sample else left) for one in tried)
            return len(tried) == keep and all(len(one) == 1 for one in tried) and all(among)

        def rate(call: NestedCall, moves: Moves) -> Task:
            key = mix_int(call.key, RATED + call.calls)
            return RatingTask(search=self, key=key, prefix=call.prefix, target=target, moves=moves)

        return replace(steps, fits=fits, kept=self.kept, rate=rate)


@dataclass(frozen=True, kw_only=True)
class RatingTask(Task):
    """The ratings of some moves of the state after the prefix; its outcome has those that get a nested call."""

    moves: Moves

    twin = "rookery.reference.nmcs:rated"

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, n = self.search, len(self.moves)
        run = memory.assign(self, signal, RATES + 2, n)
        states, lines = memory.states, memory.lines
        lines.sampled[RATES, :n] = self.moves

        def again(by: Any) -> Any:
            ply, rng = int(run.control[PLY]), run.rng[STREAM_BEFORE]
            return by.children(states[RATES], lines.moves[lines.best[0], ply:], ply, search.rule, rng)

        return Call(
            kernel=search.kernel(memory.spec),
            arguments=(
                *(0, np.uint64(self.key), len(self.prefix), memory.constants, states, lines, run),
                *(search.memorise, search.ties == "random", n),
            ),
            again=again,
            found=lambda: memory.line(lines.step[RATES], len(self.prefix)),
            carried=lambda: tuple(lines.sampled[RATES, : search.kept(n)].tolist()),
            start=RATES,
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        keep = search.kept(len(self.moves))
        return {"key": self.key, "moves": self.moves, "keep": keep, "playouts": search.playouts, "rule": search.rule}


def make_lazy_nmcs(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of lazy NMCS: that of NMCS, and the ratings of a step alone."""
    rate_moves = make_rate_moves(spec, rule)

    @spec.kernel
    def narrow(moves, n, key, calls, level, ply, self, states, lines, run):
        """Status, and how many of the moves are left to be tried; the best line of their ratings in the step's row."""
        lines.scores[lines.step[level]] = -np.inf
        keep = max(1, int(run.own.share * n + 0.5))
        if level == 1 or keep >= n:
            return OK, n
        seed_stream(run.rng[PLAYOUT_STREAM], mix(key, RATED + calls))
        status = rate_moves(moves, n, keep, run.own.playouts, level, ply, self, states, lines, run)
        return status, keep if status == OK else 0

    nested = make_nested(spec, rule, narrow)

    def lazy_task(level, key, ply, self, states, lines, run, memorise, random_ties, sample):
        """A nested call from ``states[level]``; of level 0, the ratings of as many moves as there are sampled ones."""
        if level > 0:
            return nested(level, key, ply, self, states, lines, run, memorise, random_ties, sample)
        run.control[PLY] = ply
        seed_stream(run.rng[PLAYOUT_STREAM], key)
        keep = max(1, int(run.own.share * sample + 0.5))
        moves, playouts = lines.sampled[RATES], run.own.playouts
        return rate_moves(moves, sample, keep, playouts, RATES, ply, self, states, lines, run)

    return lazy_task
