"""Boards and games of SameGame as people write them down."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from data_folders import OWN
from rookery.engine.interpreted import Interpreted
from rookery.problems.samegame import SameGame
from rookery.problems.samegame.formats import boards_text, one_line, parse_boards, read_board
from rookery.rng import Stream

FIRST_ROWS = {
    "boards20.txt": [4, 1, 2, 3, 1, 0, 4, 3, 2, 0, 0, 2, 3, 3, 2],
    "standard20.txt": [3, 1, 1, 4, 1, 0, 4, 0, 4, 4, 1, 1, 0, 2, 3],
}


def test_the_twenty_boards_of_a_file_are_read(data):
    (path,) = (data / "samegame").glob("*.txt")
    file = str(path)
    problems = [SameGame.build(board=file, index=index) for index in range(1, 21)]
    assert {problem.cells.shape for problem in problems} == {(15, 15)}
    assert {tuple(np.unique(problem.cells)) for problem in problems} == {(0, 1, 2, 3, 4)}
    assert len({problem.cells.tobytes() for problem in problems}) == 20
    assert problems[0].cells[0].tolist() == FIRST_ROWS[path.name]
    with pytest.raises(rk.InputError, match=re.escape(f"index must be 1 to 20, the boards in {file}, got 21")):
        SameGame.build(board=file, index=21)


def test_the_boards_of_our_own_are_those_of_their_seeds():
    file = str(OWN / "samegame" / "boards20.txt")
    for seed in range(1, 21):
        assert np.array_equal(SameGame.build(board=file, index=seed).cells, SameGame.build(seed=seed).cells)


@given(sizes=st.tuples(st.integers(1, 32), st.integers(1, 31)), number=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_boards_that_are_written_are_read_again(sizes, number, seed):
    stream, (width, height) = Stream(seed), sizes
    boards = [np.array([[stream.below(15) for _ in range(width)] for _ in range(height)]) for _ in range(number)]
    read = parse_boards(boards_text(boards))
    assert [board.tolist() for board in read] == [board.tolist() for board in boards]
    assert read_board(one_line(boards[0])).tolist() == boards[0].tolist()


BLOCK = "0 1 2\n2 1 0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 2\n2 1\n", "line 2: a row must have 3 cells as the first one has, got 2"),
        (BLOCK + "\n0 1 2 3\n", "line 4: a row must have 3 cells as the first one has, got 4"),
        ("0 1 2\n2 x 0\n", 'line 2: a colour must be 0 to 14, got "x"'),
        ("0 1 2\n2 15 0\n", 'line 2: a colour must be 0 to 14, got "15"'),
        ("0 1 2\n2 -1 0\n", 'line 2: a colour must be 0 to 14, got "-1"'),
        ("0 1 2\n2 ² 0\n", "line 2: a colour must be 0 to 14, got"),
        ("0 " * 33, "line 1: a row must have at most 32 cells, got 33"),
        ("0 1\n" * 32, "line 32: a board must have at most 31 rows, and here is one more"),
        (
            BLOCK + "\n" + BLOCK + "0 1 2\n",
            "line 6: a board must have 2 rows as the first one has, and here is one more",
        ),
        (BLOCK + "\n" + "0 1 2", "line 4: board 2 ends after 1 rows, and must have 2 as the first one has"),
        (BLOCK + "\n0 1 2\n\n" + BLOCK, "line 4: board 2 ends after 1 rows, and must have 2 as the first one has"),
        (" \n\n", "it has no board"),
    ],
)
def test_what_is_wrong_with_a_file_of_boards_is_said_with_its_line(tmp_path, text, message):
    file = tmp_path / "boards.txt"
    file.write_text(text)
    with pytest.raises(rk.InputError, match=re.escape(f"boards.txt is not a file of SameGame boards: {message}")):
        SameGame.build(board=str(file))


def test_a_board_in_one_line_has_rows_of_one_width():
    with pytest.raises(rk.InputError, match="row 2 of the board must have 3 cells as the first one has, got 2"):
        SameGame.build("001/01/")


@pytest.mark.parametrize("board", ["no such file", "00x/111", ""])
def test_what_is_neither_a_file_nor_a_board_is_refused(board):
    with pytest.raises(rk.InputError, match="cannot read"):
        SameGame.build(board)


# --- games ---


@given(seed=st.integers(0, 1000))
def test_a_game_that_is_written_is_read_again(seed):
    problem, stream = SameGame.build(width=6, height=17, colours=3, seed=seed), Stream(seed)
    interpreted = Interpreted(problem)
    state, moves = interpreted.start(), []
    while legal := interpreted.moves(state):
        moves.append(legal[stream.below(len(legal))])
        interpreted.play(state, moves[-1])
    text = problem.write(moves)
    assert problem.read(text) == tuple(moves)
    assert sum(int(line.rpartition(": ")[2]) for line in text.splitlines()) + 1000 * (state.left == 0) == (
        interpreted.score(state)
    )


def test_any_cell_of_a_group_names_it():
    problem = SameGame.build("001/011")
    for written in ("c1 r1", "c1 r2", "c2 r2", "c2r2", "2 2", "2,2", "\nc2 r2  # the left one\n"):
        assert problem.read(written) == (0,)
    assert problem.read("c1 r1\nc2 r1") == (0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c1 r1\nc2", 'line 2: a move is written as c7 r3, got "c2"'),
        ("c1 r1\nc9 r1", "line 2: c9 r1 is not on the board, which has columns c1 to c3 and rows r1 to r2"),
        ("c0 r1", "line 1: c0 r1 is not on the board"),
        ("c1 r1\n\nc3 r1", "line 3: c3 r1 is empty"),
        ("c3 r2", "line 1: c3 r2 has no neighbour of its colour"),
        ("c² r1", "line 1: a move is written as c7 r3"),
    ],
)
def test_what_is_wrong_with_a_game_is_said_with_its_line(text, message):
    with pytest.raises(rk.InputError, match=re.escape(message)):
        SameGame.build("002/011").read(text)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([0, 0, 0], "move 3 must be legal: c1 r1 has no neighbour of its colour"),
        ([48], "move 1 must be legal: a move must name a cell of the board of 3 x 2, got 48"),
        ([15], "move 1 must be legal: a move must name a cell of the board of 3 x 2, got 15"),
        ([-1], "move 1 must be legal: a move must name a cell of the board of 3 x 2, got -1"),
    ],
)
def test_an_illegal_game_is_not_written(moves, message):
    with pytest.raises(rk.InputError, match=re.escape(message)):
        SameGame.build("002/011").write(moves)
