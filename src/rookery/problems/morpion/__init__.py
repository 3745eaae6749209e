"""Morpion Solitaire: the problem, and games as people exchange them."""

from rookery.problems.morpion.board import Morpion
from rookery.problems.morpion.game import Board, Game, Move

__all__ = ["Board", "Game", "Morpion", "Move"]
