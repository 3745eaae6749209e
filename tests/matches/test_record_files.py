"""Files of games that were played: read, and verified by replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rookery as rk

NIM = (Path(__file__).parents[1] / "examples_of_games.py").resolve()
NAME = f"{NIM}:PythonNim"
SGF = "(;GM[1]SZ[2]KM[0.5]PB[ann]PW[bob]RE[{}];B[aa];W[];B[bb];W[];B[])"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match of three games of Nim."""
    path = tmp_path / "match.jsonl"
    a, b = rk.GameUCT(playouts=10), rk.FlatMC(playouts=5)
    rk.match(rk.load_game(NAME, {"stones": "5"}), a, b, games=3, record=path)
    return path


@pytest.fixture
def sgf(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "games.sgf"
        path.write_text(text)
        return path

    return write


def change(path: Path, line: int, **values: Any) -> None:
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | values)
    path.write_text("\n".join(lines) + "\n")


def test_a_record_is_read_as_it_was_played(record: Path) -> None:
    played = rk.match(
        rk.load_game(NAME, {"stones": "5"}), rk.GameUCT(playouts=10), rk.FlatMC(playouts=5), games=3
    ).played
    kept = rk.files.read_match(record)
    assert [one.moves for one in kept.games.values()] == [one.moves for one in played]
    assert kept.at(0).players == ("uct (a)", "flat (b)")
    assert kept.at(1).players == ("flat (b)", "uct (a)")
    assert [one.said_winner[-6:-5] for one in kept.games.values()] == [one.winner for one in played]
    assert kept.at(2).words == tuple(f"take {move}" for move in played[2].moves)
    assert kept.at(0).parameters == {"stones": "5", "keyed": "True"}


def test_a_record_that_is_right_is_found_right(record: Path) -> None:
    verdict = rk.files.verify_match(record, NAME)
    assert verdict.ok
    assert (verdict.games, verdict.unfinished, sum(verdict.score.values())) == (3, 0, 3)


def test_a_last_line_that_was_cut_does_not_count(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:-9])
    assert rk.files.verify_match(record, NAME).games == 2


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"moves": [3, 3], "words": ["", ""]}, "move 2 must be legal in PythonNim, got 3"),
        ({"moves": [3], "words": [""]}, "the game is not over after its last move"),
        ({"winner": "draw"}, "won, but the file claims: drawn"),
    ],
)
def test_what_is_wrong_with_a_game_is_told(record: Path, values: dict[str, Any], reason: str) -> None:
    change(record, 2, **values)
    verdict = rk.files.verify_match(record, NAME)
    assert (verdict.ok, verdict.wrong) == (False, 1)
    assert reason in str(verdict.reason)


def test_a_game_of_ones_own_is_not_loaded_because_a_record_names_it(record: Path) -> None:
    with pytest.raises(
        rk.InputError, match="no code is run because a file names it; name it: `rookery verify .* --problem"
    ):
        rk.files.verify_match(record)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nogo",), "must hold games of nogo, got"),
        ((NAME, {"stones": "6"}), "must hold games with stones=6, got stones=5"),
    ],
)
def test_a_record_of_another_game_is_refused(record: Path, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        rk.files.verify_match(record, *arguments)


@pytest.mark.parametrize(
    ("line", "values", "message"),
    [
        (0, {"rookery_match": 9}, "must be a record of format 1, got 9"),
        (0, {"parameters": None}, "is damaged, line 1: 'parameters' must be an object, got null"),
        (0, {"game": 3}, "is damaged, line 1: 'game' must be a text, got 3"),
        (2, {"winner": "c"}, "is damaged, line 3: 'winner' must be a, b or draw"),
    ],
)
def test_a_damaged_record_is_refused(record: Path, line: int, values: dict[str, Any], message: str) -> None:
    change(record, line, **values)
    with pytest.raises(rk.InputError, match=message):
        rk.files.read_match(record)


def test_a_number_that_no_game_has_is_refused(record: Path) -> None:
    with pytest.raises(rk.InputError, match="the game must be one of those in .*, 0 to 2, got 3"):
        rk.files.read_match(record).at(3)


def test_the_games_of_sgf_have_size_komi_and_names(sgf: Callable[[str], Path]) -> None:
    kept = rk.files.read_match(sgf(SGF.format("B+") + "(;SZ[5]GN[NoGo];B[aa])"))
    first, second = kept.games.values()
    assert (first.game, first.parameters, first.players) == ("go", {"size": "2", "komi": "0.5"}, ("ann", "bob"))
    assert (first.winner, first.said_winner, len(first.moves)) == (0, "ann won", 5)
    assert (second.game, second.parameters, second.said_winner) == ("nogo", {"size": "5"}, "no winner is given")


def test_a_winner_that_sgf_claims_is_verified(sgf: Callable[[str], Path]) -> None:
    assert rk.files.verify_match(sgf(SGF.format("B+"))).score == {"ann": 1}
    verdict = rk.files.verify_match(sgf(SGF.format("B+") + SGF.format("W+")))
    assert (verdict.wrong, verdict.reason) == (1, "ann won, but the file claims: bob won")


def test_a_game_of_sgf_that_was_resigned_is_legal(sgf: Callable[[str], Path]) -> None:
    verdict = rk.files.verify_match(sgf("(;SZ[2]KM[0.5]PW[bob]RE[W+R];B[aa])"))
    assert (verdict.ok, verdict.unfinished, verdict.score) == (True, 1, {"bob": 1})


def test_other_files_are_no_matches(tmp_path: Path, record: Path, sgf: Callable[[str], Path]) -> None:
    assert rk.files.is_match(record)
    assert rk.files.is_match(sgf(" \n( ;SZ[5])"))
    for content in ("", "{}", "(28,28)", '{"rookery": 1}', "(1,2);"):
        (tmp_path / "other").write_text(content)
        assert not rk.files.is_match(tmp_path / "other")
    assert not rk.files.is_match(tmp_path)
    assert not rk.files.is_match(tmp_path / "missing")
    assert not rk.files.is_match("\0")


def test_a_carriage_return_between_values_of_a_record_is_a_blank(record: Path) -> None:
    before = rk.files.read_match(record)
    record.write_bytes(record.read_bytes().replace(b", ", b",\r "))
    assert rk.files.read_match(record).games.keys() == before.games.keys()
    assert rk.files.verify_match(record, NAME).ok
    record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
    assert rk.files.verify_match(record, NAME).ok
