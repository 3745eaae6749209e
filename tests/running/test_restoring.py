"""A checkpoint that no run can have written is refused in one sentence, although its checksum is right."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery as rk
from examples_of_problems import Words
from rookery.kernels.turns import BEST, CODE_KEYS, LOSS, OWN, WON
from rookery.running.checkpoint import Checkpoint
from rookery.tasks import Sequence, Weights

PROBLEM = Words("abcdef", 4)
SEARCHES = {
    "nmcs": (rk.NMCS(level=3), 400),
    "lazynmcs": (rk.LazyNMCS(level=3, playouts=1), 100),
    "nrpa": (rk.NRPA(level=3, iterations=5, ties=0.3), 60),
    "reflexive": (rk.Reflexive(level=3, games=2), 40),
    "sampling": (rk.Sampling(), 30),
    "uct": (rk.UCT(playouts=20), 50),
    "tempering": (rk.Tempering(replicas=2, proposals=5, rounds=2, ladders=2, patience=15), 100),
    "annealing": (rk.Annealing(playouts=90, population=4), 60),
}
LIVE = ("plan", "live", 0)
LADDER = ("plan", "carried", 1)
NUMBERS = 33
"""Of a ladder of two."""
CHANGES: list[tuple[str, tuple[Any, ...], Any, str]] = [
    *(("nmcs", (*LIVE, "atomic_level"), odd, "atomic_level must be") for odd in (0, -1, -3, -1000, 4, True, "1")),
    ("reflexive", (*LIVE, "atomic_level"), -3, "atomic_level must be from 1 to 3, got -3"),
    ("nmcs", (*LIVE, "stack"), [], "stack must have 2 parts, got 0"),
    ("nmcs", (*LIVE, "stack", 0, "key"), np.array([0, 1]), "key must be .*, which follows from the seed, got array"),
    ("nmcs", (*LIVE, "stack", 0, "key"), 5, "key must be .*, which follows from the seed, got 5"),
    ("nmcs", (*LIVE, "stack", 0, "branches"), (), "branches must have at least 1 parts, got 0"),
    ("nmcs", (*LIVE, "stack", 0, "stream"), [0, 0, 0, 0], "stream must be not all 0"),
    ("nmcs", (*LIVE, "stack", 0, "prefix"), ("zz",), "must be"),
    ("nmcs", ("plan", "made"), 0, "made must be at least 1, got 0"),
    ("nmcs", ("plan", "number"), 5, "number must be from 0 to 1, got 5"),
    ("lazynmcs", (*LIVE, "stack"), [], "stack must have 1 to 2 parts, got 0"),
    *(
        ("lazynmcs", (*LIVE, "stack", 0, "branches"), odd, "branches must be the branches of a step")
        for odd in (((("a",), 1), (("b",), 1)), (((), 0), (("b",), 1), (("a",), 1)), (((), 0), ((), 0)))
    ),
    ("nrpa", (*LIVE, "calls", 0, "iteration"), 5, "iteration must be from 0 to 4, got 5"),
    ("nrpa", (*LIVE, "calls"), [], "calls must have . parts, got 0"),
    ("nrpa", (*LIVE, "finished"), [((1 << 40, 0), None)], "must be"),
    ("nrpa", (*LIVE, "calls", 0, "policy"), Weights(["a", "a"], np.zeros(2)), "a policy must have every code once"),
    (
        *("nrpa", (*LIVE, "calls", 0, "policy"), Weights([], np.zeros(0), (float("nan"),))),
        "the weight of a bias must be a finite number, got nan",
    ),
    ("sampling", ("plan", "next"), -1, "next must be at least 0, got -1"),
    ("sampling", ("plan", "chunk"), 0, "chunk must be at least 1, got 0"),
    ("uct", (*LIVE, "finished"), True, "best must be a sequence, got None"),
    ("uct", ("status",), "done", "status must be one of finished, "),
    ("nmcs", ("best_seen",), Sequence(1e9, ("a",)), "must not be said to have 1000000000.0"),
    ("nmcs", ("best_seen",), Sequence(0.0, ("zz",)), "move 1 must be legal in Words, got 'zz'"),
    ("nmcs", ("best_seen",), Sequence(0.0, (np.zeros(2),)), "must be a tuple of moves"),
    ("uct", ("more",), 1, "more is not known"),
    ("tempering", ("plan", "stage"), 1, rf"numbers\[{OWN}\] must be 2, got 4"),
    ("tempering", ("plan", "stage"), 1 << 40, "stage must be from 0 to"),
    ("tempering", (*LADDER, "lines", 0), Sequence(90.0, tuple("abcd")), "must not be said to have 90.0"),
    ("tempering", (*LADDER, "lines", 0), Sequence(0.0, ("a", "a")), "move 2 must be legal in Words, got 'a'"),
    ("tempering", (*LADDER, "lines"), [Sequence(97.0 % 97, ("a",))], "lines must have 2 parts, got 1"),
    ("tempering", (*LADDER, "common"), Weights(["a", "a"], np.ones(2)), "a policy must have every code once"),
    ("tempering", (*LADDER, "common"), Weights(list(range(1 << 15)), np.ones(1 << 15)), "of at most 16384 codes"),
    *(
        ("tempering", (*LADDER, "numbers", cell), odd, rf"numbers\[{cell}\] must be")
        for cell, odd in (
            *((cell, -1.0) for cell in range(NUMBERS) if cell not in (BEST, CODE_KEYS, OWN + 2, OWN + 3)),
            *((cell, odd) for cell in range(NUMBERS) for odd in (math.nan, math.inf, 1 << 2000, None, "0")),
            *((OWN + 2, 1e3), (CODE_KEYS, 0.5), (LOSS, 0.0), (OWN + 1, 0.0), (WON, 1e6), (OWN + 10, 0.5)),
        )
    ),
    ("annealing", (*LIVE, "stage"), 17, "stage must be from 0 to 16, got 17"),
    ("annealing", (*LIVE, "stage"), 1, "lines must have 4 parts, got"),
    ("annealing", (*LIVE, "carried", 0, "numbers", CODE_KEYS), -1.0, "must be 0 or 1, got -1.0"),
]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checkpoint]:
    folder = tmp_path_factory.mktemp("checkpoints")
    for name, (search, playouts) in SEARCHES.items():
        nested = {"atomic_level": 1} if "atomic_level" in search.options else {}
        stop = rk.MaxPlayouts(playouts)
        rk.solve(PROBLEM, search, seed=1, stop=stop, checkpoint=folder / name, **nested)  # type: ignore[arg-type]
    return {name: Checkpoint.load(folder / name) for name in SEARCHES}


def changed(checkpoint: Checkpoint, place: tuple[Any, ...], value: Any) -> Checkpoint:
    state = copy.deepcopy(checkpoint.state)
    inner: Any = state
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return replace(checkpoint, state=state)


@pytest.mark.parametrize(("name", "place", "value", "words"), CHANGES)
def test_a_part_that_does_not_fit_is_refused_by_its_name(
    saved: dict[str, Checkpoint], tmp_path: Path, name: str, place: tuple[Any, ...], value: Any, words: str
) -> None:
    path = tmp_path / "run.ckpt"
    changed(saved[name], place, value).save(path)
    written = path.read_bytes()
    with pytest.raises(rk.InputError, match=f"^the checkpoint is damaged: .*{words}"):
        rk.resume(path, PROBLEM)
    assert path.read_bytes() == written


@pytest.mark.parametrize("name", SEARCHES)
def test_a_sequence_whose_score_was_changed_is_refused(saved: dict[str, Checkpoint], tmp_path: Path, name: str) -> None:
    best = saved[name].state["best_seen"]
    changed(saved[name], ("best_seen",), replace(best, score=best.score + 1)).save(tmp_path / "run.ckpt")
    with pytest.raises(rk.InputError, match="a sequence of the score .* must not be said to have"):
        rk.resume(tmp_path / "run.ckpt", PROBLEM)


def test_a_sequence_whose_codes_were_changed_is_refused(saved: dict[str, Checkpoint], tmp_path: Path) -> None:
    best = saved["nrpa"].state["best_seen"]
    changed(saved["nrpa"], ("best_seen",), replace(best, codes=best.codes[::-1])).save(tmp_path / "run.ckpt")
    with pytest.raises(rk.InputError, match="the codes of a sequence must be those of its moves"):
        rk.resume(tmp_path / "run.ckpt", PROBLEM)


@pytest.mark.parametrize(
    ("codes", "words"), [([-1], "from 0 to"), ([1 << 40], "from 0 to"), ([1, 1], "every code once")]
)
def test_a_policy_with_codes_that_a_compiled_problem_has_not_is_refused(
    tmp_path: Path, codes: list[int], words: str
) -> None:
    path = tmp_path / "run.ckpt"
    problem, search = rk.problems.LeftMove(depth=9), rk.NRPA(level=2, iterations=20)
    rk.solve(problem, search, seed=1, stop=rk.MaxPlayouts(100), checkpoint=path, atomic_level=1)
    policy = Weights(np.array(codes), np.ones(len(codes)))
    changed(Checkpoint.load(path), (*LIVE, "calls", 0, "policy"), policy).save(path)
    with pytest.raises(rk.InputError, match=f"polic.* must .*{words}"):
        rk.resume(path)


def test_a_policy_with_more_weights_than_biases_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    problem, search = rk.problems.LeftMove(depth=9), rk.NRPA(level=2, iterations=20)
    rk.solve(problem, search, seed=1, stop=rk.MaxPlayouts(100), checkpoint=path, atomic_level=1)
    changed(Checkpoint.load(path), (*LIVE, "calls", 0, "policy"), Weights(biases=(1.0, 2.0))).save(path)
    with pytest.raises(rk.InputError, match="a policy must have a weight for each of 1 biases, got 2"):
        rk.resume(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"atomic_level": -1}, "atomic_level must be from 1"),
        ({"restarts": 0}, "restarts must be at least 1"),
        ({"select": []}, "one of"),
    ],
)
def test_options_that_no_run_has_are_refused(
    saved: dict[str, Checkpoint], tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    path = tmp_path / "run.ckpt"
    replace(saved["nmcs"], options={**saved["nmcs"].options, **options}).save(path)
    with pytest.raises(rk.InputError, match=f"run.ckpt is damaged: options.*{words}"):
        rk.resume(path, PROBLEM)
