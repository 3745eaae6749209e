"""Morpion Solitaire for tests: rules of its own to compare with, random games, and files made by hand.

The judge shares nothing with the library but the names of directions: segments are pairs of dots, lines through a
dot are counted by axis.
"""

from __future__ import annotations

import random
import struct
import zlib
from functools import cache
from itertools import pairwise, product

from rookery.problems.morpion import Board, Morpion, MorpionGame

VARIANTS = ("5T", "5D", "4T", "4D")
FIVE = "...####... ...#..#... ...#..#... ####..#### #........# #........# ####..#### ...#..#... ...#..#... ...####..."
FOUR = "..###.. ..#.#.. ###.### #.....# ###.### ..#.#.. ..###.."
CROSSES = {"5": FIVE, "4": FOUR}
STEPS = {"H": (1, 0), "V": (0, 1), "DP": (1, -1), "DN": (1, 1)}
LINE_OF_DOTS = frozenset({(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (2, 2), (1, 3), (7, 7)})


def judge(variant, moves, dots=None):
    """The number of the first illegal move, or None; and how many moves are left after the legal ones."""
    length, touching = int(variant[0]), variant[1] == "T"
    rows = CROSSES[variant[0]].split()
    there = (
        {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"} if dots is None else {*dots}
    )
    segments, axes = {}, {}

    def cells(x, y, direction, pos):
        dx, dy = STEPS[direction]
        return [(x + (k - pos) * dx, y + (k - pos) * dy) for k in range(length)]

    def is_legal(x, y, direction, pos):
        line = cells(x, y, direction, pos)
        if (x, y) in there or not 0 <= pos < length or any(cell not in there for cell in line if cell != (x, y)):
            return False
        if touching:
            return not any(segments.get(frozenset(pair)) for pair in pairwise(line))
        return not any(direction in axes.get(cell, ()) for cell in line)

    def left():
        xs, ys = ({dot[axis] for dot in there} for axis in (0, 1))
        near = product(range(min(xs) - 1, max(xs) + 2), range(min(ys) - 1, max(ys) + 2))
        return sum(is_legal(x, y, d, pos) for x, y in near for d in STEPS for pos in range(length))

    for number, move in enumerate(moves, 1):
        if not is_legal(*move):
            return number, left()
        there.add((move[0], move[1]))
        line = cells(*move)
        segments.update((frozenset(pair), number) for pair in pairwise(line))
        for cell in line:
            axes.setdefault(cell, set()).add(move[2])
    return None, left()


@cache
def random_game(variant, seed, most=1000, dots=None):
    """A random game of at most so many moves."""
    board, chosen, moves = Board(variant, dots), random.Random(seed), []
    while len(moves) < most and (legal := board.legal()):
        moves.append(chosen.choice(legal))
        board.play(moves[-1])
    return MorpionGame(variant, tuple(moves), dots)


def result_json(problem, parameters, score, moves):
    """A result as ``rookery solve --out`` writes it."""
    return {
        "problem": problem,
        "parameters": parameters,
        "search": {"algorithm": "nrpa"},
        "score": score,
        "moves": list(moves),
        **{"seed": 1, "workers": 1, "playouts": 1, "iterations": 1, "restarts": 0, "seconds": 0.5},
        **{"compile_seconds": 0.1, "status": "finished", "version": "0.1.0", "history": [], "best_seen": None},
    }


def result_of(game):
    """The result of a search that found a game."""
    problem, moves = Morpion.of_game(game)
    return result_json("morpion", problem.parameters(), float(game.score), moves)


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(*chunks):
    """A picture of one dot, with chunks before its pixels."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + pixels
