"""Entries of ``results.json``: what is asked, and how the library is asked for it.

An entry names a problem or a game and a search, with their parameters, a seed and what computes it, and holds the
answer. All that knows the library's names is in the functions ``make_...`` and ``ask_...``.
"""

from __future__ import annotations

import concurrent.futures
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cached_property, reduce
from multiprocessing import get_context
from operator import attrgetter, or_
from pathlib import Path
from typing import Any

import rookery as rk

FOLDER = Path(__file__).resolve().parent
FILE = FOLDER / "results.json"

Entry = dict[str, Any]
Entries = dict[str, Entry]


# --- the file ---


def read_entries() -> Entries:
    """The entries by name."""
    entries: Entries = json.loads(FILE.read_text(encoding="utf-8"))
    return entries


def write_entries(entries: Entries) -> None:
    """Write the entries, each in a line of its own: a difference then shows what has changed."""
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


# --- what an entry names ---


def make_problem(entry: Entry) -> Any:
    return rk.load_problem(_place(entry["problem"]), entry["parameters"])


def make_game(entry: Entry) -> Any:
    return rk.load_game(_place(entry["game"]), entry["parameters"])


def make_search(name: str, parameters: Mapping[str, Any]) -> Any:
    """A search by the name of its class, or of a preset as in ``NRPA.rosin``; JSON has levels as texts."""
    return attrgetter(name)(rk)(**{key: _by_level(value) for key, value in parameters.items()})


def make_stop(limits: Mapping[str, Any]) -> Any:
    """The limits of a run, by the names of their functions."""
    return reduce(or_, [getattr(rk, name)(value) for name, value in limits.items()], rk.Stop())


def _by_level(value: Any) -> Any:
    return {int(level): item for level, item in value.items()} if isinstance(value, dict) else value


def _place(name: str) -> str:
    return str(FOLDER / name) if ".py:" in name else name


# --- what the library is asked ---


def ask_solve(entry: Entry, how: Mapping[str, Any]) -> Any:
    problem, search = make_problem(entry), make_search(entry["search"], entry["with"])
    stop = make_stop(entry.get("stop", {}))
    return _told(rk.solve(problem, search, seed=entry["seed"], stop=stop, **entry.get("options", {}), **how))


def ask_resume(entry: Entry, how: Mapping[str, Any]) -> Any:
    """A run that ends at the limits ``interrupted`` and goes on from its checkpoint."""
    problem, search = make_problem(entry), make_search(entry["search"], entry["with"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.ckpt"
        kept = {"seed": entry["seed"], "checkpoint": path, **entry.get("options", {})}
        rk.solve(problem, search, stop=make_stop(entry["interrupted"]), **kept, **how)
        return _told(rk.resume(path, stop=make_stop(entry.get("stop", {})), **how))


def ask_decide(entry: Entry, how: Mapping[str, Any]) -> Any:
    search = make_search(entry["search"], entry["with"])
    decision = rk.decide(make_game(entry), search, moves=entry["moves"], seed=entry["seed"])
    return {
        "move": decision.move,
        "visits": [[move, n, decision.values[move]] for move, n in decision.visits.items()],
        "playouts": decision.playouts,
        "proven": decision.proven,
    }


def ask_match(entry: Entry, how: Mapping[str, Any]) -> Any:
    a, b = (make_search(entry[side]["search"], entry[side]["with"]) for side in "ab")
    made = rk.match(make_game(entry), a, b, games=entry["games"], seed=entry["seed"], workers=entry["workers"])
    return {
        "status": made.status,
        "games": [{"winner": one.winner, "playouts": one.playouts, "moves": one.moves} for one in made.played],
    }


def ask_simulate(entry: Entry, how: Mapping[str, Any]) -> Any:
    problem, search = make_problem(entry), make_search(entry["search"], entry["with"])
    made = rk.simulate(problem, search, seed=entry["seed"], workers=entry["workers"], **entry.get("options", {}))
    whole = ("select", "workers", "tasks", "tasks_discarded")
    real = ("seconds", "speedup", "oracle_speedup")
    rows = [
        {
            **{name: getattr(row, name) for name in whole},
            # durations come from the logarithms of the C library, whose last digit is its own
            **{name: float(f"{getattr(row, name):.9g}") for name in real},
        }
        for row in made.rows
    ]
    return {"score": made.score, "moves": made.moves, "rows": rows}


def _told(result: Any) -> Any:
    """All of a result that depends neither on the clock nor on who computed it."""
    return {
        **{name: getattr(result, name) for name in ("score", "moves", "playouts", "restarts", "status")},
        "history": [[step.playouts, step.score] for step in result.history],
    }


ASK = {
    "solve": ask_solve,
    "resume": ask_resume,
    "decide": ask_decide,
    "match": ask_match,
    "simulate": ask_simulate,
}


# --- who computes ---


class Answers:
    """Answers to entries; what several of them need, such as a cluster, is started once, for the first of them."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._opened = ExitStack()

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def __getitem__(self, name: str) -> Any:
        entry = self._entries[name]
        return self._mpi[name] if entry["executor"] == "mpi" else plain(ASK[entry["kind"]](entry, self._how(entry)))

    def _how(self, entry: Entry) -> dict[str, Any]:
        executor, workers = entry["executor"], entry["workers"]
        if executor == "dask":
            return {"executor": "dask", "workers": workers, "address": self._dask}
        if executor == "ThreadPoolExecutor":
            return {"executor": self._threads, "workers": workers}
        if executor == "ProcessPoolExecutor":
            return {"executor": self._processes, "workers": workers}
        return {"executor": executor, "workers": workers}

    @cached_property
    def _threads(self) -> concurrent.futures.Executor:
        return self._opened.enter_context(concurrent.futures.ThreadPoolExecutor(2))

    @cached_property
    def _processes(self) -> concurrent.futures.Executor:
        return self._opened.enter_context(concurrent.futures.ProcessPoolExecutor(2, get_context("spawn")))

    @cached_property
    def _dask(self) -> str:
        from distributed import LocalCluster

        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        address: str = self._opened.enter_context(cluster).scheduler_address
        return address

    @cached_property
    def _mpi(self) -> dict[str, Any]:
        """The answers to all entries for MPI, from one job, of which this file is the program."""
        program = shutil.which("mpirun", path=str(Path(sys.executable).parent)) or shutil.which("mpirun")
        assert program is not None, "mpirun is missing: pip install mpich"
        asked = {name: entry for name, entry in self._entries.items() if entry["executor"] == "mpi"}
        command = [program, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(Path(__file__)), json.dumps(asked)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        answers: dict[str, Any] = json.loads(done.stdout)
        return answers


def plain(answer: Any) -> Any:
    """An answer as it is read from JSON."""
    return json.loads(json.dumps(answer, default=lambda number: number.item()))


def print_answers(asked: Entries) -> None:
    """The answers that the other ranks of an MPI job give."""
    how = {name: {"executor": "mpi", "workers": entry["workers"]} for name, entry in asked.items()}
    print(json.dumps({name: plain(ASK[entry["kind"]](entry, how[name])) for name, entry in asked.items()}))


if __name__ == "__main__":
    print_answers(json.loads(sys.argv[1]))
