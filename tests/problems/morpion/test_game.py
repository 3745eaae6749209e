"""The rules in words, against rules written for the test alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from morpion_by_hand import CROSSES, LINE_OF_DOTS, VARIANTS, judge, random_game
from rookery.problems.morpion import Board, MorpionGame, Move
from rookery.problems.morpion.formats import read_game
from rookery.problems.morpion.game import cross


@pytest.mark.parametrize("length", [4, 5])
def test_the_cross_is_the_one_that_people_draw(length):
    rows = CROSSES[str(length)].split()
    assert cross(length) == {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dots", [None, LINE_OF_DOTS], ids=["cross", "dots"])
@settings(max_examples=8)
@given(seed=st.integers(0, 1000), most=st.sampled_from([0, 5, 15, 1000]))
def test_games_of_the_board_are_legal_and_leave_what_the_judge_says(variant, dots, seed, most):
    game = random_game(variant, seed, most, dots)
    assert judge(variant, game.moves, dots) == (None, len(game.board().legal()))


def spoilt(moves, k):
    """The moves with the k-th dropped, swapped with its neighbour, shifted each way, doubled, or in another place."""
    before, move, after = moves[:k], moves[k], moves[k + 1 :]
    yield before + after
    yield before + after[:1] + (move,) + after[1:]
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        yield (*before, move._replace(x=move.x + dx, y=move.y + dy), *after)
    yield (*before, move, move, *after)
    for pos in range(-1, 6):
        yield (*before, move._replace(pos=pos), *after)


def test_a_spoilt_game_is_refused_at_the_right_move_or_scored_right(game_file):
    known = read_game(game_file).game
    legal = refused = 0
    for k in range(0, known.score, 7):
        for moves in spoilt(known.moves, k):
            game = MorpionGame(known.variant, moves)
            illegal = game.first_illegal()
            number, left = judge(game.variant, moves)
            assert (None if illegal is None else illegal[0]) == number
            if illegal is None:
                assert len(game.board().legal()) == left
                legal += 1
            else:
                refused += 1
    assert legal > 3
    assert refused > 50


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([Move(4, 3, "X", 0)], "its direction must be H, V, DP, DN, got 'X'"),
        ([Move(4, 3, "H", 5)], "the place of its dot must be 0 to 4, got 5"),
        ([Move(3, 3, "H", 3)], "there is a dot at (3,3) already"),
        ([Move(4, 4, "H", 4)], "its line needs 4 dots that are there, and has 1"),
        (
            [Move(4, 3, "H", 4), Move(5, 3, "H", 4)],
            "the segment (1,3) to (2,3) is in the horizontal line of move 1 already",
        ),
    ],
)
def test_a_broken_rule_is_told_in_words(moves, reason):
    assert MorpionGame("5T", tuple(moves)).first_illegal() == (len(moves), reason)


def test_lines_may_touch_at_their_ends_in_t_but_not_in_d():
    moves = (Move(4, 3, "H", 4), Move(5, 3, "H", 1))
    assert MorpionGame("5T", moves).first_illegal() is None
    reason = "the dot (4,3) is in the horizontal line of move 1 already"
    assert MorpionGame("5D", moves).first_illegal() == (2, reason)


def test_an_unknown_variant_is_refused():
    with pytest.raises(rk.InputError, match="variant must be 5T, 5D, 4T or 4D, got '6T'"):
        Board("6T")
