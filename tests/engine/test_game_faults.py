"""Faults while compiled functions of a game run: the place is found by playing that game again, interpreted."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import rookery as rk
from rookery.engine.game_worker import GameEngine
from rookery.rng import below

(
    RAISE,
    RAISE_DEEP,
    PAST_THE_END,
    TOO_MANY,
    TOO_LONG,
    NEGATIVE,
    CODE,
    NEGATIVE_CODE,
    DIVISION,
    MOVE,
    PLAYER,
    WINNER,
    RAISE_WINNER,
    RAISE_KEY,
    RAISE_CODE,
    RAISE_PLAYER,
    RAISE_MOVES,
) = range(1, 18)


def helper(heads):
    if heads == 4:
        raise ValueError("four heads, deep down")
    return heads


class FaultyGame(rk.Game):
    """Eight coins, put down in turn; ``fault`` says what goes wrong, deep in some game."""

    fault: int

    def limits(self):
        return rk.Limits(moves=2, length=8, codes=2)

    def layout(self):
        return {"step": "i8", "heads": "i8", "seen": ("u1", 7)}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        if self.fault == TOO_MANY and s.heads == 4:
            return 3
        if self.fault == NEGATIVE and s.heads == 4:
            return -7
        if self.fault == RAISE_MOVES and s.heads == 4:
            raise ValueError("no moves")
        if s.step == 8:
            if self.fault == TOO_LONG and s.heads == 4:
                out[0] = 0
                return 1
            return 0
        out[0] = 0
        out[1] = 1
        if self.fault == MOVE and s.heads == 4:
            out[1] = -3
            return 2
        return 2

    def code(self, s, move):
        if self.fault == CODE and s.heads == 4:
            return 2
        if self.fault == NEGATIVE_CODE and s.heads == 4:
            return -5
        if self.fault == RAISE_CODE and s.heads == 4:
            raise ValueError("no code")
        return move

    def play(self, s, move):
        s.heads += move
        if self.fault == RAISE and s.heads == 4:
            raise ValueError("four heads")
        if self.fault == RAISE_DEEP:
            helper(s.heads)
        if self.fault == PAST_THE_END:
            s.seen[s.step] = 1
        s.step += 1

    def player(self, s):
        if self.fault == PLAYER and s.heads == 4:
            return 2
        if self.fault == RAISE_PLAYER and s.heads == 4:
            raise ValueError("no player")
        return s.step % 2

    def winner(self, s):
        if self.fault == WINNER and s.heads == 4:
            return 7
        if self.fault == DIVISION:
            return 12 // (s.heads - 4) % 2
        if self.fault == RAISE_WINNER and s.heads == 4:
            raise ValueError("no winner")
        return s.heads % 2

    def key(self, s):
        if self.fault == RAISE_KEY and s.heads == 2:
            raise ValueError("no key")
        return 100 * s.step + s.heads


SEARCHES = {"uct": rk.GameUCT(playouts=4000), "ppa": rk.PPA(playouts=4000), "flat": rk.FlatMC(playouts=4000)}
TREES = ("uct", "ppa")


def decide(fault: int, search: str, moves: tuple[int, ...] = (0,)):
    return GameEngine(FaultyGame(fault), debug=True).worker().decide(SEARCHES[search], moves, 5)


def place(function: str, source: str) -> str:
    lines = inspect.getsource(inspect.getmodule(FaultyGame)).splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.strip() == source)
    return f"{function}() at test_game_faults.py:{number}, `{source}`"


@pytest.fixture(autouse=True)
def _here(monkeypatch, request):
    monkeypatch.chdir(request.path.parent)


@pytest.mark.parametrize("search", SEARCHES)
def test_the_game_without_a_fault_is_sound(search):
    assert decide(0, search).playouts == 4000


RAISED = [
    (RAISE, "FaultyGame.play", 'raise ValueError("four heads")', SEARCHES),
    (RAISE_DEEP, "FaultyGame, helper", 'raise ValueError("four heads, deep down")', SEARCHES),
    (RAISE_MOVES, "FaultyGame.moves", 'raise ValueError("no moves")', SEARCHES),
    (RAISE_WINNER, "FaultyGame.winner", 'raise ValueError("no winner")', SEARCHES),
    (RAISE_KEY, "FaultyGame.key", 'raise ValueError("no key")', TREES),
    (RAISE_CODE, "FaultyGame.code", 'raise ValueError("no code")', ("ppa",)),
    (RAISE_PLAYER, "FaultyGame.player", 'raise ValueError("no player")', TREES),
]


@pytest.mark.parametrize(
    ("fault", "function", "source", "search"), [(*case[:3], search) for case in RAISED for search in case[3]]
)
def test_an_exception_of_a_game_keeps_its_type_and_gets_its_line(fault, function, source, search):
    with pytest.raises(ValueError, match=source.split('"')[1]) as caught:
        decide(fault, search)
    assert caught.value.__notes__ == [f"raised by {place(function, source)}"]
    assert caught.traceback[-1].statement.lines[0].strip() == source


@pytest.mark.parametrize("search", SEARCHES)
def test_a_division_by_zero_in_a_game_is_located(search):
    with pytest.raises(ZeroDivisionError) as caught:
        decide(DIVISION, search)
    place_of = place("FaultyGame.winner", "return 12 // (s.heads - 4) % 2")
    assert caught.value.__notes__ == [f"raised by {place_of}"]


BROKEN = [
    (TOO_MANY, "moves", "return 3", "returned 3 moves, but limits() declares moves=2; declare the most", SEARCHES),
    (NEGATIVE, "moves", "return -7", "returned -7, a negative number of moves; return 0 at the end", SEARCHES),
    (TOO_LONG, "moves", "return 1", "has legal moves after 8 moves, but limits() declares length=8", SEARCHES),
    (MOVE, "moves", "return 2", "lists the move -3; moves of a game are whole numbers of at least 0", TREES),
    (CODE, "code", "return 2", "returned 2, but limits() declares codes=2", ("ppa",)),
    (NEGATIVE_CODE, "code", "return -5", "returned -5, but limits() declares codes=2", ("ppa",)),
    (PLAYER, "player", "return 2", "returned 2; return 0 or 1, who is to move", TREES),
    (WINNER, "winner", "return 7", "returned 7; return 0 or 1, who has won, or -1 for a draw", SEARCHES),
    (PAST_THE_END, "play", "s.seen[s.step] = 1", "index 7 is out of bounds for axis 0 with size 7", SEARCHES),
]


@pytest.mark.parametrize(
    ("fault", "function", "source", "text", "search"), [(*case[:4], search) for case in BROKEN for search in case[4]]
)
def test_a_broken_promise_of_a_game_is_told_with_the_line(fault, function, source, text, search):
    with pytest.raises(rk.ProblemError) as caught:
        decide(fault, search)
    told = str(caught.value)
    assert told.startswith(f"FaultyGame.{function}() at test_game_faults.py:")
    assert f"`{source}`: " in told
    assert text in told


REPLAYED = [
    (RAISE, ValueError, "four heads"),
    (TOO_MANY, rk.ProblemError, "returned 3 moves"),
    (MOVE, rk.ProblemError, "lists the move -3"),
    (PLAYER, rk.ProblemError, "returned 2; return 0 or 1"),
]


@pytest.mark.parametrize(("fault", "kind", "text"), REPLAYED)
def test_a_fault_is_located_in_moves_that_are_given(fault, kind, text):
    with pytest.raises(kind, match=text) as caught:
        GameEngine(FaultyGame(fault), debug=True).worker().replay((1, 1, 0, 1, 1))
    told = str(caught.value) + "".join(getattr(caught.value, "__notes__", ()))
    assert "test_game_faults.py:" in told


def test_the_winner_of_a_finished_game_is_checked_when_it_is_replayed():
    with pytest.raises(rk.ProblemError, match=r"FaultyGame.winner\(\) at .*returned 7"):
        GameEngine(FaultyGame(WINNER), debug=True).worker().replay((1, 1, 0, 1, 1, 0, 0, 0))


def test_codes_that_are_hashed_are_refused_with_an_advice():
    class Hashed(FaultyGame):
        def limits(self):
            return rk.Limits(moves=2, length=8, codes="hashed")

    with pytest.raises(rk.ProblemError, match=r'declares codes="hashed"; codes of a game are 0..codes-1'):
        GameEngine(Hashed(0))


PLAYOUT_RAISES, PLAYOUT_WINNER = 50, 51


class FaultyPlayout(FaultyGame):
    """Plays to the end by itself; goes wrong with four heads."""

    def playout(self, s, rng):
        out = np.zeros(8, np.int64)
        n = self.moves(s, out)
        while n > 0:
            self.play(s, out[below(rng, n)])
            n = self.moves(s, out)
        if s.heads == 4 and self.fault == PLAYOUT_RAISES:
            raise ValueError("four heads, in a playout")
        if s.heads == 4 and self.fault == PLAYOUT_WINNER:
            return 9
        return self.winner(s)


@pytest.mark.parametrize("search", [rk.GameUCT(playouts=4000), rk.FlatMC(playouts=4000)], ids=["uct", "flat"])
def test_a_fault_in_a_playout_of_the_games_own_is_told_with_the_line(search):
    with pytest.raises(ValueError, match="four heads, in a playout") as raised:
        GameEngine(FaultyPlayout(PLAYOUT_RAISES)).worker().decide(search, (0,), 1)
    assert "test_game_faults.py:" in "".join(raised.value.__notes__)
    with pytest.raises(rk.ProblemError, match=r"FaultyPlayout.playout\(\) at .*`return 9`: returned 9; return 0 or 1"):
        GameEngine(FaultyPlayout(PLAYOUT_WINNER)).worker().decide(search, (0,), 1)


# --- what a game may say about its moves and positions ---


class FaultyHints(FaultyGame):
    """A sound game whose optional functions go wrong with four heads; ``fault`` says how."""

    def limits(self):
        return rk.Limits(moves=2, length=8, codes=2, features=3)

    def feature(self, s, move):
        return 3 if s.heads == 4 else 2

    def bias(self, s, move):
        return np.inf if s.heads == 4 else 0.5

    def prior(self, s, move):
        return -1.0 if s.heads == 4 else 0.5

    def estimate(self, s):
        return 1.5 if s.heads == 4 else 0.5


HINTED = {
    "feature": (rk.PPAF(playouts=4000), "returned 3, but limits() declares features=3; declare more than the largest"),
    "bias": (rk.GameUCT(playouts=4000, bias=1.0), "returned inf; a bias must be a number"),
    "prior": (rk.GameUCT(playouts=4000, prior=True, unvisited=0.5), "returned -1.0; a prior must be a number of at"),
    "estimate": (rk.GameUCT(playouts=4000, cut=2), "returned 1.5; return the share of games that the first player"),
}
LINES = {
    "feature": "return 3 if s.heads == 4 else 2",
    "bias": "return np.inf if s.heads == 4 else 0.5",
    "prior": "return -1.0 if s.heads == 4 else 0.5",
    "estimate": "return 1.5 if s.heads == 4 else 0.5",
}


@pytest.mark.parametrize("function", HINTED)
def test_a_hint_that_breaks_its_promise_is_located(function):
    search, message = HINTED[function]
    names = {function: vars(FaultyHints)[function], "limits": FaultyHints.limits}
    only = type("FaultyHint", (FaultyGame,), names)  # the other functions would be found at fault first
    with pytest.raises(rk.ProblemError) as caught:
        GameEngine(only(0), debug=True).worker().decide(search, (0,), 5)
    assert message in str(caught.value)
    assert LINES[function] in str(caught.value)
