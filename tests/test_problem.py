"""The contract of problems: limits, layout, parameters, hooks."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import rookery as rk
from rookery.compiler.layout import state_dtype


def test_capacity_is_the_next_power_of_two():
    assert [rk.capacity(n) for n in (0, 1, 2, 3, 50, 64, 65)] == [1, 1, 2, 4, 64, 64, 128]


def test_capacity_refuses_negative_sizes():
    with pytest.raises(rk.InputError, match="capacity must be at least 0, got -1"):
        rk.capacity(-1)


@pytest.mark.parametrize("name", ["moves", "length", "codes"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "many", None])
def test_limits_must_be_whole_numbers_of_at_least_one(name, value):
    with pytest.raises(rk.ProblemError, match=f"{name} must be a whole number of at least 1, got"):
        rk.Limits(**{"moves": 1, "length": 1, "codes": 1, name: value})


def test_too_many_codes_get_the_advice_to_hash():
    with pytest.raises(rk.ProblemError, match='use codes="hashed"'):
        rk.Limits(moves=1, length=1, codes=2**31)


def test_numpy_integers_are_whole_numbers():
    assert rk.Limits(moves=np.int64(3), length=1, codes=1).moves == 3


def test_a_problem_is_frozen():
    problem = rk.problems.LeftMove(depth=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.depth = 4


def test_sense_must_be_max_or_min():
    with pytest.raises(rk.ProblemError, match='sense must be "max" or "min", got \'down\''):

        class Wrong(rk.Problem):
            sense = "down"


def test_repr_shows_arrays_by_their_shape():
    assert repr(rk.problems.TSP.build(n=5)) == "TSP(distance=<5x5 float64>, undirected=False, points=<5x2 float64>)"


def test_parameters_are_the_arguments_of_build():
    assert rk.problems.TSP.build(7, seed=3).parameters() == {"n": 7, "seed": 3}


def test_parameters_without_build_are_the_plain_fields():
    assert rk.problems.LeftMove(depth=5).parameters() == {"depth": 5}
    assert rk.games.Knightthrough(6, 5).parameters() == {"width": 6, "height": 5}  # not what its class says


@pytest.mark.parametrize("spec", ["nonsense", ("i4", -1), "U5", "O"])
def test_layout_refuses_what_is_not_a_number(spec):
    class Broken(rk.Problem):
        def layout(self):
            return {"field": spec}

    with pytest.raises(rk.ProblemError, match=r"Broken.layout\(\) at .*: field 'field'"):
        state_dtype(Broken())


def test_layout_must_have_a_field():
    class Empty(rk.Problem):
        def layout(self):
            return {}

    with pytest.raises(rk.ProblemError, match="at least one field"):
        state_dtype(Empty())


def test_missing_functions_are_named():
    class Half(rk.Problem):
        def limits(self):
            return rk.Limits(moves=1, length=1, codes=1)

        def layout(self):
            return {"x": "i8"}

    with pytest.raises(rk.ProblemError, match="Half must define start"):
        rk.replay(Half(), [])


def test_scores_are_written_as_people_write_them():
    problem = rk.problems.LeftMove()
    assert [problem.format_score(x) for x in (82.0, 2.5, 1e20)] == ["82", "2.5", "1e+20"]


def test_a_class_without_a_constructor_takes_no_arguments():
    class Plain(rk.PythonProblem):
        def start(self):
            return ()

    Plain()
    with pytest.raises(TypeError, match=r"Plain\(\) takes no arguments"):
        Plain(n=3)
