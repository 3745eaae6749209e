"""Figures by matplotlib: the same figure is the same file."""

from __future__ import annotations

import pytest

from rookery.drawing.figures import new_figure, write_figure


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_bytes_whenever_it_is_written(form, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    for day in (1, 2):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * day))
        figure = new_figure((3, 2))
        figure.add_subplot().plot([1, 3, 2])
        write_figure(figure, tmp_path / f"{day}.{form}")
    assert (tmp_path / f"1.{form}").read_bytes() == (tmp_path / f"2.{form}").read_bytes()
