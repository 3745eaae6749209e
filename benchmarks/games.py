"""Two-player games: speed beside C++ twins and beside OpenSpiel, and how matches scale with workers.

    python benchmarks/games.py [--repetitions 7] [--only Breakthrough]
    python benchmarks/games.py --players
    python benchmarks/games.py --openspiel
    python benchmarks/games.py --scaling

Each row runs the twin and the library in turn, on one core and on the same seeds. Algorithm and random stream are the
same, so the playouts of every move at the root must be equal (for playouts at random: its wins), which is checked. A
search begins at the start of the game and is a whole decision, as a match asks for it. Rates are of seconds of the
processor, so that other work on the machine does not count; the ratio is the median of those of the pairs.
``--players`` has the other searches beside UCT, each in turn with it, at the same number of playouts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import twins

import rookery as rk
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.game import Game
from rookery.games.breakthrough import Breakthrough
from rookery.games.go import Go
from rookery.games.nogo import NoGo
from rookery.rng import mix_int, root_key
from rookery.search.game_search import GameSearch

SIZE, PLAYOUTS = 8, 1000
OPENSPIEL_TARGET = 25.0
PLAYERS_TARGET = 0.7
SCALING_TARGET, MATCH_GAMES = 1.75, 20


@dataclass(frozen=True)
class Case:
    """One row: a game, a search, the twin with its mode, runs in a repetition, and the least ratio asked for."""

    name: str
    game: Game
    search: GameSearch
    twin: str
    mode: str
    runs: int
    target: float | None


def cases() -> Iterator[Case]:
    games = (
        ("Breakthrough", Breakthrough(width=SIZE, height=SIZE), "breakthrough", 0.85),
        ("NoGo", NoGo(size=SIZE), "nogo", 0.8),
        ("Go", Go(size=SIZE), "go", 0.8),
    )
    for title, game, twin, target in games:
        title = f"{title} {SIZE}x{SIZE}"
        flat = rk.FlatMC(playouts=10 * PLAYOUTS)
        asked = target if twin == "breakthrough" else None
        yield Case(f"{title}, playouts at random", game, flat, twin, "flat", 20, asked)
        yield Case(f"{title}, UCT({PLAYOUTS})", game, rk.GameUCT(playouts=PLAYOUTS), twin, "uct", 200, target)
        yield Case(f"{title}, PPA({PLAYOUTS})", game, rk.PPA(playouts=PLAYOUTS), twin, "ppa", 100, target)


# --- one run of each ---


def key_of(seed: int) -> int:
    """The key that the twins give a seed."""
    return mix_int(root_key(seed), 0)


def ours(worker: GameWorker, search: GameSearch, runs: int) -> tuple[float, list[rk.Decision]]:
    """Playouts per second over the seeds 1, 2, ..., and what was decided."""
    began = time.process_time()
    decisions = [worker.decide(search, (), key_of(seed)) for seed in range(1, runs + 1)]
    seconds = time.process_time() - began
    found = [decision for decision in decisions if decision is not None]
    return sum(decision.playouts for decision in found) / seconds, found


def theirs(program: Path, case: Case) -> tuple[float, list[list[float]]]:
    """The same for a twin; it prints a seed, seconds and a figure for each move."""
    playouts = case.search.playouts or 0
    command = [str(program), case.mode, str(playouts), "1", str(case.runs)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [[float(word) for word in line.split()] for line in text.splitlines()]
    return playouts * len(rows) / sum(row[1] for row in rows), [row[2:] for row in rows]


def figures(decision: rk.Decision, mode: str) -> list[float]:
    """What the twin prints for the moves: their playouts, or how many of them were won."""
    if mode != "flat":
        return [float(n) for n in decision.visits.values()]
    return [round(2 * n * (decision.values[move] or 0.0)) / 2 for move, n in decision.visits.items()]


# --- rows ---


def compare(case: Case, repetitions: int) -> str:
    program = twins.build(case.twin)
    worker = GameEngine(case.game).worker()
    worker.warm(case.search)
    ours(worker, case.search, 1)
    pairs = []
    for _ in range(repetitions):
        rate, decisions = ours(worker, case.search, case.runs)
        if program is None:
            pairs.append((rate, 0.0, 0.0))
            continue
        other, rows = theirs(program, case)
        for seed, (decision, row) in enumerate(zip(decisions, rows, strict=True), 1):
            assert figures(decision, case.mode) == row, f"{case.name}, seed {seed}: {decision.visits} against {row}"
        pairs.append((rate, other, rate / other))
    best = [max(column) for column in zip(*pairs, strict=True)]
    line = f"{case.name:34} rookery {best[0]:>11,.0f}/s"
    if program is None:
        return line
    asked = "" if case.target is None else f", at least {case.target} asked for"
    ratio = median(pair[2] for pair in pairs)
    return f"{line}   C++ {best[1]:>11,.0f}/s   ratio {ratio:.3f} (median of {len(pairs)} pairs{asked})"


def players(repetitions: int) -> Iterator[str]:
    """Playouts per second of all searches in a tree beside those of UCT, on Breakthrough."""
    worker, uct = GameEngine(Breakthrough(width=SIZE, height=SIZE)).worker(), rk.GameUCT(playouts=PLAYOUTS)
    searches = [kind(playouts=PLAYOUTS) for kind in (rk.PPA, rk.PPAF, rk.RAVE, rk.GRAVE, rk.MAST)]
    for search in (uct, *searches):
        worker.warm(search)
        ours(worker, search, 1)
    for search in searches:
        pairs = []
        for _ in range(repetitions):
            (rate, _), (other, _) = ours(worker, search, 50), ours(worker, uct, 100)
            pairs.append((rate, other, rate / other))
        best = [max(column) for column in zip(*pairs, strict=True)]
        ratio = median(pair[2] for pair in pairs)
        asked = f", at least {PLAYERS_TARGET} asked for" if search.name in ("ppaf", "grave") else ""
        name = f"Breakthrough {SIZE}x{SIZE}, {search.name}({PLAYOUTS})"
        yield (
            f"{name:34} {best[0]:>11,.0f}/s   UCT {best[1]:>11,.0f}/s   ratio {ratio:.3f} "
            f"(median of {len(pairs)} pairs{asked})"
        )


def openspiel(repetitions: int) -> str:
    """UCT on Breakthrough beside the MCTSBot of OpenSpiel: one rollout at random for each simulation, no solver."""
    try:
        import pyspiel
    except ImportError:
        raise rk.InputError("the comparison with OpenSpiel needs the package open_spiel, which is not there") from None
    game = pyspiel.load_game(f"breakthrough(rows={SIZE},columns={SIZE})")
    search, steps = rk.GameUCT(playouts=PLAYOUTS), 5
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    # Its results are -1 and 1 where ours are 0 and 1, so the same exploration takes twice the constant.
    bot = pyspiel.MCTSBot(game, evaluator, 2 * search.c, PLAYOUTS, 1000, False, 1, False)
    state = game.new_initial_state()
    worker = GameEngine(Breakthrough(width=SIZE, height=SIZE)).worker()
    worker.warm(search)
    ours(worker, search, 1)
    pairs = []
    for _ in range(repetitions):
        rate, _ = ours(worker, search, 200)
        began = time.process_time()
        for _ in range(steps):
            bot.step(state)
        other = steps * PLAYOUTS / (time.process_time() - began)
        pairs.append((rate, other, rate / other))
    best = [max(column) for column in zip(*pairs, strict=True)]
    name = f"Breakthrough {SIZE}x{SIZE}, UCT({PLAYOUTS})"
    ratio = median(pair[2] for pair in pairs)
    return (
        f"{name:34} rookery {best[0]:>11,.0f}/s   OpenSpiel's MCTSBot {best[1]:>9,.0f}/s   ratio {ratio:.1f} "
        f"(median of {len(pairs)} pairs, at least {OPENSPIEL_TARGET:.0f} asked for)"
    )


def scaling(repetitions: int) -> str:
    """Games per second of a match with two workers beside one, in wall-clock time: this needs two free cores."""
    if (cores := os.cpu_count() or 1) < 2:
        raise rk.InputError(f"--scaling needs two cores, got {cores}")
    game, a, b = Breakthrough(width=SIZE, height=SIZE), rk.PPA(playouts=PLAYOUTS), rk.GameUCT(playouts=PLAYOUTS)

    def rate(workers: int, games: int) -> tuple[float, int]:
        result = rk.match(game, a, b, games=games, seed=1, workers=workers)
        return result.games / result.seconds, result.wins_a

    rate(1, 2)
    pairs = []
    for _ in range(repetitions):
        (one, wins), (two, same) = rate(1, MATCH_GAMES), rate(2, MATCH_GAMES)
        assert wins == same, f"A won {wins} games with one worker and {same} with two"
        pairs.append((one, two, two / one))
    best = [max(column) for column in zip(*pairs, strict=True)]
    return (
        f"{f'Breakthrough {SIZE}x{SIZE}, match':34} 1 worker {best[0]:.2f} games/s   2 workers {best[1]:.2f} games/s   "
        f"ratio {median(pair[2] for pair in pairs):.2f} "
        f"(median of {len(pairs)} pairs, at least {SCALING_TARGET} asked for)"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=7, help="pairs of runs (default: 7)")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--players", action="store_true", help="only the other searches beside UCT")
    parser.add_argument("--openspiel", action="store_true", help="only the comparison with OpenSpiel")
    parser.add_argument("--scaling", action="store_true", help="games per second of a match with one and two workers")
    options = parser.parse_args(arguments)
    try:
        if options.repetitions < 1:
            raise rk.InputError(f"--repetitions must be at least 1, got {options.repetitions}")
        if options.scaling:
            print(scaling(options.repetitions))
            return 0
        if options.players:
            for line in players(options.repetitions):
                print(line, flush=True)
            return 0
        rows = [] if options.openspiel else [case for case in cases() if options.only in case.name]
        if rows and twins.build(rows[0].twin) is None:
            print("games: no C++ compiler: only the library's own figures", file=sys.stderr)
        for case in rows:
            print(compare(case, options.repetitions), flush=True)
        if options.openspiel or not options.only:
            print(openspiel(options.repetitions))
    except rk.RookeryError as error:
        print(f"games: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
