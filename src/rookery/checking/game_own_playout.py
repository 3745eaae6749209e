"""Whether ``playout`` of a game plays as ``sample`` does, move by move from the same stream."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from rookery.checking.game_positions import Known
from rookery.checking.game_records import RecordGameWatch
from rookery.checking.game_watch import OVER
from rookery.rng import Stream

POSITIONS = 60
"""Positions that are played to the end."""


def check_playout(watch: RecordGameWatch, known: Sequence[Known], seed: int, deadline: float) -> None:
    """Play positions to the end both ways: the winner and what is left of the stream must be the same."""
    for i, one in enumerate(known[:: max(1, len(known) // POSITIONS)]):
        if time.perf_counter() > deadline:
            return
        watch.path[:] = one.path
        own, stream = Stream(seed + i), Stream(seed + i)
        winner, expected = watch.played_out(one.state, own), _by_sample(watch, one.state, stream)
        if winner != expected or own.words != stream.words:
            what = f"the winner is {winner}, and {expected}" if winner != expected else "it draws otherwise than"
            watch.find("playout-differs", "playout", f"{what} by sample, move by move")
            return


def _by_sample(watch: RecordGameWatch, state: Any, stream: Stream) -> int:
    state = watch.copy(state)
    before = len(watch.path)
    move = _drawn(watch, state, stream)
    while move is not OVER:
        state = watch.after(state, move)
        watch.check_length(watch.view(state))
        move = _drawn(watch, state, stream)
    winner = watch.view(state).winner
    del watch.path[before:]
    assert winner is not None
    return winner


def _drawn(watch: RecordGameWatch, state: Any, stream: Stream) -> Any:
    if watch.has("sample"):
        return watch.drawn(watch.copy(state), stream)
    playout = watch.view(state).playout
    return playout[stream.below(len(playout))] if playout else OVER
