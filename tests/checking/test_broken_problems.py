"""Every mistake that a check promises to find is found, and named."""

from __future__ import annotations

import numba
import pytest

import rookery as rk
from checking.broken_problems import (
    CASES,
    PYTHON_CASES,
    ArrayState,
    BigHash,
    Bits,
    CodesComeBack,
    DividesByZero,
    HidesIndex,
    Letters,
    Narrow,
    NeverReturns,
    NotCompilable,
    OneCode,
    WrapsInALoop,
)
from rookery.testing import CheckError, check_problem, examine

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there is nothing compiled to compare with")
QUICK = {"playouts": 40, "measure": False}


def assert_found(report, name, function, words):
    where = f"{report.problem}.{function}" if function else ""
    found = [finding for finding in report.findings if (finding.name, finding.function) == (name, where)]
    assert len(found) == 1, str(report)
    for word in words:
        assert word in found[0].text, str(report)
    return found[0]


@pytest.mark.parametrize("claim", CASES)
def test_it_is_found_without_compiling(claim):
    cls, name, function, words = CASES[claim]
    report = examine(cls(), **QUICK)
    assert not report.ok
    assert_found(report, name, function, words)
    assert report.measures is None


@pytest.mark.parametrize("claim", PYTHON_CASES)
def test_it_is_found_in_plain_python(claim):
    cls, name, function, words = PYTHON_CASES[claim]
    report = examine(cls(), **QUICK)
    assert report.ok == (name == "codes-come-back")
    assert_found(report, name, function, words)


@compiled
def test_codes_that_come_back_are_a_warning_with_the_step_and_a_start_that_needs_zeros_a_note():
    report = examine(CodesComeBack(), **QUICK)
    finding = assert_found(report, "codes-come-back", "code", ("chosen by move 1", "after 1 moves"))
    assert report.ok
    assert len(finding.playout) == 1
    assert_found(report, "start-relies-on-zeros", "start", ("ones is set differently",))


@compiled
def test_narrow_arithmetic_is_a_warning_and_the_compiled_function_is_right():
    report = examine(Narrow(), **QUICK)
    assert report.ok, str(report)
    assert_found(report, "narrow-arithmetic", "play", ("set ones to 144", "give 400", "int(...)"))
    assert_found(report, "narrow-arithmetic", "score", ("OverflowError", "s.chosen[0] * 300"))


@compiled
def test_a_compiled_function_that_differs_is_named_with_both_values():
    finding = assert_found(examine(BigHash(), **QUICK), "compiled-differs", "code", ("compiled", "interpreted"))
    assert finding.text.startswith("code of the move 0 is ")


@compiled
def test_an_index_past_the_end_in_compiled_code_alone_is_found():
    report = examine(HidesIndex(), **QUICK)
    assert_found(report, "compiled-exception", "score", ("IndexError",))


@compiled
def test_an_exception_of_compiled_code_alone_is_found_where_it_is_raised():
    report = examine(DividesByZero(), **QUICK)
    assert_found(report, "compiled-exception", "score", ("ZeroDivisionError",))


@compiled
def test_what_cannot_be_compiled_is_an_error_of_the_check():
    report = examine(NotCompilable(), **QUICK)
    assert [finding.name for finding in report.errors] == ["compile-error"]


@pytest.mark.timing
def test_a_function_that_never_returns_is_interrupted_at_its_line():
    report = examine(NeverReturns(), **QUICK, seconds=0.1)
    assert_found(report, "does-not-return", "play", ("did not return", "at ", "broken_problems.py:"))


@compiled
def test_a_loop_that_ends_only_because_a_byte_wraps_around_does_not_stop_the_check():
    report = examine(WrapsInALoop(), **QUICK)
    assert_found(report, "not-compared", "start", ("did not return",))
    assert report.ok
    assert report.playouts == 40


def test_a_finding_has_the_shortest_playout_that_shows_it():
    report = examine(CASES["an exception in play"][0](), **QUICK)
    assert len(report.errors[0].playout) == 4


def test_an_allowed_error_is_a_warning():
    report = examine(OneCode(), **QUICK, allow=["codes-not-distinct"])
    assert report.named("codes-not-distinct")[0].level == "warning"
    assert report.ok


def test_an_unknown_name_to_allow_is_refused():
    with pytest.raises(rk.InputError, match="allow must name errors of a check, got 'codes'; there are bad-problem, "):
        examine(Bits(), allow=["codes"])


def test_check_problem_raises_with_every_error_in_its_text():
    with pytest.raises(CheckError, match="Bits|breaks its contract") as caught:
        check_problem(CASES["a score that depends on how often it was asked for"][0](), **QUICK)
    assert "not-deterministic" in str(caught.value)
    assert "writes-globals" in str(caught.value)
    assert isinstance(caught.value, AssertionError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playouts": 0}, "playouts must be at least 8, got 0"),
        ({"seconds": 0}, "seconds must be more than 0, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(rk.InputError, match=message):
        examine(Bits(), **options)


def test_what_is_no_problem_is_refused():
    with pytest.raises(rk.InputError, match="problem must be a Problem or a PythonProblem, got 3"):
        check_problem(3)


def test_what_is_neither_a_problem_nor_a_game_is_refused():
    with pytest.raises(rk.InputError, match="what is checked must be a problem or a game, got 3"):
        examine(3)


def test_a_sound_problem_in_plain_python_has_no_findings():
    assert examine(Letters(), playouts=40).findings == ()


def test_a_change_that_only_the_pickle_of_a_state_shows_is_a_warning():
    problem = ArrayState()
    assert examine(problem, **QUICK).findings == ()
    problem.changing = True
    report = examine(problem, **QUICK)
    assert report.ok
    assert_found(report, "state-changed", "moves", ("pickle",))
