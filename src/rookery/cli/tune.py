"""``rookery tune``: the best setting of a search for a problem, or for a game."""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.match import board_parameters, move_time
from rookery.cli.search import Chosen
from rookery.tools import search_parameters

RUNS = 200
"""A run is so long that about so many fit into the budget, if nothing says how long it is."""
MOVE = 1000
"""Playouts for a move, if nothing says how many."""


def tune(
    subject: str = o.argument(
        "PROBLEM",
        "A built-in problem or game (see rookery list), or path/to/file.py:Class.",
        offered=completion.problems_and_games,
    ),
    algorithm: list[str] | None = o.option(
        "SEARCH",
        "The search, also with parameters to begin with: nrpa, nrpa:level=4, ppa:alpha=0.5; or your own as "
        "path/to/file.py:Class. May be repeated: the winner must beat the first [default: nrpa; uct for a game]",
        None,
    ),
    space: list[str] | None = o.option(
        "KEY=VALUES", "What to try: level=2,3,4 or alpha=0.1..2 [default: what the search says]", None
    ),
    size: o.Text = o.option("N", "Size of the board of a game; the same as -p size=N."),
    parameters: list[str] | None = o.option(
        "KEY=VALUE", "A parameter of the problem or the game.", None, "--parameter", "-p", offered=completion.parameters
    ),
    budget: o.Text = o.option("TIME", "How long it may take in all: 10m, 2h [default: 10m, unless --runs says it]"),
    runs: o.Text = o.option("N", "How many runs, or games, there are in all, instead of a budget."),
    time: o.Text = o.option("TIME", "Time of a run: 2s; for a game, of a move [default: budget / 200]"),
    playouts: o.Text = o.option("N", "Playouts of a run, or of a move [default for a game: 1000]"),
    sampler: str = o.option("NAME", "halving: settings at random; optuna: proposed by Optuna.", "halving"),
    seed: str = o.option("N", "The same seed gives the same trials.", "1"),
    workers: o.Text = o.option("N", "Runs, or games, at the same time [default: all cores]"),
    executor: str = o.option(
        "NAME", "What makes them: threads, processes, mpi or dask.", "threads", offered=completion.executors
    ),
    address: r.Address = None,
    out: o.Text = o.option("DIR", "A folder for the trials; what is in it is not made again."),
    preset: o.Text = o.option("FILE", "Write the winner there, for --preset FILE or --a FILE: tuned.json."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Find the best setting of a search, and what it is worth on trials that did not choose it.

    Many settings get few runs, the better third goes on to more, and the winner meets the default on new seeds. For a
    game the settings play against the default.
    """
    allowed = allowed_of(budget, runs, preset)
    with contextlib.redirect_stdout(sys.stderr), r.ExitSignals() as interrupts:  # what user code prints
        given = board_parameters(size, parameters)
        loaded = rk.tools.load_any(subject, given)
        game = isinstance(loaded, (rk.Game, rk.PythonGame))
        at_once = r.workers_of(executor, workers, loaded)
        seconds = None if allowed is None else allowed * (at_once or o.cores())  # of one core
        limits = limits_of(game, time, playouts, seconds)
        texts = algorithm or (["uct"] if game else ["nrpa"])
        searches = [searched(text, game, limits) for text in texts]
        journal = None if log is None else r.journal(log, append=out is not None)
        observers = None if journal is None else r.observers_of(journal)
        try:
            done = rk.tune(
                loaded,
                searches,
                runs=o.whole("--runs", runs) if runs is not None else None,
                budget=seconds,
                stop=None if game else limits["stop"],
                space=None if not space else space_of(space, texts, game),
                sampler=sampler,
                seed=o.whole("--seed", seed, least=0),
                workers=at_once,
                executor=executor,
                address=address,
                folder=out,
                progress=not quiet,
                observers=observers,
                callbacks=() if journal is None or not game else (journal.run(numbered=True),),
            )
        except KeyboardInterrupt:
            print("rookery: interrupted before the first round was complete", file=sys.stderr)
            return interrupts.exit_code or 130
        finally:
            if journal is not None:
                journal.close()
    try:
        if preset is not None and done.complete:
            done.save_preset(preset)
    finally:  # what was found must not be lost to a full disk
        print(json.dumps(done.to_json(), default=str) if as_json else done)
        if not as_json and done.complete:
            print(command(done, subject, given))
    if not done.complete:
        if out is not None:
            print("rookery: the trials are kept: the same command continues with them", file=sys.stderr)
        return interrupts.exit_code or 130
    return 0


def allowed_of(budget: str | None, runs: str | None, preset: str | None) -> float | None:
    """The seconds that it may take; None if the number of runs says it.

    >>> allowed_of(None, None, None), allowed_of(None, "100", None)
    (600.0, None)
    """
    if preset is not None:
        if not preset.endswith(".json"):
            raise rk.InputError(f"--preset must end in .json, got {o.shown(preset)}")
        rk.files.check_writable(preset)
    if runs is not None:
        if budget is not None:
            raise rk.InputError("--budget and --runs say the same: give one of them")
        return None
    allowed = o.duration("--budget", budget or "10m")
    if not 0 < allowed < float("inf"):
        raise rk.InputError(f"--budget must be more than 0, got {o.shown(budget)}")
    return allowed


def limits_of(game: bool, time: str | None, playouts: str | None, budget: float | None) -> dict[str, Any]:
    """The limits of a run, as a Stop; or of a move, as a search takes them.

    >>> limits_of(False, None, None, 1200.0)["stop"].time
    6.0
    >>> limits_of(True, None, None, 1200.0)
    {'playouts': 1000, 'seconds': None}
    """
    count = o.optional(o.whole, "--playouts", playouts)
    seconds = o.optional(move_time, "--time", time)
    if game:
        return {"playouts": count if count or seconds else MOVE, "seconds": seconds}
    stop = rk.Stop()
    if seconds is None and count is None:
        if budget is None:
            raise rk.InputError("give --time or --playouts of a run with --runs")
        seconds = budget / RUNS
    if seconds is not None:
        stop |= rk.MaxTime(seconds)
    return {"stop": stop if count is None else stop | rk.MaxPlayouts(count)}


def searched(text: str, game: bool, limits: Mapping[str, Any]) -> Any:
    """A search from its name and parameters: ``nrpa:level=4``."""
    if game:
        return rk.tools.load_game_search(text, **limits, option="--algorithm")
    name, settings = _split(text)
    return Chosen(name, settings=settings).search()


def space_of(texts: Sequence[str], searches: Sequence[str], game: bool) -> dict[str, Any]:
    """What to try, each value read as the first of the searches that has the parameter takes it.

    >>> space_of(["level=2,3", "alpha=0.1..2"], ["nrpa"], game=False)
    {'level': (2, 3), 'alpha': Range(low=0.1, high=2.0)}
    """
    found: dict[str, Any] = {}
    for key, text in o.key_values(texts, "--space").items():
        owner = next((name for name in searches if key in _known(name, game)), None)
        if owner is None:
            there = ", ".join(dict.fromkeys(known for name in searches for known in _known(name, game)))
            raise rk.InputError(f"--space: there is no parameter {o.shown(key)}; there are {there}")
        low, dots, high = text.partition("..")
        values = tuple(_value(owner, key, one, game) for one in ([low, high] if dots else text.split(",")))
        if dots and not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            raise rk.InputError(f"--space {key} must be a range of numbers, got {o.shown(text)}")
        found[key] = rk.tools.Range(*values) if dots else values
    return found


def _known(text: str, game: bool) -> list[str]:
    search = searched(text, game, {"playouts": 1, "seconds": None})
    return [field.name for field in fields(search) if field.init]


def _value(text: str, key: str, value: str, game: bool) -> Any:
    if value.lower() == "none":
        return None
    name, _ = _split(text)
    return getattr(searched(f"{name}:{key}={value}", game, {"playouts": 1, "seconds": None}), key)


def _split(text: str) -> tuple[str, list[str]]:
    """The name of a search, and its parameters: a colon is also between a file and a class."""
    name, colon, rest = text.rpartition(":")
    return (name, rest.split(",")) if colon and "=" in rest else (text, [])


def command(done: rk.Tuning, subject: str, parameters: Mapping[str, str]) -> str:
    """The command line of the winner.

    >>> problem, limit = rk.problems.LeftMove(depth=5), rk.MaxPlayouts(20)
    >>> done = rk.tune(problem, rk.NRPA(level=2), space={"alpha": (1.0,)}, stop=limit, runs=16)
    >>> command(done, "leftmove", {"depth": "5"})
    'rookery solve leftmove -p depth=5 --algorithm nrpa --level 2'
    """
    words = [part for key, value in parameters.items() for part in ("-p", f"{key}={value}")]
    values = done.search.parameters()
    algorithm = str(values["algorithm"])
    plain = type(done.search)()
    changed = {name: value for name, value in values.items() if name != "algorithm" and value != getattr(plain, name)}
    if done.kind == "game":
        told = ",".join(f"{name}={value}" for name, value in changed.items() if name not in ("playouts", "seconds"))
        limits = _limits(values)
        side = f"{algorithm}:{told}" if told else algorithm
        return shlex.join(
            ["rookery", "match", subject, *words, "--a", side, "--b", done.default.partition(" ")[0], *limits]
        )
    options = [part for name, value in changed.items() for part in _option(done.search, algorithm, name, value)]
    return shlex.join(["rookery", "solve", subject, *words, "--algorithm", algorithm, *options])


def _limits(values: Mapping[str, Any]) -> list[str]:
    found = [] if values["playouts"] is None else ["--playouts", str(values["playouts"])]
    return found + ([] if values["seconds"] is None else ["--time-per-move", f"{values['seconds']:g}s"])


def _option(search: Any, algorithm: str, name: str, value: Any) -> list[str]:
    """A parameter as the command line takes it."""
    if ":" in algorithm:
        return ["--set", f"{name}={value}"]
    dashed = "--" + search_parameters(type(search))[name].option.replace("_", "-")
    if isinstance(value, bool):
        return [dashed if value else dashed.replace("--", "--no-", 1)]
    if isinstance(value, Mapping):
        return [part for level, item in value.items() for part in (dashed, f"{level}:{item}")]
    return [dashed, str(value)]
