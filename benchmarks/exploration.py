"""How often a search finds a winning move, by its exploration and its playouts: for the choice of c and unvisited.

    python benchmarks/exploration.py [--positions 40] [--size 6] [--plies 6] [--playouts 1000 100000]
    python benchmarks/exploration.py --opening [--positions 40] [--playouts 1000000] [--values first]

The positions are of Domineering, after some random moves. The solver says of every legal move whether it wins; a
position counts if some moves win and at least two of three do not. The table has the share of positions in which the
move that a search plays is one of those that win. Every search has the same positions, and a seed for each.
``--opening`` has the first move of Connect Four instead, which wins in the middle column alone (Allis 1988).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, repeat

import rookery as rk
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.rng import Stream, part_key

Position = tuple[tuple[int, ...], frozenset[int]]
"""The moves that lead to it, and those that win."""

OPENING: Position = ((), frozenset({3}))
"""The empty board of Connect Four."""
WIDTHS = (0.1, 0.2, 0.4, 0.7, 1.0, 1.4)
VALUES = ("first", "0.5", "1.0")


def wins(worker: GameWorker, moves: tuple[int, ...]) -> bool:
    """Whether whoever has just moved wins."""
    if not worker.replay(moves)[0]:
        return True
    decision = worker.decide(rk.GameUCT(playouts=10_000_000, c=0.5, solver=True), moves, 1)
    assert decision is not None
    assert decision.proven is not None, f"{moves} was not solved"
    return decision.proven == "loss"


def positions(worker: GameWorker, plies: int) -> Iterator[Position]:
    """Positions after random moves in which some moves win, but few."""
    stream = Stream(part_key(1, 0))
    while True:
        moves: tuple[int, ...] = ()
        for _ in range(plies):
            legal = worker.replay(moves)[0]
            if not legal:
                break
            moves = (*moves, legal[stream.below(len(legal))])
        legal = worker.replay(moves)[0]
        winning = frozenset(move for move in legal if wins(worker, (*moves, move)))
        if winning and 3 * len(winning) <= len(legal):
            yield moves, winning


def share(worker: GameWorker, search: rk.GameUCT, known: Sequence[Position]) -> float:
    """The share of positions in which a search plays a winning move."""
    found = 0
    for number, (moves, winning) in enumerate(known):
        decision = worker.decide(search, moves, part_key(2, number))
        assert decision is not None
        found += decision.move in winning
    return found / len(known)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=40, help="how many (default: 40)")
    parser.add_argument("--size", type=int, default=6, help="of the board (default: 6)")
    parser.add_argument("--plies", type=int, default=6, help="random moves before a position (default: 6)")
    parser.add_argument("--opening", action="store_true", help="the first move of Connect Four")
    parser.add_argument("--playouts", type=int, nargs="+", default=[1000, 100_000], help="of a search")
    parser.add_argument("--values", nargs="+", choices=VALUES, default=VALUES, help="of unvisited (default: all)")
    options = parser.parse_args(arguments)
    if min(options.positions, *options.playouts) < 1:
        parser.error("--positions and --playouts must be at least 1")
    try:
        domineering = rk.games.Domineering(width=options.size, height=options.size)
        worker = GameEngine(rk.games.ConnectFour() if options.opening else domineering).worker()
        worker.warm(rk.GameUCT())
        source = repeat(OPENING) if options.opening else positions(worker, options.plies)
        known = list(islice(source, options.positions))
        heads = "".join(f"{f'{n:,} playouts':>20}" for n in options.playouts)
        print(f"{'c':>5} {'unvisited':>10}{heads}")
        for value in options.values:
            unvisited = "first" if value == "first" else float(value)
            for c in WIDTHS:
                rates = [share(worker, rk.GameUCT(n, c=c, unvisited=unvisited), known) for n in options.playouts]
                print(f"{c:>5} {unvisited:>10}" + "".join(f"{rate:>20.0%}" for rate in rates), flush=True)
    except rk.RookeryError as error:
        print(f"exploration: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
