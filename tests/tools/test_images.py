"""Every picture of the documentation is shown, and there is one way to make it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import images


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose page shows two pictures and says how they are made."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for name, path in {"ROOT": tmp_path, "DOCS": tmp_path / "docs", "IMAGES": tmp_path / "docs" / "images"}.items():
        monkeypatch.setattr(images, name, path)
    images.IMAGES.mkdir(parents=True)
    (tmp_path / "README.md").write_text("![a snake](docs/images/snake.svg)\n")
    return images.DOCS / "page.md"


def test_every_picture_is_shown_and_can_be_made_and_is_there():
    there = {path.relative_to(images.IMAGES).as_posix() for path in images.IMAGES.rglob("*.*")}
    assert there == images.shown() == set(images.makers())


def test_the_commands_of_a_page_make_the_pictures_that_pages_show(project):
    project.write_text(
        "```sh\nrookery solve snake -p dimension=3 \\\n    --level 1 --iterations 5 --seed 1 --out s.json  # short\n"
        "rookery show s.json --svg snake.svg --animated-svg other.svg\n```\n"
    )
    images.makers()["snake.svg"]()
    assert [path.name for path in images.IMAGES.iterdir()] == ["snake.svg"]
    assert (images.IMAGES / "snake.svg").read_text().startswith("<svg")


def test_the_python_of_a_page_makes_the_pictures_that_it_writes(project):
    programs = ('last = "<svg/>"', 'open("snake.svg", "w").write(last)', "raise SystemExit('this comes later')")
    project.write_text("\n".join(f"```python\n{program}\n```\n" for program in programs))
    images.makers()["snake.svg"]()
    assert (images.IMAGES / "snake.svg").read_text() == "<svg/>"


def test_a_picture_with_two_ways_to_make_it_is_refused(project):
    project.write_text("```sh\nrookery show a --svg snake.svg\n```\n\n```sh\nrookery show b --svg snake.svg\n```\n")
    with pytest.raises(SystemExit, match="there are two ways to make snake.svg"):
        images.makers()


def test_only_our_own_commands_are_run(project):
    project.write_text("```sh\ncurl -o snake.svg example.com\n```\n")
    with pytest.raises(SystemExit, match="a picture is made by rookery alone, not by: curl"):
        images.makers()["snake.svg"]()


def test_a_picture_that_nothing_makes_is_named(project, monkeypatch):
    project.write_text("")
    monkeypatch.setattr(sys, "argv", ["images.py", "snake.svg"])
    with pytest.raises(SystemExit, match="there is no way to make snake.svg; these can be made: layers.svg"):
        images.main()
