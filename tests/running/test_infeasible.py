"""Playouts that end infeasible."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rookery as rk

VALUES, WEIGHTS = (6, 5, 8, 9, 6, 7, 3), (2, 3, 6, 7, 5, 9, 4)


class Sack(rk.Problem):
    """Take things or leave them; too heavy is infeasible."""

    value: np.ndarray
    weight: np.ndarray
    room: int

    @classmethod
    def build(cls, room: int = 9):
        return cls(np.array(VALUES), np.array(WEIGHTS), room)

    def limits(self):
        return rk.Limits(codes=2 * len(self.value), moves=2, length=len(self.value))

    def layout(self):
        return {"at": "i8", "worth": "i8", "load": "i8"}

    def start(self, s):
        pass

    def moves(self, s, out):
        out[0], out[1] = 0, 1
        return 2 if s.at < len(self.value) else 0

    def code(self, s, move):
        return 2 * s.at + move

    def play(self, s, move):
        if move == 1:
            s.worth += self.value[s.at]
            s.load += self.weight[s.at]
        s.at += 1

    def score(self, s):
        return rk.INFEASIBLE if s.load > self.room else float(s.worth)


class Cheap(Sack):
    """The same, minimised: nothing may be left out of more worth than there is room for."""

    sense = "min"

    def score(self, s):
        return np.inf if s.load < self.room else float(s.worth)


class PlainSack(rk.PythonProblem):
    """The same in plain Python, with an infinite score of the other sign."""

    def __init__(self, room: int = 9):
        self.room = room

    def start(self):
        return []

    def moves(self, state):
        return [0, 1] if len(state) < len(VALUES) else []

    def code(self, state, move):
        return 2 * len(state) + move

    def play(self, state, move):
        state.append(move)

    def score(self, state):
        load = sum(w for w, taken in zip(WEIGHTS, state, strict=True) if taken)
        worth = sum(v for v, taken in zip(VALUES, state, strict=True) if taken)
        return -math.inf if load > self.room else worth


SEARCHES = [
    rk.NRPA(level=2, iterations=12),
    rk.NMCS(level=2),
    rk.Reflexive(level=1, games=5),
    rk.UCT(playouts=150),
    rk.SPMCTS(playouts=150),
    rk.Sampling(),
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.name)
def test_a_feasible_sequence_is_found_among_infeasible_ones_and_the_twin_finds_the_same(search):
    stop = rk.MaxPlayouts(144)
    compiled = rk.solve(Sack.build(), search, seed=3, stop=stop)
    plain = rk.solve(PlainSack(), search, seed=3, stop=stop)
    assert (compiled.score, compiled.moves, compiled.playouts) == (plain.score, plain.moves, plain.playouts)
    load = sum(w for w, taken in zip(WEIGHTS, compiled.moves, strict=True) if taken)
    assert load <= 9
    assert all(math.isfinite(i.score) for i in compiled.history)


def test_infinite_scores_are_infeasible_when_minimising_too():
    best = min(
        sum(v for v, taken in zip(VALUES, bits, strict=True) if taken)
        for bits in np.ndindex(*(2,) * len(VALUES))
        if sum(w for w, taken in zip(WEIGHTS, bits, strict=True) if taken) >= 9
    )
    assert rk.solve(Cheap.build(), rk.NRPA(level=2, iterations=12), seed=1, stop=rk.MaxPlayouts(1000)).score == best


@pytest.mark.parametrize("problem", [Sack.build(room=-1), PlainSack(room=-1)], ids=["compiled", "plain"])
def test_a_run_that_finds_nothing_feasible_says_so(problem, tmp_path):
    result = rk.solve(problem, rk.NRPA(level=2, iterations=12), seed=1)
    assert result.status == "infeasible"
    assert math.isnan(result.score)
    assert result.moves == ()
    result.save(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["score"] is None
    assert rk.Result.load(tmp_path / "r.json").status == "infeasible"


def test_the_score_of_an_infeasible_end_is_told_by_replay():
    assert rk.replay(Sack.build(), [1] * len(VALUES)) == (rk.INFEASIBLE, ())


def test_nothing_is_adapted_towards_an_infeasible_end():
    first = []
    for alpha in (0.0, 9.0):
        result = rk.solve(Sack.build(room=5), rk.NRPA(level=1, iterations=40, alpha=alpha), seed=5)
        first.append((result.history[0].playouts, result.history[0].score))
    assert first[0] == first[1]
    assert first[0][0] > 3


def test_the_command_says_that_nothing_is_feasible_with_exit_code_3(tmp_path: Path):
    file = tmp_path / "never.py"
    file.write_text(
        "import rookery as rk\n\n\nclass Never(rk.PythonProblem):\n"
        "    def start(self):\n        return []\n\n"
        "    def moves(self, state):\n        return [] if state else [1, 2]\n\n"
        "    def code(self, state, move):\n        return move\n\n"
        "    def play(self, state, move):\n        state.append(move)\n\n"
        "    def score(self, state):\n        return rk.INFEASIBLE\n"
    )
    command = [sys.executable, "-m", "rookery", "solve", f"{file}:Never", "--playouts", "50", "--seed", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3
    assert json.loads(done.stdout)["score"] is None
