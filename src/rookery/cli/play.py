"""``rookery play``: a person against a search, in the terminal."""

from __future__ import annotations

import contextlib
import io
import sys

import rookery as rk
from rookery.cli import completion
from rookery.cli import match as m
from rookery.cli import options as o
from rookery.cli.dialogue import Dialogue

PROMPT = "> "


def play(
    game: m.GameName,
    against: str = o.option(
        "SEARCH",
        f"The other side: {m.SEARCH}; or your own as path/to/file.py:Class.",
        "uct",
        "--against",
        offered=completion.game_searches,
    ),
    side: str = o.option("NAME", "Yours: first or second, or as the game calls it, such as black or white.", "first"),
    size: o.Text = o.option("N", "Size of the board; the same as -p size=N."),
    parameters: list[str] | None = o.option(
        "KEY=VALUE", "A parameter of the game.", None, "--parameter", "-p", offered=completion.parameters
    ),
    playouts: o.Text = o.option("N", "Playouts per move of the search."),
    time_per_move: o.Text = o.option("TIME", "Its time per move: 0.1s, 500ms [default: 1s, unless playouts are given]"),
    seed: str = o.option("N", "The same seed gives the same answers, unless there is a time limit.", "1"),
) -> int:
    """Play against a search: hints, undo, its opinion, and the game saved as SGF or as a record."""
    limits = {
        "playouts": o.optional(o.whole, "--playouts", playouts),
        "seconds": o.optional(m.move_time, "--time-per-move", time_per_move or (None if playouts else "1s")),
    }
    search = rk.tools.load_game_search(against, **limits, option="--against")  # type: ignore[arg-type]
    loaded = m.load(game, size, parameters)
    person = side_of(side, loaded.players)
    sitting = rk.tools.Sitting(loaded, search, o.whole("--seed", seed, least=0))
    if not sitting.legal:
        raise rk.InputError("the game is over after 0 moves")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # arrow keys, where there are any
    sitting.warm()
    dialogue = Dialogue(sitting, person)
    print(dialogue.begin())
    while not dialogue.ended:
        try:
            line = input(PROMPT)
        except EOFError:
            print()
            break
        said = dialogue.reply(line)
        if said:
            print(said)
    return 0


def side_of(text: str, names: tuple[str, str]) -> int:
    """Which player a side is.

    >>> side_of("second", ("black", "white")), side_of("Black", ("black", "white"))
    (1, 0)
    """
    for player, name in enumerate(("first", "second")):
        if text.strip().lower() in (name, str(names[player]).lower()):
            return player
    known = list(dict.fromkeys(["first", "second", *map(str, names)]))
    raise rk.InputError(f"--side must be {', '.join(known[:-1])} or {known[-1]}, got {o.shown(text)}")
