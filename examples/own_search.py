"""A search of your own: NRPA with limited repetitions.

A level of NRPA is left once its best sequence has been found again a given number of times: it would only find it
once more (Cazenave 2024). Sequences are compared, not scores; the top level is never left. Everything else is NRPA's:
the playout, adapt, the speculation tree, checkpoints, and the options of the command line:

    rookery solve tsp --algorithm examples/own_search.py:LimitedNRPA --set repetitions=3 --time 10s
"""

from dataclasses import dataclass

import numpy as np

import rookery as rk
from rookery.search import OK, make_nrpa_parts, mix


@dataclass(frozen=True)
class LimitedNRPA(rk.NRPA):
    """NRPA that leaves a level once its best sequence has been found again ``repetitions`` times.

    Parameters
    ----------
    repetitions
        how often the best sequence of a level may be found again
    """

    repetitions: int = 3

    name = "limited-nrpa"
    twin = None  # compiled problems only

    def __post_init__(self):
        super().__post_init__()
        if not self.repetitions >= 1:
            raise rk.InputError(f"repetitions must be at least 1, got {self.repetitions!r}")

    def atomic_level(self, cost, stop, given, workers):
        """The speculation tree has all iterations of its levels: only the top level is left to it."""
        return max(1, self.level - 1)

    def kernel(self):
        return "limited_nrpa", make_limited_nrpa


def make_limited_nrpa(spec):
    """The kernel: Rosin 2011, Figure 2, with a count of repetitions."""
    parts = make_nrpa_parts(spec)
    begin, playout, keep_better, adapt, end = parts.begin, parts.playout, parts.keep_better, parts.adapt, parts.end

    @spec.kernel
    def same(trace, a, b):
        length, ply = trace.lengths[a], 0
        if trace.lengths[b] != length:
            return False
        while ply < length and trace.moves[a, ply] == trace.moves[b, ply]:
            ply += 1
        return ply == length

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        begun = begin(level, key, policy, run)
        best, status, found_again = -np.inf, OK, 0
        for i in range(run.iterations[level]):
            if level == 1:
                status = playout(self, states, policy, trace, run)
            else:
                status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            if i > 0 and same(trace, trace.row[level - 1], trace.row[level]):
                found_again += 1
            status, best = keep_better(level, status, best, self, states, policy, trace, run)
            if status != OK or found_again >= run.own.repetitions:
                break
            if i + 1 < run.iterations[level]:
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
        end(level, best, begun, policy, trace)
        return status

    return parts.task(nrpa)


if __name__ == "__main__":
    problem = rk.problems.TSP.build(n=50)
    for search in (rk.NRPA(level=3, iterations=30), LimitedNRPA(level=3, iterations=30, repetitions=3)):
        result = rk.solve(problem, search, stop=rk.MaxPlayouts(100_000), seed=1, workers=2)
        print(f"{type(search).__name__:12} {result.score:.4f}")
