"""Drawings of SameGame."""

from __future__ import annotations

import re

import rookery as rk
from rookery.drawing.palette import COLOURS
from rookery.engine.interpreted import Interpreted
from rookery.problems.samegame import SameGame

PROBLEM = SameGame.build("002/011")


def test_a_board_in_letters_shows_what_is_left():
    assert PROBLEM.draw([]) == " 2  0 0 2\n 1  0 1 1\n    1 2 3"
    assert PROBLEM.draw([0]) == " 2  . 2 .\n 1  1 1 .\n    1 2 3"
    assert PROBLEM.draw([0, 0]) == " 2  . . .\n 1  2 . .\n    1 2 3"


def test_a_picture_has_the_number_of_the_move_that_takes_each_cell():
    svg = PROBLEM.picture([0, 0]).svg()
    numbers = re.findall(r">(\d+)</text>", svg)
    assert sorted(numbers) == ["1", "1", "1", "2", "2"]
    assert [svg.count(f'fill="{colour}"') for colour in COLOURS[:4]] == [3, 2, 2, 0]  # colour 2 is left: shown twice
    assert "2 moves, 1 point<" in svg
    assert "1 cell left" in svg


def test_the_score_in_a_picture_is_that_of_the_game():
    for penalty in (False, True):
        problem = SameGame.build("211/102/331", penalty=penalty)
        score, _ = rk.replay(Interpreted(problem), [0])
        assert f"1 move, {int(score)} points" in problem.picture([0]).svg()
    assert "1 move, 1,016 points" in SameGame.build("111/111").picture([0]).svg()


def test_a_picture_without_moves_has_the_whole_board_on_both_sides():
    svg = PROBLEM.picture([]).svg()
    assert svg.count("rx=") == 2 * 6
    assert "3 x 2" in svg


def test_every_colour_has_a_fill_of_its_own():
    assert len(set(COLOURS)) == len(COLOURS) == 15


def test_a_move_is_described_by_its_cell():
    assert PROBLEM.describe_move(17) == "c2 r2"
    assert SameGame.build(height=20).describe_move(33) == "c2 r2"
