"""Files of Morpion Solitaire: JSON, the notation of Pentasol, results of a search, and pictures that carry a game."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rookery.disk import as_json, as_text, brief, check_fields, file_bytes, write_text
from rookery.drawing.holding import held
from rookery.errors import InputError
from rookery.problems.morpion.board import CELLS, Morpion, line_of
from rookery.problems.morpion.game import (
    DIRECTIONS,
    Board,
    Dot,
    Line,
    MorpionGame,
    Move,
    Variant,
    checked_variant,
    cross,
    line_length,
)
from rookery.problems.morpion.lines import parse_lines
from rookery.problems.morpion.notation import FARTHEST, parse_pentasol, pentasol

NAME = "morpion"
"""What results call the problem."""
MOST_DOTS = 10_000


@dataclass(frozen=True)
class ReadGame:
    """A game from a file, legal or not: what the file claims, and how it was read.

    ``claimed`` is the score that the file states, ``about`` what else it says in words (an author, a source).

    >>> ReadGame(MorpionGame("5T", ()), "Pentasol", inferred=True).claimed is None
    True
    """

    game: MorpionGame
    format: str
    claimed: float | None = None
    inferred: bool = False
    about: Mapping[str, str] = field(default_factory=dict)


def read_game(path: str | os.PathLike[str], variant: str | None = None) -> ReadGame:
    """The game in a file, whose format is recognised by its content.

    ``variant`` says which rules to read it by, whatever the file says. Without it, a file that holds no variant is
    read by the likeliest one (see :func:`rookery.problems.morpion.notation.inferred`).

    >>> read_game("no such file")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    return parse_game(file_bytes(path), os.fspath(path), variant)


def parse_game(content: bytes, name: str, variant: str | None = None) -> ReadGame:
    r"""The game in the bytes of a file of this name; what is not a game is refused in one sentence.

    >>> parse_game(b"(28,28)\n(28,29) | -2", "game.psol").game.variant
    '5D'
    """
    known = None if variant is None else checked_variant(variant)
    try:
        picture = held(content)
        if picture is not None:
            return _of_data(picture.data, picture.kind, known)
        text = as_text(content)
        begin = text.lstrip()[:1]
        if not begin:
            raise InputError("it is empty")
        if begin in "{[":
            return _of_data(as_json(text), "JSON", known)
        return ReadGame(parse_pentasol(text, known), "Pentasol", inferred=known is None)
    except InputError as error:
        raise InputError(f"{name} is not a game of Morpion Solitaire: {error}") from None


def is_result(data: Any) -> bool:
    """Whether a JSON value is meant as the result of a search.

    >>> is_result({"problem": "morpion"}), is_result({"variant": "5T", "moves": []})
    (True, False)
    """
    return isinstance(data, dict) and "problem" in data and "variant" not in data


def write_game(game: MorpionGame, path: str | os.PathLike[str]) -> None:
    """Write a game as its name says: ``.json``, or ``.psol`` for the notation of Pentasol.

    >>> write_game(MorpionGame("5T", ()), "game.doc")
    Traceback (most recent call last):
    rookery.errors.InputError: a game is written as .json or .psol, got game.doc
    """
    write_text(path, written(game, path))


def written(game: MorpionGame, path: str | os.PathLike[str]) -> str:
    """The text of a game in the format that the name of a file says.

    >>> written(MorpionGame("5T", ()), "game.psol")
    '(28,28)\\n'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".json", ".psol"):
        raise InputError(f"a game is written as .json or .psol, got {path}")
    return pentasol(game) if suffix == ".psol" else json.dumps(game_json(game)) + "\n"


# --- JSON ---


def game_json(game: MorpionGame, **about: str) -> dict[str, Any]:
    """A game as a JSON object, with what else there is to say about it.

    >>> game_json(MorpionGame("5T", (Move(3, 4, "V", 4),)), author="me")
    {'variant': '5T', 'score': 1, 'author': 'me', 'moves': [[3, 4, 'V', 4]]}
    """
    dots = {} if game.start == cross(line_length(game.variant)) else {"dots": [list(dot) for dot in sorted(game.start)]}
    return {
        "variant": game.variant,
        "score": game.score,
        **{name: text for name, text in about.items() if name not in ("variant", "score", "dots", "moves")},
        **dots,
        "moves": [list(move) for move in game.moves],
    }


def parse_json(data: Any, variant: str | None = None) -> ReadGame:
    """A game from its JSON object, every field checked; whether the moves are legal is another question.

    >>> parse_json({"variant": "5T", "score": 1, "moves": [[3, 4, "V", 4]]}).game.moves
    (Move(x=3, y=4, direction='V', pos=4),)
    """
    return _of_json(data, "JSON", None if variant is None else checked_variant(variant))


def _of_data(data: Any, kind: str, variant: Variant | None) -> ReadGame:
    if not is_result(data):
        return _of_json(data, kind, variant)
    return _of_result(data, "result" if kind == "JSON" else kind, variant)


def _of_json(data: Any, kind: str, variant: Variant | None) -> ReadGame:
    if not isinstance(data, dict):
        raise InputError("not a JSON object")
    if "moves" not in data and "Moves" in data:
        return ReadGame(parse_lines(data, variant), kind)
    if "moves" not in data:
        raise InputError("'moves' is missing")
    if variant is None:
        if "variant" not in data:
            raise InputError("'variant' is missing")
        if not isinstance(data["variant"], str):
            raise InputError(f"'variant' must be a text, got {brief(data['variant'])}")
        variant = checked_variant(data["variant"])
    score = data.get("score")
    if score is not None and not (type(score) is int and 0 <= score < 1 << 64):
        raise InputError(f"'score' must be a whole number, got {brief(score)}")
    if not isinstance(data["moves"], list):
        raise InputError(f"'moves' must be a list, got {brief(data['moves'])}")
    moves = tuple(_move(move, number) for number, move in enumerate(data["moves"], 1))
    dots = _dots(data["dots"]) if data.get("dots") is not None else None
    if dots == cross(line_length(variant)):
        dots = None
    about = {name: text for name, text in data.items() if isinstance(text, str) and name != "variant"}
    return ReadGame(MorpionGame(variant, moves, dots), kind, score, False, about)


def _move(move: Any, number: int) -> Move:
    if isinstance(move, dict):
        move = [move.get(name) for name in ("x", "y", "dir", "pos")]
    if not isinstance(move, list) or len(move) != 4:
        raise InputError(f"move {number} must be [x, y, direction, place], got {brief(move)}")
    x, y, direction, pos = move
    for value in (x, y, pos):
        if not _is_near(value):
            rule = f"must be a whole number from -{FARTHEST} to {FARTHEST}"
            raise InputError(f"move {number}: a coordinate or place {rule}, got {brief(value)}")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        names = ", ".join(DIRECTIONS)
        raise InputError(f"move {number}: a direction must be one of {names}, got {brief(direction)}")
    return Move(x, y, direction, pos)


def _dots(dots: Any) -> frozenset[Dot]:
    if not isinstance(dots, list) or not dots:
        raise InputError(f"'dots' must be a list of [x, y], got {brief(dots)}")
    if len(dots) > MOST_DOTS:
        raise InputError(f"'dots' must be at most {MOST_DOTS:,}, got {len(dots):,}")
    for dot in dots:
        if not (isinstance(dot, list) and len(dot) == 2 and all(map(_is_near, dot))):
            rule = f"whole numbers from -{FARTHEST} to {FARTHEST}"
            raise InputError(f"a dot must be [x, y], {rule}, got {brief(dot)}")
    return frozenset((x, y) for x, y in dots)


def _is_near(value: Any) -> bool:
    return type(value) is int and abs(value) <= FARTHEST


# --- results of a search ---


def _of_result(data: dict[str, Any], kind: str, variant: Variant | None) -> ReadGame:
    """Only what makes a game counts: how it was found does not matter here."""
    if data["problem"] != NAME:
        raise InputError(f"it is a result of {brief(data['problem'])}")
    check_fields(data, {"parameters": "an object", "moves": "a list"})
    score = data.get("score")
    untold = score is None and kind != "result"  # a picture need not claim one
    if not untold and (isinstance(score, bool) or not isinstance(score, (int, float)) or not abs(score) < 1 << 64):
        raise InputError(f"'score' must be a number, got {brief(score)}")
    problem = _problem(data["parameters"])
    dots = None if problem.dots is None else frozenset(problem.dots)
    game = MorpionGame(problem.variant, tuple(_drawn(problem, data["moves"])), dots)
    if variant is not None:
        game = replace(game, variant=variant)
    return ReadGame(game, kind, score if untold or score != int(score) else int(score))


def _problem(parameters: Mapping[str, Any]) -> Morpion:
    """The problem of a result; nothing is opened that the result names."""
    given = {"variant": "5T", "dominated": False, "dots": None, **parameters}
    if len(given) > 3:
        raise InputError(f"morpion has no parameter {brief([*given][3])}")
    variant, dominated, dots = given.values()
    if not isinstance(variant, str) or not isinstance(dominated, bool):
        raise InputError(f"'parameters' must hold a variant, and dominated as true or false, got {brief(parameters)}")
    if dots is not None:
        if not isinstance(dots, str) or not dots.lstrip().startswith("["):
            raise InputError(f"the dots in 'parameters' must be a list as text, got {brief(dots)}")
        _dots(as_json(dots))
    return Morpion.build(checked_variant(variant), dominated, dots)


def _drawn(problem: Morpion, moves: list[Any]) -> list[Move]:
    """The lines that moves draw, like ``Morpion.game``, but without stopping at an illegal move."""
    board = Board(problem.variant, problem.dots)
    drawn = []
    for number, code in enumerate(moves, 1):
        move = _nearest(board, _line(code, number))
        if problem.dominated and board.broken_rule(move) is None:
            move = board.dominating(move)
        board.play(move)
        drawn.append(move)
    return drawn


def _line(code: Any, number: int) -> Line:
    if type(code) is not int or not 0 <= code < 4 * CELLS:
        raise InputError(f"move {number} must be a whole number from 0 to {4 * CELLS - 1}, got {brief(code)}")
    return line_of(code)


def _nearest(board: Board, line: Line) -> Move:
    """The move that draws a line; if none does, one that breaks the rule which forbids it."""
    (x, y), direction = line
    cells = Move(x, y, direction, 0).cells(board.length)
    pos = next((k for k, cell in enumerate(cells) if cell not in board.dots), 0)
    return Move(*cells[pos], direction, pos)
