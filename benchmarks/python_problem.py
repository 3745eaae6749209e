"""PythonProblem against an NRPA that you write yourself: playouts per second of processor time, and where they go.

Each problem is written as a user would write it, with states of lists, sets and objects. ``naive`` is the plain
program of about thirty lines below, on the very same functions. ``functions`` is the time in the user's functions:
the playouts of the library's run are played again with nothing around them; the rest is the library's share.

python benchmarks/python_problem.py [--repeat 5] [--playouts 2500]
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from statistics import median

import rookery as rk

# --- the naive program ---


def naive_nrpa(problem, level, iterations, policy, alpha=1.0):
    """Rosin 2011, Figure 2, as you would type it in."""
    if level == 0:
        return playout(problem, policy)
    policy = dict(policy)
    best_score, best = -math.inf, []
    for _ in range(iterations):
        score, sequence = naive_nrpa(problem, level - 1, iterations, policy)
        if score >= best_score:
            best_score, best = score, sequence
        policy = adapt(problem, policy, best, alpha)
    return best_score, best


def playout(problem, policy):
    state, sequence = problem.start(), []
    while moves := problem.moves(state):
        weights = [math.exp(policy.get(problem.code(state, move), 0.0)) for move in moves]
        move = random.choices(moves, weights)[0]
        sequence.append(move)
        problem.play(state, move)
    return problem.score(state), sequence


def adapt(problem, policy, sequence, alpha):
    adapted, state = dict(policy), problem.start()
    for move in sequence:
        code = problem.code(state, move)
        adapted[code] = adapted.get(code, 0.0) + alpha
        codes = [problem.code(state, other) for other in problem.moves(state)]
        weights = [math.exp(policy.get(code, 0.0)) for code in codes]
        total = sum(weights)
        for code, weight in zip(codes, weights, strict=True):
            adapted[code] = adapted.get(code, 0.0) - alpha * weight / total
        problem.play(state, move)
    return adapted


# --- problems as users write them; none says how to copy a state ---


class IndependentSet(rk.PythonProblem):
    """Choose as many vertices of a graph as possible, no two of them neighbours: the shortest model."""

    def __init__(self, n=60, p=0.1, seed=1):
        rng = random.Random(seed)
        self.near = {v: {v} for v in range(n)}  # itself and its neighbours
        for a in range(n):
            for b in range(a):
                if rng.random() < p:
                    self.near[a].add(b)
                    self.near[b].add(a)

    def start(self):
        return set()

    def moves(self, state):
        return [v for v, near in self.near.items() if near.isdisjoint(state)]

    def play(self, state, move):
        state.add(move)

    def score(self, state):
        return len(state)


@dataclass
class Picked:
    free: set[int]
    chosen: list[int] = field(default_factory=list)


class FreeVertices(IndependentSet):
    """The same with a state that keeps the vertices that are free: hardly any work is left to the functions."""

    def start(self):
        return Picked(set(self.near))

    def moves(self, state):
        return sorted(state.free)

    def code(self, state, move):
        return move

    def play(self, state, move):
        state.chosen.append(move)
        state.free -= self.near[move]

    def score(self, state):
        return len(state.chosen)


class Routes(rk.PythonProblem):
    """Vehicle routing: visit all customers with vans of limited capacity; codes are pairs of places."""

    sense = "max"  # minus the length, so that the naive program serves as it is

    def __init__(self, n=20, room=30, seed=1):
        rng = random.Random(seed)
        self.at = [(rng.random(), rng.random()) for _ in range(n + 1)]
        self.wants = [0, *(rng.randint(2, 10) for _ in range(n))]
        self.room = room

    def start(self):
        return {"left": set(range(1, len(self.at))), "here": 0, "load": 0, "length": 0.0}

    def moves(self, state):
        if not state["left"]:
            return []
        fits = [c for c in sorted(state["left"]) if state["load"] + self.wants[c] <= self.room]
        return fits or [0]

    def code(self, state, move):
        return (state["here"], move)

    def play(self, state, move):
        state["length"] += math.dist(self.at[state["here"]], self.at[move])
        state["load"] = state["load"] + self.wants[move] if move else 0
        state["left"].discard(move)
        state["here"] = move

    def score(self, state):
        return -state["length"] - math.dist(self.at[state["here"]], self.at[0])


class WeakSchur(rk.PythonProblem):
    """Put 1, 2, 3, ... into boxes as long as no box has a number that is the sum of two others in it."""

    def __init__(self, boxes=4):
        self.boxes = boxes

    def start(self):
        return [[] for _ in range(self.boxes)]

    def moves(self, state):
        n = 1 + sum(map(len, state))
        return [(n, i) for i, box in enumerate(state) if not any(n - a in box and 2 * a != n for a in box)]

    def code(self, state, move):
        return move

    def play(self, state, move):
        state[move[1]].append(move[0])

    def score(self, state):
        return sum(map(len, state))


class JobShop(rk.PythonProblem):
    """Schedule the operations of jobs on machines; the next operation of some job is dispatched."""

    def __init__(self, jobs=8, machines=5, seed=1):
        rng = random.Random(seed)
        self.operations = [
            [(m, rng.randint(1, 20)) for m in rng.sample(range(machines), machines)] for _ in range(jobs)
        ]
        self.machines = machines

    def start(self):
        jobs = len(self.operations)
        return {"next": [0] * jobs, "ready": [0] * jobs, "machine": [0] * self.machines}

    def moves(self, state):
        return [job for job, done in enumerate(state["next"]) if done < self.machines]

    def code(self, state, move):
        return (move, state["next"][move])

    def play(self, state, move):
        machine, takes = self.operations[move][state["next"][move]]
        end = max(state["ready"][move], state["machine"][machine]) + takes
        state["ready"][move] = state["machine"][machine] = end
        state["next"][move] += 1

    def score(self, state):
        return -max(state["ready"])


PROBLEMS = {
    "independent set": IndependentSet,
    "... free vertices": FreeVertices,
    "vehicle routes": Routes,
    "weak Schur": WeakSchur,
    "job shop": JobShop,
}

# --- measuring ---


def processor_time(function, *arguments):
    began = time.process_time()
    function(*arguments)
    return time.process_time() - began


def played_again(problem, search):
    """The sequences of all playouts of a run."""
    now, kept = deque(), []

    class Recorded(type(problem)):
        def play(self, state, move):
            now.append(move)
            return super().play(state, move)

        def score(self, state):
            kept.append(list(now))
            now.clear()
            return super().score(state)

    recorded = Recorded.__new__(Recorded)
    vars(recorded).update(vars(problem))
    solved(recorded, search)
    return kept[-(search.iterations**search.level) :]  # without those that were measured to choose the size of a task


def solved(problem, search):
    return rk.solve(problem, search, seed=1, atomic_level=search.level)


def only_functions(problem, sequences, policy=True):
    moves, code, play, score = problem.moves, problem.code, problem.play, problem.score
    for sequence in sequences:
        state = problem.start()
        for move in sequence:
            legal = moves(state)
            if policy:
                list(map(code, repeat(state), legal))
            play(state, move)
        moves(state)
        score(state)


OTHERS = {
    "sampling": lambda n: (rk.Sampling(), rk.MaxPlayouts(n)),
    "nmcs": lambda n: (rk.NMCS(level=2), rk.MaxPlayouts(n)),
    "reflexive": lambda n: (rk.Reflexive(level=2, games=4), rk.MaxPlayouts(n)),
    "uct": lambda n: (rk.UCT(playouts=n), rk.MaxPlayouts(n)),
    "sp-mcts": lambda n: (rk.SPMCTS(playouts=n), rk.MaxPlayouts(n)),
}


def compare(name, problem, search, repeats):
    """One line of the table; the two programs take turns, so that other work on the machine affects both."""
    sequences = played_again(problem, search)
    n = len(sequences)
    times = []
    for seed in range(repeats):
        random.seed(seed)
        naive = processor_time(naive_nrpa, problem, search.level, search.iterations, {})
        ours = processor_time(solved, problem, search)
        functions = processor_time(only_functions, problem, sequences)
        times.append((naive, ours, functions))
    naive, ours, functions = (median(column) for column in zip(*times, strict=True))
    ratio = median(a / b for a, b, _ in times)
    share = 1 - median(c / b for _, b, c in times)
    print(f"{name:<18}{n / naive:>12,.0f}{n / ours:>12,.0f}{ratio:>8.2f}{share:>12.0%}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--playouts", type=int, default=2500)
    arguments = parser.parse_args()
    search = rk.NRPA(level=2, iterations=max(2, math.isqrt(arguments.playouts)))
    solved(WeakSchur(2), rk.NRPA(level=1, iterations=2))  # compile, or read from disk
    print(f"{'NRPA':<18}{'naive':>12}{'rookery':>12}{'ratio':>8}{'library':>12}   playouts/s, share of its time")
    for name, kind in PROBLEMS.items():
        compare(name, kind(), search, arguments.repeat)
    problem = IndependentSet()
    print(f"\n{'independent set':<18}{'playouts/s':>12}")
    for name, make in OTHERS.items():
        searched, stop = make(arguments.playouts)
        seconds, playouts = [], 0
        for _ in range(arguments.repeat):
            began = time.process_time()
            playouts = rk.solve(problem, searched, stop=stop, seed=1).playouts
            seconds.append(time.process_time() - began)
        print(f"{name:<18}{playouts / median(seconds):>12,.0f}", flush=True)


if __name__ == "__main__":
    main()
