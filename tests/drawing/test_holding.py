"""What a picture carries is read from any kind of file, and what is damaged is refused in one sentence."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.drawing import Drawing
from rookery.drawing.holding import held
from rookery.errors import InputError

TOLD = {"problem": "leftmove", "moves": [1, 0, 1] * 200}


@pytest.fixture(scope="module")
def files():
    pytest.importorskip("PIL")
    drawing = Drawing(60, 60, holds=TOLD)
    with drawing.during(1):
        drawing.circle(30, 30, 20)
    return {"SVG": drawing.svg().encode(), "PNG": drawing.png(), "GIF": drawing.gif()}


def test_every_kind_is_known_from_its_content(files):
    for kind, content in files.items():
        assert held(content) == (kind, TOLD)
    assert held(files["SVG"].decode().encode("utf-16")) == ("SVG", TOLD)


@pytest.mark.parametrize("content", [b"", b"(28,28)", b'{"moves": []}', b"\xff\xfe\xff", b"GIF", b"\x89PN"])
def test_what_is_no_picture_carries_nothing(content):
    assert held(content) is None


@pytest.mark.parametrize("kind", ["SVG", "PNG", "GIF"])
@given(data=st.data())
def test_a_picture_that_is_cut_or_changed_is_refused_or_read(files, kind, data):
    whole = files[kind]
    at = data.draw(st.integers(0, len(whole)))
    content = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + data.draw(st.integers(0, 400)) :]
    with contextlib.suppress(InputError):
        held(content)


def test_a_gif_that_is_cut_is_refused(files):
    with pytest.raises(InputError, match="the GIF is cut short at byte 700"):
        held(files["GIF"][:700])


def test_a_comment_of_somebody_else_is_not_taken_for_ours(files):
    content = files["GIF"].replace(b"rookery-game {", b"another-game {")
    with pytest.raises(InputError, match="a picture must hold its game in a comment 'rookery-game'"):
        held(content)
