"""Domineering and misere Domineering: the rules are those of an oracle, the winners of small boards are known."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.games.domineering import Domineering, MisereDomineering
from rookery.rng import Stream
from squares_by_hand import Dominoes, assert_keys_tell_positions_apart, game_perft, perft, solver, step_name

SQUARE_BOARDS = {1: "second", 2: "first", 3: "first", 4: "first", 5: "second"}
"""Breuker, Uiterwijk and van den Herik, Solving 8x8 Domineering, 2000: who wins, whoever begins."""


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (4, 1), (4, 4), (7, 5), (8, 8), (9, 9), (16, 5), (16, 16)], ids=str)
@pytest.mark.parametrize("cls", [Domineering, MisereDomineering])
def test_random_games_are_those_of_the_oracle(cls, size):
    game, chance = cls(*size), random.Random(1)
    ours = InterpretedGame(game)
    for _ in range(2):
        state, oracle, moves = ours.start(), Dominoes.start(*size), []
        while legal := {game.describe_move(move): move for move in ours.moves(state)}:
            steps = {step_name(step): step for step in oracle.moves()}
            assert legal.keys() == steps.keys()
            assert ours.player(state) == oracle.turn
            chosen = chance.choice(sorted(legal))
            ours.play(state, legal[chosen])
            moves.append(legal[chosen])
            oracle = oracle.play(steps[chosen])
        assert not list(oracle.moves())
        assert ours.winner(state) == (1 - oracle.turn if cls is Domineering else oracle.turn)
        covered = {(s % size[0], s // size[0]) for _, *squares in game.dominoes_after(moves) for s in squares}
        assert covered | oracle.empty == Dominoes.start(*size).empty
        assert len(covered) == 2 * len(moves)
        assert len(moves) <= game.limits().length


@pytest.mark.parametrize(("size", "depth"), [((8, 8), 3), ((5, 4), 4), ((3, 3), 5)], ids=str)
def test_the_games_of_the_first_moves_are_as_many_as_the_oracle_counts(size, depth):
    assert game_perft(Domineering(*size), depth) == perft(Dominoes.start(*size), depth)


def test_moves_are_listed_by_square():
    game = Domineering(3, 3)
    ours = InterpretedGame(game)
    state = ours.start()
    assert [game.describe_move(m) for m in ours.moves(state)] == ["a1-a2", "b1-b2", "c1-c2", "a2-a3", "b2-b3", "c2-c3"]
    ours.play(state, game.read_move("b2-b3"))
    assert [game.describe_move(m) for m in ours.moves(state)] == ["a1-b1", "b1-c1"]


@given(st.sampled_from([(1, 5), (5, 5), (8, 8), (9, 9), (16, 16)]), st.integers(0, 2**32))
def test_sample_draws_an_index_of_the_list(size, seed):
    ours = InterpretedGame(Domineering(*size))
    state, stream, twin = ours.start(), Stream(seed), Stream(seed)
    for _ in range(12):
        moves = ours.moves(state)
        if not moves:
            break
        move = ours.sample(state, stream)
        assert move == moves[twin.below(len(moves))]
        ours.play(state, move)


def test_sample_says_that_the_game_is_over():
    ours = InterpretedGame(Domineering(1, 1))
    assert ours.sample(ours.start(), Stream(1)) is None


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Domineering(4, 4), Dominoes.start(4, 4))


@pytest.mark.parametrize("size", [(n, n) for n in range(4, 9)], ids=str)
def test_random_games_end_within_the_limits(size):
    decision = GameEngine(Domineering(*size)).worker().decide(rk.PPA(playouts=300), (), 1)
    assert decision is not None
    assert decision.playouts == 300


@cache
def winner(width: int, height: int, first: int) -> int:
    """Who wins if this player begins, by exhaustive search on masks: faster than the oracle of sets."""

    @cache
    def wins(empty: int, turn: int) -> int:
        step = width if turn == 0 else 1
        for square in range(width * height - step):
            domino = 1 << square | 1 << (square + step)
            fits = turn == 0 or (square + 1) % width != 0
            if fits and empty & domino == domino and wins(empty ^ domino, 1 - turn) == turn:
                return turn
        return 1 - turn

    return wins((1 << width * height) - 1, first)


@pytest.mark.parametrize("size", SQUARE_BOARDS)
def test_the_winners_of_square_boards_are_those_of_the_literature(size):
    expected = {"first": (0, 1), "second": (1, 0)}[SQUARE_BOARDS[size]]
    assert (winner(size, size, 0), winner(size, size, 1)) == expected


@pytest.mark.parametrize(
    "size", [(2, 2), (3, 3), (4, 4), (2, 3), (3, 2), (4, 3), (3, 4), (5, 2), (5, 4), (4, 5)], ids=str
)
def test_search_finds_who_wins_a_small_board(size):
    proof = GameEngine(Domineering(*size)).worker().decide(rk.GameUCT(playouts=500_000, solver=True), (), 1)
    assert proof is not None
    assert proof.proven == ("win" if winner(*size, 0) == 0 else "loss")


def test_search_finds_that_the_second_player_wins_on_five_by_five():
    proof = GameEngine(Domineering(5, 5)).worker().decide(rk.GameUCT(playouts=500_000, solver=True), (), 1)
    assert proof is not None
    assert proof.proven == "loss"


def test_given_enough_playouts_a_winning_move_is_played():
    game, wins, oracle = Domineering(4, 4), solver(), Dominoes.start(4, 4)
    worker, moves = GameEngine(game).worker(), []
    assert wins(oracle) == 0
    while steps := {step_name(step): step for step in oracle.moves()}:
        chosen = min(steps)
        if oracle.turn == 0:
            decision = worker.decide(rk.GameUCT(playouts=5_000), tuple(moves), 1)
            assert decision is not None
            chosen = game.describe_move(decision.move)
            assert wins(oracle.play(steps[chosen])) == 0
        moves.append(game.read_move(chosen))
        oracle = oracle.play(steps[chosen])
    assert worker.replay(moves) == ((), 1, 0)


def test_the_misere_game_is_solved_like_the_oracle():
    wins = solver(misere=True)
    for size in ((2, 2), (3, 3), (4, 3), (4, 4)):
        worker = GameEngine(MisereDomineering(*size)).worker()
        proof = worker.decide(rk.GameUCT(playouts=500_000, solver=True), (), 1)
        assert proof is not None
        assert proof.proven == ("win" if wins(Dominoes.start(*size)) == 0 else "loss")
