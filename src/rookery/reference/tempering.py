"""Tempering in plain Python: a ladder of temperatures, after Hukushima and Nemoto 1996, over lines that are edited."""

from __future__ import annotations

import math
from typing import Any

from rookery.reference.edits import Best, Incumbent, Learned, codes_are_better, turn, wanted_shares
from rookery.reference.loose import make_editor
from rookery.reference.playout import Line, Monitor, Rules
from rookery.rng import Stream, exp_float, log_float, mix_int

RACE = 10


def ln(x: float) -> float:
    """The logarithm of any positive number."""
    return log_float(x) if x >= 1.0 else -log_float(1.0 / x)


class Ladder:
    """Lines at rising temperatures, and what they have taught; made from what an earlier task has left, or new."""

    def __init__(self, replicas: int, keys: str | None, given: tuple[float, float] | None, carried: Any) -> None:
        self.replicas, self.given = replicas, given
        self.code_keys = {"move": 0.0, "code": 1.0, None: -1.0}[keys]
        self.ends = [0.0, 0.0]  # logarithms of the coldest and the hottest temperature
        self.moved, self.worse, self.taken = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        self.round = self.set = self.restarts = self.begun = 0.0
        self.rungs = [0.0] * (4 * replicas)
        self.best = Best()
        self.learned = Learned()
        self.lines: list[Incumbent] = []
        if carried is not None:
            self._carry_in(carried)

    def _carry_in(self, carried: dict[str, Any]) -> None:
        numbers = carried["numbers"]
        self.learned.tried, self.learned.won = numbers[0:3] + numbers[6:8], numbers[3:6] + numbers[8:10]
        self.best.score, self.best.since, self.code_keys, self.learned.loss, self.round, self.set = numbers[10:16]
        self.ends, self.moved, self.worse, self.taken = (numbers[i : i + 2] for i in (16, 18, 20, 22))
        self.restarts, self.begun, self.rungs = numbers[24], numbers[25], numbers[26:]
        self.learned.common = dict(zip(carried["codes"], map(float, carried["weights"]), strict=True))
        lines = zip(carried["scores"], carried["lines"], strict=True)
        self.lines = [Incumbent(score, list(moves)) for score, moves in lines]

    def carried(self) -> dict[str, Any]:
        """What the next task continues from."""
        tried, won, common = self.learned.tried, self.learned.won, self.learned.common
        about = [self.best.score, self.best.since, self.code_keys, self.learned.loss, self.round, self.set]
        ends = [*self.ends, *self.moved, *self.worse, *self.taken, self.restarts, self.begun]
        return {
            "numbers": [*tried[:3], *won[:3], *tried[3:], *won[3:], *about, *ends, *self.rungs],
            "lines": [line.moves for line in self.lines],
            "scores": [line.score for line in self.lines],
            "codes": list(common),
            "weights": list(common.values()),
        }

    def set_ends(self) -> None:
        """The first temperatures: those given, or a small loss and a few times that."""
        self.set = 1.0
        self.learned.set_loss(self.lines)
        if self.given is not None:
            self.ends = [ln(self.given[0]), ln(self.given[1])]
            return
        self.ends = [ln(self.learned.loss), ln(5.0 * self.learned.loss)]

    def move_end(self, end: int, worse: int, taken: int, shares: tuple[float, float]) -> None:
        """Move the coldest or the hottest temperature towards where it accepts its share of worse proposals."""
        wanted = shares[end]
        self.worse[end] += worse
        self.taken[end] += taken
        if self.worse[end] * wanted < 3.0:
            return
        missed = ln(wanted * self.worse[end] / (self.taken[end] + 0.3))
        end_at = self.ends[end] + 0.35 / (1.0 + self.moved[end] / 30.0) * min(max(missed, -1.5), 1.5)
        self.ends[end] = min(max(end_at, -460.0), 460.0)
        self.ends[0] = min(self.ends[0], self.ends[1] - 0.7)
        self.moved[end] += 1.0
        self.worse[end] = self.taken[end] = 0.0

    def temperature(self, i: int) -> float:
        """Temperatures in geometric steps between the ends."""
        return exp_float(self.ends[0] + (self.ends[1] - self.ends[0]) * (i / max(1, self.replicas - 1)))

    def exchange(self, parity: int, stream: Stream) -> None:
        """Neighbours change places with probability exp of (1/T - 1/T') (score' - score)."""
        for i in range(parity, self.replicas - 1, 2):
            colder, hotter = self.lines[i], self.lines[i + 1]
            x = (1.0 / self.temperature(i) - 1.0 / self.temperature(i + 1)) * (hotter.score - colder.score)
            self.rungs[i] += 1.0
            if x >= 0.0 or stream.uniform() < exp_float(x):
                self.lines[i], self.lines[i + 1] = hotter, colder
                self.rungs[self.replicas + i] += 1.0


def temper(
    rules: Rules,
    root: Any,
    first: int,
    last: int,
    key: int,
    replicas: int,
    proposals: int,
    patience: int | None,
    keys: str | None,
    cold: float | None,
    hot: float | None,
    carried: dict[str, Any] | None,
    monitor: Monitor,
) -> tuple[Line | None, bool, dict[str, Any] | None]:
    """The rounds ``first`` to ``last - 1``: the best line, whether all were played, and what a later task needs."""
    given = None if cold is None or hot is None else (cold, hot)
    ladder = Ladder(replicas, keys, given, carried)
    best, learned = ladder.best, ladder.learned
    for number in range(first, last):
        stream = Stream(mix_int(key, number))
        editor = make_editor(rules, root, monitor, stream, learned)
        learned.set_shares(editor.kinds)
        if not ladder.lines:
            for _ in range(replicas):
                line = editor.random_line()
                if line is None:
                    return best.line, False, None
                best.note(line)
                ladder.lines.append(line)
            if ladder.set == 0.0:
                ladder.set_ends()
        race = ladder.code_keys == -1.0
        for i in range(replicas):
            temperature = 0.0 if race else ladder.temperature(i)
            code_keys = i % 2 == 1 if race else ladder.code_keys == 1.0
            line, worse, taken, done = turn(editor, ladder.lines[i], code_keys, temperature, proposals, best)
            if not done:
                return best.line, False, None
            ladder.lines[i] = line
            ladder.rungs[2 * replicas + i] += worse
            ladder.rungs[3 * replicas + i] += taken
            if given is None and not race and i in (0, replicas - 1):
                ladder.move_end(int(i > 0), worse, taken, wanted_shares(rules, line.moves))
        learned.fade(1.0 - 0.002 * replicas)
        ladder.rungs = [n * 0.98 for n in ladder.rungs]
        if race:
            if number + 1 >= max(RACE, proposals // 4):
                ladder.code_keys = float(codes_are_better(ladder.lines))
        else:
            ladder.exchange(number % 2, stream)
            made = (number + 1.0 - ladder.begun) * replicas * proposals
            limit = max(500_000.0, 3.0 * (made - best.since)) if patience is None else patience
            if patience != 0 and best.since >= limit:
                ladder.lines.clear()
                ladder.begun = number + 1.0
                best.score, best.since = -math.inf, 0.0
                ladder.restarts += 1.0
        ladder.round = number + 1.0
    return best.line, True, ladder.carried()
