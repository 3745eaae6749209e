"""The options of NRPA that its descendants brought: what each does, alone and with others, and what is refused."""

from __future__ import annotations

import json

import numba
import pytest

import rookery as rk
from examples_of_problems import Knapsack, Picnic, Words
from rookery.engine.interpreted import Interpreted
from rookery.kernels.nrpa import make_nrpa
from rookery.reference.nrpa import adapt, survivors
from rookery.reference.playout import Line
from rookery.reference.weighing import Weighing
from rookery.tasks import BiasNumber
from rookery.testing import check_search

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
SACK, TOUR, PICNIC = Knapsack.build(), rk.problems.TSP.build(9, seed=2), Picnic()


def facts(result):
    history = [(i.playouts, i.score) for i in result.history]
    return result.score, result.moves, result.playouts, result.status, history


def assert_same(problem, search, **options):
    compiled = rk.solve(problem, search, seed=5, **options)
    plain = rk.solve(Interpreted(problem), search, seed=5, **options)
    assert facts(compiled) == facts(plain)
    return compiled


def small(**options):
    return rk.NRPA(level=2, iterations=6, **options)


# --- kernels and twins ---

ON_SACK = [
    {"playouts_per_adapt": 3},
    {"bias_scale": 2.5},
    {"beam": 3},
    {"beam": 2, "playouts_per_adapt": 2, "tau": 0.7, "bias_scale": 0.5, "layers": True, "ties": ">"},
]
ON_TOUR = [{"playouts_per_adapt": 3, "tau": 2.5}, {"beam": 3}]
ON_PICNIC = [
    {"learn_bias": True},
    {"learn_bias": True, "bias_scale": 3.0, "alpha": 0.5},
    {"learn_bias": True, "layers": True, "beam": 2, "playouts_per_adapt": 2, "tau": 0.7},
]


@pytest.mark.parametrize("options", ON_SACK, ids=str)
def test_kernel_and_twin_agree_with_hashed_codes_and_a_bias(options):
    assert_same(SACK, small(**options))


@pytest.mark.parametrize("options", ON_TOUR, ids=str)
def test_kernel_and_twin_agree_with_dense_codes(options):
    assert_same(TOUR, small(**options))


@pytest.mark.parametrize("options", ON_PICNIC, ids=str)
def test_kernel_and_twin_agree_with_weights_of_two_biases(options):
    assert_same(PICNIC, small(**options), warm_start=(3, 1, 4), warm_steps=2)


@pytest.mark.parametrize("playouts", [1, 2, 7, 29, 100])
@pytest.mark.parametrize("options", ON_TOUR, ids=str)
def test_a_limit_on_playouts_is_exact_in_the_middle_of_an_iteration(options, playouts):
    assert assert_same(TOUR, small(**options), stop=rk.MaxPlayouts(playouts)).playouts == playouts


@pytest.mark.parametrize("options", ON_TOUR, ids=str)
def test_after_fixed_moves_and_a_warm_start(options):
    warm = (3, 1, 4, 2, 5, 8, 6, 7)
    assert_same(TOUR, small(**options), start_from=warm[:2], warm_start=warm, warm_steps=2)


@pytest.mark.parametrize("options", ON_TOUR, ids=str)
def test_they_keep_the_contract_of_searches(options):
    check_search(rk.NRPA(level=2, iterations=4, **options), TOUR, playouts=100)


@pytest.mark.parametrize("options", [ON_SACK[2], ON_SACK[3]], ids=str)
def test_the_answer_does_not_depend_on_the_atomic_level_and_the_workers(options):
    search = rk.NRPA(level=3, iterations=4, **options)
    runs = [rk.solve(SACK, search, seed=5, atomic_level=a, workers=w) for a, w in ((3, 1), (1, 1), (2, 2), (1, 3))]
    assert len({(run.moves, run.playouts) for run in runs}) == 1


def test_weights_of_biases_travel_with_the_policy(tmp_path):
    path, search = tmp_path / "run.ckpt", rk.NRPA(level=3, iterations=4, learn_bias=True)
    runs = [rk.solve(PICNIC, search, seed=5, atomic_level=a, workers=w) for a, w in ((3, 1), (1, 1), (2, 2), (1, 3))]
    rk.solve(PICNIC, search, seed=5, atomic_level=1, checkpoint=path, stop=rk.MaxPlayouts(20))
    runs.append(rk.resume(path, stop=rk.Stop()))
    assert len({(run.moves, run.playouts) for run in runs}) == 1


# --- what each does ---


def test_by_default_the_kernel_is_that_of_plain_nrpa():
    assert rk.NRPA(playouts_per_adapt=1, tau=1.0, bias_scale=1.0, beam=1).kernel() == ("nrpa", make_nrpa)


@pytest.mark.parametrize("problem", [Interpreted(TOUR), Words("abcd", 4)], ids=["twin", "objects"])
@pytest.mark.parametrize("options", [{"playouts_per_adapt": 4}, {"beam": 2, "playouts_per_adapt": 2}], ids=str)
def test_an_iteration_of_level_one_makes_as_many_playouts_as_it_says(problem, options):
    search = rk.NRPA(level=2, iterations={1: 1, 2: 3}, **options)
    assert rk.solve(problem, search, seed=1).playouts == 3 * 4


def test_a_temperature_is_another_step_of_adapt():
    # Twice the step and twice the temperature: every weight is exactly twice as large, and divided by two.
    tour = Interpreted(TOUR)
    moves = {rk.solve(tour, small(alpha=alpha, tau=alpha), seed=5).moves for alpha in (1.0, 2.0, 0.25)}
    assert len(moves) == 1
    assert rk.solve(tour, small(tau=8.0), seed=5).moves not in moves


class Keener(Knapsack):
    """A sack whose bias is twice as large."""

    def bias(self, s, move):
        return 0.6 * self.worth[move] / self.weight[move]


def test_a_scale_of_two_is_a_bias_twice_as_large():
    keener = Interpreted(Keener(SACK.weight, SACK.worth, SACK.room))
    scaled = rk.solve(Interpreted(SACK), small(bias_scale=2.0), seed=5)
    assert facts(scaled) == facts(rk.solve(keener, small(), seed=5))


def test_a_scale_of_zero_is_no_bias():
    scaled = rk.solve(Interpreted(SACK), small(bias_scale=0.0), seed=5)
    even = Interpreted(SACK)
    even.bias = lambda state, move: 0.0
    assert facts(scaled) == facts(rk.solve(even, small(), seed=5))


class Summed(Picnic):
    """A picnic with the sum of both biases as its bias, and no others."""

    def bias(self, s, move):
        return 0.5 * self.joy[move] - self.weight[move] / (s.load + 4)


def test_without_learning_the_sum_of_biases_counts():
    history = [facts(rk.solve(Interpreted(problem), small(), seed=5)) for problem in (PICNIC, Summed())]
    assert history[0] == history[1]


def test_the_first_playouts_are_those_of_the_scale_that_weights_begin_at():
    plain, learning = (small(bias_scale=2.0, learn_bias=learns) for learns in (False, True))
    first = [rk.solve(Interpreted(SACK), search, seed=5, stop=rk.MaxPlayouts(1)) for search in (plain, learning)]
    assert facts(first[0]) == facts(first[1])


def test_a_step_towards_a_sequence_raises_the_weight_of_a_bias_that_it_follows():
    # One step, two moves that differ in their biases alone: W changes by alpha (b - (b + b') / 2).
    line = Line(1.0, ["a"], ["a"], [["a", "b"]], [[1.0, 1.0]], None, [[(0.5, 0.25), (-0.5, 0.25)]], [(0.5, 0.25)])
    first, second = BiasNumber(0), BiasNumber(1)
    even = {first: 0.0, second: 0.0}
    assert adapt(even, line, 2.0, Weighing(learns=True)) == {"a": 1.0, "b": -1.0, first: 1.0, second: 0.0}
    assert even == {first: 0.0, second: 0.0}


def test_large_biases_do_not_overflow():
    sack = Interpreted(SACK)
    sack.bias = lambda state, move: 500.0 * (-1) ** move
    assert rk.solve(sack, small(learn_bias=True), seed=5).score > 0


def test_a_beam_keeps_the_best_pairs_and_no_sequence_twice():
    pairs = [(Line(score, moves), {"policy": i}) for i, (score, moves) in enumerate(PAIRS)]
    assert [(line.score, policy["policy"]) for line, policy in survivors(pairs, 3)] == [(9.0, 1), (7.0, 2), (7.0, 4)]


PAIRS = [(5.0, ["a"]), (9.0, ["b"]), (7.0, ["c"]), (9.0, ["b"]), (7.0, ["d"]), (7.0, ["c"])]


def test_every_option_changes_the_search():
    options = [{}, {"playouts_per_adapt": 3}, {"tau": 0.25}, {"bias_scale": 4.0}, {"beam": 3}, {"learn_bias": True}]
    answers = [rk.solve(Interpreted(SACK), small(**one), seed=3).history for one in options]
    assert len({tuple((i.playouts, i.score) for i in history) for history in answers}) == len(options)


# --- values ---

REFUSED = [
    ({"playouts_per_adapt": 0}, "playouts_per_adapt must be at least 1, got 0"),
    ({"playouts_per_adapt": 2.0}, "playouts_per_adapt must be a whole number, got 2.0"),
    ({"tau": 0}, "tau must be more than 0, got 0"),
    ({"tau": -1.5}, "tau must be more than 0, got -1.5"),
    ({"tau": "cold"}, "tau must be a finite number, got 'cold'"),
    ({"bias_scale": float("inf")}, "bias_scale must be a finite number, got inf"),
    ({"learn_bias": 1}, "learn_bias must be True or False, got 1"),
    ({"beam": 0}, "beam must be at least 1, got 0"),
    ({"beam": 10**9}, "beam must be at most 4096, got 1000000000"),
    ({"beam": 2, "ties": 0.3}, 'a beam must have the tie rule ">=" or ">" at level 1, got 0.3'),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=str)
def test_a_bad_value_is_refused_in_a_sentence(options, message):
    with pytest.raises(rk.InputError, match=f"^{message}$"):
        rk.NRPA(**options)


def test_a_beam_goes_with_a_fraction_above_level_one():
    assert rk.NRPA(beam=2, ties={3: 0.3}).ties_by_level[1:] == (-1.0, -1.0, 0.3)


@pytest.mark.parametrize("option", [{"bias_scale": 2.0}, {"learn_bias": True}], ids=str)
@pytest.mark.parametrize("problem", [TOUR, Words("abcd", 4)], ids=["compiled", "objects"])
def test_a_scale_and_weights_need_a_bias(problem, option):
    message = f"{next(iter(option))} needs a problem that has a bias: {type(problem).__name__} must define bias"
    with pytest.raises(rk.InputError, match=message):
        rk.solve(problem, rk.NRPA(level=1, **option))


class Three(Picnic):
    """A picnic that returns more biases than it declares."""

    def biases(self, s, move):
        return 0.5, 0.25, 0.125


class Mixed(Picnic):
    """A picnic with a whole number among its biases."""

    def biases(self, s, move):
        return 0.5, move


@compiled
@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Three(), r"Three\.biases.* returns 3 biases, but limits\(\) declares biases=2; declare as many as it returns"),
        (Mixed(), r"Mixed\.biases.* returns a tuple; return a tuple of numbers that are all floats, or all whole"),
    ],
    ids=["three", "mixed"],
)
def test_biases_must_be_as_many_numbers_as_declared(problem, message):
    with pytest.raises(rk.CompileError, match=f"(?s){message}"):
        rk.solve(problem, small(learn_bias=True))


def test_the_number_of_biases_must_be_whole():
    with pytest.raises(rk.ProblemError, match="biases must be a whole number of at least 1, got 0"):
        rk.Limits(moves=1, length=1, codes=1, biases=0)


class Own(rk.NRPA):
    """A search with a kernel that knows nothing of the options."""

    def kernel(self):
        return super().kernel()


def test_a_kernel_of_ones_own_refuses_options_that_it_does_not_have():
    with pytest.raises(rk.InputError, match="^Own has a kernel of its own, which does not have tau, beam$"):
        rk.solve(TOUR, Own(level=1, beam=2, tau=0.5))


def test_parameters_are_as_before_unless_an_option_makes_a_difference():
    assert list(rk.NRPA().parameters()) == ["algorithm", "level", "iterations", "alpha", "ties", "layers"]
    told = json.loads(json.dumps(rk.NRPA(beam=2, tau=0.5).parameters()))
    assert told.pop("algorithm") == "nrpa"
    assert rk.NRPA(**told) == rk.NRPA(beam=2, tau=0.5)


@pytest.mark.parametrize("name", ["bias_scale", "learn_bias"])
def test_tune_tries_what_a_bias_counts_only_where_there_is_one(name):
    assert name in rk.NRPA().space(SACK)
    assert name not in rk.NRPA().space(TOUR)


# --- files ---


@pytest.mark.parametrize("options", ON_TOUR, ids=str)
def test_a_run_goes_on_from_its_checkpoint(options, tmp_path):
    path, search = tmp_path / "run.ckpt", rk.NRPA(level=3, iterations=4, **options)
    whole = rk.solve(TOUR, search, seed=9, atomic_level=1)
    rk.solve(TOUR, search, seed=9, atomic_level=1, checkpoint=path, stop=rk.MaxPlayouts(whole.playouts // 3))
    assert facts(rk.resume(path, stop=rk.Stop())) == facts(whole)
