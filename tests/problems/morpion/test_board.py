"""Morpion Solitaire against figures and games that come from elsewhere."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.interpreted import Interpreted
from rookery.problems.morpion import MorpionGame, Move
from rookery.problems.morpion.board import DIRECTIONS, OFFSET, WIDTH
from rookery.problems.morpion.text import game_text
from rookery.rng import Stream
from rookery.search.sampling import Sampling, SamplingTask
from rookery.testing import check_problem

VARIANTS = ("5T", "5D", "4T", "4D")
CROSSES = {
    5: "...####... ...#..#... ...#..#... ####..#### #........# #........# ####..#### ...#..#... ...#..#... ...####...",
    4: "..###.. ..#.#.. ###.### #.....# ###.### ..#.#.. ..###..",
}


class SlowBoard:
    """The rules as sets, written for the test alone: dots, and what the drawn lines use up."""

    def __init__(self, variant, dots=None):
        self.length = int(variant[0])
        self.touching = variant[1] == "T"
        rows = CROSSES[self.length].split()
        crossed = {(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "#"}
        self.dots = set(dots or crossed)
        self.used = set()

    def cells(self, x, y, d):
        dx, dy = DIRECTIONS[d]
        return [(x + k * dx, y + k * dy) for k in range(self.length)]

    def uses(self, x, y, d):
        """Unit segments (T), or dots in a direction (D)."""
        cells = self.cells(x, y, d)
        return {(cell, d) for cell in (cells[:-1] if self.touching else cells)}

    def can_be_drawn(self, x, y, d):
        return not self.uses(x, y, d) & self.used

    def missing(self, x, y, d):
        return [cell for cell in self.cells(x, y, d) if cell not in self.dots]

    def is_legal(self, x, y, d):
        return len(self.missing(x, y, d)) == 1 and self.can_be_drawn(x, y, d)

    def legal(self):
        lines = set()
        for d, (dx, dy) in enumerate(DIRECTIONS):
            for x, y in {(x - k * dx, y - k * dy) for x, y in self.dots for k in range(self.length)}:
                if self.is_legal(x, y, d):
                    lines.add((x, y, d))
        return lines

    def left_by(self, line, near):
        """The lines of these that could still be drawn after this one, whatever dots they need."""
        after = self.used | self.uses(*line)
        return {other for other in near if not self.uses(*other) & after}

    def better(self, x, y, d):
        """The lines through the same new dot that leave all that this one leaves, and more; by trying all."""
        dx, dy = DIRECTIONS[d]
        near = {(x + k * dx, y + k * dy, d) for k in range(-20, 21)}
        dot, left = self.missing(x, y, d), self.left_by((x, y, d), near)
        alike = [line for line in near if self.is_legal(*line) and self.missing(*line) == dot]
        return {line for line in alike if self.left_by(line, near) > left}

    def play(self, x, y, d):
        self.used |= self.uses(x, y, d)
        self.dots.update(self.cells(x, y, d))


def line_of(move):
    y, x = divmod(move >> 2, WIDTH)
    return x - OFFSET, y - OFFSET, move & 3


def move_of(x, y, d):
    return 4 * ((y + OFFSET) * WIDTH + x + OFFSET) + d


@pytest.mark.parametrize(("variant", "number"), [("5T", 28), ("5D", 28), ("4T", 40), ("4D", 40)])
def test_the_number_of_first_moves(variant, number):
    assert len(SlowBoard(variant).legal()) == number
    assert len(rk.replay(rk.problems.Morpion(variant), [])[1]) == number


def random_game(problem, seed):
    """The moves of a random playout, with the legal moves before each."""
    worker, stream, moves = CompiledEngine(problem).worker(), Stream(seed), []
    while True:
        score, legal = worker.replay(tuple(moves))
        assert score == len(moves)
        yield tuple(moves), legal
        if not legal:
            return
        moves.append(legal[stream.below(len(legal))])


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_legal_moves_are_those_of_a_slow_board(variant, seed):
    board = SlowBoard(variant)
    for moves, legal in random_game(rk.problems.Morpion(variant), seed):
        if moves:
            board.play(*line_of(moves[-1]))
        assert {line_of(move) for move in legal} == board.legal()
        assert len(set(legal)) == len(legal)


@pytest.mark.parametrize("variant", ["5T", "5D"])
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_a_dominated_move_draws_a_line_that_leaves_more(variant, seed):
    problem, board = rk.problems.Morpion(variant, dominated=True), SlowBoard(variant)
    *_, (moves, _) = random_game(problem, seed)
    game = problem.game(moves)
    assert game.first_illegal() is None
    legal_before = [legal for _, legal in random_game(problem, seed)]
    for move, drawn, legal in zip(moves, game.moves, legal_before, strict=False):
        assert {line_of(other) for other in legal} == board.legal()
        line, drawn_line = line_of(move), (*drawn.origin, move & 3)
        if drawn_line == line:
            assert board.better(*line) == set()
        else:
            assert drawn_line in board.better(*line)
        board.play(*drawn_line)
    assert board.legal() == set()


def test_a_dominated_move_keeps_its_code_and_has_the_effect_of_the_other():
    """Figure 4 of Rosin 2011: a new dot at x = 1, A from 0 to 4, B from 1 to 5, and a line that begins at 6."""
    row = (*range(-3, -1), 0, *range(2, 10))
    line = {x: 4 * ((0 + OFFSET) * WIDTH + x + OFFSET) for x in (-3, 0, 1, 6)}
    beyond, a, b = line[6], line[0], line[1]
    left = {}
    for dominated in (False, True):
        problem = rk.problems.Morpion("5T", dominated, dots=tuple((x, 0) for x in row))
        worker = CompiledEngine(problem).worker()
        assert set(worker.legal((beyond,))) == {a, b}  # both may be chosen
        assert Interpreted(problem).code(None, a) == a
        drawn = problem.game((beyond, a)).moves[-1]
        assert (drawn.dot, drawn.origin) == ((1, 0), (int(dominated), 0))
        left[dominated] = worker.legal((beyond, a))
    assert left == {False: (), True: (line[-3],)}  # it ends at 1, with the segment from 0 that A would have used


def test_some_moves_are_dominated():
    problem = rk.problems.Morpion("5T", dominated=True)
    games = [[*random_game(problem, seed)][-1][0] for seed in range(5)]
    own = sum(rk.problems.Morpion("5T").of_game(problem.game(moves))[1] == moves for moves in games)
    assert own < 5


def test_moves_commute_unless_dominated_ones_are_replaced():
    # What a dominated move draws depends on what was drawn before.
    assert Interpreted(rk.problems.Morpion("4D")).commute(1, 2)
    assert not Interpreted(rk.problems.Morpion("4D", dominated=True)).commute(1, 2)
    assert check_problem(rk.problems.Morpion("4D"), playouts=12, measure=False).ok
    assert check_problem(rk.problems.Morpion("4D", dominated=True), playouts=12, measure=False).ok


SQUARE = tuple((x, y) for x in range(4) for y in range(4))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_board_without_some_moves_is_as_if_they_had_never_been_played(variant):
    board, stream = Interpreted(rk.problems.Morpion(variant)), Stream(7)
    state, played = board.start(), []
    while moves := board.moves(state):
        move = moves[stream.below(len(moves))]
        played.append((move, board.makes(state, move)))
        board.play(state, move)
    for _ in range(3):
        lost, left, gone = {played[stream.below(len(played))][1]}, [], []
        for move, made in played:
            if lost.isdisjoint(board.needs(move)):
                left.append((move, made))
            else:
                lost.add(made)
                gone.append((move, made))
        for move, made in reversed(gone):
            board.undo(state, move, made)
        again = board.start()
        for move, _ in left:
            assert move in board.moves(again)
            board.play(again, move)
        assert sorted(board.moves(state)) == sorted(board.moves(again))
        assert board.score(state) == board.score(again) == len(left)
        assert (state["dots"] == again["dots"]).all()
        played = left


@pytest.mark.parametrize("variant", ["5T", "5D"])
def test_any_dots_may_be_given_to_begin_with(variant):
    board = SlowBoard(variant, SQUARE)
    for moves, legal in random_game(rk.problems.Morpion(variant, dots=SQUARE), 3):
        if moves:
            board.play(*line_of(moves[-1]))
        assert {line_of(move) for move in legal} == board.legal()
    assert len(moves) > 3


def test_a_game_that_reaches_the_edge_is_reported():
    at_the_edge = tuple((x, 0) for x in range(-19, -15))
    assert rk.replay(rk.problems.Morpion("5T", dots=at_the_edge), [move_of(-19, 0, 0)])[0] == 1
    with pytest.raises(ValueError, match="the game reached the edge of the board of 64 x 64 cells"):
        rk.replay(rk.problems.Morpion("5T", dots=at_the_edge), [move_of(-20, 0, 0)])


def test_dots_beyond_the_edge_are_refused():
    with pytest.raises(rk.InputError, match=r"dots must lie between -19 and 28, got \(29,0\)"):
        rk.problems.Morpion("5T", dots=((29, 0),))


@pytest.mark.parametrize(("variant", "mean"), [("5T", 53.6), ("5D", 42.9)])
def test_random_playouts_have_the_known_mean_length(variant, mean):
    # Four standard errors, and half a digit of the published mean.
    worker = CompiledEngine(rk.problems.Morpion(variant)).worker()
    scores = []
    for i in range(4000):
        outcome = worker.run(SamplingTask(search=Sampling(), key=7, first=i, last=i + 1), Signal())
        scores.append(outcome.sequence.score)
    assert abs(np.mean(scores) - mean) < 4 * np.std(scores) / math.sqrt(len(scores)) + 0.05


def test_known_games_replay_to_their_score_and_leave_no_move(game_file):
    game = json.loads(game_file.read_text())
    names = {"H": 0, "V": 1, "DP": 2, "DN": 3}
    moves = []
    for x, y, direction, position in game["moves"]:
        dx, dy = DIRECTIONS[names[direction]]
        moves.append(move_of(x - position * dx, y - position * dy, names[direction]))
    assert rk.replay(rk.problems.Morpion(game["variant"]), moves) == (game["score"], ())


def test_a_line_is_described_by_its_first_cell_and_direction():
    assert rk.problems.Morpion().describe_move(move_of(3, 4, 2)) == "(3,4) /"


def test_moves_in_words_name_the_new_dots():
    problem, moves = rk.problems.Morpion.of_game(MorpionGame("5T", (Move(4, 3, "H", 4), Move(3, 4, "V", 4))))
    assert problem.describe_moves(moves) == ["(4,3) -", "(3,4) |"]


def test_an_unknown_variant_is_refused():
    with pytest.raises(rk.InputError, match="variant must be 5T, 5D, 4T or 4D, got '6T'"):
        rk.problems.Morpion("6T")


def test_the_drawing_shows_the_game_that_was_found():
    problem = rk.problems.Morpion("5D")
    moves = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).moves
    assert problem.draw(moves) == game_text(problem.game(moves))


@pytest.mark.parametrize("dominated", [False, True])
@pytest.mark.parametrize("dots", [None, SQUARE])
def test_a_problem_is_made_again_from_its_parameters(dominated, dots):
    problem = rk.problems.Morpion("4T", dominated, dots)
    again = rk.load_problem("morpion", {name: str(value) for name, value in problem.parameters().items()})
    assert (again.variant, again.dominated, again.dots) == (problem.variant, problem.dominated, problem.dots)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no such file", "cannot read no such file: No such file or directory"),
        ("[[1]]", "dots must be a list of pairs of whole numbers"),
        ("[[1, 2", "dots must be a list"),
        ("[]", "dots must be a list of pairs of whole numbers"),
        ("[[1, 2.5]]", "dots must be a list of pairs of whole numbers"),
    ],
)
def test_dots_that_cannot_be_read_are_refused(text, message):
    with pytest.raises(rk.InputError, match=re.escape(message)):
        rk.problems.Morpion.build("5T", dots=text)


def test_dots_may_be_drawn_in_a_file(tmp_path):
    file = tmp_path / "dots.txt"
    file.write_text("##.\n..#\n")
    assert rk.problems.Morpion.build(dots=str(file)).dots == ((0, 0), (1, 0), (2, 1))
    file.write_text("##.\n.?#\n")
    with pytest.raises(rk.InputError, match="dots.txt, line 2: a dot is '#' and no dot is '.', got '\\?'"):
        rk.problems.Morpion.build(dots=str(file))
