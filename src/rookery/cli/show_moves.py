"""Moves that are shown: those of a solution, or of one game of a match; drawn, in words, or as pictures."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.files.solutions import Solution, read_solution, solution_problem


@dataclass(frozen=True)
class Wanted:
    """What a command asks for.

    ``of_morpion`` are options for Morpion Solitaire alone, by name, None where not given; ``pictures`` the files that
    are to be written, by option; ``problem`` the user's own, by its name; ``out`` the file of the moves themselves;
    ``after`` how many moves are played; ``size`` the pixels of a picture and ``dark`` its paper, ``width`` the columns
    of the terminal.
    """

    file: str
    of_morpion: dict[str, Any]
    pictures: dict[str, str]
    problem: str | None = None
    out: str | None = None
    after: int | None = None
    size: int | None = None
    dark: bool = False
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

    def unnamed(self, what: str, name: str) -> str:
        """That a problem of the user's own must be named, with the whole command."""
        written = {**self.pictures, **({} if self.out is None else {"--out": self.out})}
        given = [text for option, path in written.items() for text in (option, path)]
        command = shlex.join(["rookery", "show", self.file, *given])
        return f"{self.file} holds {what} of {clean(name)}: {clean(rk.tools.naming(command, name))}"

    def failed(self, what: str, error: Exception) -> rk.InputError:
        """Why a file cannot be shown."""
        reason = str(error) if isinstance(error, rk.RookeryError) else rk.tools.describe_exception(error)
        return rk.InputError(f"{self.file} must hold {what}, and cannot be shown: {reason}")


def other_solution(file: str) -> Solution | None:
    """The solution of another problem than Morpion in a file; None if there is none."""
    try:  # a pipe has been read already
        found = read_solution(file) if Path(file).is_file() else None
    except (rk.InputError, OSError, ValueError):
        return None
    return None if found is None or found.problem == "morpion" else found


def show_solution(found: Solution, wanted: Wanted) -> int:
    """Show a solution of another problem than Morpion; a user's own is loaded if the command names it."""
    problem, score = clean(found.problem), found.score
    wanted.check_morpion(f"a result of {problem}")
    moves = wanted.first(found.moves, "result")
    shown, text = "unknown" if score is None else f"{score:g}", None
    words = list(map(str, moves))
    picture, written = None, None
    known = wanted.problem is not None or found.problem in rk.tools.builtin_problems()
    _check_named(known, "a result", found.problem, wanted)
    with _loud():
        loaded: Any = solution_problem(found, wanted.file, wanted.problem) if known else None
    try:
        with _loud():
            if loaded is not None:
                score = rk.replay(loaded, moves)[0] if wanted.after is not None or score is None else score
                shown, text, words = loaded.format_score(score), loaded.draw(moves), loaded.describe_moves(moves)
                picture = rk.files.picture(loaded, moves, score=score) if wanted.pictures else None
                written = None if wanted.out is None else loaded.write(moves)
            text = text or _listed([clean(word) for word in words], wanted.width)
    except Exception as error:  # whatever the file holds in place of parameters and moves
        raise wanted.failed(f"a result of {problem}", error) from None
    return told(problem, f"{problem}, score {shown}, {counted(len(moves))}", text, picture, written, wanted)


def show_match(number: int | None, wanted: Wanted) -> int:
    """Show one game of a match or of SGF; a user's own game is loaded if the command names it."""
    wanted.check_morpion("a match")
    kept = rk.files.read_match(wanted.file)
    one = kept.at(min(kept.games, default=0) if number is None else number)
    moves, played = wanted.first(one.moves, "game"), clean(one.game)
    players = " against ".join(map(clean, one.players))
    name = f"{played}, game {one.number}: {players}, {clean(one.said_winner)}, {counted(len(moves))}"
    text, words = None, one.words[: len(moves)]
    picture, written = None, None
    known = wanted.problem is not None or one.game in rk.tools.builtin_games()
    _check_named(known, "a game", one.game, wanted)
    with _loud():
        loaded: Any = rk.files.kept_game(kept, one, wanted.problem) if known else None
    try:
        with _loud():
            if loaded is not None:
                text, words = loaded.draw(moves), tuple(loaded.describe_moves(moves))
                about = {"number": one.number, "players": one.players}
                about |= {"winner": one.winner} if len(moves) == len(one.moves) else {}
                picture = rk.files.picture(loaded, moves, **about) if wanted.pictures else None
                written = None if wanted.out is None else loaded.write(moves)
    except Exception as error:  # whatever the file holds in place of parameters and moves
        raise wanted.failed(f"a game of {played}", error) from None
    listed = _listed(list(map(clean, words)), wanted.width)
    listed = "\n\n".join(part for part in (text, listed) if part)
    return told(played, name, listed, picture, written, wanted)


def _loud() -> contextlib.redirect_stdout[Any]:
    """While in this context, what a user's code prints goes to standard error: it is not what is shown."""
    return contextlib.redirect_stdout(sys.stderr)


def _check_named(known: bool, what: str, name: str, wanted: Wanted) -> None:
    """Refuse to write what only the user's own class could draw; without a file, say how it would be drawn."""
    if not known and (wanted.pictures or wanted.out is not None):
        raise rk.InputError(wanted.unnamed(what, name))
    if not known and sys.stderr is not None:
        print(f"rookery: {wanted.unnamed(what, name)}", file=sys.stderr)


def told(what: str, name: str, text: str, picture: rk.Drawing | None, written: str | None, wanted: Wanted) -> int:
    """Write the files that were asked for, if there are such, and not before all are made; else print the text."""
    made = {}
    for option, path in wanted.pictures.items():
        if picture is None:
            raise rk.InputError(f"{what} has no picture: {option} cannot be written")
        with _loud():
            made[path] = _file(option, picture, wanted)
    if wanted.out is not None:
        if written is None:
            raise rk.InputError(f"{what} has no written form: --out cannot be written")
        made[wanted.out] = written.encode()
    for path, content in made.items():
        rk.files.write_bytes(path, content)
        print(f"{clean(path)}: {name}")
    if not made:
        print(f"{name}\n\n{text}")
    return 0


def _file(option: str, picture: rk.Drawing, wanted: Wanted) -> bytes:
    if option in ("--png", "--gif"):
        return (picture.png if option == "--png" else picture.gif)(wanted.size, dark=wanted.dark)
    return picture.svg(wanted.size, animated=option == "--animated-svg", dark=wanted.dark).encode()


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
