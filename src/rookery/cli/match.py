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
from rookery.cli.running import ExitSignals

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (see rookery list) or path/to/file.py:Class.",
        autocompletion=completion.games,
    ),
]
SEARCH = "ppa, uct or flat, also with parameters: ppa:alpha=0.5,playouts=2000,solver=true"


def match(
    game: GameName,
    a: Annotated[
        str,
        typer.Option(
            "--a",
            metavar="SEARCH",
            help=f"One side: {SEARCH}; or your own as path/to/file.py:Class.",
            autocompletion=completion.game_searches,
        ),
    ] = "ppa",
    b: Annotated[
        str,
        typer.Option(
            "--b",
            metavar="SEARCH",
            help="The other side, in the same form.",
            autocompletion=completion.game_searches,
        ),
    ] = "uct",
    size: Annotated[o.Text, typer.Option(metavar="N", help="Size of the board; the same as -p size=N.")] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            metavar="KEY=VALUE",
            help="A parameter of the game.",
            autocompletion=completion.parameters,
        ),
    ] = None,
    playouts: Annotated[
        o.Text, typer.Option(metavar="N", help="Playouts per move of either side [default: 1000, or as time allows]")
    ] = None,
    time_per_move: Annotated[
        o.Text, typer.Option(metavar="TIME", help="Time per move of either side: 0.1s, 500ms.")
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="How many games; the sides take turns to begin.")] = "500",
    seed: Annotated[str, typer.Option(metavar="N", help="The same seed gives the same games.")] = "1",
    workers: Annotated[
        o.Text,
        typer.Option(metavar="N", help="Games at a time; the result is the same for any number [default: all cores]"),
    ] = None,
    executor: r.Executor = "threads",
    address: r.Address = None,
    record: Annotated[
        o.Text, typer.Option(metavar="FILE", help="Keep every game as a line of JSON, and go on from what is there.")
    ] = None,
    sgf: Annotated[o.Text, typer.Option(metavar="FILE", help="Write the games as SGF (the Go family).")] = None,
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
    with contextlib.redirect_stdout(sys.stderr):  # what a user's code prints is not the result
        loaded = load(game, size, parameters)
        at_once = r.workers_of(executor, workers, loaded)
        if sgf is not None:
            rk.files.check_sgf(loaded, sgf)
            if record is not None and os.path.realpath(record) == os.path.realpath(sgf):
                raise rk.InputError(f"--record and --sgf must be different files, got {sgf} for both")
        result, code = observed(loaded, *sides, quiet=quiet, workers=at_once, **run)
    if result is None:
        return code
    try:
        if sgf is not None:
            rk.files.write_match_sgf(sgf, loaded, result)
    finally:  # what was played is not lost with a disk that is full
        print(json.dumps(result.to_json(), default=str) if as_json else result)
        if code and record is not None:
            print("rookery: the games are kept: the same command goes on with them", file=sys.stderr)
    return code


def observed(
    game: rk.Game | rk.PythonGame, a: Any, b: Any, *, quiet: bool, title: str = "", **run: Any
) -> tuple[rk.MatchResult | None, int]:
    """The result of a match with a line of progress, if there is one, and the exit code."""
    line = None if quiet or sys.stderr is None else rk.ProgressLine(title=title or type(game).__name__)
    interrupts = ExitSignals()
    observers = [interrupts, *([] if line is None else [line])]
    try:
        with interrupts:
            result = rk.match(game, a, b, callbacks=observers, **run)
    except KeyboardInterrupt:
        if line is not None:
            line.close()
        print("rookery: interrupted before the first game was over", file=sys.stderr)
        return None, interrupts.exit_code or 130
    finally:
        if line is not None:
            line.close()
    return result, (interrupts.exit_code or 130) if result.status == "interrupted" else 0


def load(name: str, size: str | None, parameters: list[str] | None) -> rk.Game | rk.PythonGame:
    """The game of a command."""
    given = o.key_values(parameters)
    if size is not None:
        if "size" in given:
            raise rk.InputError("--size and -p size are the same: give one of them")
        given = {"size": str(o.whole("--size", size)), **given}
    return rk.load_game(name, given)


def move_time(option: str, text: str) -> float:
    """Seconds for a move."""
    seconds = o.duration(option, text)
    if not 0 < seconds < float("inf"):
        raise rk.InputError(f"{option} must be more than 0, got {o.shown(text)}")
    return seconds
