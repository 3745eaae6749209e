"""Pictures of games: a shape for every dot and every line, in colours by age."""

from __future__ import annotations

import math

import pytest

from morpion_by_hand import LINE_OF_DOTS, VARIANTS, random_game
from rookery.errors import InputError
from rookery.problems.morpion import Morpion, MorpionGame, Move
from rookery.problems.morpion import picture as p

GAMES = [
    *(random_game(variant, 1) for variant in VARIANTS),
    random_game("4T", 1, dots=LINE_OF_DOTS),
    MorpionGame("5T", ()),
    MorpionGame("5T", (), frozenset({(0, 0)})),
    MorpionGame("5T", (), frozenset()),
]


def shapes(game, tag, step=None):
    """The attributes of the shapes of a kind, and their text."""
    shown = p.game_picture(game).visible(step)
    return [{**dict(shape.attributes), "text": shape.text} for shape in shown if shape.tag == tag]


def lines_of_moves(game, step=None):
    return [line for line in shapes(game, "line", step) if line["stroke-width"] >= p.LINE]


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_circle_for_each_dot_and_a_line_and_a_number_for_each_move(game):
    assert len(shapes(game, "circle")) == len(game.start) + game.score
    assert len(lines_of_moves(game)) == game.score
    assert [text["text"] for text in shapes(game, "text")] == [p.title(game), *map(str, range(1, game.score + 1))]


def test_a_line_lies_between_its_end_dots_and_touches_neither():
    game = random_game("5T", 2)
    discs = [((disc["cx"], disc["cy"]), disc["r"] + disc.get("stroke-width", 0) / 2) for disc in shapes(game, "circle")]
    for line, move in zip(lines_of_moves(game), game.moves, strict=True):
        ends = (line["x1"], line["y1"]), (line["x2"], line["y2"])
        assert math.dist(*ends) < 4 * p.CELL * (2**0.5 if move.direction.startswith("D") else 1)
        for end in ends:
            distance, radius = min((math.dist(place, end), radius) for place, radius in discs)
            assert radius < distance - p.LINE / 2 < p.CELL / 2


@pytest.mark.parametrize("game", [random_game("5T", 3), random_game("5T", 3, dots=LINE_OF_DOTS), MorpionGame("4D", ())])
def test_all_dots_lie_within_the_edges(game):
    picture = p.game_picture(game)
    for dot in shapes(game, "circle"):
        assert p.MOVE_RADIUS < dot["cx"] < picture.width - p.MOVE_RADIUS
        assert p.MOVE_RADIUS < dot["cy"] < picture.height - p.CAPTION_AT - p.CAPTION_SIZE


def test_a_picture_of_few_dots_has_room_for_its_title():
    title = "Morpion Solitaire 5T, 0 moves"
    assert p.game_picture(MorpionGame("5T", (), frozenset({(0, 0)}))).width >= p.LETTER * len(title) - 1


def test_every_number_fits_into_its_dot():
    for digits, size in enumerate(p.DIGITS, 1):
        assert math.hypot(digits * 0.556 * size / 2, 0.72 * size / 2) < p.MOVE_RADIUS + p.RIM / 2


def test_colours_run_from_the_first_move_to_the_last():
    assert len({p.age(number, 178) for number in range(1, 179)}) > 150
    assert p.age(1, 1) == p.age(1, 178)


def test_moves_appear_one_by_one_and_the_newest_stands_out():
    game = random_game("5D", 1)
    picture = p.game_picture(game)
    assert picture.steps == game.score
    for step in (1, 7, game.score - 1):
        lines = lines_of_moves(game, step)
        assert [line["stroke-width"] for line in lines].count(2 * p.LINE) == 1
        assert (lines[-1]["stroke-width"], lines[-1]["stroke"]) == (2 * p.LINE, p.INK)
        newest = shapes(game, "circle", step)[-1]
        assert newest["fill"] == newest["stroke"] == p.age(step, game.score)
    assert {line["stroke-width"] for line in lines_of_moves(game)} == {p.LINE}
    assert len(shapes(game, "circle", 0)) == len(game.start)


def test_lines_lie_below_all_dots():
    tags = [shape.tag for shape in p.game_picture(GAMES[0]).visible()]
    assert max(k for k, tag in enumerate(tags) if tag == "line") < tags.index("circle")


def test_the_picture_of_the_problem_is_that_of_the_game():
    problem, moves = Morpion.of_game(GAMES[1])
    assert problem.picture(moves).svg() == p.game_picture(GAMES[1]).svg()


def test_an_illegal_game_has_no_picture():
    with pytest.raises(InputError, match=r"move 1, \(0,0\) horizontal, must be legal: its line needs 4 dots"):
        p.game_picture(MorpionGame("5T", (Move(0, 0, "H", 0),)))


def test_a_board_that_is_too_large_is_refused():
    with pytest.raises(InputError, match="at most 250 x 250 cells, got 900 x 1"):
        p.game_picture(MorpionGame("5T", (), frozenset({(0, 0), (899, 0)})))
