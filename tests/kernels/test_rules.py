"""Playouts by mobility play moves that leave the most moves, each of them as often as the others."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chi2

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.rng import mix_int, root_key
from rookery.search.sampling import Sampling, SamplingTask

MORPION = rk.problems.Morpion("5D")


def most_mobile(problem, moves):
    """The moves after these that leave the most moves, by counting."""
    counts = {move: len(rk.replay(problem, [*moves, move])[1]) for move in rk.replay(problem, moves)[1]}
    return {move for move, count in counts.items() if count == max(counts.values())}


@pytest.mark.parametrize("problem", [MORPION, Knapsack.build(), Words()], ids=["morpion", "knapsack", "words"])
def test_every_move_leaves_as_many_moves_as_any(problem):
    result = rk.solve(problem, rk.Sampling(rule="mobility"), stop=rk.MaxPlayouts(1), seed=3)
    for ply, move in enumerate(result.moves):
        assert move in most_mobile(problem, result.moves[:ply])


def test_a_random_playout_does_not_do_so():
    result = rk.solve(MORPION, rk.Sampling(rule="uniform"), stop=rk.MaxPlayouts(1), seed=3)
    assert any(move not in most_mobile(MORPION, result.moves[:ply]) for ply, move in enumerate(result.moves))


def test_the_most_mobile_moves_are_played_equally_often():
    best = most_mobile(MORPION, ())
    assert 1 < len(best) < len(rk.replay(MORPION, ())[1])
    worker = CompiledEngine(MORPION).worker()
    found = Counter()
    for i in range(1500):
        task = SamplingTask(search=Sampling(rule="mobility"), key=mix_int(root_key(1), i), first=0, last=1)
        found[worker.run(task, Signal()).sequence.moves[0]] += 1
    assert set(found) == best
    expected = 1500 / len(best)
    assert sum((n - expected) ** 2 / expected for n in found.values()) < chi2.isf(1e-4, len(best) - 1)


def test_playouts_by_mobility_are_long_more_often_in_morpion():
    worker = CompiledEngine(MORPION).worker()
    long = Counter()
    for i in range(1000):
        for rule in ("uniform", "mobility"):
            task = SamplingTask(search=Sampling(rule=rule), key=mix_int(root_key(2), i), first=0, last=1)
            long[rule] += worker.run(task, Signal()).sequence.score >= 57
    assert long["mobility"] > 1.5 * long["uniform"]
