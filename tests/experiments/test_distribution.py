"""Distributions of scores: every run is what solve gives, whoever computes it; statistics, files, merging."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import chi2

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.experiments.distribution import Counting
from rookery.experiments.timeline import quantile
from rookery.problems.leftmove import exact_distribution
from rookery.search import OK, Call, OneTask, Repeat, Search, Task, make_random_playout, seed_stream

ERROR_RATE = 1e-4
"""Probability that a right engine fails the statistical test; the seeds are fixed, so it fails always or never."""

PROBLEM = rk.problems.LeftMove(depth=9)
SEARCH = rk.NMCS.cazenave(level=2)


@dataclass(frozen=True)
class SeveralTasks(rk.NRPA):
    """Its runs cannot be one task."""

    def atomic_level(self, cost, stop, given, workers):
        return 1


SEARCHES = {
    "nrpa": rk.NRPA(level=2, iterations=5),
    "nmcs": SEARCH,
    "reflexive": rk.Reflexive(level=2, games={1: 2, 2: 3}),
    "uct": rk.UCT(playouts=20),
    "several tasks": SeveralTasks(level=2, iterations=5),
    "chains of tasks": rk.Annealing(playouts=60),
}


def by_solve(problem, search, runs, seed=1, stop=None):
    """Counts, and playouts in all."""
    results = [rk.solve(problem, search, seed=seed + i, stop=stop) for i in range(runs)]
    counts = Counter(result.score for result in results if not math.isnan(result.score))
    return dict(sorted(counts.items())), sum(result.playouts for result in results)


def counted(problem, search, runs, **options):
    done = rk.distribution(problem, search, runs, **options)
    return done.counts, done.playouts


def made(counts, sense="max", seed=1, **more):
    """A distribution made by hand."""
    runs = sum(counts.values()) + more.get("infeasible", 0)
    seeds = ((seed, seed + runs - 1),)
    values = {"best_seed": seed if counts else None, "playouts": runs, **more}
    return rk.Distribution("some.module:Puzzle", {"n": 5}, {"algorithm": "nmcs"}, sense, counts, seeds, **values)


# --- runs ---


@pytest.mark.parametrize("name", SEARCHES)
def test_every_run_is_what_solve_gives_with_the_next_seed(name):
    assert counted(PROBLEM, SEARCHES[name], 20, seed=7) == by_solve(PROBLEM, SEARCHES[name], 20, seed=7)


@pytest.mark.parametrize("search", [rk.Sampling(), rk.Tempering(replicas=2, proposals=3)], ids=["one task", "several"])
@pytest.mark.parametrize("playouts", [1, 30])
def test_a_search_without_an_end_has_the_playouts_that_solve_stops_at(search, playouts):
    expected = by_solve(PROBLEM, search, 10, stop=rk.MaxPlayouts(playouts))
    assert counted(PROBLEM, search, 10, playouts=playouts) == expected


def test_runs_on_a_large_state_begin_where_the_first_one_began():
    problem, search = rk.problems.Morpion("5D"), rk.NMCS.cazenave(level=1, memorise=False)
    assert counted(problem, search, 12) == by_solve(problem, search, 12)


def test_hashed_codes_that_find_no_room_get_it_between_two_runs(monkeypatch):
    monkeypatch.setattr("rookery.kernels.memory.FIRST_ROOM", 4)
    problem = Knapsack.build()
    assert counted(problem, SEARCHES["nrpa"], 12) == by_solve(problem, SEARCHES["nrpa"], 12)


class Cheapest(Words):
    """Less is better, and some words are no words."""

    sense = "min"

    def score(self, state):
        return rk.INFEASIBLE if super().score(state) % 3 == 0 else super().score(state)


def test_runs_on_python_objects_are_what_solve_gives_and_may_find_nothing_feasible():
    done = rk.distribution(Cheapest(), rk.Sampling(), runs=40, playouts=2)
    assert (done.counts, done.playouts) == by_solve(Cheapest(), rk.Sampling(), 40, stop=rk.MaxPlayouts(2))
    assert 0 < done.infeasible == 40 - sum(done.counts.values())
    assert done.best == min(done.counts)
    assert rk.solve(Cheapest(), rk.Sampling(), seed=done.best_seed, stop=rk.MaxPlayouts(2)).score == done.best


def test_scores_have_the_exact_distribution():
    runs, exact = 20_000, exact_distribution(60, 1)
    done = rk.distribution(rk.problems.LeftMove(depth=60), rk.NMCS.cazenave(level=1, memorise=False), runs)
    expected = np.array(exact) * runs
    observed = np.array([done.counts.get(score, 0) for score in range(61)])
    enough = expected >= 5
    expected, observed = ([*a[enough], a[~enough].sum()] for a in (expected, observed))
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    assert statistic < chi2.isf(ERROR_RATE, len(expected) - 1)


def test_the_interpreter_gives_the_same_counts():
    script = (
        "import rookery as rk; p = rk.problems.LeftMove(depth=5);"
        "d = [rk.distribution(p, s, 9) for s in (rk.NMCS.cazenave(2), rk.NRPA(level=2, iterations=5))];"
        "print([(x.counts, x.playouts) for x in d])"
    )
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    problem = rk.problems.LeftMove(depth=5)
    assert done.stdout == f"{[counted(problem, search, 9) for search in (SEARCH, SEARCHES['nrpa'])]}\n"


# --- searches of users' own ---


def own_search(amount, repeats):
    """A class that is defined anew with every call: with the same names, and another kernel."""

    def make(spec):
        random_playout = make_random_playout(spec)

        def several(key, self, states, lines, run):
            seed_stream(run.rng[0], key)
            for _ in range(amount):
                states[1] = states[0]
                status = random_playout(self, states[1], states, 0, lines.best[0], run.rng[0], lines, run)
                if status != OK:
                    return status
            return OK

        return several

    @dataclass(frozen=True, kw_only=True)
    class SeveralTask(Task):
        def call(self, memory, signal):
            run, lines = memory.assign(self, signal), memory.lines
            arguments = (np.uint64(self.key), memory.constants, memory.states, lines, run)
            repeat = Repeat(0, lines.scores, lines.best, 0) if repeats else None
            found = memory.line
            return Call(("several", make), arguments, lambda: found(lines.best[0], 0), repeat=repeat)

    @dataclass(frozen=True)
    class Several(Search):
        name = "several"

        def smallest_task(self, prefix):
            return SeveralTask(search=self, key=0, prefix=prefix)

        def planner(self, setting):
            return lambda key: OneTask(replace(self.smallest_task(setting.prefix), key=key))

    return Several()


def test_a_search_that_is_defined_again_repeats_its_own_kernel():
    searches = own_search(3, repeats=True), own_search(5, repeats=True), own_search(5, repeats=False)
    found = [counted(PROBLEM, search, 20) for search in searches]
    assert [playouts for _, playouts in found] == [60, 100, 100]
    assert found[1] == found[2]
    assert found[1] == by_solve(PROBLEM, searches[1], 20)


# --- workers ---


@pytest.mark.parametrize("how", [{"workers": 3}, {"workers": 2, "executor": "processes"}], ids=["threads", "processes"])
def test_counts_do_not_depend_on_who_computes_them(how):
    one, other = (rk.distribution(PROBLEM, SEARCH, 500, **options) for options in ({}, how))
    assert (other.counts, other.playouts, other.seeds) == (one.counts, one.playouts, ((1, 500),))
    assert other.executor == how.get("executor", "threads")


def test_an_executor_that_was_handed_in_gives_the_same_counts():
    with ThreadPoolExecutor(2) as threads:
        assert counted(Words(), rk.NMCS(level=1), 30, executor=threads) == counted(Words(), rk.NMCS(level=1), 30)


class Impatient(rk.Callback):
    """Interrupts after the first runs, and notes what it is told."""

    def __init__(self, after=1):
        self.after, self.told = after, []

    def on_iteration(self, progress):
        self.told.append(progress.iteration)
        if len(self.told) == self.after:
            raise KeyboardInterrupt

    def on_end(self, result):
        self.told.append(result.status)


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupt_returns_the_first_runs(workers):
    impatient = Impatient(after=3)
    done = rk.distribution(PROBLEM, SEARCH, 10**9, workers=workers, callbacks=[impatient])
    assert (done.complete, done.status, impatient.told[-1]) == (False, "interrupted", "interrupted")
    assert done.runs >= impatient.told[2] >= 3
    assert done.seeds == ((1, done.runs),)
    assert (done.counts, done.playouts) == counted(PROBLEM, SEARCH, done.runs)
    assert "interrupted" in str(done)


class Trap(rk.problems.LeftMove):
    """Raises an error at the end of a path that hardly anybody takes."""

    def score(self, s):
        if s.lefts == self.depth:
            raise ValueError("a trap")
        return s.lefts


def test_a_fault_in_the_problem_is_located_as_in_solve():
    problem, stop = Trap(depth=8), rk.MaxPlayouts(1)
    with pytest.raises(ValueError, match="a trap") as raised:
        rk.distribution(problem, rk.Sampling(), runs=10_000, playouts=1)
    before = raised.value.best_so_far
    assert before.counts == by_solve(problem, rk.Sampling(), before.runs, stop=stop)[0]
    with pytest.raises(ValueError, match="a trap") as alone:
        by_solve(problem, rk.Sampling(), 10_000, seed=before.runs + 1, stop=stop)
    assert raised.value.__notes__ == alone.value.__notes__
    assert re.search(r"Trap.score\(\) at \S*test_distribution.py:\d+, `raise", raised.value.__notes__[0])


@pytest.mark.parametrize(
    ("search", "options", "message"),
    [
        ("nmcs", {}, "search must be NRPA, NMCS"),
        (SEARCH, {"runs": 0}, "runs must be at least 1, got 0"),
        (SEARCH, {"seed": 2**64 - 10, "runs": 11}, f"seed must be at most {2**64 - 11}, got {2**64 - 10}"),
        (SEARCH, {"playouts": 5}, "playouts is for a search without an end of its own, not for nmcs, got 5"),
        (rk.Sampling(), {}, "sampling has no end of its own: give its runs a limit, such as playouts=1000"),
        (rk.Sampling(), {"playouts": 0}, "playouts must be at least 1, got 0"),
        (rk.NMCS(rule="own"), {}, 'rule "own" needs a problem that chooses its moves'),
        (SEARCH, {"executor": "thread"}, "executor must be threads, processes, mpi, dask or an Executor object"),
        (SEARCH, {"callbacks": print}, "callbacks must be a list of Callback objects"),
        (SEARCH, {"file": "no such folder/runs.json"}, "cannot write no such folder/runs.json"),
    ],
)
def test_what_cannot_work_is_refused_in_one_sentence(search, options, message):
    with pytest.raises(rk.InputError, match=message):
        rk.distribution(PROBLEM, search, **options)


# --- a file ---


def test_the_same_call_makes_only_the_runs_that_its_file_lacks(tmp_path):
    file, whole = tmp_path / "runs.json", rk.distribution(PROBLEM, SEARCH, 300)
    part = rk.distribution(PROBLEM, SEARCH, 10**9, file=file, callbacks=[Impatient(after=4)])
    saved = rk.Distribution.load(file)
    assert saved == part
    assert not saved.complete
    impatient = Impatient(after=0)
    done = rk.distribution(PROBLEM, SEARCH, 300, file=file, callbacks=[impatient])
    assert (done.counts, done.playouts, done.seeds) == (whole.counts, whole.playouts, whole.seeds)
    assert (done.best_seed, done.complete) == (whole.best_seed, True)
    assert impatient.told[-2:] == [300 - part.runs, "finished"]
    assert rk.distribution(PROBLEM, SEARCH, 300, file=file, callbacks=[Impatient()]) == done  # nothing is left to do
    assert os.listdir(tmp_path) == ["runs.json"]


def test_a_long_distribution_is_saved_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr("rookery.experiments.distribution.SAVED_EVERY", 0.0)
    saved = []
    monkeypatch.setattr(Counting, "save", lambda self, complete: saved.append(complete) or self._counted(complete))
    assert rk.distribution(PROBLEM, SEARCH, 50, file=tmp_path / "runs.json").complete
    assert saved == [False] * (len(saved) - 1) + [True]
    assert len(saved) > 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"search": rk.NMCS.cazenave(level=1)}, "holds another distribution: its entry 'search' differs"),
        ({"problem": rk.problems.LeftMove(depth=8)}, "holds another distribution: its entry 'parameters' differs"),
        ({"seed": 2}, "holds the seeds 1 to 20, which are not the first of those asked for"),
        ({"runs": 19}, "holds the seeds 1 to 20, which are not the first of those asked for"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, change, message):
    file, call = tmp_path / "runs.json", {"problem": PROBLEM, "search": SEARCH, "runs": 20}
    rk.distribution(**call, file=file)
    before = file.read_text()
    with pytest.raises(rk.InputError, match=message):
        rk.distribution(**{**call, **change}, file=file)
    assert file.read_text() == before


def test_a_file_of_a_problem_whose_rules_have_changed_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "runs.json"
    rk.distribution(Words(), rk.NMCS(level=1), 5, file=file)
    monkeypatch.setattr(Words, "score", lambda self, state: float(len(state)))
    with pytest.raises(rk.InputError, match="holds another distribution: its entry 'fingerprint' differs"):
        rk.distribution(Words(), rk.NMCS(level=1), 9, file=file)


# --- statistics ---

COUNTS = {1.0: 2, 2.0: 5, 4.5: 1, 7.0: 2}
SCORES = [score for score, count in COUNTS.items() for _ in range(count)]


def test_mean_and_standard_error_are_those_of_the_scores():
    done = made(COUNTS)
    assert (done.runs, done.min, done.max) == (10, 1.0, 7.0)
    assert done.mean == pytest.approx(np.mean(SCORES))
    assert done.standard_error == pytest.approx(np.std(SCORES, ddof=1) / 10**0.5)


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("infeasible", [0, 3])
def test_quantiles_are_those_of_an_experiment(sense, infeasible):
    done, scores = made(COUNTS, sense, infeasible=infeasible), [*SCORES, *[math.nan] * infeasible]
    for q in (0, 0.1, 0.25, 0.5, 0.9, 1):
        assert done.quantile(q) == pytest.approx(float(quantile(scores, q, sense)), nan_ok=True)
    assert done.median == done.quantile(0.5)


def test_shares_are_of_all_runs_at_least_as_good():
    up, down = made(COUNTS, infeasible=10), made(COUNTS, "min")
    assert (up.share(7), up.share(2), up.share(8)) == (2 / 20, 8 / 20, 0)
    assert (down.share(1), down.share(1.5), down.share(7)) == (2 / 10, 2 / 10, 1)
    assert up.cumulative() == {7.0: 0.1, 4.5: 0.15, 2.0: 0.4, 1.0: 0.5}
    assert down.cumulative() == {1.0: 0.2, 2.0: 0.7, 4.5: 0.8, 7.0: 1.0}
    assert (up.best, down.best) == (7, 1)


def test_the_interval_of_a_share_is_wilsons():
    low, high = made({0.0: 182, 1.0: 81}).interval_95(1)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_a_histogram_has_intervals_that_begin_at_multiples_of_their_width():
    assert made({-1.5: 1, **COUNTS}).histogram(2) == {-2: 1, 0: 2, 2: 5, 4: 1, 6: 2}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda d: d.quantile(1.5), "q must be between 0 and 1, got 1.5"),
        (lambda d: d.histogram(0), "width must be more than 0, got 0"),
        (lambda d: d.share("many"), "score must be a finite number, got 'many'"),
        (lambda d: replace(d, seeds=((1, 9),)), "counts must hold a run for each seed, got 10 runs and 9 seeds"),
    ],
)
def test_bad_questions_are_refused(ask, message):
    with pytest.raises(rk.InputError, match=message):
        ask(made(COUNTS))


def test_runs_that_found_nothing_have_no_mean():
    done = made({}, infeasible=3)
    assert all(map(math.isnan, (done.mean, done.standard_error, done.best, done.median)))
    assert str(done).splitlines()[-1] == "infeasible     3  100.00%    100.00%"


# --- reports ---


def test_many_different_scores_are_printed_in_intervals():
    whole = str(made({float(score): 1 for score in range(100)})).splitlines()
    assert whole[2:5] == [
        "score     runs  share  or better",
        "95 to 99     5  5.00%      5.00%",
        "90 to 94     5  5.00%     10.00%",
    ]
    parts = str(made({score / 100: 1 for score in range(100)}, "min")).splitlines()
    assert parts[3] == "0 to 0.05       5  5.00%      5.00%"


def test_a_plot_has_a_line_for_each_distribution_named_by_what_differs(tmp_path):
    levels = [replace(made(COUNTS), search={"algorithm": "nmcs", "level": n, "rule": None}) for n in (1, 2)]
    playouts = replace(made(COUNTS), search={"algorithm": "sampling", "rule": None})
    figure = levels[0].plot(tmp_path / "levels.png", [levels[1], playouts])
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == [
        f"{n}, 10 runs" for n in ("nmcs(level=1)", "nmcs(level=2)", "sampling")
    ]
    assert list(axes.lines[0].get_ydata()) == [0.2, 0.5, 0.1, 0.2]
    assert (tmp_path / "levels.png").read_bytes()[:4] == b"\x89PNG"


def test_a_cumulative_plot_is_logarithmic():
    (axes,) = made(COUNTS).plot(cumulative=True).axes
    assert axes.get_yscale() == "log"
    assert list(axes.lines[0].get_ydata()) == [0.2, 0.3, 0.8, 1.0]


# --- files and merging ---


def test_a_distribution_is_saved_and_loaded(tmp_path):
    done = rk.distribution(PROBLEM, SEARCH, 50)
    done.save(tmp_path / "done.json")
    assert rk.Distribution.load(tmp_path / "done.json") == done


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sense": "most"}, "'sense' must be max or min"),
        ({"playouts": -1}, "'playouts' must be a whole number, got -1"),
        ({"complete": 1}, "'complete' must be true or false, got 1"),
        ({"each": "x"}, "'each' must be a whole number or null"),
        ({"counts": [[1.0, 2], [2.0]]}, r"'counts' must hold pairs of numbers, got \[2.0\]"),
        ({"counts": [[2.0, 2], [1.0, 8]]}, "'counts' must hold scores, the lowest first"),
        ({"counts": [[1.0, 0], [2.0, 10]]}, "'counts' must hold scores, the lowest first"),
        ({"counts": [[1.0, 9]]}, "counts must hold a run for each seed, got 9 runs and 10 seeds"),
        ({"seeds": [[6, 10], [1, 5]]}, "'seeds' must hold ranges, the lowest first"),
        ({"seeds": [[10, 1]]}, "'seeds' must hold ranges, the lowest first"),
        ({"best_seed": 11}, "'best_seed' must be one of the seeds, got 11"),
        ({"best_seed": None}, "'best_seed' must be one of the seeds, got null"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, change, message):
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps({**made(COUNTS).to_json(), **change}))
    with pytest.raises(rk.InputError, match=f"damaged.json is not a file of a distribution: .*{message}"):
        rk.Distribution.load(path)


def test_merged_parts_are_the_whole():
    whole = rk.distribution(PROBLEM, SEARCHES["nrpa"], 60, seed=5)
    parts = [
        rk.distribution(PROBLEM, SEARCHES["nrpa"], n, seed=seed) for n, seed in ((10, 45), (20, 5), (20, 25), (10, 55))
    ]
    merged = parts[0].merge(parts[1]).merge(parts[2].merge(parts[3]))
    for name in ("counts", "seeds", "playouts", "best_seed", "complete", "infeasible"):
        assert getattr(merged, name) == getattr(whole, name)


def test_the_best_seed_of_merged_parts_is_that_of_the_better_one():
    assert made({1.0: 2}).merge(made({2.0: 1}, seed=3)).best_seed == 3
    assert made({1.0: 2}, "min").merge(made({2.0: 1}, "min", seed=3)).best_seed == 1
    assert made({1.0: 2}).merge(made({}, seed=3, infeasible=1)).best_seed == 1


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (made(COUNTS, seed=10), "distributions can be merged if they share no seed, got 10 in both"),
        (made(COUNTS, "min", seed=11), 'can be merged if they have the same sense, got "max" and "min"'),
        (made(COUNTS, seed=11, each=3), "can be merged if they have the same each, got null and 3"),
        (made(COUNTS, seed=11, fingerprint="b"), "what it does has changed"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(other, message):
    with pytest.raises(rk.InputError, match=message):
        made(COUNTS, fingerprint="a").merge(other)
