"""Searches on Python objects at speed give the answers of the plain twins, in the same sequence."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

import rookery as rk
from examples_of_problems import Words
from rookery.engine import objects
from rookery.engine.objects.layers import followed, layered
from rookery.engine.objects.policy import Policy
from rookery.engine.objects.rules import BoundRules
from rookery.reference import nrpa as twins
from rookery.reference import playout as twin_playouts


@dataclass
class Load:
    left: list[int]
    taken: dict[str, float] = field(default_factory=lambda: {"weight": 0.0, "worth": 0.0})


class Sack(rk.PythonProblem):
    """Objects as states with the default copy, large codes, a bias, a rule of its own, moves that commute."""

    weight = (7, 3, 11, 5, 2, 13, 4, 6, 9, 8)
    worth = (6.5, 2.25, 9.0, 4.0, 1.5, 9.75, 4.0, 5.0, 9.0, 6.0)

    def start(self):
        return Load(list(range(10)))

    def moves(self, state):
        return tuple(i for i in state.left if state.taken["weight"] + self.weight[i] <= 33)

    def code(self, state, move):
        return (move + 1) * 0x9E3779B97F4A7C15 % 2**64

    def bias(self, state, move):
        return 0.25 * self.worth[move] / self.weight[move] + state.taken["weight"] / 64

    def choose(self, state, moves, rng):
        return min(rng.below(len(moves)), int(rng.uniform() * len(moves)))

    def play(self, state, move):
        state.left.remove(move)
        state.taken["weight"] += self.weight[move]
        state.taken["worth"] += self.worth[move]

    def score(self, state):
        return state.taken["worth"]

    def commute(self, a, b):
        return (a + b) % 3 != 0


class Tour(rk.PythonProblem):
    """A sense of "min", moves as their own codes, new states, many equal scores, playouts that begin elsewhere."""

    sense = "min"

    def start(self):
        return (0,)

    def moves(self, state):
        return [city for city in range(9) if city not in state]

    def play(self, state, move):
        return (*state, move)

    def begin_playout(self, state):
        return state if len(state) > 2 else (*state, 8 if 8 not in state else 7)

    def score(self, state):
        return sum(abs(a * a % 7 - b * b % 7) for a, b in pairwise(state))


class Strict(Tour):
    """A tour that is infeasible more often than not."""

    def score(self, state):
        found = super().score(state)
        return rk.INFEASIBLE if found % 3 else found


class Fond(Sack):
    """A sack with two biases beside the one that counts unless their weights are learned."""

    def biases(self, state, move):
        return [0.25 * self.worth[move] / self.weight[move], state.taken["weight"] / 64 - 0.1 * self.weight[move]]


class Unsure(Sack):
    """A sack that gives now one bias, now two."""

    def biases(self, state, move):
        return [0.5] if move == 4 else [0.5, 0.25]


PROBLEMS = {"strict": Strict(), "words": Words("abcdef", 5), "sack": Sack(), "tour": Tour()}


def facts(result):
    return (result.score, result.moves, result.playouts, result.status, result.history)


@pytest.fixture
def same(monkeypatch):
    def assert_same(problem, search, **options):
        fast = rk.solve(problem, search, seed=5, **options)
        with monkeypatch.context() as patched:
            patched.setattr(objects, "COMPUTED_BY", {})
            plain = rk.solve(problem, search, seed=5, **options)
        numbers = [[(i.playouts, i.score) for i in result.history] for result in (fast, plain)]
        assert facts(fast)[:-1] == facts(plain)[:-1]
        assert numbers[0] == numbers[1]

    return assert_same


SEARCHES = [
    *(rk.NRPA(level=2, iterations=12, ties=ties) for ties in (">=", ">", 0.0, 0.3, {2: 0.5, 1: ">"})),
    rk.NRPA(level=3, iterations={1: 9, 2: 4, 3: 5}, alpha=0.5),
    rk.NRPA(level=1, iterations=100),
    rk.NRPA(level=2, iterations=8, playouts_per_adapt=3, tau=0.6),
    rk.NRPA(level=2, iterations=8, beam=3),
    rk.NRPA(level=2, iterations=8, beam=2, playouts_per_adapt=2, tau=3.0, ties=">"),
    *(rk.NMCS(level=2, memorise=memorise, ties="first", sample=3) for memorise in (True, False)),
    *(rk.NMCS(level=2, memorise=memorise, ties="random") for memorise in (True, False)),
    rk.LazyNMCS(level=3, playouts=2),
    rk.LazyNMCS(level=2, playouts=1, share=0.5, memorise=False, ties="random", sample=4),
    rk.Reflexive(level=1, games=4),
    rk.Reflexive(level=3, games={1: 2, 2: 3, 3: 1}),
    rk.UCT(playouts=150),
    rk.UCT(playouts=150, c=3.0),
    rk.SPMCTS(playouts=150),
    rk.SPMCTS(playouts=150, c=2.0, d=0.0),
]


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_search_with_every_option(same, name, search):
    same(PROBLEMS[name], search)


@pytest.mark.parametrize("rule", [None, "uniform", "mobility", "own"])
@pytest.mark.parametrize("search", [rk.Sampling, rk.NMCS, rk.Reflexive, rk.UCT, rk.SPMCTS])
def test_every_playout_rule(same, search, rule):
    same(PROBLEMS["sack"], search(rule=rule), stop=rk.MaxPlayouts(60))


@pytest.mark.parametrize("ties", [">=", 0.3])
def test_nrpa_in_layers(same, ties):
    same(PROBLEMS["sack"], rk.NRPA(level=2, iterations=12, ties=ties, layers=True))


@pytest.mark.parametrize("options", [{"bias_scale": 3.0}, {"bias_scale": 0.5, "layers": True, "beam": 2}], ids=str)
def test_nrpa_with_a_scaled_bias(same, options):
    same(PROBLEMS["sack"], rk.NRPA(level=2, iterations=8, **options))
    same(PROBLEMS["sack"], rk.NRPA(level=2, iterations=8))  # the scale is not kept


LEARNING = [
    {},
    {"bias_scale": 3.0, "level": 3, "iterations": 5},
    {"layers": True, "beam": 2, "tau": 0.5, "playouts_per_adapt": 2},
]


@pytest.mark.parametrize("options", LEARNING, ids=str)
@pytest.mark.parametrize("problem", [Sack(), Fond()], ids=["one bias", "two"])
def test_nrpa_that_learns_the_weights_of_biases(same, problem, options):
    search = rk.NRPA(**{"level": 2, "iterations": 8, "learn_bias": True, **options})
    same(problem, search, atomic_level=1, warm_start=(2, 5, 8))
    same(problem, rk.NRPA(level=2, iterations=8))  # nothing of it is kept


def test_a_problem_must_give_as_many_biases_for_every_move():
    with pytest.raises(rk.ProblemError, match="returned 1 biases after 2 for another move; return as many for every"):
        rk.solve(Unsure(), rk.NRPA(level=1, iterations=2, learn_bias=True), seed=1)


ONE_OF_EACH = [
    *(rk.NRPA(level=2, iterations=6, beam=beam, playouts_per_adapt=beam) for beam in (1, 2)),
    *(rk.NMCS(level=2), rk.Sampling(), rk.Reflexive(level=2), rk.UCT(30)),
]


@pytest.mark.parametrize("search", ONE_OF_EACH, ids=str)
@pytest.mark.parametrize("stop", [rk.MaxPlayouts(1), rk.MaxPlayouts(17), rk.Target(12) | rk.MaxPlayouts(40)], ids=str)
def test_stopped_by_a_limit(same, search, stop):
    same(PROBLEMS["tour"], search, stop=stop)


@pytest.mark.parametrize("search", ONE_OF_EACH, ids=str)
def test_after_a_prefix(same, search):
    same(PROBLEMS["tour"], search, start_from=(3, 1, 4), stop=rk.MaxPlayouts(50))


def test_after_a_warm_start_at_every_atomic_level(same):
    for level in (1, 2, 3):
        search = rk.NRPA(level=3, iterations=5)
        same(PROBLEMS["sack"], search, warm_start=(2, 5, 8), warm_steps=3, atomic_level=level)


@pytest.mark.parametrize("layers", [False, True])
def test_a_policy_has_the_weights_of_the_twin_after_each_of_many_steps(layers):
    problem, generator = PROBLEMS["sack"], random.Random(3)
    fast_rules, plain_rules = BoundRules(problem), twin_playouts.Rules(problem)
    fast, plain = Policy({}), {}
    for _ in range(200):
        state, sequence = problem.start(), []
        while moves := problem.moves(state):
            sequence.append(generator.choice(moves))
            problem.play(state, sequence[-1])
        line = followed(fast_rules, problem.start(), sequence)
        fast.adapt(layered(fast_rules, problem.start(), line) if layers else line, 0.7)
        plain = twins.adapted(plain_rules, problem.start(), plain, tuple(sequence), 0.7, layers)
        assert fast.weights() == plain
        assert fast.factors == {code: twins.exp_float(weight) for code, weight in plain.items()}


def test_a_nested_call_leaves_the_policy_as_it_was():
    problem = PROBLEMS["tour"]
    line = followed(BoundRules(problem), problem.start(), [5, 1, 2, 3, 4, 6, 7])
    policy = Policy({1: 0.5, "x": -2.0})
    before = policy.weights(), dict(policy.factors)
    begun = policy.begin()
    policy.adapt(line, 1.0)
    assert policy.weights() != before[0]
    policy.end(begun)
    assert (policy.weights(), policy.factors) == before


def test_the_twins_do_not_compute_a_users_problem(monkeypatch):
    def refuse(*arguments, **named):
        raise AssertionError

    monkeypatch.setattr(twins, "nrpa", refuse)
    assert rk.solve(PROBLEMS["words"], rk.NRPA(level=1, iterations=5), seed=1).playouts == 5
