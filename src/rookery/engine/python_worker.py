"""Computes tasks on a problem whose states are Python objects: at speed, or by the twins of the searches."""

from __future__ import annotations

import time
from collections.abc import Sequence as Several
from dataclasses import replace
from importlib import import_module
from typing import Any

from rookery.arguments import shown
from rookery.control import HALT, HALT_TARGET, PLAYOUTS, Signal
from rookery.engine.interpreted import Interpreted
from rookery.engine.keeping import KeepingMonitor, TrackedRules
from rookery.engine.objects import fast_twin
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.policy import warm
from rookery.engine.objects.rules import BoundRules
from rookery.errors import InputError
from rookery.game import PythonGame
from rookery.problem import PythonProblem
from rookery.reference.game_playout import GameRules
from rookery.reference.game_uct import LOST, WON, Entry, Table
from rookery.reference.playout import Monitor, Rules
from rookery.rng import Stream
from rookery.search.game_search import Counts, Decision, GameSearch
from rookery.tasks import Moves, Outcome, Sequence, Task


class PythonEngine:
    """Workers for a problem whose state is a Python object."""

    def __init__(self, problem: PythonProblem, debug: bool = False) -> None:
        self.problem = problem

    def worker(self) -> PythonWorker:
        """A worker of its own."""
        return PythonWorker(self.problem)


class PythonWorker:
    """Computes tasks on Python objects.

    Parameters
    ----------
    by_twins
        compute as the twins do, line by line after the papers; by default for compiled problems that are interpreted,
        for which they are the oracle. A user's own search always has its own twin
    """

    def __init__(self, problem: PythonProblem, by_twins: bool | None = None) -> None:
        self._problem = problem
        self._by_twins = isinstance(problem, Interpreted) if by_twins is None else by_twins
        self._rules = Rules(problem)
        self._bound = BoundRules(problem)

    def warm(self, task: Task) -> None:
        """Compile the little that the library itself needs, or read it from disk; the fixed moves must be legal."""
        if self._fast(task) is None:
            twin_of(task)
        else:
            warm()
        self.legal(task.prefix)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence; one that keeps candidates by its twin."""
        fast = self._fast(task) if task.keep is None else None
        root = self._state_after(task.prefix)
        kept: tuple[Sequence, ...] = ()
        monitor: Monitor | Meter
        if task.keep is not None:
            rules, begin = TrackedRules(self._problem), self._state_after(task.prefix[: task.keep.fixed])
            monitor = keeping = KeepingMonitor(task, signal, rules, (begin, None))
            line, complete, *carried = twin_of(task)(rules, (root, None), monitor=monitor, **task.plain())
            kept = tuple(keeping.pool.sequences)
        elif fast is None:
            monitor = Monitor(signal, task.budget, task.target)
            line, complete, *carried = twin_of(task)(self._rules, root, monitor=monitor, **task.plain())
        else:
            monitor = Meter(signal, task.budget, task.target)
            line, complete, *carried = fast(self._bound, root, monitor=monitor, **task.plain())
        sequence = None
        if line is not None:
            sequence = Sequence(line.score, (*task.prefix, *line.moves), tuple(line.codes))
        return Outcome(
            sequence=sequence,
            playouts=monitor.count(),
            improvements=tuple(monitor.improvements),
            finished=complete,
            reached_target=bool(signal.control[HALT] == HALT_TARGET),
            kept=kept,
            value=carried[0] if carried else None,
        )

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""
        fast, root = self._fast(task), self._state_after(task.prefix)
        if fast is None:
            return task.from_twin(twin_of(task)(self._rules, root, **task.plain()))
        return task.from_twin(fast(self._bound, root, **task.plain()))

    def repeat(self, task: Task, keys: Several[int], signal: Signal) -> None:
        """Nothing is gained by computing many runs together."""

    def _fast(self, task: Task) -> Any:
        """The function that computes a task at speed, or None."""
        return None if self._by_twins else fast_twin(task.twin)

    def has(self, function: str) -> bool:
        """Whether the problem defines a function that it may leave out."""
        return hasattr(self._problem, function)

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        return tuple(self._rules.moves(self._state_after(moves)))

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
        state = self._state_after(moves)
        return self._rules.value(state), tuple(self._rules.moves(state))

    def _state_after(self, moves: Moves) -> Any:
        return _followed(self._problem, self._problem.start(), self._rules, moves)


def twin_of(task: Task) -> Any:
    """The function in plain Python that computes a task."""
    return load_twin(task.twin, task.search)


def load_twin(name: str | None, search: Any) -> Any:
    """The function in plain Python that ``module:function`` names; a search need not have one.

    >>> load_twin("rookery.reference.flat:search", None).__name__
    'search'
    """
    if name is None:
        kind = type(search).__name__
        raise InputError(f"{kind} searches compiled problems only: it names no twin in plain Python")
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


class PythonGameEngine:
    """Workers for a game whose state is a Python object."""

    def __init__(self, game: PythonGame, debug: bool = False) -> None:
        self.problem = game

    def worker(self) -> PythonGameWorker:
        """A worker of its own."""
        return PythonGameWorker(self.problem)


class _Budget:
    """Playouts and seconds of a search, and the signal that may stop it."""

    def __init__(self, search: GameSearch, signal: Signal, began: float) -> None:
        self._search, self._signal, self._began = search, signal, began

    def lasts(self) -> bool:
        """Whether one more playout may be played."""
        done, search = self._signal.playouts, self._search
        if self._signal.control[HALT] or (search.playouts is not None and done >= search.playouts):
            return False
        return search.seconds is None or done == 0 or time.perf_counter() - self._began < search.seconds

    def count(self) -> None:
        """One more was played."""
        self._signal.control[PLAYOUTS] += 1


class PythonGameWorker:
    """Searches for moves in plain Python; what a :class:`rookery.engine.game_worker.GameWorker` does on records."""

    def __init__(self, game: PythonGame) -> None:
        self._game = game
        self._rules = GameRules(game)
        self._table = Table()
        self._filled_by: GameSearch | None = None  # the search whose positions the table has, and whose policy
        self._partner: PythonGameWorker | None = None

    def partner(self) -> PythonGameWorker:
        """A second worker, always the same: for the other side of a game, with a table of its own."""
        if self._partner is None:
            self._partner = PythonGameWorker(self._game)
        return self._partner

    def warm(self, search: GameSearch) -> None:
        """Nothing is compiled; a game that lacks something or has no move is refused, as is a search without a twin."""
        load_twin(search.twin, search)
        search.check_game(self._game)
        if not self._rules.moves(self._rules.start()):
            raise InputError("the game is over after 0 moves")

    def forget(self) -> None:
        """Empty the table, as every search does unless it reuses what was found before; nothing is kept for it."""
        self._table = Table()
        self._filled_by = None

    def decide(self, search: GameSearch, moves: Moves, key: int, signal: Signal | None = None) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        began = time.perf_counter()
        signal = Signal() if signal is None else signal
        signal.control[PLAYOUTS] = 0
        root = self._state_after(moves)
        if not self._rules.moves(root):
            raise InputError(f"the game is over after {len(moves)} moves")
        search.check_game(self._game)
        if search != self._filled_by:
            self.forget()
        elif not search.reuses():
            self._table.clear()
        self._filled_by = search
        before = self._table.reclaimed
        budget = _Budget(search, signal, began)
        memory = (self._rules_from(moves), root, self._table, Stream(key), budget)
        found: Entry = load_twin(search.twin, search)(*memory, **search.twin_parameters())
        if signal.control[HALT]:
            return None
        counts = Counts(found.moves, found.tries, found.wins, found.settled, found.proven)
        made = search.decision(counts, signal.playouts, time.perf_counter() - began)
        gone = self._table.reclaimed - before
        return replace(made, reclaimed=gone) if gone else made

    def replay(self, moves: Moves) -> tuple[Moves, int, int | None]:
        """The legal moves after these moves, who is to move, and who has won if the game is over (-1: nobody)."""
        state = self._state_after(moves)
        legal = tuple(self._rules.moves(state))
        if legal:
            return legal, self._rules.player(state), None
        return legal, -1, self._rules.winner(state)

    def line(self, moves: Moves, most: int) -> Moves:
        """The moves that the last search thinks will follow these, at most so many; none if it keeps no positions."""
        rules, state = self._rules_from(moves), self._state_after(moves)
        line: Moves = ()
        settled_rank = {WON: 1, LOST: -1}
        while len(line) < most:
            entry = self._table.get(rules.key(state, line))
            if entry is None or not any(entry.tries):
                break
            tried = [i for i, tries in enumerate(entry.tries) if tries]
            move = entry.moves[max(tried, key=lambda i: (settled_rank.get(entry.settled[i], 0), entry.tries[i]))]
            if move not in rules.moves(state):  # the table knows positions, not how long a game may be
                break
            line = (*line, move)
            state = rules.play(state, move)
        return line

    def _rules_from(self, moves: Moves) -> GameRules:
        """The rules, for a search that begins after these moves."""
        of = getattr(self._game, "of", None)  # a compiled game, interpreted: its limits hold
        return GameRules(self._game, None if of is None else of.limits().length - len(moves), tuple(moves))

    def _state_after(self, moves: Moves) -> Any:
        return _followed(self._game, self._rules.start(), self._rules, moves)


def _followed(of: Any, state: Any, rules: Any, moves: Moves) -> Any:
    """The state after these moves from a state, each checked to be legal."""
    for ply, move in enumerate(moves):
        if move not in rules.moves(state):
            raise InputError(f"move {ply + 1} must be legal in {type(of).__name__}, got {shown(move)}")
        state = rules.play(state, move)
    return state
