"""Knightthrough and misere Knightthrough: the rules are those of an oracle, small boards are solved."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.games.knightthrough import Knightthrough, MisereKnightthrough
from rookery.rng import Stream
from squares_by_hand import KNIGHT, Men, assert_keys_tell_positions_apart, game_perft, perft, solver, step_name


@pytest.mark.parametrize("size", [(2, 4), (4, 4), (5, 5), (7, 6), (8, 8), (9, 9), (16, 5), (16, 16)], ids=str)
@pytest.mark.parametrize("cls", [Knightthrough, MisereKnightthrough])
def test_random_games_are_those_of_the_oracle(cls, size):
    game, chance = cls(*size), random.Random(1)
    ours = InterpretedGame(game)
    for _ in range(2):
        state, oracle, moves = ours.start(), Men.start(*size, KNIGHT), []
        while legal := {game.describe_move(move): move for move in ours.moves(state)}:
            steps = {step_name(step): step for step in oracle.moves()}
            assert legal.keys() == steps.keys()
            assert ours.player(state) == oracle.turn
            chosen = chance.choice(sorted(legal))
            ours.play(state, legal[chosen])
            moves.append(legal[chosen])
            oracle = oracle.play(steps[chosen])
        assert not list(oracle.moves())
        assert ours.winner(state) == (1 - oracle.turn if cls is Knightthrough else oracle.turn)
        pieces = {(s % size[0], s // size[0]): player for s, player in game.pieces_after(moves).items()}
        assert pieces == dict.fromkeys(oracle.white, 0) | dict.fromkeys(oracle.black, 1)
        assert len(moves) <= game.limits().length


def test_who_has_knights_but_no_move_has_lost():
    game = Knightthrough(2, 4)
    ours = InterpretedGame(game)
    state = ours.start()
    state.pieces[0, 0], state.pieces[1, 0] = 1 << 4, 1 << 5  # a white knight on a3, a black one on b3
    state.turn = 0
    assert ours.moves(state) == []  # all jumps of the knight on a3 leave the board
    assert ours.sample(state, Stream(1)) is None
    assert ours.winner(state) == 1


@pytest.mark.parametrize(("size", "depth"), [((8, 8), 3), ((5, 5), 3), ((3, 4), 4)], ids=str)
def test_the_games_of_the_first_moves_are_as_many_as_the_oracle_counts(size, depth):
    assert game_perft(Knightthrough(*size), depth) == perft(Men.start(*size, KNIGHT), depth)


def test_moves_are_listed_by_direction_and_then_by_square():
    game = Knightthrough(5, 5)
    ours = InterpretedGame(game)
    moves = ours.moves(ours.start())
    assert [game.describe_move(move) for move in moves][:4] == ["c2-a3", "d2-b3", "e2-c3", "b1-a3"]
    assert moves == sorted(moves, key=lambda move: (move % 4, move))


@given(st.sampled_from([(2, 4), (5, 5), (8, 8), (9, 9), (16, 16)]), st.integers(0, 2**32))
def test_sample_draws_an_index_of_the_list(size, seed):
    ours = InterpretedGame(Knightthrough(*size))
    state, stream, twin = ours.start(), Stream(seed), Stream(seed)
    for _ in range(8):
        moves = ours.moves(state)
        if not moves:
            break
        move = ours.sample(state, stream)
        assert move == moves[twin.below(len(moves))]
        ours.play(state, move)


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Knightthrough(2, 6), Men.start(2, 6, KNIGHT))


@pytest.mark.parametrize("size", [(n, n) for n in range(4, 9)], ids=str)
def test_random_games_end_within_the_limits(size):
    decision = GameEngine(Knightthrough(*size)).worker().decide(rk.PPA(playouts=300), (), 1)
    assert decision is not None
    assert decision.playouts == 300


@pytest.mark.parametrize("size", [(2, 4), (3, 4), (2, 5), (2, 6), (4, 4)], ids=str)
def test_search_finds_who_wins_a_small_board(size):
    winner = solver()(Men.start(*size, KNIGHT))
    proof = GameEngine(Knightthrough(*size)).worker().decide(rk.GameUCT(playouts=200_000, solver=True), (), 1)
    assert proof is not None
    assert proof.proven == ("win" if winner == 0 else "loss")


def test_given_enough_playouts_a_winning_move_is_played():
    game, wins, oracle = Knightthrough(2, 6), solver(), Men.start(2, 6, KNIGHT)
    worker, moves = GameEngine(game).worker(), []
    loser = 1 - wins(oracle)
    while steps := {step_name(step): step for step in oracle.moves()}:
        chosen = min(steps)
        if oracle.turn != loser:
            decision = worker.decide(rk.GameUCT(playouts=20_000), tuple(moves), 1)
            assert decision is not None
            chosen = game.describe_move(decision.move)
            assert wins(oracle.play(steps[chosen])) == oracle.turn
        moves.append(game.read_move(chosen))
        oracle = oracle.play(steps[chosen])
    assert worker.replay(moves) == ((), oracle.turn, 1 - loser)


def test_the_misere_game_is_solved_like_the_oracle():
    wins = solver(misere=True)
    for size in ((2, 4), (2, 5), (3, 4)):
        worker = GameEngine(MisereKnightthrough(*size)).worker()
        proof = worker.decide(rk.GameUCT(playouts=200_000, solver=True), (), 1)
        assert proof is not None
        assert proof.proven == ("win" if wins(Men.start(*size, KNIGHT)) == 0 else "loss")
