"""Grids as people write them: what is read, and what is refused."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.problems.crossword import Crossword
from rookery.problems.crossword.grid import order_of, read_rows

WORDS = {"ZION", "ZIP", "NIP", "PIN", "ON", "NO", "IZ", "IP"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["ZIOM"], "ZIOM across from row 1, column 1 is not in the list of words"),
        (["ZIP.ZIP"], "ZIP across from row 1, column 5 is there already, across from row 1, column 1"),
        (["ZIP..", "....N"], "row 2, column 5: the letter N belongs to no word"),
        (["ZIP.PIN"], "PIN across from row 1, column 5 is not connected to ZIP across from row 1, column 1"),
        (["ZION"], "one of the words must go down from the top row, got ZION across from row 1, column 1"),
    ],
)
def test_a_grid_against_the_rules_is_refused_with_the_place(rows, message):
    with pytest.raises(rk.InputError) as caught:
        order_of(rows, WORDS)
    assert str(caught.value) == message


def test_a_block_of_letters_cannot_be_placed_word_by_word():
    with pytest.raises(rk.InputError, match="cannot be placed one by one"):
        order_of(["AB", "CD"], {"AB", "CD", "AC", "BD"})


def test_a_word_beside_another_waits_for_the_one_across_both():
    rows = ["....X", "..FEA", "KNM.B", "L...C", "JIHGD"]
    words = ("XABCD", "FEA", "JIHGD", "KLJ", "FM", "KNM")
    assert [p.word for p in order_of(rows, words)] == list(words)


def test_blanks_may_be_left_out_at_the_end_of_a_row():
    assert read_rows("zi.#\n\nP", 4, 4) == ["ZI..", "....", "P..."]


def test_empty_rows_above_the_grid_are_left_out():
    problem = Crossword(("SALEM", "BOISE"), 6, 7)
    assert problem.read("......\n\n.S\n.A\n.L\n.E\n.M\n") == problem.read(".S\n.A\n.L\n.E\n.M\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S\nA\nL\nE\nM\n!", "line 6, column 1: a cell must be A to Z or '.', got '!'"),
        ("S\n......A", "line 2: a row must have at most 6 cells, got 7"),
        ("S\nA\nL\nE\nM\nS\nA\nL", "there must be at most 7 rows, got 8"),
    ],
)
def test_a_text_that_is_no_grid_is_refused_with_its_line(text, message):
    with pytest.raises(rk.InputError) as caught:
        Crossword(("SALEM", "BOISE"), 6, 7).read(text)
    assert str(caught.value) == message


def test_an_empty_grid_has_no_moves():
    assert Crossword(("SALEM", "BOISE"), 6, 7).read("") == ()
