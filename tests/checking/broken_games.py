"""Games that break the contract, each in one function of a sound one, with what a check must say of them."""

from __future__ import annotations

import numpy as np

import rookery as rk
from examples_of_games import Nim

CALLS = np.zeros(1, np.int64)
"""What no function of a game may depend on."""
MARKS = np.array([[(2 * i + p + 1) * 0x9E3779B97F4A7C15 % 2**64 for i in range(8)] for p in (0, 1)], np.uint64)
"""A number for each cell and player, as for a hash that is kept up to date."""
TURN = np.uint64(0xD1B54A32D192ED03)
FIRST = np.uint64(0x8CB92BA72F3D8DD7)


class Cells(rk.Game):
    """Sound: the players mark cells in turn; the one whose cells have the greater sum of squares has won."""

    n: int = 6

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes=self.n)

    def layout(self):
        return {"owner": ("i1", 8), "left": "i8", "turn": "i8", "hash": "u8", "note": "i8"}

    def start(self, s):
        s.owner[:] = -1
        s.left = self.n
        s.turn = 0
        s.hash = FIRST
        s.note = 0

    def moves(self, s, out):
        n = 0
        for i in range(self.n):
            if s.owner[i] < 0:
                out[n] = i
                n += 1
        return n

    def playout_moves(self, s, out):
        n = 0
        for i in range(self.n):
            if s.owner[i] < 0 and (i > 0 or s.left == 1):
                out[n] = i
                n += 1
        return n

    def sample(self, s, rng):
        if s.left == 0:
            return -1
        if s.left == 1 or s.owner[0] >= 0:
            return self._free(s, rk.below(rng, s.left))
        return self._free(s, 1 + rk.below(rng, s.left - 1))

    def _free(self, s, k):
        """The free cell before which there are k."""
        for i in range(self.n):
            if s.owner[i] < 0:
                if k == 0:
                    return i
                k -= 1
        return -1

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.owner[move] = s.turn
        s.left -= 1
        s.hash ^= MARKS[s.turn, move] ^ TURN
        s.turn = 1 - s.turn

    def player(self, s):
        return s.turn

    def _lead(self, s):
        lead = 0
        for i in range(self.n):
            lead += i * i * (1 - 2 * s.owner[i])
        return lead

    def winner(self, s):
        lead = self._lead(s)
        if lead == 0:
            return -1
        return 0 if lead > 0 else 1

    def key(self, s):
        return s.hash

    def describe_move(self, move):
        return f"c{move}"

    def read_move(self, text):
        if not text.startswith("c"):
            raise rk.InputError(f"a cell must be written as c0, got {text!r}")
        return int(text[1:])


CASES: dict[str, tuple[type[rk.Game], str, str, tuple[str, ...]]] = {}
"""Claim -> class, name of the finding, function, words of its text."""


def broken(name: str, function: str, *words: str):
    """Add a case, named after the docstring of its class."""

    def add(cls):
        CASES[cls.__doc__] = cls, name, function, words
        return cls

    return add


@broken("too-many-moves", "moves", "returned 6", "moves=5", "broken_games.py:")
class TooMany(Cells):
    """more moves than declared"""

    def limits(self):
        return rk.Limits(moves=5, length=self.n, codes=self.n)


@broken("negative-move", "moves", "at least 0, got -1")
class NegativeMove(Cells):
    """a move below zero"""

    def moves(self, s, out):
        n = Cells.moves(self, s, out)
        for k in range(n):
            out[k] -= 1
        return n


@broken("moves-not-distinct", "moves", "listed twice")
class Twice(Cells):
    """a move that is listed twice"""

    def moves(self, s, out):
        n = Cells.moves(self, s, out)
        if n == 3:
            out[1] = out[0]
        return n


@broken("moves-not-written", "moves", "wrote nothing to out[5]")
class NotWritten(Cells):
    """a move that is counted and not written"""

    def moves(self, s, out):
        n = Cells.moves(self, s, out)
        return n + 1 if n == 5 else n


@broken("bad-player", "player", "0 or 1, got 2")
class ThirdPlayer(Cells):
    """a third player"""

    def player(self, s):
        return s.turn if s.left > 2 else 2


@broken("bad-winner", "winner", "got 2")
class ThirdWinner(Cells):
    """a draw that is called 2"""

    def winner(self, s):
        won = Cells.winner(self, s)
        return 2 if won == 1 else won


@broken("feature-out-of-range", "feature", "of the move 5 it is 2", "features=2", "broken_games.py:")
class FeatureTooLarge(Cells):
    """a feature out of range"""

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes=self.n, features=2)

    def feature(self, s, move):
        return 2 if move == 5 else move % 2


@broken("state-changed", "feature", "note was 0 and is")
class FeatureChanges(Cells):
    """a feature that changes the state"""

    def feature(self, s, move):
        s.note += 1
        return 0


@broken("bias-not-finite", "bias", "of the move 3 it is inf")
class EndlessBias(Cells):
    """a bias that is infinite"""

    def bias(self, s, move):
        return np.inf if move == 3 else 0.5


@broken("bad-prior", "prior", "of the move 3 it is -1")
class NegativePrior(Cells):
    """a prior below zero"""

    def prior(self, s, move):
        return -1.0 if move == 3 else 0.5


@broken("bad-estimate", "estimate", "within 0 to 1, got 6")
class LargeEstimate(Cells):
    """an estimate above one"""

    def estimate(self, s):
        return s.left


@broken("code-out-of-range", "code", "of the move 5 is 6", "codes=6")
class CodeTooLarge(Cells):
    """a code out of range"""

    def code(self, s, move):
        return move + 1


@broken("codes-not-distinct", "code", "both have the code 0")
class OneCode(Cells):
    """one code for two moves"""

    def code(self, s, move):
        return move // 2


@broken("too-long", "", "after 5 moves there are 1 more", "length=5")
class TooLong(Cells):
    """games longer than declared"""

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n - 1, codes=self.n)


@broken("state-changed", "moves", "note was 0 and is 1")
class MovesChange(Cells):
    """moves that change the state"""

    def moves(self, s, out):
        s.note += 1
        return Cells.moves(self, s, out)


@broken("state-changed", "player", "note was 0 and is 1")
class PlayerChanges(Cells):
    """a player function that changes the state"""

    def player(self, s):
        s.note += 1
        return s.turn


@broken("state-changed", "winner", "note was 0 and is 1")
class WinnerChanges(Cells):
    """a winner function that changes the state"""

    def winner(self, s):
        s.note += 1
        return Cells.winner(self, s)


@broken("state-changed", "key", "note was 0 and is 1")
class KeyChanges(Cells):
    """a key that changes the state"""

    def key(self, s):
        s.note += 1
        return s.hash


@broken("state-changed", "code", "note was 0 and is")
class CodeChanges(Cells):
    """a code that changes the state"""

    def code(self, s, move):
        s.note += 1
        return move


@broken("state-changed", "sample", "note was 0 and is 1")
class SampleChanges(Cells):
    """a sample that changes the state"""

    def sample(self, s, rng):
        s.note += 1
        return Cells.sample(self, s, rng)


@broken("not-deterministic", "winner", "and then")
class Fickle(Cells):
    """a winner that depends on how often it was asked for"""

    def winner(self, s):
        CALLS[0] += 1
        return CALLS[0] % 2


@broken("writes-globals", "", "the array CALLS")
class WritesGlobals(Cells):
    """a function that writes into an array of its module"""

    def play(self, s, move):
        CALLS[0] += 1
        Cells.play(self, s, move)


@broken("key-ignores-player", "key", "is to move after the moves", "and here player")
class KeyWithoutPlayer(Nim):
    """a key that ignores who is to move"""

    def key(self, s):
        return s.left


@broken("key-inconsistent", "key", "two positions have the key", "legal")
class ShortKey(Cells):
    """a key of so few bits that different positions collide"""

    def key(self, s):
        return s.hash >> np.uint64(60)


@broken("key-inconsistent", "key", "both times the moves", "the winner is")
class KeyWithoutOwner(Cells):
    """a key that says which cells are marked and not by whom"""

    def key(self, s):
        key = 0
        for i in range(self.n):
            if s.owner[i] >= 0:
                key += 1 << i
        return key


@broken("key-inconsistent", "key", "the code of the move")
class CodeOfHistory(Cells):
    """a code that depends on what the key does not hold"""

    def play(self, s, move):
        Cells.play(self, s, move)
        s.note = move

    def code(self, s, move):
        return (move + s.note) % self.n


@broken("key-misses-transposition", "key", "it is the same here")
class HashOfOrder(Cells):
    """a hash that depends on the order of the moves"""

    def play(self, s, move):
        before = s.hash
        Cells.play(self, s, move)
        s.hash = before * np.uint64(31) + MARKS[1 - s.turn, move]


@broken("key-misses-transposition", "key", "it is the same here")
class ForgetfulHash(Cells):
    """a hash that forgets a player now and then"""

    def play(self, s, move):
        Cells.play(self, s, move)
        if move == 3 and s.left == 2:
            s.hash ^= TURN


@broken("key-misses-transposition", "key", "it is the same here")
class KeyOfLastMove(Cells):
    """a key that holds the last move, which changes nothing"""

    def play(self, s, move):
        Cells.play(self, s, move)
        s.note = move

    def key(self, s):
        return s.hash + np.uint64(s.note)


@broken("not-a-number", "key", "whole number, got")
class FloatKey(Cells):
    """a key that is no whole number"""

    def key(self, s):
        return s.left * 0.5


@broken("playout-moves-illegal", "playout_moves", "which moves does not")
class PlayoutElsewhere(Cells):
    """a playout move that is not legal"""

    def playout_moves(self, s, out):
        n = Cells.playout_moves(self, s, out)
        if s.left == 2:
            for i in range(self.n):
                if s.owner[i] >= 0:
                    out[0] = i
        return n


@broken("playout-moves-empty", "playout_moves", "lists nothing, but there are 1 legal moves")
class NoPlayoutMoves(Cells):
    """playout moves that run out before the game does"""

    def playout_moves(self, s, out):
        n = Cells.moves(self, s, out)
        return 0 if n == 1 else n


@broken("sample-illegal", "sample", "which playout_moves does not list")
class SamplesAll(Cells):
    """a sample that draws what playouts do not choose from"""

    def sample(self, s, rng):
        return self._free(s, 0)


@broken("sample-ends", "sample", "says the game is over, but there are 2 moves")
class SampleEndsEarly(Cells):
    """a sample that ends the game too early"""

    def playout_moves(self, s, out):
        return Cells.moves(self, s, out)

    def sample(self, s, rng):
        return -1 if s.left == 2 else self._free(s, rk.below(rng, s.left))


@broken("sample-ends", "sample", "says the move 0, but the game is over")
class SampleGoesOn(Cells):
    """a sample that goes on after the end"""

    def sample(self, s, rng):
        return max(0, Cells.sample(self, s, rng))


@broken("sample-uneven", "sample", "times in ", "draws")
class Uneven(Cells):
    """a sample that prefers some moves"""

    def playout_moves(self, s, out):
        return Cells.moves(self, s, out)

    def sample(self, s, rng):
        if s.left == 0:
            return -1
        first = rk.below(rng, s.left)
        return self._free(s, first if first > 0 else rk.below(rng, s.left))


@broken("playout-differs", "playout", "the winner is ", "by sample, move by move")
class WrongPlayout(Cells):
    """a playout that says the wrong winner"""

    def playout(self, s, rng):
        move = self.sample(s, rng)
        while move >= 0:
            Cells.play(self, s, move)
            move = self.sample(s, rng)
        return min(Cells.winner(self, s), 0)


@broken("playout-differs", "playout", "it draws differently than by sample")
class OtherPlayout(Cells):
    """a playout that draws more than it needs"""

    def playout(self, s, rng):
        rk.below(rng, 2)
        return 0 if s.left == self.n else self._after(s)

    def _after(self, s):
        while s.left > 0:
            Cells.play(self, s, self._free(s, 0))
        return Cells.winner(self, s)


@broken("exception", "play", "ValueError: no such cell", "broken_games.py:", 'raise ValueError("no such cell")')
class Raises(Cells):
    """an exception in play"""

    def play(self, s, move):
        if s.left == 2:
            raise ValueError("no such cell")
        Cells.play(self, s, move)


@broken("field-overflow", "play", "does not fit the field total", "u1")
class Overflows(Cells):
    """a sum that outgrows its field"""

    def layout(self):
        return {**Cells.layout(self), "total": "u1"}

    def play(self, s, move):
        Cells.play(self, s, move)
        s.total += 30 * move


@broken("writes-constants", "play", "read-only")
class WritesConstants(Cells):
    """a function that writes into a constant"""

    def constants(self):
        return {"n": self.n, "table": np.zeros(8, np.int64)}

    def play(self, s, move):
        self.table[move] = 1
        Cells.play(self, s, move)


@broken("not-deterministic", "play", "set left to")
class ReliesOnScratch(Cells):
    """a scratch field whose content matters"""

    scratch = ("note",)

    def start(self, s):
        Cells.start(self, s)
        s.note = 1

    def play(self, s, move):
        Cells.play(self, s, move)
        if s.note == 77:
            s.left -= 1


@broken("bad-game", "", "scratch must name fields of layout(), got 'nothing'")
class NoSuchScratch(Cells):
    """a scratch field that is not there"""

    scratch = ("nothing",)


@broken("bad-description", "describe_move", "must be a text, got 0")
class NumberedMoves(Cells):
    """a description that is no text"""

    def describe_move(self, move):
        return move


@broken("move-not-read-back", "read_move", "the move 0 is written 'c0', read as 1")
class ReadsWrong(Cells):
    """a move that is read as another"""

    def read_move(self, text):
        return int(text[1:]) + 1


@broken("move-not-read-back", "read_move", "written '0': a cell must be written as c0, got '0'")
class CannotRead(Cells):
    """a description that cannot be read"""

    def describe_move(self, move):
        return str(move)


@broken("bad-game", "", "must define player(self, s)")
class NoPlayer(rk.Game):
    """a function that is missing"""

    def limits(self):
        return rk.Limits(moves=1, length=1, codes=1)

    def layout(self):
        return {"left": "i8"}

    def start(self, s):
        s.left = 1

    def moves(self, s, out):
        out[0] = 0
        return s.left

    def code(self, s, move):
        return 0

    def play(self, s, move):
        s.left = 0

    def winner(self, s):
        return 0

    def key(self, s):
        return s.left


@broken("bad-game", "", 'codes="hashed"')
class HashedCodes(Cells):
    """codes that are hashed"""

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes="hashed")


class NeverReturns(Cells):
    """A play that never returns."""

    def play(self, s, move):
        while s.left == 2:
            s.note = 1 - s.note
        Cells.play(self, s, move)


# --- what only compiled code shows ---


class CompiledKey(Cells):
    """A key that is exact in Python and wraps around when compiled."""

    def key(self, s):
        x = 1
        for _ in range(50):
            x = x * 3
        return s.hash ^ np.uint64(x % 1000003)


class NotCompilable(Cells):
    """A construct that cannot be compiled."""

    def winner(self, s):
        return {0: -1}.get(self._lead(s), int(self._lead(s) < 0))


# --- plain Python ---


class Marks(rk.PythonGame):
    """Sound: as Cells, of four; a state is the cells of each player."""

    def start(self):
        return ((), ())

    def _free(self, state):
        return [i for i in range(4) if i not in state[0] + state[1]]

    def moves(self, state):
        return self._free(state)

    def player(self, state):
        return len(state[0] + state[1]) % 2

    def play(self, state, move):
        first, second = state
        if self.player(state) == 0:
            return (tuple(sorted((*first, move))), second)
        return (first, tuple(sorted((*second, move))))

    def winner(self, state):
        sums = [sum(i * i for i in cells) for cells in state]
        return -1 if sums[0] == sums[1] else int(sums[0] < sums[1])

    def key(self, state):
        return state


PYTHON_CASES: dict[str, tuple[type[rk.PythonGame], str, str, tuple[str, ...]]] = {}


def plainly(name: str, function: str, *words: str):
    """Add a case in plain Python."""

    def add(cls):
        PYTHON_CASES[cls.__doc__] = cls, name, function, words
        return cls

    return add


@plainly("not-a-sequence", "moves", "got None")
class NoList(Marks):
    """moves that are no sequence"""

    def moves(self, state):
        return self._free(state) or None


@plainly("move-not-hashable", "moves", "[0], which cannot be hashed")
class ListMoves(Marks):
    """moves that cannot be hashed"""

    def moves(self, state):
        return [[i] for i in self._free(state)]

    def code(self, state, move):
        return move[0]


@plainly("code-not-hashable", "code", "got [0]")
class ListCodes(Marks):
    """codes that cannot be hashed"""

    def code(self, state, move):
        return [move]


@plainly("key-not-hashable", "key", "hashable, got [(), ()]")
class ListKey(Marks):
    """a key that cannot be hashed"""

    def key(self, state):
        return list(state)


@plainly("not-a-number", "winner", "got 'first'")
class NamedWinner(Marks):
    """a winner that is no number"""

    def winner(self, state):
        return "first"


@plainly("bad-player", "player", "0 or 1, got 2")
class FromOne(Marks):
    """players that are called 1 and 2"""

    def player(self, state):
        return Marks.player(self, state) + 1


@plainly("key-inconsistent", "key", "two positions have the key")
class KeyOfCount(Marks):
    """a key that counts the cells"""

    def key(self, state):
        return len(state[0] + state[1])


@plainly("key-misses-transposition", "key", "it is the same here")
class KeyOfObject(Marks):
    """a key that is the address of an object"""

    def __init__(self):
        self.kept = []

    def key(self, state):
        self.kept.append(state)
        return id(state)


@plainly("feature-not-hashable", "feature", "something hashable, got [")
class ListAsFeature(Marks):
    """a feature that cannot be hashed"""

    def feature(self, state, move):
        return [move]


@plainly("copy-shares", "copy", "changed the original")
class SharedCopy(Marks):
    """a copy that is none"""

    def start(self):
        return [(), ()]

    def play(self, state, move):
        state[:] = Marks.play(self, tuple(state), move)

    def key(self, state):
        return tuple(state)

    def copy(self, state):
        return state


@plainly("state-changed", "moves", "it must not change the state")
class ChangingMoves(SharedCopy):
    """moves that change a list"""

    def moves(self, state):
        state.reverse()
        return self._free(state)

    def copy(self, state):
        return list(state)


@plainly("sample-uneven", "sample", "draws")
class FirstDrawn(Marks):
    """a sample that draws the first move"""

    def sample(self, state, stream):
        moves = self._free(state)
        return moves[0] if moves else None


@plainly("exception", "play", "ZeroDivisionError", "broken_games.py:")
class Divides(Marks):
    """an exception in plain Python"""

    def play(self, state, move):
        assert 6 // (2 - len(state[0])) > 0
        return Marks.play(self, state, move)
