"""Lines whose moves can be taken back, where many things are made, some of them by several moves of a line."""

import pytest

import rookery as rk
from rookery.engine.interpreted import Interpreted

THINGS, GROUPS = 90, 13


class Numbers(rk.Problem):
    """Numbers of different remainders: each makes a thing that another makes too, and most need one.

    More things are made in a run than the table of a line that is so short has room for.
    """

    def limits(self):
        return rk.Limits(moves=2 * THINGS, length=GROUPS, codes="hashed")

    def layout(self):
        return {"used": ("u1", 2 * THINGS), "made": ("u1", THINGS), "group": ("u1", GROUPS), "worth": "i8"}

    def start(self, s):
        s.worth = 0

    def ready(self, s, move):
        return move < 15 or s.made[move // 4] > 0

    def moves(self, s, out):
        n = 0
        for move in range(2 * THINGS):
            if not s.used[move] and not s.group[move % GROUPS] and self.ready(s, move):
                out[n] = move
                n += 1
        return n

    def code(self, s, move):
        return move

    def makes(self, s, move):
        return move % THINGS

    def needs(self, move, i):
        return -1 if move < 15 or i > 0 else move // 4

    def play(self, s, move):
        s.used[move] = 1
        s.made[move % THINGS] += 1
        s.group[move % GROUPS] = 1
        s.worth += 37 * move % 101

    def undo(self, s, move, made):
        s.used[move] = 0
        s.made[made] -= 1
        s.group[move % GROUPS] = 0
        s.worth -= 37 * move % 101

    def makers(self, s, thing, out):
        n = 0
        for move in (thing, thing + THINGS):
            if self.ready(s, move) and move // 4 != thing:
                out[n] = move
                n += 1
        return n

    def clash(self, a, b):
        return a % GROUPS == b % GROUPS

    def score(self, s):
        return s.worth


@pytest.fixture(scope="module")
def problem():
    return Numbers()


def test_the_rules_keep_the_contract(problem):
    assert rk.testing.check_problem(problem).ok


def test_things_that_several_moves_make_and_a_table_that_is_full_are_those_of_the_twin(problem):
    search = rk.Tempering(replicas=3, proposals=400, rounds=4, key="move", cold=30, hot=3000)
    compiled, plain = (
        rk.solve(p, search, seed=4, stop=rk.MaxPlayouts(6000), keep=20) for p in (problem, Interpreted(problem))
    )
    assert compiled.pool == plain.pool
    assert [(i.playouts, i.score) for i in compiled.history] == [(i.playouts, i.score) for i in plain.history]
