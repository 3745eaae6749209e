"""Nested Monte Carlo search against its own theory: the left move problem of Cazenave 2009, section 4.2.

Without memorising the best sequence, and with a random choice among equal moves, the distribution of scores is known
exactly. This compares it with many runs, and shows what memorising the best sequence adds.

python examples/leftmove_distribution.py
"""

import rookery as rk
from rookery.problems.leftmove import exact_distribution

DEPTH = 9
RUNS = 20_000


def measured(level: int, memorise: bool) -> list[float]:
    """The share of runs that reached each score."""
    done = rk.distribution(rk.problems.LeftMove(depth=DEPTH), rk.NMCS.cazenave(level, memorise=memorise), RUNS)
    return [done.counts.get(score, 0) / RUNS for score in range(DEPTH + 1)]


def main() -> None:
    print(f"left move problem of depth {DEPTH}: share of {RUNS:,} runs of NMCS that came to each score")
    print("level  memorise " + "".join(f"{score:>7}" for score in range(DEPTH + 1)))
    for level in (1, 2, 3):
        rows = {
            "exact": exact_distribution(DEPTH, level),
            "no": measured(level, memorise=False),
            "yes": measured(level, memorise=True),
        }
        for name, shares in rows.items():
            print(f"{level:>5}  {name:<9}" + "".join(f"{share:7.3f}" for share in shares))


if __name__ == "__main__":
    main()
