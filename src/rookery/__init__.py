"""Rookery: nested Monte Carlo search. Write a problem in Python, search it at the speed of C++."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rookery._version import __version__ as __version__

if TYPE_CHECKING:
    from rookery import errors as errors
    from rookery import files as files
    from rookery import games as games
    from rookery import papers as papers
    from rookery import problems as problems
    from rookery import search as search
    from rookery import testing as testing
    from rookery import tools as tools
    from rookery.compiler.constants import fixed as fixed
    from rookery.drawing import Drawing as Drawing
    from rookery.errors import CompileError as CompileError
    from rookery.errors import ExecutorError as ExecutorError
    from rookery.errors import InputError as InputError
    from rookery.errors import ProblemError as ProblemError
    from rookery.errors import RookeryError as RookeryError
    from rookery.experiments.distribution import distribution as distribution
    from rookery.experiments.experiment import Experiment as Experiment
    from rookery.experiments.experiment import experiment as experiment
    from rookery.experiments.scores import Distribution as Distribution
    from rookery.experiments.tune import tune as tune
    from rookery.experiments.tuning import Tuning as Tuning
    from rookery.game import Game as Game
    from rookery.game import PythonGame as PythonGame
    from rookery.loading.loading import load_game as load_game
    from rookery.loading.loading import load_problem as load_problem
    from rookery.matches.decide import decide as decide
    from rookery.matches.match import match as match
    from rookery.matches.scores import MatchResult as MatchResult
    from rookery.matches.standings import Tournament as Tournament
    from rookery.matches.tournament import tournament as tournament
    from rookery.problem import INFEASIBLE as INFEASIBLE
    from rookery.problem import Limits as Limits
    from rookery.problem import Problem as Problem
    from rookery.problem import PythonProblem as PythonProblem
    from rookery.problem import capacity as capacity
    from rookery.rng import below as below
    from rookery.rng import uniform as uniform
    from rookery.running.background import BackgroundRun as BackgroundRun
    from rookery.running.callbacks import Callback as Callback
    from rookery.running.callbacks import Progress as Progress
    from rookery.running.checkpoint import Checkpoint as Checkpoint
    from rookery.running.journal import RunLog as RunLog
    from rookery.running.progress import ProgressLine as ProgressLine
    from rookery.running.result import Result as Result
    from rookery.running.resume import resume as resume
    from rookery.running.solve import replay as replay
    from rookery.running.solve import solve as solve
    from rookery.search.annealing import Annealing as Annealing
    from rookery.search.auto import Auto as Auto
    from rookery.search.beam import BeamSearch as BeamSearch
    from rookery.search.flat import FlatMC as FlatMC
    from rookery.search.game_search import Decision as Decision
    from rookery.search.game_uct import GameUCT as GameUCT
    from rookery.search.grave import GRAVE as GRAVE
    from rookery.search.grave import RAVE as RAVE
    from rookery.search.lazy import LazyNMCS as LazyNMCS
    from rookery.search.mast import MAST as MAST
    from rookery.search.nmcs import NMCS as NMCS
    from rookery.search.nrpa import NRPA as NRPA
    from rookery.search.ppa import PPA as PPA
    from rookery.search.ppa import PPAF as PPAF
    from rookery.search.ppa import PPAFM as PPAFM
    from rookery.search.protocol import Search as Search
    from rookery.search.reflexive import Reflexive as Reflexive
    from rookery.search.sampling import Sampling as Sampling
    from rookery.search.tempering import Tempering as Tempering
    from rookery.search.uct import SPMCTS as SPMCTS
    from rookery.search.uct import UCT as UCT
    from rookery.simulation.cluster import simulate as simulate
    from rookery.simulation.speedup import Simulation as Simulation
    from rookery.stop import MaxIterations as MaxIterations
    from rookery.stop import MaxPlayouts as MaxPlayouts
    from rookery.stop import MaxTime as MaxTime
    from rookery.stop import NoImprovement as NoImprovement
    from rookery.stop import Stop as Stop
    from rookery.stop import StopWhen as StopWhen
    from rookery.stop import Target as Target


def _lazy(
    namespace: dict[str, Any], homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module whose names are imported when they are first asked for.

    ``homes``: module -> its names, separated by blanks.
    """
    home = {name: f"rookery.{module}" for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        found = namespace[name] = getattr(importlib.import_module(home[name]), name)
        return found

    return find, lambda: sorted({*namespace, *home}), sorted(home)


_MODULES = ("adapters", "errors", "files", "games", "papers", "problems", "search", "testing", "tools")
"""Public modules, imported when they are first used."""
_find, __dir__, __all__ = _lazy(
    globals(),
    {
        "compiler.constants": "fixed",
        "drawing": "Drawing",
        "errors": "CompileError ExecutorError InputError ProblemError RookeryError",
        "experiments.distribution": "distribution",
        "experiments.experiment": "Experiment experiment",
        "experiments.scores": "Distribution",
        "experiments.tune": "tune",
        "experiments.tuning": "Tuning",
        "game": "Game PythonGame",
        "loading.loading": "load_game load_problem",
        "matches.decide": "decide",
        "matches.match": "match",
        "matches.scores": "MatchResult",
        "matches.standings": "Tournament",
        "matches.tournament": "tournament",
        "problem": "INFEASIBLE Limits Problem PythonProblem capacity",
        "rng": "below uniform",
        "running.background": "BackgroundRun",
        "running.callbacks": "Callback Progress",
        "running.checkpoint": "Checkpoint",
        "running.journal": "RunLog",
        "running.progress": "ProgressLine",
        "running.result": "Result",
        "running.resume": "resume",
        "running.solve": "replay solve",
        "search.annealing": "Annealing",
        "search.auto": "Auto",
        "search.beam": "BeamSearch",
        "search.flat": "FlatMC",
        "search.game_search": "Decision",
        "search.game_uct": "GameUCT",
        "search.grave": "GRAVE RAVE",
        "search.lazy": "LazyNMCS",
        "search.mast": "MAST",
        "search.nmcs": "NMCS",
        "search.nrpa": "NRPA",
        "search.ppa": "PPA PPAF PPAFM",
        "search.protocol": "Search",
        "search.reflexive": "Reflexive",
        "search.sampling": "Sampling",
        "search.tempering": "Tempering",
        "search.uct": "SPMCTS UCT",
        "simulation.cluster": "simulate",
        "simulation.speedup": "Simulation",
        "stop": "MaxIterations MaxPlayouts MaxTime NoImprovement Stop StopWhen Target",
    },
)


def __getattr__(name: str) -> Any:
    return importlib.import_module(f"rookery.{name}") if name in _MODULES else _find(name)
