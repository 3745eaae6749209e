"""Breakthrough: pawns step forward, and one of them has to get through.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015. White begins at the bottom and goes up, with two rows
of pawns; black has the two rows at the top. A pawn steps one row forward, straight or diagonally, onto an empty
square; diagonally it may also capture. The first to reach the last row wins. The paper leaves open what happens to a
player without pawns: here, whoever cannot move loses.
"""

from __future__ import annotations

from rookery.games.forward import ForwardGame


class Breakthrough(ForwardGame):
    """Pawns step forward and capture diagonally; the first to reach the last row wins.

    Parameters
    ----------
    width
        columns, 2 to 16
    height
        rows, 4 to 16

    >>> game = Breakthrough(5, 5)
    >>> game.describe_move(game.read_move("b2-c3"))
    'b2-c3'
    >>> print(game.draw([game.read_move("b2-c3")]))
     5  ♟ ♟ ♟ ♟ ♟
     4  ♟ ♟ ♟ ♟ ♟
     3  · ·[♙]· ·
     2  ♙[·]♙ ♙ ♙
     1  ♙ ♙ ♙ ♙ ♙
        a b c d e
    """

    STEPS = ((-1, 1), (0, 1), (1, 1))
    SYMBOLS = ("♙", "♟")
    peaceful = 1


class MisereBreakthrough(Breakthrough):
    """Breakthrough the other way round: reaching the last row loses, and whoever cannot move wins.

    >>> MisereBreakthrough.build(size=5)
    MisereBreakthrough(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
