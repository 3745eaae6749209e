"""Random streams and the exponential: compiled and plain versions agree, and behave as they should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery import rng

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")  # interpreted words wrap around
KEYS = st.integers(0, 2**64 - 1)


@given(KEYS)
def test_compiled_stream_draws_what_the_plain_one_draws(key):
    words = np.zeros(4, np.uint64)
    rng.seed_stream(words, np.uint64(key))
    stream = rng.Stream(key)
    for _ in range(20):
        assert int(rng.next_word(words)) == stream.next_word()
    assert rng.uniform(words) == stream.uniform()
    assert rng.below(words, 7) == stream.below(7)
    assert [int(word) for word in words] == stream.words


@given(KEYS, st.integers(0, 2**40))
def test_compiled_mix_is_the_plain_mix(key, index):
    assert int(rng.mix(np.uint64(key), index)) == rng.mix_int(key, index)


@given(KEYS)
def test_children_of_a_key_have_different_keys(key):
    assert len({rng.mix_int(key, i) for i in range(1000)}) == 1000


@given(st.floats(-800, 800))
def test_compiled_exp_is_the_plain_exp(x):
    values = np.array([x])
    rng.exp_all(values, 1)
    assert rng.exp(x) == rng.exp_float(x) == values[0]


@given(st.floats(-600, 600))
def test_exp_is_exact_to_a_few_units_in_the_last_place(x):
    assert abs(rng.exp_float(x) / math.exp(x) - 1) < 1e-15


def test_exp_is_cut_where_sums_could_overflow():
    assert rng.exp_float(1e9) == rng.exp_float(rng.EXP_RANGE)
    assert 0 < rng.exp_float(-1e9) == rng.exp_float(-rng.EXP_RANGE)


def test_known_words_of_version_1():
    # A change here changes every result: raise STREAM_VERSION with it.
    stream = rng.Stream(rng.root_key(1))
    assert rng.STREAM_VERSION == 1
    assert [stream.next_word() for _ in range(2)] == [17742177484197673939, 5821199528077784338]


def test_below_is_uniform():
    # Chi-square with 9 degrees of freedom: 33.7 is exceeded with probability 1e-4; the seed is fixed.
    stream = rng.Stream(rng.root_key(2))
    counts = np.bincount([stream.below(10) for _ in range(20_000)], minlength=10)
    assert ((counts - 2000) ** 2 / 2000).sum() < 33.7


def test_uniform_stays_below_one_and_has_the_right_mean():
    stream = rng.Stream(rng.root_key(3))
    values = [stream.uniform() for _ in range(20_000)]
    assert min(values) >= 0
    assert max(values) < 1
    assert abs(np.mean(values) - 0.5) < 4 * math.sqrt(1 / 12 / 20_000)
