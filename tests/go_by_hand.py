"""Rules of the Go family in sets and floods, slow and plain, for tests to compare with."""

from __future__ import annotations

import random
from collections.abc import Sequence


def beside(size: int, point: int) -> set[int]:
    row, column = divmod(point, size)
    steps = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return {r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size}


def diagonal(size: int, point: int) -> set[int]:
    row, column = divmod(point, size)
    steps = [(row + a, column + b) for a in (-1, 1) for b in (-1, 1)]
    return {r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size}


def flood(size: int, start: int, within: set[int]) -> set[int]:
    """The points of ``within`` that hang together with ``start``."""
    found: set[int] = set()
    todo = {start}
    while todo:
        point = todo.pop()
        found.add(point)
        todo |= (beside(size, point) & within) - found
    return found


Position = tuple[frozenset[int], frozenset[int]]


class GoByHand:
    """A game of Go; a move is tried out on a copy and judged by what comes of it."""

    def __init__(
        self,
        size: int,
        komi: float = 7.5,
        ko: str = "simple",
        suicide: bool = False,
        eyes: str = "diagonals",
        filling: str = "tree",
        passing: str = "tree",
        longest: int | None = None,
    ) -> None:
        self.size, self.komi, self.ko, self.suicide = size, komi, ko, suicide
        self.eyes, self.filling, self.passing = eyes, filling, passing
        self.longest = 3 * size * size if longest is None else longest
        self.history: list[Position] = [(frozenset(), frozenset())]
        self.record: list[int] = []

    @property
    def board(self) -> Position:
        return self.history[-1]

    @property
    def turn(self) -> int:
        return len(self.record) % 2

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    def liberties(self, chain: set[int], board: Sequence[set[int]]) -> set[int]:
        around = set().union(*(beside(self.size, p) for p in chain))
        return around - board[0] - board[1]

    def after(self, point: int) -> Position | None:
        """The board after a stone, or None if it may not be put there, but for ko."""
        board = [set(self.board[0]), set(self.board[1])]
        own, enemy = board[self.turn], board[1 - self.turn]
        if point in own | enemy:
            return None
        own.add(point)
        for p in beside(self.size, point) & enemy:
            if p in enemy:
                chain = flood(self.size, p, enemy)
                if not self.liberties(chain, board):
                    enemy -= chain
        chain = flood(self.size, point, own)
        if not self.liberties(chain, board):
            if not self.suicide or len(chain) == 1:
                return None
            own -= chain
        return frozenset(board[0]), frozenset(board[1])

    def is_over(self) -> bool:
        return len(self.record) >= self.longest or self.record[-2:] == [self.pass_move] * 2

    def is_eye(self, point: int) -> bool:
        own, enemy = self.board[self.turn], self.board[1 - self.turn]
        around, corners = beside(self.size, point), diagonal(self.size, point)
        if self.eyes == "none" or not around <= own:
            return False
        return self.eyes == "neighbours" or len(corners & enemy) <= (1 if len(corners) == 4 else 0)

    def legal_points(self) -> list[int]:
        legal = []
        for point in range(self.pass_move):
            board = self.after(point)
            if board is None:
                continue
            if self.ko == "superko" and board in self.history:
                continue
            # A simple ko is the case in which the last move was a stone and the board before it would come again.
            if self.ko == "simple" and len(self.history) > 1 and board == self.history[-2]:
                continue
            legal.append(point)
        return legal

    def moves(self) -> list[int]:
        if self.is_over():
            return []
        points = [p for p in self.legal_points() if self.filling == "tree" or not self.is_eye(p)]
        return points + [self.pass_move] * (self.passing != "last" or not points)

    def playout_moves(self) -> list[int]:
        if self.is_over():
            return []
        points = [p for p in self.legal_points() if not self.is_eye(p)]
        return points + [self.pass_move] * (self.passing == "always" or not points)

    def play(self, move: int) -> None:
        board = self.board if move == self.pass_move else self.after(move)
        assert board is not None
        self.history.append(board)
        self.record.append(move)

    def score(self) -> float:
        """Black's points less white's."""
        black, white = self.board
        empty = set(range(self.pass_move)) - black - white
        score = len(black) - len(white) - self.komi
        while empty:
            region = flood(self.size, min(empty), empty)
            empty -= region
            rim = set().union(*(beside(self.size, p) for p in region)) - region
            score += len(region) * ((bool(rim) and rim <= black) - (bool(rim) and rim <= white))
        return score

    def winner(self) -> int:
        score = self.score()
        return 0 if score > 0 else 1 if score < 0 else -1


class AtariGoByHand(GoByHand):
    """The first capture wins."""

    def __init__(self, size: int, suicide: str = "illegal", eyes: str = "diagonals", filling: str = "tree") -> None:
        super().__init__(size, ko="none", eyes=eyes, filling=filling)
        self.loses = suicide == "loses"
        self.won: int | None = None

    def moves(self) -> list[int]:
        return self._moves(self.filling == "never")

    def playout_moves(self) -> list[int]:
        return self._moves(True)

    def _moves(self, leave_eyes: bool) -> list[int]:
        if self.won is not None:
            return []
        taken = self.board[0] | self.board[1]
        legal = [p for p in range(self.pass_move) if p not in taken] if self.loses else self.legal_points()
        return [p for p in legal if not leave_eyes or not self.is_eye(p)] or legal

    def play(self, move: int) -> None:
        board = self.after(move)
        enemy = 1 - self.turn
        if board is None:
            self.won = enemy
            board = self.board
        elif len(board[enemy]) < len(self.board[enemy]):
            self.won = self.turn
        self.history.append(board)
        self.record.append(move)

    def winner(self) -> int:
        return 1 - self.turn if self.won is None else self.won


class NoGoByHand(GoByHand):
    """Nothing may be captured; who cannot move has lost."""

    def __init__(self, size: int, misere: bool = False) -> None:
        super().__init__(size, ko="none")
        self.misere = misere

    def moves(self) -> list[int]:
        stones = len(self.board[0]) + len(self.board[1])
        after = {p: self.after(p) for p in range(self.pass_move)}
        return [p for p, board in after.items() if board is not None and sum(map(len, board)) == stones + 1]

    playout_moves = moves

    def winner(self) -> int:
        return self.turn if self.misere else 1 - self.turn


def play_at_random(by_hand: GoByHand, seed: int, most: int = 10**6, playout: bool = False) -> list[int]:
    """Play a game at random to its end; its moves."""
    rng = random.Random(seed)
    while len(by_hand.record) < most and (moves := by_hand.playout_moves() if playout else by_hand.moves()):
        by_hand.play(rng.choice(moves))
    return by_hand.record


def perft(by_hand: GoByHand, depth: int) -> int:
    """How many sequences of so many legal moves there are."""
    if depth == 0:
        return 1
    total = 0
    for move in by_hand.moves():
        saved = len(by_hand.history), getattr(by_hand, "won", None)
        by_hand.play(move)
        total += perft(by_hand, depth - 1)
        del by_hand.history[saved[0] :], by_hand.record[saved[0] - 1 :]
        if hasattr(by_hand, "won"):
            by_hand.won = saved[1]
    return total


def solve(by_hand: GoByHand, known: dict[tuple[Position, int], int]) -> int:
    """Who wins with best play from here on, by trying everything."""
    key = (by_hand.board, by_hand.turn)
    if getattr(by_hand, "won", None) is not None:
        return by_hand.winner()
    if key not in known:
        moves = by_hand.moves()
        result = 1 - by_hand.turn if moves else by_hand.winner()
        for move in moves:
            saved = len(by_hand.history), getattr(by_hand, "won", None)
            by_hand.play(move)
            winner = solve(by_hand, known)
            del by_hand.history[saved[0] :], by_hand.record[saved[0] - 1 :]
            if hasattr(by_hand, "won"):
                by_hand.won = saved[1]
            if winner == by_hand.turn:
                result = winner
                break
        known[key] = result
    return known[key]
