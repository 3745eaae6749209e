"""Searches for games by name: what is made, and every mistake as one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import rookery as rk
from examples_of_games import Nim, PythonNim


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("ppa", rk.PPA()),
        ("uct", rk.GameUCT()),
        ("flat", rk.FlatMC()),
        ("ppa:alpha=0.5,playouts=2000,solver=true", rk.PPA(alpha=0.5, playouts=2000, solver=True)),
        ("uct:c=0,unvisited=random,reuse=yes", rk.GameUCT(c=0, unvisited="random", reuse=True)),
        ("uct:unvisited=0.5", rk.GameUCT(unvisited=0.5)),
        ("uct:nodes=5000,cut=20,prior=yes,unvisited=0.5", rk.GameUCT(nodes=5000, cut=20, prior=True, unvisited=0.5)),
        ("ppaf:playouts=1000", rk.PPAF()),
        ("ppafm:reuse=yes", rk.PPAFM(reuse=True)),
        ("grave:ref=20,bias=0.001", rk.GRAVE(ref=20, bias=0.001)),
        ("rave", rk.RAVE()),
        ("mast:temperature=0.2", rk.MAST(temperature=0.2)),
        ("uct:seconds=0.5", rk.GameUCT(playouts=None, seconds=0.5)),
        ("uct:seconds=0.5,playouts=10", rk.GameUCT(playouts=10, seconds=0.5)),
    ],
)
def test_a_search_is_read_from_its_name_and_parameters(text: str, search: object) -> None:
    assert rk.tools.load_game_search(text) == search


def test_limits_for_both_sides_give_way_to_those_of_one() -> None:
    assert rk.tools.load_game_search("uct", playouts=50) == rk.GameUCT(playouts=50)
    assert rk.tools.load_game_search("uct", seconds=0.1) == rk.GameUCT(playouts=None, seconds=0.1)
    assert rk.tools.load_game_search("uct", playouts=50, seconds=0.1) == rk.GameUCT(playouts=50, seconds=0.1)
    assert rk.tools.load_game_search("uct:playouts=7", seconds=0.1) == rk.GameUCT(playouts=7)
    assert rk.tools.load_game_search("uct:seconds=2", playouts=50) == rk.GameUCT(playouts=None, seconds=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "--a must be ppa, ppaf, ppafm, uct, rave, grave, mast or flat, "
            "as in uct or ppa:alpha=0.5,playouts=2000, got ''",
        ),
        ("nrpa", "got 'nrpa'"),
        ("uct:", "--a: parameters must be given as key=value, got ''"),
        ("uct:c", "--a: parameters must be given as key=value, got 'c'"),
        ("uct:=3", "--a: parameters must be given as key=value, got '=3'"),
        (
            "uct:alpha=1",
            "--a: uct has no parameter 'alpha'; it has playouts, seconds, c, unvisited, reuse, solver, bias",
        ),
        ("uct:name=1", "--a: uct has no parameter 'name'"),
        ("uct:c=1,c=2", "--a: c is given twice"),
        ("uct:c=much", "--a: c must be a number, got 'much'"),
        ("uct:playouts=x", "--a: playouts must be none or a whole number, got 'x'"),
        ("uct:playouts=0", "--a: playouts must be at least 1, got 0"),
        ("uct:playouts=none", "--a: give playouts or seconds for a move, or both"),
        ("uct:seconds=-1", "--a: seconds must be more than 0"),
        ("uct:solver=perhaps", "--a: solver must be true or false, got 'perhaps'"),
    ],
)
def test_a_mistake_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(rk.InputError) as caught:
        rk.tools.load_game_search(text, option="--a")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


OWN = """
from dataclasses import dataclass
import rookery as rk

@dataclass(frozen=True)
class Sure(rk.GameUCT):
    \"\"\"UCT that plays the move with the highest share of wins, of those with enough playouts.\"\"\"

    least: int = 5

    def chosen(self, counts):
        enough = [share if tries >= self.least else -1.0 for share, tries in zip(counts.shares, counts.tries)]
        return max(range(len(enough)), key=enough.__getitem__)

class Other:
    pass
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return f"{tmp_path / 'own.py'}"


def test_a_class_in_a_file_is_a_search_like_any_other(own: str) -> None:
    search = rk.tools.load_game_search(f"{own}:Sure:least=3,solver=true", playouts=60)
    assert repr(search) == (
        "Sure(playouts=60, seconds=None, c=0.4, unvisited='first', reuse=False, solver=True, "
        "bias=0.0, prior=False, cut=None, nodes=None, least=3)"
    )
    assert rk.tools.load_game_search(f"{own}:Sure").playouts == 1000
    assert search.parameters()["algorithm"] == "Sure"
    sides = (search, rk.FlatMC(playouts=10))
    here = rk.match(Nim(9), *sides, games=3)
    assert rk.match(Nim(9), *sides, games=3, executor="processes", workers=1).played == here.played


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Sure:most=3", "--a: Sure has no parameter 'most'; it has playouts, seconds, c, unvisited, reuse, solver, bi"),
        ("Sure:least=x", "--a: least must be a whole number, got 'x'"),
        ("Other", "--a: Other in"),
        ("Nobody", "has no class Nobody; it has Sure"),
    ],
)
def test_what_is_wrong_with_a_class_in_a_file_is_one_sentence(own: str, name: str, message: str) -> None:
    with pytest.raises(rk.InputError) as caught:
        rk.tools.load_game_search(f"{own}:{name}", option="--a")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_search_without_a_twin_plays_compiled_games_only() -> None:
    class Alone(rk.FlatMC):
        twin = None

    assert rk.decide(Nim(7), Alone(playouts=20)).playouts == 20
    with pytest.raises(rk.InputError, match="Alone searches compiled problems only: it names no twin"):
        rk.decide(PythonNim(7), Alone(playouts=20))
