"""``rookery verify``: exit 0 for what is right, 1 for what is not, 2 for what is no solution; never a traceback."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morpion_by_hand import chunk, png, random_game, result_json, result_of
from rookery.cli import main
from rookery.problems.morpion import MorpionGame, Move
from rookery.problems.morpion.formats import game_json
from rookery.problems.morpion.notation import pentasol
from rookery.problems.morpion.symmetry import image

GAME = random_game("5D", 7)
TEXT = json.dumps(game_json(GAME))
FILES = {
    "game.json": TEXT.encode(),
    "game.psol": pentasol(GAME).encode(),
    "turned.json": json.dumps(game_json(image(GAME, 3))).encode(),
    "result.json": json.dumps(result_of(GAME)).encode(),
    "picture.svg": f'<svg><metadata id="rookery-game">{TEXT}</metadata></svg>'.encode(),
    "picture.png": png(chunk(b"tEXt", b"rookery-game\0" + TEXT.encode())),
    "short.json": json.dumps(game_json(random_game("5D", 7, 5))).encode(),
    "claims.json": json.dumps({**game_json(GAME), "score": 99}).encode(),
    "illegal.json": json.dumps(game_json(MorpionGame("5T", (Move(4, 3, "H", 4), Move(5, 3, "H", 4))))).encode(),
    "leftmove.json": json.dumps(result_json("leftmove", {"depth": 3}, 2.0, [1, 1, 0])).encode(),
    "users.json": json.dumps(result_json("words.py:Words", {"length": 3}, 2.0, ["a"])).encode(),
    "odd.json": b'{"a": 1}',
    "odd.txt": b"hello\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture
def run(capsys):
    def command(line):
        code = main(["verify", *shlex.split(line)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


@pytest.mark.parametrize("name", ["game.json", "game.psol", "turned.json", "result.json", "picture.svg", "picture.png"])
def test_a_legal_game_is_told_with_its_score(run, name):
    code, out, err = run(name)
    assert (code, err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["file"].startswith(f"{name}: morpion 5D")
    assert lines["legal"] == f"yes, {GAME.score} moves"
    assert (lines["score"], lines["left"]) == (str(GAME.score), "no legal move: finished")


def test_an_unfinished_game_is_legal_and_said_to_be_unfinished(run):
    code, out, _ = run("short.json")
    left = len(random_game("5D", 7, 5).board().legal())
    assert code == 0
    assert f"left      {left} legal moves: not finished" in out


def test_a_wrong_claim_is_told(run):
    code, out, _ = run("claims.json")
    assert code == 1
    assert f"score     {GAME.score}, but the file claims 99" in out


def test_an_illegal_move_is_told_with_its_number_and_rule(run):
    code, out, err = run("illegal.json")
    rule = "the segment (1,3) to (2,3) is in the horizontal line of move 1 already"
    assert (code, err) == (1, "")
    assert out.splitlines()[1] == f"legal     no: move 2, (5,3) horizontal: {rule}"


def test_a_result_of_another_problem_is_verified(run):
    code, out, _ = run("leftmove.json")
    assert (code, out.splitlines()[0]) == (0, "file      leftmove.json: leftmove, read as result")


def test_a_users_problem_must_be_named(run, folder):
    words = "import rookery as rk\nprint('noise')\nclass Words(rk.PythonProblem):\n"
    words += "    def __init__(self, length: int): self.length = length\n"
    words += (
        "    def start(self): return ''\n    def moves(self, state): return 'ab' if len(state) < self.length else ''\n"
    )
    words += "    def play(self, state, move): return state + move\n    def score(self, state): return len(state)\n"
    (folder / "words.py").write_text(words)
    code, out, err = run("users.json")
    assert (code, out) == (2, "")
    assert (
        "no code is run because a file names it; name it: `rookery verify users.json --problem words.py:Words`" in err
    )
    code, out, err = run("users.json --problem words.py:Words -p length=3 --json")
    assert (code, json.loads(out)["score"], json.loads(out)["left"], err) == (1, 1.0, 2, "noise\n")


def test_two_games_that_draw_the_same_grid(run):
    code, out, err = run("game.psol turned.json")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == f"same grid: {GAME.score} lines"


def test_two_games_that_draw_different_grids(run):
    code, out, _ = run("game.psol short.json")
    assert code == 1
    assert out.splitlines()[-1] == f"different: 5 lines shared, of {GAME.score} and 5"


def test_a_game_that_is_not_legal_is_not_compared(run):
    code, out, _ = run("game.psol illegal.json")
    assert code == 1
    assert "illegal.json: morpion 5T, read as JSON; illegal: move 2, (5,3) horizontal: the segment" in out
    assert out.splitlines()[-1] == "not compared: both games must be legal"


def test_json_is_one_object(run):
    data = json.loads(run("game.json --json")[1])
    assert (data["ok"], data["legal"], data["score"], data["left"]) == (True, True, GAME.score, 0)
    data = json.loads(run("illegal.json --json")[1])
    assert (data["ok"], data["legal"], data["at"], data["score"]) == (False, False, 2, None)
    data = json.loads(run("game.json short.json --json")[1])
    assert (data["ok"], data["same"], data["shared"], len(data["files"])) == (False, False, 5, 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "Missing argument 'FILE'"),
        ("none.json", "cannot read none.json: No such file or directory"),
        (".", "cannot read .: Is a directory"),
        ("odd.json", "odd.json is not a game of Morpion Solitaire: 'moves' is missing"),
        ("odd.txt", "line 1 must be the reference point, as in (28,28), got 'hello'"),
        ("game.json odd.txt", "odd.txt is not a game of Morpion Solitaire"),
        ("game.json leftmove.json", 'leftmove.json is not a game of Morpion Solitaire: it is a result of "leftmove"'),
        ("game.json --variant 6T", "variant must be 5T, 5D, 4T or 4D, got '6T'"),
        ("leftmove.json --variant 5T", "a variant goes with a game of Morpion Solitaire, which leftmove.json is not"),
        (
            "game.json --problem leftmove",
            "game.json is not a solution of leftmove: LeftMove has no written form",
        ),
        ("leftmove.json --problem tps", 'must be a result of tps, got one of "leftmove"'),
        ("users.json --problem none.py:Words", "cannot read none.py: No such file or directory"),
        ("leftmove.json -p depth=3", "-p goes with --problem: name the problem too"),
        ("game.json game.psol --problem leftmove", "--problem goes with one file"),
    ],
)
def test_bad_input_is_one_line(run, line, message):
    code, out, err = run(line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_what_solve_writes_is_verified(run):
    main(shlex.split("solve morpion -p variant=5D --level 1 --iterations 20 --seed 1 --quiet --json --out best.json"))
    printed = json.loads(run("best.json --json")[1].splitlines()[-1])
    score = json.loads(Path("best.json").read_text())["score"]
    assert (printed["ok"], printed["variant"], printed["score"], printed["left"]) == (True, "5D", score, 0)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_files_that_were_cut_or_changed_never_give_a_traceback(run, data):
    content = FILES[data.draw(st.sampled_from(["game.json", "game.psol", "result.json", "picture.svg", "picture.png"]))]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        change = data.draw(st.sampled_from(["cut", "drop", "put", "double"]))
        if change == "cut":
            content = content[:at]
        elif change == "drop":
            content = content[:at] + content[at + data.draw(st.integers(1, 9)) :]
        elif change == "put":
            put = data.draw(
                st.one_of(st.binary(max_size=4), st.sampled_from([b"9" * 50, b"[", b"-", b"\n", b'"', b"\0"]))
            )
            content = content[:at] + put + content[at + len(put) :]
        else:
            content += content[at:]
    Path("changed").write_bytes(content)
    for line in ("changed", "changed --json", "game.json changed"):
        code, out, err = run(line)
        assert code in (0, 1, 2)
        assert (err.count("\n"), out == "") == ((1, True) if code == 2 else (0, False))
        assert "Traceback" not in err


# --- games of a match ---

SGF = "(;SZ[2]KM[0.5]PB[ann]PW[bob]RE[{}];B[aa];W[];B[bb];W[];B[])"


def test_the_games_of_a_match_are_replayed(run):
    Path("games.sgf").write_text(SGF.format("B+") + "(;SZ[2]KM[0.5]PB[ann]PW[b\x07b]RE[W+R];B[aa])")
    code, out, err = run("games.sgf")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "file      games.sgf: go, read as SGF",
        "legal     yes, 2 games, 1 not played to the end; the winners of the others are right",
        "score     ann 1, b\\x07b 1",
    ]


def test_a_match_with_a_wrong_winner_is_found_out(run):
    Path("games.sgf").write_text(SGF.format("W+"))
    code, out, _ = run("games.sgf --json")
    data = json.loads(out)
    assert (code, data["ok"], data["wrong"], data["played"]) == (1, False, 0, ["go"])
    assert run("games.sgf")[1].endswith("no: game 0 of 1 game: ann won, but the file claims: bob won\n")


def test_a_variant_does_not_go_with_a_match(run):
    Path("games.sgf").write_text(SGF.format("W+"))
    message = "--variant goes with a game of Morpion Solitaire, which games.sgf is not"
    assert run("games.sgf --variant 5T") == (2, "", f"rookery: {message}\n")
