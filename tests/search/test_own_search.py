"""A search of one's own in a file: all that a built-in one has, through the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import rookery as rk
from rookery.search import OK, Call, OneTask, Search, Task, make_random_playout, seed_stream
from rookery.tools import make_search

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_search.py"
NAME = f"{EXAMPLE}:LimitedNRPA"
SOLVE = ("solve", "tsp", "-p", "n=10", "--algorithm", NAME, "--level", "3", "--iterations", "6", "--seed", "1")
FACTS = ("score", "moves", "playouts", "search", "status")


def command(*arguments, **environment):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rookery", *map(str, arguments), "--quiet"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def answer(*arguments, **environment):
    ran = command(*arguments, "--json", **environment)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    return {fact: told[fact] for fact in FACTS}


def refusal(*arguments):
    ran = command(*arguments)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    return ran.stderr.removeprefix("rookery: ").strip()


# --- the command line ---


def test_threads_and_processes_have_the_answer_of_the_library():
    own = make_search(NAME, {"level": 3, "iterations": 6, "repetitions": 1})
    result = rk.solve(rk.load_problem("tsp", {"n": "10"}), own, seed=1)
    expected = {fact: json.loads(json.dumps(result.to_json()))[fact] for fact in FACTS}
    assert answer(*SOLVE, "--set", "repetitions=1") == expected
    assert answer(*SOLVE, "--set", "repetitions=1", "--executor", "processes", "--workers", "2") == expected
    assert expected["search"]["repetitions"] == 1
    assert expected["playouts"] < 6**3


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        (
            "repeats=3",
            "has no parameter 'repeats'; it has level, iterations, alpha, ties, layers, playouts_per_adapt, tau, "
            "bias_scale, beam, learn_bias, repetitions",
        ),
        ("repetitions=often", "--set repetitions must be a whole number, got 'often'"),
        ("repetitions=0", "repetitions must be at least 1, got 0"),
        ("repetitions=-1", "repetitions must be at least 1, got -1"),
        ("repetitions", "--set must be given as key=value, got 'repetitions'"),
        ("alpha=", "--set alpha must be a number, got ''"),
        ("layers=maybe", "--set layers must be true or false, got 'maybe'"),
    ],
)
def test_a_wrong_setting_is_one_sentence(setting, text):
    assert text in refusal(*SOLVE, "--set", setting)


def test_a_file_without_such_a_search_is_one_sentence():
    assert refusal("solve", "tsp", "--algorithm", f"{EXAMPLE}:Other").endswith("no class Other; it has LimitedNRPA")


def test_a_run_goes_on_from_its_checkpoint_if_the_search_is_given(tmp_path):
    file = tmp_path / "run.ckpt"
    stopped = command(*SOLVE, "--set", "repetitions=1", "--playouts", "50", "--checkpoint", file)
    assert f"rookery resume {file} --algorithm {NAME} continues it" in stopped.stderr
    told = refusal("resume", file, "--no-limits")
    assert told == (
        f"{file} is a run of the search {NAME}, which must be given again: "
        f"`--algorithm {NAME}` on the command line, search=LimitedNRPA in Python"
    )
    told = refusal("resume", file, "--no-limits", "--algorithm", "nrpa")
    assert told == f"{file} is a run of the search {NAME}: NRPA cannot be made of its parameters"
    resumed = answer("resume", file, "--no-limits", "--algorithm", NAME)
    assert resumed == answer(*SOLVE, "--set", "repetitions=1")


# --- mistakes ---


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("found_again += one", "there is no name 'one'; is it misspelt?"),
        ("found_again += 'one'", "+= cannot be compiled for a whole number and a text"),
        ("found_again += run.own.often", "run.own has no 'often'; it has the numbers among the search's parameters"),
        ("found_again += len(str(i))", "allocates memory; a kernel works in the memory that it is given"),
    ],
)
def test_a_mistake_in_a_kernel_is_one_sentence_with_its_line(tmp_path, line, reason):
    file = tmp_path / "mine.py"
    text = EXAMPLE.read_text()
    number = text[: text.index("found_again += 1")].count("\n") + 1
    file.write_text(text.replace("found_again += 1", line))
    told = refusal("solve", "tsp", "-p", "n=10", "--algorithm", f"{file}:LimitedNRPA")
    assert told.startswith(f"the kernel of make_limited_nrpa() at {file}:{number}, `{line}`: {reason}")


def test_a_mistake_beside_a_kernel_is_one_sentence_with_its_line(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(EXAMPLE.read_text().replace("return parts.task(nrpa)", "return parts.task(nrpas)"))
    ran = command("solve", "tsp", "-p", "n=10", "--algorithm", f"{file}:LimitedNRPA")
    assert ran.stderr == f"rookery: {file}:79: NameError in make_limited_nrpa: name 'nrpas' is not defined\n"


# --- never stale ---

FEW = """
import numpy as np
from dataclasses import dataclass, replace
from few_number import MORE
from rookery.search import OK, Call, OneTask, Search, Task, make_random_playout, seed_stream

@dataclass(frozen=True)
class Few(Search):
    playouts: int = 1
    name = "few"
    def smallest_task(self, prefix):
        return FewTask(search=self, key=0, prefix=prefix)
    def planner(self, setting):
        return lambda key: OneTask(FewTask(search=self, key=key))

@dataclass(frozen=True, kw_only=True)
class FewTask(Task):
    def call(self, memory, signal):
        run, lines = memory.assign(self, signal), memory.lines
        arguments = (np.uint64(self.key), memory.constants, memory.states, lines, run)
        return Call(kernel=("few", make_few), arguments=arguments, found=lambda: memory.line(lines.best[0], 0))

def make_few(spec):
    random_playout = make_random_playout(spec)

    @spec.kernel
    def times(playouts):
        return 1 * playouts

    def few(key, self, states, lines, run):
        seed_stream(run.rng[0], key)
        for _ in range(times(run.own.playouts) + MORE):
            states[1] = states[0]
            status = random_playout(self, states[1], states, 0, lines.best[0], run.rng[0], lines, run)
            if status != OK:
                return status
        return OK

    return few
"""

EDITS = {
    "the kernel": ("few", "times(run.own.playouts) + MORE", "times(run.own.playouts) + MORE + 3", 5),
    "a kernel that it calls": ("few", "1 * playouts", "5 * playouts", 6),
    "a number of another module": ("few_number", "MORE = 1", "MORE = 7", 8),
}


def test_after_an_edit_of_the_kernel_the_next_process_runs_the_new_one(tmp_path):
    few, more = tmp_path / "few.py", tmp_path / "few_number.py"
    cache = {"ROOKERY_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}

    def playouts(**files):
        few.write_text(files.get("few", FEW))
        more.write_text(files.get("few_number", "MORE = 1\n"))
        told = answer("solve", "leftmove", "-p", "depth=4", "--algorithm", f"{few}:Few", "--seed", "1", **cache)
        return told["playouts"]

    def kept():
        return {file.name for file in (tmp_path / "cache").rglob("*") if file.is_file()}

    assert playouts() == 2
    for what, (file, old, new, expected) in EDITS.items():
        text = {"few": FEW, "few_number": "MORE = 1\n"}[file]
        assert text.count(old) == 1
        assert playouts(**{file: text.replace(old, new)}) == expected, what
    known = kept()
    assert playouts() == 2
    assert kept() == known != set()  # what is as before comes from the disk


# --- one process ---


def own_search(amount):
    """A class that is defined anew with every call: with the same names, and another kernel."""

    def make(spec):
        random_playout = make_random_playout(spec)

        def several(key, self, states, lines, run):
            seed_stream(run.rng[0], key)
            for _ in range(amount):
                states[1] = states[0]
                status = random_playout(self, states[1], states, 0, lines.best[0], run.rng[0], lines, run)
                if status != OK:
                    return status
            return OK

        return several

    @dataclass(frozen=True, kw_only=True)
    class SeveralTask(Task):
        def call(self, memory, signal):
            run, lines = memory.assign(self, signal), memory.lines
            arguments = (np.uint64(self.key), memory.constants, memory.states, lines, run)
            return Call(kernel=("several", make), arguments=arguments, found=lambda: memory.line(lines.best[0], 0))

    @dataclass(frozen=True)
    class Several(Search):
        name = "several"

        def smallest_task(self, prefix):
            return SeveralTask(search=self, key=0, prefix=prefix)

        def planner(self, setting):
            return lambda key: OneTask(replace(self.smallest_task(setting.prefix), key=key))

    return Several


def test_a_class_that_is_defined_again_has_its_own_kernel():
    problem = rk.problems.LeftMove(depth=4)
    first, second = own_search(3), own_search(5)
    runs = [rk.solve(problem, search(), seed=1).playouts for search in (first, second, first)]
    assert runs == [3, 5, 3]


def test_without_a_twin_a_plain_problem_is_refused_in_one_sentence():
    class Empty(rk.PythonProblem):
        def start(self):
            return ""

        def moves(self, state):
            return []

        def code(self, state, move):
            return move

        def play(self, state, move):
            return state

        def score(self, state):
            return 0

    text = "^Several searches compiled problems only: it names no twin in plain Python$"
    with pytest.raises(rk.InputError, match=text):
        rk.solve(Empty(), own_search(3)(), seed=1)


def test_a_search_that_lacks_a_part_says_which():
    @dataclass(frozen=True)
    class Nothing(Search):
        name = "nothing"

    with pytest.raises(NotImplementedError, match="Nothing must define smallest_task"):
        rk.solve(rk.problems.LeftMove(depth=4), Nothing(), seed=1)
