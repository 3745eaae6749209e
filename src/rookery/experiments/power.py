"""The power suite: ten problems of the literature on which the searches are judged at equal time."""

from __future__ import annotations

import os
from pathlib import Path

from rookery.errors import InputError
from rookery.experiments.suite import Case, Suite
from rookery.problems.schur import BEST_KNOWN as SCHUR
from rookery.problems.snake import BEST_KNOWN as SNAKE
from rookery.search.annealing import Annealing
from rookery.search.auto import Auto
from rookery.search.beam import BeamSearch
from rookery.search.lazy import LazyNMCS
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.protocol import Search
from rookery.search.reflexive import Reflexive
from rookery.search.sampling import Sampling
from rookery.search.tempering import Tempering
from rookery.search.uct import SPMCTS, UCT

PROVEN = "proven by CP-SAT"  # by benchmarks/suite_optima.py, which needs OR-Tools
BOARD = "a puzzle in which every move changes the board"
WINDOWS = "a tour that has to keep times"
SCHEDULE = "a schedule: who comes first on each machine"
BUILT = "a construction that ends at the first mistake"
PATH = "a path that must not touch itself"
SUBSET = "a subset in which some pairs are forbidden"


def power_suite(data: str | os.PathLike[str] | None = None) -> Suite:
    """The suite; ``data`` is a folder with standard instances, in place of which others are generated without it.

    It holds ``samegame/standard20.txt``, ``tsptw/rc_208.1.txt`` and ``jobshop/ft10.txt``.

    >>> [case.name for case in power_suite().cases][:3]
    ['Morpion 5D', 'Morpion 5T', 'SameGame']
    """
    samegame, tsptw, jobshop = _generated() if data is None else _standard(Path(data))
    cases = (
        Case("Morpion 5D", "morpion", {"variant": "5D"}, 82, "the known record", "a puzzle whose moves open others"),
        Case("Morpion 5T", "morpion", {"variant": "5T"}, 178, "the known record", "the same, with longer games"),
        samegame,
        Case("CrossC", "crossword", {}, 37_259, "Rosin 2011, Figure 7: 37;259", "packing, with words"),
        Case("TSP-100", "tsp", {"n": 100, "code": "undirected"}, 7.860090, PROVEN, "a tour: an order and its cost"),
        tsptw,
        jobshop,
        Case("weak Schur 5", "schur", {"classes": 5}, SCHUR[5], "the best known lower bound", BUILT),
        Case("snake 7", "snake", {"dimension": 7}, SNAKE[7], "the proven optimum", PATH),
        Case("independent set", "independentset", {"graph": "random200-10"}, 42, "CP-SAT in 500 s; not proven", SUBSET),
    )
    return Suite("power", cases, _searches())


def _searches() -> dict[str, Search]:
    """Every search, at settings that serve all problems; those that end are restarted."""
    return {
        "nrpa": NRPA(level=3),
        "nmcs": NMCS(level=2),
        "lazynmcs": LazyNMCS(level=2),
        "reflexive": Reflexive(level=2),
        "beam": BeamSearch(),
        "uct": UCT(),
        "spmcts": SPMCTS(),
        "sampling": Sampling(),
        "tempering": Tempering(),
        "annealing": Annealing(),
        "auto": Auto(),
    }


def _generated() -> tuple[Case, Case, Case]:
    return (
        Case("SameGame", "samegame", {"rule": "tabu"}, kind=BOARD),
        Case("TSPTW", "tsptw", {"n": 40}, 1572.5632, PROVEN, WINDOWS),
        Case("job shop", "jobshop", {"jobs": 10, "machines": 10}, 944, PROVEN, SCHEDULE),
    )


def _standard(data: Path) -> tuple[Case, Case, Case]:
    files = [data / "samegame" / "standard20.txt", data / "tsptw" / "rc_208.1.txt", data / "jobshop" / "ft10.txt"]
    for file in files:
        if not file.is_file():
            raise InputError(f"the data of the power suite must have {file}")
    samegame, tsptw, jobshop = map(str, files)
    return (
        Case("SameGame 1", "samegame", {"board": samegame, "rule": "tabu"}, kind=BOARD),
        Case("TSPTW rc_208.1", "tsptw", {"instance": tsptw}, 789.25, "the best known cost of this instance", WINDOWS),
        Case("job shop ft10", "jobshop", {"instance": jobshop}, 930, "the known optimum of this instance", SCHEDULE),
    )
