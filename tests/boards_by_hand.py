"""Slow oracles of Connect Four, Gomoku, Hex, Othello and Amazons: plain sets of (column, row), and exhaustive search.

A position has ``turn``, ``moves()``, the legal moves as the games write them, ``play(name)``, and ``winner()``, which
is asked when there are no moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import rookery as rk
from rookery.compiler.specialise import Specialisation
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.game import Game
from rookery.kernels.memory import legal_width
from rookery.rng import Stream

Square = tuple[int, int]
LETTERS = "abcdefghijklmnopqrst"
EIGHT = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
SIX = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))


def name(square: Square) -> str:
    return f"{LETTERS[square[0]]}{square[1] + 1}"


def beside(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


class Rows(NamedTuple):
    """A position of Connect Four (``falls``) or Gomoku."""

    board: frozenset[Square]
    row: int
    falls: bool
    own: tuple[frozenset[Square], frozenset[Square]] = (frozenset(), frozenset())
    turn: int = 0

    @classmethod
    def start(cls, width: int, height: int, row: int, falls: bool) -> Rows:
        return cls(frozenset((x, y) for x in range(width) for y in range(height)), row, falls)

    def winner(self) -> int:
        for player in (0, 1):
            for square in self.own[player]:
                for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [square]
                    while len(line) < self.row and beside(line[-1], step) in self.own[player]:
                        line.append(beside(line[-1], step))
                    if len(line) == self.row:
                        return player
        return -1

    def _places(self) -> dict[str, Square]:
        if self.winner() >= 0:
            return {}
        empty = self.board - self.own[0] - self.own[1]
        if not self.falls:  # the names of points leave out I
            return {f"{LETTERS.replace('i', '')[x].upper()}{y + 1}": (x, y) for x, y in empty}
        return {LETTERS[x]: (x, y) for x, y in empty if y == 0 or (x, y - 1) not in empty}

    def moves(self) -> list[str]:
        return list(self._places())

    def play(self, move: str) -> Rows:
        own = list(self.own)
        own[self.turn] |= {self._places()[move]}
        return self._replace(own=tuple(own), turn=1 - self.turn)


class Chains(NamedTuple):
    """A position of Hex."""

    size: int
    own: tuple[frozenset[Square], frozenset[Square]] = (frozenset(), frozenset())
    turn: int = 0

    def winner(self) -> int:
        for player in (0, 1):
            along = 1 - player  # red goes from row to row, blue from column to column
            chain = {square for square in self.own[player] if square[along] == 0}
            grows = True
            while grows:
                more = {beside(square, step) for square in chain for step in SIX} & self.own[player]
                grows = not more <= chain
                chain |= more
            if any(square[along] == self.size - 1 for square in chain):
                return player
        return -1

    def _places(self) -> dict[str, Square]:
        empty = [(x, y) for y in range(self.size) for x in range(self.size)]
        taken = self.own[0] | self.own[1]
        return {} if self.winner() >= 0 else {name(square): square for square in empty if square not in taken}

    def moves(self) -> list[str]:
        return list(self._places())

    def play(self, move: str) -> Chains:
        own = list(self.own)
        own[self.turn] |= {self._places()[move]}
        return self._replace(own=tuple(own), turn=1 - self.turn)


class Turned(NamedTuple):
    """A position of Othello."""

    width: int
    height: int
    own: tuple[frozenset[Square], frozenset[Square]]
    turn: int = 0

    @classmethod
    def start(cls, width: int, height: int) -> Turned:
        x, y = width // 2, height // 2
        return cls(width, height, (frozenset({(x, y - 1), (x - 1, y)}), frozenset({(x - 1, y - 1), (x, y)})))

    def _lines(self, square: Square, player: int) -> set[Square]:
        found: set[Square] = set()
        for step in EIGHT:
            line, at = set(), beside(square, step)
            while at in self.own[1 - player]:
                line.add(at)
                at = beside(at, step)
            found |= line if at in self.own[player] else set()
        return found

    def _places(self, player: int) -> dict[str, Square]:
        board = ((x, y) for x in range(self.width) for y in range(self.height))
        free = (square for square in board if square not in self.own[0] | self.own[1])
        return {name(square): square for square in free if self._lines(square, player)}

    def moves(self) -> list[str]:
        return list(self._places(self.turn)) or (["pass"] if self._places(1 - self.turn) else [])

    def play(self, move: str) -> Turned:
        if move == "pass":
            return self._replace(turn=1 - self.turn)
        square = self._places(self.turn)[move]
        lines, own = self._lines(square, self.turn), list(self.own)
        own[self.turn] |= lines | {square}
        own[1 - self.turn] -= lines
        return self._replace(own=tuple(own), turn=1 - self.turn)

    def winner(self) -> int:
        first, second = map(len, self.own)
        return -1 if first == second else int(second > first)


class Queens(NamedTuple):
    """A position of Amazons."""

    width: int
    height: int
    free: frozenset[Square]
    own: tuple[frozenset[Square], frozenset[Square]]
    turn: int = 0

    @classmethod
    def start(cls, width: int, height: int) -> Queens:
        x, y = (width - 1) // 3, (height - 1) // 3
        low = frozenset({(x, 0), (width - 1 - x, 0), (0, y), (width - 1, y)})
        high = frozenset((column, height - 1 - row) for column, row in low)
        board = frozenset((column, row) for column in range(width) for row in range(height))
        return cls(width, height, board - low - high, (low, high))

    def _from(self, square: Square, free: frozenset[Square]) -> Iterator[Square]:
        for step in EIGHT:
            at = beside(square, step)
            while at in free:
                yield at
                at = beside(at, step)

    def _places(self) -> Iterator[tuple[Square, Square, Square]]:
        for queen in self.own[self.turn]:
            for to in self._from(queen, self.free):
                for arrow in self._from(to, self.free - {to} | {queen}):
                    yield queen, to, arrow

    def moves(self) -> list[str]:
        return [f"{name(queen)}-{name(to)}/{name(arrow)}" for queen, to, arrow in self._places()]

    def play(self, move: str) -> Queens:
        queen, to, arrow = ((LETTERS.index(word[0]), int(word[1:]) - 1) for word in move.replace("-", "/").split("/"))
        own = list(self.own)
        own[self.turn] = own[self.turn] - {queen} | {to}
        free = (self.free | {queen}) - {to, arrow}
        return self._replace(free=free, own=tuple(own), turn=1 - self.turn)

    def winner(self) -> int:
        return 1 - self.turn


# --- a game beside its oracle ---


def assert_random_games_agree(game: Game, start: Any, games: int, most: int = 1000) -> list[int]:
    """Random games in lock-step: legal moves, player, winner, and that sample draws from the list; who has won them."""
    ours, chance, winners = InterpretedGame(game), random.Random(1), []
    for _ in range(games):
        state, oracle, moves = ours.start(), start, []
        while (legal := ours.moves(state)) and len(moves) < most:
            names = [game.describe_move(move) for move in legal]
            assert sorted(names) == sorted(oracle.moves())
            assert [game.read_move(text) for text in names] == legal
            assert ours.player(state) == oracle.turn
            draws, twin = Stream(len(moves)), Stream(len(moves))
            assert ours.sample(state, draws) == (legal[twin.below(len(legal))] if names != ["pass"] else legal[0])
            chosen = chance.randrange(len(legal))
            ours.play(state, legal[chosen])
            oracle = oracle.play(names[chosen])
            moves.append(legal[chosen])
        assert len(moves) < game.limits().length
        if not legal:
            assert oracle.moves() == []
            assert ours.sample(state, Stream(1)) is None
            assert ours.winner(state) == oracle.winner()
            winners.append(ours.winner(state))
    return winners


def make_perft(spec: Specialisation) -> Any:
    """A kernel that counts games."""
    start, moves, play = spec.functions.start, spec.functions.moves, spec.functions.play

    def perft(self, states, out, left, counts):
        """``counts[i]``: how many games of i + 1 moves there are; one state and one list of moves for each ply."""
        start(self, states[0])
        left[0] = moves(self, states[0], out[0])
        counts[0] = left[0]
        ply = 0
        while ply >= 0:
            if left[ply] == 0 or ply + 1 == counts.size:
                ply -= 1
                continue
            left[ply] -= 1
            states[ply + 1] = states[ply]
            play(self, states[ply + 1], out[ply, left[ply]])
            ply += 1
            left[ply] = moves(self, states[ply], out[ply])
            counts[ply] += left[ply]

    return perft


def compiled_perft(game: Game, depth: int) -> list[int]:
    """How many games of 1, 2, ... moves there are, counted one by one in compiled code."""
    engine, width = GameEngine(game), legal_width(game.limits())
    counts, left = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    buffers = (engine.states(depth), np.zeros((depth, width), np.int64), left, counts)
    engine.call("perft", make_perft, engine.constants, *buffers)
    return [int(count) for count in counts]


@cache
def outcome(position: Any) -> str:
    """What the player to move can reach at best, by exhaustive search."""
    best = "loss"
    over = True
    for move in position.moves():
        over = False
        child = position.play(move)
        reached = outcome(child)
        if child.turn != position.turn:
            reached = {"win": "loss", "loss": "win", "draw": "draw"}[reached]
        if reached == "win":
            return "win"
        best = max(best, reached, key=("loss", "draw").index)
    if not over:
        return best
    winner = position.winner()
    return "draw" if winner < 0 else "win" if winner == position.turn else "loss"


def late_positions(start: Any, plies: int, games: int) -> Iterator[tuple[list[str], Any]]:
    """Positions of long random games, so many moves before their ends, with the moves that lead there."""
    chance = random.Random(2)
    while games:
        position, moves, seen = start, [], [start]
        while legal := position.moves():
            moves.append(chance.choice(sorted(legal)))
            position = position.play(moves[-1])
            seen.append(position)
        if len(moves) >= 2 * plies:
            games -= 1
            yield moves[:-plies], seen[-plies - 1]


def assert_late_positions_are_proven(worker: GameWorker, game: Game, start: Any, plies: int, games: int) -> set[str]:
    """What the solver proves of positions near the end is what exhaustive search finds; all that it was."""
    found = set()
    for moves, position in late_positions(start, plies, games):
        sequence = tuple(game.read_move(move) for move in moves)
        decision = worker.decide(rk.GameUCT(playouts=100_000, solver=True), sequence, 1)
        assert decision is not None
        assert decision.proven == outcome(position)
        found.add(decision.proven)
    return found


def lock_step(game: Game, theirs: Any, named: Callable[[Any, int], str], games: int, seed: int = 1) -> list[int]:
    """Random games beside OpenSpiel's; ``named`` writes its actions as the game does. Who has won them."""
    ours, chance, winners = InterpretedGame(game), random.Random(seed), []
    for _ in range(games):
        state, other = ours.start(), theirs.new_initial_state()
        while not other.is_terminal():
            actions = {named(other, action): action for action in other.legal_actions()}
            legal = {game.describe_move(move): move for move in ours.moves(state)}
            assert legal.keys() == actions.keys()
            assert ours.player(state) == other.current_player()
            chosen = chance.choice(sorted(legal))
            ours.play(state, legal[chosen])
            other.apply_action(actions[chosen])
        assert ours.moves(state) == []
        first = other.returns()[0]
        assert ours.winner(state) == (-1 if first == 0 else int(first < 0))
        winners.append(ours.winner(state))
    return winners
