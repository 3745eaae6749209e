"""Moves that are shown: those of a result, or of one game of a match; drawn, in words, or as pictures."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rookery as rk

LARGEST = 1 << 26
"""The most bytes of a result file."""


@dataclass(frozen=True)
class Wanted:
    """What a command asks for.

    ``of_morpion`` are options for Morpion Solitaire alone, by name, None where not given; ``pictures`` the files that
    are to be written, by option; ``out`` that of the moves themselves; ``after`` how many moves are played; ``size``
    the pixels of a picture, ``width`` the columns of the terminal.
    """

    file: str
    of_morpion: dict[str, Any]
    pictures: dict[str, str]
    out: str | None = None
    after: int | None = None
    size: int | None = None
    width: int | None = None

    def first(self, moves: tuple[Any, ...], what: str) -> tuple[Any, ...]:
        """The moves that are played."""
        if self.after is not None and self.after > len(moves):
            raise rk.InputError(f"--moves must be at most {len(moves)}, the moves of the {what}, got {self.after}")
        return moves[: self.after]

    def check_morpion(self, got: str) -> None:
        """Refuse options that would do nothing."""
        for option, value in self.of_morpion.items():
            if value is not None:
                raise rk.InputError(f"{option} goes with a game of Morpion Solitaire, got {got}")

    def failed(self, what: str, error: Exception) -> rk.InputError:
        """Why a file cannot be shown."""
        reason = str(error) if isinstance(error, rk.RookeryError) else rk.describe_exception(error)
        return rk.InputError(f"{self.file} must hold {what}, and cannot be shown: {reason}")


def other_result(file: str) -> rk.Result | None:
    """The result of another problem than Morpion in a file; None if there is none."""
    try:  # a pipe has been read already, and a device may have no end
        path = Path(file)
        result = rk.Result.load(path) if path.is_file() and path.stat().st_size <= LARGEST else None
    except (rk.InputError, OSError, ValueError):
        return None
    return None if result is None or result.problem == "morpion" else result


def show_result(result: rk.Result, wanted: Wanted) -> int:
    """Show a result of another problem than Morpion; a problem of one's own is not loaded."""
    problem = clean(result.problem)
    wanted.check_morpion(f"a result of {problem}")
    moves = wanted.first(result.moves, "result")
    name, text = f"{problem}, score {result.score:g}, {counted(len(moves))}", None
    describe: Callable[[Any], str] = str
    made: dict[str, bytes] = {}
    try:
        if result.problem in rk.builtin_problems():
            parameters = {name: str(value) for name, value in result.parameters.items()}
            loaded = rk.load_problem(result.problem, parameters)
            score = rk.replay(loaded, moves)[0] if wanted.after is not None else result.score
            name = f"{problem}, score {loaded.format_score(score)}, {counted(len(moves))}"
            text, describe = loaded.draw(moves), loaded.describe_move
            made = _files(loaded, moves, wanted)
        text = text or _listed([clean(describe(move)) for move in moves], wanted.width)
    except Exception as error:  # whatever the file holds in place of parameters and moves
        raise wanted.failed(f"a result of {problem}", error) from None
    return _told(problem, name, text, made, wanted)


def show_match(number: int | None, wanted: Wanted) -> int:
    """Show one game of a match or of SGF; a game of one's own is not loaded."""
    wanted.check_morpion("a match")
    kept = rk.read_match(wanted.file)
    one = kept.at(min(kept.games, default=0) if number is None else number)
    moves, played = wanted.first(one.moves, "game"), clean(one.game)
    players = " against ".join(map(clean, one.players))
    name = f"{played}, game {one.number}: {players}, {clean(one.said_winner)}, {counted(len(moves))}"
    text, words = None, one.words[: len(moves)]
    made: dict[str, bytes] = {}
    try:
        if one.game in rk.builtin_games():
            loaded = rk.load_game(one.game, one.parameters)
            text, words = loaded.draw(moves), tuple(map(loaded.describe_move, moves))
            made = _files(loaded, moves, wanted)
    except Exception as error:  # whatever the file holds in place of parameters and moves
        raise wanted.failed(f"a game of {played}", error) from None
    listed = _listed(list(map(clean, words)), wanted.width)
    return _told(played, name, "\n\n".join(part for part in (text, listed) if part), made, wanted)


def _told(what: str, name: str, text: str, made: dict[str, bytes], wanted: Wanted) -> int:
    """Write the files that were asked for, if there are such; else print the text."""
    missing = {**wanted.pictures, **({} if wanted.out is None else {"--out": wanted.out})}
    for option, path in missing.items():
        if path not in made:
            lacks = "written form" if option == "--out" else "such picture"
            raise rk.InputError(f"{what} has no {lacks}: {option} cannot be written")
    for path, content in made.items():
        rk.write_bytes(path, content)
        print(f"{clean(path)}: {name}")
    if not made:
        print(f"{name}\n\n{text}")
    return 0


def _files(shown: Any, moves: tuple[Any, ...], wanted: Wanted) -> dict[str, bytes]:
    """What is to be written, as far as the problem or the game has it: path -> content."""
    made: dict[str, bytes] = {}
    picture = shown.picture(moves) if wanted.pictures else None
    for option, path in wanted.pictures.items():
        if picture is not None and option == "--svg":
            made[path] = picture.svg(wanted.size).encode()
        elif picture is not None and option == "--png":
            made[path] = picture.png(wanted.size)
    written = shown.write(moves) if wanted.out is not None else None
    if wanted.out is not None and written is not None:
        made[wanted.out] = written.encode()
    return made


def _listed(moves: list[str], width: int | None) -> str:
    """Moves with commas between them, broken only between moves."""
    unit = "\N{NO-BREAK SPACE}"  # what textwrap does not break at
    text = ", ".join(move.replace(" ", unit) for move in moves)
    columns = max(20, width or terminal_columns() or 80)
    return textwrap.fill(text, columns, break_long_words=False, break_on_hyphens=False).replace(unit, " ")


def is_terminal() -> bool:
    """Whether standard output is one."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal_columns() -> int | None:
    """The columns of the terminal; None where there is none, and a line may be of any length."""
    return shutil.get_terminal_size().columns if is_terminal() else None


def counted(moves: int) -> str:
    """So many moves, in words.

    >>> counted(1), counted(2)
    ('1 move', '2 moves')
    """
    return f"{moves} move{'' if moves == 1 else 's'}"


def clean(text: str) -> str:
    r"""Text from a file as a terminal may show it.

    >>> clean("a\x1b[31mred")
    'a\\x1b[31mred'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))
