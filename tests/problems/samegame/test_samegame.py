"""SameGame against a slow board that was written for the test alone."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.interpreted import Interpreted
from rookery.problems.samegame import SameGame
from rookery.problems.samegame.board import mixed_numbers
from rookery.problems.samegame.grid import Grid
from rookery.rng import Stream
from rookery.search.sampling import Sampling, SamplingTask
from rookery.testing import check_problem


class SlowBoard:
    """An array with -1 for empty cells; row 0 is the top one. Groups are found by labels that neighbours share."""

    def __init__(self, cells):
        self.cells = np.array(cells)
        self.points = 0

    def groups(self):
        """Sets of (column from the left, row from the bottom), of two cells and more."""
        height, width = self.cells.shape
        label = {(y, x): y * width + x for y in range(height) for x in range(width) if self.cells[y, x] >= 0}
        changed = True
        while changed:
            changed = False
            for (y, x), old in label.items():
                near = [p for p in ((y, x + 1), (y, x - 1), (y + 1, x), (y - 1, x)) if p in label]
                least = min([old, *(label[p] for p in near if self.cells[p] == self.cells[y, x])])
                if least < old:
                    label[y, x] = least
                    changed = True
        sets = {}
        for (y, x), number in label.items():
            sets.setdefault(number, set()).add((x, height - 1 - y))
        return [frozenset(group) for group in sets.values() if len(group) > 1]

    def colour(self, group):
        x, y = min(group)
        return self.cells[len(self.cells) - 1 - y, x]

    def play(self, group):
        height = len(self.cells)
        for x, y in group:
            self.cells[height - 1 - y, x] = -1
        for x in range(self.cells.shape[1]):
            stack = [c for c in self.cells[:, x] if c >= 0]
            self.cells[:, x] = [-1] * (height - len(stack)) + stack
        full = [x for x in range(self.cells.shape[1]) if self.cells[-1, x] >= 0]
        closed = np.full_like(self.cells, -1)
        closed[:, : len(full)] = self.cells[:, full]
        self.cells = closed
        self.points += (len(group) - 2) ** 2

    def score(self, penalty):
        left = self.cells[self.cells >= 0]
        if left.size == 0:
            return self.points + 1000
        if penalty and not self.groups():
            return self.points - sum((n - 2) ** 2 for n in np.unique(left, return_counts=True)[1])
        return self.points


@st.composite
def boards(draw, most_width=20, most_height=18, most_colours=15):
    """Boards of all sizes, most of them with few colours: these have large groups."""
    width, height = draw(st.integers(1, most_width)), draw(st.integers(1, most_height))
    colours = draw(st.integers(1, 4) | st.integers(1, most_colours))
    stream = Stream(draw(st.integers(0, 2**32)))
    return np.array([[stream.below(colours) for _ in range(width)] for _ in range(height)])


def by_head(board):
    return {min(group): group for group in board.groups()}


@settings(max_examples=100)
@given(cells=boards(), seed=st.integers(0, 1000), penalty=st.booleans())
def test_a_game_is_that_of_a_slow_board_on_boards_of_all_sizes(cells, seed, penalty):
    problem, board, stream = SameGame(cells, penalty=penalty), SlowBoard(cells), Stream(seed)
    interpreted = Interpreted(problem)
    state = interpreted.start()
    while True:
        moves, groups = interpreted.moves(state), by_head(board)
        assert len(moves) == len(set(moves)) <= problem.limits().moves
        assert {problem.cell_of(move) for move in moves} == set(groups)
        assert len({interpreted.code(state, move) for move in moves}) == len(moves)
        assert interpreted.score(state) == board.score(penalty)
        if not moves:
            break
        move = moves[stream.below(len(moves))]
        interpreted.play(state, move)
        board.play(groups[problem.cell_of(move)])


STANDARD = SameGame.build(seed=1)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_a_compiled_game_of_the_usual_size_is_that_of_a_slow_board(seed):
    worker, board, stream, moves = CompiledEngine(STANDARD).worker(), SlowBoard(STANDARD.cells), Stream(seed), []
    while True:
        score, legal = worker.replay(tuple(moves))
        groups = by_head(board)
        assert {STANDARD.cell_of(move) for move in legal} == set(groups)
        assert score == board.score(False)
        if not legal:
            break
        moves.append(legal[stream.below(len(legal))])
        board.play(groups[STANDARD.cell_of(moves[-1])])
    assert len(moves) > 30


def test_a_code_depends_on_the_cells_and_on_their_colour():
    codes = []
    for text in ("00/12", "11/02", "10/20", "00/00"):
        problem = Interpreted(SameGame.build(text))
        state = problem.start()
        codes += [problem.code(state, move) for move in problem.moves(state)]
    assert len(set(codes)) == len(codes) == 4


def test_a_code_does_not_depend_on_the_rest_of_the_board():
    first, second = (Interpreted(SameGame.build(text)) for text in ("12/00", "21/00"))
    assert first.code(first.start(), 0) == second.code(second.start(), 0)


@settings(max_examples=40)
@given(cells=boards(), seed=st.integers(0, 1000))
def test_a_code_by_origin_adds_up_where_the_cells_of_a_group_stood_at_the_start(cells, seed):
    problem, grid, stream = SameGame(cells, origins=True), Grid(cells), Stream(seed)
    numbers, height = mixed_numbers(cells.size), len(cells)
    interpreted = Interpreted(problem)
    state = interpreted.start()
    while moves := interpreted.moves(state):
        for move in moves:
            origins = [grid.columns[x][y][1] for x, y in grid.group(problem.cell_of(move))]
            code = sum(int(numbers[1 + x * height + y]) for x, y in origins)
            assert int(interpreted.code(state, move)) == code % 2**64
        move = moves[stream.below(len(moves))]
        interpreted.play(state, move)
        grid.remove(problem.cell_of(move))


def test_a_code_by_origin_stays_the_same_when_a_group_falls():
    for code, same in (("origin", True), ("place", False)):
        problem = Interpreted(SameGame.build("11/00", code=code))
        state = problem.start()
        before = problem.code(state, 1)
        problem.play(state, 0)
        assert (problem.code(state, 0) == before) is same


@pytest.mark.parametrize("rule", ["tabu", "soft"])
@pytest.mark.parametrize("search", [rk.NRPA(level=2, iterations=4), rk.Annealing(key="code", population=2)])
def test_codes_by_origin_give_the_sequence_of_the_twin(rule, search):
    problem = SameGame.build(width=6, height=18, colours=3, seed=2, rule=rule, code="origin")
    compiled, plain = (rk.solve(of, search, seed=3, stop=rk.MaxPlayouts(40)) for of in (problem, Interpreted(problem)))
    assert (compiled.score, compiled.moves) == (plain.score, plain.moves)


def test_an_empty_board_is_worth_a_thousand_more():
    assert rk.replay(Interpreted(SameGame.build("11/00")), [0, 0]) == (1000, ())
    assert rk.replay(Interpreted(SameGame.build("111/111")), [0]) == (1016, ())


def test_what_is_left_costs_as_much_as_it_would_have_brought_in_one_group():
    # Left are four cells of colour 1, two of colour 2, one of colour 0: 4 + 0 + 1 points.
    for penalty, score in ((False, 0), (True, -5)):
        problem = Interpreted(SameGame.build("211/102/331", penalty=penalty))
        assert rk.replay(problem, [0]) == (score, ())
        assert rk.replay(problem, [])[0] == 0  # the game is not over


# --- the tabu colour ---


def playout_lists(problem, seed, before=()):
    """Along a random playout after some moves: the slow board, the moves played, the list of the playout."""
    interpreted, stream, board = Interpreted(problem), Stream(seed), SlowBoard(problem.cells)
    state = interpreted.start()
    for move in before:
        board.play(by_head(board)[problem.cell_of(move)])
        interpreted.play(state, move)
    counts = np.bincount(board.cells[board.cells >= 0], minlength=15)
    interpreted.begin_playout(state)
    played = len(before)
    while True:
        moves = interpreted.moves(state)
        yield board, played, {problem.cell_of(move) for move in moves}, int(counts.argmax())
        if not moves:
            return
        move = moves[stream.below(len(moves))]
        board.play(by_head(board)[problem.cell_of(move)])
        interpreted.play(state, move)
        played += 1


@settings(max_examples=20)
@given(cells=boards(10, 17, 5), seed=st.integers(0, 1000), given_colour=st.none() | st.integers(0, 5))
def test_the_tabu_colour_is_played_only_when_nothing_else_can_be(cells, seed, given_colour):
    for board, _, listed, most in playout_lists(SameGame(cells, rule="tabu", tabu=given_colour), seed):
        tabu = most if given_colour is None else given_colour
        groups = board.groups()
        free = {min(group) for group in groups if board.colour(group) != tabu}
        assert listed == (free or {min(group) for group in groups})


@settings(max_examples=20)
@given(cells=boards(12, 17, 5), seed=st.integers(0, 1000))
def test_the_selective_rule_frees_pairs_of_the_tabu_colour_after_ten_moves(cells, seed):
    for board, played, listed, tabu in playout_lists(SameGame(cells, rule="selective"), seed):
        groups = board.groups()
        free = {min(group) for group in groups if board.colour(group) != tabu or (len(group) == 2 and played >= 10)}
        assert listed == (free or {min(group) for group in groups})


def test_the_tabu_colour_is_that_of_the_board_on_which_the_playout_begins():
    problem = SameGame.build("0011/0011/0022/0022", rule="tabu")
    first = [(listed, tabu) for _, _, listed, tabu in playout_lists(problem, 1)]
    assert first[0] == ({(2, 0), (2, 2)}, 0)
    later = [(listed, tabu) for _, _, listed, tabu in playout_lists(problem, 1, before=(0,))]
    assert later[0] == ({(0, 0)}, 1)  # colours 1 and 2 have four cells each: the first of them


def test_the_rules_of_playouts_do_not_change_what_is_legal():
    plain, tabu = (rk.replay(Interpreted(SameGame.build(seed=2, rule=rule)), [])[1] for rule in ("none", "tabu"))
    assert plain == tabu


def test_the_tabu_colour_makes_larger_groups():
    scores = {}
    for rule in ("none", "tabu", "selective"):
        worker = CompiledEngine(SameGame(STANDARD.cells, rule=rule)).worker()
        samples = [
            worker.run(SamplingTask(search=Sampling(), key=5, first=i, last=i + 1), Signal()) for i in range(300)
        ]
        scores[rule] = np.mean([outcome.sequence.score for outcome in samples])
    assert scores["tabu"] > 2 * scores["none"]
    assert scores["selective"] > 1.5 * scores["none"]


# --- under the searches ---


@pytest.mark.parametrize("search", [rk.NRPA(level=2, iterations=10), rk.NMCS(level=1), rk.Sampling()])
def test_a_search_with_a_tabu_colour_finds_a_game_of_its_score(search):
    problem = SameGame(STANDARD.cells, rule="selective")
    result = rk.solve(problem, search, stop=rk.MaxPlayouts(200), seed=1)
    board = SlowBoard(problem.cells)
    for move in result.moves:
        board.play(by_head(board)[problem.cell_of(move)])
    assert board.groups() == []
    assert board.score(False) == result.score


def test_a_sequence_that_was_found_can_be_adapted_to_again():
    problem = SameGame(STANDARD.cells, rule="tabu")
    search = rk.NRPA(level=2, iterations=10)
    found = rk.solve(problem, search, restarts=False, seed=1)
    again = rk.solve(problem, search, restarts=False, seed=2, warm_start=found.moves)
    assert again.playouts == 100


@pytest.mark.parametrize(("rule", "penalty"), [("none", False), ("selective", True)])
def test_it_keeps_its_contract(rule, penalty):
    # Two words of two columns, as on all boards of 16 rows and more.
    problem = SameGame.build(width=3, height=20, colours=2, seed=1, rule=rule, penalty=penalty)
    assert check_problem(problem, playouts=10, measure=False).ok


# --- parameters ---


def test_the_same_seed_gives_the_same_board():
    assert np.array_equal(SameGame.build(seed=3).cells, SameGame.build(seed=3).cells)
    assert not np.array_equal(SameGame.build(seed=3).cells, SameGame.build(seed=4).cells)


def test_boards_of_one_size_and_any_rule_share_one_compilation():
    layouts = [SameGame.build(seed=seed, rule=rule).layout() for seed, rule in ((1, "none"), (2, "selective"))]
    assert layouts[0] == layouts[1]


@pytest.mark.parametrize(
    "problem",
    [
        SameGame.build(width=4, height=20, colours=3, seed=7, rule="tabu", tabu=1),
        SameGame.build("01a/22e", penalty=True),
        SameGame(np.array([[0, 1], [1, 1]]), rule="selective"),
        SameGame.build("01/22", code="origin"),
    ],
)
def test_a_problem_is_made_again_from_its_parameters(problem):
    again = SameGame.build(**problem.parameters())
    assert np.array_equal(again.cells, problem.cells)
    assert (again.rule, again.tabu, again.penalty) == (problem.rule, problem.tabu, problem.penalty)
    assert again.origins == problem.origins
    assert again.parameters() == problem.parameters()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"width": 33}, "width must be 1 to 32, got 33"),
        ({"height": 0}, "height must be 1 to 31, got 0"),
        ({"colours": 16}, "colours must be 1 to 15, got 16"),
        ({"index": 2}, "index is for a file of boards, and none was given; got index 2"),
        ({"board": "00/11", "width": 4}, "width is for boards made at random, and a board was given; got width 4"),
        ({"board": "00/11", "index": 2}, "index must be 1 to 1, the boards in the board, got 2"),
        ({"rule": "taboo"}, "rule must be none, tabu, selective or soft, got 'taboo'"),
        ({"tabu": 3}, "a tabu colour needs rule tabu, selective or soft, got rule none and tabu 3"),
        ({"code": "cells"}, "code must be place or origin, got 'cells'"),
        ({"tabu": 15, "rule": "tabu"}, "tabu must be a colour, 0 to 14, got 15"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(rk.InputError, match=re.escape(message)):
        SameGame.build(**parameters)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (np.array([0, 1]), "cells must be rows of whole numbers"),
        (np.array([[0.5]]), "cells must be rows of whole numbers"),
        (np.zeros((32, 15), int), "cells must be at most 32 x 31, got 15 x 32"),
        (np.array([[0, 15]]), "a colour must be 0 to 14, got 15"),
        (np.array([[0, -1]]), "a colour must be 0 to 14, got -1"),
    ],
)
def test_wrong_cells_are_refused(cells, message):
    with pytest.raises(rk.InputError, match=message):
        SameGame(cells)


def test_the_largest_board_can_be_played():
    problem = Interpreted(SameGame.build(width=32, height=31, colours=15, seed=1))
    state = problem.start()
    board = SlowBoard(problem.of.cells)
    assert {problem.of.cell_of(move) for move in problem.moves(state)} == set(by_head(board))


def test_a_soft_tabu_lowers_the_colour_that_has_the_most_cells_and_leaves_nothing_out():
    problem = SameGame.build("001/221/001", rule="soft")
    plain = Interpreted(problem)
    state = plain.start()
    biases = {problem.cell_of(move): plain.bias(state, move) for move in plain.moves(state)}
    assert biases == {(0, 0): -3, (0, 2): -3, (0, 1): 0, (2, 0): 0}
    assert problem.parameters()["rule"] == "soft"
    check_problem(problem, playouts=20, measure=False)
