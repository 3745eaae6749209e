"""Searches for moves of a compiled game, in its own memory."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from rookery.control import BUDGET, CODES_MOST, FULL, LENGTH_MOST, MOVES_MOST, PLAYOUTS, PLY, STOPPED, Signal
from rookery.engine.compiled import Caller, CompiledEngine, whole_moves
from rookery.engine.faults import Fault, GameRerun
from rookery.errors import InputError, ProblemError
from rookery.game import Game
from rookery.kernels.buffers import GameTrace, Positions, RootMoves
from rookery.kernels.game_line import make_game_line
from rookery.kernels.game_playout import make_game_replay
from rookery.kernels.memory import legal_width, new_assignment, poisoned
from rookery.kernels.position_memory import (
    check_fits,
    default_nodes,
    grown,
    new_game_trace,
    new_positions,
    new_root_moves,
    reclaim,
)
from rookery.kernels.positions import MOST, MOVES, POSITIONS, ROWS, SEARCH
from rookery.search.game_search import Counts, Decision, GameSearch
from rookery.tasks import UNLIMITED, Moves
from rookery.user_code import place_of

FIRST_SLICE, SLICE_SECONDS = 16, 0.01
"""With a time limit: playouts before the first look at the clock, and seconds between later ones."""
GROWTH = 3.0
"""How much longer than the last time a table may take to grow: it is twice as large, and the machine may be busy."""
MOST_STAMP = (1 << 32) - 1
FIRST_POSITIONS = 1 << 10
"""What a new table has room for."""


class GameEngine(CompiledEngine):
    """Workers for one compiled game."""

    def __init__(self, game: Game, debug: bool = False) -> None:
        super().__init__(game, debug)
        if self.limits.codes == "hashed":
            advice = "codes of a game are 0..codes-1: declare how many there are"
            raise ProblemError(place_of(game, "limits").says('declares codes="hashed"', advice))

    def worker(self) -> GameWorker:  # type: ignore[override]
        """A worker with its own memory."""
        return GameWorker(self)


class GameWorker(Caller):
    """Searches for moves in its own memory."""

    rerun = GameRerun
    _engine: GameEngine

    def __init__(self, engine: GameEngine) -> None:
        super().__init__(engine)
        limits = engine.limits
        self._states = engine.states(2)
        self._out = np.zeros(legal_width(limits), np.int64)
        self._tables: dict[int, Positions] = {}  # by the number of AMAF values of a position
        self._needs: dict[GameSearch, tuple[int, int, int]] = {}  # codes, AMAF values, nodes; of those compiled
        self._width = 0
        self._nodes = 0  # the most positions of the search
        self._reclaimed = 0  # positions that it has dropped
        self._traces: dict[int, GameTrace] = {}  # by the number of codes that a search tells apart
        self._trace = self._trace_for(int(limits.codes))
        self._run = new_assignment(1)
        self._ply = 0  # of states[0]
        self._growing = 0.0  # seconds that the table took to grow the last time
        self._filled_by: GameSearch | None = None  # the search whose positions the table has, and whose policy
        self._partner: GameWorker | None = None
        if engine.debug:
            poisoned(self._out)

    def partner(self) -> GameWorker:
        """A second worker, always the same: for the other side of a game, with a table of its own."""
        if self._partner is None:
            self._partner = GameWorker(self._engine)
        return self._partner

    def decide(self, search: GameSearch, moves: Moves, key: int, signal: Signal | None = None) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        if search not in self._needs:
            self.warm(search)  # time to compile does not count as time of the search
        began = time.perf_counter()
        signal = Signal() if signal is None else signal
        legal, _, _ = self.replay(moves)
        if not legal:
            raise InputError(f"the game is over after {len(moves)} moves")
        kept = search == self._filled_by
        if not kept or not search.reuses():
            self.forget()
        self._filled_by = search
        self._prepare(search)
        if not kept and search.remembers():
            self._trace.weight[:], self._trace.factor[:] = 0.0, 1.0
        self._reset(len(moves), signal)
        root = new_root_moves(legal)
        if not self._search(search, root, key, signal, began):
            return None
        counts = (root.tries.tolist(), root.wins.tolist(), root.settled.tolist())
        playouts = signal.playouts
        made = search.decision(Counts(legal, *counts, int(root.proven[0])), playouts, time.perf_counter() - began)
        return replace(made, reclaimed=self._reclaimed) if self._reclaimed else made

    def warm(self, search: GameSearch) -> None:
        """Compile what a search needs, or read it from disk; a game that lacks something is refused."""
        search.check_game(self._engine.problem)
        legal, _, _ = self.replay(())
        if not legal:
            raise InputError("the game is over after 0 moves")
        self._reset(0, Signal())
        self._needs[search] = self._needs_of(search)
        self._prepare(search)
        self._engine.warm(*search.compiled(), *self._arguments(search, new_root_moves(legal), 0, True))

    def forget(self) -> None:
        """Empty the table, as every search does unless it reuses what was found before; nothing is kept for it."""
        self._filled_by = None
        for table in self._tables.values():
            size = table.size
            if size[SEARCH] == MOST_STAMP:
                table.slot_stamp[:] = 0
                size[SEARCH] = 0
            size[SEARCH] += 1
            size[POSITIONS], size[MOVES], size[ROWS] = 0, 0, 0

    def replay(self, moves: Moves) -> tuple[Moves, int, int | None]:
        """The legal moves after these moves, who is to move, and who has won if the game is over (-1: nobody)."""
        sequence = whole_moves(moves, 0, "whole numbers of at least 0")
        signal = Signal()
        self._reset(0, signal)
        self._states[0] = np.zeros((), self._states.dtype)
        arguments = (self._engine.constants, self._states, sequence, self._out, signal.control)
        status, n, player, winner = self._call(lambda by: by.replay(moves), "replay", make_game_replay, *arguments)
        self._check_replay(status, signal.control, moves)
        return tuple(map(int, self._out[:n])), int(player), None if n else int(winner)

    def line(self, moves: Moves, most: int) -> Moves:
        """The moves that the last search thinks will follow these, at most so many; none if it keeps no positions."""
        self.replay(moves)
        if self._width not in self._tables:
            return ()
        line = np.zeros(most, np.int64)
        arguments = (self._engine.constants, self._states, self._positions, line, self._out)
        length = self._call(lambda by: by.replay(moves), "line", make_game_line, *arguments)
        return tuple(map(int, line[:length]))

    # --- one search ---

    @property
    def _positions(self) -> Positions:
        """The table of the search."""
        return self._tables[self._width]

    def _needs_of(self, search: GameSearch) -> tuple[int, int, int]:
        """Codes that a search tells apart, AMAF values of a position, and the most positions; these must fit."""
        limits, nodes = self._engine.limits, search.most_nodes()
        width = search.width(limits)
        nodes = default_nodes(limits, width) if nodes is None else nodes
        check_fits(limits, nodes if search.playouts is None else min(nodes, search.playouts), width)
        return search.codes(limits), width, nodes

    def _prepare(self, search: GameSearch) -> None:
        """Have the memory that a search needs."""
        codes, self._width, self._nodes = self._needs[search]
        self._trace = self._trace_for(codes)
        if self._width not in self._tables:
            self._tables[self._width] = new_positions(self._engine.limits, FIRST_POSITIONS, self._width)
            self._tables[self._width].size[SEARCH] = 1  # slots of the search before it are empty
        table = self._positions
        table.size[MOST] = min(table.first.size, self._nodes)
        self._reclaimed = 0

    def _trace_for(self, codes: int) -> GameTrace:
        """Where a search that tells this many codes apart keeps its playouts and its policy."""
        if codes not in self._traces:
            self._traces[codes] = new_game_trace(self._engine.limits, codes)
            if self._engine.debug:
                poisoned(self._traces[codes].out)
        return self._traces[codes]

    def _reset(self, ply: int, signal: Signal) -> None:
        control = signal.control
        limits = self._engine.limits
        control[PLAYOUTS], control[BUDGET] = 0, 0
        control[LENGTH_MOST], control[MOVES_MOST] = limits.length - ply, limits.moves
        control[CODES_MOST] = int(limits.codes)
        self._run = self._run._replace(control=control)
        self._ply = ply

    def _arguments(self, search: GameSearch, root: RootMoves, key: int, fresh: bool) -> tuple[Any, ...]:
        memory = (self._engine.constants, self._states, root, self._trace, self._run)
        return np.uint64(key), fresh, *memory, *search.arguments(self._positions)

    def _search(self, search: GameSearch, root: RootMoves, key: int, signal: Signal, began: float) -> bool:
        """Search in slices until the budget is used up; False if it was stopped."""
        control = signal.control
        most = UNLIMITED if search.playouts is None else search.playouts
        control[BUDGET] = most if search.seconds is None else min(most, FIRST_SLICE)
        fresh = True
        while True:
            status = self._call(self._again, *search.compiled(), *self._arguments(search, root, key, fresh))
            fresh = False
            if status == FULL and self._makes_room(search.seconds, root, began):
                continue
            if status == FULL:
                most = control[BUDGET] = control[PLAYOUTS]  # nothing more is played: what was counted is reported
                continue
            self._check(status, control, self._again)
            if status == STOPPED:
                return False
            done = int(control[PLAYOUTS])
            if done >= most or done < control[BUDGET]:  # fewer than asked for: the move is decided
                return True
            assert search.seconds is not None
            spent = time.perf_counter() - began
            if spent >= search.seconds:
                return True
            slice_seconds = min(SLICE_SECONDS, search.seconds - spent)
            control[BUDGET] = min(most, done + max(1, int(done / spent * slice_seconds)))

    def _makes_room(self, seconds: float | None, root: RootMoves, began: float) -> bool:
        """Give the table twice the room, or drop half of it; False if that would take longer than there is time."""
        if seconds is not None and time.perf_counter() - began + GROWTH * self._growing > seconds:
            return False
        before = time.thread_time()  # what it costs, however busy the machine is at this moment
        table = self._positions
        if table.size[POSITIONS] == self._nodes:
            self._reclaimed += reclaim(table, self._nodes, int(root.at[0]))
        else:
            self._tables[self._width] = grown(table, self._engine.limits, self._nodes)
        self._growing = time.thread_time() - before
        return True

    def _again(self, by: GameRerun) -> Fault | None:
        """The fault of the last playout."""
        steps = int(self._run.control[PLY]) + 1  # the last of them may come from an older playout
        return by.game(self._states[0], self._trace.moves[:steps], self._ply, self._trace.rng)
