"""A grid is the same whichever way it is turned and in whatever order its lines are drawn."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from morpion_by_hand import LINE_OF_DOTS, VARIANTS, judge, random_game
from rookery.problems.morpion import Board, MorpionGame, Move
from rookery.problems.morpion.formats import read_game
from rookery.problems.morpion.symmetry import image, normal_form, reordered, same_grid, shared_lines

INVERSE = (0, 3, 2, 1, 4, 5, 6, 7)  # a mirror image is its own
LOPSIDED = frozenset({(x, 0) for x in range(4)} | {(0, y) for y in range(6)} | {(9, 2)})

games = st.builds(
    random_game,
    st.sampled_from(VARIANTS),
    st.integers(0, 40),
    st.sampled_from([0, 1, 8, 1000]),
    st.sampled_from([None, LINE_OF_DOTS, LOPSIDED]),
)


def shuffled(game, seed):
    """The same lines in a random legal order."""
    board, chosen, waiting, moves = Board(game.variant, game.dots), random.Random(seed), set(game.lines), []
    while waiting:
        ready = [move for line in sorted(waiting) if (move := board.completed(*line)) is not None]
        moves.append(chosen.choice(ready))
        waiting.remove((moves[-1].origin, moves[-1].direction))
        board.play(moves[-1])
    return replace(game, moves=tuple(moves))


@settings(max_examples=40)
@given(game=games)
def test_all_images_of_a_game_are_games_of_the_same_score(game):
    left = len(game.board().legal())
    for k in range(8):
        turned = image(game, k)
        assert judge(turned.variant, turned.moves, turned.dots) == (None, left)
        assert (turned.variant, turned.score) == (game.variant, game.score)
        assert image(turned, INVERSE[k]) == game


@given(game=games)
def test_the_first_image_is_the_game_itself(game):
    assert image(game, 0) == game


def test_the_eight_images_of_a_lopsided_game_differ():
    game = random_game("5T", 1)
    assert len({image(game, k).moves for k in range(8)}) == 8


def test_images_are_turned_clockwise_and_mirrored_first():
    game = MorpionGame("5T", (Move(3, -1, "V", 0),))  # above the upper left dot of the top arm
    dots = [image(game, k).moves[0].dot for k in range(8)]
    assert dots == [(3, -1), (10, 3), (6, 10), (-1, 6), (6, -1), (10, 6), (3, 10), (-1, 3)]


@pytest.mark.parametrize("k", [-1, 8, True, 1.0, "1"])
def test_an_image_that_does_not_exist_is_refused(k):
    with pytest.raises(rk.InputError, match="a symmetry must be 0 to 7, got"):
        image(MorpionGame("5T", ()), k)


@settings(max_examples=40)
@given(game=games, k=st.integers(0, 7), seed=st.integers(0, 100))
def test_the_normal_form_is_that_of_every_image_in_every_order(game, k, seed):
    other = shuffled(image(game, k), seed)
    assert other.first_illegal() is None
    assert normal_form(other) == normal_form(game)
    assert same_grid(game, other)
    assert shared_lines(game, other) == shared_lines(other, game) == game.score


def test_the_normal_form_is_the_lines_of_one_of_the_images():
    game = random_game("5D", 3)
    assert normal_form(game) in {tuple(sorted(image(game, k).lines)) for k in range(8)}


@settings(max_examples=40)
@given(game=games, seed=st.integers(0, 100))
def test_the_order_of_moves_becomes_one_that_depends_on_the_grid_alone(game, seed):
    ordered = reordered(game)
    assert ordered.lines == game.lines
    assert judge(ordered.variant, ordered.moves, ordered.dots)[0] is None
    assert reordered(shuffled(game, seed)) == ordered


@settings(max_examples=40)
@given(game=games, seed=st.integers(0, 100))
def test_every_line_has_the_same_new_dot_in_every_order(game, seed):
    assert set(shuffled(game, seed).moves) == set(reordered(game).moves) == set(game.moves)


def test_a_game_that_is_not_legal_is_not_reordered():
    with pytest.raises(
        rk.InputError, match="must be legal to be reordered, got one whose move 1 is not: there is a dot"
    ):
        reordered(MorpionGame("5T", (Move(3, 3, "H", 3),)))


def test_a_grid_with_one_line_moved_is_another():
    game = random_game("5T", 2, 20)
    shorter = replace(game, moves=game.moves[:-1])
    other = next(move for move in shorter.board().legal() if move != game.moves[-1])
    changed = replace(game, moves=(*shorter.moves, other))
    assert not same_grid(game, changed)
    assert not same_grid(game, shorter)
    assert shared_lines(game, changed) == shared_lines(game, shorter) == game.score - 1


def test_grids_over_other_dots_are_others():
    one = frozenset({(0, 0), (1, 0), (2, 0), (3, 0)})
    a, b = MorpionGame("5T", (Move(4, 0, "H", 4),), one), MorpionGame("5T", (Move(4, 0, "H", 4),), one | {(9, 9)})
    assert not same_grid(a, b)
    assert shared_lines(a, b) == 0


def test_grids_of_other_lengths_of_line_are_others():
    dots = frozenset({(0, 0), (1, 0), (2, 0), (3, 0)})
    assert not same_grid(MorpionGame("5T", (), dots), MorpionGame("4T", (), dots))
    assert shared_lines(MorpionGame("5T", (), dots), MorpionGame("4T", (), dots)) == 0


def test_a_grid_over_dots_that_lie_elsewhere_or_are_turned_is_the_same():
    game = random_game("4D", 5, dots=LOPSIDED)
    far = MorpionGame(
        "4D",
        tuple(move._replace(x=move.x + 30, y=move.y - 7) for move in image(game, 1).moves),
        frozenset((x + 30, y - 7) for x, y in image(game, 1).start),
    )
    assert same_grid(game, far)
    assert shared_lines(game, far) == game.score


def test_a_known_game_is_the_same_grid_in_both_formats(data):
    texts = sorted((data / "morpion").glob("*.psol"))
    assert texts
    for text in texts:
        (path,) = (data / "morpion").glob(f"*_{text.stem}.json")
        written, known = read_game(text).game, read_game(path).game
        assert same_grid(written, known)
        assert written.variant == known.variant


def test_two_known_games_are_different_grids(data):
    a, b = (read_game(path).game for path in (data / "morpion").glob("5T_*.json"))
    assert not same_grid(a, b)
    assert 0 < shared_lines(a, b) < min(a.score, b.score)


def test_all_images_of_a_known_game_verify(game_file):
    game = read_game(game_file).game
    for k in range(8):
        turned = image(game, k)
        assert turned.first_illegal() is None
        assert turned.board().legal() == []
        assert same_grid(turned, game)
