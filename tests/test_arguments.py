"""Parameters of searches: each mistake is one sentence, however large or odd the value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rookery as rk
from rookery.arguments import finite, shown, tie_number, whole

HUGE = 10**5000  # more digits than Python turns into text


class Unspoken:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (HUGE, r"level must be at most 30, got <int>"),
        (-HUGE, r"level must be at least 1, got <int>"),
        (10**70, r"level must be at most 30, got 10{56}\.\.\."),
        (True, r"level must be a whole number, got True"),
        (2.0, r"level must be a whole number, got 2\.0"),
        ("2", r"level must be a whole number, got '2'"),
        (None, r"level must be a whole number, got None"),
        (np.arange(3), r"level must be a whole number, got array\(\[0, 1, 2\]\)"),
        (np.zeros((2, 2)), r"level must be a whole number, got array\(\[\[0., 0.\], \[0., 0.\]\]\)"),
        (Unspoken(), r"level must be a whole number, got <Unspoken>"),
    ],
    ids=shown,
)
def test_a_whole_number_out_of_range_is_refused(value: Any, message: str) -> None:
    with pytest.raises(rk.InputError, match=f"^{message}$"):
        whole("level", value, 1, 30)


def test_a_whole_number_of_numpy_is_one() -> None:
    assert type(whole("level", np.uint8(3), 1)) is int


@pytest.mark.parametrize(
    "value", [10**400, -HUGE, Fraction(10**400), float("nan"), float("inf"), "1", True, None, [1]], ids=shown
)
def test_what_is_not_a_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(rk.InputError, match=r"^alpha must be a finite number, got ") as caught:
        finite("alpha", value)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.int64(3), Fraction(1, 2)], ids=shown)
def test_numbers_of_all_kinds_are_finite_numbers(value: Any) -> None:
    assert finite("alpha", value) == float(value)


@pytest.mark.parametrize(
    "rule", ["", "=>", 1, 1.0, -0.1, True, None, HUGE, float("nan"), np.array([0.1, 0.2]), [">"]], ids=shown
)
def test_what_is_not_a_tie_rule_is_refused(rule: Any) -> None:
    with pytest.raises(rk.InputError, match=r'^a tie rule must be ">=", ">" or a fraction in \[0, 1\), got '):
        tie_number(rule)


def test_a_value_of_many_lines_is_shown_in_one() -> None:
    assert shown("a\nb") == r"'a\nb'"
    assert "\n" not in shown(np.zeros((3, 3)))
