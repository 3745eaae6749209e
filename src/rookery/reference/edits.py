"""Proposals of tempering and annealing in plain Python: a line with a few edits, played again."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from rookery.control import INFEASIBLE_SCORE
from rookery.reference.playout import Line, Monitor, Rules
from rookery.rng import Stream, exp_float

DROP, DEVIATE, DELAY = range(3)
COMMON_MOST = 1 << 14
MOST_LOSS = 1e100


@dataclass
class Incumbent:
    """A line that is edited, with the keys of its moves."""

    score: float
    moves: list[Any]
    keys: list[Hashable] = field(default_factory=list)


@dataclass
class Learned:
    """What the edits of a run have taught: which kinds succeed, which codes good lines have in common."""

    tried: list[float] = field(default_factory=lambda: [0.0] * 5)  # by kind of edit, then without and with common codes
    won: list[float] = field(default_factory=lambda: [0.0] * 5)
    common: dict[Hashable, float] = field(default_factory=dict)
    shares: list[float] = field(default_factory=lambda: [0.0] * 4)
    loss: float = 0.0  # more than one in twenty of those of a climb

    def set_loss(self, lines: list[Incumbent]) -> None:
        """The first guess of a loss: a share of the standard deviation of the first playouts."""
        scores = [line.score for line in lines if line.score > INFEASIBLE_SCORE]
        mean = squares = 0.0
        for n, score in enumerate(scores, 1):
            mean += (score - mean) / n
        for score in scores:
            squares += (score - mean) * (score - mean) / len(scores)
        loss = 0.02 * max(math.sqrt(squares), 1e-6 * (1.0 + abs(mean)))
        self.loss = loss if loss <= MOST_LOSS else MOST_LOSS

    def set_shares(self, kinds: int) -> None:
        """Shares in proportion to the rate of success, none below a floor."""
        rates = [(won + 1.0) / (tried + 20.0) for tried, won in zip(self.tried, self.won, strict=True)]
        total = 0.0
        for rate in rates[:kinds]:
            total += rate
        kept = 0.0
        shares = [max(0.04, rate / total) for rate in rates[:kinds]]
        for share in shares:
            kept += share
        with_common = rates[4] / (rates[3] + rates[4])
        shares = [share / kept for share in shares] + [0.0] * (3 - kinds)
        self.shares = [*shares, min(max(with_common, 0.04), 1.0 - 0.04)]

    def learn(self, codes: list[Hashable]) -> None:
        """Make these codes more common."""
        for code in codes:
            if code in self.common or len(self.common) < COMMON_MOST:
                weight = self.common.get(code, 0.0)
                self.common[code] = weight + (1.0 - weight) * 0.02

    def fade(self, factor: float) -> None:
        """Forget a little: counts, and codes by a factor."""
        self.common = {c: w * factor for c, w in self.common.items() if w * factor >= 0.001}
        self.tried = [n * 0.98 for n in self.tried]
        self.won = [n * 0.98 for n in self.won]


@dataclass
class Edits:
    """What is done to a line: places dropped, places where another move is played, and when each move has its turn."""

    first: int
    kind: int = DROP
    dropped: set[int] = field(default_factory=set)
    deviates: set[int] = field(default_factory=set)
    order: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def draw(rules: Rules, moves: list[Any], shares: list[float], stream: Stream) -> Edits:
        """One to three edits."""
        length = len(moves)
        edits = 1
        while edits < 3 and stream.uniform() < 0.15:
            edits += 1
        drawn = Edits(first=length)
        for i in range(edits):
            q, x = stream.below(length), stream.uniform()
            kind = DROP if x < shares[DROP] else DEVIATE if x < shares[DROP] + shares[DEVIATE] else DELAY
            if i == 0:
                drawn.kind = kind
            last = behind(rules, moves, q, stream) if kind == DELAY else q
            if last > q:
                drawn.order[q] = 16 * last + 8
            elif kind == DELAY:
                block = 1
                while block < 8 and stream.uniform() < 0.4:
                    block += 1
                later = 1 + int(stream.uniform() * stream.uniform() * (length - q))
                for j in range(min(block, length - q)):
                    drawn.order[q + j] = 16 * (q + block + later) - 8 + j
            else:
                (drawn.dropped if kind == DROP else drawn.deviates).add(q)
            drawn.first = min(drawn.first, q)
        return drawn


def behind(rules: Rules, moves: list[Any], q: int, stream: Stream) -> int:
    """The place of the next move with which a move does not commute, or of a later one; its own if there is none."""
    last = q
    if not rules.commutes:
        return last
    for place in range(q + 1, len(moves)):
        if not rules.commute(moves[q], moves[place]):
            last = place
            if stream.uniform() >= 0.3:
                break
    return last


def wanted_shares(rules: Rules, moves: list[Any]) -> tuple[float, float]:
    """The shares of worse proposals that the coldest and the hottest temperature should accept."""
    ordered = rules.commutes and any(not rules.commute(a, b) for i, a in enumerate(moves) for b in moves[i + 1 :])
    return (0.002, 0.15) if rules.loose or ordered else (0.001, 0.02)


class Editor:
    """Plays lines and proposals."""

    kinds = 3

    def __init__(self, rules: Rules, root: Any, monitor: Monitor, stream: Stream, learned: Learned) -> None:
        self._rules, self._root = rules, root
        self._monitor = monitor
        self.stream = stream
        self.learned = learned

    def key(self, state: Any, move: Any, code_keys: bool | None) -> Hashable:
        """What names a move; None: nothing yet."""
        if code_keys is None:
            return None
        return self._rules.code(state, move) if code_keys else self._rules.named(state, move)

    def names(self, line: Incumbent, code_keys: bool) -> list[Hashable]:
        """The keys of a line."""
        state, found = self._begin(), []
        for move in line.moves:
            found.append(self.key(state, move, code_keys))
            state = self._rules.play(state, move)
        return found

    def load(self, line: Incumbent, code_keys: bool) -> None:
        """Make a line the one that is edited."""
        line.keys = self.names(line, code_keys)

    def keep(self) -> None:
        """The proposal is the line now."""

    def leave(self) -> None:
        """The proposal was not accepted."""

    def learn(self, line: Incumbent) -> None:
        """Make the codes of a line more common."""
        self.learned.learn(self.names(line, True))

    def random_line(self) -> Incumbent | None:
        """A line that begins as a playout by bias; None if the task must stop."""
        if not self._monitor.may_begin():
            return None
        made, _ = self._play(Incumbent(0.0, []), Edits(first=0), None, False)
        return made

    def propose(self, line: Incumbent, code_keys: bool) -> tuple[Incumbent | None, int, bool, bool]:
        """A proposal (None if the task must stop), its kind of edit, whether it draws common codes, whether it drew."""
        if not self._monitor.may_begin():
            return None, 0, False, False
        shares = self.learned.shares
        common = self.stream.uniform() < shares[3]
        edits = Edits.draw(self._rules, line.moves, shares, self.stream) if line.moves else Edits(first=0)
        made, drew = self._play(line, edits, code_keys, common)
        return made, edits.kind, common, drew

    def _begin(self) -> Any:
        return self._rules.begin_playout(self._rules.copy(self._root))

    def _play(
        self, line: Incumbent, edits: Edits, code_keys: bool | None, common: bool
    ) -> tuple[Incumbent | None, bool]:
        """Play the legal move whose turn in the line comes first; where it has none, draw one."""
        rules, state, drew = self._rules, self._begin(), False
        places: dict[Hashable, list[int]] = {}
        for place in range(edits.first, len(line.moves)):
            if place not in edits.dropped:
                places.setdefault(line.keys[place], []).append(place)
        made = Incumbent(0.0, line.moves[: edits.first], line.keys[: edits.first])
        for move in made.moves:
            state = rules.play(state, move)
        deviates = set(edits.deviates)
        while moves := rules.moves(state):
            if self._monitor.halted():
                return None, drew
            keys = [self.key(state, move, code_keys) for move in moves]
            turns = []
            for i, (move, key) in enumerate(zip(moves, keys, strict=True)):
                if places.get(key):
                    at = places[key][0]
                    turns.append((edits.order.get(at, 16 * at), line.moves[at] != move, i, at))
            chosen, at = min(turns)[2:] if turns else (-1, -1)
            if chosen < 0 or at in deviates:
                deviates.discard(at)
                chosen, drew = self._drawn(state, moves, chosen, common), True
            if places.get(keys[chosen]):
                places[keys[chosen]].pop(0)
            made.moves.append(moves[chosen])
            made.keys.append(keys[chosen])
            state = rules.play(state, moves[chosen])
        made.score = rules.value(state)
        self._monitor.finish(made.score)
        return made, drew

    def _drawn(self, state: Any, moves: list[Any], skip: int, common: bool) -> int:
        """The index of a move that is not ``skip``, if there is another: by bias, and by how common its code is."""
        rules, n = self._rules, len(moves)
        if n == 1:
            return 0
        if not rules.biased and not common:
            chosen = self.stream.below(n if skip < 0 else n - 1)
            return chosen + (0 <= skip <= chosen)
        total, cumulative = 0.0, []
        for i, move in enumerate(moves):
            if i != skip:
                weight = rules.factor(state, move)
                if common:
                    weight *= 0.02 + self.learned.common.get(rules.code(state, move), 0.0)
                total += weight
            cumulative.append(total)
        limit = self.stream.uniform() * total
        chosen = min(sum(c <= limit for c in cumulative), n - 1)
        return chosen if chosen != skip else (chosen + 1) % n


@dataclass
class Best:
    """The best line of a task, and the best score since the last restart."""

    line: Line | None = None
    score: float = float("-inf")
    since: float = 0.0

    def note(self, found: Incumbent) -> None:
        """Note a finished playout."""
        if self.line is None or found.score > self.line.score:
            self.line = Line(found.score, list(found.moves))
        if found.score > self.score:
            self.score, self.since = found.score, 0.0


def turn(editor: Editor, line: Incumbent, code_keys: bool, temperature: float, count: int, best: Best) -> Any:
    """Make this many proposals for a line; the line, how many were worse, how many of these were accepted, all made."""
    learned = editor.learned
    editor.load(line, code_keys)
    worse = taken = 0
    for _ in range(count):
        proposal, kind, common, drew = editor.propose(line, code_keys)
        if proposal is None:
            return line, worse, taken, False
        change = proposal.score - line.score
        if abs(change) < 1e-9 * (1.0 + abs(line.score)):
            change = 0.0
        accepted = change >= 0.0
        if not accepted:
            worse += 1
            if temperature == 0.0:
                if proposal.score > INFEASIBLE_SCORE:
                    learned.loss = min(learned.loss * (0.95 if -change < learned.loss else 1.0027), MOST_LOSS)
            else:
                accepted = editor.stream.uniform() < exp_float(change / temperature)
                taken += accepted
        won = accepted and change != 0.0
        for arm in (kind, 3 + common)[: 2 if drew else 1]:
            learned.tried[arm] += 1.0
            learned.won[arm] += won
        best.since += 1.0
        best.note(proposal)
        if accepted:
            line = proposal
            editor.keep()
        else:
            editor.leave()
    editor.learn(line)
    return line, worse, taken, True


def codes_are_better(lines: list[Incumbent]) -> bool:
    """Whether the lines with codes as keys, the odd ones, have climbed higher."""
    moves = codes = 0.0
    n = len(lines)
    for i, line in enumerate(lines):
        if i % 2 == 0:
            moves += line.score / ((n + 1) // 2)
        else:
            codes += line.score / (n // 2)
    return n > 1 and codes > moves
