"""``rookery show``: a game or a result as a drawing in the terminal, or as a picture in a file."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import rookery as rk
from rookery.cli import options as o

ILLEGAL = 1
"""The exit code when a move is illegal."""
LARGEST = 1 << 26
"""The most bytes of a result file."""
LETTERS = "●○◉─│╱╲╳"  # noqa: RUF001


def show(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A game (JSON, Pentasol, SVG or PNG) or the result of a search.")
    ],
    variant: Annotated[
        o.Text,
        typer.Option(metavar="NAME", help="Rules of Morpion: 5T, 5D, 4T, 4D [default: the file's, or inferred]"),
    ] = None,
    moves: Annotated[o.Text, typer.Option(metavar="N", help="The position after N moves.")] = None,
    svg: Annotated[o.Text, typer.Option(metavar="OUT", help="Write an SVG picture.")] = None,
    animated_svg: Annotated[o.Text, typer.Option(metavar="OUT", help="Write an SVG that plays the game.")] = None,
    png: Annotated[o.Text, typer.Option(metavar="OUT", help="Write a PNG picture (needs Pillow).")] = None,
    gif: Annotated[o.Text, typer.Option(metavar="OUT", help="Write a GIF that plays the game (needs Pillow).")] = None,
    out: Annotated[
        o.Text, typer.Option(metavar="OUT", help="Write the game itself: .json, or .psol for Pentasol.")
    ] = None,
    size: Annotated[o.Text, typer.Option(metavar="PX", help="Pixels of the picture's longer side.")] = None,
    dark: Annotated[bool | None, typer.Option("--dark/--light", help="Paper of the picture [default: light]")] = None,
    plain: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters.")] = False,
    width: Annotated[o.Text, typer.Option(metavar="N", help="Columns there are [default: the terminal's]")] = None,
) -> int:
    """Draw a game in the terminal, or write pictures of it, or the game in another format."""
    pictures = {"--svg": svg, "--animated-svg": animated_svg, "--png": png, "--gif": gif}
    outputs = {option: path for option, path in pictures.items() if path is not None}
    _check_options(outputs, out, {"--size": size, "--dark": dark}, {"--ascii": plain or None, "--width": width})
    after = None if moves is None else o.whole("--moves", moves, least=0)
    pixels = o.optional(o.whole, "--size", size)
    columns = o.optional(o.whole, "--width", width)
    _check_outputs(file, outputs | ({} if out is None else {"--out": out}))
    game = _game(file, variant)
    if game is None:
        of_games = {"--variant": variant, "--ascii": plain or None, "--dark": dark}
        return _show_other(file, of_games, outputs, out, after, pixels, columns)
    illegal = game.first_illegal()
    if illegal is not None:
        number, rule = illegal
        print(f"rookery: {_clean(file)}: move {number}, {game.moves[number - 1]}, is illegal: {rule}", file=sys.stderr)
        return ILLEGAL
    if after is not None:
        if after > game.score:
            raise rk.InputError(f"--moves must be at most {game.score}, the moves of the game, got {after}")
        game = replace(game, moves=game.moves[:after])
    name = f"Morpion Solitaire {game.variant}, {_counted(game.score)}"
    if outputs or out is not None:
        made = {path: _picture(option, game, pixels, dark is True) for option, path in outputs.items()}
        if out is not None:
            rk.write_game(game, out)
            print(f"{_clean(out)}: {name}")
        for path, content in made.items():  # not before all are made
            rk.write_bytes(path, content)
            print(f"{_clean(path)}: {name}")
    else:
        drawing = rk.game_text(game, ascii=plain or not _has_letters(), width=columns or _columns(), colours=_colours())
        print(f"{name}\n\n{drawing}")
    return 0


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
        rk.check_writable(path)
        place = os.path.realpath(path)
        if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
            raise rk.InputError(f"{option} must not be the file that is shown, got {path}")
        if place in seen:
            raise rk.InputError(f"{seen[place]} and {option} must be different files, got {path} for both")
        seen[place] = option


# --- games ---


def _game(file: str, variant: str | None) -> Any:
    """The game in a file; None if it is the result of another problem."""
    try:
        return rk.read_game(file, variant).game
    except rk.InputError:
        if _other(file) is None:
            raise
        return None


def _picture(option: str, game: Any, size: int | None, dark: bool) -> bytes:
    theme: Literal["light", "dark"] = "dark" if dark else "light"
    make: dict[str, Callable[[], bytes]] = {
        "--svg": lambda: rk.game_svg(game, size=size, theme=theme).encode(),
        "--animated-svg": lambda: rk.game_svg(game, animated=True, size=size, theme=theme).encode(),
        "--png": lambda: rk.game_png(game, size=size, theme=theme),
        "--gif": lambda: rk.game_gif(game, size=size, theme=theme),
    }
    return make[option]()


# --- results of other problems ---


def _other(file: str) -> rk.Result | None:
    """The result of another problem than Morpion in a file; None if there is none."""
    try:  # a pipe has been read already, and a device may have no end
        path = Path(file)
        result = rk.Result.load(path) if path.is_file() and path.stat().st_size <= LARGEST else None
    except (rk.InputError, OSError, ValueError):
        return None
    return None if result is None or result.problem == "morpion" else result


def _show_other(
    file: str,
    of_games: dict[str, Any],
    pictures: dict[str, str],
    out: str | None,
    after: int | None,
    size: int | None,
    columns: int | None,
) -> int:
    """Print the drawing of a result or its moves in words, or write files; a problem of one's own is not loaded."""
    result = _other(file)
    assert result is not None
    problem = _clean(result.problem)
    for option, value in of_games.items():
        if value is not None:
            raise rk.InputError(f"{option} goes with a game of Morpion Solitaire, got a result of {problem}")
    if after is not None and after > len(result.moves):
        raise rk.InputError(f"--moves must be at most {len(result.moves)}, the moves of the result, got {after}")
    moves = result.moves if after is None else result.moves[:after]
    name, text = f"{problem}, score {result.score:g}, {_counted(len(moves))}", None
    describe: Callable[[Any], str] = str
    made: dict[str, bytes] = {}
    try:
        if result.problem in rk.builtin_problems():
            parameters = {name: str(value) for name, value in result.parameters.items()}
            loaded = rk.load_problem(result.problem, parameters)
            score = rk.replay(loaded, moves)[0] if after is not None else result.score
            name = f"{problem}, score {loaded.format_score(score)}, {_counted(len(moves))}"
            text, describe = loaded.draw(moves), loaded.describe_move
            made = _files(loaded, moves, pictures, out, size)
        text = text or _listed([_clean(describe(move)) for move in moves], columns or _columns())
    except Exception as error:  # whatever the file holds in place of parameters and moves
        reason = str(error) if isinstance(error, rk.RookeryError) else rk.describe_exception(error)
        raise rk.InputError(f"{file} must hold a result of {problem}, and cannot be shown: {reason}") from None
    missing = {**pictures, **({} if out is None else {"--out": out})}
    for option, path in missing.items():
        if path not in made:
            what = "written form" if option == "--out" else "such picture"
            raise rk.InputError(f"{problem} has no {what}: {option} cannot be written")
    for path, content in made.items():
        rk.write_bytes(path, content)
        print(f"{_clean(path)}: {name}")
    if not made:
        print(f"{name}\n\n{text}")
    return 0


def _files(
    problem: Any, moves: tuple[Any, ...], pictures: dict[str, str], out: str | None, size: int | None
) -> dict[str, bytes]:
    """What is to be written, as far as the problem has it: path -> content."""
    made: dict[str, bytes] = {}
    picture = problem.picture(moves) if pictures else None
    for option, path in pictures.items():
        if picture is not None and option == "--svg":
            made[path] = picture.svg(size).encode()
        elif picture is not None and option == "--png":
            made[path] = picture.png(size)
    written = problem.write(moves) if out is not None else None
    if out is not None and written is not None:
        made[out] = written.encode()
    return made


def _listed(moves: list[str], columns: int | None) -> str:
    """Moves with commas between them, broken only between moves."""
    unit = "\N{NO-BREAK SPACE}"  # what textwrap does not break at
    text = ", ".join(move.replace(" ", unit) for move in moves)
    width = max(20, columns or 80)
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False).replace(unit, " ")


# --- the terminal ---


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _columns() -> int | None:
    """The columns of the terminal; None where there is none, and a line may be of any length."""
    return shutil.get_terminal_size().columns if _is_terminal() else None


def _colours() -> Any:
    """The colours of the terminal, as Rich finds them, which also asks NO_COLOR; None without them."""
    if not _is_terminal():
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


def _counted(moves: int) -> str:
    return f"{moves} move{'' if moves == 1 else 's'}"


def _clean(text: str) -> str:
    """Text from a file as a terminal may show it."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))
