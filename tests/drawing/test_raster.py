"""Drawings of pixels: what they carry, how large they are, and how a GIF plays."""

from __future__ import annotations

import io
import sys
from itertools import pairwise

import pytest

from rookery.drawing import Drawing
from rookery.drawing.holding import held
from rookery.errors import InputError

from .drawings import beads

Image = pytest.importorskip("PIL.Image")

TOLD = {"moves": [[1, "ä"], 2] * 300, "score": 2.5}
RED = (192, 57, 43)


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


@pytest.mark.parametrize("kind", ["PNG", "GIF"])
def test_a_file_carries_what_it_is_told(kind):
    assert held(getattr(beads(3, holds=TOLD), kind.lower())()) == (kind, TOLD)
    with pytest.raises(InputError, match="and this one has none"):
        held(getattr(beads(3), kind.lower())())


@pytest.mark.parametrize(("dark", "paper"), [(False, (255, 255, 255)), (True, (19, 21, 26))])
def test_the_corner_of_a_picture_is_paper(dark, paper):
    assert opened(beads(5).png(200, dark=dark)).getpixel((0, 0)) == paper
    assert {frame.getpixel((0, 0)) for frame, _ in frames(beads(5).gif(200, dark=dark))} == {paper}


@pytest.mark.parametrize("paper", ["#e3b566", "#ffffff", "#000000", "#7f7f7f", "#fdfefe"])
def test_paper_of_any_colour_stays_as_it_is_in_a_gif(paper):
    drawing = beads(8, paper=paper)
    drawing.text(60, 30, "many shades", size=11, colour="#1f6fb2")
    rgb = tuple(int(paper[k : k + 2], 16) for k in (1, 3, 5))
    assert {frame.getpixel((0, 0)) for frame, _ in frames(drawing.gif(300))} == {rgb}


def test_every_shape_is_painted_where_it_lies():
    drawing = Drawing(100, 100)
    drawing.rect(10, 10, 30, 30, fill="#c0392b", stroke="#000000", line=4)
    drawing.circle(70, 30, 15, fill="#c0392b", stroke="#000000", line=4)
    drawing.line(20, 70, 80, 70, width=10)
    image = opened(drawing.png(200))
    inside = [(25, 25), (70, 30)]
    edges = [(10, 25), (11.5, 25), (8.5, 25), (55, 30), (84, 30), (20, 70), (16, 70), (50, 74)]
    paper = [(5, 25), (90, 30), (13, 70), (50, 78)]
    for places, colour in ((inside, RED), (edges, (0, 0, 0)), (paper, (255, 255, 255))):
        assert {image.getpixel((round(2 * x), round(2 * y))) for x, y in places} == {colour}


def test_bold_letters_have_more_ink():
    plain, bold = Drawing(100, 50), Drawing(100, 50)
    plain.text(50, 25, "Rook", size=20)
    bold.text(50, 25, "Rook", size=20, bold=True)
    assert sum(opened(plain.png()).convert("L").tobytes()) > sum(opened(bold.png()).convert("L").tobytes())


@pytest.mark.parametrize(("kind", "unit", "most"), [("png", 2, 5000), ("gif", 1, 1200)])
def test_a_size_is_that_of_the_longer_side(kind, unit, most):
    assert opened(getattr(beads(4), kind)(300)).size == (300, 120)
    assert opened(getattr(beads(4), kind)()).size == (100 * unit, 40 * unit)
    assert max(opened(getattr(Drawing(3, 5), kind)()).size) == 50
    assert max(opened(getattr(Drawing(9000, 5), kind)()).size) == most


@pytest.mark.parametrize(("kind", "most"), [("png", 5000), ("gif", 1200)])
@pytest.mark.parametrize("size", [0, 49, 5001])
def test_a_size_that_no_picture_may_have_is_refused(kind, most, size):
    with pytest.raises(InputError, match=f"size must be 50 to {most} pixels for a {kind.upper()}, got {size}"):
        getattr(beads(4), kind)(size)


def test_a_gif_has_a_frame_for_the_beginning_and_one_for_each_step():
    content = beads(30).gif(400)
    shown = list(frames(content))
    assert len(shown) == 31
    assert opened(content).info["loop"] == 0
    assert [shown[0][1], shown[-1][1]] == [1000, 3000]
    assert 10_000 <= sum(duration for _, duration in shown) <= 20_000
    assert all(difference(a, b) > 0 for (a, _), (b, _) in pairwise(shown))


def test_a_gif_begins_with_the_start_and_ends_with_the_whole():
    first, *_, last = (frame for frame, _ in frames(beads(6).gif(300)))
    whole = opened(beads(6).png(300)).convert("RGB")
    assert difference(last, whole) < 0.01
    assert difference(first, whole) > 0.03


def test_the_gif_of_what_never_changes_is_one_frame():
    assert opened(Drawing(100, 100).gif()).n_frames == 1


@pytest.mark.parametrize("kind", ["png", "gif"])
def test_without_pillow_the_command_that_installs_it_is_told(kind, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=f"a {kind.upper()} needs Pillow: pip install pillow"):
        getattr(beads(2), kind)()
