"""Lines of discs in Othello, in compiled functions: where a disc may be placed, and which others it turns.

The board is one word; a direction is a shift of it. ``width`` is how many columns there are, and ``inner`` has all
squares but those of the first and the last column: discs there never lie between two others, except up and down.
"""

from __future__ import annotations

from rookery.bits import ONE, ZERO


def line_up(own, other, shift):
    """The discs of the other, one after another from an own one, on the way to higher squares."""
    line = (own << shift) & other
    for _ in range(5):  # between two squares of a row there are at most six
        line |= (line << shift) & other
    return line


def line_down(own, other, shift):
    """The same on the way to lower squares."""
    line = (own >> shift) & other
    for _ in range(5):
        line |= (line >> shift) & other
    return line


def placeable(own, other, empty, width, inner):
    """The squares on which a disc would turn others."""
    across = other & inner
    longer = width + ONE
    shorter = width - ONE
    found = line_up(own, across, ONE) << ONE | line_down(own, across, ONE) >> ONE
    found |= line_up(own, other, width) << width | line_down(own, other, width) >> width
    found |= line_up(own, across, longer) << longer | line_down(own, across, longer) >> longer
    found |= line_up(own, across, shorter) << shorter | line_down(own, across, shorter) >> shorter
    return found & empty


def turned_up(bit, own, other, shift):
    """The discs that one on this square turns on the way to higher squares."""
    line = line_up(bit, other, shift)
    return line if (line << shift) & own != ZERO else ZERO


def turned_down(bit, own, other, shift):
    """The same on the way to lower squares."""
    line = line_down(bit, other, shift)
    return line if (line >> shift) & own != ZERO else ZERO


def turned(bit, own, other, width, inner):
    """The discs of the other that one on this square turns."""
    across = other & inner
    longer = width + ONE
    shorter = width - ONE
    found = turned_up(bit, own, across, ONE) | turned_down(bit, own, across, ONE)
    found |= turned_up(bit, own, other, width) | turned_down(bit, own, other, width)
    found |= turned_up(bit, own, across, longer) | turned_down(bit, own, across, longer)
    return found | turned_up(bit, own, across, shorter) | turned_down(bit, own, across, shorter)
