"""The problems that come with the library, one per file or folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

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

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "problems.crossword.board": "Crossword",
        "problems.leftmove": "LeftMove LeftmostPath",
        "problems.morpion.board": "Morpion",
        "problems.morpion.tuned": "TunedMorpion",
        "problems.samegame.game": "SameGame",
        "problems.sudoku.board": "Sudoku",
        "problems.sudoku.forward_checking": "ForwardChecking",
        "problems.tsp": "TSP",
    },
)
