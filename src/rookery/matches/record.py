"""The record of a match: a file of JSON lines to which every finished game is added, and from which it continues."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import IO, Any

import numpy as np

from rookery._version import __version__
from rookery.arguments import shown
from rookery.disk import SoleWriter, as_json, as_text, brief, check_writable, file_lines, frozen
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH, name_of
from rookery.loading.loading import maker_from, read_parameters
from rookery.matches.scores import PlayedGame, side_that_begins, winner_by_side
from rookery.rng import STREAM_VERSION
from rookery.search.game_search import GameSearch

FORMAT = 1
"""The format of the file; a higher one is refused."""

MISSING = "missing"

Replay = Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], int, int | None]]
"""From moves to the legal moves after them, the player to move, and the winner if the game is over."""


class MatchRecord:
    """A file that holds a match: a line about it, then a line for each game, in the order in which they ended.

    What is there already is read, and every game in it replayed. An unfinished last line, which a process that was
    killed may leave, is dropped; anything else that is wrong is an InputError, and the file stays as it is. Nobody
    else can write to it until it is closed.
    """

    def __init__(self, path: str | os.PathLike[str], game: Game | PythonGame, header: dict[str, Any], replay: Replay):
        check_writable(path)
        self.path = path
        self._game = game
        self._writer = SoleWriter(path)
        try:
            self.games, keep = read_record(path, header, replay, game)
            self._file = self._open(keep)
            if keep == 0:
                self._write(header)
        except BaseException:
            self._writer.close()
            raise

    def add(self, played: PlayedGame) -> None:
        """Add a game."""
        self._write(record_line(self._game, played))
        self.games[played.number] = played

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._writer.close()

    def _open(self, keep: int) -> IO[bytes]:
        """The file, of which this many bytes are kept."""
        try:
            file = open(self.path, "ab")  # noqa: SIM115
            file.truncate(keep)
        except OSError as error:
            raise self._unwritable(error) from None
        return file

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot write {self.path}: {error.strerror or error}")


def in_words(game: Game | PythonGame, moves: Sequence[Any]) -> list[str]:
    """Moves as the game describes them.

    >>> in_words(PythonGame(), (4, 2))
    ['4', '2']
    """
    try:
        return [str(words) for words in game.describe_moves(moves)]
    except Exception:  # a bug in a display method must not end a match of hours
        return [str(move) for move in moves]


def record_line(game: Game | PythonGame, played: PlayedGame) -> dict[str, Any]:
    """A game as a line of a record.

    >>> record_line(PythonGame(), PlayedGame(0, "a", (3, 1), 200))["words"]
    ['3', '1']
    """
    for move in played.moves:
        if not _can_be_read(move):
            raise InputError(f"moves in a record must be numbers, texts or tuples of them, got {shown(move)}")
    line = {"game": played.number, "first": played.first, "winner": played.winner, "playouts": played.playouts}
    line |= {"resigned": True} if played.resigned else {}
    return {**line, "moves": played.moves, "words": in_words(game, played.moves)}


def record_header(
    game: Game | PythonGame, a: GameSearch | Mapping[str, Any], b: GameSearch | Mapping[str, Any], seed: int | None
) -> dict[str, Any]:
    """The first line of a record: all that decides the games; a side that is no search is given as plain values.

    >>> import rookery as rk
    >>> header = record_header(rk.PythonGame(), rk.PPA(), rk.GameUCT(), seed=1)
    >>> header["rookery_match"], header["a"]["alpha"], header["seed"]
    (1, 1.0, 1)
    """
    header = {
        "rookery_match": FORMAT,
        "game": name_of(game),
        "parameters": game.parameters(),
        "a": a.parameters() if isinstance(a, GameSearch) else a,
        "b": b.parameters() if isinstance(b, GameSearch) else b,
        "seed": seed,
        "stream": STREAM_VERSION,
        "version": __version__,
    }
    read: dict[str, Any] = json.loads(json.dumps(header, default=str))  # as it will be read back from the file
    return read


def read_record(
    path: str | os.PathLike[str], header: Mapping[str, Any], replay: Replay | None, game: Any = None
) -> tuple[dict[int, PlayedGame], int]:
    """The games in a record by number, and how many bytes of it are whole lines; without ``replay``, taken on trust.

    A missing file counts as empty. If ``game`` is given, other parameters in the file may mean the same game.
    """
    if not os.path.lexists(path):
        return {}, 0
    lines = file_lines(path)
    first = next(lines, b"")
    games: dict[int, PlayedGame] = {}
    if not first.endswith(b"\n"):
        if not json.dumps(header).encode().startswith(first):  # somebody's notes must not be lost
            raise InputError(f"{path} is not the record of a match: line 1 is unfinished")
        return {}, 0
    _check_header(path, first, header, game)
    kept = len(first)
    for number, line in enumerate(lines, 2):
        if not line.endswith(b"\n"):
            break
        kept += len(line)
        try:
            played = _game(_object(line))
            if played.number in games:
                raise InputError(f"game {played.number} is there twice")
            if replay is not None:
                _check_game(played, replay)
        except InputError as error:
            raise InputError(f"{path} is damaged, line {number}: {error}") from None
        games[played.number] = played
    return games, kept


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the first line of a record says about its match."""
    header = _header(path, next(file_lines(path), b""))
    if header["rookery_match"] != FORMAT:
        raise InputError(f"{path} must be a record of format {FORMAT}, got {brief(header['rookery_match'])}")
    for name in ("parameters", "a", "b"):
        if not isinstance(header.get(name), dict):
            raise InputError(f"{path} is damaged, line 1: '{name}' must be an object, got {brief(header.get(name))}")
    if not isinstance(header.get("game"), str):
        raise InputError(f"{path} is damaged, line 1: 'game' must be a text, got {brief(header.get('game'))}")
    return header


def _can_be_read(move: Any) -> bool:
    """Whether a move is read back from a file as it was."""
    try:
        return bool(frozen(json.loads(json.dumps(move))) == move)
    except (TypeError, ValueError):
        return False


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = as_json(as_text(line))
    except InputError:
        raise InputError("not JSON") from None
    if not isinstance(data, dict):
        raise InputError("not a JSON object")
    return data


def _header(path: str | os.PathLike[str], line: bytes) -> dict[str, Any]:
    """The first line of a record."""
    try:
        there = _object(line)
        if "rookery_match" not in there:
            raise InputError("it does not say so")
    except InputError as error:
        raise InputError(f"{path} is not the record of a match: line 1: {error}") from None
    return there


def _check_header(path: str | os.PathLike[str], line: bytes, header: Mapping[str, Any], game: Any) -> None:
    there = _header(path, line)
    for name, value in header.items():
        was = there.get(name)
        if name in ("a", "b"):
            was, value = _completed(was), _completed(value)
        if name == "parameters" and was != value and _makes(game, was):
            continue
        if name == "game" and isinstance(was, str):  # a file may have been moved since then
            was, value = was.rpartition(":")[2], value.rpartition(":")[2]
        if name != "version" and was != value:
            what, old, new = _difference("format" if name == "rookery_match" else name, was, value)
            raise InputError(f"{path} is the record of another match: its {what} is {brief(old)}, not {brief(new)}")


def _completed(side: Any) -> Any:
    """A search as a record has it, with the parameters that searches have got since then."""
    name = side.get("algorithm") if isinstance(side, dict) else None
    cls = GAME_SEARCH.find_known(name) if isinstance(name, str) else None
    return side if cls is None else {**side, **{f.name: side.get(f.name, f.default) for f in fields(cls)}}


def _makes(game: Any, parameters: Any) -> bool:
    """Whether parameters make this game: a board may be given by its size, or by its width and height."""
    if not isinstance(game, Game) or not isinstance(parameters, dict):
        return False
    cls = type(game)
    try:
        maker = maker_from(cls, parameters)
        other = maker(**read_parameters(cls, cls.__name__, parameters, maker))
    except Exception:  # whatever the file holds in place of parameters
        return False
    names = [f.name for f in fields(game)]
    return type(other) is cls and all(np.array_equal(getattr(game, name), getattr(other, name)) for name in names)


def _difference(name: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Where two values differ: which part of them, if they are objects."""
    if isinstance(old, dict) and isinstance(new, dict):
        key = next(key for key in {**new, **old} if old.get(key, MISSING) != new.get(key, MISSING))
        return f"{name}.{key}", old.get(key, MISSING), new.get(key, MISSING)
    return name, old, new


def _game(data: Mapping[str, Any]) -> PlayedGame:
    number, moves, words, playouts = (data.get(name) for name in ("game", "moves", "words", "playouts"))
    for name, value in (("game", number), ("playouts", playouts)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError(f"'{name}' must be a whole number of at least 0, got {brief(value)}")
    assert isinstance(number, int)
    assert isinstance(playouts, int)
    first = side_that_begins(number)
    if data.get("first") != first:
        raise InputError(f"'first' must be {first!r} in game {number}, got {brief(data.get('first'))}")
    if data.get("winner") not in ("a", "b", "draw"):
        raise InputError(f"'winner' must be a, b or draw, got {brief(data.get('winner'))}")
    if not isinstance(moves, list):
        raise InputError(f"'moves' must be a list, got {brief(moves)}")
    if not isinstance(words, list) or len(words) != len(moves):
        raise InputError(f"'words' must be a list as long as 'moves', got {brief(words)}")
    resigned = data.get("resigned", False)
    if not isinstance(resigned, bool):
        raise InputError(f"'resigned' must be true or false, got {brief(resigned)}")
    return PlayedGame(number, data["winner"], tuple(map(frozen, moves)), playouts, resigned)


def _check_game(played: PlayedGame, replay: Replay) -> None:
    legal, _, winner = replay(played.moves)
    if winner is None and played.resigned and played.winner != "draw":
        return
    if winner is None:
        raise InputError(f"the game is not over: {len(legal)} moves are legal at its end")
    true = winner_by_side(played.number, winner)
    if played.winner != true:
        raise InputError(f"the winner must be {true}, got {played.winner}")
