"""A run in the background: the same run, with a handle that looks at it, stops it and waits for it."""

from __future__ import annotations

import gc
import inspect
import os
import signal
import subprocess
import sys
import textwrap
import threading
import typing
from typing import Any

import pytest

import rookery as rk
from rookery.running import background

LEFT = rk.problems.LeftMove(depth=30)
SMALL = rk.NRPA(level=2, iterations=10)


class Word(rk.PythonProblem):
    """As many b as possible; what a test names is a mistake."""

    mistake = ""

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < 6 else ""

    def play(self, state, move):
        if state + move == self.mistake:
            raise RuntimeError(f"no word begins with {self.mistake}")
        return state + move

    def score(self, state):
        return state.count("b")

    def copy(self, state):
        return state


class Told(rk.Callback):
    """What observers are told; ``found`` is set at the first improvement, and waits for ``go`` if there is one."""

    def __init__(self, go: threading.Event | None = None) -> None:
        self.events: list[Any] = []
        self.found = threading.Event()
        self.go = go

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self.events.append(("start", seed))

    def on_best(self, progress: Any, moves: Any) -> None:
        self.events.append((progress.playouts, progress.score, tuple(moves)))
        self.found.set()
        if self.go is not None:
            self.go.wait()

    def on_end(self, result: Any) -> None:
        self.events.append(("end", result.status))


def endless(told: Told, **more: Any) -> rk.BackgroundRun:
    """A run that has found something, and goes on for a long time."""
    run = rk.solve(LEFT, rk.NRPA(level=6), seed=1, callbacks=[told], background=True, atomic_level=1, **more)
    assert told.found.wait(60)
    return run


def best_of(run: rk.BackgroundRun) -> rk.Result:
    """The best so far, as soon as there is one."""
    while (best := run.best) is None:
        threading.Event().wait(0.01)
    return best


def told_of(result: rk.Result) -> tuple[Any, ...]:
    """All that the seed decides."""
    return result.score, result.moves, result.playouts, result.status, [(i.playouts, i.score) for i in result.history]


# --- the same run ---


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("stop", [None, rk.MaxPlayouts(250), rk.Target(25)])
def test_the_same_seed_gives_the_same_result_as_in_the_foreground(workers, stop):
    how = {"seed": 1, "workers": workers, "stop": stop, "atomic_level": 1}
    run = rk.solve(LEFT, SMALL, background=True, **how)
    assert told_of(run.result()) == told_of(rk.solve(LEFT, SMALL, **how))


def test_observers_are_told_the_same():
    there, here = Told(), Told()
    rk.solve(LEFT, SMALL, seed=1, atomic_level=1, callbacks=[there], background=True).result()
    rk.solve(LEFT, SMALL, seed=1, atomic_level=1, callbacks=[here])
    assert there.events == here.events


def test_several_runs_go_on_at_the_same_time_and_beside_one_in_the_foreground():
    runs = [rk.solve(LEFT, SMALL, seed=seed, background=True) for seed in range(3)]
    here = rk.solve(LEFT, SMALL, seed=1)
    assert [run.result().seed for run in runs] == [0, 1, 2]
    assert told_of(runs[1].result()) == told_of(here)


@pytest.mark.timing
def test_a_time_limit_ends_it():
    result = rk.solve(LEFT, rk.NRPA(level=6), seed=1, stop=rk.MaxTime(0.2), background=True).result()
    assert result.status == "time"
    assert 0.2 <= result.seconds < 30


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"stop": 60}, "stop must be made of MaxTime"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"checkpoint": "none/run.ckpt"}, "none/run.ckpt"),
    ],
)
def test_wrong_arguments_are_refused_at_the_call(wrong, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rk.InputError, match=said):
        rk.solve(LEFT, SMALL, background=True, **wrong)


# --- looking ---


def test_a_handle_says_what_it_runs_where_that_stands_and_what_is_best():
    go = threading.Event()
    told = Told(go)
    run = endless(told)
    playouts, score, _ = told.events[1]
    assert (run.problem, run.search, run.seed) == (LEFT, rk.NRPA(level=6), 1)
    assert (run.done, run.status) == (False, "running")
    assert repr(run).startswith("<BackgroundRun of LeftMove: running | nrpa level 6 | iteration 0/100")
    go.set()
    best = best_of(run)
    assert (best.status, best.of) == ("running", LEFT)
    assert best.score >= score
    assert rk.replay(LEFT, best.moves)[0] == best.score
    assert run.progress is not None
    assert run.progress.playouts >= playouts
    run.stop()


def test_before_the_search_begins_there_is_nothing_to_see():
    go = threading.Event()

    class Wait(rk.Callback):
        def on_compile(self, problem):
            go.wait()

    run = rk.solve(LEFT, SMALL, seed=1, callbacks=[Wait()], background=True)
    assert (run.done, run.status, run.progress, run.best) == (False, "starting", None, None)
    assert repr(run) == "<BackgroundRun of LeftMove: starting>"
    go.set()
    run.result()


def test_in_the_end_the_best_is_the_result_and_the_progress_is_whole():
    run = rk.solve(LEFT, SMALL, seed=1, background=True)
    result = run.result()
    assert run.best is result
    assert (run.done, run.status, run.seed) == (True, "finished", 1)
    assert run.progress is not None
    assert (run.progress.playouts, run.progress.score) == (100, result.score)
    assert repr(run).startswith("<BackgroundRun of LeftMove: finished | nrpa level 2 | iteration 10/10 | best ")


def test_the_best_so_far_can_be_saved_and_loaded(tmp_path):
    run = endless(Told())
    best = best_of(run)
    best.save(tmp_path / "best.json")
    assert rk.Result.load(tmp_path / "best.json").moves == best.moves
    run.stop()


# --- stopping ---


@pytest.mark.timing
def test_stop_returns_what_the_same_search_had_found_by_then():
    cut = endless(Told(), workers=2).stop()
    again = rk.solve(LEFT, rk.NRPA(level=6), seed=1, stop=rk.MaxPlayouts(cut.playouts))
    same = cut.reproducible or {"score": cut.score, "moves": list(cut.moves)}
    assert cut.status == "interrupted"
    assert same == {"score": again.score, "moves": list(again.moves)}


def test_what_has_ended_is_left_as_it_is_by_stop():
    run = rk.solve(LEFT, SMALL, seed=1, background=True)
    result = run.result()
    assert run.stop() is result
    assert run.status == "finished"


def test_stopped_before_its_first_playout_it_has_nothing_to_return():
    go = threading.Event()

    class Wait(rk.Callback):
        def on_compile(self, problem):
            go.wait()

    run = rk.solve(LEFT, SMALL, seed=1, callbacks=[Wait()], background=True)
    run._following.stop()  # as the button of a widget does
    go.set()
    with pytest.raises(rk.InputError, match="the search was stopped before its first playout was finished"):
        run.stop()
    assert (run.done, run.status, run.best) == (True, "interrupted", None)


@pytest.mark.timing
def test_stop_does_not_wait_for_a_move_that_does_not_return():
    inside, go = threading.Event(), threading.Event()

    class Hangs(Word):
        def play(self, state, move):
            if self.mistake:
                inside.set()
                go.wait()
            return state + move

    class Hang(rk.Callback):
        def on_best(self, progress, moves):
            problem.mistake = "all of them"

    problem = Hangs()
    run = rk.solve(problem, rk.NRPA(level=9), seed=1, atomic_level=1, callbacks=[Hang()], background=True)
    assert inside.wait(60)
    with pytest.warns(rk.errors.RookeryWarning, match=r"Hangs\.play\(\) at .* did not return"):
        result = run.stop()
    go.set()
    assert (result.status, run.done) == ("interrupted", True)


def test_a_run_whose_handle_is_gone_is_stopped():
    told, before = Told(), set(threading.enumerate())
    run = endless(told)
    (thread,) = [t for t in threading.enumerate() if t not in before and t.name == "rookery-run"]
    del run
    gc.collect()
    thread.join(60)
    assert told.events[-1] == ("end", "interrupted")


# --- waiting ---


@pytest.mark.timing
def test_a_timeout_ends_the_wait_and_not_the_run():
    run = endless(Told())
    with pytest.raises(
        TimeoutError, match=r"the run has not ended within 0\.05 s: <BackgroundRun of LeftMove: running"
    ):
        run.result(timeout=0.05)
    assert not run.done
    assert run.stop().status == "interrupted"


@pytest.mark.parametrize("timeout", [-1, "soon", float("nan")])
def test_a_timeout_must_be_a_time(timeout):
    run = rk.solve(LEFT, SMALL, seed=1, background=True)
    with pytest.raises(rk.InputError, match="timeout must be"):
        run.result(timeout=timeout)
    run.result()


@pytest.mark.timing
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_wait_and_not_the_run():
    class Press(rk.Callback):
        pressed = False

        def on_tick(self, progress):
            if progress.playouts and not self.pressed:
                self.pressed = True
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    run = rk.solve(LEFT, rk.NRPA(level=6), seed=1, callbacks=[Press()], background=True)
    with pytest.raises(KeyboardInterrupt):
        run.result()
    assert not run.done
    assert run.stop().status == "interrupted"


def test_a_callback_cannot_wait_for_its_own_run():
    class Wait(rk.Callback):
        def on_iteration(self, progress):
            go.wait()
            run.result()

    go = threading.Event()
    run = rk.solve(LEFT, SMALL, seed=1, callbacks=[Wait()], background=True)
    go.set()
    with pytest.raises(rk.InputError, match="a callback cannot wait for the end of its own run"):
        run.result()


# --- failing ---


def test_an_exception_of_the_problem_is_raised_by_result_with_what_was_found():
    class Spoil(rk.Callback):
        def on_best(self, progress, moves):
            problem.mistake = "b"

    problem = Word()
    run = rk.solve(problem, rk.NRPA(level=3), seed=1, atomic_level=1, callbacks=[Spoil()], background=True)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no word begins with b") as caught:
            run.result()
    assert (run.done, run.status) == (True, "failed")
    assert run.best is caught.value.best_so_far
    assert run.best.status == "failed"


def test_an_exception_of_a_callback_is_raised_by_result():
    class Fails(rk.Callback):
        def on_best(self, progress, moves):
            raise ZeroDivisionError

    run = rk.solve(LEFT, SMALL, seed=1, callbacks=[Fails()], background=True)
    with pytest.raises(ZeroDivisionError):
        run.result()
    assert run.status == "failed"


# --- on disk ---


def test_a_run_that_was_stopped_is_resumed_in_the_background_from_where_it_was(tmp_path):
    path, search = tmp_path / "run.ckpt", rk.NRPA(level=3, iterations=10)
    rk.solve(LEFT, search, seed=1, atomic_level=1, stop=rk.MaxPlayouts(300), restarts=False, checkpoint=path)
    run = rk.resume(path, stop=rk.Stop(), background=True)
    assert told_of(run.result()) == told_of(rk.solve(LEFT, search, seed=1))


def test_a_resumed_run_knows_its_best_from_the_start(tmp_path):
    path, go, seen = tmp_path / "run.ckpt", threading.Event(), []

    class Look(rk.Callback):
        def on_iteration(self, progress):
            go.wait()
            seen.append(run.best)

    short, search = rk.problems.LeftMove(depth=5), rk.NRPA(level=3, iterations=10)
    cut = rk.solve(short, search, seed=1, atomic_level=1, stop=rk.MaxPlayouts(300), checkpoint=path)
    run = rk.resume(path, stop=rk.MaxPlayouts(600), callbacks=[Look()], background=True)
    go.set()
    run.result()
    assert cut.score == 5.0  # it cannot improve
    assert seen[0].moves == cut.moves


def test_a_checkpoint_belongs_to_the_run_until_it_ends(tmp_path):
    path = tmp_path / "run.ckpt"
    run = endless(Told(), checkpoint=path)
    with pytest.raises(rk.InputError, match="run.ckpt"):
        rk.solve(LEFT, SMALL, checkpoint=path)
    run.stop()
    assert rk.Checkpoint.load(path).seed == 1
    assert rk.resume(path, stop=rk.MaxPlayouts(run.best.playouts + 1)).status == "playouts"


# --- the end of the program ---

PROGRAM = """
import sys
import threading
import rookery as rk

class Found(rk.Callback):
    def __init__(self):
        self.found = threading.Event()
    def on_best(self, progress, moves):
        self.found.set()

found = Found()
run = rk.solve(
    rk.problems.LeftMove(depth=30), rk.NRPA(level=6), seed=1, callbacks=[found], background=True,
    executor={executor!r}, workers={workers}, checkpoint={path!r}, checkpoint_every=1000,
)
assert found.found.wait(100)
assert not {{'anywidget', 'IPython'}} & set(sys.modules)  # imported only where used
sys.exit(3)
"""


@pytest.mark.timing
@pytest.mark.parametrize(("executor", "workers"), [("threads", 2), ("processes", 1)])
def test_a_program_that_ends_ends_its_runs_and_keeps_them(executor, workers, tmp_path):
    path = tmp_path / "run.ckpt"
    program = textwrap.dedent(PROGRAM.format(executor=executor, workers=workers, path=str(path)))
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (3, "")
    assert rk.Checkpoint.load(path).state["status"] == "interrupted"


# --- signals, types, shows ---


def test_no_signal_handler_is_touched():
    seen = []

    class Look(rk.Callback):
        def on_start(self, problem, search, seed):
            seen.append(signal.getsignal(signal.SIGINT))

    rk.solve(LEFT, SMALL, seed=1, callbacks=[Look()], background=True).result()
    assert seen == [signal.default_int_handler]


@pytest.mark.parametrize("function", [rk.solve, rk.resume])
def test_type_checkers_know_what_is_returned_and_all_parameters(function):
    here, there = (inspect.signature(variant) for variant in typing.get_overloads(function))
    assert (here.return_annotation, there.return_annotation) == ("Result", "BackgroundRun")
    assert here.parameters["background"].annotation == "Literal[False]"
    assert there.parameters["background"].annotation == "Literal[True]"
    whole = [p for p in inspect.signature(function).parameters.values() if p.name != "background"]
    for variant in (here, there):
        assert [p for p in variant.parameters.values() if p.name != "background"] == whole


def test_without_anywidget_and_outside_notebooks_it_is_shown_as_text(monkeypatch):
    run = rk.solve(LEFT, SMALL, seed=1, background=True)
    run.result()
    assert run._repr_mimebundle_() is None
    monkeypatch.setattr(background.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(background, "in_notebook", lambda: True)
    assert run._repr_mimebundle_() is None
    assert run._display_() == repr(run)
    with pytest.raises(rk.InputError, match="a widget needs anywidget: pip install anywidget"):
        run.widget()
