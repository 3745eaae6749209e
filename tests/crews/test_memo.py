"""Outcomes are kept in few bytes and come back as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.crews.memo import Memo
from rookery.search.nrpa import NRPA
from rookery.search.nrpa_tasks import NRPATask
from rookery.tasks import Outcome, Sequence, Weights

WORDS = st.integers(-(1 << 63), (1 << 64) - 1)
MOVES = st.lists(st.one_of(WORDS, st.booleans(), st.text(max_size=3), st.tuples(WORDS)), max_size=5).map(tuple)
SCORES = st.floats(allow_nan=False, width=64)


def outcome(moves=(1, 2), codes=(3, 4), score=5.0, improvements=((1, 5.0),), **other):
    values = {"playouts": 9, "finished": True, "reached_target": False, "seconds": 0.25} | other
    return Outcome(sequence=Sequence(score, moves, codes), improvements=improvements, **values)


def task(codes=(1, 2), weights=(0.5, 1.5), **other):
    policy = Weights(np.array(codes, np.uint64), np.array(weights))
    values = {"search": NRPA(level=1, iterations=9), "key": 7, "level": 1} | other
    return NRPATask(policy=policy, **values)


@given(
    moves=MOVES,
    codes=st.lists(WORDS, max_size=5).map(tuple),
    score=SCORES,
    improvements=st.lists(st.tuples(st.integers(1, 1 << 62), SCORES), max_size=4).map(tuple),
    playouts=st.integers(0, 1 << 62),
    finished=st.booleans(),
    reached_target=st.booleans(),
)
def test_an_outcome_comes_back_as_it_was_kept(moves, codes, score, improvements, **other):
    memo = Memo()
    kept = outcome(moves, codes, score, improvements, **other)
    memo.keep(b"name", kept)
    found = memo.find(b"name")
    assert found == kept
    assert list(map(type, found.sequence.moves)) == list(map(type, moves))


def test_an_outcome_without_a_sequence_comes_back():
    memo = Memo()
    memo.keep(b"name", kept := Outcome(None, 0, (), False, False))
    assert memo.find(b"name") == kept


def test_a_long_game_fits_in_a_kilobyte():
    memo = Memo()
    rising = tuple((i, float(60 + i)) for i in range(20))
    memo.keep(b"name", outcome(tuple(range(5000, 5150)), tuple(range(300, 450)), 150.0, rising))
    assert len(memo._outcomes[b"name"]) < 1000


@pytest.mark.parametrize(
    "other",
    [
        task(key=8),
        task(level=2),
        task(budget=5),
        task(codes=(1, 3)),
        task(weights=(0.5, 1.25)),
        task(codes=(1,), weights=(0.5,)),
    ],
)
def test_tasks_that_differ_have_different_names(other):
    memo = Memo()
    assert memo.name(other) != memo.name(task())
    assert memo.name(task()) == memo.name(task())


def test_codes_of_any_kind_tell_policies_apart():
    memo = Memo()
    weights = np.ones(1)
    names = {memo.name(replace(task(), policy=Weights([code], weights))) for code in ((0, "a"), (0, "b"), "a", 0.5)}
    assert len(names) == 4
