"""Faults while compiled functions run: the place is found by playing that playout again, interpreted."""

from __future__ import annotations

import inspect

import pytest

import rookery as rk

(
    RAISE,
    RAISE_DEEP,
    PAST_THE_END,
    TOO_MANY,
    TOO_LONG,
    NEGATIVE,
    CODE,
    NOT_A_NUMBER,
    DIVISION,
    BIAS,
    CHOOSE,
    CHOICE,
    BEGIN,
    SCORE,
    NEGATIVE_CODE,
) = range(1, 16)


def helper(heads):
    if heads == 4:
        raise ValueError("four heads, deep down")
    return heads


class Faulty(rk.Problem):
    """Six coins; ``fault`` says what goes wrong, deep in some playout."""

    fault: int

    def limits(self):
        return rk.Limits(moves=2, length=6, codes=12)

    def layout(self):
        return {"step": "i8", "heads": "i8", "seen": ("u1", 5)}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        if self.fault == TOO_MANY and s.heads == 4:
            return 3
        if self.fault == NEGATIVE and s.heads == 4:
            return -7
        if s.step == 6:
            if self.fault == TOO_LONG and s.heads == 4:
                out[0] = 0
                return 1
            return 0
        out[0] = 0
        out[1] = 1
        return 2

    def code(self, s, move):
        if self.fault == CODE and s.heads == 4:
            return 12
        if self.fault == NEGATIVE_CODE and s.heads == 4:
            return -5
        return 2 * s.step + move

    def bias(self, s, move):
        if self.fault == BIAS and s.heads == 4:
            raise ValueError("no bias")
        return 0.0

    def begin_playout(self, s):
        if self.fault == BEGIN:
            raise ValueError("no beginning")

    def choose(self, s, moves, n, rng):
        index = rk.below(rng, n)
        if self.fault == CHOOSE and s.heads == 4 and index == 1:
            raise ValueError("no choice")
        if self.fault == CHOICE and s.heads == 4:
            return index + 2
        return index

    def play(self, s, move):
        s.heads += move
        if self.fault == RAISE and s.heads == 4:
            raise ValueError("four heads")
        if self.fault == RAISE_DEEP:
            helper(s.heads)
        if self.fault == PAST_THE_END:
            s.seen[s.step] = 1
        s.step += 1

    def score(self, s):
        if self.fault == NOT_A_NUMBER and s.heads == 4:
            return 1e308 * 10.0 - 1e308 * 10.0
        if self.fault == DIVISION:
            return 12.0 // (s.heads - 4)
        if self.fault == SCORE and s.heads == 4:
            raise ValueError("no score")
        return float(s.heads)


SEARCHES = {
    "nrpa": rk.NRPA(level=2, iterations=20),
    "nmcs": rk.NMCS(level=2),
    "lazynmcs": rk.LazyNMCS(level=2, share=0.5),
    "sampling": rk.Sampling(),
    "mobility": rk.Sampling(rule="mobility"),
    "reflexive": rk.Reflexive(level=2),
    "uct": rk.UCT(),
}
CHOOSING = ("nmcs", "lazynmcs", "sampling", "reflexive", "uct")


def run(fault: int, search: str) -> rk.Result:
    # Playouts are few: a fault in the very first one could be found by luck.
    return rk.solve(Faulty(fault), SEARCHES[search], stop=rk.MaxPlayouts(500), seed=1, debug=True)


def place(function: str, source: str) -> str:
    lines = inspect.getsource(inspect.getmodule(Faulty)).splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.strip() == source)
    return f"{function}() at test_faults.py:{number}, `{source}`"


@pytest.fixture(autouse=True)
def _here(monkeypatch, request):
    monkeypatch.chdir(request.path.parent)


def test_the_problem_without_a_fault_is_sound():
    assert {run(0, search).score for search in SEARCHES} == {6.0}


RAISED = [
    (RAISE, "Faulty.play", 'raise ValueError("four heads")', SEARCHES),
    (RAISE_DEEP, "Faulty, helper", 'raise ValueError("four heads, deep down")', SEARCHES),
    (BIAS, "Faulty.bias", 'raise ValueError("no bias")', ("nrpa",)),
    (CHOOSE, "Faulty.choose", 'raise ValueError("no choice")', CHOOSING),
    (BEGIN, "Faulty.begin_playout", 'raise ValueError("no beginning")', SEARCHES),
    (SCORE, "Faulty.score", 'raise ValueError("no score")', SEARCHES),
]


@pytest.mark.parametrize(
    ("fault", "function", "source", "search"), [(*case[:3], search) for case in RAISED for search in case[3]]
)
def test_an_exception_keeps_its_type_and_gets_its_line(fault, function, source, search):
    with pytest.raises(ValueError, match=source.split('"')[1]) as caught:
        run(fault, search)
    assert caught.value.__notes__ == [f"raised by {place(function, source)}"]
    assert caught.traceback[-1].statement.lines[0].strip() == source


@pytest.mark.parametrize("search", SEARCHES)
def test_a_division_by_zero_is_located(search):
    with pytest.raises(ZeroDivisionError) as caught:
        run(DIVISION, search)
    assert caught.value.__notes__ == [f"raised by {place('Faulty.score', 'return 12.0 // (s.heads - 4)')}"]


BROKEN = [
    (TOO_MANY, "moves", "return 3", "returned 3 moves, but limits() declares moves=2; declare the most", SEARCHES),
    (NEGATIVE, "moves", "return -7", "returned -7, a negative number of moves; return 0 at the end", SEARCHES),
    (TOO_LONG, "moves", "return 1", "has legal moves after 6 moves, but limits() declares length=6", SEARCHES),
    (CODE, "code", "return 12", "returned 12, but limits() declares codes=12; declare more", ("nrpa",)),
    (NEGATIVE_CODE, "code", "return -5", "returned -5, but limits() declares codes=12", ("nrpa",)),
    (NOT_A_NUMBER, "score", "return 1e308 * 10.0 - 1e308 * 10.0", "returned nan; a score must be", SEARCHES),
    (CHOICE, "choose", "return index + 2", "which is not an index of the legal moves", CHOOSING),
    (PAST_THE_END, "play", "s.seen[s.step] = 1", "index 5 is out of bounds for axis 0 with size 5", SEARCHES),
]


@pytest.mark.parametrize(
    ("fault", "function", "source", "text", "search"), [(*case[:4], search) for case in BROKEN for search in case[4]]
)
def test_a_broken_promise_is_told_with_the_line_that_broke_it(fault, function, source, text, search):
    with pytest.raises(rk.ProblemError) as caught:
        run(fault, search)
    assert str(caught.value).startswith(place(f"Faulty.{function}", source) + ": ")
    assert text in str(caught.value)


def test_replay_locates_a_fault_too():
    with pytest.raises(ValueError, match="four heads") as caught:
        rk.replay(Faulty(RAISE), [1, 1, 0, 1, 1])
    assert caught.value.__notes__ == ["raised by " + place("Faulty.play", 'raise ValueError("four heads")')]


def test_workers_locate_a_fault_too():
    with pytest.raises(ValueError, match="four heads"):
        rk.solve(Faulty(RAISE), SEARCHES["nrpa"], seed=1, debug=True, workers=2, atomic_level=1)


class Shelf(rk.PythonProblem):
    """Three steps in plain Python; ``fault`` says what goes wrong."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def start(self):
        return ()

    def moves(self, state):
        if self.fault == "moves" and len(state) == 2:
            return None
        if self.fault == "set" and len(state) == 2:
            return {"a", "b"}
        return "ab" if len(state) < 3 else ""

    def code(self, state, move):
        return [len(state), move] if self.fault == "code" else (len(state), move)

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return {"nan": float("nan"), "text": "high"}.get(self.fault, state.count("b"))

    def choose(self, state, moves, rng):
        if self.fault == "below":
            return rk.below(rng, len(moves))
        return 5 if self.fault == "choose" else rng.below(len(moves))


PLAIN = [
    ("moves", "Shelf.moves()", "`return None`: returned None; return a list of moves, empty at the end"),
    (
        "set",
        "Shelf.moves()",
        "returned a set, whose order no seed controls; return a list of moves, as sorted",
    ),
    ("code", "Shelf.code()", "returned [0, 'a'], which cannot be hashed; return a tuple or a number"),
    ("nan", "Shelf.score()", "returned nan; a score must be a number, or rk.INFEASIBLE"),
    ("text", "Shelf.score()", "returned 'high'; a score must be a number, or rk.INFEASIBLE"),
    ("choose", "Shelf.choose()", "returned 5, which is not an index of the 2 legal moves"),
    ("below", "Shelf.choose()", "a PythonProblem draws with rng.below(n) and rng.uniform()"),
]


@pytest.mark.parametrize(("fault", "function", "text"), PLAIN)
def test_a_python_problem_is_told_as_clearly(fault, function, text):
    search = rk.NRPA(level=1, iterations=3) if fault == "code" else rk.Sampling()
    with pytest.raises(rk.ProblemError) as caught:
        rk.solve(Shelf(fault), search, stop=rk.MaxPlayouts(10), seed=1)
    assert str(caught.value).startswith(f"{function} at test_faults.py:")
    assert text in str(caught.value)


class ReadsWhatIsNotThere(rk.Problem):
    """Claims a move that it has not written; what is left of older lists would hide it."""

    def limits(self):
        return rk.Limits(moves=2, length=1, codes=2)

    def layout(self):
        return {"step": "i8", "seen": ("u1", 2)}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        out[0] = 1
        return 2 - 2 * s.step

    def code(self, s, move):
        return s.seen[move]

    def play(self, s, move):
        s.step += 1

    def score(self, s):
        return 1.0


def test_a_move_that_was_never_written_is_found_when_debugging():
    with pytest.raises(rk.ProblemError, match=r"wrote nothing to out\[1\]"):
        rk.solve(ReadsWhatIsNotThere(), rk.NRPA(level=1), seed=1, debug=True)


class ChangingMoves(Faulty):
    def moves(self, s, out):
        s.seen[2] += 1
        return Faulty.moves(self, s, out)


class Overflowing(Faulty):
    def play(self, s, move):
        s.seen[0] += 200 * move
        Faulty.play(self, s, move)


SILENT = [
    (ChangingMoves, "moves", "must not change the state, but seen[2] was 0 and is 1; change the state in play only"),
    (Overflowing, "play", "seen[0]"),
]


@pytest.mark.parametrize(("cls", "function", "text"), SILENT, ids=["moves that change the state", "overflow"])
def test_what_no_search_would_notice_is_refused_when_debugging(cls, function, text):
    with pytest.raises(rk.ProblemError) as caught:
        rk.solve(cls(0), rk.Sampling(), stop=rk.MaxPlayouts(10), seed=1, debug=True)
    assert str(caught.value).startswith(f"{cls.__name__}.{function}() at test_faults.py:")
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


class SharingCopy(Shelf):
    def start(self):
        return []

    def play(self, state, move):
        state.append(move)

    def copy(self, state):
        return state


def test_a_copy_that_is_none_is_refused_when_debugging():
    with pytest.raises(rk.ProblemError, match=r"SharingCopy.copy\(\) at .*copy all that play changes"):
        rk.solve(SharingCopy(), rk.Sampling(), stop=rk.MaxPlayouts(10), seed=1, debug=True)
