"""Reflexive Monte Carlo search (Cazenave 2007)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from rookery.arguments import MOST_LEVEL, Rule, per_level, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import OK, PLY, STOPPED, Signal
from rookery.kernels.buffers import PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Memory
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.kernels.repeat import Repeat
from rookery.kernels.rules import make_copy_line, make_note_move, make_random_playout
from rookery.plans.nested_calls import Branch, NestedCall, Steps
from rookery.plans.nested_steps import NestedSteps
from rookery.plans.plan import Plan
from rookery.rng import mix, seed_stream
from rookery.search.protocol import CHUNK_SECONDS, Cost, RuleSearch, Setting, highest_level
from rookery.stop import Stop
from rookery.tasks import Moves, Task

GAMES = 10
"""Games per step at a level that is left out."""


@dataclass(frozen=True)
class Reflexive(RuleSearch):
    """Reflexive Monte Carlo search (Cazenave 2007, section 3): games with moves chosen by games of the level below.

    A game of level 0 is a playout. At each step of a game of level 1 or above, some games of the level below are played
    from there, and the next move of the best variation found so far is played.

    Parameters
    ----------
    level
        depth of the nesting; 1 is the paper's meta-game, 2 its meta-meta-game, and so on
    games
        games of the level below at each step; one number, or ``{level: number}`` (10 for levels left out). The paper's
        games are ``games[1]``, its meta-games ``games[2]``
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> Reflexive(level=2, games={1: 100, 2: 1000}).games_by_level
    (10, 100, 1000)
    """

    level: int = 2
    games: int | Mapping[int, int] = GAMES
    rule: Rule | None = None
    games_by_level: tuple[int, ...] = field(init=False, repr=False, compare=False)

    name = "reflexive"
    twin = "rookery.reference.reflexive:reflexive_games"
    options = ("restarts", "runs", "atomic_level")

    def __post_init__(self) -> None:
        level = whole("level", self.level, 1, MOST_LEVEL)
        check = partial(whole, "games", least=1, most=1 << 20)
        object.__setattr__(self, "games_by_level", per_level("games", self.games, level, GAMES, check))
        self.check_rule()

    @classmethod
    def cazenave(cls) -> Reflexive:
        """The search that found 78 moves in Morpion 5D: 100 games, 1,000 meta-games, one game at the meta-meta level.

        >>> Reflexive.cazenave().games
        {1: 100, 2: 1000}
        """
        return cls(level=2, games={1: 100, 2: 1000}, rule="uniform")

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """Level, and the games of a step."""
        return {"level": (1, 2, 3), "games": (1, 3, 10, 30, 100, 300)}

    # --- a run ---

    def smallest_task(self, prefix: Moves) -> Task:
        """A game of level 1 with one playout at each step."""
        return ReflexiveTask(search=replace(self, level=1, games=1), key=0, prefix=prefix, level=1)

    def atomic_level(self, cost: Cost, stop: Stop, given: int | None, workers: int) -> int | None:
        """The highest level whose game takes no longer than a task may."""
        if given:
            return given
        seconds = self._seconds(cost)
        levels = range(1, highest_level(self.level, workers) + 1)
        return max([level for level in levels if seconds[level] <= cost.most], default=1)

    def _seconds(self, cost: Cost) -> list[float]:
        """Seconds for a game of each level; games become shorter with every step."""
        seconds, playouts = cost.seconds(self.smallest_task(cost.prefix))
        every = [seconds / playouts]
        for games in self.games_by_level[1:]:
            every.append(every[-1] * games * playouts / 2)
        return every

    def _batch(self, cost: Cost, level: int, workers: int) -> int:
        """How many games of a level make one task: enough to be worth handing out, few enough for all workers."""
        if level >= self.level:
            return 1
        wanted = int(CHUNK_SECONDS / max(self._seconds(cost)[level], 1e-7))
        shared = self.games_by_level[level + 1] // (2 * workers) if workers > 1 else wanted
        return max(1, min(wanted, shared))

    def steps(self, target: float = float("inf"), batch: int = 1) -> Steps:
        """What the plan knows about the search: how many games of a step are one task."""

        def branches(call: NestedCall, moves: Moves, tasks: bool) -> tuple[Branch, ...]:
            games = self.games_by_level[call.level]
            size = batch if tasks else 1
            return tuple(((), min(size, games - first)) for first in range(0, games, size))

        def fits(call: NestedCall, moves: Moves) -> bool:
            games = sum(count for _, count in call.branches)
            return games == self.games_by_level[call.level] and not any(begin for begin, _ in call.branches)

        def task(level: int, prefix: Moves, key: int, children: tuple[int, int] | None) -> Task:
            return ReflexiveTask(search=self, key=key, prefix=prefix, target=target, level=level, children=children)

        return Steps(self.level, True, False, branches, fits, task)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """The games of a step side by side, above the atomic level."""
        atomic = setting.atomic_level or 1
        batch = self._batch(Cost(setting.worker, setting.prefix), atomic, setting.workers)
        steps = self.steps(setting.target, batch)
        return lambda key: NestedSteps(steps, setting.worker, key, atomic, setting.prefix)


@dataclass(frozen=True, kw_only=True)
class ReflexiveTask(Task):
    """A game of some level from the state after the prefix.

    With ``children`` (first, last), the best of the games ``first`` to ``last - 1`` that a game with this key begins at
    a step.
    """

    level: int
    children: tuple[int, int] | None = None

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, level = self.search, self.level
        run = memory.assign(self, signal, level + 3)
        states, lines = memory.states, memory.lines
        run.iterations[: level + 1] = search.games_by_level[: level + 1]
        first, last = self.children or (0, 0)

        def again(by: Any) -> Any:
            ply, rng = int(run.control[PLY]), run.rng[STREAM_BEFORE]
            line = lines.moves[lines.best[0], ply:]
            nodes = (by.below(states[i], line, ply, ply, search.rule, rng) for i in range(1, level + 1))
            return next((fault for fault in nodes if fault is not None), None)

        return Call(
            kernel=search.by_rule("reflexive", make_reflexive, memory.spec),
            arguments=(
                *(level, np.uint64(self.key), first, last, len(self.prefix)),
                *(memory.constants, states, lines, run),
            ),
            again=again,
            found=lambda: memory.line(lines.step[level], len(self.prefix)),
            start=level + 1,
            repeat=Repeat(1, lines.scores, lines.step, level),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "level": self.level,
            "key": self.key,
            "children": self.children,
            "games": search.games_by_level,
            "rule": search.rule,
            **search.own_parameters(),
        }


def make_reflexive(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of reflexive tasks: a game of some level from a state."""
    functions = spec.functions
    moves, play, value = functions.moves, functions.play, functions.value
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)
    note_move, keeps = make_note_move(spec), spec.keeps

    @spec.kernel
    def play_game(level, key, ply, self, states, lines, run):
        """Cazenave 2007, ``playMetaGame``: from ``states[level]``, into the row of the level's best.

        That row is the paper's ``bestVariation``, from the start of the problem: where the paper shifts it at every
        step, ``ply`` moves on here. Scores are those of whole games, so ``best`` need not be lowered as its number of
        moves is.
        """
        best_row, game_row = lines.best[level], lines.best[level - 1]
        if level == 1:
            seed_stream(run.rng[PLAYOUT_STREAM], key)
        s = states[level]
        out = lines.out[level]
        best = -np.inf  # previousBestScore
        calls = 0
        status = OK
        while status == OK:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, run.control)
            if n <= 0 or status != OK:
                break
            run.control[PLY] = ply
            for _ in range(run.iterations[level]):  # findBestMove, findBestMetaMove: nbGames
                states[level - 1] = s  # retrieveBoard
                if level == 1:
                    status = random_playout(self, states[0], states, ply, game_row, run.rng[PLAYOUT_STREAM], lines, run)
                else:
                    status = play_game(level - 1, mix(key, calls), ply, self, states, lines, run)
                calls += 1
                if status > STOPPED or (status == STOPPED and level == 1):
                    break
                if lines.scores[game_row] > best:
                    best = lines.scores[game_row]
                    copy_line(lines, game_row, best_row, ply)
                if status != OK:
                    break
            if status != OK or ply >= lines.lengths[best_row]:
                break  # or the best playout ended here, by a rule that holds only in playouts
            if keeps:
                note_move(lines, level, ply, lines.moves[best_row, u(ply)])
            play(self, s, lines.moves[best_row, u(ply)])
            ply += 1
        if status == OK:
            best = value(self, s)
            lines.lengths[best_row] = ply
        lines.scores[best_row] = best
        return status

    def reflexive_task(level, key, first, last, ply, self, states, lines, run):
        """The best of some games from ``states[level + 1]``, into the row of the level's step.

        They are the children ``first`` to ``last - 1`` of a game with this key; without any, it is that game itself.
        """
        best_row, game_row = lines.step[level], lines.best[level]
        lines.scores[best_row] = -np.inf
        status = OK
        for i in range(first, max(last, first + 1)):
            states[level] = states[level + 1]
            status = play_game(level, mix(key, i) if last > first else key, ply, self, states, lines, run)
            if status > STOPPED:
                break
            if lines.scores[game_row] > lines.scores[best_row]:
                lines.scores[best_row] = lines.scores[game_row]
                copy_line(lines, game_row, best_row, ply)
            if status != OK:
                break
        return status

    return reflexive_task
