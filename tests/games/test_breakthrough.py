"""Breakthrough and misere Breakthrough: the rules are OpenSpiel's and those of an oracle, small boards are solved."""

from __future__ import annotations

import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.games.breakthrough import Breakthrough, MisereBreakthrough
from rookery.rng import Stream
from squares_by_hand import PAWN, Men, assert_keys_tell_positions_apart, game_perft, perft, solver, step_name

WORDS = {1: (8, 8), 2: (9, 9), 4: (16, 16)}
"""A board for each number of words that the compiled state may have."""


def mirrored(text: str, height: int) -> str:
    """A move as OpenSpiel writes it, whose first player goes down the board."""
    return "".join(f"{square[0]}{height + 1 - int(square[1:])}" for square in text.split("-"))


def board_of(pieces: dict[int, int], width: int, height: int) -> list[str]:
    """The rows of the board as OpenSpiel writes them."""
    letters = {0: "b", 1: "w", None: "."}
    return ["".join(letters[pieces.get(r * width + c)] for c in range(width)) for r in range(height)]


@pytest.mark.parametrize("size", [(6, 6), (8, 8), (5, 7), (9, 6), (2, 6), (9, 9)], ids=str)
@pytest.mark.parametrize("cls", [Breakthrough, MisereBreakthrough])
def test_random_games_are_those_of_openspiel(cls, size):
    width, height = size
    name = f"breakthrough(rows={height},columns={width})"
    theirs = pyspiel.load_game(name if cls is Breakthrough else f"misere(game={name})")
    game = cls(width, height)
    ours = InterpretedGame(game)
    chance = random.Random(width * height)
    for _ in range(4):
        state, their_state, moves = ours.start(), theirs.new_initial_state(), []
        while not their_state.is_terminal():
            actions = {their_state.action_to_string(a).rstrip("*"): a for a in their_state.legal_actions()}
            legal = {mirrored(game.describe_move(move), height): move for move in ours.moves(state)}
            assert legal.keys() == actions.keys()
            assert ours.player(state) == their_state.current_player()
            chosen = chance.choice(sorted(legal))
            ours.play(state, legal[chosen])
            their_state.apply_action(actions[chosen])
            moves.append(legal[chosen])
        assert ours.moves(state) == []
        assert ours.winner(state) == (0 if their_state.returns()[0] > 0 else 1)
        rows = [line.lstrip("0123456789") for line in str(their_state).splitlines()[:height]]
        assert board_of(game.pieces_after(moves), width, height) == rows
        assert len(moves) <= game.limits().length


@pytest.mark.parametrize("size", [(2, 4), (4, 4), (5, 5), (16, 4), (8, 8)], ids=str)
@pytest.mark.parametrize("cls", [Breakthrough, MisereBreakthrough])
def test_random_games_are_those_of_the_oracle(cls, size):
    game, chance = cls(*size), random.Random(1)
    ours = InterpretedGame(game)
    for _ in range(4):
        state, oracle = ours.start(), Men.start(*size, PAWN)
        while legal := {game.describe_move(move): move for move in ours.moves(state)}:
            steps = {step_name(step): step for step in oracle.moves()}
            assert legal.keys() == steps.keys()
            assert ours.player(state) == oracle.turn
            chosen = chance.choice(sorted(legal))
            ours.play(state, legal[chosen])
            oracle = oracle.play(steps[chosen])
        assert not list(oracle.moves())
        reached = any(row == size[1] - 1 for _, row in oracle.white) or any(row == 0 for _, row in oracle.black)
        assert reached or not (oracle.black if oracle.turn else oracle.white)
        assert ours.winner(state) == (1 - oracle.turn if cls is Breakthrough else oracle.turn)


def test_the_games_of_the_first_moves_are_as_many_as_the_oracle_counts():
    assert [perft(Men.start(8, 8, PAWN), depth) for depth in (1, 2, 3)] == [22, 484, 11132]
    assert [game_perft(Breakthrough(8, 8), depth) for depth in (1, 2, 3)] == [22, 484, 11132]


def test_the_games_of_a_small_board_are_as_many_as_the_oracle_counts():
    assert [game_perft(Breakthrough(3, 4), depth) for depth in (2, 4)] == [
        perft(Men.start(3, 4, PAWN), depth) for depth in (2, 4)
    ]


def test_moves_are_listed_by_direction_and_then_by_square():
    game = Breakthrough(5, 5)
    ours = InterpretedGame(game)
    moves = ours.moves(ours.start())
    assert [game.describe_move(move) for move in moves][:6] == ["b2-a3", "c2-b3", "d2-c3", "e2-d3", "a2-a3", "b2-b3"]
    assert moves == sorted(moves, key=lambda move: (move % 3, move))


@given(st.sampled_from([(2, 4), (5, 5), (8, 8), (9, 9), (16, 16)]), st.integers(0, 2**32))
def test_sample_draws_an_index_of_the_list(size, seed):
    ours = InterpretedGame(Breakthrough(*size))
    state, stream, twin = ours.start(), Stream(seed), Stream(seed)
    for _ in range(12):
        moves = ours.moves(state)
        if not moves:
            break
        move = ours.sample(state, stream)
        assert move == moves[twin.below(len(moves))]
        ours.play(state, move)


def test_sample_says_that_the_game_is_over():
    game = Breakthrough(4, 4)
    ours = InterpretedGame(game)
    state = ours.start()
    for text in ("b2xc3", "a3xb2", "c3xd4"):
        ours.play(state, game.read_move(text))
    assert ours.sample(state, Stream(1)) is None
    assert ours.winner(state) == 0


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Breakthrough(2, 5), Men.start(2, 5, PAWN))


@pytest.mark.parametrize("size", WORDS.values(), ids=str)
def test_compiled_playouts_are_the_interpreted_ones_for_any_number_of_words(size):
    game, search = Breakthrough(*size), rk.FlatMC(playouts=5)
    reference = PythonGameEngine(InterpretedGame(game)).worker().decide(search, (), 7)
    compiled = GameEngine(game).worker().decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert dict(compiled.values) == dict(reference.values)


@pytest.mark.parametrize(
    "size", [(4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9), (16, 4), (16, 8), (4, 16), (16, 16)], ids=str
)
def test_random_games_end_within_the_limits(size):
    decision = GameEngine(Breakthrough(*size)).worker().decide(rk.PPA(playouts=300), (), 1)
    assert decision is not None
    assert decision.playouts == 300


def test_random_games_are_as_long_as_reported():
    # 64.2 moves on 8x8 and 16.0 on 5x5, measured with another program
    for size, expected in ((8, 64.2), (5, 16.0)):
        ours, stream, games, steps = InterpretedGame(Breakthrough(size, size)), Stream(3), 60, 0
        for _ in range(games):
            state = ours.start()
            while (move := ours.sample(state, stream)) is not None:
                ours.play(state, move)
                steps += 1
        assert abs(steps / games - expected) < 0.1 * expected


@pytest.mark.parametrize("size", [(2, 4), (3, 4), (2, 5), (2, 6)], ids=str)
def test_search_finds_who_wins_a_small_board(size):
    winner = solver()(Men.start(*size, PAWN))
    worker = GameEngine(Breakthrough(*size)).worker()
    proof = worker.decide(rk.GameUCT(playouts=200_000, solver=True), (), 1)
    assert proof is not None
    assert proof.proven == ("win" if winner == 0 else "loss")


@pytest.mark.parametrize("size", [(2, 5), (3, 4), (2, 6)], ids=str)
def test_given_enough_playouts_a_winning_move_is_played(size):
    game, wins, oracle = Breakthrough(*size), solver(), Men.start(*size, PAWN)
    worker, moves = GameEngine(game).worker(), []
    loser = 1 - wins(oracle)
    while steps := {step_name(step): step for step in oracle.moves()}:
        if oracle.turn == loser:
            chosen = min(steps)
        else:
            decision = worker.decide(rk.GameUCT(playouts=20_000), tuple(moves), 1)
            assert decision is not None
            chosen = game.describe_move(decision.move)
            assert wins(oracle.play(steps[chosen])) == oracle.turn
        moves.append(game.read_move(chosen))
        oracle = oracle.play(steps[chosen])
    assert worker.replay(moves) == ((), oracle.turn, 1 - loser)


def test_the_misere_game_is_solved_like_the_oracle():
    wins = solver(misere=True)
    for size in ((2, 4), (3, 4), (2, 5)):
        worker = GameEngine(MisereBreakthrough(*size)).worker()
        proof = worker.decide(rk.GameUCT(playouts=200_000, solver=True), (), 1)
        assert proof is not None
        assert proof.proven == ("win" if wins(Men.start(*size, PAWN)) == 0 else "loss")
