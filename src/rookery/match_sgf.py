"""The games of a match as a collection in SGF."""

from __future__ import annotations

import os

from rookery.errors import InputError
from rookery.files import check_writable, write_text
from rookery.game import Game, PythonGame
from rookery.games.pointsets import PointSets
from rookery.games.sgf import write_sgf
from rookery.match_result import MatchResult


def check_sgf(game: Game | PythonGame, path: str | os.PathLike[str]) -> PointSets:
    """Refuse a game that SGF does not have, or a file that could not be written, before any game is played.

    >>> check_sgf(PythonGame(), "games.sgf")
    Traceback (most recent call last):
    rookery.errors.InputError: SGF is for go, atarigo, nogo and misere-nogo, not for PythonGame
    """
    if not isinstance(game, PointSets):
        raise InputError(f"SGF is for go, atarigo, nogo and misere-nogo, not for {type(game).__name__}")
    check_writable(path)
    return game


def write_match_sgf(path: str | os.PathLike[str], game: Game | PythonGame, result: MatchResult) -> None:
    """Write the games of a match in order, with who had which colour and who won.

    >>> import pathlib, tempfile
    >>> import rookery as rk
    >>> game = rk.load_game("nogo", {"size": "3"})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "games.sgf"
    ...     result = rk.match(game, rk.FlatMC(playouts=20), rk.FlatMC(playouts=10), games=2)
    ...     write_match_sgf(path, game, result)
    ...     path.read_text().count("PB[flat (b)]")
    1
    """
    board = check_sgf(game, path)
    names = {"a": f"{result.a['algorithm']} (a)", "b": f"{result.b['algorithm']} (b)"}
    written = []
    for played in result.played:
        first, second = ("a", "b") if played.first == "a" else ("b", "a")
        winner = -1 if played.winner == "draw" else int(played.winner == second)
        named = {"black": names[first], "white": names[second], "properties": {"RO": str(played.number + 1)}}
        written.append(write_sgf(board, played.moves, winner=winner, **named))  # type: ignore[arg-type]
    write_text(path, "".join(written))
