"""Pictures of crosswords."""

from __future__ import annotations

from rookery.problems.crossword import Crossword

GRID = "SALEM.\nA.....\nL.....\nE.....\nS.....\n"
PROBLEM = Crossword(("SALEM", "SALES"), 6, 7)


def test_the_text_has_a_letter_or_a_point_for_each_cell():
    lines = PROBLEM.draw(PROBLEM.read(GRID)).splitlines()
    assert (lines[0], lines[1], len(lines)) == ("S A L E M .", "A . . . . .", 7)


def test_the_picture_has_every_letter_and_the_numbers_of_the_words():
    svg = PROBLEM.picture(PROBLEM.read(GRID)).svg()
    assert [svg.count(f">{letter}</text>") for letter in "SALEM1"] == [2, 2, 2, 2, 1, 1]
    assert ">2</text>" not in svg


def test_an_empty_grid_has_a_picture():
    assert "<text" not in PROBLEM.picture([]).svg()
