"""Watching a run: callbacks see every improvement and every replaced sequence. They look; they do not steer.

python examples/callbacks.py
"""

from collections import Counter

import rookery as rk


class Log(rk.Callback):
    """Prints a line whenever the best score has improved."""

    def on_start(self, problem, search, seed):
        print(f"{type(problem).__name__}, {search}, seed {seed}")

    def on_best(self, progress, moves):
        done = f"{progress.iteration}/{progress.iterations}"
        print(f"  iteration {done:>6}  {progress.playouts:>7,} playouts  {progress.score:.3f}")

    def on_end(self, result):
        print(f"{result.status}: {result.score:.3f} after {result.playouts:,} playouts")


class Replacements(rk.Callback):
    """Counts how often each level has replaced its best sequence, by a better or by an equal one."""

    def __init__(self):
        self.better, self.equal = Counter(), Counter()

    def on_replace(self, level, iteration, sequence, tie):
        (self.equal if tie else self.better)[level] += 1


def main() -> None:
    replacements = Replacements()
    # Callbacks see what happens above the atomic level, and the tasks of that level as they are committed.
    search = rk.NRPA(level=3, iterations=20)
    rk.solve(rk.problems.TSP.build(n=50, seed=1), search, seed=1, atomic_level=1, callbacks=[Log(), replacements])
    for level in sorted(replacements.better, reverse=True):
        better, equal = replacements.better[level], replacements.equal[level]
        print(f"level {level} replaced its best {better:,} times by a better and {equal:,} times by an equal sequence")


if __name__ == "__main__":
    main()
