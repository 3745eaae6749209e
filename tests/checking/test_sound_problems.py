"""Sound problems pass: those of the library, of the examples and of the tests."""

from __future__ import annotations

import json
from pathlib import Path

import numba
import numpy as np
import pytest

import rookery as rk
from examples_of_problems import HashedMorpion, Knapsack, Words, Workshop
from rookery.testing import check_problem

EXAMPLES = Path(__file__).parents[2] / "examples"

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="interpreted, it would take too long")


class Subset(rk.Problem):
    """Every optional function, each true: choose things until none fits; their order does not matter."""

    weight: np.ndarray
    room: int = 12

    def limits(self):
        n = len(self.weight)
        return rk.Limits(moves=n, length=n, codes=n, biases=2)

    def layout(self):
        return {"taken": "u8", "load": "u1", "n": "u1", "first": "i2", "worth": "f4", "fits": ("i1", 8)}

    def start(self, s):
        for i in range(len(self.weight)):
            s.fits[i] = i
        s.n = len(self.weight)

    def count(self, s):
        return s.n

    def nth(self, s, i):
        return s.fits[i]

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.fits[i]
        return s.n

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.taken |= np.uint64(1) << np.uint64(move)
        s.load += self.weight[move]
        s.worth += 0.1 * self.weight[move]
        n = 0
        for i in range(s.n):
            other = s.fits[i]
            if other != move and s.load + self.weight[other] <= self.room:
                s.fits[n] = other
                n += 1
        s.n = n

    def score(self, s):
        return s.worth

    def biases(self, s, move):
        return 0.1 * self.weight[move], 0.5 - 0.01 * s.load

    def begin_playout(self, s):
        s.first = 1

    def choose(self, s, moves, n, rng):
        return min(rk.below(rng, n), rk.below(rng, n))

    def key(self, s):
        return s.taken

    def commute(self, a, b):
        return True


PROBLEMS = {
    "subset": lambda: Subset(np.array([5, 4, 3, 2, 2, 1])),
    "leftmove": lambda: rk.problems.LeftMove(depth=12),
    "leftmost": lambda: rk.problems.LeftmostPath(depth=12),
    "tsp": lambda: rk.problems.TSP.build(9, seed=2),
    "knapsack": Knapsack.build,
    "workshop": Workshop,
    "words": Words,
    "the tour of the examples": lambda: rk.load_problem(f"{EXAMPLES / 'tsp.py'}:TSP", {}),
    "the RNA strand of the examples": lambda: rk.load_problem(f"{EXAMPLES / 'python_problem.py'}:RNADesign", {}),
}
LARGE = {
    "morpion 5T": lambda: rk.problems.Morpion("5T"),
    "morpion 5D": lambda: rk.problems.Morpion("5D"),
    "hashed morpion": lambda: HashedMorpion("5T"),
}


def noteworthy(report):
    return [finding for finding in report.findings if finding.level != "note"]


@compiled
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_sound_problem_has_neither_errors_nor_warnings(name):
    report = check_problem(PROBLEMS[name](), playouts=60, measure=False)
    assert noteworthy(report) == []
    assert report.playouts == 60 or report.named("few-playouts")


@compiled
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.timing
@pytest.mark.usefixtures("counted_clock")
def test_a_large_problem_is_checked_within_its_time_and_says_how_far_it_came(name):
    report = check_problem(LARGE[name](), playouts=100, seconds=8, measure=False)
    assert noteworthy(report) == []
    assert 1 <= report.playouts < 100
    assert report.named("few-playouts")


@compiled
def test_measures_of_a_compiled_problem_fit_together():
    measures = check_problem(rk.problems.TSP.build(9, seed=2), playouts=60).measures
    assert measures.depth == (8, 8.0, 8)
    assert measures.branching == (4.5, 8)
    assert measures.codes == 8 * 8
    assert measures.state_bytes == 24 + 2 * 2 * 16
    assert sum(part.share for part in measures.parts) == pytest.approx(1)
    calls = {part.function: part.calls for part in measures.parts}
    assert calls == {
        "count, nth": 9,
        "code": 36,
        "play": 8,
        "score": 1,
        "copy of the state": 1,
        "the search itself": 0,
    }
    assert all(rate > 0 for rate in measures.rates.values())
    assert json.loads(json.dumps(measures.to_json()))["depth"] == [8, 8.0, 8]


def test_measures_of_a_problem_in_plain_python_fit_together():
    measures = check_problem(Words(), playouts=20).measures
    assert measures.depth == (4, 4.0, 4)
    assert measures.limits is None
    assert measures.state_bytes is None
    assert sum(part.share for part in measures.parts) == pytest.approx(1)
    assert {part.function for part in measures.parts} >= {"moves", "code", "play", "score", "copy"}
