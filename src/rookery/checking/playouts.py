"""Phase two: searches on a problem, and games, in plain Python under watch."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from rookery.checking.calls import Patience
from rookery.checking.catalogue import CATALOGUE
from rookery.checking.game_keys import KnownPositions
from rookery.checking.game_watch import GameWatch, View
from rookery.checking.origin import at_def
from rookery.checking.problem_watch import ProblemWatch
from rookery.checking.report import Broken, Finding, Log
from rookery.checking.watch import Playout
from rookery.control import Signal
from rookery.engine.python_worker import PythonWorker
from rookery.errors import ProblemError
from rookery.game import DRAW
from rookery.problem import Problem, PythonProblem
from rookery.reference.game_playout import Played, Policy, Step, adapt
from rookery.rng import Stream, exp_float, part_key, root_key
from rookery.search.nrpa import NRPA
from rookery.search.nrpa_tasks import NRPATask
from rookery.search.sampling import Sampling, SamplingTask
from rookery.tasks import Outcome, Task, Weights
from rookery.user_code import place_of


@dataclass(frozen=True)
class Ran:
    """A task and its outcome in plain Python."""

    name: str
    task: Task
    outcome: Outcome


def nrpa_task(level: int, iterations: int, seed: int) -> NRPATask:
    """A run of NRPA as one task.

    >>> nrpa_task(2, 7, seed=0).search.iterations
    7
    """
    search = NRPA(level=level, iterations=iterations)
    return NRPATask(search=search, key=root_key(seed), policy=Weights(), level=level)


def sampling_task(playouts: int, seed: int) -> SamplingTask:
    """This many random playouts as one task.

    >>> sampling_task(9, seed=0).last
    9
    """
    return SamplingTask(search=Sampling(), key=root_key(seed), first=0, last=playouts)


def plan(playouts: int, seed: int) -> list[tuple[str, Task, float]]:
    """Tasks of this many playouts in all, each with the share of the time that it may take.

    Half are random; the rest follow policies, which push playouts where random ones do not get to.

    >>> [name for name, _, _ in plan(200, seed=0)]
    ['sampling', 'NRPA level 1', 'NRPA level 2']
    """
    quarter = max(playouts // 4, 1)
    wide = max(math.isqrt(quarter), 2)
    return [
        ("sampling", sampling_task(max(playouts - quarter - wide * wide, 1), seed), 0.35),
        ("NRPA level 1", nrpa_task(1, quarter, seed), 0.55),
        ("NRPA level 2", nrpa_task(2, wide, seed), 0.8),
    ]


def play(watch: ProblemWatch, playouts: int, seconds: float, seed: int) -> list[Ran]:
    """Run the searches; those with an outcome are returned, to be compared with compiled ones."""
    worker = PythonWorker(watch, by_twins=True)  # which calls what is watched, and nothing twice
    began = time.perf_counter()
    done = []
    for name, task, share in plan(playouts, seed):
        signal = Signal()
        watch.under(name, signal, began + share * seconds)
        try:
            done.append(Ran(name, task, worker.run(task, signal)))
        except Broken:
            if watch.log.count("does-not-return"):
                break  # it would not return in the next search either
    watch.tell_few(playouts, seconds, all(ran.outcome.finished for ran in done))
    with suppress(Broken):
        watch.replay(began + seconds)
    return done


SILENT = (
    *("state-changed", "not-deterministic", "field-overflow", "moves-not-written", "moves-not-distinct"),
    *("count-nth-disagree", "is-legal-disagrees", "choose-changes-moves", "writes-constants", "copy-shares"),
)
"""Findings that silently change what a search does; the search itself reports all others."""
FEW_PLAYOUTS, SECONDS, PATIENCE = 16, 1.0, 60.0


def refuse_silent_faults(problem: Problem | PythonProblem) -> None:
    """Play a few playouts in plain Python, every call watched; raise a :class:`ProblemError` for the first fault.

    >>> import rookery as rk
    >>> refuse_silent_faults(rk.problems.LeftMove(depth=6))
    """
    log, patience = Log(problem), Patience(PATIENCE)
    with patience, np.errstate(all="ignore"):
        play(ProblemWatch(problem, log, patience), FEW_PLAYOUTS, SECONDS, 0)
    for finding in log.findings():
        if finding.name in SILENT:
            raise ProblemError(_sentence(problem, finding))


def _sentence(problem: Problem | PythonProblem, finding: Finding) -> str:
    function = finding.function.rpartition(".")[2]
    text = finding.text.replace(at_def(problem, function), "").removeprefix("it ")
    return place_of(problem, function).says(text, CATALOGUE[finding.name].advice.replace("`", ""))


RANDOM, LEGAL, POLICY = "random playouts", "random legal moves", "playouts of a policy"

REACH = 8
"""How far apart two moves that change places may be."""
TRIES = 300
"""Pairs of moves that are tried."""

Choose = Callable[[View], Any]


class Players:
    """Choose moves: at random as playouts do, at random from all legal ones, or by a policy that learns.

    >>> view = View((3, 5), (30, 50), 0, None, 7, (5,))
    >>> Players(0).choosers[RANDOM](view)
    5
    """

    def __init__(self, seed: int) -> None:
        self._stream = Stream(root_key(seed))
        self._policy: Policy = ({}, {})
        self._steps: list[Step] = []
        self.choosers: dict[str, Choose] = {RANDOM: self._random, LEGAL: self._legal, POLICY: self._by_policy}

    def _random(self, view: View) -> Any:
        return view.playout[self._stream.below(len(view.playout))]

    def _legal(self, view: View) -> Any:
        return view.moves[self._stream.below(len(view.moves))]

    def _by_policy(self, view: View) -> Any:
        codes: list[Hashable] = [view.coded[move] for move in view.playout]
        sums = list(accumulate(exp_float(self._policy[view.player].get(code, 0.0)) for code in codes))
        limit = self._stream.uniform() * sums[-1]
        chosen = min(sum(total <= limit for total in sums), len(codes) - 1)
        self._steps.append(Step(view.player, codes, chosen))
        return view.playout[chosen]

    def learn(self, winner: int) -> None:
        """Adapt the policy to a game that it has played."""
        adapt(self._policy, Played(self._steps, winner, exact=False), 1.0)
        self._steps = []


def play_games(watch: GameWatch, positions: KnownPositions, playouts: int, seconds: float, seed: int) -> None:
    """Half by random playouts; the rest by all legal moves, as in the tree, and by a policy that learns."""
    began = time.perf_counter()
    quarter = max(playouts // 4, 1)
    players = Players(seed)
    plan = ((RANDOM, playouts - 2 * quarter, 0.5), (LEGAL, quarter, 0.75), (POLICY, quarter, 1.0))
    for by, games, share in plan:
        # The first game may take all the time there is: then at least one is seen to its end.
        for _ in range(games):
            late = began + (share if watch.playouts else 1.0) * seconds
            try:
                winner = _game(watch, positions, by, players.choosers[by], late)
            except Broken:
                if watch.log.count("does-not-return"):
                    return  # it would not return in the next game either
                winner = DRAW
            if winner is None:
                break
            players.learn(winner)
    watch.tell_few(playouts, seconds, len(watch.playouts) >= playouts)


def _game(watch: GameWatch, positions: KnownPositions, by: str, choose: Choose, deadline: float) -> int | None:
    """Play a game; who has won, or None if time runs out before its end."""
    state = watch.begin()
    movers, branching = [], []
    while True:
        view = watch.look(state)
        positions.saw(state, view)
        if not view.moves:
            break
        watch.check_length(view)
        movers.append(view.player)
        branching.append(len(view.moves))
        if time.perf_counter() > deadline:
            return None
        state = watch.after(state, choose(view))
    assert view.winner is not None
    watch.playouts.append(Playout(tuple(watch.path), tuple(branching), view.winner, by, tuple(movers)))
    return view.winner


def stream_for(seed: int, phase: int) -> Stream:
    """A separate stream for each phase.

    >>> stream_for(0, 1).words != stream_for(0, 2).words
    True
    """
    return Stream(part_key(seed, phase))


def play_reordered(watch: GameWatch, positions: KnownPositions, stream: Stream, deadline: float) -> None:
    """Let two moves of one player change places, in games that were played."""
    games = [game for game in watch.playouts if len(game.moves) >= 2]
    for _ in range(TRIES if games else 0):
        if time.perf_counter() > deadline:
            break
        swapped = _swapped(games, stream)
        if swapped is not None:
            _play_swapped(watch, positions, *swapped)


def _swapped(games: list[Playout], stream: Stream) -> tuple[list[Any], tuple[int, ...]] | None:
    """The beginning of a game with two moves of one player swapped, the later of them last; and who moves."""
    game = games[stream.below(len(games))]
    i = stream.below(len(game.moves) - 1)
    later = [
        j
        for j in range(i + 1, min(i + REACH, len(game.moves)))
        if game.movers[j] == game.movers[i] and game.moves[j] != game.moves[i]
    ]
    if not later:
        return None
    j = later[stream.below(len(later))]
    moves = list(game.moves[: j + 1])
    moves[i], moves[j] = moves[j], moves[i]
    return moves, game.movers


def _play_swapped(watch: GameWatch, positions: KnownPositions, moves: list[Any], movers: tuple[int, ...]) -> None:
    state = watch.begin()
    for ply, move in enumerate(moves):
        view = watch.look(state)
        if move not in view.moves or view.player != movers[ply]:
            return
        state = watch.after(state, move)
    positions.saw(state, watch.look(state))
