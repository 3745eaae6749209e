"""A single game, as people play it, in a file: SGF, or the record of a match of one game."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rookery.arguments import shown
from rookery.disk import check_writable, write_text
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.games.sgf import COLOURS, write_sgf
from rookery.matches.record import record_header, record_line
from rookery.matches.record_files import check_sgf
from rookery.matches.scores import PlayedGame, winner_by_side


def write_game(
    path: str | os.PathLike[str],
    game: Game | PythonGame,
    moves: Sequence[Any],
    *,
    players: Sequence[Mapping[str, Any]],
    winner: int | None = None,
    resigned: bool = False,
    playouts: int = 0,
) -> None:
    """Write a game to a new file: ``.sgf`` for the Go family, ``.jsonl`` for the record of any game that is over.

    Parameters
    ----------
    players
        who began and the other, as plain values: the parameters of a search, or ``{"algorithm": "a person"}``
    winner
        0 or 1, -1 for a draw, None if the game is not over
    resigned
        whether the loser gave up
    playouts
        of the searches in all

    >>> import pathlib, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "game.sgf"
    ...     sides = {"algorithm": "a person"}, rk.GameUCT().parameters()
    ...     write_game(path, rk.games.Go(size=9), [40], players=sides, winner=1, resigned=True)
    ...     print(path.read_text(), end="")
    (;FF[4]GM[1]CA[UTF-8]AP[rookery]SZ[9]KM[7.5]PB[a person]PW[uct]RE[W+R]
    ;B[ee])
    """
    name = os.fspath(path)
    ending = Path(name).suffix.lower()
    if ending not in (".sgf", ".jsonl"):
        raise InputError(f"a game must be written as .sgf or .jsonl, got {shown(name)}")
    if os.path.lexists(path):
        raise InputError(f"a game must be written to a new file, and {name} is there already")
    if ending == ".sgf":
        board = check_sgf(game, path)
        first, second = (str(player["algorithm"]) for player in players)
        by = {"RE": f"{COLOURS[winner]}+R"} if resigned and winner in (0, 1) else {}
        told = None if by else winner
        write_text(path, write_sgf(board, moves, black=first, white=second, winner=told, properties=by))
        return
    check_writable(path)
    if winner is None:
        raise InputError(f"a record holds games that are over; {len(moves)} moves were played so far")
    played = PlayedGame(0, winner_by_side(0, winner), tuple(moves), playouts, resigned)
    lines = record_header(game, players[0], players[1], None), record_line(game, played)
    write_text(path, "".join(json.dumps(line) + "\n" for line in lines))
