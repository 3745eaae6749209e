"""A match is the same on every executor; workers that die are replaced; what cannot work is refused at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_games import Nim, PythonNim

TESTS = Path(__file__).parents[1]
BREAKTHROUGH = rk.load_game("breakthrough", {"size": "5"})
SIDES = {
    "paper": (rk.PPA(playouts=40), rk.GameUCT(playouts=40)),
    "reuse": (rk.PPA(playouts=40, reuse=True, solver=True), rk.FlatMC(playouts=20)),
}


def games(game: Any, sides: tuple[Any, Any], **how: Any) -> tuple[rk.PlayedGame, ...]:
    return rk.match(game, *sides, games=5, seed=3, **how).played


@pytest.mark.parametrize("game", [BREAKTHROUGH, Nim(15), PythonNim(9)], ids=["built-in", "compiled", "python"])
@pytest.mark.parametrize("sides", SIDES)
def test_two_processes_play_the_same_games(game: Any, sides: str) -> None:
    result = rk.match(game, *SIDES[sides], games=5, seed=3, workers=2, executor="processes")
    assert result.played == games(game, SIDES[sides])
    assert (result.executor, result.workers, result.status) == ("processes", 2, "finished")


def test_an_executor_that_was_handed_in_plays_the_same_games_and_stays() -> None:
    with ThreadPoolExecutor(2) as threads:
        assert games(Nim(15), SIDES["reuse"], executor=threads) == games(Nim(15), SIDES["reuse"])
        assert threads.submit(int, "7").result() == 7
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        assert games(PythonNim(9), SIDES["paper"], executor=processes) == games(PythonNim(9), SIDES["paper"])


def test_a_cluster_of_dasks_plays_the_same_games() -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        result = rk.match(Nim(15), *SIDES["reuse"], games=5, seed=3, executor="dask", address=address)
    assert result.played == games(Nim(15), SIDES["reuse"])
    assert (result.executor, result.workers) == ("dask", 2)


MPI = """
import sys
sys.path.insert(0, {tests!r})
import rookery as rk
from examples_of_games import Nim, PythonNim

a, b = rk.PPA(playouts=40, reuse=True), rk.FlatMC(playouts=20)
for game in (Nim(15), PythonNim(9)):
    result = rk.match(game, a, b, games=5, seed=3, executor="mpi")
    print(result.executor, result.workers, result.played == rk.match(game, a, b, games=5, seed=3).played)
"""


def test_the_ranks_of_an_mpi_job_play_the_same_games(tmp_path: Path) -> None:
    program = shutil.which("mpirun", path=str(Path(sys.executable).parent)) or shutil.which("mpirun")
    assert program is not None, "mpirun is missing: pip install mpich"
    (tmp_path / "script.py").write_text(MPI.format(tests=str(TESTS)))
    command = [program, "-n", "3", sys.executable, "-m", "mpi4py.futures", "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("mpi 2 True\n" * 2, "")


class Mortal(PythonNim):
    """Its first game in another process ends that process."""

    def __init__(self, mark: Path) -> None:
        super().__init__(9)
        self.mark, self.home = mark, os.getpid()

    def winner(self, state: Any) -> int:
        if os.getpid() != self.home and not self.mark.exists():
            self.mark.touch()
            os._exit(1)
        return super().winner(state)


def test_a_game_whose_process_died_is_played_again(tmp_path: Path) -> None:
    sides = (rk.FlatMC(playouts=5), rk.FlatMC(playouts=5))
    played = games(Mortal(tmp_path / "died"), sides, workers=2, executor="processes")
    assert (tmp_path / "died").exists()
    assert played == games(PythonNim(9), sides)


class Fussy(PythonNim):
    """Raises an error in another process only."""

    def __init__(self) -> None:
        super().__init__(9)
        self.home = os.getpid()

    def winner(self, state: Any) -> int:
        return super().winner(state) if os.getpid() == self.home else int("seven")


def test_an_error_in_a_users_code_arrives_with_its_place() -> None:
    with pytest.raises(
        rk.errors.RemoteError, match=r"test_match_executors.py:\d+: ValueError in winner: invalid literal"
    ):
        games(Fussy(), SIDES["paper"], executor="processes", workers=1)


def test_searches_limited_by_time_play_in_other_processes() -> None:
    search = rk.GameUCT(playouts=None, seconds=0.01)
    result = rk.match(Nim(9), search, search, games=3, executor="processes", workers=2)
    assert (result.games, result.status) == (3, "finished")
    assert result.playouts > 0


class Impatient(rk.Callback):
    """Interrupts a match after its first game."""

    def on_game(self, played: Any, progress: Any) -> None:
        if progress.score.games == 1:
            raise KeyboardInterrupt


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_an_interrupted_match_does_not_wait_for_the_games_under_way(executor: str) -> None:
    quick, slow = rk.FlatMC(playouts=1), rk.GameUCT(playouts=None, seconds=300.0)
    began = time.monotonic()
    # Game 0 is one move of A's, game 1 one of B's.
    result = rk.match(Nim(1), quick, slow, games=2, workers=2, executor=executor, callbacks=[Impatient()])
    assert time.monotonic() - began < 200
    assert (result.games, result.status) == (1, "interrupted")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"executor": "thread"}, "executor must be threads, processes, mpi, dask or an Executor object, got 'thread'"),
        ({"executor": "processes", "address": "tcp://here"}, "address goes with the executor dask"),
        ({"executor": "mpi"}, "the executor mpi needs a program that was started with at least 2 ranks"),
        ({"workers": 2000}, "workers must be at most 1024, got 2000"),
    ],
)
def test_what_cannot_work_is_refused_at_once(how: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        games(PythonNim(), SIDES["paper"], **how)


def test_a_script_needs_no_guard_and_its_own_game_travels_along(tmp_path: Path) -> None:
    script = """
    import rookery as rk

    class Race(rk.PythonGame):
        def start(self): return ""
        def moves(self, state): return "ab" if len(state) < 3 else ""
        def play(self, state, move): return state + move
        def player(self, state): return len(state) % 2
        def winner(self, state): return state.count("b") % 2

    a, b = rk.GameUCT(playouts=20), rk.FlatMC(playouts=5)
    played = rk.match(Race(), a, b, games=4, executor="processes", workers=2).played
    print(played == rk.match(Race(), a, b, games=4).played)
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("True\n", "")
