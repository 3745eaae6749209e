"""Runs rows of compare.py with the library that is on the path: a job per line on standard input, JSON both ways.

Only names that are public are used, and problems and games are made by name, so that one file serves checkouts whose
modules are elsewhere.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import rookery as rk


@cache
def hashed_morpion() -> type:
    """Morpion with 64-bit codes."""
    morpion: Any = type(rk.load_problem("morpion"))

    class HashedMorpion(morpion):
        def limits(self):
            return rk.Limits(moves=128, length=512, codes="hashed")

        def code(self, s, move):
            return (np.uint64(move) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)

    return HashedMorpion


def problem_of(job: dict[str, Any]) -> Any:
    if job["problem"] == "hashed-morpion":
        return hashed_morpion()(**job["parameters"])
    return rk.load_problem(job["problem"], job["parameters"])


def search_of(job: dict[str, Any]) -> Any:
    return getattr(rk, job["search"])(**job["settings"])


def solve(job: dict[str, Any]) -> Callable[[int], tuple[int, object]]:
    problem, search = problem_of(job), search_of(job)
    options = {"atomic_level": job["atomic_level"], "workers": 1}
    if job["limit"]:
        options["stop"] = rk.MaxPlayouts(job["limit"])

    def call(seed: int) -> tuple[int, object]:
        result = rk.solve(problem, search, seed=seed, **options)
        return result.playouts, [result.score, repr(result.moves)]

    return call


def decide(job: dict[str, Any]) -> Callable[[int], tuple[int, object]]:
    game, search = rk.load_game(job["game"], job["parameters"]), search_of(job)

    def call(seed: int) -> tuple[int, object]:
        decision = rk.decide(game, search, seed=seed)
        return decision.playouts, [repr(decision.move), repr(decision.visits)]

    return call


def match(job: dict[str, Any]) -> Callable[[int], tuple[int, object]]:
    game, search = rk.load_game(job["game"], job["parameters"]), search_of(job)

    def call(seed: int) -> tuple[int, object]:
        result = rk.match(game, search, search, games=job["games"], seed=seed, workers=1)
        return result.playouts, [result.wins_a, result.wins_b, result.draws]

    return call


CALLS = {"solve": solve, "decide": decide, "match": match}


def run(job: dict[str, Any]) -> dict[str, object]:
    """Seconds of the processor for all calls of a job, with the seeds 1, 2, ..., their playouts and their answers."""
    call = CALLS[job["call"]](job)
    began = time.process_time()
    done = [call(seed) for seed in range(1, job["calls"] + 1)]
    seconds = time.process_time() - began
    return {"seconds": seconds, "playouts": sum(n for n, _ in done), "answer": [answer for _, answer in done]}


def main() -> None:
    for line in sys.stdin:
        try:
            report = run(json.loads(line))
        except Exception as error:
            report = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
