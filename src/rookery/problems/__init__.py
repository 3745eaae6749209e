"""The problems that come with the library, one per file or folder."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rookery.problems.crossword.board import Crossword as Crossword
    from rookery.problems.leftmove import LeftmostPath as LeftmostPath
    from rookery.problems.leftmove import LeftMove as LeftMove
    from rookery.problems.morpion.board import Morpion as Morpion
    from rookery.problems.morpion.tuned import TunedMorpion as TunedMorpion
    from rookery.problems.samegame.game import SameGame as SameGame
    from rookery.problems.sudoku.board import Sudoku as Sudoku
    from rookery.problems.sudoku.forward_checking import ForwardChecking as ForwardChecking
    from rookery.problems.tsp import TSP as TSP

_HOMES = {
    "problems.crossword.board": ("Crossword",),
    "problems.leftmove": (
        "LeftMove",
        "LeftmostPath",
    ),
    "problems.morpion.board": ("Morpion",),
    "problems.morpion.tuned": ("TunedMorpion",),
    "problems.samegame.game": ("SameGame",),
    "problems.sudoku.board": ("Sudoku",),
    "problems.sudoku.forward_checking": ("ForwardChecking",),
    "problems.tsp": ("TSP",),
}
"""Module -> names that are found there when they are first asked for: importing costs nothing."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"rookery.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
