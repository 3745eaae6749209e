"""``check_search`` lets right searches pass and finds what is wrong with others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import rookery as rk
from rookery.checking.catalogue import SEARCH_CATALOGUE
from rookery.reference.nrpa import adapt, nrpa, replaces
from rookery.reference.playout import weighted_playout
from rookery.rng import Stream, mix_int
from rookery.search import Repeat, Samples
from rookery.search.sampling import SamplingTask
from rookery.testing import CheckError, check_search
from rookery.tools import make_search

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_search.py"
PROBLEM = rk.load_problem("tsp", {"n": "14"})

SMALL = [
    rk.NRPA(level=2, iterations=10),
    rk.NMCS(level=2),
    rk.LazyNMCS(level=2, playouts=2),
    rk.Reflexive(level=2, games=3),
    rk.UCT(playouts=100),
    rk.SPMCTS(playouts=100),
    rk.Sampling(),
]


@pytest.mark.parametrize("search", SMALL, ids=lambda search: search.name)
def test_a_search_of_the_library_keeps_its_contract(search):
    report = check_search(search)
    assert str(report).startswith(f"{type(search).__name__} keeps its contract: nothing was found in ")


def test_a_plain_problem_is_searched_by_the_twin_alone():
    class Bits(rk.PythonProblem):
        def start(self):
            return ""

        def moves(self, state):
            return "01" if len(state) < 6 else ""

        def code(self, state, move):
            return len(state), move

        def play(self, state, move):
            return state + move

        def score(self, state):
            return state.count("1")

    assert check_search(rk.NRPA(level=2, iterations=5), Bits(), processes=False).ok


# --- a search of one's own, with a twin ---


def limited_nrpa(rules, root, level, policy, key, iterations, ties, alpha, layers, repetitions, monitor):
    """The twin of LimitedNRPA."""
    best, best_score, found_again, stream = None, -math.inf, 0, Stream(key)
    rest = (iterations, ties, alpha, layers, repetitions, monitor)
    for i in range(iterations[level]):
        if level == 1:
            new = weighted_playout(rules, rules.copy(root), policy, stream, monitor)
            complete = new is not None
        else:
            new, complete = limited_nrpa(rules, root, level - 1, policy, mix_int(key, i), *rest)
        found_again += best is not None and new is not None and new.moves == best.moves
        if new is not None and replaces(new, best, best_score, ties[level]):
            best, best_score = new, new.score
        if not complete:
            return best, False
        if found_again >= repetitions:
            break
        policy = adapt(policy, best, alpha)
    return best, True


def test_a_search_of_ones_own_keeps_its_contract():
    search = make_search(f"{EXAMPLE}:LimitedNRPA", {"level": 3, "iterations": 6, "repetitions": 1})
    assert check_search(search, twin=limited_nrpa).ok


def another_nrpa(rules, root, repetitions, **arguments):
    """A twin that has no use for repetitions."""
    return nrpa(rules, root, **arguments)


def test_it_is_compared_with_the_twin_that_it_is_given():
    search = make_search(f"{EXAMPLE}:LimitedNRPA", {"level": 2, "iterations": 20, "repetitions": 1})
    with pytest.raises(CheckError, match="twin-differs\n    the twin test_searches:another_nrpa has score"):
        check_search(search, PROBLEM, twin=another_nrpa, processes=False)


# --- broken ones ---


@dataclass(frozen=True)
class ByWorkers(rk.NRPA):
    """Its keys depend on the number of workers."""

    def planner(self, setting):
        plan = super().planner(setting)
        return lambda key: plan(key + setting.workers)


@dataclass(frozen=True)
class ByAtomicLevel(rk.NRPA):
    """Its keys depend on what is a task."""

    def planner(self, setting):
        plan = super().planner(setting)
        return lambda key: plan(mix_int(key, setting.atomic_level))


class Unlimited(SamplingTask):
    """A task that takes no budget."""

    def within(self, budget):
        return self


@dataclass(frozen=True)
class Spendthrift(rk.Sampling):
    """Its tasks play as many playouts as they like."""

    def smallest_task(self, prefix):
        return Unlimited(search=self, key=0, prefix=prefix, first=0, last=1)

    def planner(self, setting):
        one = self.smallest_task(setting.prefix)
        return lambda key: Samples(lambda first, last: replace(one, key=key, first=first, last=last), 50)


class LastPlayout(SamplingTask):
    """A task that names the row of its last playout for that of its best."""

    def call(self, memory, signal):
        lines = memory.lines
        return replace(super().call(memory, signal), repeat=Repeat(2, lines.scores, lines.best, 0))


@dataclass(frozen=True)
class Careless(rk.Sampling):
    """Many runs of it in one call have other scores."""

    def planner(self, setting):
        one = LastPlayout(search=self, key=0, first=0, last=1)
        return lambda key: Samples(lambda first, last: replace(one, key=key, first=first, last=last), 50)


@dataclass(frozen=True)
class SameKey(rk.NMCS):
    """It has no use for the seed."""

    def planner(self, setting):
        plan = super().planner(setting)
        return lambda key: plan(5)


def timid_nrpa(rules, root, alpha, **arguments):
    """A twin with another step of adapt."""
    return nrpa(rules, root, alpha=0.9 * alpha, **arguments)


@dataclass(frozen=True)
class WrongTwin(rk.NRPA):
    """Its twin adapts less."""

    twin = f"{__name__}:timid_nrpa"


@dataclass(frozen=True)
class Forgetful(rk.NRPA):
    """Its plan forgets where it was when it was stopped."""

    def planner(self, setting):
        plan = super().planner(setting)

        def forgetting(key):
            made = plan(key)
            made.restore = lambda state: None
            return made

        return forgetting


BROKEN = {
    "answer-differs": (
        ByWorkers(level=2, iterations=10),
        "a run with 2 workers has score .* in 300 playouts, found after .*, where a run with one worker has score",
    ),
    "budget-not-kept": (
        Spendthrift(),
        "Spendthrift does not keep its budget: a task of 1 playouts has made 50; on TSP, seed 1",
    ),
    "seed-ignored": (SameKey(level=1), "the seeds 1 to 5 have the same answer, score"),
    "twin-differs": (WrongTwin(level=2, iterations=10), "the twin test_searches:timid_nrpa has score"),
    "repeat-differs": (Careless(), r"5 runs in one call have the scores \[-.*\], one by one \[-"),
    "resume-differs": (Forgetful(level=2, iterations=20), "a run resumed after 30 playouts has score"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_search_is_found_out(name):
    search, text = BROKEN[name]
    with pytest.raises(CheckError, match=f"error: {name}\n    {text}"):
        check_search(search, PROBLEM, processes=False)


def test_an_answer_that_depends_on_the_atomic_level_is_found_out():
    with pytest.raises(CheckError, match="answer-differs"):
        check_search(ByAtomicLevel(level=2, iterations=10), PROBLEM, processes=False)


def test_an_error_may_be_allowed():
    report = check_search(SameKey(level=1), PROBLEM, processes=False, allow=["seed-ignored"])
    assert [finding.level for finding in report.findings] == ["warning"]
    with pytest.raises(rk.InputError, match="allow must name errors of a check, got 'seeds'; there are answer-differs"):
        check_search(rk.NMCS(), allow="seeds")


def test_a_twin_has_a_name():
    with pytest.raises(rk.InputError, match="twin must be a function at the top of a module, got .*<locals>"):
        check_search(rk.NMCS(), twin=lambda: None)


def test_only_a_search_is_checked():
    with pytest.raises(rk.InputError, match="search must be NRPA, .* or Auto, got 'nrpa'"):
        check_search("nrpa")


# --- what is said of them ---


def test_the_page_has_all_that_may_be_found():
    page = (ROOT / "docs" / "own-search.md").read_text(encoding="utf-8")
    for name, kind in SEARCH_CATALOGUE.items():
        assert f"| `{name}` | {kind.meaning} | {kind.advice} |" in page


def test_the_page_shows_the_example_as_it_is():
    page = (ROOT / "docs" / "own-search.md").read_text(encoding="utf-8")
    shown = page.partition("```python\n")[2].partition("```")[0]
    assert shown in EXAMPLE.read_text(encoding="utf-8")
