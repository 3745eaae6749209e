"""The travelling salesman problem against all tours."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

import rookery as rk
from rookery.engine.interpreted import Interpreted
from rookery.testing import check_problem


def tour_length(distance, tour):
    stops = [0, *tour, 0]
    return sum(distance[a, b] for a, b in pairwise(stops))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nrpa_finds_the_shortest_of_all_tours(seed):
    problem = rk.problems.TSP.build(n=8, seed=seed)
    shortest = min(tour_length(problem.distance, tour) for tour in permutations(range(1, 8)))
    result = rk.solve(problem, rk.NRPA(level=3, iterations=20), seed=1)
    assert result.score == pytest.approx(shortest)


def test_the_score_is_the_length_of_the_tour():
    problem = rk.problems.TSP.build(n=20, seed=1)
    result = rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(10), seed=1)
    assert sorted(result.moves) == list(range(1, 20))
    assert result.score == pytest.approx(tour_length(problem.distance, result.moves))


def test_instances_of_all_sizes_share_one_compilation_per_capacity():
    assert rk.problems.TSP.build(n=33).layout() == rk.problems.TSP.build(n=64).layout()


def test_the_same_seed_gives_the_same_cities():
    assert np.array_equal(rk.problems.TSP.build(n=10, seed=4).distance, rk.problems.TSP.build(n=10, seed=4).distance)


def test_one_city_is_too_few():
    with pytest.raises(rk.InputError, match="n must be at least 2, got 1"):
        rk.problems.TSP.build(n=1)


def test_an_undirected_code_is_the_same_in_both_directions():
    problem = rk.problems.TSP.build(n=8, seed=1, code="undirected")
    check_problem(problem, playouts=40, measure=False)
    plain = Interpreted(problem)
    forth, back = plain.start(), plain.start()
    plain.play(forth, 3)
    plain.play(back, 5)
    assert plain.code(forth, 5) == plain.code(back, 3)
    assert problem.parameters()["code"] == "undirected"


def test_a_tour_is_written_and_read_with_or_without_its_ends():
    problem = rk.problems.TSP.build(n=5)
    assert problem.read(problem.write([3, 1, 4, 2])) == problem.read("3 1\n4 2 0") == (3, 1, 4, 2)
    with pytest.raises(rk.InputError, match='line 2: a city must be 0 to 4, got "5"'):
        problem.read("3\n5")


def test_near_cities_have_the_greater_bias_and_the_cities_are_those_of_the_plain_problem():
    problem = rk.problems.NearTSP.build(n=8, seed=1)
    assert np.array_equal(problem.distance, rk.problems.TSP.build(n=8, seed=1).distance)
    plain = Interpreted(problem)
    biases = [plain.bias(plain.start(), city) for city in range(1, 8)]
    assert np.argsort(biases).tolist() == np.argsort(-problem.distance[0, 1:]).tolist()
    nearest = np.where(np.eye(8, dtype=bool), np.inf, problem.distance).min(axis=0).mean()
    assert biases[0] == pytest.approx(-3 * problem.distance[0, 1] / nearest)
    check_problem(problem, playouts=40, measure=False)


def test_a_biased_tour_is_rebuilt_from_its_parameters():
    problem = rk.problems.NearTSP.build(n=6, seed=2, code="directed", pull=0.5)
    again = rk.load_problem("tsp-near", {name: str(value) for name, value in problem.parameters().items()})
    assert (again.pull, again.undirected) == (0.5, False)


@pytest.mark.parametrize("pull", [-1.0, float("nan"), float("inf")])
def test_a_pull_is_not_negative_and_finite(pull):
    with pytest.raises(rk.InputError, match="pull must be at least 0, got"):
        rk.problems.NearTSP.build(n=5, pull=pull)


def test_undirected_codes_with_a_bias_need_symmetric_distances():
    with pytest.raises(rk.InputError, match="undirected codes with a bias need the same distance in both directions"):
        rk.problems.NearTSP(np.arange(9.0).reshape(3, 3), True)
