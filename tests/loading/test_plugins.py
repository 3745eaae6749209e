"""Problems, games and searches that other distributions register: they are found by name; a bad one is one warning."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import rookery as rk
from rookery.errors import RookeryWarning
from rookery.loading.kinds import GAME, PROBLEM, SEARCH

MODULE = '''
from dataclasses import dataclass
import rookery as rk

class Steps(rk.PythonProblem):
    """Go up or stay."""
    def __init__(self, length: int = 4):
        self.length = length
    def start(self): return ""
    def moves(self, state): return "01" if len(state) < self.length else ""
    def code(self, state, move): return len(state), move
    def play(self, state, move): return state + move
    def score(self, state): return state.count("1")

class Race(rk.PythonGame):
    """Who is first to the end."""
    def __init__(self, length: int = 3):
        self.length = length
    def start(self): return ""
    def moves(self, state): return "ab" if len(state) < self.length else ""
    def play(self, state, move): return state + move
    def player(self, state): return len(state) % 2
    def winner(self, state): return state.count("b") % 2

@dataclass(frozen=True)
class Twice(rk.NRPA):
    """NRPA with two iterations."""
    iterations: int = 2

class Lazy(rk.FlatMC):
    """Flat Monte Carlo by another name."""
'''
GOOD = """
[rookery.problems]
steps = more_rookery:Steps
[rookery.games]
race = more_rookery:Race
[rookery.searches]
twice = more_rookery:Twice
[rookery.game_searches]
lazy = more_rookery:Lazy
"""
BAD = """
[rookery.problems]
broken = broken_rookery:Steps
tsp = more_rookery:Steps
[rookery.games]
broken = broken_rookery:Race
go = more_rookery:Race
steps = more_rookery:Steps
[rookery.searches]
broken = broken_rookery:Twice
nrpa = more_rookery:Twice
missing = more_rookery:Thrice
[rookery.game_searches]
broken = broken_rookery:Lazy
ppa = more_rookery:Lazy
"""


def distribution(folder, name, entry_points):
    """A distribution that is installed in a folder."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)


@pytest.fixture
def installed(tmp_path):
    (tmp_path / "more_rookery.py").write_text(MODULE)
    (tmp_path / "broken_rookery.py").write_text("import rookery\n\n1 / 0\n")
    distribution(tmp_path, "more-rookery", GOOD)
    return tmp_path


def command(folder, *arguments):
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-m", "rookery", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def listed(folder):
    ran = command(folder, "list", "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), ran.stderr.splitlines()


# --- good ones ---


def test_plug_ins_are_listed(installed):
    found, told = listed(installed)
    assert not told
    assert found["problems"]["steps"] == {
        "description": "Go up or stay.",
        "parameters": {"length": {"default": 4, "must_be": "a whole number"}},
    }
    assert found["games"]["race"]["description"] == "Who is first to the end."
    assert found["algorithms"]["twice"]["parameters"]["iterations"] == {"default": 2}
    assert found["game_searches"]["lazy"]["description"] == "Flat Monte Carlo by another name."
    assert "  twice     NRPA with two iterations." in command(installed, "list").stdout


def test_a_problem_and_a_search_are_solved_by_name_and_go_on_by_name(installed, tmp_path):
    solve = ("solve", "steps", "-p", "length=5", "--algorithm", "twice", "--level", "3", "--seed", "1", "--json", "-q")
    whole = json.loads(command(installed, *solve).stdout)
    assert (whole["problem"], whole["search"]["algorithm"], whole["playouts"]) == ("steps", "twice", 8)
    file = str(tmp_path / "run.ckpt")
    assert json.loads(command(installed, *solve, "--playouts", "3", "--checkpoint", file).stdout)["playouts"] == 3
    resumed = json.loads(command(installed, "resume", file, "--no-limits", "--json", "-q").stdout)
    assert [resumed[key] for key in ("score", "moves", "playouts")] == [
        whole[key] for key in ("score", "moves", "playouts")
    ]


def test_a_game_is_played_by_name_and_by_a_search_of_a_name(installed):
    sides = ("--a", "lazy:playouts=5", "--b", "uct:playouts=5")
    ran = command(installed, "match", "race", "-p", "length=5", *sides, "--games", "2", "--seed", "1", "--json", "-q")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["game"], told["a"]["playouts"]) == ("race", 5)


def test_plug_ins_are_checked_by_name(installed):
    for name in ("steps", "race"):
        ran = command(installed, "check", name, "--playouts", "8", "--no-measure", "-q")
        assert "keeps its contract" in ran.stdout, ran.stderr


def test_an_unknown_name_is_told_the_registered_ones(installed):
    ran = command(installed, "solve", "stairs")
    assert ran.stderr.endswith("tsptw, steps, and your own as file.py:Class\n")
    ran = command(installed, "solve", "tsp", "--algorithm", "thrice")
    assert "spmcts, sampling, tempering, annealing, auto or twice, got 'thrice'" in ran.stderr


# --- bad ones ---


def test_each_bad_plug_in_is_one_warning_and_all_else_works(installed):
    distribution(installed, "bad-rookery", BAD)
    found, told = listed(installed)
    cannot = "of the plug-in bad-rookery cannot be loaded:"
    assert [line.replace(f"{installed}{os.sep}broken_rookery.py:3: ", "") for line in told] == [
        f"rookery: warning: {text}"
        for text in (
            "the problem tsp of the plug-in bad-rookery is left out: tsp is the name of a built-in problem",
            f"the problem broken {cannot} ZeroDivisionError: division by zero",
            "the game go of the plug-in bad-rookery is left out: go is the name of a built-in game",
            f"the game broken {cannot} ZeroDivisionError: division by zero",
            "the game steps of the plug-in bad-rookery is not a subclass of rookery.Game or PythonGame, "
            "but <class 'more_rookery.Steps'>",
            "the search nrpa of the plug-in bad-rookery is left out: nrpa is the name of a built-in search",
            f"the search broken {cannot} ZeroDivisionError: division by zero",
            f"the search missing {cannot} AttributeError: module 'more_rookery' has no attribute 'Thrice'",
            "the search for games ppa of the plug-in bad-rookery is left out: "
            "ppa is the name of a built-in search for games",
            f"the search for games broken {cannot} ZeroDivisionError: division by zero",
        )
    ]
    assert {"steps", "tsp"} <= set(found["problems"])
    assert not {"broken", "steps"} & set(found["games"])
    assert not {"broken", "missing"} & set(found["algorithms"])
    assert found["algorithms"]["nrpa"]["parameters"]["iterations"] == {"default": 100}


def test_a_bad_plug_in_is_an_error_only_where_it_is_asked_for(installed):
    distribution(installed, "bad-rookery", BAD)
    ran = command(installed, "solve", "steps", "--level", "1", "--iterations", "5", "--seed", "1", "-q")
    assert (ran.returncode, ran.stderr) == (0, "")
    ran = command(installed, "solve", "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    asked = {
        "problem": ("solve", "broken"),
        "game": ("match", "broken"),
        "search": ("solve", "steps", "--algorithm", "broken"),
        "search for games": ("match", "race", "--a", "broken"),
    }
    for word, arguments in asked.items():
        ran = command(installed, *arguments)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        text = ran.stderr.replace("--a: ", "")
        assert text.startswith(f"rookery: the {word} broken of the plug-in bad-rookery cannot be loaded: ")


def test_in_python_a_bad_plug_in_is_a_warning(installed, monkeypatch):
    distribution(installed, "bad-rookery", BAD)
    monkeypatch.syspath_prepend(installed)
    for kind, taken in ((PROBLEM, "tsp"), (GAME, "go"), (SEARCH, "nrpa")):
        with pytest.warns(RookeryWarning) as told:
            found = kind.classes()
        left_out = f"the {kind.word} {taken} of the plug-in bad-rookery is left out: "
        assert str(told[0].message).startswith(left_out)
        assert "broken" not in found
        assert found[taken].__module__.startswith("rookery.")
    with pytest.warns(RookeryWarning):
        assert rk.tools.game_searches()["ppa"] is rk.PPA
    assert rk.load_problem("steps").length == 4
    assert rk.load_game("race").length == 3
    with pytest.raises(rk.InputError, match="^the problem broken of the plug-in bad-rookery cannot be loaded: "):
        rk.load_problem("broken")
