"""Sudoku against rules that look at the whole grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery.engine.compiled import CompiledEngine
from rookery.problems.sudoku import Sudoku
from rookery.rng import Stream
from rookery.testing import check_problem
from sudoku_by_hand import slow_moves


@settings(max_examples=12)
@given(case=st.sampled_from([(4, 0.8), (9, 0.7), (9, 1.0), (16, 0.66)]), seed=st.integers(0, 10**6))
def test_moves_are_the_values_left_for_the_cell_with_the_fewest(case, seed):
    problem = Sudoku.build(size=case[0], empty=case[1], seed=seed)
    worker, stream, moves = CompiledEngine(problem).worker(), Stream(seed), []
    while True:
        score, legal = worker.replay(tuple(moves))
        values = problem.filled(moves)
        assert list(legal) == slow_moves(values)
        assert score == sum(value > 0 for value in values)
        if not legal:
            break
        moves.append(legal[stream.below(len(legal))])


def test_grids_of_25_by_25_cells_are_played_by_the_same_rules():
    problem = Sudoku.build(size=25, empty=0.5, seed=1)
    result = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(5), seed=1)
    for ply in (0, len(result.moves) // 2, len(result.moves)):
        assert list(rk.replay(problem, result.moves[:ply])[1]) == slow_moves(problem.filled(result.moves[:ply]))


def test_nested_search_solves_a_grid_of_the_paper():
    problem = Sudoku.build(seed=1)
    result = rk.solve(problem, rk.NMCS.cazenave(level=1), stop=rk.Target(256), seed=1)
    assert result.score == 256
    grid = np.array(problem.filled(result.moves)).reshape(16, 16)
    boxes = grid.reshape(4, 4, 4, 4).swapaxes(1, 2).reshape(16, 16)
    for units in (grid, grid.T, boxes):
        assert all(sorted(unit) == list(range(1, 17)) for unit in units)
    assert all(given in (0, value) for given, value in zip(problem.givens, grid.ravel(), strict=True))


def test_sudoku_keeps_its_contract():
    check_problem(Sudoku.build(size=9, empty=0.8, seed=1), playouts=60, measure=False)


def test_two_thirds_of_a_grid_are_169_cells():
    assert Sudoku.build(seed=3).givens.count(0) == 169


def test_a_full_grid_has_no_moves_and_its_score_is_the_number_of_cells():
    assert rk.replay(Sudoku.build(size=4, empty=0.0), []) == (16.0, ())


def test_a_written_solution_is_read_again_in_both_formats():
    problem = Sudoku.build(seed=1)
    result = rk.solve(problem, rk.NMCS.cazenave(level=1), stop=rk.Target(256), seed=1)
    for text in (problem.write(result.moves), problem.draw(result.moves)):
        assert problem.read(text) == result.moves


def test_a_playout_that_ended_early_is_read_again():
    problem = Sudoku.build(seed=1)
    result = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1)
    assert result.score < 256
    assert problem.read(problem.write(result.moves)) == result.moves


SOLVED = "1234341221434321"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2234341221434321", "row 1, column 1: 1 is given, got 2"),
        (".234341221434321", "row 1, column 1: 1 is given, got an empty cell"),
        ("1234341221434322", "row 4, column 4: 2 is in row 4 already, at row 4, column 3"),
        ("1234341221434311", "row 4, column 4: 1 is in row 4 already, at row 4, column 3"),
        ("1434341221434321", "row 1, column 4: 4 is in row 1 already, at row 1, column 2"),
        ("1234341221434325", "row 4, column 4: a value must be 1 to 4, or '.' for none, got '5'"),
        ("12343412214343211", "line 1: a grid in one line must have 16, 81, 256, 625 cells, got 17"),
        (SOLVED[:15] + "." + SOLVED, "line 1: a grid in one line must have 16, 81, 256, 625 cells, got 32"),
        ("." * 81, "a solution must have 16 cells, got 81"),
        ("1.............21", "row 1, column 2: this cell comes before row 4, column 3 and must not be empty"),
    ],
)
def test_a_solution_against_the_rules_is_refused_with_the_cell(text, message):
    with pytest.raises(rk.InputError) as caught:
        Sudoku.build(grid="1" + "." * 15).read(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("1..1............", "row 1, column 4: 1 is in row 1 already, at row 1, column 1"),
        ("1.......1.......", "row 3, column 1: 1 is in column 1 already, at row 1, column 1"),
        ("1....1..........", "row 2, column 2: 1 is in box 1 already, at row 1, column 1"),
        (".1234...........", "row 1, column 1: the givens leave no value for this cell"),
    ],
)
def test_givens_that_contradict_one_another_are_refused_with_the_cell(grid, message):
    with pytest.raises(rk.InputError) as caught:
        Sudoku.build(grid=grid)
    assert str(caught.value) == message


def test_parameters_make_the_same_problem_again():
    for size in (4, 9, 16):
        problem = Sudoku.build(size=size, seed=2)
        assert Sudoku.build(**problem.parameters()).givens == problem.givens


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 10}, "size must be 4, 9, 16 or 25, got 10"),
        ({"empty": 1.5}, "empty must be a share from 0 to 1, got 1.5"),
    ],
)
def test_parameters_out_of_range_are_refused(arguments, message):
    with pytest.raises(rk.InputError, match=f"^{message}$"):
        Sudoku.build(**arguments)


def test_a_grid_of_another_shape_is_refused():
    with pytest.raises(rk.InputError, match="^a grid must have 4 x 4, 9 x 9, 16 x 16, 25 x 25 cells, got 20 cells$"):
        Sudoku((0,) * 20)


def test_moves_are_described_in_words():
    assert Sudoku((0,) * 256).describe_move(17 * 16 + 15) == "row 2, column 2: 16"


def test_a_move_out_of_range_is_refused():
    with pytest.raises(rk.InputError, match="^move 1 must be 0 to 63, got 64$"):
        Sudoku((0,) * 16).filled([64])
