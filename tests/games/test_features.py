"""The features of moves in the built-in games, against boards that are looked at square by square."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.engine.interpreted import InterpretedGame
from rookery.games.hexagons import AROUND
from rookery.games.othello import AROUND as EIGHT
from rookery.games.points import play_out
from rookery.games.rows import has_row
from rookery.rng import Stream


def along(game, games: int = 3):
    """Positions of random games: the moves before, who is to move, legal moves and their features."""
    played, stream = InterpretedGame(game), Stream(1)
    for _ in range(games):
        state, moves = played.start(), []
        while legal := played.moves(state):
            yield tuple(moves), played.player(state), {move: played.feature(state, move) for move in legal}
            moves.append(legal[stream.below(len(legal))])
            played.play(state, moves[-1])


@pytest.mark.parametrize("game", [rk.games.Breakthrough(5, 5), rk.games.Knightthrough(9, 9)], ids=repr)
def test_a_feature_of_pieces_that_go_forward_is_whether_they_capture(game):
    seen = set()
    for moves, player, features in along(game, games=2):
        pieces = game.pieces_after(moves)
        for move, feature in features.items():
            assert feature == (pieces.get(game._squares_of(move)[2]) == 1 - player)
            seen.add(feature)
    assert seen == {0, 1}


@pytest.mark.parametrize("game", [rk.games.NoGo(5), rk.games.AtariGo(9), rk.games.Go(4)], ids=repr)
def test_a_feature_of_a_stone_is_what_stands_beside_its_point(game):
    size = game.size
    for moves, player, features in along(game, games=1):
        stones = play_out(size, moves)
        for move, feature in features.items():
            row, column = divmod(move, size)
            beside = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
            expected = 0
            for i, (r, c) in enumerate(beside if move < size * size else ()):
                colour = stones.get(r * size + c)
                stands = 0 if colour is None else 1 if colour == player else 2
                expected += 4**i * (stands if 0 <= r < size and 0 <= c < size else 3)
            assert feature == expected


@pytest.mark.parametrize("game", [rk.games.Domineering(5, 4), rk.games.Domineering(9, 9)], ids=repr)
def test_a_feature_of_a_domino_is_which_squares_beside_it_are_empty(game):
    for moves, player, features in along(game, games=1):
        covered = {square for _, *squares in game.dominoes_after(moves) for square in squares}
        for move, feature in features.items():
            row, column = divmod(move % (game.width * game.height), game.width)
            if player == 0:  # upright: below and above, then the column to the left and that to the right
                beside = [(row - 1, column), (row + 2, column)]
                beside += [(row + k, column + side) for side in (-1, 1) for k in (0, 1)]
            else:
                beside = [(row, column - 1), (row, column + 2)]
                beside += [(row + side, column + k) for side in (-1, 1) for k in (0, 1)]
            empty = [
                0 <= r < game.height and 0 <= c < game.width and r * game.width + c not in covered for r, c in beside
            ]
            assert feature == sum(1 << i for i, is_empty in enumerate(empty) if is_empty)


@pytest.mark.parametrize("game", [rk.games.ConnectFour(5, 4, 3), rk.games.Gomoku(5, 4)], ids=repr)
def test_a_feature_of_a_row_is_how_long_it_would_be_for_either_player(game):
    width = game.size if isinstance(game, rk.games.Gomoku) else game.width
    for moves, player, features in along(game, games=2):
        after = game.stones_after if isinstance(game, rk.games.Gomoku) else game.discs_after
        for move, feature in features.items():
            there, stones = list(after([*moves, move]))[-1], after(moves)
            own, other = (
                max(
                    row
                    for row in range(1, game.row + 1)
                    if row == 1 or has_row({**stones, there: who}, there, width, row)
                )
                for who in (player, 1 - player)
            )
            assert feature == (own - 1) * game.row + other - 1


@pytest.mark.parametrize("game", [rk.games.Hex(4)], ids=repr)
def test_a_feature_of_a_cell_is_what_is_around_it_and_edges_belong_to_players(game):
    for moves, player, features in along(game, games=2):
        stones = game.stones_after(moves)
        for move, feature in features.items():
            expected = 0
            for i, (right, down) in enumerate(AROUND):
                row, column = move // 4 + down, move % 4 + right
                if row not in range(4):
                    owner = 0
                elif column not in range(4):
                    owner = 1
                else:
                    owner = stones.get(4 * row + column)
                expected += 3**i * (0 if owner is None else 1 if owner == player else 2)
            assert feature == expected


@pytest.mark.parametrize("game", [rk.games.Othello(6, 4)], ids=repr)
def test_a_feature_of_a_disc_is_the_directions_in_which_it_turns_others(game):
    passes = 0
    for moves, player, features in along(game, games=6):
        discs = game.discs_after(moves)
        for move, feature in features.items():
            if move == 24:
                passes += 1
                assert feature == 0
                continue
            turned = {
                square
                for square, owner in game.discs_after([*moves, move]).items()
                if discs.get(square, player) != owner
            }
            square = (move % 6, move // 6)
            directions = {
                ((s % 6 > square[0]) - (s % 6 < square[0]), (s // 6 > square[1]) - (s // 6 < square[1])) for s in turned
            }
            assert feature == sum(1 << i for i, step in enumerate(EIGHT) if step in directions)
    assert passes > 0
