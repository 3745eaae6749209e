"""``rookery tournament``: every player meets every other, and all are rated."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from typing import Any

import rookery as rk
from rookery.cli import completion
from rookery.cli import match as m
from rookery.cli import options as o
from rookery.cli import running as r


def tournament(
    game: m.GameName,
    players: list[str] = o.option(
        "SEARCH,...",
        f"The players, with commas between them: {m.SEARCH}; or your own as path/to/file.py:Class. May be repeated.",
        ...,
        "--players",
        offered=completion.game_searches,
    ),
    size: o.Text = o.option("N", "Size of the board; the same as -p size=N."),
    parameters: list[str] | None = o.option(
        "KEY=VALUE", "A parameter of the game.", None, "--parameter", "-p", offered=completion.parameters
    ),
    playouts: o.Text = o.option("N", "Playouts per move of every player [default: 1000, or as time allows]"),
    time_per_move: o.Text = o.option("TIME", "Time per move of every player: 0.1s, 500ms."),
    games: str = o.option("N", "Games of each pair, an even number; each begins half of them.", "200"),
    seed: str = o.option("N", "The same seed gives the same games.", "1"),
    workers: o.Text = o.option(
        "N", "Games played at the same time; the result is the same for any number [default: all cores]"
    ),
    executor: str = o.option(
        "NAME", "What plays games: threads, processes, mpi or dask.", "threads", offered=completion.executors
    ),
    address: r.Address = None,
    out: o.Text = o.option("DIR", "A folder for the games of each pair; what is in it is not played again."),
    csv: o.Text = o.option("FILE", "Write one line for each pair, with commas."),
    plot: o.Text = o.option("FILE", "Draw the ratings with their intervals, as .png, .svg or .pdf."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Let every player meet every other, and print their Elo ratings with 95% intervals and the cross table."""
    limits = {
        "playouts": o.optional(o.whole, "--playouts", playouts),
        "seconds": o.optional(m.move_time, "--time-per-move", time_per_move),
    }
    named = named_players([player for text in players for player in split_players(text)], limits)
    run: dict[str, Any] = {
        "games": o.whole("--games", games, least=2),
        "seed": o.whole("--seed", seed, least=0),
        "executor": executor,
        "address": address,
        "folder": out,
        "progress": not quiet and sys.stderr is not None,
    }
    if csv is not None:
        rk.files.check_writable(csv)
    if plot is not None:
        o.check_plot(plot)
        if csv is not None and os.path.realpath(csv) == os.path.realpath(plot):
            raise rk.InputError(f"--csv and --plot must be different files, got {plot} for both")
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the result
        loaded = m.load(game, size, parameters)
        at_once = r.workers_of(executor, workers, loaded)
        result, code = r.observed(
            lambda callbacks: rk.tournament(loaded, named, workers=at_once, callbacks=callbacks, **run),
            "the first game was over",
            None,
            None if log is None else r.journal(log),
            numbered=True,
        )
    if result is None:
        return code
    try:
        if csv is not None:
            rk.files.write_bytes(csv, result.csv().encode())
        if plot is not None:
            result.plot(plot)
    finally:  # what was played must not be lost to a full disk
        print(json.dumps(result.to_json(), default=str) if as_json else result)
        if code and out is not None:
            print("rookery: the games are kept: the same command continues with them", file=sys.stderr)
    return code


def split_players(text: str) -> list[str]:
    """The players in a text; a comma is also between the parameters of a player.

    >>> split_players("uct,ppa:alpha=0.5,playouts=2000,mine.py:Search:width=3")
    ['uct', 'ppa:alpha=0.5,playouts=2000', 'mine.py:Search:width=3']
    """
    return re.split(r",(?!\w+=)", text)


def named_players(texts: list[str], limits: dict[str, Any]) -> dict[str, Any]:
    """The searches by the texts that name them."""
    named = {}
    for text in texts:
        if text in named:
            raise rk.InputError(f"--players must differ, got {o.shown(text)} twice")
        named[text] = rk.tools.load_game_search(text, **limits, option="--players")
    if len(named) < 2:
        raise rk.InputError(f"--players must be at least two, as in uct,ppa, got {o.shown(','.join(named))}")
    return named
