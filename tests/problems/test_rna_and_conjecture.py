"""Problems that call other libraries: inverse folding with ViennaRNA, conjectures with NetworkX."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import rookery as rk
from rookery.errors import IllegalSolution
from rookery.problems.rna import LIKELY, TARGETS, partners
from rookery.testing import check_problem

InverseRNA, GraphConjecture = rk.problems.InverseRNA, rk.problems.GraphConjecture


@pytest.mark.parametrize("target", ["bulge", "fork", "clover"])
def test_a_strand_is_found_that_folds_into_the_target(target):
    rna = pytest.importorskip("RNA")
    problem = InverseRNA(target)
    result = rk.solve(problem, rk.NRPA(level=2), seed=1, stop=rk.MaxPlayouts(3000) | rk.Target(0))
    assert result.score == 0
    assert rna.fold(problem.strand(result.moves))[0] == TARGETS[target]
    assert problem.read(problem.write(result.moves)) == result.moves


def test_a_strand_without_pairs_misses_all_of_the_target():
    pytest.importorskip("RNA")
    assert math.floor(InverseRNA("((((....))))").score("AUAUAUAU" + "AAAA")) == 4


def test_the_bias_prefers_stable_pairs():
    problem = InverseRNA("((...))")
    assert problem.bias("", "GC") == problem.bias("", "CG") > problem.bias("", "AU") > problem.bias("", "GU")
    assert sum(LIKELY[base] for base in "ACGU") == pytest.approx(1)
    assert InverseRNA("((...))", weight=0).bias("", "GC") == 0


def test_puzzles_are_read_from_columns_between_tabs(tmp_path):
    file = tmp_path / "puzzles.tsv"
    file.write_text("Puzzle #\tName\tSecondary Structure\tSolvers\n1\tOne\t(((...)))\t7\n2\tTwo\t((....))\t9\n")
    assert InverseRNA(str(file), index=2).target == "((....))"
    with pytest.raises(rk.InputError, match="index must be 1 to 2, the puzzles in .*, got 3"):
        InverseRNA(str(file), index=3)
    file.write_text("1\tOne\t(((...)))\n2\tTwo\t((x))\n")
    with pytest.raises(rk.InputError, match="line 2: no column has dots and brackets alone"):
        InverseRNA(str(file))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("(...", r"a target must have a bracket \) for each \(, place 1 has none"),
        ("...)", r"a target must have a bracket \( for each \), place 4 has none"),
        ("(..)", "a target must have three bases within each pair, place 4 has fewer"),
    ],
)
def test_a_shape_that_no_strand_has_is_refused(shape, message):
    with pytest.raises(rk.InputError, match=message):
        partners(shape)


def test_the_conjecture_is_refuted_by_a_tree_of_nineteen_vertices():
    pytest.importorskip("networkx")
    problem = GraphConjecture(n=19)
    result = rk.solve(problem, rk.NRPA(level=2), seed=2, stop=rk.MaxPlayouts(5000) | rk.Target(1e-6))
    assert result.score > 0
    matrix = np.zeros((19, 19))
    for child, parent in enumerate(result.moves, 1):
        matrix[child, parent] = matrix[parent, child] = 1
    free, matching = set(range(19)), 0
    for child in range(18, 0, -1):  # from the leaves up: a vertex is matched with the one above it if both are free
        parent = result.moves[child - 1]
        if child in free and parent in free:
            free -= {child, parent}
            matching += 1
    assert np.linalg.eigvalsh(matrix)[-1] + matching < math.sqrt(18) + 1


def test_a_tree_is_read_from_edges_in_any_order():
    assert GraphConjecture(n=4).read("3 1\n0 3\n2 0") == (0, 1, 0)
    with pytest.raises(IllegalSolution, match="the edges must make a tree with vertex 0 in it, got 3 edges"):
        GraphConjecture(n=4).read("0 1\n1 2\n2 0")
    with pytest.raises(rk.InputError, match="line 1: an edge must have two different vertices"):
        GraphConjecture(n=4).read("0 0")


@pytest.mark.parametrize("problem", [InverseRNA("hairpin"), GraphConjecture(6)], ids=["rna", "conjecture"])
def test_it_keeps_its_contract(problem):
    pytest.importorskip("RNA")
    pytest.importorskip("networkx")
    check_problem(problem, playouts=10, measure=False)


@pytest.mark.parametrize(
    ("problem", "module", "state", "message"),
    [
        (InverseRNA("hairpin"), "RNA", "GCGCGCGCAAAA", r"needs ViennaRNA: pip install 'rookery\[rna\]'"),
        (GraphConjecture(3), "networkx", (0, 0), r"need NetworkX: pip install 'rookery\[graphs\]'"),
    ],
    ids=["rna", "conjecture"],
)
def test_a_missing_library_is_one_sentence_with_the_extra(problem, module, state, message, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(rk.InputError, match=message):
        problem.score(state)
