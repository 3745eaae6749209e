"""The standard boards are found where they are said to be; what is no such file is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rookery as rk
from data_folders import OWN
from rookery.problems.samegame.boards import generated_boards, standard_boards
from rookery.problems.samegame.formats import boards_text

FILE = OWN / "samegame" / "boards20.txt"
RULE = "20 blocks of 15 lines of 15 integers 0 to 4, the first line the top row, a blank line between blocks"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of data."""
    (tmp_path / "samegame").mkdir()
    (tmp_path / "samegame" / "standard20.txt").write_bytes(FILE.read_bytes())
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOKERY_DATA", raising=False)


def same(some: list[np.ndarray], others: list[np.ndarray]) -> bool:
    return len(some) == len(others) == 20 and all(map(np.array_equal, some, others))


def test_generated_boards_are_those_of_their_seeds() -> None:
    assert same(generated_boards(1), standard_boards(FILE))
    assert np.array_equal(generated_boards(7, count=1)[0], rk.problems.SameGame.build(seed=7).cells)


@pytest.mark.parametrize("part", ["", "samegame/standard20.txt"])
def test_the_environment_names_a_folder_or_the_file(folder: Path, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_DATA", str(folder / part))
    assert same(standard_boards(), generated_boards(1))


def test_a_file_that_is_given_comes_first(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_DATA", str(folder))
    (tmp_path / "others.txt").write_text(boards_text(generated_boards(50)))
    assert same(standard_boards(tmp_path / "others.txt"), generated_boards(50))


def test_without_either_the_error_says_what_the_file_must_hold_and_what_can_take_its_place() -> None:
    with pytest.raises(rk.InputError, match=rf"ROOKERY_DATA is not set: give a file that holds {RULE}, or a seed"):
        standard_boards()


def test_a_folder_without_the_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_DATA", str(tmp_path))
    with pytest.raises(rk.InputError, match=r"ROOKERY_DATA must name a folder with samegame/standard20.txt, .* got '"):
        standard_boards()


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (generated_boards(1, count=19), "19 of 15 x 15 cells in 5 colours"),
        ([rk.problems.SameGame.build(width=9, seed=i).cells for i in range(20)], "20 of 9 x 15 cells in 5 colours"),
        ([rk.problems.SameGame.build(colours=6, seed=i).cells for i in range(20)], "20 of 15 x 15 cells in 6 colours"),
    ],
)
def test_a_file_of_other_boards_is_refused(boards: list[np.ndarray], told: str, tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(boards_text(boards))
    with pytest.raises(
        rk.InputError, match=rf"boards.txt must hold the standard boards of SameGame, {RULE}, got {told}"
    ):
        standard_boards(tmp_path / "boards.txt")


@pytest.mark.parametrize("given", [{"seed": -1}, {"seed": "one"}, {"seed": 1, "count": 0}])
def test_a_seed_or_a_count_that_is_none_is_refused(given: dict[str, int]) -> None:
    with pytest.raises(rk.InputError, match="must be"):
        generated_boards(**given)
