"""Knightthrough: Breakthrough with knights.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015: the pieces of Breakthrough are knights, which jump as
in chess, but only forward: two columns aside and one row forward, or one aside and two forward. Any jump may capture.
The first to reach the last row wins. What the paper leaves open: whoever cannot move loses.
"""

from __future__ import annotations

from rookery.games.forward import ForwardGame


class Knightthrough(ForwardGame):
    """Knights jump forward and capture; the first to reach the last row wins.

    Parameters
    ----------
    width
        columns, 2 to 16
    height
        rows, 4 to 16

    >>> game = Knightthrough(5, 5)
    >>> game.describe_move(game.read_move("b2-d3"))
    'b2-d3'
    >>> print(game.draw([game.read_move("b2-d3")]))
     5  ♞ ♞ ♞ ♞ ♞
     4  ♞ ♞ ♞ ♞ ♞
     3  · · ·[♘]·
     2  ♘[·]♘ ♘ ♘
     1  ♘ ♘ ♘ ♘ ♘
        a b c d e
    """

    STEPS = ((-2, 1), (-1, 2), (1, 2), (2, 1))
    SYMBOLS = ("♘", "♞")
    LETTER = "N"


class MisereKnightthrough(Knightthrough):
    """Knightthrough the other way round: reaching the last row loses, and whoever cannot move wins.

    >>> MisereKnightthrough.build(size=5)
    MisereKnightthrough(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
