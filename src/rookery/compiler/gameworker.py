"""Searches for moves of a compiled game, in memory of its own."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rookery.compiler import buffers
from rookery.compiler.buffers import BUDGET, CODES_MOST, DETAIL, LENGTH_MOST, MOVES_MOST, PLAYOUTS, PLY
from rookery.compiler.engine import CompiledEngine
from rookery.compiler.faults import broken_promise, located
from rookery.compiler.gamememory import grown, new_game_trace, new_positions
from rookery.compiler.gamererun import GameRerun
from rookery.compiler.workspace import legal_width, new_run, poisoned
from rookery.decision import Decision
from rookery.errors import InputError, ProblemError, RookeryError
from rookery.game import Game
from rookery.places import place_of
from rookery.search.flat import FlatMC, make_flat
from rookery.search.game_replay import make_game_replay
from rookery.search.game_uct import GameUCT, make_ppa, make_uct
from rookery.search.parameters import shown
from rookery.search.positions import MOVES, POSITIONS, SEARCH
from rookery.search.ppa import PPA
from rookery.tasks import UNLIMITED, Moves, Signal

GameSearch = GameUCT | PPA | FlatMC

FIRST_SLICE, SLICE_SECONDS = 16, 0.01
"""With a limit of time, playouts before the first look at the clock, and how long they may take later."""
MOST_STAMP = (1 << 32) - 1


class GameEngine(CompiledEngine):
    """Workers for one compiled game."""

    def __init__(self, game: Game, debug: bool = False) -> None:
        super().__init__(game, debug)
        if self.limits.codes == "hashed":
            advice = "codes of a game are 0..codes-1: declare how many there are"
            raise ProblemError(place_of(game, "limits").says('declares codes="hashed"', advice))

    def worker(self) -> GameWorker:  # type: ignore[override]
        """A worker with memory of its own."""
        return GameWorker(self)


class GameWorker:
    """Searches for moves in memory of its own."""

    def __init__(self, engine: GameEngine) -> None:
        self._engine = engine
        limits = engine.limits
        self._states = engine.states(2)
        self._out = np.zeros(legal_width(limits), np.int64)
        self._positions = new_positions(limits, 1 << 10)
        self._trace = new_game_trace(limits)
        self._run = new_run(limits, 1)
        self._warmed: set[str] = set()
        self._filled_by: GameSearch | None = None  # the search whose positions the table has
        if engine.debug:
            poisoned(self._out)
            poisoned(self._trace.out)

    def decide(self, search: GameSearch, moves: Moves, key: int, signal: Signal | None = None) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        if search.name not in self._warmed:
            self.warm(search)  # the time to compile is not that of the search
        began = time.perf_counter()
        signal = Signal() if signal is None else signal
        legal, _, _ = self.replay(moves)
        if not legal:
            raise InputError(f"the game is over after {len(moves)} moves")
        self._reset(len(moves), signal)
        if isinstance(search, FlatMC):
            decision = self._flat(search, legal, key, signal, began)
        else:
            decision = self._tree(search, legal, key, signal, began)
        return decision

    def warm(self, search: GameSearch) -> None:
        """Compile what a search needs, or read it from disk."""
        if not self.replay(())[0]:
            raise InputError("the game is over after 0 moves")
        self._reset(0, Signal())
        name, make, arguments = self._flat_call(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1), 0, True)
        if not isinstance(search, FlatMC):
            name, make, arguments = self._tree_call(search, 0, True)
        self._engine.warm(name, make, *arguments)
        self._warmed.add(search.name)

    def _reset(self, ply: int, signal: Signal) -> None:
        control = signal.control
        limits = self._engine.limits
        control[PLAYOUTS], control[BUDGET] = 0, 0
        control[LENGTH_MOST], control[MOVES_MOST] = limits.length - ply, limits.moves
        control[CODES_MOST] = int(limits.codes)
        self._run = self._run._replace(control=control)
        self._ply = ply

    # --- searches ---

    def _flat_call(self, legal: Any, tries: Any, wins: Any, key: int, fresh: bool) -> tuple[str, Any, tuple[Any, ...]]:
        engine = self._engine
        memory = (engine.constants, self._states, legal, tries, wins, self._trace, self._run)
        return "flat", make_flat, (np.uint64(key), fresh, *memory)

    def _flat(self, search: FlatMC, legal: Moves, key: int, signal: Signal, began: float) -> Decision | None:
        moves = np.array(legal, np.int64)
        tries, wins = np.zeros(moves.size, np.int64), np.zeros(moves.size)

        def go_on(fresh: bool) -> int:
            return int(self._call(*self._flat_call(moves, tries, wins, key, fresh)))

        if not self._within(search, signal, began, go_on):
            return None
        means = [float(w / t) if t else None for w, t in zip(wins, tries, strict=True)]
        best = max(range(len(legal)), key=lambda i: wins[i] / tries[i] if tries[i] else -1.0)
        return _decision(legal, best, tries, means, signal, began)

    def _tree_call(self, search: GameUCT | PPA, key: int, fresh: bool) -> tuple[str, Any, tuple[Any, ...]]:
        learns = isinstance(search, PPA)
        unvisited = np.inf if isinstance(search.unvisited, str) else float(search.unvisited)
        arguments = (
            *(np.uint64(key), fresh, self._engine.constants, self._states, self._positions, self._trace, self._run),
            *(search.c, search.alpha if isinstance(search, PPA) else 0.0),
            *(search.solver, search.unvisited == "random", unvisited),
        )
        name = "ppa" if learns else "game_uct"
        return name, (make_ppa if learns else make_uct), arguments

    def _tree(self, search: GameUCT | PPA, legal: Moves, key: int, signal: Signal, began: float) -> Decision | None:
        if not search.reuse or search != self._filled_by:
            self.forget()
        self._filled_by = search

        root = 0

        def go_on(fresh: bool) -> int:
            nonlocal root
            status, root = self._call(*self._tree_call(search, key, fresh))
            while status == buffers.FULL:
                self._positions = grown(self._positions, self._engine.limits)
                status, root = self._call(*self._tree_call(search, key, False))
            return int(status)

        if not self._within(search, signal, began, go_on):
            return None
        return self._chosen(root, legal, signal, began)

    def forget(self) -> None:
        """Empty the table, as every search does unless it reuses what was found before."""
        self._filled_by = None
        size = self._positions.size
        if size[SEARCH] == MOST_STAMP:
            self._positions.slot_stamp[:] = 0
            size[SEARCH] = 0
        size[SEARCH] += 1
        size[POSITIONS], size[MOVES] = 0, 0

    def _chosen(self, root: int, legal: Moves, signal: Signal, began: float) -> Decision:
        table = self._positions
        n, first = len(legal), int(table.first[root])
        listed = table.breadth[root] > 0  # not after a single playout, which is that of the root itself
        tries = table.tries[first : first + n] if listed else np.zeros(n, np.int32)
        wins = table.wins[first : first + n] if listed else np.zeros(n)
        settled = table.settled[first : first + n] if listed else np.zeros(n, np.int8)
        means = [float(w / t) if t else None for w, t in zip(wins, tries, strict=True)]
        best = max(range(n), key=lambda i: (int(settled[i]), int(tries[i])))
        proven: Any = {1: "win", -1: "loss", 0: None}[int(table.proven[root])]
        return _decision(legal, best, tries, means, signal, began, proven)

    def _within(self, search: GameSearch, signal: Signal, began: float, go_on: Any) -> bool:
        """Search in slices until the budget is used up; False if it was stopped."""
        control = signal.control
        most = UNLIMITED if search.playouts is None else search.playouts
        control[BUDGET] = most if search.seconds is None else min(most, FIRST_SLICE)
        fresh = True
        while True:
            status = go_on(fresh)
            fresh = False
            self._check(status, signal)
            done = int(control[PLAYOUTS])
            if status == buffers.STOPPED:
                return False
            if done >= most or done < control[BUDGET]:  # fewer than asked for: the move is decided
                return True
            assert search.seconds is not None
            spent = time.perf_counter() - began
            if spent >= search.seconds:
                return True
            slice_seconds = min(SLICE_SECONDS, search.seconds - spent)
            control[BUDGET] = min(most, done + max(1, int(done / spent * slice_seconds)))

    # --- positions ---

    def replay(self, moves: Moves) -> tuple[Moves, int, int | None]:
        """The legal moves after these moves, who is to move, and who has won if the game is over (-1: nobody)."""
        for move in moves:
            if isinstance(move, bool) or not isinstance(move, (int, np.integer)) or not 0 <= move < 2**63:
                raise InputError(f"moves must be whole numbers of at least 0, got {shown(move)}")
        signal = Signal()
        self._reset(0, signal)
        self._states[0] = np.zeros((), self._states.dtype)
        sequence = np.array(moves, np.int64)
        arguments = (self._engine.constants, self._states, sequence, self._out, signal.control)

        def rerun(by: GameRerun) -> Any:
            return by.replay(moves)

        status, n, player, winner = self._call("replay", make_game_replay, arguments, rerun)
        if status == buffers.ILLEGAL_MOVE:
            ply = int(signal.control[DETAIL])
            name = type(self._engine.problem).__name__
            raise InputError(f"move {ply + 1} must be legal in {name}, got {shown(moves[ply])}")
        self._check(status, signal, rerun)
        return tuple(map(int, self._out[:n])), int(player), None if n else int(winner)

    # --- faults ---

    def _again(self, by: GameRerun) -> Any:
        """The fault of the last playout."""
        steps = int(self._run.control[PLY]) + 1  # the last of them may be of an older playout
        return by.game(self._states[0], self._trace.moves[:steps], self._ply, self._trace.rng)

    def _check(self, status: int, signal: Signal, rerun: Any = None) -> None:
        if status in (buffers.OK, buffers.STOPPED):
            return
        fault = (rerun or self._again)(GameRerun(self._game))
        raise broken_promise(self._engine.problem, status, int(signal.control[DETAIL]), fault)

    @property
    def _game(self) -> Game:
        game = self._engine.problem
        assert isinstance(game, Game)
        return game

    def _call(self, name: str, make: Any, arguments: tuple[Any, ...], rerun: Any = None) -> Any:
        try:
            return self._engine.call(name, make, *arguments)
        except RookeryError:
            raise
        except Exception as error:
            fault = (rerun or self._again)(GameRerun(self._game, divide=isinstance(error, ZeroDivisionError)))
            raise located(error, fault) from None


def _decision(
    legal: Moves, best: int, tries: Any, means: Any, signal: Signal, began: float, proven: Any = None
) -> Decision:
    return Decision(
        move=legal[best],
        visits=dict(zip(legal, map(int, tries), strict=True)),
        values=dict(zip(legal, means, strict=True)),
        playouts=int(signal.control[PLAYOUTS]),
        seconds=time.perf_counter() - began,
        proven=proven,
    )
