"""The memory that kernels work in, and the words in which they answer.

Everything is allocated outside compiled code (see :mod:`rookery.kernels.memory`) and passed in bundles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

# The state in which playouts by mobility try moves, after those of all levels.
TRIAL = -1

# Streams of Assignment.rng: of the playouts of NRPA, of other playouts, as one was before a playout by choose.
WEIGHTED_STREAM, PLAYOUT_STREAM, STREAM_BEFORE = 1, 0, -1

# Cells of Policy.clock.
STAMPS, INTERNED = 0, 1

# Cells of Candidates.size.
KEPT, GIVEN = 0, 1

# Where a Tree has no node; the cell of Tree.size.
NO_NODE = -1
NODES = 0


class Policy(NamedTuple):
    """Weights by id (the dense code, or the slot of a hashed one); shapes: I ids, L levels."""

    weight: npt.NDArray[np.float64]  # [I]
    factor: npt.NDArray[np.float64]  # [I] exp(weight), or exp(weight / tau)
    stamp: npt.NDArray[np.uint32]  # [I] the count over sets of ids in which the id was seen last
    levels: npt.NDArray[np.uint32]  # [I] bit l: level l has logged the id
    touched: npt.NDArray[np.uint32]  # [I+1] ids of a policy that is loaded
    scratch: npt.NDArray[np.float64]  # [I+1]
    log_id: npt.NDArray[np.uint32]  # [L, I+1]
    log_weight: npt.NDArray[np.float64]  # [L, I+1]
    log_factor: npt.NDArray[np.float64]  # [L, I+1]
    log_size: npt.NDArray[np.int64]  # [L]
    clock: npt.NDArray[np.int64]  # [2] STAMPS: sets of ids counted so far; INTERNED: hashed codes in the table
    slot_code: npt.NDArray[np.uint64]  # [I] hashed codes only; 0: empty
    inserted: npt.NDArray[np.uint32]  # [I/2] slots in the order of insertion
    tau: float = 1.0  # the temperature, for kernels made for one
    bias_scale: float = 1.0  # what biases are multiplied by, for kernels made for it
    learned: Any = ()  # the BiasWeights, for kernels that learn them


class BiasWeights(NamedTuple):
    """Weights of biases that are learned; shapes: F biases, L levels, R rows of C codes as in a trace, B pairs."""

    weight: npt.NDArray[np.float64]  # [F]
    before: npt.NDArray[np.float64]  # [L, F] as they were when a level began
    values: npt.NDArray[np.float64]  # [R, C, F] the biases of the moves that were legal
    kept: npt.NDArray[np.float64]  # [2B, F] those of the pairs of a beam


class Trace(NamedTuple):
    """Playouts with the codes that were legal at each step; shapes: R rows, C codes in a row, N steps."""

    codes: npt.NDArray[Any]  # [R, C] uint32 (dense) or uint64 (hashed)
    ids: npt.NDArray[np.uint32]  # [R, C] the same array as codes when dense
    factors: npt.NDArray[np.float64]  # [R, C] exp(bias); [R, 1] without bias
    ends: npt.NDArray[np.int64]  # [R, N] where the codes of a step end
    chosen: npt.NDArray[np.int64]  # [R, N] where the chosen code stands
    totals: npt.NDArray[np.float64]  # [R, N] sum of the weights of a step, under the policy that it was played by
    moves: npt.NDArray[np.int64]  # [R, N]
    lengths: npt.NDArray[np.int64]  # [R]
    scores: npt.NDArray[np.float64]  # [R]
    touched: npt.NDArray[np.uint32]  # [R, C+1] the ids of the row, each once
    distinct: npt.NDArray[np.int64]  # [R] how many
    named: npt.NDArray[np.int64]  # [R] level that interned the codes of the row; 0: none
    fresh: npt.NDArray[np.bool_]  # [R] whether the totals of the row are those of the current policy
    row: npt.NDArray[np.int64]  # [R] the row of a level's best playout; [0]: of the last playout; then those of Pairs
    out: npt.NDArray[np.int64]  # [M + slack] legal moves
    cumulative: npt.NDArray[np.float64]  # [M + slack]
    layers: npt.NDArray[np.int64]  # [5, N] scratch of layers, by step or by move of a layer
    table: npt.NDArray[np.int64]  # [2 N or more] steps of a sequence, found by their moves


class Pairs(NamedTuple):
    """Pairs of a sequence and a policy; shapes: B pairs, I ids.

    The policies are kept by level 1 in one half of the places while those of the next iteration fill the other. The
    sequences stand in the last 2B rows of a trace: those of the pairs, then those that were played by their policies.
    """

    weight: npt.NDArray[np.float64]  # [2B, I+1] of the codes that level 1 has logged, in the order of its log
    factor: npt.NDArray[np.float64]  # [2B, I+1]
    size: npt.NDArray[np.int64]  # [2B] how many
    parent: npt.NDArray[np.int64]  # [B] the pair whose policy a pair begins with
    order: npt.NDArray[np.int64]  # [B] places of the best, the best first
    rows: npt.NDArray[np.int64]  # [2B] scratch: rows by place


class Lines(NamedTuple):
    """Sequences without codes; shapes: L levels, N steps, M moves. Each level has two rows."""

    moves: npt.NDArray[np.int64]  # [2L, N]
    lengths: npt.NDArray[np.int64]  # [2L]
    scores: npt.NDArray[np.float64]  # [2L]
    best: npt.NDArray[np.int64]  # [L] the row of a level's best line; [0]: of the last playout
    step: npt.NDArray[np.int64]  # [L] the row of the best line of a level's current step; [0]: of all playouts
    out: npt.NDArray[np.int64]  # [L, M + slack] legal moves of a level's state
    sampled: npt.NDArray[np.int64]  # [L, k] those that sample-k NMCS tries
    ratings: npt.NDArray[np.float64]  # [M + slack, or k] of the moves of a step, if only the best are tried


class Tree(NamedTuple):
    """The nodes of a search tree, the root first; shapes: P nodes, N steps. Children are a list, in order of time."""

    move: npt.NDArray[np.int64]  # [P] that leads to the node
    first: npt.NDArray[np.int32]  # [P] child; NO_NODE: none
    last: npt.NDArray[np.int32]  # [P] child
    next: npt.NDArray[np.int32]  # [P] child of the same parent
    visits: npt.NDArray[np.int32]  # [P] playouts through the node
    total: npt.NDArray[np.float64]  # [P] of their scores
    squares: npt.NDArray[np.float64]  # [P] of their scores, summed
    complete: npt.NDArray[np.bool_]  # [P] every move has a child
    path: npt.NDArray[np.int32]  # [N+1] nodes of the current playout
    size: npt.NDArray[np.int64]  # [1] nodes in use


class Positions(NamedTuple):
    """The transposition table of a game; shapes: S slots, E positions, M moves of all, A rows, N steps, R roots."""

    slot_key: npt.NDArray[np.uint64]  # [S]
    slot_stamp: npt.NDArray[np.uint32]  # [S] the search that filled the slot; of an older one: empty
    slot_position: npt.NDArray[np.int32]  # [S]
    first: npt.NDArray[np.int32]  # [E] where the moves of a position begin
    breadth: npt.NDArray[np.int32]  # [E] how many it has; 0: not listed yet, or none
    visits: npt.NDArray[np.int32]  # [E] how often a move was chosen there
    proven: npt.NDArray[np.int8]  # [E] 1: won for the player to move, -1: lost, 2: drawn, 0: not known
    row: npt.NDArray[np.int32]  # [E] its AMAF values; only if its moves are listed
    moves: npt.NDArray[np.int64]  # [M]
    codes: npt.NDArray[np.uint32]  # [M] with a policy only
    tries: npt.NDArray[np.int32]  # [M] how often the move was chosen
    wins: npt.NDArray[np.float64]  # [M] of the player who moves; a draw is half a win
    mean: npt.NDArray[np.float64]  # [M] wins / tries
    shrink: npt.NDArray[np.float64]  # [M] 1 / sqrt(tries)
    settled: npt.NDArray[np.int8]  # [M] 1: the move wins, -1: it loses, 2: it draws, 0: not known
    hint: npt.NDArray[np.float64]  # [M] what the game thinks of the move, if a search asks for it
    amaf: npt.NDArray[np.uint64]  # [A, 2 C] by player and code: playouts that played it, and 2**32 times twice its wins
    path: npt.NDArray[np.int32]  # [2, N] positions of the current playout and the moves chosen there
    movers: npt.NDArray[np.int8]  # [N] who was to move
    roots: npt.NDArray[np.float64]  # [2, R] sqrt(log(t)) and 1 / sqrt(t), filled when first needed
    scratch: npt.NDArray[np.float64]  # [M of one position] values of its moves
    c: npt.NDArray[np.float64]  # [1] how much is explored
    size: npt.NDArray[np.int64]  # [5] the current search; positions, moves and rows in use; the most positions


class RootMoves(NamedTuple):
    """What a search has found of the moves at its root; shape: M moves."""

    moves: npt.NDArray[np.int64]  # [M]
    tries: npt.NDArray[np.int64]  # [M] playouts that began with the move
    wins: npt.NDArray[np.float64]  # [M] of the player who moves; a draw is half a win
    settled: npt.NDArray[np.int8]  # [M] 1: the move wins, -1: it loses, 2: it draws, 0: not known
    proven: npt.NDArray[np.int8]  # [1] the same of the root itself
    at: npt.NDArray[np.int64]  # [1] where the root is in a table that is full


class GameTrace(NamedTuple):
    """A playout of a game, the codes it chose from, and a policy for each player; shapes: C codes, K weights."""

    moves: npt.NDArray[np.int64]  # [N]
    movers: npt.NDArray[np.int8]  # [N]
    codes: npt.NDArray[np.uint32]  # [C]
    ends: npt.NDArray[np.int64]  # [N] where the codes of a step end
    chosen: npt.NDArray[np.uint32]  # [N] the code that was played
    totals: npt.NDArray[np.float64]  # [N] sum of the factors of a step
    weight: npt.NDArray[np.float64]  # [2, K]
    factor: npt.NDArray[np.float64]  # [2, K] exp(weight)
    seen: npt.NDArray[np.float64]  # [2, K] how often a code was played, if a search counts that
    out: npt.NDArray[np.int64]  # [M + slack]
    cumulative: npt.NDArray[np.float64]  # [M + slack]
    rng: npt.NDArray[np.uint64]  # [4] the stream as it was before a game's own playout
    cut: npt.NDArray[np.int64]  # [1] moves after which a playout is estimated
    value: npt.NDArray[np.float64]  # [1] the estimate: the first player's share


class Candidates(NamedTuple):
    """The best sequences of a task, one of each signature; shapes: K rows and one that is free, N steps."""

    order: npt.NDArray[np.int64]  # [K+1] rows, the best first; behind them the free ones
    size: npt.NDArray[np.int64]  # [2] KEPT: rows in use; GIVEN: moves between the first of the run and the task
    scores: npt.NDArray[np.float64]  # [K+1]
    signatures: npt.NDArray[np.uint64]  # [K+1]
    lengths: npt.NDArray[np.int64]  # [K+1]
    moves: npt.NDArray[np.int64]  # [K+1, N]
    codes: npt.NDArray[np.uint64]  # [K+1, N]
    states: npt.NDArray[Any]  # [2] where the run begins; to play on
    prefix: npt.NDArray[np.int64]  # [N] the moves from there to where the task begins
    out: npt.NDArray[np.int64]  # [M + slack] legal moves
    exact: bool  # whether a signature is of all codes of a sequence


class Assignment(NamedTuple):
    """What a task is given, and what it reports while it runs."""

    control: npt.NDArray[np.int64]  # see HALT ... DETAIL
    rng: npt.NDArray[np.uint64]  # [L+1, 4] a stream per level; last: at the start of a playout by choose
    iterations: npt.NDArray[np.int64]  # [L]
    ties: npt.NDArray[np.float64]  # [L] -1: ">=", 1: ">", else the fraction
    alpha: float
    target: float
    improved_at: npt.NDArray[np.int64]  # playouts of the task at each improvement
    improved_to: npt.NDArray[np.float64]
    pool: Any = ()  # a Candidates, if the task keeps candidates
    own: Any = ()  # the numbers among the parameters of a user's own search, by name
    playouts_per_adapt: int = 1  # at level 1, for kernels made for several
    pairs: Any = ()  # the Pairs of a beam at level 1, for kernels made for one
