"""``rookery gtp``: a player of the Go family for programs that speak the Go Text Protocol."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from typing import TextIO

import rookery as rk
from rookery.cli import completion
from rookery.cli import match as m
from rookery.cli import options as o


def gtp(
    game: str = o.option("NAME", "go, nogo, misere-nogo or atarigo.", "go", "--game", offered=completion.games),
    search: str = o.option(
        "SEARCH",
        f"What generates moves: {m.SEARCH}; or your own as path/to/file.py:Class.",
        "uct",
        offered=completion.game_searches,
    ),
    size: o.Text = o.option("N", "Size of the board, until a boardsize command; the same as -p size=N."),
    parameters: list[str] | None = o.option(
        "KEY=VALUE", "A parameter of the game.", None, "--parameter", "-p", offered=completion.parameters
    ),
    playouts: o.Text = o.option("N", "Playouts per move."),
    time_per_move: o.Text = o.option("TIME", "Time per move: 0.1s, 500ms [default: 1s, unless playouts are given]"),
    seed: str = o.option("N", "The same seed gives the same moves.", "1"),
) -> int:
    """Speak the Go Text Protocol on standard input and output, for Sabaki, GoGui, twogtp and other programs.

    Go has superko unless -p says otherwise. The clock of the protocol is kept as well as these limits.
    """
    limits = {
        "playouts": o.optional(o.whole, "--playouts", playouts),
        "seconds": o.optional(m.move_time, "--time-per-move", time_per_move or (None if playouts else "1s")),
    }
    player = rk.tools.load_game_search(search, **limits, option="--search")  # type: ignore[arg-type]
    if game == "go" and not any(text.startswith("ko=") for text in parameters or ()):
        parameters = [*(parameters or ()), "ko=superko"]
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is no answer
        loaded = m.load(game, size, parameters)
        incoming: queue.Queue[str | None] = queue.Queue()
        engine = rk.tools.GtpEngine(
            loaded,  # type: ignore[arg-type]
            player,
            seed=o.whole("--seed", seed, least=0),
            waits=lambda: not incoming.empty(),
        )
        engine.warm()
        if sys.stdin is not None:
            threading.Thread(target=_read, args=(sys.stdin, incoming), daemon=True).start()
        else:
            incoming.put(None)
        while not engine.quits and (line := incoming.get()) is not None:
            for piece in engine.answers(line):
                out.write(piece)
                out.flush()
    return 0


def _read(stream: TextIO, incoming: queue.Queue[str | None]) -> None:
    """Pass lines on as they come; None at the end."""
    try:
        for line in stream:
            incoming.put(line)
    except (OSError, ValueError):  # it was closed
        pass
    finally:
        incoming.put(None)
