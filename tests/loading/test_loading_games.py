"""Games by name: what is loaded, and every mistake as one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import rookery as rk
from examples_of_games import SMALL
from rookery.loading.kinds import BUILTIN_GAMES, name_of

GAME = '''
import rookery as rk


class Race(rk.PythonGame):
    """Run."""

    def __init__(self, length: int = 3) -> None:
        self.length = length


class Puzzle(rk.PythonProblem):
    pass


class Broken(rk.PythonGame):
    @classmethod
    def build(cls):
        return Puzzle()
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GAME)
    return path


@pytest.mark.parametrize("name", BUILTIN_GAMES)
def test_a_built_in_game_knows_its_name_and_has_a_description_and_a_size(name: str) -> None:
    game = rk.load_game(name, SMALL[name])
    assert rk.tools.builtin_name(type(game)) == name_of(game) == name
    assert rk.tools.builtin_games()[name].endswith(".")
    assert game.parameters()["size"] == int(SMALL[name]["size"])
    assert rk.tools.game_parameters(name)[0].name == "size"


def test_a_users_game_is_loaded_with_its_parameters(file: Path) -> None:
    game = rk.load_game(f"{file}:Race", {"length": "7"})
    assert game.parameters() == {"length": 7}
    assert name_of(game) == f"{file}:Race"


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("nogoo", {}, "unknown game 'nogoo': did you mean nogo? there are amazons, atarigo,"),
        ("tsp", {}, "tsp is a problem, not a game: games are amazons, atarigo,"),
        ("breakthrough", {"size": "x"}, "-p size must be a whole number, got 'x'"),
        ("breakthrough", {"size": "99"}, "got 99"),
        ("breakthrough", {"komi": "1"}, "breakthrough has no parameter 'komi'; it has size"),
        ("FILE", {}, "FILE needs the name of a class, as in FILE:Race"),
        ("FILE:Nothing", {}, "FILE has no class Nothing; it has Race, Broken"),
        ("FILE:Puzzle", {}, "Puzzle in FILE is not a subclass of rookery.Game or PythonGame; it has Race, Broken"),
        ("FILE:Broken", {}, "FILE:Broken: build must return a game, got <"),
    ],
)
def test_a_mistake_is_one_sentence(file: Path, name: str, given: dict[str, str], message: str) -> None:
    with pytest.raises(rk.InputError) as caught:
        rk.load_game(name.replace("FILE", str(file)), given)
    assert message.replace("FILE", str(file)) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_is_not_taken_for_a_problem(file: Path) -> None:
    with pytest.raises(rk.InputError, match="go is a game, not a problem: problems are colouring,"):
        rk.load_problem("go")
    with pytest.raises(rk.InputError, match="Race in .* is not a subclass of rookery.Problem or PythonProblem"):
        rk.load_problem(f"{file}:Race")
