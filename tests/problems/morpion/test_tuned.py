"""The tuned rule of Rosin 2011, Figure 6: it sees what moves leave, chooses as it says, and plays longer games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rookery as rk
from rookery.compiler.constants import interpreted_constants, normalise
from rookery.compiler.layout import state_dtype
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.interpreted import Interpreted
from rookery.problems.morpion.tuned import NEW
from rookery.rng import mix_int, root_key
from rookery.search.sampling import Sampling, SamplingTask

PROBLEM = rk.problems.TunedMorpion("5T")


class Hand:
    """The functions of a problem on a state, one by one."""

    def __init__(self, problem, moves=()):
        self.functions = interpreted_constants(type(problem), normalise("", problem.constants()))
        self.s = np.zeros(1, state_dtype(problem))[0]
        self.functions.start(self.s)
        for move in moves:
            self.functions.play(self.s, move)

    def after(self, move):
        """The legal moves after one more."""
        before, self.s = self.s, self.s.copy()
        self.functions.play(self.s, move)
        legal, self.s = self.legal(), before
        return legal

    def legal(self):
        out = np.zeros(200, np.int64)
        return [int(move) for move in out[: self.functions.moves(self.s, out)]]


@pytest.mark.parametrize("dominated", [False, True])
@pytest.mark.parametrize("variant", ["5T", "5D", "4T", "4D"])
def test_what_a_move_leaves_is_what_there_is_after_it(variant, dominated):
    problem = rk.problems.TunedMorpion(variant, dominated)
    moves = rk.solve(Interpreted(problem), rk.Sampling(rule="uniform"), stop=rk.MaxPlayouts(1), seed=4).moves
    for ply in range(0, len(moves), 10):
        hand = Hand(problem, moves[:ply])
        before = set(hand.legal())
        for move in sorted(before):
            after = hand.after(move)
            assert hand.functions._after(hand.s, move) == (len(after), len(set(after) - before))


def test_new_lines_are_those_that_the_last_move_made_possible():
    moves = rk.solve(Interpreted(PROBLEM), rk.Sampling(rule="uniform"), stop=rk.MaxPlayouts(1), seed=4).moves
    seen = 0
    hand = Hand(PROBLEM)
    for move in moves:
        before = set(hand.legal())
        hand.functions.play(hand.s, move)
        new = {move for move in hand.legal() if hand.functions._is(NEW, hand.s, move)}
        assert new == set(hand.legal()) - before
        seen += len(new)
    assert seen > 0


def test_a_move_that_follows_new_lines_is_one_of_them():
    moves = rk.solve(PROBLEM, rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).moves
    for ply in range(1, len(moves)):
        new = set(rk.replay(PROBLEM, moves[:ply])[1]) - set(rk.replay(PROBLEM, moves[: ply - 1])[1])
        assert not new or moves[ply] in new


@pytest.mark.parametrize("search", [rk.Sampling(), rk.NMCS(level=1)], ids=["sampling", "nmcs"])
def test_compiled_and_interpreted_rules_choose_the_same(search):
    problems, limit = (PROBLEM, Interpreted(PROBLEM)), rk.MaxPlayouts(6)
    runs = [rk.solve(problem, search, stop=limit, seed=3, atomic_level=1) for problem in problems]
    assert runs[0].moves == runs[1].moves


def test_games_by_the_rule_are_longer():
    worker = CompiledEngine(PROBLEM).worker()
    scores = {}
    for rule in ("uniform", "own"):
        task = SamplingTask(search=Sampling(rule=rule), key=0, first=0, last=1)
        keys = [mix_int(root_key(1), i) for i in range(300)]
        scores[rule] = [worker.run(replace(task, key=key), Signal()).sequence.score for key in keys]
    assert np.mean(scores["own"]) > np.mean(scores["uniform"]) + 8


def test_it_is_morpion_for_all_other_purposes():
    assert rk.replay(PROBLEM, ()) == rk.replay(rk.problems.Morpion("5T"), ())
    plain, tuned = (
        rk.solve(p, rk.Sampling(rule="uniform"), stop=rk.MaxPlayouts(20), seed=2)
        for p in (rk.problems.Morpion("5T"), PROBLEM)
    )
    assert plain.moves == tuned.moves
