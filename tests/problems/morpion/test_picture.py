"""The shapes of a picture, before anything is drawn."""

from __future__ import annotations

import math

import pytest

from morpion_by_hand import LINE_OF_DOTS, VARIANTS, random_game
from rookery.errors import InputError
from rookery.problems.morpion import Game, Move
from rookery.problems.morpion import picture as p


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_picture_has_a_shape_for_every_dot_and_every_line(variant):
    game = random_game(variant, 1)
    picture = p.pictured(game)
    assert {start.at for start in picture.starts} == game.start
    assert [(dot.number, dot.at) for dot in picture.numbers] == [(k, m.dot) for k, m in enumerate(game.moves, 1)]
    assert [stroke.cells for stroke in picture.strokes] == [move.cells(int(variant[0])) for move in game.moves]


def test_a_line_lies_between_its_end_dots_and_touches_neither():
    game = random_game("5T", 2)
    for stroke in p.pictured(game).strokes:
        for point, dot in ((stroke.begin, stroke.cells[0]), (stroke.end, stroke.cells[-1])):
            radius = p.START_RADIUS if dot in game.start else p.MOVE_RADIUS
            assert radius + p.RIM_WIDTH / 2 < math.dist(point, dot) - p.LINE_WIDTH / 2 < 0.5


@pytest.mark.parametrize("game", [random_game("5T", 3), random_game("5T", 3, dots=LINE_OF_DOTS), Game("4D", ())])
def test_all_dots_lie_within_the_edges(game):
    picture = p.pictured(game)
    for dot in game.board().dots:
        x, y = picture.place(dot)
        assert p.MOVE_RADIUS < x < picture.width - p.MOVE_RADIUS
        assert p.MOVE_RADIUS < y < picture.height - p.CAPTION_FOOT - p.CAPTION_SIZE


def test_a_picture_of_few_dots_has_room_for_its_title():
    assert p.pictured(Game("5T", (), frozenset({(0, 0)}))).width >= p.LETTER_WIDTH * len(
        "Morpion Solitaire 5T, 0 moves"
    )


def test_a_start_without_dots_has_a_picture():
    assert p.bounds(Game("5T", (), frozenset())) == (0, 0, 0, 0)


def test_every_number_fits_into_its_dot():
    for number in (9, 99, 999, 9999):
        size, digits = p.Numbered(number, (0, 0)).size, len(str(number))
        assert math.hypot(digits * 0.556 * size / 2, 0.72 * size / 2) < p.MOVE_RADIUS + p.RIM_WIDTH / 2


@pytest.mark.parametrize("theme", p.THEMES)
def test_colours_run_from_the_first_move_to_the_last(theme):
    colours = p.THEMES[theme]
    assert (colours.age(1, 178), colours.age(178, 178)) == (colours.ages[0], colours.ages[-1])
    assert len({colours.age(number, 178) for number in range(1, 179)}) > 150


def test_a_single_move_has_a_colour():
    assert p.THEMES["light"].age(1, 1) == p.THEMES["light"].ages[0]


@pytest.mark.parametrize(("moves", "least", "most"), [(35, 10, 20), (82, 10, 20), (178, 10, 20), (1, 4, 4), (0, 4, 4)])
def test_a_game_is_played_in_ten_to_twenty_seconds(moves, least, most):
    assert least <= p.schedule(moves)[1] <= most


def test_an_illegal_game_has_no_picture():
    with pytest.raises(InputError, match=r"move 1, \(0,0\) horizontal, must be legal: its line needs 4 dots"):
        p.pictured(Game("5T", (Move(0, 0, "H", 0),)))


def test_a_board_that_is_too_large_is_refused():
    with pytest.raises(InputError, match="at most 250 x 250 cells, got 900 x 1"):
        p.pictured(Game("5T", (), frozenset({(0, 0), (899, 0)})))


def test_an_unknown_theme_is_refused():
    with pytest.raises(InputError, match="theme must be light or dark, got 'dim'"):
        p.themed("dim")
