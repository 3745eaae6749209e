"""Colouring, independent sets and the graphs for them, against exhaustive search."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import rookery as rk
from rookery.errors import IllegalSolution
from rookery.problems.graphs import given_graph
from rookery.testing import check_problem

Colouring, IndependentSet = rk.problems.Colouring, rk.problems.IndependentSet
NRPA = rk.NRPA(level=3, iterations=20)


def colours_needed(joined):
    """The least number of colours, by trying."""

    def fits(colours, of):
        v = len(of)
        if v == len(joined):
            return True
        near = {of[w] for w in range(v) if joined[v, w]}
        return any(fits(colours, [*of, c]) for c in range(min(colours, max(of, default=-1) + 2)) if c not in near)

    return next(k for k in range(1, len(joined) + 1) if fits(k, []))


def largest_set(joined):
    """The size of the largest independent set, by trying."""
    n = len(joined)
    sizes = range(n, 0, -1)
    return next(k for k in sizes if any(not joined[np.ix_(s, s)].any() for s in combinations(range(n), k)))


@pytest.mark.parametrize("graph", ["mycielski4", "random10-40", "random10-70"])
def test_nrpa_needs_as_many_colours_as_the_graph(graph):
    problem = Colouring.build(graph)
    assert rk.solve(problem, NRPA, seed=1, stop=rk.MaxPlayouts(2000)).score == colours_needed(problem.joined)


@pytest.mark.parametrize(("graph", "colours"), [("mycielski5", 5), ("queen5", 5), ("queen6", 7)])
def test_the_chromatic_number_of_a_known_graph_is_found(graph, colours):
    result = rk.solve(Colouring.build(graph, colours), NRPA, seed=1, stop=rk.Target(colours))
    assert result.score == colours


def test_too_few_colours_give_the_rest_colours_of_their_own():
    triangle = "p edge 3 3 / e 1 2 / e 1 3 / e 2 3 /"
    assert rk.solve(Colouring.build(triangle, 1), rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).score == 3


@pytest.mark.parametrize("seed", [1, 2])
def test_nrpa_finds_the_largest_independent_set(seed):
    problem = IndependentSet.build("random12-40", seed)
    assert rk.solve(problem, NRPA, seed=1, stop=rk.MaxPlayouts(2000)).score == largest_set(problem.joined)


def test_the_largest_code_of_eight_bits_and_distance_four_has_sixteen_words():
    result = rk.solve(IndependentSet.build("hamming8-4"), NRPA, seed=1, stop=rk.Target(16))
    assert result.score == 16


@pytest.mark.parametrize("problem", [Colouring.build("mycielski4"), IndependentSet.build("random12-40")], ids=repr)
def test_it_keeps_its_contract(problem):
    check_problem(problem, playouts=40, measure=False)


def test_a_colouring_with_an_edge_of_one_colour_breaks_a_rule():
    with pytest.raises(IllegalSolution, match="vertices 1 and 2 are joined, and both have colour 1"):
        Colouring.build("p edge 3 1 / e 1 2").read("1 1 2")


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ("queen99", "graph must be of a size that can be made, such as queen1 to queen64, got queen99"),
        ("quean5", "graph must be mycielski2 to .*, or a file in DIMACS format: cannot read quean5"),
        ("e 1 2 /", "line 1: the line p edge N M must come before edges"),
        ("c a / p edge x 1 /", 'line 2: the number of vertices must be 1 to 4096, got "x"'),
        ("p edge 2 1 / e 1 3 /", 'line 2: a vertex must be 1 to 2, got "3"'),
        ("p edge 2 1 / e 1 1 /", "line 2: an edge must have two different vertices"),
        ("p edge 2 1 / f 1 1 /", 'line 2: a line must begin with c, p or e, got "f"'),
        ("c nothing /", "it has no line p edge N M"),
    ],
)
def test_a_bad_graph_is_refused_in_one_sentence(graph, message):
    with pytest.raises(rk.InputError, match=message):
        given_graph(graph, 0)


def test_a_graph_in_a_file_travels_in_the_parameters(tmp_path):
    (tmp_path / "a.col").write_text("c a path\np edge 3 2\ne 1 2\ne 3 2\n")
    problem = IndependentSet.build(str(tmp_path / "a.col"))
    assert problem.parameters() == {"graph": "p edge 3 2 / e 1 2 / e 2 3 /"}
    assert (IndependentSet.build(**problem.parameters()).joined == problem.joined).all()
