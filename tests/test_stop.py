"""Stop criteria as values."""

from __future__ import annotations

import math

import pytest

import rookery as rk


def test_criteria_compose():
    stop = rk.MaxTime(60) | rk.Target(82) | rk.NoImprovement(50)
    assert (stop.time, stop.target, stop.no_improvement) == (60, 82, 50)


def test_two_different_limits_of_one_kind_are_refused():
    with pytest.raises(rk.InputError, match="two limits on time: 1.0 and 2.0"):
        rk.MaxTime(1) | rk.MaxTime(2)


def test_no_limit_is_false():
    assert not rk.Stop()
    assert rk.MaxPlayouts(1)


@pytest.mark.parametrize(
    ("make", "value", "message"),
    [
        (rk.MaxTime, 0, "time must be more than 0 seconds, got 0"),
        (rk.MaxTime, -1, "time must be more than 0 seconds, got -1"),
        (rk.MaxTime, math.nan, "time must be a finite number, got nan"),
        (rk.MaxTime, "1", "time must be a finite number, got '1'"),
        (rk.MaxPlayouts, 0, "playouts must be at least 1, got 0"),
        (rk.MaxPlayouts, 1.5, "playouts must be a whole number, got 1.5"),
        (rk.MaxIterations, 0, "iterations must be at least 1, got 0"),
        (rk.Target, math.nan, "target must be a finite number, got nan"),
        (rk.Target, math.inf, "target must be a finite number, got inf"),
        (rk.Target, 10**400, "target must be a finite number, got 1000"),
        (rk.NoImprovement, 0, "iterations without improvement must be at least 1, got 0"),
        (rk.MaxTime, None, "time must be a number, got None"),
        (rk.MaxTime, 10**400, "time must be a finite number, got 1000"),
        (rk.MaxPlayouts, None, "playouts must be a number, got None"),
        pytest.param(rk.MaxPlayouts, 10**5000, "playouts must be at most 1152921504606846976, got <int>", id="huge"),
        (rk.Target, None, "target must be a number, got None"),
    ],
)
def test_bad_limits_are_refused(make, value, message):
    with pytest.raises(rk.InputError, match=message):
        make(value)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time": -1}, "time must be more than 0 seconds, got -1"),
        ({"time": "soon"}, "time must be a finite number, got 'soon'"),
        ({"playouts": 0}, "playouts must be at least 1, got 0"),
        ({"iterations": 1.5}, "iterations must be a whole number, got 1.5"),
        ({"target": math.nan}, "target must be a finite number, got nan"),
        ({"no_improvement": True}, "iterations without improvement must be a whole number, got True"),
    ],
)
def test_limits_are_checked_however_they_are_given(limits, message):
    with pytest.raises(rk.InputError, match=message):
        rk.Stop(**limits)


def test_limits_given_directly_are_those_given_by_name():
    assert rk.Stop(time=60, target=82) == rk.MaxTime(60) | rk.Target(82)
    assert type(rk.Stop(time=60).time) is float


# --- a condition of the user's own ---

LEFT, NRPA = rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_condition_stops_at_the_same_place_for_any_number_of_workers(workers):
    stop = rk.StopWhen(lambda progress: progress.iteration >= 7)
    result = rk.solve(LEFT, NRPA, seed=1, stop=stop, workers=workers, atomic_level=1)
    assert (result.iterations, result.status) == (7, "condition")
    assert result.status_in_words == "the condition is met"


def test_a_condition_composes_with_limits():
    stop = rk.StopWhen(lambda progress: False) | rk.MaxPlayouts(50)
    result = rk.solve(LEFT, NRPA, seed=1, stop=stop)
    assert (result.playouts, result.status) == (50, "playouts")


def test_a_condition_is_no_part_of_a_checkpoint_and_can_be_given_again(tmp_path):
    path = tmp_path / "run.ckpt"
    rk.solve(LEFT, NRPA, seed=1, stop=rk.StopWhen(lambda p: p.iteration >= 2), checkpoint=path, restarts=False)
    assert rk.Checkpoint.load(path).stop["when"] is None
    again = rk.resume(path, stop=rk.StopWhen(lambda p: p.iteration >= 4))
    assert (again.iterations, again.status) == (4, "condition")
    assert rk.resume(path, stop=rk.Stop()).status == "finished"


def test_what_a_condition_raises_ends_the_run_with_the_best_so_far():
    def broken(progress):
        if progress.tasks:
            raise ZeroDivisionError("no answer")

    with pytest.raises(ZeroDivisionError, match="no answer") as caught:
        rk.solve(LEFT, NRPA, seed=1, stop=rk.StopWhen(broken))
    assert caught.value.best_so_far.playouts > 0


@pytest.mark.parametrize("condition", [None, 5])
def test_a_condition_must_be_a_function(condition):
    with pytest.raises(rk.InputError, match=f"a condition must be a function .*, got {condition}"):
        rk.StopWhen(condition)
