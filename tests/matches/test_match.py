"""Matches: colours, seeds, sameness for any number of workers, interruption, errors."""

from __future__ import annotations

import io
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_games import DrawnNim, Nim, PythonNim

A, B = rk.GameUCT(playouts=40), rk.FlatMC(playouts=6)
BREAKTHROUGH = rk.load_game("breakthrough", {"size": "5"})


def test_sides_take_turns_to_begin() -> None:
    played = rk.match(PythonNim(), A, B, games=5).played
    assert [game.number for game in played] == [0, 1, 2, 3, 4]
    assert [game.first for game in played] == ["a", "b", "a", "b", "a"]


def test_a_side_plays_the_colour_that_the_game_says() -> None:
    # Who begins wins a game of one stone, whatever he does.
    assert [game.winner for game in rk.match(PythonNim(1), A, B, games=4).played] == ["a", "b", "a", "b"]


def test_wins_are_counted_by_side_and_by_who_began() -> None:
    result = rk.match(PythonNim(1), A, B, games=5)
    assert (result.wins_a, result.wins_b, result.draws) == (3, 2, 0)
    assert (result.wins_a_first, result.wins_a_second) == (3, 0)
    assert result.rate_a == 0.6


def test_draws_count_half() -> None:
    result = rk.match(DrawnNim(), A, B, games=4)
    assert (result.wins_a, result.wins_b, result.draws, result.rate_a) == (0, 0, 4, 0.5)


def test_the_better_search_wins_more_often() -> None:
    assert rk.match(PythonNim(11), rk.GameUCT(playouts=200), rk.FlatMC(playouts=3), games=20).wins_a >= 15


def test_a_game_is_what_decide_plays_with_its_keys() -> None:
    from rookery.engine.python_worker import PythonGameEngine
    from rookery.rng import mix_int, root_key

    played = rk.match(PythonNim(), A, B, games=2, seed=9).played[1]
    worker, key = PythonGameEngine(PythonNim()).worker(), mix_int(root_key(9), 1)
    for ply, move in enumerate(played.moves):
        search = (B, A)[ply % 2]
        decision = worker.decide(search, played.moves[:ply], mix_int(key, ply))
        assert decision is not None
        assert decision.move == move


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (rk.PPA(playouts=60), rk.GameUCT(playouts=60)),
        (rk.PPA(playouts=60, reuse=True), rk.GameUCT(playouts=60, reuse=True, solver=True)),
    ],
    ids=["paper", "reuse"],
)
def test_the_games_do_not_depend_on_the_number_of_workers(a: Any, b: Any) -> None:
    one, two, four = (rk.match(BREAKTHROUGH, a, b, games=9, seed=3, workers=n).played for n in (1, 2, 4))
    assert one == two == four


def test_a_tree_is_reused_within_a_game_and_not_beyond() -> None:
    search = rk.GameUCT(playouts=30, reuse=True)
    together = rk.match(Nim(), search, search, games=3).played
    plain = rk.match(Nim(), rk.GameUCT(playouts=30), rk.GameUCT(playouts=30), games=3).played
    assert [game.moves for game in together] != [game.moves for game in plain]
    assert rk.match(Nim(), search, search, games=3, workers=3).played == together


def test_compiled_and_interpreted_play_the_same_games() -> None:
    from rookery.engine.interpreted import InterpretedGame

    a, b = rk.PPA(playouts=25), rk.GameUCT(playouts=25)
    compiled = rk.match(Nim(9), a, b, games=4, seed=2)
    assert rk.match(InterpretedGame(Nim(9)), a, b, games=4, seed=2).played == compiled.played


def test_seeds_give_different_games_and_the_same_seed_the_same() -> None:
    one, again, other = (rk.match(PythonNim(15), A, A, games=3, seed=seed).played for seed in (1, 1, 2))
    assert one == again != other


def test_a_seed_is_drawn_if_none_is_given() -> None:
    drawn = rk.match(PythonNim(), A, B, games=1, seed=None)
    assert rk.match(PythonNim(), A, B, games=1, seed=drawn.seed).played == drawn.played


def test_json_has_the_score_and_not_the_games() -> None:
    result = rk.match(BREAKTHROUGH, rk.PPA(playouts=60), rk.GameUCT(playouts=60), games=3, seed=5)
    data = json.loads(json.dumps(result.to_json()))
    assert data["game"] == "breakthrough"
    assert data["size"] == 5
    assert data["a"] == {"algorithm": "ppa", **vars(rk.PPA(playouts=60))}
    assert data["games"] == data["asked"] == data["wins_a"] + data["wins_b"] == 3
    assert data["interval_95"] == list(result.interval_95)
    assert data["playouts"] == sum(game.playouts for game in result.played) > 0
    assert data["status"] == "finished"
    assert "played" not in data


class Witness(rk.Callback):
    def __init__(self, most: int | None = None) -> None:
        self.events: list[str] = []
        self.games: list[int] = []
        self.most = most

    def on_compile(self, game: Any) -> None:
        self.events.append("compile")

    def on_start(self, game: Any, search: Any, seed: int) -> None:
        self.events.append(f"start {search[0].name} {search[1].name} {seed}")

    def on_game(self, played: rk.tools.PlayedGame, progress: rk.tools.MatchProgress) -> None:
        self.games.append(progress.score.games)
        if progress.score.games == self.most:
            raise KeyboardInterrupt

    def on_end(self, result: rk.MatchResult) -> None:
        self.events.append(f"end {result.games}")


def test_observers_are_told_of_every_game() -> None:
    witness = Witness()
    rk.match(PythonNim(), A, B, games=4, callbacks=[witness])
    assert witness.events == ["compile", "start uct flat 1", "end 4"]
    assert witness.games == [1, 2, 3, 4]


@pytest.mark.timing
def test_an_interrupted_match_gives_the_games_that_are_over(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    result = rk.match(PythonNim(40), A, A, games=50, callbacks=[Witness(most=3)], record=record)
    assert result.status == "interrupted"
    assert 3 <= result.games < 50
    assert len(record.read_text().splitlines()) == 1 + result.games
    assert (
        rk.match(PythonNim(40), A, A, games=10, record=record).played == rk.match(PythonNim(40), A, A, games=10).played
    )


@pytest.mark.timing
def test_a_match_interrupted_before_a_game_is_over_raises() -> None:
    class Impatient(rk.Callback):
        def on_start(self, *_: Any) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rk.match(PythonNim(), A, B, games=3, callbacks=[Impatient()])


def test_an_exception_of_a_game_ends_the_match_and_the_threads(tmp_path: Path) -> None:
    class Broken(PythonNim):
        def play(self, state: Any, move: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                raise ZeroDivisionError("mine")
            return super().play(state, move)

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError, match="mine"):
        rk.match(Broken(), A, B, games=5, workers=3)
    until = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < until:  # they end when they are told to
        time.sleep(0.01)
    assert threading.active_count() <= before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": "ppa"}, "a must be PPA, PPAF, PPAFM, GameUCT, RAVE, GRAVE, MAST or FlatMC, got 'ppa'"),
        ({"b": rk.NMCS()}, "b must be PPA, PPAF, PPAFM, GameUCT, RAVE, GRAVE, MAST or FlatMC"),
        ({"games": 0}, "games must be at least 1, got 0"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"seed": 1 << 64}, "seed must be at most"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        rk.match(PythonNim(), **{"a": A, "b": B, **arguments})


def test_a_game_that_is_over_at_its_start_is_refused() -> None:
    with pytest.raises(rk.InputError, match="the game is over after 0 moves"):
        rk.match(PythonNim(0), A, B)


def test_the_line_of_progress_tells_the_score() -> None:
    stream = io.StringIO()
    line = rk.ProgressLine(stream, title="nim")
    score = rk.tools.MatchScore(games=4, wins_a=3, wins_b=1)
    line.on_start(PythonNim(), (A, B), 1)
    text = line.text(rk.tools.MatchProgress(score, 10, 2.0))
    assert text == "nim | game 4/10 | uct 3, flat 1 | 75.0% | 3.0 s to go | 2.0 s"
    assert stream.getvalue() == ""


def test_games_of_a_record_do_not_count_for_how_long_the_rest_will_take() -> None:
    line = rk.ProgressLine(io.StringIO())
    line.on_start(PythonNim(), (A, A), 1)
    score = rk.tools.MatchScore(games=4, wins_a=2, wins_b=1, draws=1)
    text = line.text(rk.tools.MatchProgress(score, 10, 2.0, before=3))
    assert text == "game 4/10 | uct (a) 2, uct (b) 1 | draws 1 | 62.5% | 12.0 s to go | 2.0 s"


def test_where_there_is_no_terminal_a_match_tells_its_score_now_and_then() -> None:
    stream = io.StringIO()
    line = rk.ProgressLine(stream)
    line.on_start(PythonNim(), (A, B), 1)
    for second in range(1, 31):
        now = rk.tools.MatchProgress(rk.tools.MatchScore(games=second, wins_a=second), 100, float(second))
        line.on_game(rk.tools.PlayedGame(second - 1, "a", (), 5), now)
        line.on_tick(now)
    assert [text.rpartition("| ")[2] for text in stream.getvalue().splitlines()] == ["10.0 s", "20.0 s", "30.0 s"]
