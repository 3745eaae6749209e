"""Is a deeper search better at equal cost? Three levels of NRPA on the travelling salesman problem.

Every run may play the same number of playouts; a search that ends earlier is started again, and its best is kept.
Needs the extra packages: pip install "rookery[experiment]".

python examples/experiment.py
"""

import rookery as rk


def main() -> None:
    problem = rk.problems.TSP.build(n=50, seed=1)
    searches = {
        "level 1": rk.NRPA(level=1),
        "level 2": rk.NRPA(level=2),
        "level 3": rk.NRPA(level=3, iterations=22),
    }
    done = rk.experiment(problem, searches, seeds=7, stop=rk.MaxPlayouts(10_000))
    print(done)
    print()
    for comparison in done.comparisons().values():
        print(comparison)
    done.plot("experiment.png")
    done.save("experiment.json")
    print("\nwritten: experiment.png (timelines) and experiment.json (every run)")


if __name__ == "__main__":
    main()
