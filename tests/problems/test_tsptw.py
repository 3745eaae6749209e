"""Tours with time windows: against all tours, known optima, files."""

from __future__ import annotations

from itertools import permutations

import pytest

import rookery as rk
from data_folders import OWN, REFERENCE
from rookery.testing import check_problem

TSPTW = rk.problems.TSPTW
SMALL = "3 / 0 2 9 / 2 0 4 / 9 4 0 / 0 30 / 0 5 / 3 20 /"


def plain_score(problem, tour):
    """The rules once more, step by step."""
    here, time, cost, late = 0, 0.0, 0.0, 0
    for city in [*tour, 0]:
        cost += problem.distance[here, city]
        time += problem.distance[here, city]
        if city:
            time = max(time, problem.ready[city])
        late += bool(time > problem.due[city] + 1e-9)
        here = city
    return 1e6 * late + cost


def least_cost(problem):
    """The cost of the best tour in time: for each set of cities and last one, all (time, cost) that none beats."""
    n, distance = len(problem.distance), problem.distance.tolist()
    layer = {(1, 0): [(0.0, 0.0)]}
    for _ in range(n - 1):
        longer = {}
        for (done, here), ways in layer.items():
            for city in (c for c in range(1, n) if not done >> c & 1):
                far, ready, due = distance[here][city], problem.ready[city], problem.due[city]
                arrivals = ((max(time + far, ready), cost + far) for time, cost in ways)
                longer.setdefault((done | 1 << city, city), []).extend(one for one in arrivals if one[0] <= due + 1e-9)
        layer = {key: unbeaten(ways) for key, ways in longer.items() if ways}
    ends = ((time + distance[here][0], cost + distance[here][0]) for (_, here), w in layer.items() for time, cost in w)
    return min(cost for time, cost in ends if time <= problem.due[0] + 1e-9)


def unbeaten(ways):
    kept = []
    for time, cost in sorted(ways):
        if not kept or cost < kept[-1][1]:
            kept.append((time, cost))
    return kept


@pytest.mark.parametrize("seed", [1, 3])
def test_nrpa_finds_the_best_of_all_tours(seed):
    problem = TSPTW.build(n=8, seed=seed)
    best = min(plain_score(problem, tour) for tour in permutations(range(1, 8)))
    result = rk.solve(problem, rk.NRPA(level=3, iterations=30), seed=1, stop=rk.MaxPlayouts(50_000))
    assert result.score == pytest.approx(best)
    assert result.score == pytest.approx(plain_score(problem, result.moves))
    assert best < 1e6  # generated instances have a tour in time


def test_it_keeps_its_contract():
    check_problem(TSPTW.build(n=8, seed=1), playouts=40, measure=False)


def test_a_late_arrival_is_counted_and_named():
    problem = TSPTW.build(SMALL)
    score, _ = rk.replay(problem, [2, 1])
    assert score == 1e6 + 15
    assert problem.format_score(score) == "15 and 1 late"
    assert [late for _, _, late in problem.visits([2, 1])] == [False, True, False]
    assert problem.draw([2, 1]).count("late") == 1


def test_the_best_tour_of_our_own_file_is_found():
    problem = TSPTW.build(str(OWN / "tsptw" / "own12.txt"))
    best = least_cost(problem)
    result = rk.solve(problem, rk.NRPA(level=3), seed=2, stop=rk.MaxPlayouts(200_000) | rk.Target(best + 1e-6))
    assert result.score == pytest.approx(best)


if REFERENCE.is_dir():

    def test_the_best_known_tour_of_rc_201_1_is_found():
        problem = TSPTW.build(str(REFERENCE / "tsptw" / "rc_201.1.txt"))
        result = rk.solve(problem, rk.NRPA(level=3), seed=2, stop=rk.MaxPlayouts(200_000) | rk.Target(444.55))
        assert round(result.score, 2) == 444.54


def test_an_instance_travels_in_the_parameters():
    problem = TSPTW.build(SMALL, pull=2.0)
    assert problem.parameters() == {"instance": SMALL, "penalty": 1e6, "pull": 2.0}


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        ("x / 1 /", 'line 1: the number of cities must be 2 to 32767, got "x"'),
        ("2 / 0 1 / 1 0 / 0 9 /", "line 1: after it there must be 2 rows of distances and 2 time windows, got 3 lines"),
        ("2 / 0 1 / 1 / 0 9 / 0 9 /", "line 3: there must be 2 numbers, a row of distances, got 1"),
        ("2 / 0 nan / 1 0 / 0 9 / 0 9 /", 'line 2: a number is expected, got "nan"'),
        ("2 / 0 -1 / 1 0 / 0 9 / 0 9 /", "line 2: a distance or a time must not be negative, got -1"),
        ("2 / 0 1 / 1 0 / 0 9 / 7 5 /", 'line 5: a city must be ready before it is due, got "7 and 5"'),
    ],
)
def test_a_bad_instance_is_refused_with_its_line(instance, message):
    with pytest.raises(rk.InputError, match=f"the instance is not a TSP with time windows: {message}"):
        TSPTW.build(instance)


def test_a_size_beside_an_instance_is_refused():
    with pytest.raises(rk.InputError, match="n is for instances made at random, and instance was given; got n 5"):
        TSPTW.build(SMALL, n=5)
