"""Records: what they hold, how a match goes on from them, and what is refused with the file left as it is."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rookery as rk
from examples_of_games import DrawnNim, PythonNim

A, B, GAMES = rk.GameUCT(playouts=12), rk.FlatMC(playouts=5), 5


def play(path: Path, **more: Any) -> rk.MatchResult:
    return rk.match(PythonNim(), **{"a": A, "b": B, "games": GAMES, "record": path, **more})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A complete record."""
    path = tmp_path_factory.mktemp("whole") / "record.jsonl"
    play(path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, whole: bytes) -> Path:
    written = tmp_path / "record.jsonl"
    written.write_bytes(whole)
    return written


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def test_a_record_holds_the_match_and_then_its_games(path: Path) -> None:
    header, *games = lines(path.read_bytes())
    assert header["game"].endswith(":PythonNim")
    assert header["parameters"] == {"stones": 7, "keyed": True}
    assert header["a"] == {"algorithm": "uct", **vars(A)}
    assert (header["rookery_match"], header["seed"], header["version"]) == (1, 1, rk.__version__)
    expected = rk.match(PythonNim(), A, B, games=GAMES).played
    for line, played in zip(games, expected, strict=True):
        assert line["game"] == played.number
        assert line["first"] == played.first
        assert line["winner"] == played.winner
        assert tuple(line["moves"]) == played.moves
        assert line["words"] == [f"take {move}" for move in played.moves]
        assert line["playouts"] == played.playouts


def test_a_record_of_a_search_that_has_got_a_parameter_since_then_continues(path: Path) -> None:
    header, *games = lines(path.read_bytes())
    del header["a"]["nodes"], header["a"]["cut"]
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *games)))
    before = path.read_bytes()
    assert play(path).played == rk.match(PythonNim(), A, B, games=GAMES).played
    assert path.read_bytes() == before
    del header["a"]["playouts"]  # of which the default is another one
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *games)))
    with pytest.raises(rk.InputError, match=r"another match: its a.playouts is 1000, not 12"):
        play(path)


@pytest.mark.parametrize("workers", [2, 4])
def test_a_record_holds_the_same_lines_for_any_number_of_workers(tmp_path: Path, whole: bytes, workers: int) -> None:
    play(tmp_path / "other.jsonl", workers=workers)
    header, *games = (tmp_path / "other.jsonl").read_bytes().splitlines()
    expected = whole.splitlines()
    assert header == expected[0]
    assert sorted(games) == sorted(expected[1:])


class Counter(rk.Callback):
    def __init__(self) -> None:
        self.played: list[int] = []

    def on_game(self, played: rk.tools.PlayedGame, progress: rk.tools.MatchProgress) -> None:
        self.played.append(played.number)


def test_games_in_a_record_are_not_played_again(path: Path, whole: bytes) -> None:
    counter = Counter()
    result = play(path, callbacks=[counter])
    assert counter.played == []
    assert path.read_bytes() == whole
    assert result.played == rk.match(PythonNim(), A, B, games=GAMES).played


def test_more_games_extend_a_record(path: Path, whole: bytes) -> None:
    counter = Counter()
    assert play(path, games=GAMES + 2, callbacks=[counter]).games == GAMES + 2
    assert counter.played == [GAMES, GAMES + 1]
    assert path.read_bytes().startswith(whole)


def test_fewer_games_count_the_first_ones_and_leave_the_record(path: Path, whole: bytes) -> None:
    assert [game.number for game in play(path, games=2).played] == [0, 1]
    assert path.read_bytes() == whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_record_cut_at_any_byte_is_made_whole_again(path: Path, whole: bytes, data: st.DataObject) -> None:
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    play(path)
    assert path.read_bytes() == whole


def test_a_record_cut_at_any_line_is_made_whole_again(path: Path, whole: bytes) -> None:
    parts = whole.splitlines(keepends=True)
    for n in range(len(parts) + 1):
        path.write_bytes(b"".join(parts[:n]))
        play(path)
        assert path.read_bytes() == whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(data=st.data())
def test_a_changed_byte_is_refused_or_changes_no_result(path: Path, whole: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + bytes([data.draw(st.integers(0, 255))]) + whole[place + 1 :]
    path.write_bytes(changed)
    winners: list[str] | None = None
    with contextlib.suppress(rk.InputError):
        winners = [game.winner for game in play(path).played]
    if winners is None:
        assert path.read_bytes() == changed
    else:
        assert winners == [line["winner"] for line in lines(whole)[1:]]


def changed(number: int, **values: Any) -> Callable[[bytes], bytes]:
    """A record in which a line has other values."""

    def change(content: bytes) -> bytes:
        every = lines(content)
        every[number - 1] |= values
        return b"".join(json.dumps(line).encode() + b"\n" for line in every)

    return change


def other(winner: str) -> str:
    return "b" if winner == "a" else "a"


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a line that is not JSON": (lambda c: c + b"{no\n", "is damaged, line 7: not JSON"),
    "bytes": (lambda c: c + b"\xff\xfe\x00\n", "is damaged, line 7: not JSON"),
    "an empty line": (lambda c: c + b"\n", "is damaged, line 7: not JSON"),
    "a deep line": (lambda c: c + b"[" * 100_000 + b"\n", "is damaged, line 7: not JSON"),
    "a list": (lambda c: c + b"[1]\n", "is damaged, line 7: not a JSON object"),
    "a game twice": (lambda c: c + c.splitlines(keepends=True)[2], "is damaged, line 7: game 1 is there twice"),
    "no number": (changed(3, game=None), "line 3: 'game' must be a whole number of at least 0, got null"),
    "a number below 0": (changed(3, game=-1), "line 3: 'game' must be a whole number of at least 0, got -1"),
    "another colour": (changed(3, first="a"), "line 3: 'first' must be 'b' in game 1, got \"a\""),
    "a winner that is none": (changed(3, winner="c"), "line 3: 'winner' must be a, b or draw, got \"c\""),
    "a draw": (changed(3, winner="draw"), "line 3: the winner must be "),
    "no moves": (changed(3, moves=7), "line 3: 'moves' must be a list, got 7"),
    "an illegal move": (changed(3, moves=[1, 9], words=["", ""]), "line 3: move 2 must be legal in PythonNim, got 9"),
    "moves after the end": (
        changed(3, moves=[3, 3, 1, 1], words=[""] * 4),
        "line 3: move 4 must be legal in PythonNim",
    ),
    "a game that is not over": (changed(3, moves=[3], words=[""]), "line 3: the game is not over: 3 moves are legal"),
    "words that are missing": (changed(3, words=[]), "line 3: 'words' must be a list as long as 'moves', got []"),
    "playouts below 0": (changed(3, playouts=-1), "line 3: 'playouts' must be a whole number of at least 0, got -1"),
    "another file": (lambda c: b"Dear diary,\nnothing.\n", "is not the record of a match: line 1: not JSON"),
    "another file of one line": (lambda c: b"Dear diary", "is not the record of a match: line 1 is unfinished"),
    "JSON that is no record": (lambda c: b"{}\n", "is not the record of a match: line 1: it does not say so"),
    "a later format": (changed(1, rookery_match=2), "is the record of another match: its format is 2, not 1"),
    "another seed": (changed(1, seed=2), "is the record of another match: its seed is 2, not 1"),
    "another game": (changed(1, game="go"), 'is the record of another match: its game is "go", not "PythonNim"'),
    "a parameter missing": (changed(1, parameters={}), 'its parameters.stones is "missing", not 7'),
    "another stream": (changed(1, stream=0), "is the record of another match: its stream is 0, not 1"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_refused_in_one_sentence_and_the_file_left_as_it_is(path: Path, damage: str) -> None:
    change, message = DAMAGE[damage]
    content = change(path.read_bytes())
    path.write_bytes(content)
    with pytest.raises(rk.InputError) as caught:
        play(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert path.read_bytes() == content


def test_a_wrong_winner_is_found_by_replaying(path: Path) -> None:
    winner = lines(path.read_bytes())[2]["winner"]
    path.write_bytes(changed(3, winner=other(winner))(path.read_bytes()))
    with pytest.raises(rk.InputError, match=f"line 3: the winner must be {winner}, got {other(winner)}"):
        play(path)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"a": rk.GameUCT(playouts=13)}, "its a.playouts is 12, not 13"),
        ({"b": rk.GameUCT(playouts=12)}, 'its b.algorithm is "flat", not "uct"'),
    ],
)
def test_another_match_is_refused(path: Path, whole: bytes, more: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        play(path, **more)
    assert path.read_bytes() == whole


def test_another_version_of_the_library_goes_on_with_a_record(path: Path) -> None:
    path.write_bytes(changed(1, version="0.0.9")(path.read_bytes()))
    assert play(path, games=GAMES + 1).games == GAMES + 1


def test_a_folder_cannot_be_a_record(tmp_path: Path) -> None:
    with pytest.raises(rk.InputError, match="cannot write .*: it is a folder"):
        play(tmp_path)


def test_a_record_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(rk.InputError, match="cannot write .*: No such file or directory"):
        play(tmp_path / "none" / "record.jsonl")


def test_draws_are_recorded(tmp_path: Path) -> None:
    played = [rk.match(DrawnNim(), A, B, games=2, record=tmp_path / "draws.jsonl").played for _ in range(2)]
    assert played[0] == played[1]
    assert {game.winner for game in played[0]} == {"draw"}


class Tuples(PythonNim):
    """Moves that are tuples of texts and numbers."""

    def moves(self, state: Any) -> list[Any]:
        return [("take", move) for move in super().moves(state)]

    def play(self, state: Any, move: Any) -> Any:
        return super().play(state, move[1])

    def describe_move(self, move: Any) -> str:
        raise KeyError("no words")


def test_moves_may_be_tuples_and_have_no_words(tmp_path: Path) -> None:
    played = [rk.match(Tuples(), A, B, games=2, record=tmp_path / "tuples.jsonl").played for _ in range(2)]
    assert played[0] == played[1]
    assert lines((tmp_path / "tuples.jsonl").read_bytes())[1]["words"][0].startswith("('take', ")


class Objects(PythonNim):
    """Moves that no file can hold."""

    def moves(self, state: Any) -> list[Any]:
        return [frozenset([move]) for move in super().moves(state)]

    def play(self, state: Any, move: Any) -> Any:
        return super().play(state, next(iter(move)))


def test_moves_that_cannot_be_read_back_are_refused(tmp_path: Path) -> None:
    assert rk.match(Objects(), A, B, games=1).games == 1
    with pytest.raises(
        rk.InputError, match=r"moves in a record must be numbers, texts or tuples of them, got frozenset"
    ):
        rk.match(Objects(), A, B, games=1, record=tmp_path / "objects.jsonl")
