"""Proposals for lines whose moves can be taken back, in plain Python."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rookery.reference.edits import Editor, Incumbent, Learned
from rookery.reference.playout import Monitor, Rules
from rookery.rng import Stream, exp_float, log_float

REMOVE, SWAP = 0, 1
PREFERRED = 148.4131591025766
TRIES = 60
MOST_FITTED = 4


class LooseEditor(Editor):
    """Has the state at the end of a line, and plays proposals from there."""

    def __init__(self, rules: Rules, root: Any, monitor: Monitor, stream: Stream, learned: Learned) -> None:
        super().__init__(rules, root, monitor, stream, learned)
        self.kinds = 2 if rules.swaps else 1

    def load(self, line: Incumbent, code_keys: bool) -> None:
        """Play a line, and note what its moves make."""
        self._state = self._begin()
        self._made: list[Hashable] = []
        for move in line.moves:
            self._played(move, self._made)
        self._whole = self._rules.copy(self._state)

    def propose(self, line: Incumbent, code_keys: bool) -> tuple[Incumbent | None, int, bool, bool]:
        """A proposal for the line that was loaded (None if the task must stop), its kind, and twice False."""
        if not self._monitor.may_begin():
            return None, 0, False, False
        self._line, length = line.moves, len(line.moves)
        self._gone: list[int] = []
        self._later: list[int] = []
        self._replaced = -1
        self._tail: list[Any] = []
        self._tail_made: list[Hashable] = []
        preferred: set[Hashable] = set()
        if self._rules.swaps and length > 0 and self.stream.uniform() < self.learned.shares[SWAP]:
            preferred = self._swapped()
        if self._replaced < 0 and length > 0:
            preferred = self._removed()
        while moves := self._rules.moves(self._state):
            if self._monitor.halted():
                return None, 0, False, False
            move = moves[_filled_in(self._rules, self._state, moves, preferred, self.stream)]
            self._play_next(move)
        moves = self._without_gone(self._line) + self._tail
        self._state = self._rules.arranged(self._state, moves)
        made = Incumbent(self._rules.value(self._state), moves)
        self._monitor.finish(made.score)
        return made, REMOVE if self._replaced < 0 else SWAP, False, False

    def keep(self) -> None:
        """The proposal is the line now."""
        self._made = self._without_gone(self._made) + self._tail_made
        self._whole = self._rules.copy(self._state)

    def leave(self) -> None:
        """Go back to the state of the line."""
        self._state = self._rules.copy(self._whole)

    def learn(self, line: Incumbent) -> None:
        """Codes are not asked for."""

    def random_line(self) -> Incumbent | None:
        """A line that begins as a playout by bias; None if the task must stop."""
        line = Incumbent(0.0, [])
        self.load(line, False)
        return self.propose(line, False)[0]

    def _without_gone(self, of_line: list[Any]) -> list[Any]:
        """What stays where it is, of something that the line has at each place."""
        apart = {*self._gone, *self._later, self._replaced}
        return [x for place, x in enumerate(of_line) if place not in apart]

    def _played(self, move: Any, made: list[Hashable]) -> None:
        made.append(self._rules.makes(self._state, move))
        self._state = self._rules.play(self._state, move)

    def _play_next(self, move: Any) -> None:
        self._tail.append(move)
        self._played(move, self._tail_made)

    def _undo(self, move: Any, thing: Hashable) -> None:
        self._state = self._rules.undo(self._state, move, thing)

    def _take_back(self, roots: set[int]) -> set[Hashable]:
        """Undo what is to go, the last first; the moves that are preferred from now on."""
        for place in reversed(self._gone):
            self._undo(self._line[place], self._made[place])
        return {self._line[place] for place in self._gone if place not in roots}

    def _limit(self) -> int:
        most = min(len(self._line), 200.0)
        return int(3.0 * exp_float(self.stream.uniform() * log_float(max(1.0, most / 3.0))))

    def _depending(self, root: int, apart: set[int]) -> set[int]:
        """A place and those that depend on it, without those that are ``apart``."""
        lost, found = {self._made[root]}, {root}
        for place in range(root + 1, len(self._line)):
            if place not in apart and not lost.isdisjoint(self._rules.needs(self._line[place])):
                lost.add(self._made[place])
                found.add(place)
        return found

    def _removed(self) -> set[Hashable]:
        """Take back one or two moves with all that depends on them."""
        stream, length = self.stream, len(self._line)
        for _ in range(TRIES):
            limit, root = self._limit(), stream.below(length)
            roots, gone = {root}, self._depending(root, set())
            if len(gone) > limit:
                continue
            if stream.uniform() < 0.5:
                other = stream.below(length)
                if other not in gone:
                    more = self._depending(other, gone)
                    if len(gone) + len(more) <= limit:
                        roots.add(other)
                        gone |= more
            break
        else:
            roots = gone = {length - 1}
        self._gone = sorted(gone)
        return self._take_back(roots)

    def _swapped(self) -> set[Hashable]:
        """Put another move that makes the same in the place of one, and take back what it forbids."""
        rules, stream, length, fitted = self._rules, self.stream, len(self._line), 0
        for _ in range(TRIES):
            y = stream.below(length)
            makers = rules.makers(self._state, self._made[y])
            if not makers:
                continue
            x = makers[stream.below(len(makers))]
            if x not in self._line:
                preferred = self._put(x, y)
                if self._replaced >= 0:
                    return preferred
                fitted += 1
                if fitted == MOST_FITTED:
                    break
        return set()

    def _put(self, x: Any, y: int) -> set[Hashable]:
        """Put a move in a place if what must go is within the limit and leaves what it needs."""
        rules, limit = self._rules, self._limit()
        roots: set[int] = set()
        gone: set[int] = set()
        lost: set[Hashable] = set()
        for place, move in enumerate(self._line):
            if place != y and rules.clash(x, move):
                roots.add(place)
            elif lost.isdisjoint(rules.needs(move)):
                continue
            gone.add(place)
            lost.add(self._made[place])
        if y in gone or len(gone) > limit:
            return set()
        later = self._depending(y, gone)
        lost.update(self._made[place] for place in later)
        if not (lost - {self._made[y]}).isdisjoint(rules.needs(x)):
            return set()
        self._gone, self._replaced = sorted(gone), y
        self._later = sorted(later - {y})
        preferred = self._take_back(roots)
        self._undo(self._line[y], self._made[y])
        self._play_next(x)
        self._tail += [self._line[place] for place in self._later]
        self._tail_made += [self._made[place] for place in self._later]
        return preferred


def make_editor(rules: Rules, root: Any, monitor: Monitor, stream: Stream, learned: Learned) -> Editor:
    """What plays proposals for a problem."""
    return (LooseEditor if rules.loose else Editor)(rules, root, monitor, stream, learned)


def _filled_in(rules: Rules, state: Any, moves: list[Any], preferred: set[Hashable], stream: Stream) -> int:
    """The index of a move: by bias, and mostly one that was taken back because it depended on another."""
    if len(moves) == 1:
        return 0
    total, cumulative = 0.0, []
    for move in moves:
        weight = rules.factor(state, move)
        total += weight * PREFERRED if move in preferred else weight
        cumulative.append(total)
    limit = stream.uniform() * total
    return min(sum(c <= limit for c in cumulative), len(moves) - 1)
