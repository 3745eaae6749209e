"""Pictures as SVG: one element for each shape, and the game inside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from morpion_by_hand import LINE_OF_DOTS, VARIANTS, random_game
from rookery.errors import InputError
from rookery.problems.morpion import Game
from rookery.problems.morpion import picture as p
from rookery.problems.morpion.formats import parse_game
from rookery.problems.morpion.svg import game_svg

GAMES = [
    *(random_game(variant, 1) for variant in VARIANTS),
    random_game("4T", 1, dots=LINE_OF_DOTS),
    Game("5T", ()),
    Game("5T", (), frozenset({(0, 0)})),
]


def elements(svg, name):
    return list(ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{name}"))


@pytest.mark.parametrize("animated", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_circle_for_each_dot_and_a_line_and_a_number_for_each_move(game, animated):
    svg = game_svg(game, animated=animated)
    assert len(elements(svg, "circle")) == len(game.start) + game.score
    assert len(elements(svg, "line")) == game.score
    title = p.title(game)
    assert [text.text for text in elements(svg, "text")] == [*(str(k) for k in range(1, game.score + 1)), title]


@pytest.mark.parametrize("animated", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_reader_gets_the_same_game_back(game, animated):
    assert parse_game(game_svg(game, animated=animated).encode(), "picture.svg").game == game


def test_lines_lie_below_all_dots():
    svg = game_svg(GAMES[0])
    assert svg.rindex("<line") < svg.index("<circle")


def test_a_size_is_that_of_the_longer_side():
    root = ElementTree.fromstring(game_svg(GAMES[0], size=500))
    assert max(float(root.get("width")), float(root.get("height"))) == 500
    with pytest.raises(InputError, match="size must be at least 1 pixel, got 0"):
        game_svg(GAMES[0], size=0)


def test_the_two_themes_differ_in_paper_and_ink():
    light, dark = (elements(game_svg(GAMES[0], theme=theme), "rect")[0].get("fill") for theme in ("light", "dark"))
    assert (light, dark) == ("#ffffff", "#13151a")


def test_a_still_picture_has_no_animation():
    assert "keyframes" not in game_svg(GAMES[0])


def test_moves_appear_in_order_and_the_end_is_held_for_three_seconds():
    game = random_game("5D", 1)
    svg = game_svg(game, animated=True)
    each, total = p.schedule(game.score)
    frames = re.findall(r"@keyframes k(\d+)\{0%\{opacity:0\}([\d.]+)%\{opacity:1;stroke-width:[\d.]+\}([\d.]+)%", svg)
    assert [int(number) for number, _, _ in frames] == list(range(1, game.score + 1))
    begins = [float(begin) * total / 100 for _, begin, _ in frames]
    assert begins == sorted(begins)
    assert begins[0] == pytest.approx(p.FIRST_SECONDS, abs=0.01)
    assert total - begins[-1] == pytest.approx(p.LAST_SECONDS, abs=0.01)
    assert all(float(begin) < float(settled) <= 100 for _, begin, settled in frames)
    assert each > 0


def test_an_animated_line_and_its_dot_share_the_keyframes_of_their_move():
    svg = game_svg(random_game("4D", 1), animated=True)
    for number in range(1, random_game("4D", 1).score + 1):
        assert f".m{number}{{animation-name:k{number}}}" in svg
        assert svg.count(f'class="m{number}"') == 2


def test_nothing_moves_for_those_who_ask_for_less_motion():
    style = elements(game_svg(GAMES[0], animated=True), "style")[0].text
    assert style.strip().startswith("@media (prefers-reduced-motion:no-preference){")
