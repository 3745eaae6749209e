"""Go: against OpenSpiel, against rules written by hand, and positions that every player knows."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from go_by_hand import GoByHand, perft, play_at_random
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.errors import InputError
from rookery.games.go import Go
from rookery.rng import Stream

VARIANTS = [
    {},
    {"ko": "superko"},
    {"suicide": True},
    {"suicide": True, "ko": "superko"},
    {"eyes": "neighbours", "filling": "never", "passing": "last"},
    {"eyes": "none", "passing": "always"},
    {"komi": 0.0, "longest": 20},
]


@cache
def worker(size: int, ko: str = "simple", longest: int | None = None) -> GameWorker:
    return GameEngine(Go(size, ko=ko, longest=longest)).worker()


def names(game: Go, moves: list[int]) -> set[str]:
    return {game.describe_move(move) for move in moves}


def position(game: Go, text: str) -> tuple[InterpretedGame, object]:
    """The game after moves in words."""
    by = InterpretedGame(game)
    state = by.start()
    for word in text.split():
        move = game.read_move(word)
        assert move in by.moves(state), f"{word} is not legal"
        by.play(state, move)
    return by, state


# --- OpenSpiel ---
# Its Go has simple ko and no suicide; a position of the board that comes again ends the game in a draw; games have at
# most 2 * points moves, and black begins at A1 = 0, as here.


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9])
def test_legal_moves_and_results_are_those_of_openspiel(size):
    other = pyspiel.load_game(f"go(board_size={size},komi=7.5)")
    ours = worker(size, longest=other.max_game_length())
    finished = 0
    for seed in range(8):
        rng, moves, state = random.Random(seed), [], other.new_initial_state()
        while not state.is_terminal():
            legal, player, won = ours.replay(tuple(moves))
            assert list(legal) == state.legal_actions()
            assert player == state.current_player()
            assert won is None
            # few passes, or games would be short
            stones = [move for move in legal if move != size * size]
            move = rng.choice(stones) if stones and rng.random() < 0.97 else size * size
            moves.append(move)
            state.apply_action(move)
        if state.returns() != [0.0, 0.0]:  # a board that came again: not over under simple ko
            finished += 1
            assert ours.replay(tuple(moves)) == ((), len(moves) % 2, 0 if state.returns()[0] > 0 else 1)
    assert finished > 0


@pytest.mark.parametrize("size", [2, 3, 4])
def test_superko_forbids_just_what_openspiel_ends_as_a_repetition(size):
    other = pyspiel.load_game(f"go(board_size={size},komi=7.5)")
    by = InterpretedGame(Go(size, ko="superko", longest=other.max_game_length()))
    forbidden = 0
    for seed in range(12):
        rng, state, s = random.Random(seed), other.new_initial_state(), by.start()
        while not state.is_terminal():
            allowed = []
            for action in state.legal_actions():
                child = state.child(action)
                # with stones on the board, a game with komi 7.5 is drawn only by repetition
                if not (child.is_terminal() and child.returns() == [0.0, 0.0]):
                    allowed.append(action)
            forbidden += len(state.legal_actions()) - len(allowed)
            assert by.moves(s) == allowed
            points = [move for move in allowed if move != size * size]
            move = rng.choice(points) if points else size * size
            state.apply_action(move)
            by.play(s, move)
    assert forbidden > 0


# --- rules by hand ---


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: "-".join(map(str, rules.values())) or "default")
@pytest.mark.parametrize("size", [2, 3, 5])
def test_moves_playout_moves_and_winner_are_those_of_the_rules_by_hand(size, rules):
    for seed in range(4):
        by, hand = InterpretedGame(Go(size, **rules)), GoByHand(size, **rules)
        rng, state = random.Random(seed), by.start()
        while moves := hand.moves():
            assert by.moves(state) == moves
            assert by.playout_moves(state) == hand.playout_moves()
            assert by.player(state) == hand.turn
            move = rng.choice(hand.playout_moves() if seed % 2 else moves)
            hand.play(move)
            by.play(state, move)
        assert by.moves(state) == by.playout_moves(state) == []
        assert by.winner(state) == hand.winner()


@pytest.mark.parametrize("size", [9, 12, 13, 16, 17, 19])
def test_boards_of_several_words_follow_the_rules_by_hand(size):
    game = Go(size)
    by, hand = InterpretedGame(game), GoByHand(size)
    rng, state = random.Random(size), by.start()
    # stones that lie close to one another and across the words: rows 2 to 5
    band = [p for p in range(size * size) if 2 <= p // size <= 5 and p % size < 7]
    for ply in range(70):
        moves = hand.moves()
        if ply % 7 == 0:
            assert by.moves(state) == moves
            assert by.playout_moves(state) == hand.playout_moves()
        move = rng.choice([m for m in moves if m in band] or moves)
        hand.play(move)
        by.play(state, move)
    assert by.winner(state) == hand.winner()


def test_compiled_superko_is_that_of_the_rules_by_hand():
    ours = worker(3, ko="superko")
    for seed in range(6):
        hand = GoByHand(3, ko="superko")
        moves = play_at_random(hand, seed)
        again = GoByHand(3, ko="superko")
        for ply, move in enumerate(moves):
            assert list(ours.replay(tuple(moves[:ply]))[0]) == again.moves()
            again.play(move)
        assert ours.replay(tuple(moves))[2] == hand.winner()


def test_perft_of_3x3_is_that_of_the_rules_by_hand():
    by = InterpretedGame(Go(3))

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

    # after a stone there are eight points and the pass, after a pass all nine and the pass
    assert count(by.start(), 2) == 9 * 9 + 10 == perft(GoByHand(3), 2)
    assert count(by.start(), 4) == perft(GoByHand(3), 4)


# --- positions ---


def test_simple_ko_forbids_the_retake_at_once_and_allows_it_later():
    game = Go(5)
    by, state = position(game, "B3 C3 C4 D4 C2 D2 A1 E3 D3")  # D3 takes C3
    assert by.winner(state) == 1
    legal = names(game, by.moves(state))
    assert "C3" not in legal
    by, state = position(game, "B3 C3 C4 D4 C2 D2 A1 E3 D3 A5 E5")
    assert "C3" in names(game, by.moves(state))


def test_superko_forbids_a_cycle_that_simple_ko_allows():
    cycle = "A1 B1 A2 B2 A1 A2"  # B2 takes two stones, A2 one; another at A1 makes the board that of the first move
    for ko, allowed in (("simple", True), ("superko", False)):
        game = Go(2, ko=ko)
        by, state = position(game, cycle)
        assert ("A1" in names(game, by.moves(state))) is allowed


def test_a_snapback_takes_three_stones_for_one():
    game = Go(4)
    by, state = position(game, "D2 C4 B3 C3 C1 B2 A2 D3 B4 A3 A4")  # white threw in A3, black took it with A4
    assert "A3" in names(game, by.moves(state))
    by.play(state, game.read_move("A3"))
    assert {"A4", "B3", "B4"} <= names(game, by.moves(state))


def test_a_big_capture_leaves_its_points_empty_and_its_captors_with_liberties():
    game = Go(5)
    black = ["A2", "B2", "C2", "D2", "E2"]
    white = ["A1", "B1", "C1", "D1"]
    words = [word for pair in zip(black, [*white, "A5"], strict=True) for word in pair]
    by, state = position(game, " ".join([*words, "E1"]))
    legal = names(game, by.moves(state))
    assert {"A1", "B1", "C1", "D1"} <= legal
    assert by.winner(state) == 0  # black has 10 points, white A5 and 7.5; the rest lies between them


def test_suicide_is_illegal_unless_it_is_allowed_and_then_of_two_stones_or_more():
    words = "A1 A2 pass B2 pass C1"  # black A1 with one liberty at B1; white all around
    game = Go(5)
    by, state = position(game, words)
    assert "B1" not in names(game, by.moves(state))
    game = Go(5, suicide=True)
    by, state = position(game, words)
    assert "B1" in names(game, by.moves(state))
    by.play(state, game.read_move("B1"))
    assert {"A1", "B1"} <= names(game, by.moves(state))
    by.play(state, game.read_move("A1"))  # now one stone in the corner would be alone
    by, state = position(game, "pass A2 pass B1")
    assert "A1" not in names(game, by.moves(state))


def test_points_beside_both_colours_count_for_nobody():
    game = Go(4, komi=0.5)
    rows = ["BW..", "BW..", "BW..", ".W.."]
    hand = GoByHand(4, komi=0.5)
    black = {r * 4 + c for r, row in enumerate(rows) for c, x in enumerate(row) if x == "B"}
    white = {r * 4 + c for r, row in enumerate(rows) for c, x in enumerate(row) if x == "W"}
    order = [move for pair in zip(sorted(black), sorted(white), strict=False) for move in pair] + [16, max(white)]
    by = InterpretedGame(game)
    state = by.start()
    for move in [*order, 16, 16]:
        hand.play(move)
        by.play(state, move)
    # A4 is beside stones of both: 3 black stones; 4 white ones and 8 points beside them alone
    assert hand.score() == 3 - 12 - 0.5
    assert by.winner(state) == hand.winner() == 1


def test_an_empty_board_is_won_by_komi_and_drawn_without():
    for komi, winner in ((7.5, 1), (-0.5, 0), (0.0, -1)):
        by, state = position(Go(5, komi=komi), "pass pass")
        assert by.moves(state) == []
        assert by.winner(state) == winner


def test_playouts_leave_an_eye_alone_until_two_diagonals_are_lost():
    eye = "B2 A5 A1 E5 C1 pass"  # B1 has own stones beside it
    game = Go(5)
    by, state = position(game, eye)
    b1 = game.read_move("B1")
    assert b1 in by.moves(state)
    assert b1 not in by.playout_moves(state)
    by, state = position(game, "B2 A2 A1 E5 C1 pass")  # at the edge one enemy diagonally is enough
    assert b1 in by.playout_moves(state)
    by, state = position(Go(5, eyes="neighbours"), "B2 A2 A1 E5 C1 pass")
    assert b1 not in by.playout_moves(state)
    by, state = position(Go(5, filling="never"), eye)
    assert b1 not in by.moves(state)


# --- keys and samples ---


@given(st.integers(0, 10**6), st.sampled_from(["simple", "superko"]))
def test_keys_are_equal_just_for_equal_positions(seed, ko):
    by = InterpretedGame(Go(3, ko=ko))
    seen: dict[int, object] = {}
    for game in range(3):
        rng, state, last = random.Random(1000 * seed + game), by.start(), None
        for _ in range(20):
            moves = by.moves(state)
            if not moves:
                break
            stones = tuple(int(word) for word in np.ravel(state.stones))
            what = (stones, by.player(state), tuple(moves), last == 9)
            assert seen.setdefault(by.key(state), what) == what
            last = rng.choice(moves)
            by.play(state, last)
    assert len(set(map(repr, seen.values()))) == len(seen)


@pytest.mark.parametrize("rules", [{}, {"ko": "superko"}, {"passing": "always"}], ids=["simple", "superko", "always"])
def test_sample_draws_each_playout_move_equally_often(rules):
    game = Go(5, **rules)
    by = InterpretedGame(game)
    for length in (12, 30):
        state = by.start()
        for move in play_at_random(GoByHand(5), 5, most=length, playout=True):
            by.play(state, move)
        moves = by.playout_moves(state)
        assert len(moves) > 1
        stream, counts = Stream(1), dict.fromkeys(moves, 0)
        for _ in range(200 * len(moves)):
            counts[by.sample(state, stream)] += 1
        chi_square = sum((n - 200) ** 2 / 200 for n in counts.values())
        free = len(moves) - 1
        # mean + 5 standard deviations of chi-square: exceeded by chance about once in 10,000 seeds; the seed is fixed
        assert chi_square < free + 5 * (2 * free) ** 0.5


# --- what is refused ---


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 1}, "size must be a whole number from 2 to 19, got 1"),
        ({"size": 20}, "size must be a whole number from 2 to 19, got 20"),
        ({"komi": float("nan")}, "komi must be a finite number, got nan"),
        ({"ko": "double"}, "ko must be simple or superko, got 'double'"),
        ({"eyes": "false"}, "eyes must be diagonals or neighbours or none, got 'false'"),
        ({"filling": "ever"}, "filling must be tree or never, got 'ever'"),
        ({"passing": "never"}, "passing must be tree or always or last, got 'never'"),
        ({"suicide": "yes"}, "suicide must be true or false, got 'yes'"),
        ({"longest": 0}, "longest must be a whole number from 1"),
    ],
)
def test_wrong_parameters_are_refused_in_one_sentence(parameters, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        Go(**parameters)
