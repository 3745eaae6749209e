"""``rookery show``: a game or a result as a drawing in the terminal, or as a picture in a file."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import options as o
from rookery.cli.show_moves import (
    Wanted,
    clean,
    is_terminal,
    other_solution,
    show_match,
    show_solution,
    terminal_columns,
    told,
)
from rookery.files.solutions import Solution, read_solution
from rookery.problems.morpion.formats import game_json, read_game, written
from rookery.problems.morpion.game import MorpionGame
from rookery.problems.morpion.picture import game_picture, title
from rookery.problems.morpion.text import game_text

ILLEGAL = 1
"""The exit code when a move is illegal."""
LETTERS = "●○◉─│╱╲╳"  # noqa: RUF001


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="The result of a search, the record of a match, a picture, SGF, or a game of Morpion Solitaire.",
        ),
    ],
    variant: Annotated[
        o.Text,
        typer.Option(metavar="NAME", help="Rules of Morpion: 5T, 5D, 4T, 4D [default: the file's, or inferred]"),
    ] = None,
    game_number: Annotated[
        o.Text,
        typer.Option(
            "--game", metavar="N", help="Which game of a match or of an SGF file, from 0 [default: the first]"
        ),
    ] = None,
    problem: Annotated[
        o.Text,
        typer.Option(metavar="PROBLEM", help="Your own problem or game, as path/to/file.py:Class or module:Class."),
    ] = None,
    moves: Annotated[o.Text, typer.Option(metavar="N", help="Show the position after N moves.")] = None,
    svg: Annotated[o.Text, typer.Option(metavar="OUT", help="Write an SVG picture.")] = None,
    animated_svg: Annotated[o.Text, typer.Option(metavar="OUT", help="Write an SVG that plays the game.")] = None,
    png: Annotated[o.Text, typer.Option(metavar="OUT", help="Write a PNG picture (needs Pillow).")] = None,
    gif: Annotated[o.Text, typer.Option(metavar="OUT", help="Write a GIF that plays the game (needs Pillow).")] = None,
    out: Annotated[
        o.Text,
        typer.Option(
            metavar="OUT", help="Write the solution itself: .json, .psol for Pentasol, or as people write it down."
        ),
    ] = None,
    size: Annotated[o.Text, typer.Option(metavar="PX", help="Pixels of the picture's longer side.")] = None,
    dark: Annotated[bool | None, typer.Option("--dark/--light", help="Paper of the picture [default: light]")] = None,
    plain: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII letters.")] = False,
    width: Annotated[o.Text, typer.Option(metavar="N", help="Columns to draw in [default: the terminal's]")] = None,
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
    game = _game(file, variant, problem)
    if isinstance(game, Solution):
        return show_solution(game, wanted)
    illegal = game.first_illegal()
    if illegal is not None:
        number, rule = illegal
        print(f"rookery: {clean(file)}: move {number}, {game.moves[number - 1]}, is illegal: {rule}", file=sys.stderr)
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


def _game(file: str, variant: str | None, problem: str | None) -> MorpionGame | Solution:
    """The game of Morpion in a file; or the solution of another problem, if it is one."""
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
