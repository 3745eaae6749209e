"""Runs: limits, seeds, workers, restarts, observers."""

from __future__ import annotations

import _thread
import threading
import time

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words

TSP = rk.problems.TSP.build(9, seed=2)
NRPA = rk.NRPA(level=3, iterations=6)


def facts(result):
    return result.score, result.moves, result.playouts


# --- sameness ---

PROBLEMS = {
    "tsp": TSP,
    "knapsack (hashed)": Knapsack.build(),
    "words (python)": Words(),
    "leftmove": rk.problems.LeftMove(9),
}


def solve_on(runs: list[tuple[int, int]], name: str, search: rk.Search) -> list[rk.Result]:
    """The results with these atomic levels and numbers of workers; those of a Python problem are threads as well."""
    how = {"executor": "threads", "seed": 3}
    return [rk.solve(PROBLEMS[name], search, atomic_level=a, workers=w, **how) for a, w in runs]


@pytest.mark.parametrize("ties", [">=", ">", {3: 0.3, 2: 0.3}])
@pytest.mark.parametrize("name", PROBLEMS)
def test_nrpa_does_not_depend_on_workers_or_atomic_level(name, ties):
    search = rk.NRPA(level=3, iterations=5, ties=ties)
    runs = [(1, 1), (2, 1), (3, 1), (1, 2), (1, 4), (2, 2)]
    results = solve_on(runs, name, search)
    assert len({facts(result) for result in results}) == 1


@pytest.mark.parametrize("memorise", [True, False])
@pytest.mark.parametrize("name", PROBLEMS)
def test_nmcs_does_not_depend_on_workers_or_atomic_level(name, memorise):
    search = rk.NMCS(level=3, ties="random", sample=2, memorise=memorise)
    runs = [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2)]
    results = solve_on(runs, name, search)
    assert len({facts(result) for result in results}) == 1


@pytest.mark.parametrize("name", PROBLEMS)
def test_reflexive_search_does_not_depend_on_workers_or_atomic_level(name):
    search = rk.Reflexive(level=3, games={1: 2, 2: 3, 3: 2})
    runs = [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2)]
    results = solve_on(runs, name, search)
    assert len({facts(result) for result in results}) == 1


@pytest.mark.parametrize(
    "search", [rk.NRPA(level=3, iterations=5), rk.NMCS(level=3, sample=2), rk.Reflexive(level=2, games=2)], ids=str
)
def test_processes_do_not_change_the_answer_of_a_python_problem(search):
    alone, together = (rk.solve(Words(), search, seed=3, atomic_level=1, workers=workers) for workers in (1, 2))
    assert (alone.executor, together.executor) == ("threads", "processes")
    assert facts(alone) == facts(together)


@pytest.mark.parametrize(
    "stop",
    [
        rk.MaxPlayouts(333),
        rk.MaxIterations(4),
        rk.Target(3.2),
        rk.NoImprovement(3),
        rk.MaxPlayouts(500) | rk.Target(2.8),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "search",
    [
        *(NRPA, rk.NMCS(level=2), rk.Sampling(), rk.NRPA(level=1, iterations=20)),
        *(rk.Reflexive(level=2, games=3), rk.UCT(playouts=100)),
    ],
    ids=str,
)
def test_limits_that_are_counted_give_the_same_answer_on_any_number_of_workers(search, stop):
    stop = stop | rk.MaxPlayouts(5000) if stop.playouts is None else stop
    results = [rk.solve(TSP, search, stop=stop, seed=3, workers=w, atomic_level=a) for w, a in ((1, 1), (2, 1), (3, 2))]
    assert len({(*facts(result), result.status) for result in results}) == 1


@pytest.mark.parametrize(
    "search",
    [
        *(rk.NRPA(level=2, iterations=10), rk.NRPA(level=3, iterations=5), rk.NMCS(level=3)),
        *(rk.NMCS.cazenave(level=3), rk.NMCS(level=3, memorise=False), rk.Reflexive(level=3, games=3)),
    ],
    ids=str,
)
@pytest.mark.parametrize("stop", [rk.MaxPlayouts(60), rk.MaxPlayouts(157), rk.Target(8)], ids=str)
def test_a_run_that_is_cut_is_the_same_for_any_atomic_level(search, stop):
    for seed in range(1, 9):
        results = [
            rk.solve(rk.problems.LeftMove(depth=10), search, stop=stop, seed=seed, restarts=True, atomic_level=level)
            for level in range(1, search.level + 1)
        ]
        assert len({(*facts(result), result.status, result.iterations) for result in results}) == 1


def test_a_target_that_is_reached_in_the_last_task_of_a_call_is_the_score():
    options = {"stop": rk.Target(26), "seed": 1, "restarts": True, "atomic_level": 1}
    result = rk.solve(rk.problems.LeftMove(depth=30), rk.NRPA(level=3, iterations=5), **options)
    assert (result.playouts, result.score, result.status) == (73, 26, "target")


def test_another_seed_gives_another_run():
    results = [rk.solve(TSP, NRPA, seed=seed) for seed in (1, 2)]
    assert results[0].history != results[1].history


def test_a_drawn_seed_is_recorded_and_gives_the_run_again():
    first = rk.solve(TSP, NRPA)
    assert facts(rk.solve(TSP, NRPA, seed=first.seed)) == facts(first)


# --- limits ---


@pytest.mark.parametrize(
    "search", [NRPA, rk.NMCS(level=2), rk.Sampling(), rk.Reflexive(level=2, games=3), rk.UCT(playouts=100)], ids=str
)
@pytest.mark.parametrize("playouts", [1, 10, 1234])
def test_the_number_of_playouts_is_exact(search, playouts):
    result = rk.solve(TSP, search, stop=rk.MaxPlayouts(playouts), seed=1)
    assert (result.playouts, result.status) == (playouts, "playouts")


def test_more_playouts_never_give_a_worse_score():
    scores = [rk.solve(TSP, NRPA, stop=rk.MaxPlayouts(n), seed=1).score for n in (1, 10, 100, 1000)]
    assert scores == sorted(scores, reverse=True)


def test_a_target_stops_at_the_first_playout_that_reaches_it():
    result = rk.solve(rk.problems.LeftMove(9), rk.Sampling(), stop=rk.Target(7), seed=1)
    assert result.status == "target"
    assert result.score >= 7
    assert result.history[-1].playouts == result.playouts


def test_a_target_of_a_minimised_problem_is_an_upper_bound():
    result = rk.solve(TSP, NRPA, stop=rk.Target(3.5) | rk.MaxPlayouts(100_000), seed=1)
    assert result.status == "target"
    assert result.score <= 3.5


def test_iterations_of_the_top_level_are_counted():
    result = rk.solve(TSP, NRPA, stop=rk.MaxIterations(9), seed=1)
    assert (result.iterations, result.playouts, result.status) == (9, 9 * 36, "iterations")


def test_patience_ends_a_run_that_does_not_improve():
    result = rk.solve(rk.problems.LeftMove(3), rk.Sampling(), stop=rk.NoImprovement(100), seed=1)
    assert result.status == "no_improvement"
    assert result.playouts == result.history[-1].playouts + 100


def test_patience_counts_iterations_of_the_top_level():
    result = rk.solve(rk.problems.LeftMove(3), NRPA, stop=rk.NoImprovement(5), seed=1)
    assert (result.status, result.iterations) == ("no_improvement", 6)


@pytest.mark.timing
def test_a_time_limit_returns_a_prefix_of_the_same_search():
    limited = rk.solve(TSP, NRPA, stop=rk.MaxTime(0.2), seed=1)
    again = rk.solve(TSP, NRPA, stop=rk.MaxPlayouts(limited.playouts), seed=1)
    assert limited.status == "time"
    assert facts(again) == facts(limited)


def test_without_a_limit_one_run_is_made():
    result = rk.solve(TSP, NRPA, seed=1)
    assert (result.status, result.playouts, result.restarts) == ("finished", 216, 0)


def test_restarts_fill_a_limit():
    assert rk.solve(TSP, NRPA, stop=rk.MaxPlayouts(500), seed=1).restarts == 2


def test_restarts_can_be_declined():
    result = rk.solve(TSP, NRPA, stop=rk.MaxPlayouts(500), restarts=False, seed=1)
    assert (result.status, result.playouts) == ("finished", 216)


# --- history ---


@pytest.mark.parametrize(
    "search",
    [
        *(NRPA, rk.NMCS(level=2), rk.NMCS(level=1, memorise=False), rk.Sampling()),
        *(rk.Reflexive(level=2, games=3), rk.UCT(playouts=100)),
    ],
    ids=str,
)
def test_the_history_rises_to_the_result(search):
    result = rk.solve(rk.problems.LeftMove(12), search, stop=rk.MaxPlayouts(2000), seed=1)
    scores = [i.score for i in result.history]
    assert scores == sorted(set(scores))
    assert scores[-1] == result.score
    assert [i.playouts for i in result.history] == sorted(i.playouts for i in result.history)
    assert all(0 <= i.seconds <= result.seconds for i in result.history)


def test_the_moves_replay_to_the_score():
    result = rk.solve(TSP, NRPA, seed=1)
    assert rk.replay(TSP, result.moves) == (result.score, ())


# --- prefixes and warm starts ---


def test_a_prefix_is_kept():
    result = rk.solve(TSP, NRPA, start_from=[5, 2], seed=1)
    assert result.moves[:2] == (5, 2)
    assert rk.replay(TSP, result.moves) == (result.score, ())


def test_an_illegal_prefix_is_refused():
    with pytest.raises(rk.InputError, match="move 2 must be legal in TSP, got 5"):
        rk.solve(TSP, NRPA, start_from=[5, 5])


def test_a_whole_sequence_as_prefix_leaves_nothing_to_search():
    moves = rk.solve(TSP, NRPA, seed=1).moves
    for search in (NRPA, rk.NMCS(level=2), rk.Reflexive(level=2), rk.UCT(playouts=100)):
        assert rk.solve(TSP, search, start_from=moves, seed=2).moves == moves


def test_a_warm_start_leads_back_to_the_known_sequence():
    known = rk.solve(TSP, rk.NRPA(level=3, iterations=20), seed=1)
    one = rk.NRPA(level=1, iterations=1)
    cold = [rk.solve(TSP, one, seed=s).score for s in range(20)]
    warm = [rk.solve(TSP, one, seed=s, warm_start=known.moves, warm_steps=30).score for s in range(20)]
    assert sum(w == known.score for w in warm) > 15 > sum(c == known.score for c in cold)


def test_a_warm_start_needs_a_policy():
    with pytest.raises(rk.InputError, match="it goes with NRPA, not with NMCS"):
        rk.solve(TSP, rk.NMCS(), warm_start=[1])


def test_a_warm_start_begins_with_the_prefix():
    with pytest.raises(rk.InputError, match="warm_start must begin with the moves of start_from"):
        rk.solve(TSP, NRPA, start_from=[1], warm_start=[2, 1])


# --- observers ---


class Recorder(rk.Callback):
    def __init__(self):
        self.calls = []

    def on_compile(self, problem):
        self.calls.append("compile")

    def on_start(self, problem, search, seed):
        self.calls.append("start")

    def on_iteration(self, progress):
        self.calls.append(("iteration", progress.iteration))

    def on_best(self, progress, moves):
        self.calls.append(("best", progress.score))

    def on_replace(self, level, iteration, sequence, tie):
        self.calls.append(("replace", level, iteration, tie))

    def on_end(self, result):
        self.calls.append("end")


def test_observers_see_the_run_in_order():
    recorder = Recorder()
    result = rk.solve(TSP, NRPA, seed=1, atomic_level=1, callbacks=[recorder])
    assert recorder.calls[:2] == ["compile", "start"]
    assert recorder.calls[-1] == "end"
    assert [c[1] for c in recorder.calls if c[0] == "iteration"] == [1, 2, 3, 4, 5, 6]
    assert [c[1] for c in recorder.calls if c[0] == "best"][-1] == result.score


def test_observers_see_accepted_ties():
    recorder = Recorder()
    rk.solve(rk.problems.LeftMove(40), rk.NRPA(level=2, iterations=20), seed=1, atomic_level=1, callbacks=[recorder])
    replaced = [c for c in recorder.calls if c[0] == "replace"]
    assert {c[1] for c in replaced} == {2}
    assert True in {c[3] for c in replaced}


def test_observers_see_replacements_by_identical_sequences_on_any_number_of_workers():
    class Sequences(rk.Callback):
        def __init__(self):
            self.found = []

        def on_replace(self, level, iteration, sequence, tie):
            self.found.append((iteration, sequence, tie))

    problem, search = rk.problems.LeftMove(8), rk.NRPA(level=2, iterations=20)
    one, three = Sequences(), Sequences()
    best = rk.solve(problem, search, seed=1, atomic_level=1, callbacks=[one]).moves
    rk.solve(problem, search, seed=1, atomic_level=1, callbacks=[three], workers=3)
    assert three.found == one.found
    assert [tie for _, sequence, tie in one.found if sequence == best] == [False] + [True] * 16


def test_an_exception_in_an_observer_ends_the_run():
    class Angry(rk.Callback):
        def on_best(self, progress, moves):
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        rk.solve(TSP, NRPA, seed=1, callbacks=[Angry()])


@pytest.mark.timing
def test_an_interrupt_returns_the_best_so_far():
    class Impatient(rk.Callback):
        pressed = False

        def on_tick(self, progress):
            if progress.playouts and not self.pressed:
                self.pressed = True
                threading.Timer(0.3, _thread.interrupt_main).start()

    result = rk.solve(TSP, NRPA, stop=rk.MaxTime(60), seed=1, callbacks=[Impatient()])
    assert result.status == "interrupted"
    assert rk.replay(TSP, result.moves)[0] == result.score


# --- errors ---


class Failing(Words):
    def score(self, state):
        raise ZeroDivisionError("in the user's score")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_in_a_users_problem_is_shown(workers):
    with pytest.raises(ZeroDivisionError, match="in the user's score"):
        rk.solve(Failing(), rk.NRPA(level=2, iterations=3), workers=workers)


class ScoredAtTheEnd(Words):
    def score(self, state):
        assert len(state) == self.length, "asked for the score of an unfinished state"
        return super().score(state)


@pytest.mark.parametrize(
    "search", [rk.NRPA(level=2, iterations=4), rk.NMCS(level=3), rk.Reflexive(level=3, games=2), rk.UCT(100)], ids=str
)
def test_only_finished_states_are_scored(search):
    rk.solve(ScoredAtTheEnd(), search, seed=1, atomic_level=1, start_from="b")


class Unhashable(Words):
    def code(self, state, move):
        return [move]


def test_codes_must_be_hashable():
    with pytest.raises(rk.ProblemError, match=r"^Unhashable.code\(\) .*returned \['a'\], which cannot be hashed"):
        rk.solve(Unhashable(), rk.NRPA(level=1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"seed": 1.5}, "seed must be a whole number, got 1.5"),
        ({"atomic_level": 0}, "atomic_level must be at least 1, got 0"),
        (
            {"search": "nrpa"},
            "search must be NRPA, NMCS, LazyNMCS, Reflexive, BeamSearch, UCT, SPMCTS, .* or Auto, got 'nrpa'",
        ),
        (
            {"search": rk.NRPA},
            "search must be NRPA, NMCS, LazyNMCS, Reflexive, BeamSearch, UCT, SPMCTS, .* or Auto, got <class",
        ),
        ({"stop": 60}, "stop must be made of MaxTime, MaxPlayouts, ..., got 60"),
        ({"search": rk.UCT(rule="own")}, 'rule "own" needs a problem that chooses its moves: TSP must define choose'),
        ({"search": rk.Sampling()}, "sampling has no end of its own"),
        (
            {"search": rk.Sampling(), "stop": rk.MaxPlayouts(9), "restarts": 3},
            "sampling has no end of its own, so it cannot be run 3 times",
        ),
        ({"warm_start": [1, 2, 3, 4, 5, 6, 7, 8], "warm_steps": 0}, "warm_steps must be at least 1, got 0"),
        ({"start_from": 5}, "start_from must be a list of moves, got 5"),
        ({"start_from": None}, "start_from must be a list of moves, got None"),
        ({"warm_start": 5}, "warm_start must be a list of moves, got 5"),
        ({"callbacks": rk.Callback()}, "callbacks must be a list of Callback objects, got <rookery.running.callbacks"),
        ({"callbacks": None}, "callbacks must be a list of Callback objects, got None"),
        ({"callbacks": "print"}, "callbacks must be a list of Callback objects, got 'print'"),
        ({"callbacks": [print]}, r"callbacks must be a list of Callback objects, got \[<built-in"),
        ({"callbacks": [rk.Callback]}, r"callbacks must be a list of Callback objects, got \[<class"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(rk.InputError, match=message):
        rk.solve(TSP, **{"search": NRPA, **options})


def test_what_is_not_a_problem_is_refused():
    with pytest.raises(rk.ProblemError, match="a problem must be a Problem or a PythonProblem, got 7"):
        rk.solve(7)


@pytest.mark.timing
def test_a_python_problem_is_halted_in_the_middle_of_a_task():
    class Slow(Words):
        def play(self, state, move):
            time.sleep(0.01)
            return state + move

    result = rk.solve(Slow(), rk.NRPA(level=4, iterations=100), stop=rk.MaxTime(0.3), seed=1)
    assert result.status == "time"


@pytest.mark.parametrize("move", [1.5, True, "1", [1], 2**63])
def test_moves_are_whole_numbers_of_64_bits(move):
    with pytest.raises(rk.InputError, match="moves must be whole numbers of 64 bits, got"):
        rk.solve(rk.problems.LeftMove(depth=3), rk.NMCS(level=1), start_from=[move])


def test_a_warm_start_may_be_a_result():
    problem, search = rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20)
    known = rk.solve(problem, search, seed=1)
    warm, same = (rk.solve(problem, search, seed=2, warm_start=given) for given in (known, known.moves))
    assert (warm.moves, warm.history[0].score) == (same.moves, same.history[0].score)


@pytest.mark.parametrize("stop", [rk.MaxPlayouts(300), rk.MaxTime(0.2), rk.MaxPlayouts(300) | rk.Target(99)])
def test_with_a_budget_and_no_search_a_portfolio_is_the_default(stop):
    assert rk.solve(rk.problems.LeftMove(9), stop=stop, seed=1).search["algorithm"] == "auto"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"stop": rk.Target(7)},
        {"stop": rk.MaxIterations(1)},
        {"stop": rk.MaxPlayouts(300), "restarts": True},
        {"stop": rk.MaxPlayouts(300), "restarts": 2},
        {"stop": rk.MaxPlayouts(300), "atomic_level": 1},
        {"stop": rk.MaxPlayouts(300), "select": "table"},
        {"stop": rk.MaxPlayouts(300), "warm_start": [0] * 9},
    ],
)
def test_without_a_budget_or_with_what_only_nrpa_has_the_default_is_nrpa(asked):
    result = rk.solve(rk.problems.LeftMove(9), seed=1, **asked)
    assert result.search["algorithm"] == "nrpa"
