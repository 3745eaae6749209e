"""``rookery play``: a person against a search; no move that is not legal, whatever is typed."""

from __future__ import annotations

import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from examples_of_games import DrawnNim, PythonNim
from rookery.cli import main
from rookery.cli.dialogue import Dialogue

NIM = (Path(__file__).parents[1] / "examples_of_games.py").resolve()
SEARCH = rk.GameUCT(playouts=30)


def dialogue(game: Any = None, person: int = 0) -> tuple[Dialogue, rk.tools.Sitting]:
    sitting = rk.tools.Sitting(PythonNim(stones=9) if game is None else game, SEARCH)
    table = Dialogue(sitting, person)
    table.begin()
    return table, sitting


def test_the_search_answers_every_move() -> None:
    table, sitting = dialogue()
    said = table.reply("take 2")
    assert len(sitting.moves) == 2
    assert sitting.moves[0] == 2
    assert said.startswith(f"uct plays take {sitting.moves[1]}: won ")
    assert f"moves so far: take 2, take {sitting.moves[1]}\nfirst to move" in said


def test_the_search_begins_if_the_person_is_second() -> None:
    sitting = rk.tools.Sitting(PythonNim(stones=9), SEARCH)
    said = Dialogue(sitting, 1).begin()
    assert said.startswith("You are second, uct is first.")
    assert len(sitting.moves) == 1


@pytest.mark.parametrize("text", ["take 2", "TAKE  2", " take\t2 ", "2", "move take 2", "move 2"])
def test_a_move_is_read_as_it_is_described_or_as_it_is(text: str) -> None:
    table, sitting = dialogue()
    table.reply(text)
    assert sitting.moves[0] == 2


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("take 4", "'take 4' is neither a move nor a command: 'moves' lists the legal moves, 'help' all else"),
        ("move hint", "'hint' is neither a move nor a command"),
        ("undo", "there is no move of yours to take back"),
        ("opinion", "the search has not moved yet: 'hint' asks it about your move"),
        ("save", "give a file, as in save game.sgf"),
        ("save game.txt", "a game must be written as .sgf or .jsonl, got 'game.txt'"),
        ("save game.sgf", "SGF is for go, atarigo, nogo and misere-nogo, not for PythonNim"),
        ("save none/game.jsonl", "cannot write none/game.jsonl: No such file or directory"),
        ("moves", "take 1, take 2, take 3"),
        ("board", "moves so far: none\nfirst to move"),
        ("", ""),
    ],
)
def test_this_is_answered(text: str, answer: str) -> None:
    table, sitting = dialogue()
    assert table.reply(text).startswith(answer)
    assert sitting.moves == ()


def test_written_moves_that_are_not_legal_are_refused() -> None:
    sitting = rk.tools.Sitting(rk.games.NoGo(size=3), rk.FlatMC(playouts=5))
    table = Dialogue(sitting, 0)
    table.begin()
    table.reply("b2")
    before = sitting.moves
    assert table.reply("b2") == "'b2' is not legal here: 'moves' lists the moves that are"
    assert "neither a move nor a command" in table.reply("k9")
    assert sitting.moves == before


def test_a_hint_and_an_opinion_have_playouts_shares_and_a_line() -> None:
    table, sitting = dialogue()
    hint = table.reply("hint").splitlines()
    assert len(hint) == 3
    assert all("% of " in row and " playouts, expects take " in row for row in hint)
    assert sitting.moves == ()
    table.reply("take 1")
    opinion = table.reply("opinion").splitlines()
    assert opinion[0].startswith(f"take {sitting.moves[1]}: won ")


def test_undo_takes_back_the_last_move_and_its_answer() -> None:
    table, sitting = dialogue()
    table.reply("take 1")
    one = sitting.moves
    table.reply("take 1")
    table.reply("undo")
    assert sitting.moves == one
    table.reply("undo")
    assert sitting.moves == ()


def test_the_first_move_of_the_search_is_not_taken_back() -> None:
    table, sitting = dialogue(person=1)
    assert table.reply("undo") == "there is no move of yours to take back"
    assert len(sitting.moves) == 1


def test_the_end_is_told_and_can_be_undone() -> None:
    table, sitting = dialogue(PythonNim(stones=3))
    assert table.reply("take 3").endswith("first has won")
    assert "the game is over: first has won" in table.reply("take 1")
    assert "the game is over" in table.reply("hint")
    assert "the game is over" in table.reply("resign")
    table.reply("undo")
    assert sitting.winner is None
    assert dialogue(DrawnNim(stones=3))[0].reply("take 3").endswith("a draw")


def test_a_game_that_was_resigned_is_kept_and_verified(tmp_path: Path) -> None:
    table, _ = dialogue()
    table.reply("take 1")
    path = tmp_path / "game.jsonl"
    assert "a record holds games that are over; 2 moves were played so far" in table.reply(f"save {path}")
    assert not path.exists()
    assert table.reply("resign") == "second has won by resignation"
    assert table.reply(f"save {path}") == f"saved as {path}"
    header, line = map(json.loads, path.read_text().splitlines())
    assert (header["a"], header["b"]["algorithm"]) == ({"algorithm": "a person"}, "uct")
    assert (line["winner"], line["resigned"], line["playouts"]) == ("b", True, 30)
    verdict = rk.files.verify_match(path, f"{NIM}:PythonNim")
    assert (verdict.ok, verdict.unfinished, verdict.score) == (True, 1, {"uct (b)": 1})
    assert "is there already" in table.reply(f"save {path}")
    table.reply("undo")
    assert table.reply("board").endswith("first to move")


def test_a_game_of_the_go_family_is_saved_as_sgf(tmp_path: Path) -> None:
    sitting = rk.tools.Sitting(rk.games.NoGo(size=3), rk.FlatMC(playouts=5))
    table = Dialogue(sitting, 1)
    table.begin()
    path = tmp_path / "game.sgf"
    table.reply("resign")
    table.reply(f"save {path}")
    (game,) = rk.files.read_sgf(path.read_text())
    assert game.moves == sitting.moves
    assert (game.properties["PB"], game.properties["PW"], game.properties["RE"]) == ("flat", "a person", "B+R")


class Broken(PythonNim):
    """Whatever is for people raises."""

    def describe_move(self, move: Any) -> str:
        raise KeyError("no words")

    def draw(self, moves: Any) -> str:
        raise ZeroDivisionError("no drawing")

    def read_move(self, text: str) -> Any:
        return [text]


def test_bugs_in_what_is_for_people_do_not_end_a_game() -> None:
    table, sitting = dialogue(Broken(stones=5))
    assert "(it cannot be drawn: " in table.reply("board")
    assert table.reply("nothing") == "'nothing' is not legal here: 'moves' lists the moves that are"
    table.reply("2")
    assert sitting.moves[0] == 2


class Twice(PythonNim):
    """Everybody moves twice."""

    def player(self, state: Any) -> int:
        return (self.stones - state[0]) // 2 % 2 if state[0] else 0

    def moves(self, state: Any) -> Any:
        return [1] if state[0] else []


def test_a_player_may_move_twice() -> None:
    table, sitting = dialogue(Twice(stones=8))
    table.reply("1")
    assert len(sitting.moves) == 1
    table.reply("1")
    assert len(sitting.moves) == 4
    table.reply("undo")
    assert len(sitting.moves) == 1


TYPED = st.one_of(
    st.sampled_from(
        ["take 1", "take 2", "3", "hint", "opinion", "undo", "board", "moves", "resign", "help", "?", "move"]
    ),
    st.sampled_from(["save x.jsonl", "save x.sgf", "save \x00.jsonl", "save é", "move 1", "TAKE 1", "9" * 5000, "-1"]),
    st.sampled_from(["\x1b[31m", "\ud800", "take 1 2", "take", "undo undo", "quit now", "\t", "²"]),
    st.text(st.characters(exclude_characters="/\\"), max_size=12),
)


@settings(max_examples=60)
@given(st.lists(TYPED, max_size=15), st.integers(0, 1))
def test_whatever_is_typed_the_game_stays_legal(lines: list[str], person: int) -> None:
    sitting = rk.tools.Sitting(PythonNim(stones=9), rk.GameUCT(playouts=3))
    table = Dialogue(sitting, person)
    table.begin()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for line in lines:
                said = table.reply(line)
                assert all(c == "\n" or c.isprintable() for c in said), (line, said)
                rk.tools.Sitting(PythonNim(stones=9), SEARCH).go_to(sitting.moves)
                assert sitting.winner is not None or sitting.player == person
        finally:
            os.chdir(before)


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> Any:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(["play", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_plays_a_game_of_a_users_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (f"{NIM}:PythonNim", "-p", "stones=3", "--against", "flat:playouts=5")
    code, out, err = run(capsys, monkeypatch, "moves\ntake 3\nquit\ntake 1\n", *arguments)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "> first has won" or "first has won" in out
    assert out.count("> ") == 3
    code, out, err = run(capsys, monkeypatch, "", *arguments, "--side", "second")
    assert (code, err) == (0, "")
    assert out.startswith("You are second, flat is first.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Missing argument 'GAME'"),
        ("chess", "unknown game 'chess'"),
        ("nogo --against best", "--against must be ppa, ppaf, ppafm, uct,"),
        ("nogo --side third", "--side must be first, second, black or white, got 'third'"),
        ("nogo --size 1", "size must be a whole number from 2 to 19, got 1"),
        ("nogo --playouts 0", "--playouts must be at least 1, got 0"),
        ("nogo --time-per-move 0s", "--time-per-move must be more than 0, got '0s'"),
        ("nogo --seed x", "--seed must be a whole number, got 'x'"),
        ("NIM:PythonNim -p stones=0", "the game is over after 0 moves"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    code, out, err = run(capsys, monkeypatch, "", *arguments.replace("NIM", str(NIM)).split())
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
