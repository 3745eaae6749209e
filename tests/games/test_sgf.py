"""Games of the Go family as SGF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.errors import InputError
from rookery.games.atarigo import AtariGo
from rookery.games.go import Go
from rookery.games.nogo import NoGo
from rookery.games.sgf import SgfGame, read_sgf, write_sgf


@given(st.integers(2, 19), st.data())
def test_what_was_written_is_read_back(size, data):
    moves = data.draw(st.lists(st.integers(0, size * size), max_size=40))
    name = data.draw(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=10))
    winner = data.draw(st.sampled_from([None, 0, 1, -1]))
    text = write_sgf(Go(size, komi=6.5), moves, black=name, white="b", winner=winner)
    (game,) = read_sgf(text)
    assert (game.size, game.moves, game.komi, game.winner) == (size, tuple(moves), 6.5, winner)
    assert game.properties.get("PB", "") == name
    assert game.properties["PW"] == "b"


def test_a_point_is_column_and_row_from_the_upper_left_corner():
    text = write_sgf(Go(9), [0, 8, 72, 80, 81])
    assert ";B[ai];W[ii];B[aa];W[ia];B[])" in text


def test_a_collection_holds_games_of_all_kinds_in_order():
    text = "".join([write_sgf(Go(5), [1]), write_sgf(NoGo(6), [2, 3]), write_sgf(AtariGo(7), [])])
    games = read_sgf("\ufeff\n" + text)
    assert [(game.size, len(game.moves), game.komi) for game in games] == [(5, 1, 7.5), (6, 2, None), (7, 0, None)]
    assert [game.properties.get("GN") for game in games] == [None, "NoGo", "AtariGo"]
    assert games[1].properties["C"] == "This is NoGo, not Go."


def test_the_main_line_of_variations_is_read():
    text = "(;GM[1]SZ[9];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff];B[gg]))"
    (game,) = read_sgf(text)
    assert [Go(9).describe_move(move) for move in game.moves] == ["A9", "B8", "C7", "D6"]


def test_files_of_other_programs_are_read():
    text = """(;GaMe[1]
 FF[3] SiZe[19]KM[6.5]PB[Cho \\] U]C[a long
comment \\\\ with \\
breaks];B[pd] C[hm (;B[aa\\])];W[tt])
"""
    (game,) = read_sgf(text)
    assert game.size == 19
    assert [Go(19).describe_move(move) for move in game.moves] == ["Q16", "pass"]
    assert game.properties["PB"] == "Cho ] U"
    assert game.properties["C"] == "a long\ncomment \\ with breaks"


def test_results_with_points_or_by_resignation_name_the_winner():
    results = {"B+3.5": 0, "W+R": 1, "0": -1, "Draw": -1, "Void": None, "?": None}
    assert {text: SgfGame(9, (), None, {"RE": text}).winner for text in results} == results


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an SGF file must hold a game, got none"),
        ("hello", 'a game in SGF must begin with \\(, got "hello"'),
        ("()", "game 1 must have at least one node"),
        ("(;SZ[9];B[aa]", "a game in SGF must be closed with \\)"),
        ("(;SZ[9];B[aa", "a property of SGF must have a value in brackets"),
        ("(;SZ[9]SZ[9])", "a property must come once in a node of SGF, got SZ again"),
        ("(;GM[2])", r"game 1 must be of the Go family, GM\[1\], got GM\[2\]"),
        ("(;SZ[25])", r"game 1 must be on a board of size 2 to 19, got SZ\[25\]"),
        ("(;SZ[9:13])", r"got SZ\[9:13\]"),
        ("(;KM[six])", r"game 1 must have a number as its komi, got KM\[six\]"),
        ("(;SZ[9])(;SZ[9];B[jj])", 'game 2 must have its moves on a board of size 9, got "jj"'),
        ("(;SZ[9];B[abc])", 'got "abc"'),
        ("(;SZ[9]AB[aa][bb];W[cc])", "game 1 must begin with an empty board and have moves only, got AB"),
        ("(;SZ[9];B[aa];B[bb])", "game 1 must have black and white in turn, got B as move 2"),
        ("(;SZ[9];W[aa])", "game 1 must have black and white in turn, got W as move 1"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(text, message):
    with pytest.raises(InputError, match=message):
        read_sgf(text)


def test_what_cannot_be_written_is_refused():
    with pytest.raises(InputError, match="a move must be 0 to 25 on a board of size 5, got 26"):
        write_sgf(Go(5), [26])
    with pytest.raises(InputError, match="winner must be 0, 1 or -1, got 2"):
        write_sgf(Go(5), [], winner=2)
    with pytest.raises(InputError, match='a property must be named in capital letters, got "pb"'):
        write_sgf(Go(5), [], properties={"pb": "x"})
