"""``rookery show``: a game or a result as a drawing in the terminal, or as a picture in a file."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.files.solutions import Solution, read_solution, solution_problem
from rookery.problems.morpion.formats import game_json, parse_game, read_game, written
from rookery.problems.morpion.game import MorpionGame
from rookery.problems.morpion.picture import game_picture, title
from rookery.problems.morpion.text import game_text


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
        """The message that a user's own problem must be named, with the whole command."""
        written = {**self.pictures, **({} if self.out is None else {"--out": self.out})}
        given = [text for option, path in written.items() for text in (option, path)]
        advice = rk.tools.naming(shlex.join(["rookery", "show", self.file, *given]), name)
        return f"{self.file} holds {what} of {o.printable(name)}: {o.printable(advice)}"

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
    problem, score = o.printable(found.problem), found.score
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
            text = text or _listed([o.printable(word) for word in words], wanted.width)
    except Exception as error:  # whatever the file holds in place of parameters and moves
        raise wanted.failed(f"a result of {problem}", error) from None
    return told(problem, f"{problem}, score {shown}, {o.counted(len(moves), 'move')}", text, picture, written, wanted)


def show_match(number: int | None, wanted: Wanted) -> int:
    """Show one game of a match or of SGF; a user's own game is loaded if the command names it."""
    wanted.check_morpion("a match")
    kept = rk.files.read_match(wanted.file)
    one = kept.at(min(kept.games, default=0) if number is None else number)
    moves, played = wanted.first(one.moves, "game"), o.printable(one.game)
    players = " against ".join(map(o.printable, one.players))
    name = f"{played}, game {one.number}: {players}, {o.printable(one.said_winner)}, {o.counted(len(moves), 'move')}"
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
    listed = _listed(list(map(o.printable, words)), wanted.width)
    listed = "\n\n".join(part for part in (text, listed) if part)
    return told(played, name, listed, picture, written, wanted)


def _loud() -> contextlib.redirect_stdout[Any]:
    """While in this context, what user code prints goes to standard error: it is not part of what is shown."""
    return contextlib.redirect_stdout(sys.stderr)


def _check_named(known: bool, what: str, name: str, wanted: Wanted) -> None:
    """Refuse to write what only the user's own class could draw; without a file, say how it would be drawn."""
    if not known and (wanted.pictures or wanted.out is not None):
        raise rk.InputError(wanted.unnamed(what, name))
    if not known and sys.stderr is not None:
        print(f"rookery: {wanted.unnamed(what, name)}", file=sys.stderr)


def told(what: str, name: str, text: str, picture: rk.Drawing | None, written: str | None, wanted: Wanted) -> int:
    """Write the files that were asked for, if any, once all of them are made; else print the text."""
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
        print(f"{o.printable(path)}: {name}")
    if not made:
        print(f"{name}\n\n{text}")
    return 0


def _file(option: str, picture: rk.Drawing, wanted: Wanted) -> bytes:
    if option in ("--png", "--gif"):
        return (picture.png if option == "--png" else picture.gif)(wanted.size, dark=wanted.dark)
    return picture.svg(wanted.size, animated=option == "--animated-svg", dark=wanted.dark).encode()


def _listed(moves: list[str], width: int | None) -> str:
    return o.listed(moves, width or terminal_columns() or 80)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal_columns() -> int | None:
    """The columns of the terminal; None where there is none, and a line may be of any length."""
    return shutil.get_terminal_size().columns if is_terminal() else None


ILLEGAL = 1
"""The exit code when a move is illegal."""
LETTERS = "●○◉─│╱╲╳"  # noqa: RUF001


def show(
    file: str = o.argument(
        "FILE", "The result of a search, the record of a match, a picture, SGF, or a game of Morpion Solitaire."
    ),
    variant: o.Variant = None,
    game_number: o.Text = o.option(
        "N", "Which game of a match or of an SGF file, from 0 [default: the first]", None, "--game"
    ),
    problem: o.Text = o.option("PROBLEM", "Your own problem or game, as path/to/file.py:Class or module:Class."),
    rank: o.Text = o.option("N", "Show the N-th best sequence of the pool of a result, from 1 (see solve --keep)."),
    seen: bool = o.flag("--seen", "Show the best sequence seen beyond the answer of a result."),
    moves: o.Text = o.option("N", "Show the position after N moves."),
    svg: o.Text = o.option("OUT", "Write an SVG picture."),
    animated_svg: o.Text = o.option("OUT", "Write an SVG that plays the game."),
    png: o.Text = o.option("OUT", "Write a PNG picture (needs Pillow)."),
    gif: o.Text = o.option("OUT", "Write a GIF that plays the game (needs Pillow)."),
    out: o.Text = o.option("OUT", "Write the solution itself: .json, .psol for Pentasol, or in its written form."),
    size: o.Text = o.option("PX", "Pixels of the picture's longer side."),
    dark: bool | None = o.flag("--dark/--light", "Background of the picture [default: light]", None),
    plain: bool = o.flag("--ascii", "Draw with ASCII characters only."),
    width: o.Text = o.option("N", "Columns to draw in [default: the terminal's]"),
) -> int:
    """Draw a solution or a game in the terminal, or write it as a picture or in another format."""
    pictures = {"--svg": svg, "--animated-svg": animated_svg, "--png": png, "--gif": gif}
    outputs = {option: path for option, path in pictures.items() if path is not None}
    _check_options(outputs, out, {"--size": size, "--dark": dark}, {"--ascii": plain or None, "--width": width})
    after = None if moves is None else o.whole("--moves", moves, least=0)
    pixels = o.optional(o.whole, "--size", size)
    columns = o.optional(o.whole, "--width", width)
    _check_outputs(file, outputs | ({} if out is None else {"--out": out}))
    which = None if game_number is None else o.whole("--game", game_number, least=0)
    of_morpion = {"--variant": variant, "--ascii": plain or None}
    wanted = Wanted(file, of_morpion, outputs, problem, out, after, pixels, dark is True, columns)
    if rk.files.is_match(file):
        return show_match(which, wanted)
    if which is not None:
        raise rk.InputError(f"--game goes with the record of a match or with SGF, which {file} is not")
    game = _game(file, variant, problem, kept_part(file, seen, rank))
    if isinstance(game, Solution):
        return show_solution(game, wanted)
    illegal = game.first_illegal()
    if illegal is not None:
        number, rule = illegal
        print(
            f"rookery: {o.printable(file)}: move {number}, {game.moves[number - 1]}, is illegal: {rule}",
            file=sys.stderr,
        )
        return ILLEGAL
    game = replace(game, moves=wanted.first(game.moves, "game"))
    letters = {"ascii": plain or not _has_letters(), "width": columns or terminal_columns(), "colours": _colours()}
    text = "" if outputs or out is not None else game_text(game, **letters)
    picture = replace(game_picture(game), holds=game_json(game)) if outputs else None
    return told("morpion", title(game), text, picture, None if out is None else written(game, out), wanted)


# --- options ---


def _check_options(
    pictures: dict[str, str], out: str | None, of_pictures: dict[str, Any], of_terminal: dict[str, Any]
) -> None:
    """Refuse an option that would do nothing."""
    wrong = {}
    if not pictures:
        rule = "goes with a picture: give --svg, --animated-svg, --png or --gif too"
        wrong = dict.fromkeys([option for option, value in of_pictures.items() if value is not None], rule)
        if of_pictures["--dark"] is False:
            wrong = {"--light" if option == "--dark" else option: rule for option in wrong}
    if pictures or out is not None:
        rule = "goes with the drawing in the terminal, not with a file"
        wrong |= dict.fromkeys([option for option, value in of_terminal.items() if value is not None], rule)
    for option, rule in wrong.items():
        raise rk.InputError(f"{option} {rule}")


def _check_outputs(file: str, outputs: dict[str, str]) -> None:
    """Refuse a path that cannot be written, and one where something would be lost."""
    seen: dict[str, str] = {}
    for option, path in outputs.items():
        rk.files.check_writable(path)
        place = os.path.realpath(path)
        if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
            raise rk.InputError(f"{option} must not be the file that is shown, got {path}")
        if place in seen:
            raise rk.InputError(f"{seen[place]} and {option} must be different files, got {path} for both")
        seen[place] = option


# --- games ---


def kept_part(file: str, seen: bool, rank: str | None) -> bytes | None:
    """The content of a result with another of its sequences as its answer; None if none is asked for."""
    if seen and rank is not None:
        raise rk.InputError("--seen and --rank name different sequences: give one of them")
    if not seen and rank is None:
        return None
    return rk.files.part_of_result(file, seen=seen, rank=None if rank is None else o.whole("--rank", rank))


def _game(file: str, variant: str | None, problem: str | None, part: bytes | None) -> MorpionGame | Solution:
    """The game of Morpion in a file; or the solution of another problem, if it is one."""
    if part is not None:
        found = read_solution(file, part)
        assert found is not None
        return parse_game(part, file, variant).game if found.problem == "morpion" else found
    if problem is not None:
        found = read_solution(file)
        if found is None:
            raise rk.InputError(f"--problem goes with a result or a match of your own, which {file} is not")
        return found
    try:
        return read_game(file, variant).game
    except rk.InputError:
        solution = other_solution(file)
        if solution is None:
            raise
        return solution


# --- the terminal ---


def _colours() -> Any:
    """The colours of the terminal, as Rich finds them, which also asks NO_COLOR; None without them."""
    if not is_terminal():
        return None
    from rich.console import Console

    console = Console(file=sys.stdout)
    known = console.color_system in ("standard", "256", "truecolor")
    return console.color_system if known and not console.no_color else None


def _has_letters() -> bool:
    """Whether standard output can hold the letters of the drawing."""
    try:
        LETTERS.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
