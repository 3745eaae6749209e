"""Morpion Solitaire against figures and games that come from elsewhere."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.compiler.engine import CompiledEngine
from rookery.problems.morpion.board import CROSS, DIRECTIONS, OFFSET, WIDTH
from rookery.rng import Stream
from rookery.tasks import SamplingTask, Signal


class SlowBoard:
    """The rules as sets, written for the test alone: dots, and what the drawn lines use up."""

    def __init__(self, variant):
        self.touching = variant == "5T"
        self.dots = {(x, y) for y, row in enumerate(CROSS) for x, c in enumerate(row) if c == "#"}
        self.used = set()

    def uses(self, cells, d):
        """Unit segments (T), or dots in a direction (D)."""
        return {(cell, d) for cell in (cells[:-1] if self.touching else cells)}

    def legal(self):
        lines = set()
        for d, (dx, dy) in enumerate(DIRECTIONS):
            for x, y in {(x - k * dx, y - k * dy) for x, y in self.dots for k in range(5)}:
                cells = [(x + k * dx, y + k * dy) for k in range(5)]
                if sum(cell in self.dots for cell in cells) == 4 and not self.uses(cells, d) & self.used:
                    lines.add((x, y, d))
        return lines

    def play(self, x, y, d):
        dx, dy = DIRECTIONS[d]
        cells = [(x + k * dx, y + k * dy) for k in range(5)]
        self.dots.update(cells)
        self.used |= self.uses(cells, d)


def line_of(move):
    y, x = divmod(move >> 2, WIDTH)
    return x - OFFSET, y - OFFSET, move & 3


def move_of(x, y, d):
    return 4 * ((y + OFFSET) * WIDTH + x + OFFSET) + d


@pytest.mark.parametrize("variant", ["5T", "5D"])
def test_there_are_28_first_moves(variant):
    assert len(rk.replay(rk.Morpion(variant), [])[1]) == 28


@pytest.mark.parametrize("variant", ["5T", "5D"])
@given(seed=st.integers(0, 10**6))
def test_legal_moves_are_those_of_a_slow_board(variant, seed):
    problem, board, stream, moves = rk.Morpion(variant), SlowBoard(variant), Stream(seed), []
    worker = CompiledEngine(problem).worker()
    for ply in range(30):
        score, legal = worker.replay(tuple(moves))
        assert score == ply
        assert {line_of(move) for move in legal} == board.legal()
        assert len(set(legal)) == len(legal)
        if not legal:
            break
        move = legal[stream.below(len(legal))]
        board.play(*line_of(move))
        moves.append(move)


@pytest.mark.parametrize(("variant", "mean"), [("5T", 53.6), ("5D", 42.9)])
def test_random_playouts_have_the_known_mean_length(variant, mean):
    # Four standard errors, and half a digit of the published mean.
    worker = CompiledEngine(rk.Morpion(variant)).worker()
    scores = []
    for i in range(4000):
        outcome = worker.run(SamplingTask(key=7, first=i, last=i + 1), Signal())
        scores.append(outcome.sequence.score)
    assert abs(np.mean(scores) - mean) < 4 * np.std(scores) / math.sqrt(len(scores)) + 0.05


@pytest.mark.parametrize("name", ["5T_rosin178", "5T_bruneau170", "5D_rosin82"])
def test_known_games_replay_to_their_score_and_leave_no_move(data, name):
    game = json.loads((data / "morpion" / f"{name}.json").read_text())
    names = {"H": 0, "V": 1, "DP": 2, "DN": 3}
    moves = []
    for x, y, direction, position in game["moves"]:
        dx, dy = DIRECTIONS[names[direction]]
        moves.append(move_of(x - position * dx, y - position * dy, names[direction]))
    assert rk.replay(rk.Morpion(game["variant"]), moves) == (game["score"], ())


def test_a_line_is_described_by_its_first_cell_and_direction():
    assert rk.Morpion().describe_move(move_of(3, 4, 2)) == "(3,4) /"


def test_an_unknown_variant_is_refused():
    with pytest.raises(rk.InputError, match="variant must be 5T or 5D, got '6T'"):
        rk.Morpion("6T")


def test_the_drawing_shows_every_dot_and_the_score():
    problem = rk.Morpion("5D")
    result = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1)
    text = problem.draw(result.moves)
    numbers = [int(word) for word in text.replace("o", " ").split() if word.isdigit()]
    assert sorted(numbers) == list(range(1, len(result.moves) + 1))
    assert text.count("o") == 36
