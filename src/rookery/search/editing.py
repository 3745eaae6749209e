"""What tempering and annealing share: parameters, tasks that continue each other's lines, and what a task leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.arguments import finite, shown
from rookery.control import LINE, Signal
from rookery.errors import InputError
from rookery.kernels.incumbents import COMMON_MOST, KINDS
from rookery.kernels.memory import Call, Kernel, Memory
from rookery.kernels.turns import (
    BEST,
    CODE_KEYS,
    COMMON_TRIED,
    COMMON_WON,
    LOSS,
    MOST_LOSS,
    SINCE,
    TRIED,
    UNDECIDED,
    WON,
    carry_in,
    carry_out,
    last_moves,
)
from rookery.plans.ladders import Carried, LadderTask
from rookery.plans.stored import MOST, Part

KEYS = {"move": 0.0, "code": 1.0, None: UNDECIDED}
"""What the cell CODE_KEYS begins with."""
LEAST_TEMPERATURE = 1e-200


def check_parameters(search: Any) -> None:
    """Refuse unknown keys, and temperatures that are not numbers or are the wrong way round."""
    if not (search.key is None or (isinstance(search.key, str) and search.key in KEYS)):
        raise InputError(f'key must be "move", "code" or None, got {shown(search.key)}')
    if (search.cold is None) != (search.hot is None):
        raise InputError("cold and hot must be given together, or none of them")
    if search.cold is None:
        return
    for name in ("cold", "hot"):
        value = finite(name, getattr(search, name))
        if not LEAST_TEMPERATURE <= value <= 1.0 / LEAST_TEMPERATURE:
            limits = f"from {LEAST_TEMPERATURE:g} to {1.0 / LEAST_TEMPERATURE:g}"
            raise InputError(f"{name} must be {limits}, got {shown(getattr(search, name))}")
        object.__setattr__(search, name, value)
    if search.cold > search.hot:
        raise InputError(f"cold must be at most hot, got {search.cold:g} and {search.hot:g}")


@dataclass(frozen=True, kw_only=True)
class EditingTask(LadderTask):
    """A task that edits lines."""

    def called(self, memory: Memory, signal: Signal, kernel: Kernel, lines: int, cells: int, *about: Any) -> Call:
        """The call of a kernel, for this many lines and numbers; ``about`` comes before what both searches have."""
        search = self.search
        states, run = memory.states, memory.assign(self, signal)
        work = memory.incumbents(lines, cells)
        beginning = [0.0] * cells
        beginning[BEST], beginning[CODE_KEYS] = -np.inf, KEYS[search.key]
        carry_in(work, self.carried or {}, beginning)

        def again(by: Any) -> Any:
            moves = last_moves(work, int(run.control[LINE]), memory.spec.functions.undo is not None)
            return by.playout(states[0], moves, len(self.prefix), "weights", run.rng[0])

        return Call(
            kernel=kernel,
            arguments=(*about, search.cold or 0.0, search.hot or 0.0, memory.constants, states, work, run),
            again=again,
            found=lambda: (float(work.scores[-1]), work.moves[-1, : max(0, int(work.lengths[-1]))], ()),
            carried=lambda: carry_out(work),
        )

    def plain(self) -> dict[str, Any]:
        """What both twins are given."""
        search = self.search
        given = {"key": self.key, "keys": search.key, "cold": search.cold, "hot": search.hot}
        return {**given, "carried": self.carried}

    # --- what a task has left, in a checkpoint ---

    def checked(self, left: Part, cells: int, lines: int, decided: bool) -> list[Part]:
        """Check that there are this many numbers and lines, and that the numbers both searches have are in range.

        ``decided``: whether it is known by then what serves as keys.
        """
        numbers = left["numbers"].parts(list, cells, cells)
        for tried, won, kinds in ((TRIED, WON, KINDS), (COMMON_TRIED, COMMON_WON, 2)):
            check_shares(numbers[tried : tried + kinds], numbers[won : won + kinds])
        if lines:
            numbers[BEST].number()
        else:
            numbers[BEST].exactly(-math.inf, "where all begin anew")
        numbers[SINCE].number(0.0, MOST)
        given = KEYS[self.search.key]
        kinds_of_keys = (given,) if given != UNDECIDED or not decided else (KEYS["move"], KEYS["code"])
        numbers[CODE_KEYS].need(
            type(numbers[CODE_KEYS].value) in (int, float) and numbers[CODE_KEYS].value in kinds_of_keys,
            " or ".join(f"{kind:g}" for kind in kinds_of_keys),
        )
        numbers[LOSS].number(0.0, MOST_LOSS)
        numbers[LOSS].need(numbers[LOSS].value > 0.0, "more than 0")
        left["lines"].parts(list, lines, lines)
        codes = len(left["common"].value)
        left["common"].need(codes <= COMMON_MOST, f"a policy of at most {COMMON_MOST} codes")
        return numbers


def check_shares(all_of_them: list[Part], some: list[Part]) -> None:
    """Check that each of ``some`` is a part of its count; counts may have faded."""
    for whole, part in zip(all_of_them, some, strict=True):
        part.number(0.0, whole.number(0.0, MOST))


def no_lines(carried: Carried | None) -> bool:
    """Whether a task begins with new lines."""
    return carried is None or not carried["lines"]
