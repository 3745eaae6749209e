"""Sudoku of 4 x 4 to 25 x 25 cells: the problem, its generator, and depth-first search to compare with."""

from rookery.problems.sudoku.board import Sudoku
from rookery.problems.sudoku.forward_checking import ForwardChecking, ForwardResult
from rookery.problems.sudoku.generator import full_grid

__all__ = ["ForwardChecking", "ForwardResult", "Sudoku", "full_grid"]
