"""``tune``: which setting of a search is best on a problem, or in a game, found by successive halving.

Many settings are tried on few trials each; the better third goes on to three times as many, again and again
(Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016). The winner then meets the default on trials that had no
part in choosing it: the best of many settings looks better than it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from rookery.arguments import finite, numbered, shown, whole
from rookery.crews.hiring import check_executor
from rookery.disk import plain, read_json, write_text
from rookery.errors import InputError, reason
from rookery.experiments.halving import SEEDS, Hunt
from rookery.experiments.run_task import Observers
from rookery.experiments.space import AnySearch, Space, check_space, space_of
from rookery.experiments.trials import Games, Interrupted, Runs, Way
from rookery.experiments.tuning import Tuning
from rookery.game import Game, PythonGame
from rookery.loading.kinds import EITHER, GAME_SEARCH, SEARCH, name_of
from rookery.matches.decide import MOST_SEED
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.search.game_uct import GameUCT
from rookery.search.nrpa import NRPA
from rookery.stop import Stop

RUNS = 200
LEAST_RUNS = 16
"""Fewer trials would choose by chance."""


def tune(
    subject: Problem | PythonProblem | Game | PythonGame,
    search: Any = None,
    *,
    runs: int | None = None,
    budget: float | None = None,
    stop: Stop | None = None,
    space: Space | None = None,
    sampler: str = "halving",
    seed: int = 1,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
    observers: Observers | None = None,
    callbacks: Sequence[Callback] = (),
) -> Tuning:
    """Find the best setting of a search on a problem, or in a game, and what it is worth.

    Every trial has the same limit. On a problem, settings are ordered by their mean rank over seeds that they share; in
    a game, by their points against the setting that it began with. Under a limit of playouts the answer depends on the
    seed alone.

    Parameters
    ----------
    subject
        the problem or the game
    search
        the search with the setting to begin with, which is the default that the winner must beat; several in a list,
        of which the first is that default. Without one: ``NRPA()``, or ``GameUCT()`` in a game
    runs
        how many runs, or games, there are in all; a quarter of them is held out for the end [default: 200]
    budget
        seconds of one core for all of them, instead of ``runs``: as many as a run, or a game, of the default says
    stop
        the limit of every run: ``MaxTime`` or ``MaxPlayouts``; a game's is that of its searches for a move
    space
        the values to try: for each parameter a list, or a ``rookery.tools.Range``; by default what the search says
    sampler
        ``"halving"``: settings drawn at random; ``"optuna"``: the next setting from those before it (the extra
        ``tune``)
    seed
        of the settings that are drawn and of the trials
    workers, executor, address
        as those of ``experiment`` and ``match``
    folder
        trials are kept there, and the same call goes on with them after an interrupt
    progress
        write a line to standard error for each run
    observers
        makes the observers of a run, as that of ``experiment``
    callbacks
        observers of games

    >>> import rookery as rk
    >>> problem, limit = rk.problems.LeftMove(depth=20), rk.MaxPlayouts(200)
    >>> done = rk.tune(problem, rk.NRPA(level=3), space={"level": (1, 2, 3)}, stop=limit, runs=24)
    >>> done.best in done.settings, len(done.tried)
    (True, 3)
    """
    if not isinstance(subject, (Problem, PythonProblem, Game, PythonGame)):
        raise InputError(f"tune needs a {EITHER.word}, got {shown(subject)}")
    if runs is not None and budget is not None:
        raise InputError("runs and budget say the same: give one of them")
    if runs is not None:
        whole("runs", runs, LEAST_RUNS)
    check_executor(executor, workers, address)
    seed = whole("seed", seed, 0, MOST_SEED // (2 * SEEDS))
    bases = _bases(subject, search)
    if space is not None:
        check_space(space, [*bases.values()])
    spaces = {name: space_of(base, subject, space) for name, base in bases.items()}
    if len(bases) == 1 and not any(spaces.values()):
        raise InputError(f"{next(iter(bases))} has no parameter to tune: say with space which values to try")
    way = Way(
        None if folder is None else Path(folder), workers, executor, address, progress, observers, tuple(callbacks)
    )
    trials, limit = _trials(subject, bases, stop, seed, way)
    if sampler not in ("halving", "optuna"):
        raise InputError(f'sampler must be "halving" or "optuna", got {shown(sampler)}')
    count = partial(_count, trials, bases, runs, budget)
    about = {name: base.parameters() for name, base in bases.items()}
    said = [name_of(subject), subject.parameters(), about, spaces, limit, runs, budget, seed, sampler]
    asked = count() if way.folder is None else _claim(way.folder, said, count)
    hunt = Hunt(trials, subject, bases, spaces, asked, seed)
    complete = True
    try:
        if sampler == "optuna":
            from rookery.experiments.by_optuna import propose

            hunt.meet(propose(hunt))
        else:
            hunt.meet(hunt.drawn())
        hunt.hold_out()
    except (Interrupted, KeyboardInterrupt):
        if not hunt.tried:
            raise KeyboardInterrupt from None
        complete = False
    return Tuning(
        subject=name_of(subject),
        parameters=subject.parameters(),
        kind="game" if trials.even else "problem",
        sense=getattr(subject, "sense", "max"),
        limit=limit,
        seed=seed,
        settings=hunt.settings,
        tried=hunt.ranking(),
        defaults=tuple(bases),
        best=hunt.best,
        held_out=hunt.held_out,
        trials=hunt.used,
        complete=complete,
    )


def _bases(subject: Any, search: Any) -> dict[str, AnySearch]:
    """The settings to begin with, by name."""
    game = isinstance(subject, (Game, PythonGame))
    kind = GAME_SEARCH if game else SEARCH
    if search is None:
        search = GameUCT() if game else NRPA()
    searches = list(search) if isinstance(search, Sequence) and not isinstance(search, str) else [search]
    if not searches:
        raise InputError("search must hold at least one search, got none")
    for one in searches:
        kind.check("search", one)
    for one in searches:
        one.check_game(subject) if game else one.check(subject)
    return numbered([(one.name, one) for one in searches])


def _trials(subject: Any, bases: Mapping[str, Any], stop: Stop | None, seed: int, way: Way) -> tuple[Runs | Games, str]:
    """How settings are measured, and the limit of a trial in words."""
    opponent = next(iter(bases.values()))
    if isinstance(subject, (Game, PythonGame)):
        if stop is not None:
            raise InputError("in a game the limit is that of a move, as in GameUCT(playouts=1000): leave stop out")
        limits = {(one.playouts, one.seconds) for one in bases.values()}
        if len(limits) > 1:
            raise InputError("all searches must have the same playouts and seconds for a move")
        per_move = [f"{opponent.playouts:,} playouts"] if opponent.playouts is not None else []
        per_move += [f"{opponent.seconds:g} s"] if opponent.seconds is not None else []
        return Games(subject, opponent, seed, way), f"{' or '.join(per_move)} a move"
    if not isinstance(stop, Stop) or (stop.time is None and stop.playouts is None):
        raise InputError(f"stop must limit time or playouts of a run, as MaxTime(2) does, got {shown(stop)}")
    limits_of_run = [f"{stop.playouts:,} playouts"] if stop.playouts is not None else []
    limits_of_run += [f"{stop.time:g} s"] if stop.time is not None else []
    return Runs(subject, stop, way), f"{' or '.join(limits_of_run)} each"


def _count(trials: Runs | Games, bases: Mapping[str, AnySearch], runs: int | None, budget: float | None) -> int:
    """How many trials: as said, or as there is time for."""
    if budget is None:
        return RUNS if runs is None else runs
    if not finite("budget", budget) > 0:
        raise InputError(f"budget must be more than 0, got {shown(budget)}")
    count = int(budget / max(trials.seconds(next(iter(bases.values()))), 1e-6))
    if count < LEAST_RUNS:
        word = f"a {trials.unit} takes {budget / max(count, 1):.3g} s" if count else f"one {trials.unit} takes longer"
        raise InputError(f"budget must be enough for {LEAST_RUNS} {trials.unit}s, got {budget:g} s: {word}")
    return count


def _claim(folder: Path, about: Any, count: Callable[[], int]) -> int:
    """Say in a folder what it is for, and how many trials; refuse one that is for something else."""
    header, said = folder / "tune.json", plain(about)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # the latter: a character that no path can have
        raise InputError(f"{folder} cannot hold trials: {reason(error)}") from None
    old = read_json(header, "the header of a tuning", lambda data: data) if header.exists() else None
    if old is None:
        old = {"about": said, "runs": count()}
        write_text(header, json.dumps(old, indent=1) + "\n")
    if not isinstance(old, dict) or old.get("about") != said:
        raise InputError(f"{folder} holds other trials: give these a folder of their own")
    return whole(f"the runs of {header}", old.get("runs"), LEAST_RUNS)
