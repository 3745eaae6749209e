"""Strength on Breakthrough 8x8 against OpenSpiel's MCTSBot: at equal time, and at equal simulations.

    python benchmarks/openspiel.py [--games 200] [--searches ppafm grave] [--seconds 0.1] [--simulations 1000]
                                   [--equal seconds simulations] [--exploration 2] [--seed 1]

Each search plays ``--games`` games at each of the two limits, half of them as the first player, as a bot of OpenSpiel
on the compiled game (``rookery.adapters.openspiel_bot``). The MCTSBot is OpenSpiel's own, in C++, with one random
rollout a simulation, its solver on, and the exploration constant of its examples. The share is of the games won; draws
count half, but there are none. Seconds a move are those of the clock, on both sides: equal time needs a machine that
does nothing else.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import rookery as rk
from rookery.adapters import openspiel_bot
from rookery.adapters.spiel_game import pyspiel
from rookery.matches.scores import wilson

GAME = "breakthrough(rows=8,columns=8)"
MEMORY = 2000
"""The megabytes that the MCTSBot may take."""
UNLIMITED = 1 << 30


class Timed:
    """A bot, and how long it takes."""

    def __init__(self, bot: Any) -> None:
        self._bot, self.seconds, self.moves = bot, 0.0, 0

    def begin(self) -> None:
        self._bot.restart()

    def action(self, state: Any) -> int:
        began = time.perf_counter()
        action = int(self._bot.step(state))
        self.seconds += time.perf_counter() - began
        self.moves += 1
        return action


def mcts_bot(game: Any, seed: int, exploration: float, simulations: int, seconds: float) -> Any:
    """OpenSpiel's own; a negative number of seconds means no limit."""
    module = pyspiel()
    evaluator = module.RandomRolloutEvaluator(1, seed)
    settings = {"uct_c": exploration, "max_simulations": simulations, "max_memory_mb": MEMORY, "solve": True}
    limit = {} if seconds < 0 else {"max_wall_clock_time": seconds}
    return module.MCTSBot(game, evaluator, **settings, seed=seed, verbose=False, **limit)


def played(game: Any, first: Timed, second: Timed) -> float:
    """What the first player gains in a game."""
    state, bots = game.new_initial_state(), (first, second)
    for bot in bots:
        bot.begin()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].action(state))
    return float(state.player_return(0))


def contest(name: str, limit: dict[str, Any], options: argparse.Namespace) -> str:
    """A line of the table: the games of one search at one limit."""
    game = pyspiel().load_game(GAME)
    search = rk.tools.load_game_search(name, **limit)
    seconds = search.seconds or -1.0
    simulations = UNLIMITED if search.playouts is None else search.playouts
    ours = Timed(openspiel_bot(GAME, search, seed=options.seed))
    theirs = Timed(mcts_bot(game, options.seed, options.exploration, simulations, seconds))
    ours.action(game.new_initial_state())  # compiled before the clock counts
    ours.seconds, ours.moves, won = 0.0, 0, 0.0
    for number in range(options.games):
        gained = played(game, ours, theirs) if number % 2 == 0 else -played(game, theirs, ours)
        won += (1 + gained) / 2
    low, high = wilson(won, options.games)
    told = f"{seconds:g} s" if seconds > 0 else f"{simulations:,} simulations"
    return (
        f"{name:12} {told:>18} {options.games:>6} {100 * won / options.games:>7.1f}% "
        f"({100 * low:.1f}% to {100 * high:.1f}%)   {ours.seconds / ours.moves:.4f} {theirs.seconds / theirs.moves:.4f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="of each search at each limit (default: 200)")
    parser.add_argument("--searches", nargs="+", default=["ppafm", "grave"], help="such as grave:ref=25")
    parser.add_argument("--seconds", type=float, default=0.1, help="a move, at equal time (default: 0.1)")
    parser.add_argument("--simulations", type=int, default=1000, help="a move, at equal simulations (default: 1000)")
    parser.add_argument("--equal", nargs="+", choices=["seconds", "simulations"], default=["seconds", "simulations"])
    parser.add_argument("--exploration", type=float, default=2.0, help="the MCTSBot's constant (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of both bots (default: 1)")
    options = parser.parse_args(arguments)
    try:
        if options.games < 2 or options.games % 2:
            raise rk.InputError(f"--games must be an even number of at least 2, got {options.games}")
        print(f"{'search':12} {'limit':>18} {'games':>6} {'won':>8} (95%)   seconds a move, ours and theirs")
        for name in options.searches:
            limits = {"seconds": {"seconds": options.seconds}, "simulations": {"playouts": options.simulations}}
            for equal in options.equal:
                print(contest(name, limits[equal], options), flush=True)
    except rk.RookeryError as error:
        print(f"openspiel: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
