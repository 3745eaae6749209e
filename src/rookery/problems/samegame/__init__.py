"""SameGame: the problem, its boards and games as people write them, and pictures."""

from rookery.problems.samegame.game import SameGame

__all__ = ["SameGame"]
