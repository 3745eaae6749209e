"""Files of games that were played, the record of a match or SGF: read and verified."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rookery.disk import as_text, brief, check_fields, check_writable, file_bytes, frozen, write_text
from rookery.drawing.holding import Held, held
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.games.pointsets import PointSets
from rookery.games.sgf import SgfGame, read_sgf, write_sgf
from rookery.loading.kinds import GAME
from rookery.loading.loading import AnyGame, load_game
from rookery.loading.modules import naming
from rookery.matches.record import read_header, read_record
from rookery.matches.scores import MatchResult, PlayedGame

SGF_NAMES = {"AtariGo": "atarigo", "NoGo": "nogo", "MisereNoGo": "misere-nogo"}
"""What GN names in the SGF of the library; anything else is Go."""
_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")
_RECORD = re.compile(rb'\s*\{\s*"rookery_match"')


@dataclass(frozen=True)
class KeptGame:
    """A game in a file.

    Parameters
    ----------
    number
        from 0
    game, parameters
        what is played, as :func:`rookery.load_game` takes it
    words
        the moves as people write them, as far as the file says
    players
        who began, and the other
    winner
        0 for the player who began, 1 for the other, -1 for a draw; None if the file does not say
    resigned
        whether the file says that the loser gave up

    >>> KeptGame(0, "nogo", {"size": "3"}, moves=(4,), players=("ppa (a)", "uct (b)"), winner=0).said_winner
    'ppa (a) won'
    """

    number: int
    game: str
    parameters: Mapping[str, str]
    moves: tuple[Any, ...]
    players: tuple[str, str]
    winner: int | None
    words: tuple[str, ...] = ()
    resigned: bool = False

    @property
    def said_winner(self) -> str:
        """Who has won, in words."""
        if self.winner is None:
            return "no winner is given"
        return "drawn" if self.winner < 0 else f"{self.players[self.winner]} won"


@dataclass(frozen=True)
class KeptMatch:
    """The games of a file, by number."""

    file: str
    format: str
    games: Mapping[int, KeptGame] = field(repr=False)

    def at(self, number: int) -> KeptGame:
        """The game of this number."""
        if number not in self.games:
            there = f"{min(self.games)} to {max(self.games)}" if self.games else "there is none"
            raise InputError(f"the game must be one of those in {self.file}, {there}, got {number}")
        return self.games[number]


@dataclass(frozen=True)
class MatchVerdict:
    """What is true of a file of games.

    ``wrong`` is the number of the first game that is not legal or whose winner is not the one that the file
    claims, and ``reason`` what is wrong with it; both are None if there is none. ``unfinished`` games are not over
    at their end: in SGF somebody may have resigned. ``score`` is by player, draws counted separately.

    >>> MatchVerdict("games.sgf", "SGF", ("go",), games=2).ok
    True
    """

    file: str
    format: str
    played: tuple[str, ...]
    games: int
    unfinished: int = 0
    score: Mapping[str, int] = field(default_factory=dict)
    wrong: int | None = None
    reason: str | None = None

    @property
    def ok(self) -> bool:
        """Whether all games are legal and have the winners that the file claims."""
        return self.wrong is None

    def to_json(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        return {"ok": self.ok, **asdict(self)}


def is_match(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like the record of a match, like SGF or like the picture of a game for two players.

    A pipe never does: it could be read only once.

    >>> is_match("no such file")
    False
    """
    try:
        content = file_bytes(path) if Path(path).is_file() else b""
        return bool(_RECORD.match(content) or _SGF.match(content) or _in_picture(content))
    except (OSError, ValueError):  # including InputError: the picture of something else
        return False


def read_match(path: str | os.PathLike[str]) -> KeptMatch:
    """Read the record of a match, SGF, or the game in a picture; the games are not replayed.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "games.sgf"
    ...     _ = file.write_text("(;SZ[5]PB[ann]PW[bob]RE[W+R];B[cc];W[bc])")
    ...     read_match(file).at(0).said_winner
    'bob won'
    """
    content, name = file_bytes(path), os.fspath(path)
    if _SGF.match(content):
        try:
            found = read_sgf(as_text(content))
        except InputError as error:
            raise InputError(f"{path} is not SGF: {error}") from None
        return KeptMatch(name, "SGF", {number: _of_sgf(number, game) for number, game in enumerate(found)})
    picture = _in_picture(content)
    if picture is not None:
        try:
            one = _of_picture(picture.data)
        except InputError as error:
            raise InputError(f"{path} is not the picture of a game: {error}") from None
        return KeptMatch(name, picture.kind, {one.number: one})
    header = read_header(path)
    games, end = read_record(path, header, None)
    words = {line["game"]: line["words"] for line in map(json.loads, content[:end].split(b"\n")[1:-1])}
    return KeptMatch(name, "record", {n: _of_record(games[n], words[n], header) for n in sorted(games)})


def verify_match(
    path: str | os.PathLike[str], game: str | None = None, parameters: Mapping[str, str] | None = None
) -> MatchVerdict:
    """Replay all games of a file.

    Parameters
    ----------
    game
        what is played, as :func:`rookery.load_game` reads it. A built-in game is known from the file; the file of
        a user's game is never run because a record names it, so it must be named here
    parameters
        of ``game``, as text; those that the file holds need not be given, and must not differ from it
    """
    kept = read_match(path)
    workers: dict[Any, Any] = {}
    score: dict[str, int] = {}
    unfinished = 0
    played = tuple(dict.fromkeys(one.game for one in kept.games.values()))
    for one in kept.games.values():
        about = (one.game, tuple(one.parameters.items()))
        if about not in workers:
            workers[about] = make_engine(kept_game(kept, one, game, parameters), wanted="game").worker()
        try:
            _, _, winner = workers[about].replay(one.moves)
            _check_winner(kept, one, winner)
        except InputError as error:
            values = {"wrong": one.number, "reason": str(error)}
            return MatchVerdict(kept.file, kept.format, played, len(kept.games), unfinished, **values)  # type: ignore[arg-type]
        unfinished += winner is None
        won = one.winner if winner is None else winner
        if won is not None:
            name = "draws" if won < 0 else one.players[won]
            score[name] = score.get(name, 0) + 1
    return MatchVerdict(kept.file, kept.format, played, len(kept.games), unfinished, score)


def _check_winner(kept: KeptMatch, one: KeptGame, winner: int | None) -> None:
    if winner is None and kept.format == "record" and not one.resigned:
        raise InputError("the game is not over after its last move")
    if None not in (winner, one.winner) and winner != one.winner:
        true = "it is drawn" if winner == -1 else f"{one.players[int(winner or 0)]} won"
        raise InputError(f"{true}, but the file claims: {one.said_winner}")


def kept_game(
    kept: KeptMatch, one: KeptGame, game: str | None = None, given: Mapping[str, str] | None = None
) -> AnyGame:
    """The game that is played, which must have the parameters that the file holds.

    A user's own game is never loaded because a file names it; ``game`` must name it.

    >>> one = KeptGame(0, "nogo", {"size": "3"}, moves=(4,), players=("black", "white"), winner=None)
    >>> kept_game(KeptMatch("games.sgf", "SGF", {0: one}), one)
    NoGo(size=3)
    """
    given = given or {}
    if game is None and GAME.find_known(one.game) is None:
        what = f"{kept.file} holds games of {brief(one.game)}"
        raise InputError(f"{what}: {naming(f'rookery verify {shlex.quote(kept.file)}', one.game)}")
    if game is not None and kept.format == "record" and game.rpartition(":")[2] != one.game.rpartition(":")[2]:
        raise InputError(f"{kept.file} must hold games of {game}, got {brief(one.game)}")
    try:
        loaded = load_game(one.game if game is None else game, {**one.parameters, **given})
    except InputError as error:
        raise InputError(f"{kept.file}: {error}") from None
    for key, value in loaded.parameters().items():
        if str(value) != one.parameters.get(key, str(value)):
            was = one.parameters[key]
            raise InputError(f"{kept.file} must hold games with {key}={value}, got {key}={was}")
    return loaded


def _of_record(played: PlayedGame, words: Sequence[Any], header: Mapping[str, Any]) -> KeptGame:
    second = "b" if played.first == "a" else "a"
    names = {side: f"{header[side].get('algorithm')} ({side})" for side in ("a", "b")}
    return KeptGame(
        number=played.number,
        game=header["game"],
        parameters={key: str(value) for key, value in header["parameters"].items()},
        moves=played.moves,
        players=(names[played.first], names[second]),
        winner=-1 if played.winner == "draw" else int(played.winner == second),
        words=tuple(map(str, words)),
        resigned=played.resigned,
    )


def _in_picture(content: bytes) -> Held | None:
    """What the picture of a game for two players carries; None if there is no such picture."""
    picture = held(content)
    return picture if picture is not None and isinstance(picture.data, dict) and "game" in picture.data else None


def _of_picture(data: Mapping[str, Any]) -> KeptGame:
    given = {"number": 0, "players": ["first", "second"], "winner": None, **data}
    check_fields(given, {"game": "a text", "parameters": "an object", "moves": "a list", "number": "a whole number"})
    if not isinstance(given["players"], list) or [type(name) for name in given["players"]] != [str, str]:
        raise InputError(f"'players' must be two texts, got {brief(given['players'])}")
    if given["winner"] is not None and (type(given["winner"]) is not int or abs(given["winner"]) > 1):
        raise InputError(f"'winner' must be 0, 1, -1 or null, got {brief(given['winner'])}")
    parameters = {key: str(value) for key, value in given["parameters"].items()}
    players = given["players"][0], given["players"][1]
    return KeptGame(given["number"], given["game"], parameters, frozen(given["moves"]), players, given["winner"])


def _of_sgf(number: int, found: SgfGame) -> KeptGame:
    game = SGF_NAMES.get(found.properties.get("GN", ""), "go")
    komi = {} if found.komi is None or game != "go" else {"komi": str(found.komi)}
    players = found.properties.get("PB") or "black", found.properties.get("PW") or "white"
    return KeptGame(number, game, {"size": str(found.size), **komi}, found.moves, players, found.winner)


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
