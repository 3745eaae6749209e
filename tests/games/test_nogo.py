"""NoGo and its misere game: against rules written by hand, and solved on tiny boards."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from go_by_hand import NoGoByHand, perft, play_at_random, solve
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.games.nogo import MisereNoGo, NoGo
from rookery.rng import Stream
from rookery.search.game_uct import GameUCT


@cache
def worker(size: int, misere: bool = False) -> GameWorker:
    return GameEngine((MisereNoGo if misere else NoGo)(size)).worker()


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_moves_and_winner_are_those_of_the_rules_by_hand(size, misere):
    by = InterpretedGame((MisereNoGo if misere else NoGo)(size))
    for seed in range(5):
        hand = NoGoByHand(size, misere)
        rng, state = random.Random(seed), by.start()
        while moves := hand.moves():
            assert by.moves(state) == by.playout_moves(state) == moves
            assert by.player(state) == hand.turn
            move = rng.choice(moves)
            hand.play(move)
            by.play(state, move)
        assert by.moves(state) == []
        assert by.winner(state) == hand.winner()


@pytest.mark.parametrize("size", [6, 8, 9])
def test_compiled_moves_and_winner_are_those_of_the_rules_by_hand(size):
    hand = NoGoByHand(size)
    moves = play_at_random(hand, size)
    again = NoGoByHand(size)
    for ply in range(0, len(moves)):
        if ply % 5 == 0 or ply > len(moves) - 6:
            assert list(worker(size).replay(tuple(moves[:ply]))[0]) == again.moves()
        again.play(moves[ply])
    assert worker(size).replay(tuple(moves)) == ((), hand.turn, hand.winner())


def test_perft_of_3x3_is_that_of_the_rules_by_hand():
    by = InterpretedGame(NoGo(3))

    def count(state, depth):
        moves = by.moves(state)
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            child = by.copy(state)
            by.play(child, move)
            total += count(child, depth - 1)
        return total

    assert [count(by.start(), depth) for depth in (1, 2, 3, 4)] == [perft(NoGoByHand(3), d) for d in (1, 2, 3, 4)]


def test_a_point_that_would_capture_or_be_suicide_is_illegal_for_the_one_and_not_the_other():
    game = NoGo(5)
    by = InterpretedGame(game)
    state = by.start()
    for word in ["A1", "A2", "E5", "E4"]:
        by.play(state, game.read_move(word))
    b1 = game.read_move("B1")
    assert b1 in by.moves(state)  # black saves A1
    by.play(state, game.read_move("D5"))
    assert b1 not in by.moves(state)  # white would take it
    for word in ["C1", "D4", "B2"]:
        by.play(state, game.read_move(word))
    assert b1 not in by.moves(state)  # black would have no liberty left


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("size", [2, 3])
def test_uct_agrees_with_an_exhaustive_search_from_every_opening(size, misere):
    ours = worker(size, misere)
    known: dict = {}
    for first in range(size * size):
        hand = NoGoByHand(size, misere)
        hand.play(first)
        winner = solve(hand, known)
        decision = ours.decide(GameUCT(playouts=20_000, solver=True), (first,), 1)
        assert decision is not None
        assert decision.proven == ("win" if winner == 1 else "loss")
        if winner == 1:
            plain = ours.decide(GameUCT(playouts=2_000), (first,), 1)
            assert plain is not None
            hand.play(plain.move)
            assert solve(hand, known) == 1


@given(st.integers(0, 10**6))
def test_keys_are_equal_just_for_equal_positions(seed):
    by = InterpretedGame(NoGo(3))
    seen: dict[int, object] = {}
    for game in range(3):
        rng, state = random.Random(1000 * seed + game), by.start()
        while moves := by.moves(state):
            what = (int(state.stones[0, 0]), int(state.stones[1, 0]), by.player(state))
            assert seen.setdefault(by.key(state), what) == what
            by.play(state, rng.choice(moves))
    assert len(set(seen.values())) == len(seen)


def test_sample_draws_each_move_equally_often():
    by = InterpretedGame(NoGo(9))
    state = by.start()
    for move in play_at_random(NoGoByHand(9), 2, most=50):
        by.play(state, move)
    moves = by.moves(state)
    stream, counts = Stream(1), dict.fromkeys(moves, 0)
    for _ in range(100 * len(moves)):
        counts[by.sample(state, stream)] += 1
    free = len(moves) - 1
    # mean + 5 standard deviations of chi-square: exceeded by chance about once in 10,000 seeds; the seed is fixed
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < free + 5 * (2 * free) ** 0.5
