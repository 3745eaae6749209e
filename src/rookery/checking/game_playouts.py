"""Phase two for games: games in plain Python under watch."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from itertools import accumulate
from typing import Any

from rookery.checking.game_positions import Positions
from rookery.checking.game_watch import GameWatch, Played, View
from rookery.checking.report import Broken
from rookery.game import DRAW
from rookery.reference.game_playout import Played as Learned
from rookery.reference.game_playout import Policy, Step, adapt
from rookery.rng import Stream, exp_float, mix_int, root_key

RANDOM, LEGAL, POLICY = "random playouts", "random legal moves", "playouts of a policy"
REPLAYED = 10
"""Games that are played again at the end."""

Choose = Callable[[View], Any]


class _Late(Exception):
    """The time is over in the middle of a game."""


class Players:
    """Choose moves: at random as playouts do, at random of all that are legal, or by a policy that learns.

    >>> view = View((3, 5), (30, 50), 0, None, 7, (5,))
    >>> Players(0).choosers[RANDOM](view)
    5
    """

    def __init__(self, seed: int) -> None:
        self._stream = Stream(root_key(seed))
        self._policy: Policy = ({}, {})
        self._steps: list[Step] = []
        self.choosers: dict[str, Choose] = {RANDOM: self._random, LEGAL: self._legal, POLICY: self._by_policy}

    def _random(self, view: View) -> Any:
        return view.playout[self._stream.below(len(view.playout))]

    def _legal(self, view: View) -> Any:
        return view.moves[self._stream.below(len(view.moves))]

    def _by_policy(self, view: View) -> Any:
        codes: list[Hashable] = [view.coded[move] for move in view.playout]
        sums = list(accumulate(exp_float(self._policy[view.player].get(code, 0.0)) for code in codes))
        limit = self._stream.uniform() * sums[-1]
        chosen = min(sum(total <= limit for total in sums), len(codes) - 1)
        self._steps.append(Step(view.player, codes, chosen))
        return view.playout[chosen]

    def learn(self, winner: int) -> None:
        """Adapt the policy to a game that it has played."""
        adapt(self._policy, Learned(self._steps, winner, exact=False), 1.0)
        self._steps = []


def play_games(watch: GameWatch, positions: Positions, playouts: int, seconds: float, seed: int) -> None:
    """Half by random playouts; the rest by all legal moves, as in the tree, and by a policy that learns."""
    began = time.perf_counter()
    quarter = max(playouts // 4, 1)
    players = Players(seed)
    plan = ((RANDOM, playouts - 2 * quarter, 0.5), (LEGAL, quarter, 0.75), (POLICY, quarter, 1.0))
    for by, games, share in plan:
        # The first game may take as long as there is: then at least one is seen to its end.
        for _ in range(games):
            late = began + (share if watch.seen.games else 1.0) * seconds
            try:
                played = _game(watch, positions, by, players.choosers[by], late)
            except _Late:
                break
            except Broken:
                if watch.log.count("does-not-return"):
                    return  # it would not return in the next game either
                players.learn(DRAW)
            else:
                players.learn(played.winner)
    made = len(watch.seen.games)
    if not made and watch.log.ok:
        watch.log.add("no-playout", "", f"no playout was finished in {seconds:g} seconds")
    elif made < playouts and watch.log.ok:
        text = f"{made} of {playouts} playouts were made in the {seconds:g} seconds that there are for them"
        watch.log.add("few-playouts", "", text)


def _game(watch: GameWatch, positions: Positions, by: str, choose: Choose, deadline: float) -> Played:
    state = watch.begin()
    movers, branching = [], []
    while True:
        view = watch.view(state)
        positions.saw(state, view)
        if not view.moves:
            break
        watch.check_length(view)
        movers.append(view.player)
        branching.append(len(view.moves))
        if time.perf_counter() > deadline:
            raise _Late
        state = watch.after(state, choose(view))
    assert view.winner is not None
    played = Played(tuple(watch.path), tuple(movers), tuple(branching), view.winner, by)
    watch.seen.games.append(played)
    return played


def replay_games(watch: GameWatch, deadline: float) -> None:
    """Play some games again: what depends on more than the state gives itself away."""
    games = watch.seen.games
    for played in games[:: max(1, len(games) // REPLAYED)][:REPLAYED]:
        if not watch.log.ok or time.perf_counter() > deadline:
            return
        state = watch.begin()
        for move in played.moves:
            if move not in watch.view(state).moves:
                text = f"the move {move} was legal in a game, and is not when it is played again"
                watch.find("not-deterministic", "moves", text)
                return
            state = watch.after(state, move)
        winner = watch.view(state).winner
        if winner != played.winner:
            text = f"a game had the winner {played.winner}, and {winner} when it was played again"
            watch.find("not-deterministic", "winner", text)


def stream_for(seed: int, phase: int) -> Stream:
    """A stream of its own for each phase.

    >>> stream_for(0, 1).words != stream_for(0, 2).words
    True
    """
    return Stream(mix_int(root_key(seed), phase))
