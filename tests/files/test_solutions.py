"""Verdicts on files: legal or not, the score, what is left; and never code that a file names."""

from __future__ import annotations

import json
import re

import pytest

import rookery as rk
from data_folders import REFERENCE
from morpion_by_hand import judge, random_game, result_json, result_of
from rookery.problems.morpion import MorpionGame, Move
from rookery.problems.morpion.formats import game_json
from rookery.problems.morpion.notation import pentasol
from rookery.problems.morpion.symmetry import image

WORDS = """
from pathlib import Path

import rookery as rk

Path("ran").touch()
print("noise")


class Words(rk.PythonProblem):
    def __init__(self, length: int = 3):
        self.length = length

    def parameters(self):
        return {"length": self.length}

    def start(self):
        return ""

    def moves(self, state):
        return ["a", "b"] if len(state) < self.length else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")


class Others(Words):
    pass
"""

RECORDS = [
    ("4D_hyyroporanen35.json", "4D", 35),
    ("4T_hyyroporanen62.json", "4T", 62),
    ("5D_rosin82.json", "5D", 82),
    ("5T_bruneau170.json", "5T", 170),
    ("5T_rosin178.json", "5T", 178),
    ("bruneau170.psol", "5T", 170),
    ("rosin82.psol", "5D", 82),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.py").write_text(WORDS)
    return tmp_path


def write(data, name="file.json"):
    with open(name, "w", encoding="utf-8") as file:
        file.write(data if isinstance(data, str) else json.dumps(data))
    return name


# --- games ---


def test_known_games_are_legal_with_the_score_of_their_name_and_finished(data):
    games, texts = ([*(data / "morpion").glob(f"*.{kind}")] for kind in ("json", "psol"))
    assert games
    assert texts
    for path in games + texts:
        verdict = rk.files.verify_file(path)
        score = int(re.search(r"\d+$", path.stem)[0])
        assert (verdict.ok, verdict.legal, verdict.score, verdict.left, verdict.at) == (True, True, score, 0, None)
        assert verdict.claimed == (score if path.suffix == ".json" else None)
        assert verdict.inferred == (path.suffix == ".psol")


if REFERENCE.is_dir():

    @pytest.mark.parametrize(("name", "variant", "score"), RECORDS)
    def test_records_have_the_score_that_they_are_known_for(name, variant, score):
        verdict = rk.files.verify_file(REFERENCE / "morpion" / name)
        assert (verdict.ok, verdict.variant, verdict.score, verdict.left) == (True, variant, score, 0)


def test_an_unfinished_game_is_right_and_has_moves_left(folder):
    game = random_game("5T", 1, 4)
    verdict = rk.files.verify_file(write(game_json(game)))
    assert (verdict.ok, verdict.score, verdict.left) == (True, 4, judge("5T", game.moves)[1])
    assert verdict.left > 0


def test_a_wrong_claim_is_not_right_though_the_game_is_legal(folder):
    verdict = rk.files.verify_file(write({**game_json(random_game("5D", 1, 9)), "score": 10}))
    assert (verdict.ok, verdict.legal, verdict.claim_holds, verdict.score, verdict.claimed) == (
        False,
        True,
        False,
        9,
        10,
    )


def test_an_illegal_game_is_refused_with_move_and_rule(folder):
    moves = (Move(4, 3, "H", 4), Move(4, 3, "H", 0))
    verdict = rk.files.verify_file(write(game_json(MorpionGame("5T", moves))))
    assert (verdict.ok, verdict.legal, verdict.score, verdict.left) == (False, False, None, None)
    assert (verdict.at, verdict.move, verdict.reason) == (2, "(4,3) horizontal", "there is a dot at (4,3) already")


def test_the_variant_decides(folder):
    path = write(pentasol(MorpionGame("5T", (Move(4, 3, "H", 4), Move(5, 3, "H", 1)))), "game.psol")
    assert [rk.files.verify_file(path, variant=v).legal for v in ("5T", "5D", "4T")] == [True, False, False]
    assert rk.files.verify_file(path).variant == "5T"


def test_a_morpion_result_is_verified_without_compiling(folder, monkeypatch):
    monkeypatch.setattr("rookery.files.solutions.replay", None)
    game = random_game("4T", 2)
    verdict = rk.files.verify_file(write(result_of(game)))
    assert (verdict.ok, verdict.variant, verdict.score, verdict.left) == (True, "4T", game.score, 0)


def test_a_verdict_is_json(folder):
    path = write(game_json(random_game("5D", 1, 9)))
    data = json.loads(json.dumps(rk.files.verify_file(path).to_json()))
    assert (data["file"], data["ok"], data["legal"], data["score"], data["variant"]) == (path, True, True, 9, "5D")


# --- two games ---


def test_an_image_in_another_format_is_the_same_grid(folder):
    game = random_game("5T", 3)
    first, second = write(game_json(game)), write(pentasol(image(game, 5)), "game.psol")
    found = rk.files.compare_files(first, second)
    assert (found.ok, found.same, found.shared) == (True, True, game.score)


def test_other_games_are_different(folder):
    first, second = (write(game_json(random_game("5T", seed)), f"{seed}.json") for seed in (1, 2))
    found = rk.files.compare_files(first, second)
    assert (found.ok, found.same) == (False, False)
    assert 0 < found.shared < min(verdict.moves for verdict in found.verdicts)


def test_a_game_that_is_not_legal_is_not_compared(folder):
    right, wrong = (
        write(game_json(MorpionGame("5T", ()))),
        write(game_json(MorpionGame("5T", (Move(0, 0, "H", 0),))), "wrong.json"),
    )
    found = rk.files.compare_files(right, wrong)
    assert (found.ok, found.same, found.shared) == (False, None, None)


def test_the_same_grid_with_a_wrong_claim_is_not_right(folder):
    game = game_json(random_game("5T", 1, 5))
    found = rk.files.compare_files(write(game), write({**game, "score": 6}, "claim.json"))
    assert (found.ok, found.same) == (False, True)


# --- results of other problems ---


def test_a_result_of_a_built_in_problem_is_replayed(folder):
    path = write(result_json("leftmove", {"depth": 3}, 2.0, [1, 1, 0]))
    verdict = rk.files.verify_file(path)
    assert (verdict.ok, verdict.problem, verdict.score, verdict.left) == (True, "leftmove", 2.0, 0)
    verdict = rk.files.verify_file(write(result_json("leftmove", {"depth": 3}, 2.0, [0, 1])))
    assert (verdict.ok, verdict.score, verdict.claim_holds, verdict.left) == (False, 1.0, False, 2)


def test_an_illegal_move_of_a_result_is_told(folder):
    verdict = rk.files.verify_file(write(result_json("leftmove", {"depth": 3}, 2.0, [0, 7, 0])))
    assert (verdict.legal, verdict.at, verdict.move) == (False, 2, "7")
    assert verdict.reason == "it is not among the legal moves"
    verdict = rk.files.verify_file(write(result_json("leftmove", {"depth": 3}, 2.0, [0, 0, 0, 0])))
    assert (verdict.legal, verdict.at) == (False, 4)


def test_scores_that_differ_by_rounding_are_the_same(folder):
    problem, tour = rk.problems.TSP.build(n=5, seed=1), [4, 2, 1, 3]
    score, _ = rk.replay(problem, tour)
    for claimed, holds in ((score, True), (score * (1 + 1e-12), True), (score * (1 + 1e-6), False)):
        path = write(result_json("tsp", {"n": 5, "seed": 1}, claimed, tour))
        assert rk.files.verify_file(path).claim_holds is holds


def test_a_result_whose_parameters_are_not_known_is_not_verified_by_others(folder):
    path = write(result_json("tsp", {}, 2.0, [1, 2]))
    with pytest.raises(rk.InputError, match="file.json does not hold the parameter n: name it as -p n=..."):
        rk.files.verify_file(path)
    score, _ = rk.replay(rk.problems.TSP.build(n=5, seed=1), [4, 2, 1, 3])
    path = write(result_json("tsp", {}, score, [4, 2, 1, 3]))
    assert rk.files.verify_file(path, problem="tsp", parameters={"n": "5", "seed": "1"}).ok


def test_parameters_that_contradict_the_file_are_refused(folder):
    path = write(result_json("leftmove", {"depth": 3}, 2.0, [1, 1, 0]))
    with pytest.raises(rk.InputError, match="file.json must be a result with depth=4, got one with depth=3"):
        rk.files.verify_file(path, problem="leftmove", parameters={"depth": "4"})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (result_json("leftmove", {"depth": "x"}, 2.0, [0]), "file.json: -p depth must be a whole number, got 'x'"),
        (result_json("leftmove", {"width": 3}, 2.0, [0]), "file.json: leftmove has no parameter 'width'"),
        (
            result_json("leftmove", {"depth": 3}, 2.0, ["a"]),
            "is not a solution: moves must be whole numbers of 64 bits",
        ),
        ({**result_json("leftmove", {}, 2.0, []), "seed": -1}, "file.json is not a result file: 'seed' must be"),
        ({**result_json("morpion", {}, 2.0, []), "seed": -1}, "file.json is not a result file: 'seed' must be"),
        ({"problem": "leftmove"}, "file.json is not a result file: 'parameters' is missing"),
    ],
)
def test_what_is_no_result_is_refused(folder, data, message):
    with pytest.raises(rk.InputError, match=message):
        rk.files.verify_file(write(data))


# --- problems of users ---


@pytest.mark.parametrize("name", ["words.py:Words", "os:path", "words.py", "__main__:Words", "../words.py:Words", ""])
def test_code_that_a_file_names_is_never_run(folder, name):
    path = write(result_json(name, {"length": 2}, 2.0, ["b", "b"]))
    with pytest.raises(rk.InputError, match="is a result of .*no code is run because a file names it; name it: `rook"):
        rk.files.verify_file(path)
    assert not (folder / "ran").exists()


def test_a_users_problem_is_verified_when_it_is_named(folder):
    path = write(result_json("elsewhere/words.py:Words", {"length": 2}, 2.0, ["b", "b"]))
    verdict = rk.files.verify_file(path, problem="words.py:Words")
    assert (verdict.ok, verdict.problem, verdict.score, verdict.left) == (True, "words.py:Words", 2.0, 0)
    assert rk.files.verify_file(path, problem="words.py:Words", parameters={"length": "2"}).ok
    path = write(result_json("words.py:Words", {"length": 2}, 2.0, ["b", "c"]))
    assert rk.files.verify_file(path, problem="words.py:Words").at == 2


def test_a_result_of_another_class_is_refused(folder):
    path = write(result_json("words.py:Words", {"length": 2}, 2.0, ["b", "b"]))
    with pytest.raises(
        rk.InputError, match='file.json must be a result of words.py:Others, got one of "words.py:Words"'
    ):
        rk.files.verify_file(path, problem="words.py:Others")


def test_options_that_do_not_go_with_the_file_are_refused(folder):
    game, result = (
        write(game_json(MorpionGame("5T", ()))),
        write(result_json("leftmove", {"depth": 1}, 1, [0]), "result.json"),
    )
    with pytest.raises(
        rk.InputError, match="a variant goes with a game of Morpion Solitaire, which result.json is not"
    ):
        rk.files.verify_file(result, variant="5T")
    with pytest.raises(rk.InputError, match="file.json is not a solution of leftmove: LeftMove has no written form"):
        rk.files.verify_file(game, problem="leftmove")
    with pytest.raises(rk.InputError, match="parameters go with a problem: name it too"):
        rk.files.verify_file(result, parameters={"depth": "1"})
