"""Every problem and every game that draws itself: pictures of all kinds, which are read as what they show."""

from __future__ import annotations

import contextlib
import random

import numpy as np
import pytest

import rookery as rk
from examples_of_games import SMALL
from rookery.drawing.holding import held
from rookery.engine.interpreted import Interpreted, InterpretedGame
from rookery.errors import InputError
from rookery.files.solutions import read_solution
from rookery.matches.record_files import is_match, read_match

PROBLEMS = {
    "colouring": {"graph": "mycielski4", "colours": "3"},
    "conjecture": {"n": "6"},
    "crossword": {"words": "Boise,Salem,Ames,Lima", "width": "7"},
    "independentset": {"graph": "p edge 4 2 / e 1 2 / e 2 3 /"},
    "jobshop": {"instance": "2 2 / 0 3 1 2 / 1 4 0 1 /"},
    "morpion": {"variant": "4D"},
    "morpion-tuned": {"variant": "4T"},
    "rna": {"target": "bulge"},
    "samegame": {"height": "4", "width": "5", "colours": "3"},
    "samegame-soft": {"height": "4", "width": "5", "colours": "3"},
    "schur": {"classes": "3"},
    "snake": {"dimension": "5"},
    "sudoku": {"size": "4"},
    "tsp": {"n": "6"},
    "tsp-near": {"n": "6"},
    "tsptw": {"n": "6"},
}
WITHOUT = {"leftmost", "leftmove"}


def some_moves(loaded, most=7):
    """Random moves, by the functions of a problem or a game as the Python that they are."""
    if isinstance(loaded, rk.PythonProblem):
        plain = loaded
    else:
        plain = (InterpretedGame if isinstance(loaded, rk.Game) else Interpreted)(loaded)
    state, chosen, moves = plain.start(), random.Random(1), []
    while len(moves) < most and (legal := plain.moves(state)):
        moves.append(chosen.choice(legal))
        played = plain.play(state, moves[-1])
        state = state if played is None else played
    return moves


def made(drawing, tmp_path):
    """The files of a drawing, by kind."""
    contents = {"SVG": drawing.svg().encode(), "animated": drawing.svg(animated=True).encode()}
    contents |= {"PNG": drawing.png(60), "GIF": drawing.gif(60)}
    for kind, content in contents.items():
        file = tmp_path / kind
        file.write_bytes(content)
        yield kind.replace("animated", "SVG"), file


def test_all_that_is_built_in_draws_itself_or_is_known_not_to():
    assert set(rk.tools.builtin_problems()) == set(PROBLEMS) | WITHOUT
    for name in WITHOUT:
        assert rk.files.picture(rk.load_problem(name), ()) is None


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_picture_of_a_solution_is_read_as_that_solution(name, tmp_path):
    pytest.importorskip("PIL")
    problem = rk.load_problem(name, PROBLEMS[name])
    moves = some_moves(problem)
    for kind, file in made(rk.files.picture(problem, np.array(moves), score=np.float64(2.5)), tmp_path):
        found = read_solution(file)
        assert found == (kind, name, problem.parameters(), tuple(moves), 2.5)
        assert not is_match(file)


@pytest.mark.parametrize("name", SMALL)
def test_the_picture_of_a_game_is_read_as_that_game(name, tmp_path):
    pytest.importorskip("PIL")
    game = rk.load_game(name, SMALL[name])
    moves = some_moves(game)
    for kind, file in made(rk.files.picture(game, moves, number=3, players=("ann", "bob"), winner=1), tmp_path):
        assert is_match(file)
        assert read_solution(file) is None
        kept = read_match(file)
        one = kept.at(3)
        assert (kept.format, one.game, one.moves, one.said_winner) == (kind, name, tuple(moves), "bob won")
        assert rk.load_game(one.game, one.parameters).parameters() == game.parameters()


@pytest.mark.parametrize("name", [*PROBLEMS, *SMALL])
def test_a_picture_plays_the_moves_one_by_one(name):
    loaded = rk.tools.load_any(name, {**PROBLEMS, **SMALL}[name])
    moves = some_moves(loaded)
    drawing = rk.files.picture(loaded, moves)
    played = drawing.played()
    assert played.visible() == drawing.visible()
    if drawing.steps:  # it says itself what comes and goes, and has the colours of the whole game
        assert drawing.steps == len(moves)
    else:
        for step in range(len(moves)):
            assert played.visible(step) == loaded.picture(moves[:step]).visible()


@pytest.mark.parametrize("name", [*PROBLEMS, *SMALL])
def test_a_position_without_moves_has_a_picture(name):
    drawing = rk.files.picture(rk.tools.load_any(name, {**PROBLEMS, **SMALL}[name]), ())
    assert drawing.svg(animated=True).count("<g ") == 0
    assert drawing.holds["moves"] == []


def test_a_picture_carries_moves_that_json_does_not_know():
    class Word(rk.PythonProblem):
        def picture(self, moves):
            return rk.Drawing(10, 10)

    moves = ((1, "a"), np.int64(3), {7}, "b")
    assert held(rk.files.picture(Word(), moves).svg().encode()).data["moves"] == [[1, "a"], 3, "{7}", "b"]


BAD = [
    ({"problem": 1}, "'problem' must be a text, got 1"),
    ({"parameters": []}, "'parameters' must be an object, got []"),
    ({"moves": None}, "'moves' must be a list, got null"),
    ({"score": "high"}, "'score' must be a number, got \"high\""),
    ({"score": True}, "'score' must be a number, got true"),
]
BAD_GAMES = [
    ({"game": 1}, "'game' must be a text, got 1"),
    ({"moves": "a"}, "'moves' must be a list, got \"a\""),
    ({"number": -1}, "'number' must be a whole number, got -1"),
    ({"players": ["ann"]}, r"'players' must be two texts, got \[\"ann\"\]"),
    ({"winner": 2}, "'winner' must be 0, 1, -1 or null, got 2"),
    ({"winner": 1.0}, "'winner' must be 0, 1, -1 or null, got 1.0"),
    ({"winner": []}, r"'winner' must be 0, 1, -1 or null, got \[\]"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_a_picture_with_a_solution_that_cannot_be_is_refused(change, message, tmp_path):
    told = {"problem": "leftmove", "parameters": {"depth": 3}, "moves": [1, 1]}
    (tmp_path / "a.svg").write_text(rk.Drawing(9, 9, holds={**told, **change}).svg())
    with pytest.raises(InputError) as refused:
        read_solution(tmp_path / "a.svg")
    assert str(refused.value) == f"{tmp_path / 'a.svg'} is not a picture: {message}"


@pytest.mark.parametrize(("change", "message"), BAD_GAMES)
def test_a_picture_with_a_game_that_cannot_be_is_refused(change, message, tmp_path):
    told = {"game": "nogo", "parameters": {"size": 3}, "moves": [4]}
    (tmp_path / "a.svg").write_text(rk.Drawing(9, 9, holds={**told, **change}).svg())
    with pytest.raises(InputError, match=message):
        read_match(tmp_path / "a.svg")
    (tmp_path / "a.svg").write_text(rk.Drawing(9, 9, holds=told).svg())
    assert read_match(tmp_path / "a.svg").at(0).said_winner == "no winner is given"


def test_moves_that_are_nested_without_end_are_refused(tmp_path):
    deep = "[" * 900 + "]" * 900
    for kind, read in (("problem", read_solution), ("game", read_match)):
        text = f'{{"{kind}": "nogo", "parameters": {{}}, "moves": [{deep}]}}'
        (tmp_path / "a.svg").write_text(f'<svg><metadata id="rookery-game">{text}</metadata></svg>')
        with contextlib.suppress(InputError):
            read(tmp_path / "a.svg")
