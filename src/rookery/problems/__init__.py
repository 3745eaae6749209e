"""The problems that come with the library, one per file or folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.problems.colouring import Colouring as Colouring
    from rookery.problems.conjecture import GraphConjecture as GraphConjecture
    from rookery.problems.crossword.board import Crossword as Crossword
    from rookery.problems.independent_set import IndependentSet as IndependentSet
    from rookery.problems.jobshop import JobShop as JobShop
    from rookery.problems.leftmove import LeftmostPath as LeftmostPath
    from rookery.problems.leftmove import LeftMove as LeftMove
    from rookery.problems.morpion.board import Morpion as Morpion
    from rookery.problems.morpion.tuned import TunedMorpion as TunedMorpion
    from rookery.problems.rna import InverseRNA as InverseRNA
    from rookery.problems.samegame.game import SameGame as SameGame
    from rookery.problems.samegame.soft import SoftSameGame as SoftSameGame
    from rookery.problems.schur import WeakSchur as WeakSchur
    from rookery.problems.snake import Snake as Snake
    from rookery.problems.sudoku.board import Sudoku as Sudoku
    from rookery.problems.sudoku.forward_checking import ForwardChecking as ForwardChecking
    from rookery.problems.tsp import TSP as TSP
    from rookery.problems.tsp import NearTSP as NearTSP
    from rookery.problems.tsptw import TSPTW as TSPTW

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "problems.colouring": "Colouring",
        "problems.conjecture": "GraphConjecture",
        "problems.crossword.board": "Crossword",
        "problems.independent_set": "IndependentSet",
        "problems.jobshop": "JobShop",
        "problems.leftmove": "LeftMove LeftmostPath",
        "problems.morpion.board": "Morpion",
        "problems.morpion.tuned": "TunedMorpion",
        "problems.rna": "InverseRNA",
        "problems.samegame.game": "SameGame",
        "problems.samegame.soft": "SoftSameGame",
        "problems.schur": "WeakSchur",
        "problems.snake": "Snake",
        "problems.sudoku.board": "Sudoku",
        "problems.sudoku.forward_checking": "ForwardChecking",
        "problems.tsp": "NearTSP TSP",
        "problems.tsptw": "TSPTW",
    },
)
