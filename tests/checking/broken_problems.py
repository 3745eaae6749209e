"""Problems that break the contract, each in one function of a sound one, with what a check must say of them."""

from __future__ import annotations

import numpy as np

import rookery as rk

CALLS = np.zeros(1, np.int64)
"""What no function of a problem may depend on."""
DRIFT = [0]
TABLE = np.arange(8)


class Bits(rk.Problem):
    """Sound: choose n bits, the score is the number of ones."""

    n: int = 6

    def limits(self):
        return rk.Limits(moves=2, length=self.n, codes=2 * self.n)

    def layout(self):
        return {"step": "i8", "ones": "i8", "chosen": ("u1", 8)}

    def start(self, s):
        s.step = 0
        s.ones = 0

    def moves(self, s, out):
        if s.step == self.n:
            return 0
        out[0] = 0
        out[1] = 1
        return 2

    def code(self, s, move):
        return 2 * s.step + move

    def play(self, s, move):
        s.chosen[s.step] = move
        s.step += 1
        s.ones += move

    def score(self, s):
        return s.ones


CASES: dict[str, tuple[type[rk.Problem], str, str, tuple[str, ...]]] = {}
"""Claim -> class, name of the finding, function, words of its text."""


def broken(name: str, function: str, *words: str):
    """Add a case, named after the docstring of its class."""

    def add(cls):
        CASES[cls.__doc__] = cls, name, function, words
        return cls

    return add


@broken("too-many-moves", "moves", "returned 3", "moves=2", "broken_problems.py:")
class TooMany(Bits):
    """more moves than declared"""

    def moves(self, s, out):
        if s.step == self.n:
            return 0
        for i in range(3):
            out[i] = i
        return 3


@broken("writes-past-out", "moves", "out[2]", "moves=2")
class WritesPast(Bits):
    """moves written beyond those declared"""

    def moves(self, s, out):
        out[2] = 7
        return Bits.moves(self, s, out)


@broken("negative-count", "moves", "-1", "negative")
class Negative(Bits):
    """a negative number of moves"""

    def moves(self, s, out):
        return -1 if s.step == self.n else Bits.moves(self, s, out)


@broken("moves-not-written", "moves", "returned 2", "out[1]")
class NotWritten(Bits):
    """moves counted that were not written"""

    def moves(self, s, out):
        out[0] = 0
        return 2 if s.step < self.n else 0


@broken("moves-not-distinct", "moves", "the move 1 is listed twice")
class Twice(Bits):
    """one move listed twice"""

    def moves(self, s, out):
        out[0] = 1
        out[1] = 1
        return 2 if s.step < self.n else 0


@broken("not-a-number", "moves", "whole number", "None")
class NoReturn(Bits):
    """moves without a return"""

    def moves(self, s, out):
        out[0] = 0


@broken("too-long", "", "after 5 moves", "length=5")
class TooLong(Bits):
    """playouts longer than declared"""

    def limits(self):
        return rk.Limits(moves=2, length=5, codes=12)


@broken("code-out-of-range", "code", "codes=6")
class CodeTooLarge(Bits):
    """codes out of range"""

    def limits(self):
        return rk.Limits(moves=2, length=6, codes=6)


@broken("not-a-number", "code", "whole number", "0.0")
class CodeIsFloat(Bits):
    """codes that are not whole"""

    def code(self, s, move):
        return s.step / 2 + move


@broken("codes-not-distinct", "code", "moves 0 and 1", "code 0")
class SameCodes(Bits):
    """one code for two legal moves"""

    def code(self, s, move):
        return s.step


class NeverReturns(Bits):
    """A loop without end."""

    def play(self, s, move):
        while s.step < 10:
            s.ones += 1


class WrapsInALoop(Bits):
    """A byte that is counted up until it is zero again; in eight bytes it never is."""

    def layout(self):
        return {**Bits.layout(self), "turn": "u1"}

    def start(self, s):
        s.step = 0
        s.ones = 0
        s.turn = 1
        while s.turn != 0:
            s.turn += 1


class CodesComeBack(Bits):
    """Sound, but not wise: codes are legal again after they were chosen, and start needs zeros."""

    def start(self, s):
        s.ones += s.chosen[2]

    def code(self, s, move):
        return move


@broken("state-changed", "moves", "ones was 0 and is 1", "broken_problems.py:")
class MovesChanges(Bits):
    """moves changes the state"""

    def moves(self, s, out):
        s.ones += 1
        return Bits.moves(self, s, out)


@broken("state-changed", "code", "chosen[3] was 0 and is 9")
class CodeChanges(Bits):
    """code changes the state"""

    def code(self, s, move):
        s.chosen[3] = 9
        return 2 * s.step + move


@broken("state-changed", "score", "step was 6 and is 0")
class ScoreChanges(Bits):
    """score changes the state"""

    def score(self, s):
        s.step = 0
        return s.ones


@broken("score-not-a-number", "score", "nan")
class ScoreNaN(Bits):
    """a score that is not a number"""

    def score(self, s):
        return np.sqrt(s.ones - 10.0)


@broken("bias-not-finite", "bias", "the move 0", "-inf")
class BiasInfinite(Bits):
    """an infinite bias"""

    def bias(self, s, move):
        return np.log(np.float64(move))


@broken("bias-not-by-code", "bias", "of the move", "elsewhere with its code")
class BiasByOnes(Bits):
    """a bias that is said to depend on the code, and does not"""

    bias_by_code = True

    def bias(self, s, move):
        return float(s.ones)


@broken("estimate-not-a-number", "estimate", "nan")
class EstimateNan(Bits):
    """an estimate that is not always a number"""

    def estimate(self, s):
        return np.sqrt(s.ones - 0.5)


@broken("bias-too-large", "bias", "the move 1", "1000", "600")
class BiasLarge(Bits):
    """a bias whose exponential overflows"""

    def bias(self, s, move):
        return 1000.0 * move


class TwoBiases(Bits):
    """Sound: as many biases as it declares."""

    def limits(self):
        return rk.Limits(moves=2, length=self.n, codes=2 * self.n, biases=2)

    def biases(self, s, move):
        return 0.5 * move, 0.25


@broken("bias-not-finite", "biases", "of the move 0 one is -inf")
class BiasesInfinite(TwoBiases):
    """one of two biases is infinite"""

    def biases(self, s, move):
        return 1.0, np.log(np.float64(move))


@broken("state-changed", "biases", "ones was 0 and is 2")
class BiasesChange(TwoBiases):
    """biases that change the state"""

    def biases(self, s, move):
        s.ones += 1
        return 0.5, 0.25


@broken("bias-too-large", "biases", "the move 1", "800", "600")
class BiasesLarge(TwoBiases):
    """biases whose sum is too large for the exponential"""

    def biases(self, s, move):
        return 400.0 * move, 400.0 * move


@broken("not-a-number", "biases", "of the move 0 it must return 2 numbers, got 3")
class BiasesThree(TwoBiases):
    """more biases than declared"""

    def biases(self, s, move):
        return 0.5, 0.25, 0.125


@broken("not-deterministic", "score", "called twice")
class Counts(Bits):
    """a score that depends on how often it was asked for"""

    def score(self, s):
        CALLS[0] += 1
        return s.ones + CALLS[0]


@broken("writes-globals", "", "CALLS")
class WritesGlobal(Counts):
    """an array of the module written into"""


@broken("not-deterministic", "score", "when it was played again")
class Drifts(Bits):
    """a score that drifts so slowly that two calls agree"""

    def play(self, s, move):
        DRIFT[0] += 1
        Bits.play(self, s, move)

    def score(self, s):
        return s.ones + DRIFT[0] // 300


@broken("not-deterministic", "play", "set ones to")
class PlayIsRandom(Bits):
    """play that draws numbers of its own"""

    def play(self, s, move):
        s.step += 1
        s.ones = np.random.randint(1 << 60)


@broken("not-deterministic", "start", "called twice")
class StartCounts(Bits):
    """a start that is never the same"""

    def start(self, s):
        CALLS[0] += 1
        s.ones = CALLS[0]


@broken("field-overflow", "play", "300 does not fit the field total", "u1")
class Overflow(Bits):
    """a value too large for its field"""

    def layout(self):
        return {**Bits.layout(self), "total": "u1"}

    def play(self, s, move):
        Bits.play(self, s, move)
        s.total = 50 * s.step


@broken("field-overflow", "play", "-1 does not fit the field chosen[0]")
class BelowZero(Bits):
    """a negative value in an unsigned field"""

    def play(self, s, move):
        Bits.play(self, s, move)
        s.chosen[0] -= 1 + s.chosen[0]


@broken("field-overflow", "play", "does not fit the field far", "f4")
class FloatOverflow(Bits):
    """a float too large for its field"""

    def layout(self):
        return {**Bits.layout(self), "far": "f4"}

    def play(self, s, move):
        Bits.play(self, s, move)
        s.far = 1e30 * 10.0 ** (3.0 * s.step)


@broken("exception", "play", "IndexError", "chosen[s.step + 3] = move")
class PastTheEnd(Bits):
    """an index past the end of an array of the state"""

    def play(self, s, move):
        s.chosen[s.step + 3] = move
        s.step += 1


@broken("exception", "play", "ValueError: no such bit", "broken_problems.py:")
class Raises(Bits):
    """an exception in play"""

    def play(self, s, move):
        Bits.play(self, s, move)
        if s.step == 4:
            raise ValueError("no such bit")


@broken("exception", "play", "AttributeError", "setp")
class Misspelt(Bits):
    """a field that the state does not have"""

    def play(self, s, move):
        s.step += 1
        s.ones += s.setp


@broken("key-inconsistent", "key", "two states have the key 0")
class PoorKey(Bits):
    """a key that two different states share"""

    def key(self, s):
        return s.ones * 0


@broken("commute-untruthful", "commute", "is true", "score")
class OrderMatters(Bits):
    """moves said to commute whose order matters"""

    def play(self, s, move):
        s.ones = 2 * s.ones + move
        s.step += 1

    def commute(self, a, b):
        return True


@broken("commute-not-symmetric", "commute", "commute(0, 1) is False, but commute(1, 0) is True")
class OneWay(Bits):
    """commute that depends on the order"""

    def commute(self, a, b):
        return a > b


@broken("count-nth-disagree", "nth", "nth gives 1 as move 0 where moves lists 0")
class OtherOrder(Bits):
    """nth in another order than moves"""

    def count(self, s):
        return 2 if s.step < self.n else 0

    def nth(self, s, i):
        return 1 - i


@broken("count-nth-disagree", "count", "count gives 1 where moves lists 2")
class OtherCount(OtherOrder):
    """count that is not the number of moves"""

    def count(self, s):
        return 1


class Ladder(Bits):
    """Sound: a rung after the other, each in one of two ways."""

    def moves(self, s, out):
        if s.step == self.n:
            return 0
        out[0] = 2 * s.step
        out[1] = 2 * s.step + 1
        return 2

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.step += 1
        s.ones += move % 2

    def makes(self, s, move):
        return move // 2

    def needs(self, move, i):
        return move // 2 - 1 if i == 0 else -1

    def undo(self, s, move, made):
        s.step -= 1
        s.ones -= move % 2


@broken("needs-incomplete", "needs", "is not legal in this playout without", "which it does not need")
class NeedsNothing(Ladder):
    """needs that leaves out what a move needs"""

    def needs(self, move, i):
        return -1


@broken("makes-negative", "makes", "it is -1")
class MakesLessThanNothing(Ladder):
    """makes that returns a number below 0"""

    def makes(self, s, move):
        return move // 2 - 1


@broken("undo-differs", "undo", "after taking back", "the score is")
class UndoForgets(Ladder):
    """undo that leaves a part of the state as it is"""

    def undo(self, s, move, made):
        s.step -= 1


@broken("makers-untruthful", "makers", "in the place of", "is not legal")
class MakersOfAnything(Ladder):
    """makers that lists moves that make something else"""

    def makers(self, s, thing, out):
        out[0] = -2
        return 1

    def clash(self, a, b):
        return a // 2 == b // 2


@broken("is-legal-disagrees", "is_legal", "of the move 1 it is False, but moves lists it")
class DeniesAMove(Bits):
    """is_legal that says no to a legal move"""

    def is_legal(self, s, move):
        return move == 0


@broken("is-legal-disagrees", "is_legal", "it is True, but moves does not list it")
class AllowsAMove(Bits):
    """is_legal that says yes when all is over"""

    def is_legal(self, s, move):
        return True


@broken("choose-out-of-range", "choose", "returned 2", "2 moves")
class ChoosesTooMuch(Bits):
    """choose returns no index"""

    def choose(self, s, moves, n, rng):
        return n


@broken("choose-changes-moves", "choose", "moves was [0, 1] and is [5, 1]")
class ChooseWrites(Bits):
    """choose writes into the list of moves"""

    def choose(self, s, moves, n, rng):
        moves[0] = 5
        return 1


@broken("not-deterministic", "choose", "called twice")
class ChoosesAlone(Bits):
    """choose with a source of randomness of its own"""

    def choose(self, s, moves, n, rng):
        CALLS[0] += 1
        return CALLS[0] % 2


@broken("writes-constants", "play", "read-only", "self.table[move] += 1")
class WritesConstants(Bits):
    """a constant written into"""

    def constants(self):
        return {"n": self.n, "table": TABLE}

    def play(self, s, move):
        self.table[move] += 1
        s.step += 1


@broken("bad-problem", "", "field 'step'", "'text'")
class BadLayout(Bits):
    """a layout of unknown types"""

    def layout(self):
        return {"step": "text"}


@broken("bad-problem", "", "ZeroDivisionError")
class BadLimits(Bits):
    """limits that raise an exception"""

    def limits(self):
        return rk.Limits(moves=2, length=1 // 0, codes=2)


class Narrow(Bits):
    """Right when compiled; interpreted, a byte cannot be multiplied by 300, and a sum of bytes wraps around."""

    def play(self, s, move):
        Bits.play(self, s, move)
        s.chosen[s.step - 1] = 200
        if s.step > 1:
            s.ones = s.chosen[0] + s.chosen[1]

    def score(self, s):
        return s.chosen[0] * 300 + s.ones


class BigHash(Bits):
    """Python's whole numbers have no end, where compiled ones wrap around."""

    def limits(self):
        return rk.Limits(moves=2, length=self.n, codes=1009)

    def code(self, s, move):
        return (move + 3) * 0x5851F42D4C957F2D % 1000 + int(s.step)


class HidesIndex(Bits):
    """Interpreted, a sum of bytes wraps around to an index that is there; compiled, it does not."""

    def score(self, s):
        return TABLE[s.chosen[0] + np.uint8(255) * s.chosen[0] + s.chosen[1]]


class DividesByZero(Bits):
    """NumPy's division by zero gives zero, where compiled code raises an exception."""

    def score(self, s):
        return 6 // s.ones


class NotCompilable(Bits):
    """Python, but not what can be compiled."""

    def score(self, s):
        return len({s.ones: "a"}) + eval("1")


# --- in plain Python ---


class Letters(rk.PythonProblem):
    """Sound: a list of four letters, changed in place."""

    def start(self):
        return []

    def moves(self, state):
        return ["a", "b"] if len(state) < 4 else []

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        state.append(move)

    def score(self, state):
        return state.count("b")


PYTHON_CASES: dict[str, tuple[type[rk.PythonProblem], str, str, tuple[str, ...]]] = {}


def broken_python(name: str, function: str, *words: str):
    def add(cls):
        PYTHON_CASES[cls.__doc__] = cls, name, function, words
        return cls

    return add


@broken_python("copy-shares", "copy", "changed the original")
class CopyShares(Letters):
    """a copy that shares the list"""

    def copy(self, state):
        return state


@broken_python("code-not-hashable", "code", "['a']")
class CodeIsList(Letters):
    """codes that cannot be hashed"""

    def code(self, state, move):
        return [move]


@broken_python("not-a-sequence", "moves", "None")
class MovesIsNone(Letters):
    """moves that returns nothing"""

    def moves(self, state):
        return None


@broken_python("not-a-sequence", "moves", "set", "sorted")
class MovesAreASet(Letters):
    """moves in no order"""

    def moves(self, state):
        return set(Letters.moves(self, state))


@broken_python("codes-not-distinct", "code", "moves a and b")
class OneCode(Letters):
    """one code for two moves"""

    def code(self, state, move):
        return len(state)


@broken_python("codes-come-back", "code", "chosen by move 1")
class LetterIsCode(Letters):
    """codes that come back"""

    def code(self, state, move):
        return move


@broken_python("state-changed", "score", "must not change")
class ScoreSorts(Letters):
    """score sorts the state"""

    def score(self, state):
        state.append("end")
        return 1


@broken_python("not-deterministic", "score", "called twice")
class ScoreCounts(Letters):
    """a score that counts its calls"""

    calls = 0

    def score(self, state):
        self.calls += 1
        return self.calls


@broken_python("not-deterministic", "play", "different states")
class PlayCounts(ScoreCounts):
    """play that is never the same"""

    def play(self, state, move):
        self.calls += 1
        state.append((move, self.calls))


@broken_python("score-not-a-number", "score", "nan")
class ScoreNotANumber(Letters):
    """a score in plain Python that is not a number"""

    def score(self, state):
        return float("nan")


@broken_python("not-a-number", "score", "'many'")
class ScoreIsText(Letters):
    """a score that is text"""

    def score(self, state):
        return "many"


@broken_python("exception", "play", "KeyError", "{}[move]")
class PlayRaises(Letters):
    """an exception in play"""

    def play(self, state, move):
        return {}[move]


@broken_python("moves-not-distinct", "moves", "a is listed twice")
class MovesTwice(Letters):
    """a move listed twice"""

    def moves(self, state):
        return "aa" if len(state) < 4 else ""


@broken_python("choose-out-of-range", "choose", "'a'")
class ChooseReturnsMove(Letters):
    """choose returns the move, not its index"""

    def choose(self, state, moves, rng):
        return moves[0]


@broken_python("bias-too-large", "bias", "700")
class PythonBias(Letters):
    """a bias whose exponential overflows"""

    def bias(self, state, move):
        return 700


@broken_python("not-a-number", "biases", "it must return a tuple of numbers, got 0.5")
class PythonBiases(Letters):
    """biases that are one number"""

    def biases(self, state, move):
        return 0.5


class ArrayState(Letters):
    """Sound, with a state that == cannot compare; `moves` may be made to change it."""

    changing = False

    def start(self):
        return {"letters": [], "counts": np.zeros(4)}

    def moves(self, state):
        if self.changing:
            state["counts"] += 1
        return Letters.moves(self, state["letters"])

    def code(self, state, move):
        return (len(state["letters"]), move)

    def play(self, state, move):
        state["letters"].append(move)

    def score(self, state):
        return state["letters"].count("b")
