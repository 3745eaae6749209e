"""Lists of words: those of the paper, and those that cannot be."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.problems.crossword import CAPITALS, PARKS, Crossword, read_words
from rookery.problems.crossword.lists import listed_words


def test_the_lists_have_the_words_that_the_paper_counts():
    assert (len(CAPITALS), len(set(CAPITALS))) == (63, 63)
    assert {"QUEBECCITY", "IQALUIT", "STPAUL"} < set(CAPITALS)


def test_the_reconstructed_parks_are_51_and_fit_into_the_grid():
    assert (len(PARKS), len(set(PARKS))) == (51, 51)
    assert max(map(len, PARKS)) == 19


def test_a_file_of_words_is_read(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("Boise\n\nSALEM\n")
    assert Crossword.build(words=str(file), width=5).words == ("BOISE", "SALEM")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BOISE\n\nQUÉBEC", "line 3: a word must consist of the letters A to Z, got 'QUÉBEC'"),
        ("BOISE\nST PAUL", "line 2: a word must consist of the letters A to Z, got 'ST PAUL'"),
        ("BOISE\nSALEM\nboise", "line 3: each word must be there once, got 'BOISE', which is line 1 too"),
        ("BOISE\n\n\nSACRAMENTO", "line 4: a word must fit into the grid, 5 cells, got 'SACRAMENTO' of 10"),
        ("A", "line 1: a word must have at least 2 letters, got 'A'"),
        ("\n", "there must be at least 1 word, got none"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(text, message, tmp_path):
    with pytest.raises(rk.InputError) as caught:
        read_words(text, 5)
    assert str(caught.value) == message
    file = tmp_path / "words.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(rk.InputError) as caught:
        Crossword.build(words=str(file), width=5)
    unquoted = "consist of" in message or "2 letters" in message  # any file may be named: what it holds stays there
    assert str(caught.value) == f"{file}, {message.partition(', got')[0] if unquoted else message}"


def test_a_word_longer_than_the_grid_is_refused_in_lists_that_are_built_in():
    with pytest.raises(rk.InputError, match="word 1: a word must fit into the grid, 9 cells, got 'MONTGOMERY' of 10"):
        Crossword.build(width=9)


def test_a_word_may_be_as_long_as_the_longer_side():
    assert Crossword(("SACRAMENTO", "SALEM"), 10, 5).height == 5


def test_an_unknown_list_is_refused():
    with pytest.raises(rk.InputError, match="words must be crossc or crossp, words between commas, or a file: cannot"):
        listed_words("crossq")
