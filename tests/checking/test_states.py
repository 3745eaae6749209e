"""States in plain Python behave as records do, and say what changed."""

from __future__ import annotations

import numpy as np
import pytest

from checking.broken_problems import Bits
from rookery.checking.objects import Comparer
from rookery.checking.states import States, bytes_of, record_of, state_class
from rookery.compiler.layout import state_dtype

MIXED = np.dtype((np.record, np.dtype([("a", "u1"), ("b", "f4"), ("c", "i2", (2, 3)), ("d", "?")], align=True)))


def test_a_write_to_a_field_is_a_write_to_the_record():
    state = state_class(MIXED)(np.zeros(1, MIXED))
    state.a = 7
    state.c[1, 2] = -3
    state.c[0] = 5
    state.d = True
    record = record_of(state)
    assert (record.a, record.d, record.c.tolist()) == (7, True, [[5, 5, 5], [0, 0, -3]])


def test_a_field_that_is_read_has_the_type_of_the_layout():
    state = state_class(MIXED)(np.zeros(1, MIXED))
    assert type(state.a) is np.uint8
    assert state.c.dtype == np.int16


def test_a_field_that_is_not_there_is_an_error():
    state = States(state_dtype(Bits())).new()
    with pytest.raises(AttributeError, match="setp"):
        state.setp = 1


def test_a_copy_is_equal_and_apart():
    states = States(MIXED)
    state = states.new(3)
    copy = states.copy(state)
    assert bytes_of(copy) == bytes_of(state)
    copy.c[0, 0] = 9
    assert states.differences(state, copy) == [("c[0, 0]", "3", "9")]


def test_a_value_that_does_not_fit_is_named_and_cut_to_size_when_assigned():
    states = States(MIXED)
    state = states.new()
    wide = states.widen(state)
    wide.a = 300
    assert states.overflowed(state, wide) == ("a", "u1", "300")
    states.assign(state, wide)
    assert state.a == 44


@pytest.mark.parametrize(
    ("state", "by"),
    [([1], "equality"), ("ab", "equality"), (np.zeros(3), "pickle"), (Comparer("x"), "pickle"), (iter, "equality")],
)
def test_states_are_compared_by_what_they_have(state, by):
    assert Comparer(state).by == by


def test_a_state_that_has_neither_equality_nor_pickle_is_not_compared():
    comparer = Comparer(x for x in "ab")
    assert comparer.by == "nothing"
    assert comparer.same(1, comparer.remember(2))
