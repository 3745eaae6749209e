"""Layouts: a field of the state may have any name, compiled, interpreted and checked."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import rookery as rk
from rookery.compiler.layout import record_dtype, state_dtype
from rookery.engine.interpreted import Interpreted

ALL = sorted({name for cls in (np.record, np.ndarray) for name in dir(cls) if not name.startswith("_")})
"""What records and arrays of NumPy have as attributes."""
NAMES = ("T", "base", "copy", "data", "dtype", "getfield", "item", "max", "shape", "size", "sum", "tobytes", "view")

SOURCE = f"""
import rookery as rk

class Named(rk.Problem):
    def limits(self):
        return rk.Limits(moves=2, length=4, codes=8)
    def layout(self):
        return {{"step": "i8", "cells": ("i2", 4), "taken": ("b1", 4), **{dict.fromkeys(NAMES, "i8")!r}}}
    def start(self, s):
        {"; ".join(f"s.{name} = {i}" for i, name in enumerate(NAMES))}
    def moves(self, s, out):
        out[0] = 0
        out[1] = 1
        return 2 if s.step < 4 else 0
    def code(self, s, move):
        return 2 * s.step + move
    def play(self, s, move):
        s.taken[s.step] = not s.taken[s.step] and move == 1
        s.step += 1
        {"; ".join(f"s.{name} += move * (s.step + {i % 3})" for i, name in enumerate(NAMES))}
    def score(self, s):
        return {" + ".join(f"s.{name}" for name in NAMES)} + 2 * s.taken[0] + s.taken[3]
"""


def named() -> Any:
    file = "<fields of any name>"
    linecache.cache[file] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(SOURCE, file, "exec"), scope)
    return scope["Named"]()


@pytest.fixture(scope="module")
def problem() -> Any:
    return named()


@pytest.mark.parametrize("name", ALL)
def test_a_field_comes_before_what_records_have(name: str) -> None:
    states = np.zeros(2, record_dtype(np.dtype([("before", "i8"), (name, "i4", 3)])))
    state = states[0]
    getattr(state, name)[1] += 7
    states[1] = states[0]
    setattr(state, name, 0)
    assert (states[1][name].tolist(), states[0][name].tolist()) == ([0, 7, 0], [0, 0, 0])


def test_the_names_are_among_them() -> None:
    assert set(NAMES) < set(ALL)


def test_a_field_of_any_name_is_the_same_compiled_and_interpreted(problem: Any) -> None:
    search = rk.NRPA(level=1, iterations=10)
    compiled, plain = (rk.solve(p, search, seed=1) for p in (problem, Interpreted(problem)))
    assert (compiled.score, compiled.moves) == (plain.score, plain.moves)
    gained = sum(step + i % 3 for step in range(1, 5) for i in range(len(NAMES)))
    taken = 2 + 1  # by the first and the last move
    assert compiled.score == sum(range(len(NAMES))) + gained + taken


def test_a_field_of_any_name_is_checked(problem: Any) -> None:
    report = rk.testing.examine(problem, playouts=10, measure=False)
    assert report.ok, str(report)


def test_an_array_of_booleans_counts_as_numbers_of_one_byte(problem: Any) -> None:
    assert state_dtype(problem)["taken"] == np.dtype(("u1", 4))


def test_a_name_of_pythons_own_is_refused() -> None:
    class Hidden(rk.Problem):
        def layout(self) -> Any:
            return {"__class__": "i8"}

    with pytest.raises(rk.ProblemError, match="field '__class__' must not begin with two underscores"):
        state_dtype(Hidden())
