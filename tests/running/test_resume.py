"""A run that is resumed from its checkpoint ends as if it had never been interrupted."""

from __future__ import annotations

import errno
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.disk import writing as files
from rookery.running.checkpoint import Checkpoint

LEFT, SACK, WORDS = rk.problems.LeftMove(depth=60), Knapsack.build(20), Words("abcdefgh", 6)
NRPA = rk.NRPA(level=3, iterations=8, ties={3: 0.3, 2: 0.3})
CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "nrpa": (LEFT, NRPA, {}),
    "nrpa by the table": (LEFT, NRPA, {"select": "table"}),
    "nrpa by the literal table": (LEFT, NRPA, {"select": "literal"}),
    "nrpa with hashed codes": (SACK, rk.NRPA(level=3, iterations=6), {}),
    "nrpa in python": (WORDS, rk.NRPA(level=3, iterations=5), {}),
    "nrpa, restarts": (LEFT, rk.NRPA(level=2, iterations=12), {"stop": rk.MaxPlayouts(1001)}),
    "nrpa, runs": (LEFT, rk.NRPA(level=2, iterations=12), {"restarts": 6}),
    "nrpa, patience": (LEFT, NRPA, {"stop": rk.NoImprovement(9)}),
    "nrpa, a start and a policy": (
        LEFT,
        rk.NRPA(level=3, iterations=5),
        {"start_from": [0, 1], "warm_start": [0, 1] * 30, "restarts": 4},
    ),
    "nmcs": (SACK, rk.NMCS(level=2), {}),
    "nmcs, the last best": (SACK, rk.NMCS(level=2, memorise=False, ties="random"), {}),
    "lazy nmcs": (WORDS, rk.LazyNMCS(level=2, playouts=1), {}),
    "beam, restarts": (WORDS, rk.BeamSearch(width=2), {"stop": rk.MaxPlayouts(2001)}),
    "nmcs, restarts": (SACK, rk.NMCS(level=1), {"stop": rk.MaxPlayouts(1001)}),
    "nmcs, runs": (WORDS, rk.NMCS(level=2), {"restarts": 4}),
    "reflexive": (SACK, rk.Reflexive(level=2, games=4), {}),
    "reflexive, restarts": (WORDS, rk.Reflexive(level=1, games={1: 3}), {"stop": rk.MaxPlayouts(301)}),
    "uct, restarts": (SACK, rk.UCT(playouts=100, rule="uniform"), {"stop": rk.MaxPlayouts(1001)}),
    "spmcts, runs": (WORDS, rk.SPMCTS(playouts=100, d=32), {"restarts": 6}),
    "sampling": (WORDS, rk.Sampling(), {"stop": rk.MaxPlayouts(400_000)}),
}
IN_PROCESSES = "nrpa in python"
"""Of the cases in Python, the one whose workers are processes, as they are unless one asks for threads."""
ENDLESS = rk.NRPA(level=4, iterations=100)
each = pytest.mark.parametrize("name", CASES)


def solve(name: str, **how: Any) -> rk.Result:
    problem, search, options = CASES[name]
    return rk.solve(problem, search, seed=5, atomic_level=1, **options, **how)


def hired(name: str, workers: int) -> dict[str, Any]:
    """This many workers: threads, which start at once, but for one case."""
    return {"workers": workers, "executor": None if name == IN_PROCESSES else "threads"}


def told(result: rk.Result) -> dict[str, Any]:
    """All of a result that does not depend on how long things took or who computed them."""
    return {
        **{name: getattr(result, name) for name in ("score", "moves", "playouts", "iterations", "restarts", "status")},
        **{name: getattr(result, name) for name in ("problem", "parameters", "search", "seed")},
        "history": [(entry.playouts, entry.score) for entry in result.history],
    }


@cache
def undisturbed(name: str) -> dict[str, Any]:
    return told(solve(name))


class Copying(rk.Callback):
    """Keeps every checkpoint that a run writes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.contents: list[bytes] = []

    def look(self, *_: Any) -> None:
        if self._path.exists() and self._path.read_bytes() not in self.contents[-1:]:
            self.contents.append(self._path.read_bytes())

    on_best = on_iteration = on_replace = on_tick = on_end = look


class Enough(Exception):
    """Raised by an observer."""


class Ending(rk.Callback):
    """Ends a run from outside, as a crash would, when so much has been told."""

    def __init__(self, events: int) -> None:
        self._left = events

    def count(self, *_: Any) -> None:
        self._left -= 1
        if self._left < 0:
            raise Enough

    on_best = on_iteration = on_replace = on_tick = count


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.ckpt"


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield executor


# --- to the same end ---


@pytest.mark.parametrize("workers", [1, 2])
@each
def test_a_run_goes_on_from_any_of_its_checkpoints_to_the_same_end(name, workers, path):
    copying = Copying(path)
    assert told(
        solve(name, **hired(name, workers), checkpoint=path, checkpoint_every=1e-9, callbacks=[copying])
    ) == undisturbed(name)
    assert len(copying.contents) >= 3
    generator = random.Random(name)
    for content in {*generator.sample(copying.contents, 3), copying.contents[-1]}:
        path.write_bytes(content)
        result = rk.resume(path, CASES[name][0], **hired(name, generator.choice([1, 2, 3])))
        assert told(result) == undisturbed(name)


@pytest.mark.parametrize("workers", [(1, 1, 1), (2, 1, 3), (3, 2, 1)])
@each
def test_a_run_is_resumed_twice_with_other_numbers_of_workers(name, workers, path):
    problem = CASES[name][0]
    with pytest.raises(Enough):
        solve(name, **hired(name, workers[0]), checkpoint=path, callbacks=[Ending(1)])
    with pytest.raises(Enough):
        rk.resume(path, problem, **hired(name, workers[1]), callbacks=[Ending(0)])
    assert told(rk.resume(path, problem, **hired(name, workers[2]))) == undisturbed(name)


@each
def test_a_run_goes_on_with_another_executor(name, path, pool):
    with pytest.raises(Enough):
        solve(name, **hired(name, 2), checkpoint=path, callbacks=[Ending(1)])
    result = rk.resume(path, CASES[name][0], executor=pool)
    assert (told(result), result.executor) == (undisturbed(name), "executor")


def test_a_run_goes_on_in_processes(path):
    with pytest.raises(Enough):
        solve("nrpa", workers=2, checkpoint=path, callbacks=[Ending(3)])
    result = rk.resume(path, workers=2, executor="processes")
    assert (told(result), result.executor) == (undisturbed("nrpa"), "processes")


def test_a_run_of_processes_goes_on_here(path):
    with pytest.raises(Enough):
        solve("nmcs", workers=2, executor="processes", checkpoint=path, callbacks=[Ending(3)])
    assert told(rk.resume(path, SACK)) == undisturbed("nmcs")


def test_the_start_and_the_policy_matter_here():
    plain = {name: value for name, value in undisturbed("nrpa").items() if name in ("moves", "history")}
    kept = undisturbed("nrpa, a start and a policy")
    assert kept["moves"][:2] == (0, 1)
    assert kept["history"] != plain["history"]


def test_a_problem_with_a_name_is_made_again(path):
    with pytest.raises(Enough):
        solve("nrpa", checkpoint=path, callbacks=[Ending(3)])
    result = rk.resume(path)
    assert (told(result), repr(result.of)) == (undisturbed("nrpa"), repr(LEFT))


@each
def test_a_run_that_ended_gives_its_result_again(name, path):
    solve(name, checkpoint=path)
    assert told(rk.resume(path, CASES[name][0])) == undisturbed(name)


def test_a_finished_run_computes_nothing_more(path):
    whole = solve("nrpa", checkpoint=path)
    again = rk.resume(path)
    assert (again.tasks, again.status, again.history) == (whole.tasks, "finished", whole.history)


def test_from_now_on_a_run_can_be_kept_in_another_file(path, tmp_path):
    with pytest.raises(Enough):
        solve("nrpa", checkpoint=path, callbacks=[Ending(3)])
    before = path.read_bytes()
    with pytest.raises(Enough):
        rk.resume(path, checkpoint=tmp_path / "other.ckpt", callbacks=[Ending(3)])
    assert path.read_bytes() == before
    assert told(rk.resume(tmp_path / "other.ckpt")) == undisturbed("nrpa")


# --- limits ---


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("playouts", [1, 100, 512, 513, 1000])
def test_a_run_that_met_a_limit_goes_on_to_a_later_one(playouts, workers, path):
    part = rk.solve(LEFT, NRPA, seed=5, atomic_level=1, workers=workers, stop=rk.MaxPlayouts(playouts), checkpoint=path)
    assert (part.status, part.playouts) == ("playouts", playouts)
    whole = rk.solve(LEFT, NRPA, seed=5, stop=rk.MaxPlayouts(1200), atomic_level=1)
    assert told(rk.resume(path, workers=workers, stop=rk.MaxPlayouts(1200))) == told(whole)


def test_without_limits_a_run_goes_on_to_the_end_of_its_search(path):
    rk.solve(LEFT, NRPA, seed=5, atomic_level=1, stop=rk.MaxPlayouts(77), restarts=False, checkpoint=path)
    assert told(rk.resume(path, stop=rk.Stop())) == undisturbed("nrpa")


def test_a_target_that_was_reached_is_reached_again_and_a_higher_one_later(path):
    target = solve("nrpa", stop=rk.Target(30), checkpoint=path)
    assert target.status == "target"
    assert told(rk.resume(path)) == told(target)
    assert told(rk.resume(path, stop=rk.Target(40))) == told(solve("nrpa", stop=rk.Target(40)))


@pytest.mark.timing
def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(path):
    how: dict[str, Any] = {"seed": 5, "atomic_level": 2, "restarts": False}
    part = rk.solve(LEFT, ENDLESS, stop=rk.MaxTime(0.2), workers=2, checkpoint=path, **how)
    assert part.status == "time"
    more = rk.MaxPlayouts(part.playouts + 5000)
    assert told(rk.resume(path, stop=more)) == told(rk.solve(LEFT, ENDLESS, stop=more, **how))


class Dawdling(rk.Callback):
    """Keeps the driver busy until every task has met its time limit by itself."""

    def on_tick(self, progress: rk.Progress) -> None:
        time.sleep(0.5)


@pytest.mark.timing
def test_what_tasks_elsewhere_had_found_when_time_was_up_is_no_part_of_the_checkpoint(path, pool):
    rk.solve(
        rk.problems.Morpion("5D"), rk.NRPA(level=1), executor=pool
    )  # the processes are there, and know the problem
    problem, how = rk.problems.Morpion("5D"), {"seed": 5, "atomic_level": 3, "restarts": False}
    limit = {"stop": rk.MaxTime(0.3), "checkpoint": path, "callbacks": [Dawdling()]}
    part = rk.solve(problem, ENDLESS, executor=pool, **limit, **how)
    assert (part.status, part.playouts > 0) == ("time", True)
    more = rk.MaxPlayouts(2 * part.playouts)
    assert told(rk.resume(path, stop=more)) == told(rk.solve(problem, ENDLESS, stop=more, **how))


@pytest.mark.timing
def test_the_time_before_counts(path):
    rk.solve(LEFT, NRPA, seed=5, stop=rk.MaxPlayouts(100), checkpoint=path)
    replace(Checkpoint.load(path), seconds=3600.0).save(path)
    result = rk.resume(path, stop=rk.MaxTime(3600))
    assert (result.status, result.seconds >= 3600) == ("time", True)
    assert Checkpoint.load(path).seconds >= 3600


@pytest.mark.timing
def test_seconds_are_counted_on(path):
    with pytest.raises(Enough):
        solve("nrpa", checkpoint=path, callbacks=[Ending(3)])
    saved = Checkpoint.load(path)
    replace(saved, seconds=saved.seconds + 100).save(path)
    result = rk.resume(path)
    seconds = [entry.seconds for entry in result.history]
    assert seconds == sorted(seconds)
    assert result.seconds > saved.seconds + 100


# --- faults ---


class Fault:
    """A switch outside of the problem: so many scores are counted, and then one cannot be told."""

    left: int | None = None


class Faulty(Words):
    """Right but for a fault that comes and goes."""

    def score(self, state):
        if Fault.left is not None:
            Fault.left -= 1
            if Fault.left < 0:
                raise ZeroDivisionError("no score today")
        return super().score(state)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("search", [rk.NRPA(level=3, iterations=5), rk.NMCS(level=2)], ids=["nrpa", "nmcs"])
def test_an_error_in_a_task_leaves_the_best_so_far_and_a_checkpoint_that_goes_on(search, workers, path, monkeypatch):
    problem = Faulty("abcdefgh", 6)
    whole = rk.solve(problem, search, seed=5, atomic_level=1)
    monkeypatch.setattr(Fault, "left", 100)
    with pytest.raises(ZeroDivisionError, match="no score today") as caught:
        rk.solve(problem, search, seed=5, atomic_level=1, workers=workers, executor="threads", checkpoint=path)
    best = caught.value.best_so_far
    assert (best.status, 0 < best.playouts < 100) == ("failed", True)
    assert (best.playouts, best.score) in [(best.playouts, entry.score) for entry in whole.history]
    monkeypatch.setattr(Fault, "left", None)
    assert told(rk.resume(path, problem, workers=workers, executor="threads")) == told(whole)


def test_an_error_when_a_run_goes_on_leaves_the_best_so_far_too(path, monkeypatch):
    problem, search = Faulty("abcdefgh", 6), rk.NRPA(level=3, iterations=5)
    part = rk.solve(problem, search, seed=5, atomic_level=1, stop=rk.MaxPlayouts(60), checkpoint=path)
    monkeypatch.setattr(Fault, "left", 40)
    with pytest.raises(ZeroDivisionError) as caught:
        rk.resume(path, problem, stop=rk.Stop())
    assert caught.value.best_so_far.playouts >= part.playouts
    monkeypatch.setattr(Fault, "left", None)
    whole = rk.solve(problem, search, seed=5, restarts=True, stop=rk.MaxPlayouts(125))
    assert told(rk.resume(path, problem, stop=rk.MaxPlayouts(125))) == told(whole)


class Miscoded(Words):
    """The same fault in its codes: a policy is adapted by them, outside of any task."""

    def code(self, state, move):
        if Fault.left is not None and threading.current_thread().name.startswith("rookery-driver"):
            Fault.left -= 1
            if Fault.left < 0:
                raise ZeroDivisionError("no code today")
        return super().code(state, move)


def test_an_error_while_a_policy_is_adapted_leaves_the_same(path, monkeypatch):
    problem, search = Miscoded("abcdefgh", 6), rk.NRPA(level=3, iterations=5)
    whole = rk.solve(problem, search, seed=5, atomic_level=1)
    monkeypatch.setattr(Fault, "left", 500)
    with pytest.raises(ZeroDivisionError, match="no code today") as caught:
        rk.solve(problem, search, seed=5, atomic_level=1, checkpoint=path, checkpoint_every=1e-9)
    assert 0 < caught.value.best_so_far.playouts < whole.playouts
    monkeypatch.setattr(Fault, "left", None)
    assert told(rk.resume(path, problem)) == told(whole)


class Breaking(Executor):
    """Computes at once, in this thread, until it breaks."""

    def __init__(self, tasks: int) -> None:
        self._left = tasks

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._left -= 1
        future: Future[Any] = Future()
        if self._left < 0:
            future.set_exception(BrokenExecutor("no more"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("name", ["nrpa", "nmcs", "nrpa, runs", "nrpa, restarts"])
def test_an_executor_that_breaks_leaves_the_best_so_far_and_a_checkpoint_that_goes_on(name, path):
    with pytest.raises(rk.ExecutorError, match="^the executor is broken: .*no more") as caught:
        solve(name, executor=Breaking(30), workers=3, checkpoint=path)
    assert 0 < caught.value.best_so_far.playouts < undisturbed(name)["playouts"]
    assert told(rk.resume(path, CASES[name][0])) == undisturbed(name)


class FullDisk(rk.Callback):
    """The disk is full from the third iteration on; what is said of it is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, function: str, path: Path) -> None:
        self._monkeypatch = monkeypatch
        self._function = function
        self._path = path
        self.warnings: list[str] = []
        self.last = b""

    def on_iteration(self, progress: rk.Progress) -> None:
        if progress.iteration == 3:
            self.last = self._path.read_bytes()
            self._monkeypatch.setattr(files.os, self._function, self.fail)

    def on_warning(self, text: str) -> None:
        self.warnings.append(text)

    @staticmethod
    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("function", ["replace", "fsync"])
def test_a_full_disk_costs_no_run_and_no_checkpoint(function, path):
    with pytest.MonkeyPatch.context() as monkeypatch:
        disk = FullDisk(monkeypatch, function, path)
        result = solve("nrpa", checkpoint=path, checkpoint_every=1e-9, callbacks=[disk])
    assert told(result) == undisturbed("nrpa")
    assert set(disk.warnings) == {f"no checkpoint was written: cannot write {path}: No space left on device"}
    assert path.read_bytes() == disk.last
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    assert told(rk.resume(path)) == undisturbed("nrpa")


# --- refusals ---


class Watching(rk.Callback):
    """Whether a search has begun."""

    begun = False

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self.begun = True


def refused(match: str, path: Path, problem: Any = None, **how: Any) -> None:
    watching = Watching()
    with pytest.raises(rk.InputError, match=match):
        rk.resume(path, problem, callbacks=[watching], **how)
    assert not watching.begun


@pytest.fixture
def saved(path: Path) -> Path:
    """The checkpoint of a run that is not finished."""
    with pytest.raises(Enough):
        solve("nrpa", checkpoint=path, callbacks=[Ending(3)])
    return path


@pytest.mark.parametrize("problem", [WORDS, rk.problems.LeftMove(depth=61)], ids=["another", "other parameters"])
def test_a_checkpoint_of_another_problem_is_refused(problem, saved):
    refused("the checkpoint is of another problem than .* is now$", saved, problem)


def test_a_checkpoint_of_another_version_is_refused(saved):
    replace(Checkpoint.load(saved), version="99.0.0").save(saved)
    refused("was written by rookery 99.0.0; this is rookery ", saved)


def test_a_checkpoint_that_was_cut_short_is_refused(saved):
    saved.write_bytes(saved.read_bytes()[:-10])
    refused("is cut short or damaged", saved)


def test_a_checkpoint_whose_search_is_not_known_is_refused(saved):
    replace(Checkpoint.load(saved), search={"algorithm": "ucb"}).save(saved)
    refused("holds a search that this version does not know", saved)


@pytest.mark.parametrize("state", [{}, {"plan": {}}, {"plan": {"calls": [7]}, "tally": 1, "work": 2, "best_seen": 3}])
def test_a_checkpoint_that_does_not_fit_its_search_is_refused(saved, state):
    replace(Checkpoint.load(saved), state=state).save(saved)
    with pytest.raises(rk.InputError, match="^the checkpoint is damaged: state"):
        rk.resume(saved)


def test_a_checkpoint_of_another_search_is_refused(saved):
    nmcs = {"algorithm": "nmcs", "level": 3, "memorise": True, "ties": "first", "sample": None}
    replace(Checkpoint.load(saved), search=nmcs).save(saved)
    refused("the checkpoint is (damaged|of another problem)", saved)


def test_what_is_no_checkpoint_is_refused(path):
    path.write_text('{"problem": "leftmove"}')
    refused("is not a checkpoint$", path)


def test_a_file_that_is_not_there_is_refused(path):
    refused("cannot read .*: No such file or directory$", path)


def test_a_folder_that_is_not_there_is_refused(saved, tmp_path):
    match = "cannot write .*: No such file or directory$"
    refused(match, saved, checkpoint=tmp_path / "none" / "run.ckpt")
    with pytest.raises(rk.InputError, match=match):
        solve("nrpa", checkpoint=tmp_path / "none" / "run.ckpt")


def test_a_path_that_holds_an_unfinished_run_is_refused(saved, tmp_path):
    before = saved.read_bytes()
    match = f"{re.escape(str(saved))} is the checkpoint of a run that is not finished: `rookery resume"
    with pytest.raises(rk.InputError, match=match):
        solve("nmcs", checkpoint=saved)
    other = tmp_path / "other.ckpt"
    other.write_bytes(before)
    refused("is the checkpoint of a run that is not finished", other, checkpoint=saved)
    assert saved.read_bytes() == before


def test_a_path_that_holds_a_finished_run_is_used_again(path):
    solve("nrpa", checkpoint=path)
    solve("nmcs", checkpoint=path)
    assert told(rk.resume(path, SACK)) == undisturbed("nmcs")


def test_a_path_that_holds_something_else_is_refused(path):
    path.write_text("my notes")
    with pytest.raises(rk.InputError, match="a checkpoint would replace a file that is something else: "):
        solve("nrpa", checkpoint=path)
    assert path.read_text() == "my notes"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "soon"])
def test_time_between_checkpoints_is_more_than_nothing(seconds, path):
    with pytest.raises(rk.InputError, match="checkpoint_every must be"):
        solve("nrpa", checkpoint=path, checkpoint_every=seconds)
    assert not path.exists()
