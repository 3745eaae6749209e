"""A problem of your own: the travelling salesman in about thirty lines, solved and printed.

python examples/tsp.py
"""

import numpy as np

import rookery as rk


class TSP(rk.Problem):
    distance: np.ndarray

    sense = "min"

    @classmethod
    def build(cls, n: int = 50, seed: int = 0):
        points = np.random.default_rng(seed).random((n, 2))
        return cls(np.linalg.norm(points[:, None] - points[None], axis=2))

    def limits(self):
        n = len(self.distance)
        return rk.Limits(codes=n * n, moves=n, length=n)

    def layout(self):
        return {"here": "i8", "left": "i8", "length": "f8", "todo": ("i2", rk.capacity(len(self.distance)))}

    def start(self, s):
        s.left = len(self.distance) - 1
        for i in range(s.left):
            s.todo[i] = i + 1

    def moves(self, s, out):
        for i in range(s.left):
            out[i] = s.todo[i]
        return s.left

    def code(self, s, move):
        return s.here * len(self.distance) + move

    def play(self, s, move):
        s.length += self.distance[s.here, move]
        s.here = move
        i = 0
        while s.todo[i] != move:
            i += 1
        s.left -= 1
        s.todo[i] = s.todo[s.left]

    def score(self, s):
        return s.length + self.distance[s.here, 0]


def main() -> None:
    problem = TSP.build(n=50, seed=0)
    result = rk.solve(problem, rk.NRPA(level=3), stop=rk.MaxTime(2), seed=1)
    print(f"tour of length {result.score:.3f}, found after {result.history[-1].playouts:,} playouts")
    print(" -> ".join(str(city) for city in (0, *result.moves, 0)))
    score, legal = rk.replay(problem, result.moves)
    print(f"played again: {score:.3f}, and {len(legal)} cities left to visit")


if __name__ == "__main__":
    main()
