"""Compiled kernels give the sequence of the plain-Python twins, for every option, on problems of every kind."""

from __future__ import annotations

import pytest

import rookery as rk
from examples_of_problems import HashedMorpion, Knapsack
from rookery.engine.interpreted import Interpreted

SMALL = {
    "leftmove": rk.problems.LeftMove(depth=12),
    "tsp": rk.problems.TSP.build(9, seed=2),
    "knapsack": Knapsack.build(),
}
LARGE = {"morpion": rk.problems.Morpion("5D"), "hashed morpion": HashedMorpion("5T")}


def facts(result):
    return (
        result.score,
        result.moves,
        result.playouts,
        result.status,
        [(i.playouts, i.score) for i in result.history],
    )


def assert_same(problem, search, **options):
    compiled = rk.solve(problem, search, seed=5, **options)
    plain = rk.solve(Interpreted(problem), search, seed=5, **options)
    assert facts(compiled) == facts(plain)


@pytest.mark.parametrize("ties", [">=", ">", 0.0, 0.3, {2: 0.5, 1: ">"}])
@pytest.mark.parametrize("name", SMALL)
def test_nrpa_with_every_tie_rule(name, ties):
    assert_same(SMALL[name], rk.NRPA(level=2, iterations=12, ties=ties))


@pytest.mark.parametrize("name", SMALL)
def test_nrpa_of_level_three_with_other_alpha_and_iterations_by_level(name):
    assert_same(SMALL[name], rk.NRPA(level=3, iterations={1: 6, 2: 4, 3: 5}, alpha=0.5))


@pytest.mark.parametrize("ties", [">=", 0.3])
@pytest.mark.parametrize("name", LARGE)
def test_nrpa_on_large_boards(name, ties):
    assert_same(LARGE[name], rk.NRPA(level=2, iterations=4, ties=ties))


@pytest.mark.parametrize("ties", [">=", 0.3])
@pytest.mark.parametrize("name", ["knapsack", "morpion"])
def test_nrpa_in_layers(name, ties):
    assert_same({**SMALL, **LARGE}[name], rk.NRPA(level=2, iterations=6, ties=ties, layers=True))


@pytest.mark.parametrize("name", ["knapsack", "morpion"])
def test_layers_do_not_depend_on_the_atomic_level_and_the_workers(name):
    problem, search = {**SMALL, **LARGE}[name], rk.NRPA(level=3, iterations=3, layers=True)
    runs = [rk.solve(problem, search, seed=5, atomic_level=a, workers=w) for a, w in ((3, 1), (1, 1), (1, 3))]
    assert len({run.moves for run in runs}) == 1


def test_layers_change_the_search():
    problem = LARGE["morpion"]
    plain, layered = (rk.solve(problem, rk.NRPA(level=2, iterations=6, layers=x), seed=5) for x in (False, True))
    assert plain.moves != layered.moves


def test_layers_need_moves_that_commute():
    with pytest.raises(rk.InputError, match="which moves commute: LeftMove must define commute"):
        rk.solve(rk.problems.LeftMove(depth=3), rk.NRPA(level=1, layers=True))


class TwoSteps(rk.problems.LeftMove):
    """Each move is legal only after the one before: all may commute, since no two are legal at the same time."""

    def moves(self, s, out):
        out[0] = s.step
        return 1 if s.step < self.depth else 0

    def code(self, s, move):
        return move

    def commute(self, a, b):
        return True


@pytest.mark.parametrize("kind", [lambda problem: problem, Interpreted], ids=["compiled", "interpreted"])
def test_steps_that_become_legal_later_are_layers_of_their_own(kind):
    assert rk.solve(kind(TwoSteps(depth=4)), rk.NRPA(level=2, iterations=3, layers=True), seed=1).moves == (0, 1, 2, 3)


class Spoiling(rk.Problem):
    """Moves 0 and 2 can be played at once, 1 only after 0; but 2 forbids 1, though all are said to commute."""

    def limits(self):
        return rk.Limits(moves=3, length=3, codes=3)

    def layout(self):
        return {"played": ("u1", 3)}

    def start(self, s):
        s.played[0] = 0

    def moves(self, s, out):
        n = 0
        for move in range(3):
            ready = move != 1 or (s.played[0] == 1 and s.played[2] == 0)
            if s.played[move] == 0 and ready:
                out[n] = move
                n += 1
        return n

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.played[move] = 1

    def score(self, s):
        return s.played[0] + s.played[1] + s.played[2]

    def commute(self, a, b):
        return True


@pytest.mark.parametrize("kind", [lambda problem: problem, Interpreted], ids=["compiled", "interpreted"])
def test_moves_that_do_not_commute_as_they_say_are_told(kind):
    with pytest.raises(rk.ProblemError, match=r"commute\(\).*let moves change places that may not; return False"):
        rk.solve(kind(Spoiling()), rk.NRPA(level=1, layers=True), seed=1)


@pytest.mark.parametrize("sample", [None, 3])
@pytest.mark.parametrize("ties", ["first", "random"])
@pytest.mark.parametrize("memorise", [True, False])
@pytest.mark.parametrize("name", SMALL)
def test_nmcs_with_every_option(name, memorise, ties, sample):
    assert_same(SMALL[name], rk.NMCS(level=2, memorise=memorise, ties=ties, sample=sample))


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_sampling(name):
    assert_same({**SMALL, **LARGE}[name], rk.Sampling(), stop=rk.MaxPlayouts(20))


OTHERS = [
    rk.Reflexive(level=1, games=4),
    rk.Reflexive(level=3, games={1: 2, 2: 3, 3: 1}),
    rk.UCT(playouts=150),
    rk.UCT(playouts=150, c=3.0),
    rk.SPMCTS(playouts=150),
    rk.SPMCTS(playouts=150, c=2.0, d=0.0),
]


@pytest.mark.parametrize("search", OTHERS, ids=str)
@pytest.mark.parametrize("name", SMALL)
def test_reflexive_search_and_uct(name, search):
    assert_same(SMALL[name], search)


@pytest.mark.parametrize("search", [rk.Reflexive(level=1, games=2), rk.UCT(playouts=40)], ids=str)
@pytest.mark.parametrize("name", LARGE)
def test_reflexive_search_and_uct_on_large_boards(name, search):
    assert_same(LARGE[name], search)


RULED = [rk.Sampling, rk.NMCS, rk.Reflexive, rk.UCT, rk.SPMCTS]


@pytest.mark.parametrize("rule", ["uniform", "mobility", "own"])
@pytest.mark.parametrize("search", RULED)
def test_every_playout_rule_under_every_search(search, rule):
    assert_same(SMALL["knapsack"], search(rule=rule), stop=rk.MaxPlayouts(100))


@pytest.mark.parametrize("search", [rk.Sampling, rk.UCT])
def test_mobility_where_states_keep_their_moves(search):
    assert_same(LARGE["morpion"], search(rule="mobility"), stop=rk.MaxPlayouts(5))


@pytest.mark.parametrize("search", RULED)
def test_the_rules_differ_and_the_problems_own_is_the_default(search):
    moves = {
        rule: rk.solve(SMALL["knapsack"], search(rule=rule), seed=5, stop=rk.MaxPlayouts(1)).moves
        for rule in (None, "uniform", "mobility", "own")
    }
    assert moves[None] == moves["own"]
    assert len(set(moves.values())) == 3


@pytest.mark.parametrize(
    "search",
    [rk.NRPA(level=2, iterations=6), rk.NMCS(level=2), rk.Sampling(), rk.Reflexive(level=2, games=3), rk.UCT(30)],
)
@pytest.mark.parametrize("playouts", [1, 7, 50])
def test_stopped_after_a_number_of_playouts(search, playouts):
    assert_same(SMALL["tsp"], search, stop=rk.MaxPlayouts(playouts))


@pytest.mark.parametrize(
    "search", [rk.NRPA(level=2, iterations=6), rk.NMCS(level=2), rk.Reflexive(level=2, games=3), rk.UCT(30)]
)
def test_after_a_prefix(search):
    assert_same(SMALL["tsp"], search, start_from=(3, 1, 4))


def test_after_a_warm_start():
    assert_same(SMALL["tsp"], rk.NRPA(level=2, iterations=6), warm_start=(3, 1, 4, 2, 5, 8, 6, 7), warm_steps=3)


@pytest.mark.parametrize(
    "search", [rk.NRPA(level=2, iterations=6), rk.NMCS(level=1), rk.Sampling(), rk.Reflexive(level=2), rk.UCT(30)]
)
def test_stopped_at_a_target(search):
    assert_same(SMALL["leftmove"], search, stop=rk.Target(9))
