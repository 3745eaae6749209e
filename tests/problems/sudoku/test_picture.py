"""Pictures of Sudoku."""

from __future__ import annotations

from rookery.problems.sudoku import Sudoku
from rookery.problems.sudoku.rules import FOUND, INK, NOTHING_LEFT

PROBLEM = Sudoku.build(grid="12" + "." * 14)


def test_the_text_has_lines_between_the_boxes():
    assert PROBLEM.draw([11]).splitlines()[:3] == ["1 2 | 4 .", ". . | . .", "----+----"]


def test_values_that_were_given_look_other_than_those_that_were_found():
    svg = PROBLEM.picture([11]).svg()
    texts = [line for line in svg.splitlines() if line.startswith("<text")]
    assert [(INK[0] in line and "bold" in line, FOUND[0] in line) for line in texts] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_a_cell_for_which_nothing_is_left_is_marked():
    assert NOTHING_LEFT[0] not in PROBLEM.picture([]).svg()
    assert PROBLEM.picture([10, 31]).svg().count(NOTHING_LEFT[0]) == 1
