"""Phase two for games: games in plain Python under watch; and again in other orders, to reach positions twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from itertools import accumulate
from typing import Any

from rookery.checking.game.positions import KnownPositions
from rookery.checking.game.watch import GameWatch, View
from rookery.checking.report import Broken
from rookery.checking.watch import Playout
from rookery.game import DRAW
from rookery.reference.game_playout import Played, Policy, Step, adapt
from rookery.rng import Stream, exp_float, part_key, root_key

RANDOM, LEGAL, POLICY = "random playouts", "random legal moves", "playouts of a policy"

REACH = 8
"""How many moves apart two may be that change places."""
TRIES = 300
"""Pairs of moves that are tried."""

Choose = Callable[[View], Any]


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
        adapt(self._policy, Played(self._steps, winner, exact=False), 1.0)
        self._steps = []


def play_games(watch: GameWatch, positions: KnownPositions, playouts: int, seconds: float, seed: int) -> None:
    """Half by random playouts; the rest by all legal moves, as in the tree, and by a policy that learns."""
    began = time.perf_counter()
    quarter = max(playouts // 4, 1)
    players = Players(seed)
    plan = ((RANDOM, playouts - 2 * quarter, 0.5), (LEGAL, quarter, 0.75), (POLICY, quarter, 1.0))
    for by, games, share in plan:
        # The first game may take as long as there is: then at least one is seen to its end.
        for _ in range(games):
            late = began + (share if watch.playouts else 1.0) * seconds
            try:
                winner = _game(watch, positions, by, players.choosers[by], late)
            except Broken:
                if watch.log.count("does-not-return"):
                    return  # it would not return in the next game either
                winner = DRAW
            if winner is None:
                break
            players.learn(winner)
    watch.tell_few(playouts, seconds, len(watch.playouts) >= playouts)


def _game(watch: GameWatch, positions: KnownPositions, by: str, choose: Choose, deadline: float) -> int | None:
    """Play a game; who has won, or None if the time is over before its end."""
    state = watch.begin()
    movers, branching = [], []
    while True:
        view = watch.look(state)
        positions.saw(state, view)
        if not view.moves:
            break
        watch.check_length(view)
        movers.append(view.player)
        branching.append(len(view.moves))
        if time.perf_counter() > deadline:
            return None
        state = watch.after(state, choose(view))
    assert view.winner is not None
    watch.playouts.append(Playout(tuple(watch.path), tuple(branching), view.winner, by, tuple(movers)))
    return view.winner


def stream_for(seed: int, phase: int) -> Stream:
    """A stream of its own for each phase.

    >>> stream_for(0, 1).words != stream_for(0, 2).words
    True
    """
    return Stream(part_key(seed, phase))


def play_reordered(watch: GameWatch, positions: KnownPositions, stream: Stream, deadline: float) -> None:
    """Let two moves of one player change places, in games that were played."""
    games = [game for game in watch.playouts if len(game.moves) >= 2]
    for _ in range(TRIES if games else 0):
        if time.perf_counter() > deadline:
            break
        swapped = _swapped(games, stream)
        if swapped is not None:
            _play_swapped(watch, positions, *swapped)


def _swapped(games: list[Playout], stream: Stream) -> tuple[list[Any], tuple[int, ...]] | None:
    """The beginning of a game with two moves of one player swapped, the later of them last; and who moves."""
    game = games[stream.below(len(games))]
    i = stream.below(len(game.moves) - 1)
    later = [
        j
        for j in range(i + 1, min(i + REACH, len(game.moves)))
        if game.movers[j] == game.movers[i] and game.moves[j] != game.moves[i]
    ]
    if not later:
        return None
    j = later[stream.below(len(later))]
    moves = list(game.moves[: j + 1])
    moves[i], moves[j] = moves[j], moves[i]
    return moves, game.movers


def _play_swapped(watch: GameWatch, positions: KnownPositions, moves: list[Any], movers: tuple[int, ...]) -> None:
    state = watch.begin()
    for ply, move in enumerate(moves):
        view = watch.look(state)
        if move not in view.moves or view.player != movers[ply]:
            return
        state = watch.after(state, move)
    positions.saw(state, watch.look(state))
