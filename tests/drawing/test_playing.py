"""When moves are shown, and films that are made of drawings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.drawing import Drawing
from rookery.drawing.playing import MOST_FRAMES, begins, joined, steps_shown


@pytest.mark.parametrize(("steps", "least", "most"), [(35, 10, 20), (82, 10, 20), (178, 10, 20), (1, 4, 4), (0, 4, 4)])
def test_moves_are_played_in_ten_to_twenty_seconds(steps, least, most):
    seconds = begins(steps)
    assert len(seconds) == steps + 2
    assert seconds == sorted(set(seconds))
    assert least <= seconds[-1] <= most


@pytest.mark.parametrize("steps", [0, 1, 2, 248, 249, 250, 251, 600, 5000])
def test_there_are_never_too_many_frames_and_always_the_ends(steps):
    shown = steps_shown(steps)
    assert len(shown) <= MOST_FRAMES
    assert (shown[0], shown[-1]) == (0, steps)
    assert shown == sorted(set(shown))


@given(st.lists(st.lists(st.integers(0, 6), max_size=8), min_size=1, max_size=8))
def test_a_film_shows_the_shapes_of_each_drawing_in_their_order(rows):
    frames = {}
    for step, row in enumerate(rows):
        frames[2 * step] = Drawing(10, 10)
        for x in row:
            frames[2 * step].circle(x, 0, 1)
    film = joined(frames)
    for step, frame in frames.items():
        assert film.visible(step) == film.visible(step + 1) == frame.visible()
    assert film.visible() == frame.visible()


def test_a_shape_that_stays_is_in_a_film_once():
    frames = {}
    for step in range(5):
        frames[step] = Drawing(10 + step, 10)
        frames[step].rect(0, 0, 10, 10, fill="#000000")
        frames[step].circle(step, 0, 1)
        frames[step].text(5, 5, "always", size=3)
    film = joined(frames)
    assert len(film.shapes) == 7
    assert (film.width, film.height) == (14, 10)


def test_a_drawing_whose_shapes_come_and_go_needs_no_film():
    drawing = Drawing(10, 10, film=lambda: pytest.fail("not needed"))
    with drawing.during(1):
        drawing.circle(5, 5, 5)
    drawing.circle(2, 2, 1)
    assert drawing.played() is drawing
    assert [shown.since for shown in drawing.shapes] == [1, 0]


def test_a_film_keeps_title_and_what_the_drawing_carries():
    drawing = Drawing(10, 10, title="a", holds=1, film=lambda: joined({0: Drawing(5, 5), 1: Drawing(9, 9)}))
    played = drawing.played()
    assert (played.title, played.holds, played.width) == ("a", 1, 9)
