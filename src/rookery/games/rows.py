"""Rows of stones on a board, in compiled functions: across, upwards and along both diagonals.

The state has the stones of both players as sets of bits, ``s.stones``; point = row * width + column.
"""

from __future__ import annotations

from collections.abc import Mapping

from rookery.bits import ONE, WORD, ZERO, u
from rookery.disk import brief
from rookery.errors import InputError


def reach(s, player, column, row, aside, up, width, height):
    """How many stones of a player follow a point in a direction without a gap."""
    n = 0
    column += aside
    row += up
    while 0 <= column < width and 0 <= row < height:
        point = u(row * width + column)
        if (s.stones[u(player), point // u(WORD)] >> (point % u(WORD))) & ONE == ZERO:
            break
        n += 1
        column += aside
        row += up
    return n


def longest_row(s, player, point, width, height):
    """How long the longest row is that a stone of a player at a point belongs to, or would belong to."""
    column = point % width
    row = point // width
    longest = reach(s, player, column, row, 1, 0, width, height) + reach(s, player, column, row, -1, 0, width, height)
    n = reach(s, player, column, row, 0, 1, width, height) + reach(s, player, column, row, 0, -1, width, height)
    longest = max(longest, n)
    n = reach(s, player, column, row, 1, 1, width, height) + reach(s, player, column, row, -1, -1, width, height)
    longest = max(longest, n)
    n = reach(s, player, column, row, 1, -1, width, height) + reach(s, player, column, row, -1, 1, width, height)
    return max(longest, n) + 1


def row_feature(s, point, width, height, most):
    """How long a row the player to move would have through a point, and how long one the other; both up to ``most``."""
    own = min(longest_row(s, s.turn, point, width, height), most)
    other = min(longest_row(s, 1 - s.turn, point, width, height), most)
    return (own - 1) * most + other - 1


# --- plain Python ---


def has_row(stones: Mapping[int, int], point: int, width: int, row: int) -> bool:
    """Whether a stone belongs to so many of one player in a row; ``stones``: whose stone is on which point.

    >>> has_row({0: 0, 6: 0, 12: 0, 7: 1}, 6, width=5, row=3)
    True
    """
    own = {divmod(other, width) for other, player in stones.items() if player == stones[point]}
    for up, aside in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for side in (1, -1):
            at = (point // width + side * up, point % width + side * aside)
            while at in own:
                length += 1
                at = (at[0] + side * up, at[1] + side * aside)
        if length >= row:
            return True
    return False


def check_row(row: int, longest: int) -> None:
    """Refuse a number of stones in a row that the board has no room for."""
    if isinstance(row, bool) or not isinstance(row, int) or not 2 <= row <= longest:
        raise InputError(f"row must be a whole number from 2 to {longest}, got {brief(row)}")
