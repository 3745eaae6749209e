"""Names of squares, boards as text and as pictures, and what the games on squares refuse."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.errors import InputError
from rookery.games.breakthrough import Breakthrough, MisereBreakthrough
from rookery.games.domineering import Domineering, MisereDomineering
from rookery.games.knightthrough import Knightthrough, MisereKnightthrough
from rookery.games.squares import DARK_MARKED, LIGHT_MARKED, Squares

FORWARD = (Breakthrough, MisereBreakthrough, Knightthrough, MisereKnightthrough)
DOMINOES = (Domineering, MisereDomineering)
sides = st.integers(1, 16)


@given(sides, sides, st.data())
def test_every_square_is_found_by_its_name(width, height, data):
    square = data.draw(st.integers(0, width * height - 1))
    board = Squares(width, height)
    assert board.square(board.name(square)) == square


@pytest.mark.parametrize("text", ["", "a", "3", "a0", "a9", "i1", "a1b", "aa1", "a-1", "ä1", "a01", "a999999"])
def test_what_is_no_square_of_the_board_is_refused(text):
    with pytest.raises(InputError, match="a square must be one of a1 to h8, got"):
        Squares(8, 8).square(text)


@pytest.mark.parametrize("text", ["a2-a3", "A2-A3", " a2 - a3 ", "a2a3", "a2xa3", "a2:a3", "a2a3*"])
def test_a_move_is_read_however_players_write_it(text):
    assert Squares(8, 8).pair(text) == (8, 16)


@pytest.mark.parametrize("text", ["", "a2", "a2-", "a2--a3", "a2-a3-a4", "pass", "a2~a3"])
def test_what_is_no_move_is_refused(text):
    with pytest.raises(InputError, match="a move must be two squares, as in a2-a3, got"):
        Squares(8, 8).pair(text)


def test_the_lowest_row_of_the_text_is_row_one_and_marks_are_in_brackets():
    text = Squares(4, 10).text({0: "x", 39: "o"}, marked=[0, 4, 5])
    assert text.splitlines()[0] == "10  · · · o"
    assert text.splitlines()[-3:] == [" 2 [· ·]· ·", " 1 [x]· · ·", "    a b c d"]


def test_the_picture_shows_each_square_once_and_is_sound_xml():
    svg = Squares(5, 4).picture(marked=[3, 4]).svg()
    root = ET.fromstring(svg)
    assert sum(element.tag.endswith("rect") for element in root) == 20 + 2  # the paper, and a line around the board
    assert svg.count(DARK_MARKED) + svg.count(LIGHT_MARKED) == 2


@pytest.mark.parametrize("game", [*FORWARD, *DOMINOES])
def test_every_move_is_read_as_it_is_written(game):
    game = game(5, 6)
    moves = [move for move in range(2 * 5 * 6 * 4) if _is_move(game, move)]
    assert len(moves) > 40
    assert [game.read_move(game.describe_move(move)) for move in moves] == moves


def _is_move(game, move):
    try:
        game.describe_move(move)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("game", [*FORWARD, *DOMINOES])
@pytest.mark.parametrize("move", [-1, 10**6])
def test_a_number_that_is_no_move_is_not_described(game, move):
    with pytest.raises(InputError, match=f"got .*{move}"):
        game(5, 6).describe_move(move)


@pytest.mark.parametrize(
    ("game", "text"),
    [(Breakthrough, "a2-a4"), (Breakthrough, "a2-b2"), (Knightthrough, "a2-a3"), (Knightthrough, "a2-c2")],
)
def test_a_step_that_no_piece_can_make_is_refused(game, text):
    with pytest.raises(InputError, match=f'must go forward as the pieces of {game.__name__} do, got "{text}"'):
        game(8, 8).read_move(text)


@pytest.mark.parametrize("text", ["a1-a1", "a1-b2", "a1-a3", "h1-a2"])
def test_a_domino_that_does_not_fit_is_refused(text):
    with pytest.raises(InputError, match=f'must lie on two squares side by side, got "{text}"'):
        Domineering(8, 8).read_move(text)


@pytest.mark.parametrize("game", FORWARD)
@pytest.mark.parametrize(
    ("name", "value"), [("width", 1), ("width", 17), ("height", 3), ("height", 17), ("width", 5.0)]
)
def test_a_board_out_of_range_is_refused(game, name, value):
    least = 2 if name == "width" else 4
    with pytest.raises(InputError, match=f"{name} must be a whole number from {least} to 16, got {value}"):
        game(**{name: value})


@pytest.mark.parametrize("game", DOMINOES)
@pytest.mark.parametrize(("name", "value"), [("width", 0), ("height", 17), ("width", 2.5)])
def test_a_board_for_dominoes_out_of_range_is_refused(game, name, value):
    with pytest.raises(InputError, match=f"{name} must be a whole number from 1 to 16, got {value}"):
        game(**{name: value})


@pytest.mark.parametrize("game", [*FORWARD, *DOMINOES])
def test_build_takes_one_size_or_two_sides(game):
    assert (game.build().width, game.build().height) == (8, 8)
    assert (game.build(size=5).width, game.build(size=5).height) == (5, 5)
    assert (game.build(size=5, width=6).width, game.build(size=5, width=6).height) == (6, 5)
    assert (game.build(width=6, height=7).width, game.build(width=6, height=7).height) == (6, 7)


@pytest.mark.parametrize("size", [0, -3, 17])
@pytest.mark.parametrize("game", [*FORWARD, *DOMINOES])
def test_build_refuses_a_size_out_of_range(game, size):
    with pytest.raises(InputError, match=f"^size must be a whole number from . to 16, got {size}"):
        game.build(size=size)


def test_a_capture_may_be_written_with_an_x_and_marks_its_squares_in_the_drawing():
    game = Breakthrough(4, 4)
    move = game.read_move("b2xc3")
    assert game.draw([move]).splitlines() == [" 4  ♟ ♟ ♟ ♟", " 3  ♟ ♟[♙]♟", " 2  ♙[·]♙ ♙", " 1  ♙ ♙ ♙ ♙", "    a b c d"]
    pieces = [shape for shape in ET.fromstring(game.picture([move]).svg()) if shape.tag.endswith("circle")]
    assert len(pieces) == 15


@pytest.mark.parametrize(
    "moves",
    [["b4-b3"], ["b2-b3"], ["b2-c3", "b2-c3"], ["b2-c3", "d3-c2", "c2-d3"], ["b2xc3", "d4xc3", "c3-c4"]],
)
def test_an_illegal_move_is_not_drawn(moves):
    game = Breakthrough(4, 4)
    with pytest.raises(InputError, match=f"move {len(moves)} must be legal, got"):
        game.draw([game.read_move(move) for move in moves])


def test_nothing_is_drawn_after_the_end_of_the_game():
    game = Breakthrough(4, 4)
    moves = [game.read_move(move) for move in ("b2xc3", "a3xb2", "c3xd4")]
    assert "[♙]" in game.draw(moves)
    with pytest.raises(InputError, match="move 4 must be legal, got d3-d2"):
        game.draw([*moves, game.read_move("d3-d2")])


def test_dominoes_that_overlap_are_not_drawn():
    game = Domineering(3, 3)
    with pytest.raises(InputError, match="move 2 must be legal, got a2-b2"):
        game.draw([game.read_move("a1-a2"), game.read_move("a2-b2")])


def test_a_picture_has_one_shape_for_each_domino():
    game = Domineering(3, 3)
    empty = game.picture([]).svg().count("<rect")
    assert game.picture([game.read_move("a1-a2"), game.read_move("b1-c1")]).svg().count("<rect") == empty + 2


@pytest.mark.parametrize(
    ("game", "given", "message"),
    [
        (Breakthrough, {"size": 3}, "size must be a whole number from 4 to 16, got 3"),
        (Breakthrough, {"size": 17}, "size must be a whole number from 4 to 16, got 17"),
        (Breakthrough, {"size": 3, "width": 5}, "size must be a whole number from 4 to 16, got 3"),
        (Breakthrough, {"size": 1, "height": 5}, "size must be a whole number from 2 to 16, got 1"),
        (Breakthrough, {"height": 3}, "height must be a whole number from 4 to 16, got 3"),
        (Domineering, {"size": 0}, "size must be a whole number from 1 to 16, got 0"),
        (Domineering, {"width": -1}, "width must be a whole number from 1 to 16, got -1"),
    ],
)
def test_a_side_out_of_range_is_named_as_it_was_given(game, given, message):
    with pytest.raises(InputError, match=message):
        game.build(**given)
