"""Pictures of pixels: what they hold, how large they are, and how a GIF plays."""

from __future__ import annotations

import io
import sys
from itertools import pairwise

import pytest

from morpion_by_hand import LINE_OF_DOTS, random_game
from rookery.errors import InputError
from rookery.problems.morpion import Game
from rookery.problems.morpion import picture as p
from rookery.problems.morpion.formats import parse_game
from rookery.problems.morpion.raster import MOST_FRAMES, game_gif, game_png, numbers_shown

Image = pytest.importorskip("PIL.Image")

GAME = random_game("4D", 1)
GAMES = [GAME, random_game("5T", 1), random_game("4T", 1, dots=LINE_OF_DOTS), Game("5T", ())]


def opened(content):
    return Image.open(io.BytesIO(content))


def frames(content):
    image = opened(content)
    for k in range(image.n_frames):
        image.seek(k)
        yield image.convert("RGB"), image.info["duration"]


def difference(a, b):
    """The share of pixels that differ clearly."""
    pairs = zip(a.convert("L").tobytes(), b.convert("L").tobytes(), strict=True)
    return sum(abs(x - y) > 60 for x, y in pairs) / (a.width * a.height)


@pytest.mark.parametrize("game", GAMES)
def test_the_reader_gets_the_same_game_back_from_a_png(game):
    assert parse_game(game_png(game, size=100), "picture.png").game == game


@pytest.mark.parametrize("game", GAMES)
def test_a_gif_holds_its_game_as_a_comment(game):
    comment = opened(game_gif(game, size=100)).info["comment"].decode()
    assert parse_game(comment.removeprefix("rookery-game ").encode(), "comment").game == game


@pytest.mark.parametrize("theme", p.THEMES)
def test_the_corner_of_a_picture_is_paper(theme):
    paper = p.THEMES[theme].paper
    assert opened(game_png(GAME, size=200, theme=theme)).getpixel((0, 0)) == paper
    assert opened(game_gif(GAME, size=200, theme=theme)).convert("RGB").getpixel((0, 0)) == paper


def test_dots_of_the_start_are_ink_and_the_last_dot_has_the_last_colour():
    picture, image = p.pictured(GAME), opened(game_png(GAME, size=1000))
    scale = 1000 / max(picture.width, picture.height)
    colours = p.THEMES["light"]

    def pixel(at, aside=0.0):
        x, y = picture.place(at)
        return image.getpixel((round((x + aside) * scale), round(y * scale)))

    assert all(pixel(start.at) == colours.ink for start in picture.starts)
    aside = p.MOVE_RADIUS - p.RIM_WIDTH  # beside the digits
    assert pixel(picture.numbers[-1].at, aside) == colours.ages[-1]
    assert all(pixel(dot.at, aside - 0.03) == colours.paper for dot in picture.numbers[:9])


@pytest.mark.parametrize("make", [game_png, game_gif])
def test_a_size_is_that_of_the_longer_side(make):
    assert max(opened(make(GAME, size=300)).size) == 300


@pytest.mark.parametrize(("make", "most"), [(game_png, 5000), (game_gif, 1200)])
@pytest.mark.parametrize("size", [0, 49, 5001])
def test_a_size_that_no_picture_may_have_is_refused(make, most, size):
    with pytest.raises(InputError, match=f"size must be 50 to {most} pixels for a [PNGIF]+, got {size}"):
        make(GAME, size=size)


def test_a_gif_has_a_frame_for_the_beginning_and_one_for_each_move():
    content = game_gif(GAME, size=200)
    shown = list(frames(content))
    assert len(shown) == GAME.score + 1
    assert opened(content).info["loop"] == 0
    assert [shown[0][1], shown[-1][1]] == [1000, 3000]
    assert 10_000 <= sum(duration for _, duration in shown) <= 20_000
    assert all(difference(a, b) > 0 for (a, _), (b, _) in pairwise(shown))


def test_a_gif_begins_with_the_start_and_ends_with_the_whole_game():
    first, *_, last = (frame for frame, _ in frames(game_gif(GAME, size=300)))
    whole = opened(game_png(GAME, size=300)).convert("RGB")
    assert difference(last, whole) < 0.01
    assert difference(first, whole) > 0.03


def test_the_gif_of_a_game_without_moves_is_one_frame():
    assert opened(game_gif(Game("5T", ()), size=100)).n_frames == 1


@pytest.mark.parametrize("moves", [0, 1, 2, 248, 249, 250, 251, 600, 5000])
def test_a_gif_never_has_too_many_frames_and_always_the_ends(moves):
    shown = numbers_shown(moves)
    assert len(shown) <= MOST_FRAMES
    assert (shown[0], shown[-1]) == (0, moves)
    assert shown == sorted(set(shown))


@pytest.mark.parametrize("make", [game_png, game_gif])
def test_without_pillow_the_command_that_installs_it_is_told(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=r"a (PNG|GIF) needs Pillow: pip install pillow"):
        make(GAME)
