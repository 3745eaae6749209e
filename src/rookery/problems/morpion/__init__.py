"""Morpion Solitaire: the problem, and games as people exchange them."""

from rookery.problems.morpion.board import Morpion
from rookery.problems.morpion.game import Board, MorpionGame, Move

__all__ = ["Board", "Morpion", "MorpionGame", "Move"]
