"""``rookery match``: two searches play many games against each other."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o
from rookery.cli import running as r

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (see rookery list) or path/to/file.py:Class.",
        autocompletion=completion.games,
    ),
]
SEARCH = (
    "ppa, ppaf, ppafm, uct, rave, grave, mast or flat, also with parameters: ppa:alpha=0.5,playouts=2000,solver=true"
)


def match(
    game: GameName,
    a: str = o.option(
        "SEARCH",
        f"One side: {SEARCH}; or your own as path/to/file.py:Class.",
        "ppa",
        "--a",
        offered=completion.game_searches,
    ),
    b: str = o.option("SEARCH", "The other side, in the same form.", "uct", "--b", offered=completion.game_searches),
    size: o.Text = o.option("N", "Size of the board; the same as -p size=N."),
    parameters: list[str] | None = o.option(
        "KEY=VALUE", "A parameter of the game.", None, "--parameter", "-p", offered=completion.parameters
    ),
    playouts: o.Text = o.option("N", "Playouts per move of either side [default: 1000, or as time allows]"),
    time_per_move: o.Text = o.option("TIME", "Time per move of either side: 0.1s, 500ms."),
    games: str = o.option("N", "How many games; the sides take turns to begin.", "500"),
    seed: str = o.option("N", "The same seed gives the same games.", "1"),
    workers: o.Text = o.option(
        "N", "Games played at the same time; the result is the same for any number [default: all cores]"
    ),
    executor: str = o.option(
        "NAME", "What plays games: threads, processes, mpi or dask.", "threads", offered=completion.executors
    ),
    address: r.Address = None,
    record: o.Text = o.option("FILE", "Keep every game as a line of JSON, and continue from those already there."),
    sgf: o.Text = o.option("FILE", "Write the games as SGF (the Go family)."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Play a match between two searches, and print the score with its 95% interval."""
    limits = {
        "playouts": o.optional(o.whole, "--playouts", playouts),
        "seconds": o.optional(move_time, "--time-per-move", time_per_move),
    }
    run: dict[str, Any] = {
        "games": o.whole("--games", games),
        "seed": o.whole("--seed", seed, least=0),
        "executor": executor,
        "address": address,
        "record": record,
    }
    sides = [
        rk.tools.load_game_search(text, **limits, option=option)  # type: ignore[arg-type]
        for option, text in (("--a", a), ("--b", b))
    ]
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the result
        loaded = load(game, size, parameters)
        at_once = r.workers_of(executor, workers, loaded)
        if sgf is not None:
            rk.files.check_sgf(loaded, sgf)
            if record is not None and os.path.realpath(record) == os.path.realpath(sgf):
                raise rk.InputError(f"--record and --sgf must be different files, got {sgf} for both")
        result, code = r.observed(
            lambda callbacks: rk.match(loaded, *sides, workers=at_once, callbacks=callbacks, **run),
            "the first game was over",
            r.progress_line(quiet, type(loaded).__name__),
            None if log is None else r.journal(log, append=record is not None, record=record, sgf=sgf),
        )
    if result is None:
        return code
    try:
        if sgf is not None:
            rk.files.write_match_sgf(sgf, loaded, result)
    finally:  # what was played must not be lost to a full disk
        print(json.dumps(result.to_json(), default=str) if as_json else result)
        if code and record is not None:
            print("rookery: the games are kept: the same command continues with them", file=sys.stderr)
    return code


def load(name: str, size: str | None, parameters: list[str] | None) -> rk.Game | rk.PythonGame:
    """The game of a command."""
    return rk.load_game(name, board_parameters(size, parameters))


def board_parameters(size: str | None, parameters: list[str] | None) -> dict[str, str]:
    """The parameters of a game, of which the size has an option of its own.

    >>> board_parameters("5", ["komi=0.5"])
    {'size': '5', 'komi': '0.5'}
    """
    given = o.key_values(parameters)
    if size is not None:
        if "size" in given:
            raise rk.InputError("--size and -p size are the same: give one of them")
        given = {"size": str(o.whole("--size", size)), **given}
    return given


def move_time(option: str, text: str) -> float:
    """Seconds for a move."""
    seconds = o.duration(option, text)
    if not 0 < seconds < float("inf"):
        raise rk.InputError(f"{option} must be more than 0, got {o.shown(text)}")
    return seconds
