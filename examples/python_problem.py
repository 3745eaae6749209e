"""A problem whose state is a Python object and whose score calls a program of its own: design an RNA strand.

Given a target shape, written with brackets for paired letters and dots for free ones, find a strand of letters
ACGU that folds into it. A move fixes the letter of a free place, or both letters of a pair. Folding is a small
dynamic program here (Nussinov's, with a weight for each kind of pair); a real energy model from another library could
take its place without changing anything else. Nothing is compiled.

python examples/python_problem.py
"""

from functools import cache

import rookery as rk

WEIGHT = {"GC": 3, "CG": 3, "AU": 2, "UA": 2, "GU": 1, "UG": 1}
LEAST_LOOP = 3  # letters between two that pair


class RNADesign(rk.PythonProblem):
    def __init__(self, target: str = "(((..((...))..((...))..)))") -> None:
        self.target = target
        self.partner = partners(target)
        self.order = [i for i, sign in enumerate(target) if sign != ")"]

    def start(self):
        return ["-"] * len(self.target)

    def moves(self, state):
        """Letters for the first place that has none."""
        place = next((i for i in self.order if state[i] == "-"), None)
        if place is None:
            return []
        return [(place, letters) for letters in ("ACGU" if place not in self.partner else WEIGHT)]

    def play(self, state, move):
        place, letters = move
        state[place] = letters[0]
        if place in self.partner:
            state[self.partner[place]] = letters[1]

    def score(self, state):
        """How many places the fold and the target agree in."""
        return sum(a == b for a, b in zip(fold("".join(state)), self.target, strict=True))

    def copy(self, state):  # much faster than the deep copy that is the default
        return list(state)

    def describe_move(self, move):
        place, letters = move
        return f"{letters}{place + 1}"


def partners(shape: str) -> dict[int, int]:
    """Opening place -> closing place."""
    waiting, found = [], {}
    for i, sign in enumerate(shape):
        if sign == "(":
            waiting.append(i)
        elif sign == ")":
            found[waiting.pop()] = i
    return found


def fold(strand: str) -> str:
    """The shape of greatest weight; of equal ones, always the same."""

    @cache
    def best(i: int, j: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Weight and pairs of the letters i to j."""
        if j - i <= LEAST_LOOP:
            return 0, ()
        found = best(i + 1, j)
        for k in range(i + LEAST_LOOP + 1, j + 1):
            weight = WEIGHT.get(strand[i] + strand[k])
            if weight:
                inner, outer = best(i + 1, k - 1), best(k + 1, j)
                total = weight + inner[0] + outer[0]
                if total > found[0]:
                    found = total, ((i, k), *inner[1], *outer[1])
        return found

    shape = ["."] * len(strand)
    for i, k in best(0, len(strand) - 1)[1]:
        shape[i], shape[k] = "(", ")"
    return "".join(shape)


def main() -> None:
    problem = RNADesign()
    perfect = rk.Target(len(problem.target))
    result = rk.solve(problem, rk.NRPA(level=2, iterations=30), stop=perfect | rk.MaxPlayouts(3000), seed=2)
    random = rk.solve(problem, rk.Sampling(), stop=perfect | rk.MaxPlayouts(result.playouts), seed=2)
    strand = problem.start()
    for move in result.moves:
        problem.play(strand, move)
    print(f"target  {problem.target}")
    print(f"strand  {''.join(strand)}")
    print(f"fold    {fold(''.join(strand))}")
    print(f"{result.score:g} of {len(problem.target)} places agree after {result.playouts:,} playouts of NRPA")
    print(f"the best of as many random playouts: {random.score:g}")
    print("moves  ", " ".join(problem.describe_move(move) for move in result.moves))


if __name__ == "__main__":
    main()
