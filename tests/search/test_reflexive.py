"""Reflexive search is the paper's code, and has the exact distribution on the left move problem."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.python_worker import PythonEngine
from rookery.rng import Stream, mix_int, root_key
from rookery.search.reflexive import Reflexive, ReflexiveTask

ERROR_RATE = 1e-4
"""Probability that a right engine fails a statistical test; the seeds are fixed, so it fails always or never."""


class Stairs(rk.PythonProblem):
    """As in the paper, the score is the number of moves: choose among 2 or 3 ways, some of which soon end."""

    def start(self):
        return ()

    def moves(self, state):
        if len(state) >= 9 or (state and sum(state) * 7 % 5 == 1):
            return []
        return list(range(2 + sum(state) % 2))

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return len(state)


class Paper:
    """The code of Cazenave 2007, sections 3.1 and 3.2, word by word; only ``nb++`` in findBestMove is added."""

    def __init__(self, problem, games, meta_games, key):
        self.problem, self.nbGames, self.nbMetaGames, self.key = problem, games, meta_games, key
        self.calls = 0
        self.variation, self.bestVariation, self.prefix = [0] * 20, [0] * 20, [0] * 20
        self.bestMetaVariation, self.metaPrefix = [0] * 20, [0] * 20
        self.previousBestScore = self.previousMetaBestScore = self.nbPrefix = self.nbMetaPrefix = 0

    def playGame(self):
        nbMoves = 0
        while moves := self.problem.moves(self.board):
            move = moves[self.stream.below(len(moves))]
            self.board = self.problem.play(self.board, move)
            self.variation[nbMoves] = move
            nbMoves += 1
        return nbMoves

    def findBestMove(self):
        nb, best = 0, self.previousBestScore - 1
        for i in range(best):
            self.bestVariation[i] = self.bestVariation[i + 1]
        memorised = self.problem.start()
        for i in range(self.nbPrefix):
            memorised = self.problem.play(memorised, self.prefix[i])
        while nb < self.nbGames:
            self.board = memorised
            if not self.problem.moves(self.board):
                return -1
            nbMoves = self.playGame()
            if nbMoves > best:
                best = nbMoves
                for i in range(best):
                    self.bestVariation[i] = self.variation[i]
            nb += 1
        self.previousBestScore = best
        return self.bestVariation[0]

    def playMetaGame(self):
        self.stream = Stream(mix_int(self.key, self.calls))
        self.calls += 1
        self.previousBestScore = 0
        while (move := self.findBestMove()) != -1:
            self.prefix[self.nbPrefix] = move
            self.nbPrefix += 1
        return self.nbPrefix

    def findBestMetaMove(self):
        nb, best = 0, self.previousMetaBestScore - 1
        for i in range(best):
            self.bestMetaVariation[i] = self.bestMetaVariation[i + 1]
        while nb < self.nbMetaGames:
            for i in range(self.nbMetaPrefix):
                self.prefix[i] = self.metaPrefix[i]
            self.nbPrefix = self.nbMetaPrefix
            nbMoves = self.playMetaGame()
            if nbMoves - self.nbMetaPrefix > best:
                best = nbMoves - self.nbMetaPrefix
                for i in range(best):
                    self.bestMetaVariation[i] = self.prefix[self.nbMetaPrefix + i]
            nb += 1
        self.previousMetaBestScore = best
        if best <= 0:
            return -1
        return self.bestMetaVariation[0]

    def playMetaMetaGame(self):
        self.previousMetaBestScore = 0
        while (move := self.findBestMetaMove()) != -1:
            self.metaPrefix[self.nbMetaPrefix] = move
            self.nbMetaPrefix += 1
        return tuple(self.metaPrefix[: self.nbMetaPrefix])


@pytest.mark.parametrize(("games", "meta_games"), [(1, 1), (1, 3), (2, 2), (3, 1)])
def test_it_is_the_code_of_the_paper(games, meta_games):
    worker = PythonEngine(Stairs()).worker()
    lengths = set()
    for seed in range(30):
        task = ReflexiveTask(search=Reflexive(level=2, games={1: games, 2: meta_games}), key=root_key(seed), level=2)
        found = worker.run(task, Signal()).sequence
        assert found.moves == Paper(Stairs(), games, meta_games, root_key(seed)).playMetaMetaGame()
        lengths.add(len(found.moves))
    assert len(lengths) > 1 or lengths == {9}


def exact_distribution(depth: int, games: int) -> list[float]:
    """Probability of each score of a game of level 1 on the left move problem.

    The best variation of r steps with b moves to the left is any of those with equal probability: so the next move is
    to the left with probability b / r.
    """

    @cache
    def at_most(score: int, steps: int) -> float:
        return sum(comb(steps, s) for s in range(score + 1)) / 2**steps

    @cache
    def score(total: int, left: int, best: int, steps: int) -> float:
        """Probability of a total, after ``left`` moves to the left, with ``best`` more in the best variation."""
        if steps == 0:
            return float(total == left)
        result = 0.0
        for b in range(max(best, 0), steps + 1):
            p = at_most(b, steps) ** games - (at_most(b - 1, steps) ** games if b > best and b > 0 else 0.0)
            go_left = score(total, left + 1, b - 1, steps - 1) if b > 0 else 0.0
            go_right = score(total, left, b, steps - 1) if b < steps else 0.0
            result += p * (b / steps * go_left + (1 - b / steps) * go_right)
        return result

    return [score(total, 0, -1, depth) for total in range(depth + 1)]


@pytest.mark.parametrize(("depth", "games", "runs"), [(9, 1, 20_000), (9, 4, 20_000), (30, 2, 5_000)])
def test_scores_of_level_one_have_the_exact_distribution(depth, games, runs):
    worker = CompiledEngine(rk.problems.LeftMove(depth)).worker()
    root = root_key(games)
    found = Counter()
    for i in range(runs):
        task = ReflexiveTask(search=Reflexive(level=1, games=games), key=mix_int(root, i), level=1)
        found[int(worker.run(task, Signal()).sequence.score)] += 1
    exact = np.array(exact_distribution(depth, games)) * runs
    assert abs(exact.sum() - runs) < 1e-6
    kept = exact >= 5
    observed = np.array([found[score] for score in range(depth + 1)], float)
    expected = np.append(exact[kept], exact[~kept].sum())
    observed = np.append(observed[kept], observed[~kept].sum())
    observed, expected = observed[expected > 0.5], expected[expected > 0.5]
    assert ((observed - expected) ** 2 / expected).sum() < chi2.isf(ERROR_RATE, len(expected) - 1)


@pytest.mark.parametrize(
    ("level", "games", "playouts"), [(1, 7, 5 * 7), (2, {1: 2, 2: 3}, 15 * 6), (3, 1, 35), (2, {1: 4}, 15 * 40)]
)
def test_each_step_plays_its_games(level, games, playouts):
    result = rk.solve(rk.problems.LeftMove(5), rk.Reflexive(level=level, games=games), seed=1)
    assert (result.playouts, result.status, result.iterations) == (playouts, "finished", 1)


def test_the_answer_is_the_best_playout():
    for seed in range(20):
        result = rk.solve(rk.problems.TSP.build(9, seed=2), rk.Reflexive(level=2, games=2), seed=seed, atomic_level=1)
        assert result.best_seen is None
        assert result.history[-1].score == result.score


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 0}, "level must be at least 1, got 0"),
        ({"games": 0}, "games must be at least 1, got 0"),
        ({"games": {3: 1}}, "a level in games must be at most 2, got 3"),
        ({"rule": "best"}, 'rule must be "uniform", "mobility" or "own", got \'best\''),
        ({"rule": ["own"]}, r"rule must be .*, got \['own'\]"),
    ],
)
def test_bad_parameters_are_one_sentence(options, message):
    with pytest.raises(rk.InputError, match=message):
        rk.Reflexive(**options)
