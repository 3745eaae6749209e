"""``tournament``: who meets whom, the same games whatever else is played, going on, and what is missing."""

from __future__ import annotations

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_games import DrawnNim, PythonNim

PLAYERS = {"strong": rk.GameUCT(playouts=30), "flat": rk.FlatMC(playouts=10), "weak": rk.GameUCT(playouts=2)}
PAIRS = [("flat", "strong"), ("flat", "weak"), ("strong", "weak")]


def play(games: int = 6, players: Any = PLAYERS, **options: Any) -> rk.Tournament:
    return rk.tournament(PythonNim(stones=9), players, games=games, **options)


@pytest.fixture(scope="module")
def whole() -> rk.Tournament:
    return play()


def games_of(done: rk.Tournament) -> dict[Any, Any]:
    return {pair: result.played for pair, result in done.matches.items()}


def test_every_pair_plays_and_both_begin_as_often(whole: rk.Tournament) -> None:
    assert list(whole.matches) == PAIRS
    for result in whole.matches.values():
        assert [game.first for game in result.played] == ["a", "b"] * 3
    assert whole.complete
    assert whole.status == "finished"


def test_points_are_those_of_the_matches(whole: rk.Tournament) -> None:
    assert sum(whole.points(name) for name in PLAYERS) == 18
    for a, b in PAIRS:
        assert whole.score(a, b)[0] + whole.score(b, a)[0] == 6
    assert whole.games("flat") == 12


def test_the_strongest_is_first(whole: rk.Tournament) -> None:
    assert next(iter(whole.ratings)) == "strong"
    elos = [rating.elo for rating in whole.ratings.values()]
    assert elos == sorted(elos, reverse=True)


def test_games_of_a_pair_depend_neither_on_the_others_nor_on_the_order(whole: rk.Tournament) -> None:
    two = {name: PLAYERS[name] for name in ("weak", "flat")}
    assert play(players=two).matches["flat", "weak"].played == whole.matches["flat", "weak"].played


def test_pairs_of_equal_searches_play_different_games() -> None:
    equal = {name: rk.FlatMC(playouts=5) for name in "abc"}
    played = {tuple(game.moves for game in result.played) for result in play(players=equal).matches.values()}
    assert len(played) == 3


def test_any_executor_gives_the_same_result(whole: rk.Tournament) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert games_of(play(executor=pool)) == games_of(whole)
    two = {name: PLAYERS[name] for name in ("weak", "flat")}
    by_processes = play(executor="processes", workers=2, players=two)
    assert by_processes.matches["flat", "weak"].played == whole.matches["flat", "weak"].played
    assert by_processes.ratings == play(players=two).ratings


def test_another_seed_gives_other_games(whole: rk.Tournament) -> None:
    assert games_of(play(seed=2)) != games_of(whole)
    assert play(games=2, seed=None).seed != whole.seed


def test_searches_in_a_list_have_their_own_names() -> None:
    done = play(games=2, players=[rk.GameUCT(playouts=9), rk.FlatMC(playouts=5), rk.GameUCT(playouts=3)])
    assert list(done.players) == ["uct 1", "flat", "uct 2"]


class After(rk.Callback):
    """Presses Ctrl-C after so many games."""

    def __init__(self, games: int) -> None:
        self.left = games

    def on_game(self, played: Any, progress: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_an_interrupt_gives_what_is_complete_and_names_what_is_missing(tmp_path: Path, whole: rk.Tournament) -> None:
    part = play(folder=tmp_path, callbacks=[After(8)])
    assert part.status == "interrupted"
    assert part.missing == {("flat", "weak"): 4, ("strong", "weak"): 6}
    assert "missing: 4 of 6 games of flat against weak\n" in str(part)
    assert part.matches["flat", "strong"].played == whole.matches["flat", "strong"].played
    again = play(folder=tmp_path)
    assert games_of(again) == games_of(whole)
    assert again.ratings == whole.ratings


def test_an_interrupt_before_the_first_game_is_raised() -> None:
    class AtOnce(rk.Callback):
        def on_start(self, problem: Any, search: Any, seed: int) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(callbacks=[AtOnce()])


def test_a_folder_has_a_record_for_each_pair_and_plays_nothing_twice(tmp_path: Path, whole: rk.Tournament) -> None:
    play(games=4, folder=tmp_path / "new" / "folder")
    files = sorted((tmp_path / "new" / "folder").glob("*.jsonl"))
    assert [file.name for file in files] == ["flat--strong.jsonl", "flat--weak.jsonl", "strong--weak.jsonl"]
    before = [file.read_bytes() for file in files]
    more = {**PLAYERS, "middle": rk.GameUCT(playouts=8)}
    longer = play(folder=tmp_path / "new" / "folder", players=more)
    assert all(file.read_bytes().startswith(old) for file, old in zip(files, before, strict=True))
    assert {pair: games_of(longer)[pair] for pair in PAIRS} == games_of(whole)
    verdict = rk.files.verify_match(files[0], f"{Path(__file__).parents[1] / 'examples_of_games.py'}:PythonNim")
    assert verdict.ok


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    play(games=2, folder=tmp_path)
    with pytest.raises(rk.InputError, match="is the record of another match: its seed is"):
        play(games=2, folder=tmp_path, seed=2)
    with pytest.raises(rk.InputError, match="its b.playouts is 2, not 3"):
        play(games=2, folder=tmp_path, players={**PLAYERS, "weak": rk.GameUCT(playouts=3)})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 5}, "games must be an even number, so that both players of a pair begin as often, got 5"),
        ({"games": 0}, "games must be at least 2, got 0"),
        ({"players": []}, "players must be at least two searches, got "),
        ({"players": {"one": rk.FlatMC()}}, "players must be at least two searches, got "),
        ({"players": "uct,ppa"}, "players must be at least two searches, got 'uct,ppa'"),
        ({"players": [rk.FlatMC(), "uct"]}, "a player must be PPA, PPAF,"),
        ({"players": {"a": rk.FlatMC(), "b": rk.NRPA()}}, "player 'b' must be PPA, PPAF,"),
        ({"players": {"a": rk.FlatMC(), 5: rk.FlatMC()}}, "the name of a player must be a text, got 5"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"executor": "thread"}, "executor must be threads,"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        play(**options)


def test_names_that_are_the_same_as_files_are_refused(tmp_path: Path) -> None:
    players = {"a b": rk.FlatMC(), "a_b": rk.FlatMC()}
    with pytest.raises(rk.InputError, match="players must have names that differ as files do, got 'a b' and 'a_b'"):
        play(players=players, folder=tmp_path)


def test_a_file_cannot_be_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(rk.InputError, match="cannot hold a tournament: .*exists"):
        play(folder=tmp_path / "file")


def test_json_csv_and_text_say_the_same(whole: rk.Tournament) -> None:
    data = json.loads(json.dumps(whole.to_json(), allow_nan=False))
    rows = list(csv.DictReader(whole.csv().splitlines()))
    assert [(row["a"], row["b"]) for row in rows] == PAIRS == [tuple(m["players"]) for m in data["matches"]]
    assert [int(row["wins_a"]) for row in rows] == [m["wins_a"] for m in data["matches"]]
    assert [rated["player"] for rated in data["ratings"]] == list(whole.ratings)
    lines = str(whole).splitlines()
    assert [line.split()[1] for line in lines[3:6]] == list(whole.ratings)
    assert lines[0].startswith("examples_of_games:PythonNim: 18 games, ")


def test_draws_count_half() -> None:
    done = rk.tournament(DrawnNim(), {"a": rk.FlatMC(playouts=2), "b": rk.FlatMC(playouts=2)}, games=2)
    assert (done.points("a"), done.points("b")) == (1.0, 1.0)
    assert "50.0%" in str(done)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_plot_has_every_player(whole: rk.Tournament, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"elo.{ending}"
    figure = whole.plot(path)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == list(whole.ratings)
    assert path.stat().st_size > 1000


def test_a_plot_of_players_without_bounds_is_drawn() -> None:
    players = {"strong": rk.GameUCT(playouts=300, solver=True), "weak": rk.FlatMC(playouts=1)}
    done = rk.tournament(PythonNim(stones=17), players, games=4)
    assert done.ratings["weak"].elo == float("-inf")
    assert done.to_json()["ratings"][1]["elo"] is None
    done.plot()
