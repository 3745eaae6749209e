"""Edits for problems that say what their moves make and need, in plain Python."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rookery.reference.playout import Rules
from rookery.rng import Stream, exp_float, log_float

REMOVE, SWAP = 3, 4
PREFERRED = 148.4131591025766
TRIES = 10


class Links:
    """For each place of a line, the places that it depends on, and the other legal moves that make the same."""

    def __init__(self, rules: Rules, state: Any, moves: list[Any]) -> None:
        self.ancestors: list[set[int]] = []
        self.others: list[list[Any]] = []
        makers: dict[Hashable, list[int]] = {}
        for place, move in enumerate(moves):
            direct = {by for thing in rules.needs(state, move) for by in makers.get(thing, ())}
            self.ancestors.append(direct.union(*(self.ancestors[by] for by in direct)))
            made = rules.makes(state, move)
            self.others.append([x for x in rules.moves(state) if x != move and rules.makes(state, x) == made])
            makers.setdefault(made, []).append(place)
            state = rules.play(state, move)

    def size(self, place: int) -> int:
        """How many moves are removed with this one, itself included."""
        return 1 + sum(place in ancestors for ancestors in self.ancestors)

    def drop(self, kind: int, stream: Stream) -> set[int]:
        """One or two places, preferably with few that depend on them; or one that is to be swapped."""
        length = len(self.others)
        place, tries = stream.below(length), 1
        if kind == SWAP:
            while not self.others[place] and tries < TRIES:
                place, tries = stream.below(length), tries + 1
            return {place}
        limit = int(3.0 * exp_float(stream.uniform() * log_float(max(1.0, length / 3.0))))
        while self.size(place) > limit and tries < TRIES:
            place, tries = stream.below(length), tries + 1
        if stream.uniform() < 0.5:
            other = stream.below(length)
            if self.size(place) + self.size(other) <= limit:
                return {place, other}
        return {place}


def filled_in(rules: Rules, state: Any, moves: list[Any], of_line: list[bool], stream: Stream) -> int:
    """The index of a move: by bias, and mostly one of the line."""
    if len(moves) == 1:
        return 0
    total, cumulative = 0.0, []
    for move, preferred in zip(moves, of_line, strict=True):
        weight = rules.factor(state, move)
        total += weight * PREFERRED if preferred else weight
        cumulative.append(total)
    limit = stream.uniform() * total
    return min(sum(c <= limit for c in cumulative), len(moves) - 1)
