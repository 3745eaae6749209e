"""Pictures as text."""

from __future__ import annotations

import re

import pytest

from morpion_by_hand import LINE_OF_DOTS, VARIANTS, random_game
from rookery.errors import InputError
from rookery.problems.morpion import MorpionGame, Move
from rookery.problems.morpion.text import ASCII, UNICODE, columns, full, game_text, small

GAMES = [
    *(random_game(variant, 1) for variant in VARIANTS),
    random_game("5T", 1, dots=LINE_OF_DOTS),
    MorpionGame("5T", ()),
]
ESCAPES = re.compile(r"\x1b\[[\d;]*m")


def numbers(text):
    return sorted(map(int, re.findall(r"\d+", text)))


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_shown_once(game, ascii):
    assert numbers(game_text(game, ascii=ascii)) == list(range(1, game.score + 1))


@pytest.mark.parametrize("game", GAMES)
def test_every_dot_of_the_start_is_shown_once(game):
    assert game_text(game).count("●") == game_text(game, ascii=True).count("o") == len(game.start)


@pytest.mark.parametrize("game", GAMES)
def test_plain_letters_are_ascii_and_lie_where_the_others_do(game):
    plain, drawn = game_text(game, ascii=True), game_text(game)
    assert plain.isascii()
    translation = str.maketrans(
        "".join([UNICODE.start, UNICODE.crossing, *UNICODE.strokes.values()]),
        "".join([ASCII.start, ASCII.crossing, *ASCII.strokes.values()]),
    )
    assert drawn.translate(translation) == plain


def test_lines_run_from_dot_to_dot_in_all_four_directions():
    lines = {
        "H": ({(1, 0), (2, 0), (3, 0)}, "1---o---o---o"),
        "V": ({(0, 1), (0, 2), (0, 3)}, "1|o|o|o"),
        "DN": ({(1, 1), (2, 2), (3, 3)}, "1\\o\\o\\o"),
        "DP": ({(1, -1), (2, -2), (3, -3)}, "o/o/o/1"),
    }
    for direction, (dots, letters) in lines.items():
        game = MorpionGame("4T", (Move(0, 0, direction, 0),), frozenset(dots))
        assert "".join(game_text(game, ascii=True).split()) == letters


def test_lines_that_cross_between_dots_are_told_from_either():
    dots = frozenset({(0, 0), (1, 1), (2, 2), (0, 1), (2, -1), (-1, 2)})
    game = MorpionGame("4T", (Move(3, 3, "DN", 3), Move(1, 0, "DP", 2)), dots)
    assert game_text(game).count(UNICODE.crossing) == 1


def test_numbers_of_many_digits_stay_apart():
    dots = frozenset((x, y) for x in range(8) for y in range(200))
    moves = tuple(Move(8, y, "H", 4) for y in range(200)) + tuple(Move(-1, y, "H", 0) for y in range(200))
    assert numbers(game_text(MorpionGame("5D", moves, dots))) == list(range(1, 401))


def test_no_line_ends_in_blanks():
    assert all(line == line.rstrip() for line in game_text(GAMES[0]).splitlines())


@pytest.mark.parametrize("width", [1, 2, 5, 10, 20, 25, 40, 60, 100])
@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_narrow_terminal_is_never_overrun(game, width, ascii):
    text = game_text(game, width=width, ascii=ascii)
    assert text.strip()
    assert max(len(line) for line in text.splitlines()) <= width
    assert text.isascii() or not ascii


def test_a_terminal_of_the_right_width_shows_all_and_one_column_less_the_dots_alone():
    game = random_game("5D", 1)
    needed = columns(full(game, UNICODE))
    assert game_text(game, width=needed) == game_text(game)
    narrow = game_text(game, width=needed - 1)
    assert f"({needed} columns show the numbers and lines)" in narrow
    assert narrow.count("○") + narrow.count("◉") == game.score


def test_a_terminal_too_narrow_for_dots_gets_the_moves_in_words():
    game = random_game("5D", 1)
    words = game_text(game, width=columns(small(game, UNICODE)) - 1)
    first = game.moves[0]
    assert " ".join(words.split()).startswith(f"1 {first}, 2 ")


@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
@pytest.mark.parametrize("game", GAMES)
def test_colours_change_no_letter(game, colours):
    coloured = game_text(game, colours=colours)
    assert "\x1b[" in coloured
    assert ESCAPES.sub("", coloured) == game_text(game)


def test_the_newest_move_stands_out():
    game = random_game("5D", 1)
    reversed_numbers = re.findall(r"\x1b\[1;7;[\d;]*m(\d+)", game_text(game, colours="256"))
    assert reversed_numbers == [str(game.score)]


def test_an_illegal_game_is_refused():
    with pytest.raises(InputError, match="move 1, .* must be legal"):
        game_text(MorpionGame("5T", (Move(0, 0, "H", 0),)))


def test_a_start_without_dots_is_drawn_as_nothing():
    assert game_text(MorpionGame("5T", (), frozenset())) == ""
