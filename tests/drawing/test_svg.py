"""Drawings as SVG: one element for each shape, what comes and goes, and what the file carries."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from rookery.drawing import Drawing
from rookery.drawing.holding import held
from rookery.drawing.playing import FIRST_SECONDS, LAST_SECONDS, begins
from rookery.errors import InputError

from .drawings import RED, beads

SPACE = "{http://www.w3.org/2000/svg}"


def elements(svg, name):
    return list(ElementTree.fromstring(svg).iter(SPACE + name))


def test_every_shape_is_an_element_in_its_order():
    drawing = Drawing(100, 50)
    drawing.text(70, 25, "37;259", size=12, anchor="start", bold=True)
    drawing.rect(10, 10, 30, 30, fill=RED, stroke="#222222", line=2, round=4)
    drawing.line(0, 0, 10, 5.125, width=0.5)
    drawing.circle(5, 5, 2, fill=RED, stroke="#222222", line=1)
    _, *shapes = ElementTree.fromstring(drawing.svg())
    assert [shape.tag.removeprefix(SPACE) for shape in shapes] == ["text", "rect", "line", "circle"]
    assert shapes[0].attrib == {
        **{"x": "70", "y": "29.26", "font-size": "12", "text-anchor": "start", "font-weight": "bold"},
        **{"fill": "#000000"},
    }
    assert shapes[3].attrib["stroke-width"] == "1"


def test_letters_are_escaped():
    drawing = Drawing(10, 10, title="<&>")
    drawing.text(5, 5, '<script>"&', size=5)
    svg = drawing.svg()
    assert "<script>" not in svg
    assert [element.text for element in (*elements(svg, "title"), *elements(svg, "text"))] == ["<&>", '<script>"&']


def test_a_size_is_that_of_the_longer_side():
    root = ElementTree.fromstring(Drawing(20, 80).svg(500))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("125", "500", "0 0 20 80")
    with pytest.raises(InputError, match="size must be at least 1 pixel, got 0"):
        Drawing(20, 80).svg(0)


def test_dark_paper_has_the_second_of_two_colours():
    drawing = Drawing(20, 20)
    drawing.circle(5, 5, 5, fill=("#111111", "#eeeeee"))
    drawing.circle(5, 5, 3, fill=RED)
    fills = [[element.get("fill") for element in ElementTree.fromstring(drawing.svg(dark=dark))] for dark in (0, 1)]
    assert fills == [["#ffffff", "#111111", RED], ["#13151a", "#eeeeee", RED]]


def test_a_file_carries_what_it_is_told_and_nothing_by_itself():
    told = {"moves": [1, "</metadata>&amp;"], "score": 2.5}
    assert held(Drawing(9, 9, holds=told).svg().encode()) == ("SVG", told)
    assert "metadata" not in Drawing(9, 9).svg()


# --- animation ---


def test_a_still_picture_is_the_end():
    svg = beads(3).svg()
    assert "keyframes" not in svg
    assert len(elements(svg, "circle")) == 4
    assert svg.count(RED) == 1


def test_shapes_appear_in_order_and_the_end_is_held_for_three_seconds():
    n = 60
    svg = beads(n).svg(animated=True)
    seconds = begins(n)
    rules = re.findall(r"@keyframes s\d+\{0%\{opacity:0\}([\d.]+)%\{opacity:1\}(?:([\d.]+)%\{opacity:0\})?\}", svg)
    assert len(rules) == 2 * n - 1
    ends = {float(begin): float(end) for begin, end in rules if end}
    begun = sorted({float(begin) for begin, _ in rules})
    assert [at * seconds[-1] / 100 for at in begun] == pytest.approx(seconds[1:-1], abs=0.01)
    assert [ends[at] for at in begun[:-1]] == begun[1:]
    assert seconds[1] == FIRST_SECONDS
    assert seconds[-1] - seconds[-2] == pytest.approx(LAST_SECONDS)


def test_what_is_gone_in_the_end_is_not_seen_where_nothing_moves():
    svg = beads(3).svg(animated=True)
    gone = [group for group in elements(svg, "g") if group.get("opacity") == "0"]
    assert len(gone) == 2
    style = elements(svg, "style")[0].text
    assert style.strip().startswith("@media (prefers-reduced-motion:no-preference){")
    assert {f".{group.get('class')}{{" in style for group in elements(svg, "g")} == {True}


def test_what_is_always_there_does_not_move():
    root = ElementTree.fromstring(beads(3).svg(animated=True))
    assert [child.tag for child in root].count(SPACE + "line") == 1
