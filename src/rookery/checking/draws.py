"""Whether ``sample`` draws each move equally often, by Pearson's chi-square test; and ``playout`` draws the same."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from rookery.checking.game_keys import Known
from rookery.checking.game_watch import OVER, GameWatch
from rookery.rng import Stream

ERROR_RATE = 1e-6
"""The chance that a check calls a fair game uneven."""
POSITIONS = 12
"""Positions that are tested, each at ERROR_RATE / POSITIONS."""
DRAWS_PER_MOVE, MOST_DRAWS = 60, 6000
PLAYED_OUT = 60
"""Positions that ``playout`` plays to the end."""


def check_sample(watch: GameWatch, known: Sequence[Known], stream: Stream, deadline: float) -> None:
    """Draw from positions, including those with most moves; note one where moves are not drawn equally often."""
    choices = sorted((one for one in known if len(one.view.playout) > 1), key=lambda one: len(one.view.playout))
    step = max(1, len(choices) // POSITIONS)
    for one in choices[::-step][:POSITIONS]:
        if time.perf_counter() > deadline:
            return
        moves = one.view.playout
        draws = min(DRAWS_PER_MOVE * len(moves), MOST_DRAWS)
        watch.path[:] = one.path
        seen: Counter[Any] = Counter()
        for drawn in range(draws):
            if drawn % DRAWS_PER_MOVE == 0 and time.perf_counter() > deadline:
                return
            seen[watch.drawn(one.state, stream)] += 1
        strange = [move for move in seen if move not in moves]
        if strange:
            drew = "that the game is over" if strange[0] is OVER else f"the move {strange[0]}"
            text = f"it drew {drew} from {len(moves)} moves, one time in {draws // seen[strange[0]]}"
            watch.fail("sample-ends" if strange[0] is OVER else "sample-illegal", "sample", text)
        counts = [seen[move] for move in moves]
        if chi_square(counts) > critical(len(moves) - 1, ERROR_RATE / POSITIONS):
            rare, often = min(moves, key=lambda move: seen[move]), max(moves, key=lambda move: seen[move])
            text = (
                f"of {len(moves)} moves it drew {rare} {seen[rare]} times and {often} {seen[often]} times "
                f"in {draws} draws"
            )
            watch.find("sample-uneven", "sample", text)
            return


def chi_square(counts: Sequence[int]) -> float:
    """The statistic of counts that should be equal.

    >>> chi_square([10, 10, 10]), chi_square([20, 10])
    (0.0, 3.3333333333333335)
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def critical(freedom: int, rate: float) -> float:
    """The value that chi-square exceeds with at most this chance, after Wilson and Hilferty (1931).

    It is a little too large for few degrees of freedom, never too small at the rates used here.

    >>> round(critical(10, 0.001), 1)
    29.8
    """
    z = NormalDist().inv_cdf(1.0 - rate)
    part = 2.0 / (9.0 * freedom)
    return float(freedom * (1.0 - part + z * part**0.5) ** 3)


def check_playout(watch: GameWatch, known: Sequence[Known], seed: int, deadline: float) -> None:
    """Play positions to the end both ways: the winner and what is left of the stream must be the same."""
    for i, one in enumerate(known[:: max(1, len(known) // PLAYED_OUT)]):
        if time.perf_counter() > deadline:
            return
        watch.path[:] = one.path
        own, stream = Stream(seed + i), Stream(seed + i)
        winner, expected = watch.played_out(one.state, own), _by_sample(watch, one.state, stream)
        if winner != expected or own.words != stream.words:
            what = f"the winner is {winner}, and {expected}" if winner != expected else "it draws differently than"
            watch.find("playout-differs", "playout", f"{what} by sample, move by move")
            return


def _by_sample(watch: GameWatch, state: Any, stream: Stream) -> int:
    state = watch.calls.copy(state)
    before = len(watch.path)
    move = _drawn(watch, state, stream)
    while move is not OVER:
        state = watch.after(state, move)
        watch.check_length(watch.look(state))
        move = _drawn(watch, state, stream)
    winner = watch.look(state).winner
    del watch.path[before:]
    assert winner is not None
    return winner


def _drawn(watch: GameWatch, state: Any, stream: Stream) -> Any:
    if watch.calls.has("sample"):
        return watch.drawn(watch.calls.copy(state), stream)
    playout = watch.look(state).playout
    return playout[stream.below(len(playout))] if playout else OVER
