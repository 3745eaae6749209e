"""The answers that seeds give are those of ``results.json``.

An entry of that file changes only with a line in the changelog that says why: within a major release a seed gives the
same result. ``python tests/golden/record.py NAME`` then writes its answer again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator

import numba
import pytest
from entries import Answers, read_entries

import rookery as rk

ENTRIES = read_entries()
OF_WORKERS = ("kind", "interrupted", "executor", "workers", "answer")
SEARCHES = {
    "NRPA",
    "NMCS",
    "LazyNMCS",
    "BeamSearch",
    "Reflexive",
    "UCT",
    "SPMCTS",
    "Sampling",
    "Tempering",
    "Annealing",
    "GameUCT",
    "PPA",
    "PPAF",
    "RAVE",
    "GRAVE",
    "MAST",
    "FlatMC",
}

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="interpreted, it would take too long")


@pytest.fixture(scope="module")
def answers() -> Iterator[Answers]:
    with Answers(ENTRIES) as made:
        yield made


@compiled
@pytest.mark.parametrize("name", ENTRIES)
def test_the_answer_is_the_recorded_one(name, answers):
    assert answers[name] == ENTRIES[name]["answer"]


def test_who_computes_does_not_change_what_is_recorded():
    recorded = defaultdict(set)
    for entry in ENTRIES.values():
        if entry["kind"] in ("solve", "resume", "match"):
            asked = {key: value for key, value in entry.items() if key not in OF_WORKERS}
            recorded[json.dumps(asked, sort_keys=True)].add(json.dumps(entry["answer"]))

    assert [asked for asked, told in recorded.items() if len(told) > 1] == []
    assert len(recorded) < len(ENTRIES)


def test_every_problem_game_and_search_is_recorded():
    problems = {entry.get("problem") for entry in ENTRIES.values()}
    games = {entry.get("game") for entry in ENTRIES.values()}
    searches = {entry.get("search", "").partition(".")[0] for entry in ENTRIES.values()}

    assert set(rk.tools.builtin_problems()) <= problems
    assert set(rk.tools.builtin_games()) <= games
    assert searches >= SEARCHES
