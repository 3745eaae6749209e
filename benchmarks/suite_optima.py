"""Proven optima of the generated instances that the power suite is run on, by CP-SAT (pip install ortools).

    python benchmarks/suite_optima.py [tsp tsptw jobshop independentset] [--seconds 600]

A line ends with "optimal" if the value is proven, else with the bound that is.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

import rookery as rk

SCALE = 1_000_000
"""Lengths are whole numbers for the solver: in millionths."""


def main() -> None:
    """Solve what is named, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", help=", ".join(MODELS))
    parser.add_argument("--seconds", type=float, default=600.0)
    given = parser.parse_args()
    cases = {case.problem: case for case in rk.tools.power_suite().cases}
    for name in given.which or MODELS:
        problem = cases[name].load()
        model, value = MODELS[name](problem)
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = given.seconds
        solver.parameters.num_workers = 2
        status = solver.solve(model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            print(f"{name}: nothing found")
            continue
        bound = solver.best_objective_bound
        proven = "optimal" if status == cp_model.OPTIMAL else f"bound {bound:g}"
        print(f"{name} {cases[name].parameters}: {value(solver):.6f}, {proven}", flush=True)


def tours(problem: Any, model: Any) -> tuple[dict[tuple[int, int], Any], Any]:
    """The arcs of a tour, and its length."""
    n = len(problem.distance)
    arcs = {(i, j): model.new_bool_var("") for i in range(n) for j in range(n) if i != j}
    model.add_circuit([(i, j, arc) for (i, j), arc in arcs.items()])
    length = sum(round(SCALE * float(problem.distance[key])) * arc for key, arc in arcs.items())
    model.minimize(length)

    def value(solver: Any) -> float:
        return sum(float(problem.distance[key]) for key, arc in arcs.items() if solver.value(arc))

    return arcs, value


def tsp(problem: Any) -> tuple[Any, Any]:
    """A tour."""
    model = cp_model.CpModel()
    return model, tours(problem, model)[1]


def tsptw(problem: Any) -> tuple[Any, Any]:
    """A tour that is nowhere late; waiting costs nothing."""
    model = cp_model.CpModel()
    arcs, value = tours(problem, model)
    low = [round(SCALE * float(x)) for x in problem.ready]
    high = [round(SCALE * float(x)) for x in problem.due]
    times = [model.new_int_var(a, b, "") for a, b in zip(low, high, strict=True)]
    home = model.new_int_var(0, high[0], "")
    for (i, j), arc in arcs.items():
        step = round(SCALE * float(problem.distance[i, j]))
        start = 0 if i == 0 else times[i]
        model.add((home if j == 0 else times[j]) >= start + step).only_enforce_if(arc)
    return model, value


def jobshop(problem: Any) -> tuple[Any, Any]:
    """A schedule of the least makespan."""
    model = cp_model.CpModel()
    horizon = int(np.sum(problem.duration))
    on: dict[int, list[Any]] = {}
    end = model.new_int_var(0, horizon, "")
    for job in range(len(problem.machine)):
        before: Any = 0
        for machine, duration in zip(problem.machine[job].tolist(), problem.duration[job].tolist(), strict=True):
            start = model.new_int_var(0, horizon, "")
            on.setdefault(machine, []).append(model.new_fixed_size_interval_var(start, duration, ""))
            model.add(start >= before)
            before = start + duration
        model.add(end >= before)
    for intervals in on.values():
        model.add_no_overlap(intervals)
    model.minimize(end)
    return model, lambda solver: float(solver.value(end))


def independent_set(problem: Any) -> tuple[Any, Any]:
    """The most vertices no two of which are joined."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(len(problem.joined))]
    for a, b in zip(*np.nonzero(np.triu(problem.joined)), strict=True):
        model.add_at_most_one([chosen[a], chosen[b]])
    model.maximize(sum(chosen))
    return model, lambda solver: float(solver.objective_value)


MODELS = {"tsp": tsp, "tsptw": tsptw, "jobshop": jobshop, "independentset": independent_set}


if __name__ == "__main__":
    main()
