"""Names of points, the board as text and as a picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from go_by_hand import GoByHand, play_at_random
from rookery.errors import InputError
from rookery.games.go import Go
from rookery.games.nogo import NoGo
from rookery.games.points import board_text, play_out, point_name, read_point, stars


@given(st.integers(2, 19), st.data())
def test_a_name_is_read_back_as_its_move(size, data):
    move = data.draw(st.integers(0, size * size))
    assert read_point(size, point_name(size, move)) == move
    assert read_point(size, f" {point_name(size, move).lower()} ") == move


def test_there_is_no_letter_i():
    assert [point_name(9, p) for p in (7, 8)] == ["H1", "J1"]
    assert point_name(19, 360) == "T19"


@pytest.mark.parametrize("text", ["", "I1", "A0", "A10", "K1", "5", "A", "A-1", "A1B", "passe", "Ä1", "A²", "A1111"])
def test_what_is_no_point_of_the_board_is_refused(text):
    with pytest.raises(InputError, match=r"a move must be pass or a point from A1 to J9 \(there is no I\), got"):
        Go(9).read_move(text)


@pytest.mark.parametrize("seed", range(5))
def test_the_stones_of_a_drawing_are_those_of_the_rules_by_hand(seed):
    hand = GoByHand(5, suicide=True)
    moves = play_at_random(hand, seed, playout=True)
    stones = play_out(5, moves)
    assert {p for p, colour in stones.items() if colour == 0} == hand.board[0]
    assert {p for p, colour in stones.items() if colour == 1} == hand.board[1]


def test_text_shows_stones_stars_letters_and_the_last_move():
    assert board_text(7, {0: 0, 48: 1}, [0, 48]).splitlines() == [
        " 7  . . . . . .(O)",
        " 6  . . . . . . .",
        " 5  . . + . + . .",
        " 4  . . . + . . .",
        " 3  . . + . + . .",
        " 2  . . . . . . .",
        " 1  X . . . . . .",
        "    A B C D E F G",
    ]


def test_the_last_move_may_be_a_pass_or_gone():
    assert "(" not in Go(3).draw([4, 9])
    assert "(X)" in Go(3).draw([4])


def test_a_picture_has_every_stone_and_a_mark_on_the_last():
    svg = NoGo(9).picture([40, 41]).svg()
    assert svg.count("<circle") == 5 + 2 + 1
    assert svg.count("<line") == 18


def test_boards_have_the_marked_points_that_they_are_sold_with():
    assert [len(stars(size)) for size in (5, 9, 13, 19)] == [0, 5, 5, 9]
    assert point_name(19, min(stars(19))) == "D4"


def test_a_drawing_of_moves_that_cannot_be_is_refused():
    with pytest.raises(InputError, match="move 2 must be on an empty point, got B2"):
        Go(3).draw([4, 4])
    with pytest.raises(InputError, match="a move must be 0 to 9 on a board of size 3, got 10"):
        Go(3).draw([10])
