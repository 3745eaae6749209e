"""Crossword construction against the paper's record, and against rules that look at the whole grid."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery.engine.compiled import CompiledEngine
from rookery.problems.crossword import PARKS, Crossword
from rookery.rng import Stream
from rookery.testing import check_problem

FIGURE_7 = """\
C.....HALIFAX...I.D
OLYMPIA....T....Q.E
L...H.R..COLUMBIA.S
U..BOSTON..A....L.M
M.S.E.F..HONOLULU.O
BATONROUGE.T....I.I
U.J.I.R..L.A.AUSTIN
S.O.X.DOVER..U.A..E
..H......N.REGINA.S
CONCORD..A...U.T...
H.S...E.J..BISMARCK
A...JUNEAU...T.F...
R..T..V.C...SALEM..
L.BOISE.K.P.T.A.A.A
E..R..R.S.I.P.N.D.L
S..O...TOPEKA.S.I.B
TRENTON.N.R.U.I.S.A
O..T......R.LINCOLN
N.MONTPELIER..G.N.Y
"""
"""Rosin 2011, Figure 7 (a)."""


def random_playout(problem, seed):
    """The moves of a random playout, with score and legal moves before each."""
    worker, stream, moves = CompiledEngine(problem).worker(), Stream(seed), []
    while True:
        score, legal = worker.replay(tuple(moves))
        yield tuple(moves), score, legal
        if not legal:
            return
        moves.append(legal[stream.below(len(legal))])


# --- the rules of the paper, applied to whole grids ---


def cells_of(word, down, row, column):
    return [(row + k * down, column + k * (not down)) for k in range(len(word))]


def runs(letters, width, height):
    """Every run of two or more letters, as (text, down, row, column)."""
    found = set()
    for down, lines, length in ((False, height, width), (True, width, height)):
        for line in range(lines):
            places = [(k, line) if down else (line, k) for k in range(length)]
            for filled, group in groupby(places, letters.__contains__):
                cells = list(group)
                if filled and len(cells) > 1:
                    found.add(("".join(letters[cell] for cell in cells), down, *cells[0]))
    return found


def hangs_together(cells):
    reached, frontier = set(), list(cells)[:1]
    while frontier:
        row, column = frontier.pop()
        if (row, column) in cells and (row, column) not in reached:
            reached.add((row, column))
            frontier += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return reached == cells


def slow_legal(problem, placed):
    """All placements that leave a legal grid: each is tried, and the grid that it makes is looked at as a whole."""
    letters = {cell: x for p in placed for cell, x in zip(cells_of(*p), p[0], strict=True)}
    unused = set(problem.words) - {p[0] for p in placed}
    legal = set()
    for word in unused:
        for down in (False, True):
            for row in range(problem.height - (len(word) - 1) * down):
                for column in range(problem.width - (len(word) - 1) * (not down)):
                    new = (word, down, row, column)
                    added = dict(zip(cells_of(*new), word, strict=True))
                    if not placed and (row > 0 or not down):
                        continue
                    if any(letters.get(cell, x) != x for cell, x in added.items()):
                        continue
                    grid = letters | added
                    whole = runs(grid, problem.width, problem.height) == {*placed, new}
                    if whole and hangs_together(set(grid)):
                        legal.add(new)
    return legal


WORDS = st.lists(st.text("ABC", min_size=2, max_size=6), min_size=9, max_size=16, unique=True)


@settings(max_examples=30)
@given(words=WORDS, shape=st.sampled_from([(7, 6), (6, 7), (6, 6)]), seed=st.integers(0, 10**6))
def test_legal_moves_are_those_that_leave_a_legal_grid(words, shape, seed):
    problem = Crossword(tuple(words), *shape)
    for moves, score, legal in random_playout(problem, seed):
        placed = [tuple(problem.placement(move)) for move in moves]
        assert sorted(tuple(problem.placement(move)) for move in legal) == sorted(slow_legal(problem, placed))
        assert score == 1000 * len(placed) + sum(len(p[0]) for p in placed)


def test_capitals_keep_the_rules_over_a_whole_playout():
    problem = Crossword.build()
    *_, (moves, _, _) = random_playout(problem, 1)
    for ply in (1, 2, len(moves) // 2, len(moves)):
        placed = [tuple(problem.placement(move)) for move in moves[:ply]]
        _, legal = rk.replay(problem, moves[:ply])
        assert sorted(tuple(problem.placement(move)) for move in legal) == sorted(slow_legal(problem, placed))


def test_the_first_moves_are_as_many_as_in_the_paper():
    assert len(rk.replay(Crossword.build(), [])[1]) == 1197


def test_the_record_of_the_paper_scores_37_259():
    problem = Crossword.build()
    moves = problem.read(FIGURE_7)
    score, legal = rk.replay(problem, moves)
    assert (problem.format_score(score), len(moves), len(legal)) == ("37;259", 37, 0)


def test_one_letter_changed_is_refused_with_the_word_that_it_spoils():
    with pytest.raises(rk.InputError, match="^BOISA across from row 14, column 3 is not in the list of words$"):
        Crossword.build().read(FIGURE_7.replace("BOISE", "BOISA"))


def test_no_single_letter_of_the_record_can_be_changed():
    problem = Crossword.build()
    for place, letter in enumerate(FIGURE_7):
        if letter.isalpha():
            other = "B" if letter == "A" else "A"
            with pytest.raises(rk.InputError, match="is not in the list of words"):
                problem.read(FIGURE_7[:place] + other + FIGURE_7[place + 1 :])


def test_a_result_that_is_written_is_read_again():
    problem = Crossword.build()
    result = rk.solve(problem, rk.NRPA(level=1), seed=1)
    assert problem.write(result.moves) == "\n".join(problem.draw(result.moves).replace(" ", "").split()) + "\n"
    again = problem.read(problem.write(result.moves))
    assert sorted(again) == sorted(result.moves)
    assert rk.replay(problem, again)[0] == result.score


@pytest.mark.parametrize("better", [(25, 243, 24, 251), (25, 243, 25, 239)])
def test_more_words_count_before_more_letters(better):
    words, letters, fewer, others = better
    assert 1000 * words + letters > 1000 * fewer + others
    assert Crossword.build().format_score(1000 * words + letters) == f"{words};{letters}"


def test_a_long_list_counts_a_word_more_than_all_letters():
    words = tuple(a + b + c + "X" * 10 for a in "ABCDE" for b in "ABCDE" for c in "ABCDE")
    assert Crossword(words, 15, 15).constants()["unit"] == 10_000
    assert Crossword(words, 15, 15).format_score(250_130) == "25;130"


def test_a_small_crossword_keeps_its_contract():
    words = ("ABACUS", "BASALT", "CASTLE", "SALSA", "TALES", "STEAL", "LEAST", "CUBES", "BUS", "ACE", "EEL")
    check_problem(Crossword(words, 7, 6), playouts=60, measure=False)


def test_a_grid_of_60_cells_a_side_has_its_own_width_of_bits():
    problem = Crossword(PARKS, 60, 60)
    result = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(20), seed=1)
    assert rk.replay(problem, problem.read(problem.write(result.moves)))[0] == result.score


def test_parameters_make_the_same_problem_again():
    for problem in (Crossword.build("crossp"), Crossword(("BOISE", "SALEM"), 6, 5), Crossword(("ZION",), 4, 4)):
        again = Crossword.build(**problem.parameters())
        assert (again.words, again.width, again.height) == (problem.words, problem.width, problem.height)


@pytest.mark.parametrize("size", [0, 61])
def test_a_grid_has_1_to_60_cells_a_side(size):
    with pytest.raises(rk.InputError, match=f"^width must be 1 to 60, got {size}$"):
        Crossword(("ZION",), size, 10)


def test_moves_are_described_in_words():
    problem = Crossword.build()
    assert problem.describe_move(problem.read(FIGURE_7)[0]) == "COLUMBUS down from row 1, column 1"


def test_a_move_out_of_range_is_refused():
    with pytest.raises(rk.InputError, match="^a move must be 0 to 31, got 32$"):
        Crossword(("ZION",), 4, 4).placement(32)
