"""Games played again with their moves in another order: how the same position is reached twice."""

from __future__ import annotations

import time
from typing import Any

from rookery.checking.game_positions import Positions
from rookery.checking.game_watch import GameWatch, Played
from rookery.rng import Stream

REACH = 8
"""How many moves apart two may be that change places."""
TRIES = 300


def play_reordered(watch: GameWatch, positions: Positions, stream: Stream, deadline: float) -> int:
    """Let two moves of one player change places, in games that were played; how often that was legal."""
    games = [game for game in watch.seen.games if len(game.moves) >= 2]
    legal = 0
    for _ in range(TRIES if games else 0):
        if time.perf_counter() > deadline:
            break
        pair = _pair(games, stream)
        if pair is not None:
            legal += _play(watch, positions, *pair)
    return legal


def _pair(games: list[Played], stream: Stream) -> tuple[list[Any], tuple[int, ...]] | None:
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


def _play(watch: GameWatch, positions: Positions, moves: list[Any], movers: tuple[int, ...]) -> bool:
    state = watch.begin()
    for ply, move in enumerate(moves):
        view = watch.view(state)
        if move not in view.moves or view.player != movers[ply]:
            return False
        state = watch.after(state, move)
    positions.saw(state, watch.view(state))
    return True
