"""What the page asks for is answered from files as they are, however odd, and nothing ends the server."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from sites import OWN, best, client, lines, morpion_moves, site_of, start, tick
from starlette.testclient import TestClient

import rookery as rk
from rookery.web.desk import Desk
from rookery.web.serving import Server

NIM = {"name": "PythonNim", "parameters": {}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs, none of which takes time."""
    made = tmp_path_factory.mktemp("runs")
    moves = morpion_moves(6)
    files = {"checkpoint": "run.ckpt", "result": "../../outside.json"}
    (made / "run.ckpt").write_bytes(b"rookery checkpoint, not whole")
    (made / "run.jsonl").write_text(
        lines(start(files=files), tick(0.5), best(1.0, moves[:3]), best(2.0, moves), tick(3, 6.0))
    )
    (made / "bad.jsonl").write_text(lines(start()) + "nonsense\n" * 5)
    (made / "foreign.jsonl").write_text(lines(start(problem="evil.py:Evil"), best(1.0, [1, 2])))
    (made / "thief.jsonl").write_text(lines(start(parameters={"dots": str(OWN.partition(":")[0])}), best(1.0, [1])))
    (made / "illegal.jsonl").write_text(lines(start(), best(1.0, [5, 5])))
    for seed in (1, 2, 3):
        for level in (1, 2):
            scores = [(0.1 * k, 10 * k, 2.0 * k + level * seed) for k in range(1, 5)]
            history = tuple(rk.tools.Improvement(*row) for row in scores)
            about = ("leftmove", {"depth": 60}, {"algorithm": "nrpa", "level": level}, seed, 1, scores[-1][2], (0,))
            result = rk.Result(*about, 50, 1, 0, 0.5, 0.0, "finished", "0.1.0", history)
            result.save(made / f"{level}-{seed}.json")
    row = {"event": "end", "run": "1", "select": "learned", "workers": 8, "speedup": 6.5, "oracle_speedup": 7.9}
    virtual = start(executor="virtual", workers=8, run="1")
    (made / "cluster.jsonl").write_text(lines(virtual, tick(25.0, 3.0, run="1"), {**row, "tasks": 64}))
    return made


@pytest.fixture(scope="module")
def asked(folder: Path) -> Iterator[TestClient]:
    site = site_of(folder)
    yield client(site)
    site.close()


# --- runs ---


def test_a_story_has_the_improvements_and_the_newest_line(asked):
    story = asked.get("/api/run?file=run.jsonl").json()
    assert (story["start"]["problem"], story["last"]["seconds"], story["end"]) == ("morpion", 3, None)
    assert story["bests"] == [[1.0, 1000, 3.0], [2.0, 2000, 6.0]]
    assert [row[0] for row in story["ticks"]] == [0.5, 3]
    assert (story["kind"], story["runs"], story["broken"]) == ("journal", [""], 0)


def test_the_story_of_a_result_is_told_like_that_of_a_journal(asked):
    story = asked.get("/api/run?file=2-3.json").json()
    assert (story["kind"], story["end"]["score"], len(story["bests"])) == ("result", 14.0, 4)


def test_a_checkpoint_has_a_story_too(folder, asked):
    path = folder / "kept.ckpt"
    result = rk.solve(rk.problems.LeftMove(depth=30), rk.NRPA(level=2, iterations=10), seed=1, checkpoint=path)
    story = asked.get("/api/run?file=kept.ckpt").json()
    assert (story["kind"], story["start"]["problem"]) == ("checkpoint", "leftmove")
    assert story["best"] == {"score": result.score, "moves": list(result.moves)}


@pytest.mark.parametrize("file", ["none.jsonl", "run.ckpt", "../x", "", "%00"])
def test_a_file_that_cannot_be_shown_is_one_sentence(file, asked):
    answer = asked.get(f"/api/run?file={file}")
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_the_picture_of_a_solution_can_be_had_at_any_move(asked):
    whole = asked.get("/api/picture?file=run.jsonl")
    some = asked.get("/api/picture?file=run.jsonl&step=2&dark=1")
    assert (whole.headers["content-type"], some.status_code) == ("image/svg+xml", 200)
    assert whole.text.count(">6</text>") == 1
    assert some.text.count(">6</text>") == 0
    assert "sandbox" in whole.headers["content-security-policy"]
    png = asked.get("/api/picture?file=run.jsonl&format=png&save=1")
    assert (png.content[:4], "attachment" in png.headers["content-disposition"]) == (b"\x89PNG", True)


def test_moves_and_score_are_told_in_the_words_of_the_problem(asked):
    told = asked.get("/api/words?file=run.jsonl").json()
    assert (len(told["words"]), told["picture"], told["score"]) == (6, True, "6")


def test_code_that_a_file_names_is_never_run(asked):
    answer = asked.get("/api/words?file=foreign.jsonl")
    assert (answer.status_code, "its code is run only if" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize("path", ["/api/position", "/api/think", "/api/hint", "/api/keep"])
def test_code_that_a_request_names_is_never_run(path, folder, asked):
    (folder / "evil.py").write_text("raise SystemExit('run')")
    for name in ("evil.py:Evil", str(folder / "evil.py:Evil"), "os:system"):
        answer = asked.post(path, json={"of": {"name": name, "parameters": {}}, "moves": []})
        assert "its code is run only if" in answer.text


def test_a_search_in_a_file_is_never_run(asked):
    answer = asked.post("/api/think", json={"of": NIM, "moves": [], "search": "evil.py:Evil"})
    assert "one of those that are offered" in answer.text
    answer = asked.post("/api/keep", json={"of": NIM, "moves": [], "search": "evil.py:Evil"})
    assert "one of those that are offered" in answer.text


def test_parameters_name_no_file_outside_the_folder(asked):
    answer = asked.get("/api/words?file=thief.jsonl")
    assert answer.json() == {"error": "dots names a file outside the folder, which is not read"}


def test_illegal_moves_have_no_picture(asked):
    answer = asked.get("/api/picture?file=illegal.jsonl")
    assert (answer.status_code, "must be legal" in answer.json()["error"]) == (400, True)


def test_files_are_handed_out_whole_and_only_from_the_folder(folder, asked):
    assert asked.get("/api/download?file=run.jsonl").content == (folder / "run.jsonl").read_bytes()
    assert asked.get("/api/download?file=run.jsonl&what=checkpoint").content == b"rookery checkpoint, not whole"
    assert asked.get("/api/download?file=run.jsonl&what=result").status_code == 400
    result = rk.Result.from_json(asked.get("/api/download?file=run.jsonl&what=json").json())
    assert (result.score, result.status, len(result.moves)) == (6.0, "interrupted", 6)


# --- compare, cluster ---


def test_runs_are_compared_by_problem_and_search(asked):
    query = "&".join(f"file={level}-{seed}.json" for level in (1, 2) for seed in (1, 2, 3))
    found = asked.get(f"/api/compare?{query}").json()
    (only,) = found["problems"]
    assert [(one["name"], one["runs"], one["box"]) for one in only["searches"]] == [
        ("nrpa(level=1)", 3, [9, 9, 10, 11, 11]),
        ("nrpa(level=2)", 3, [10, 10, 12, 14, 14]),
    ]
    assert only["searches"][0]["timeline"][-1] == [50.0, 9.0, 10.0, 11.0]
    assert (only["pairs"][0]["u"], round(only["pairs"][0]["effect"], 3)) == (1.5, 0.167)


def test_what_cannot_be_compared_is_one_sentence(asked):
    for query in ("", "file=bad.jsonl", "file=none", "file=run.ckpt", "file=1-1.json&by=moon"):
        assert asked.get(f"/api/compare?{query}").status_code == 400


def test_a_simulation_is_told_row_by_row(asked):
    told = asked.get("/api/simulation?file=cluster.jsonl").json()
    assert told["rows"] == [{"select": "learned", "workers": 8, "speedup": 6.5, "oracle_speedup": 7.9, "tasks": 64}]
    assert (told["course"][0]["name"], told["course"][0]["ticks"][0][0]) == ("8 learned", 25.0)
    assert asked.get("/api/simulation?file=run.jsonl").status_code == 400


# --- play ---


def test_what_can_be_played_includes_a_game_of_ones_own(asked):
    choices = asked.get("/api/choices").json()
    assert {"breakthrough", "go", OWN} <= {one["name"] for one in choices["games"]}
    assert [one["name"] for one in choices["puzzles"]] == ["morpion", "samegame"]
    assert "uct" in choices["searches"]


def test_a_game_is_played_to_its_end_and_kept_as_a_record(folder, asked):
    moves: list[int] = []
    while True:
        position = asked.post("/api/position", json={"of": NIM, "moves": moves}).json()
        if position["over"]:
            break
        if position["player"] == 0:
            moves.append(position["legal"][0]["move"])
            continue
        thought = asked.post("/api/think", json={"of": NIM, "moves": moves, "search": "uct", "playouts": 60})
        answers = [json.loads(line) for line in thought.text.splitlines()]
        assert answers[-1]["more"] is False
        moves.append(answers[-1]["move"])
    kept = asked.post("/api/keep", json={"of": NIM, "moves": moves, "search": "uct", "format": "record"}).json()
    (folder / "kept.jsonl").write_text(kept["text"])
    verdict = rk.files.verify_match(folder / "kept.jsonl", OWN)
    assert (verdict.ok, verdict.games, verdict.unfinished) == (True, 1, 0)


def test_the_search_says_what_it_thinks_before_it_moves(asked):
    thought = asked.post("/api/think", json={"of": NIM, "moves": [], "search": "flat", "playouts": 800})
    answers = [json.loads(line) for line in thought.text.splitlines()]
    assert [(answer["playouts"], answer["more"]) for answer in answers] == [(50, True), (200, True), (800, False)]
    assert sum(row[1] for row in answers[-1]["rows"]) == 800


@pytest.mark.parametrize(
    "question",
    [
        {"of": NIM, "moves": [99]},
        {"of": NIM, "moves": "x"},
        {"of": NIM, "moves": [[[]]]},
        {"of": {"name": 3, "parameters": {}}, "moves": []},
        {"of": {"name": "breakthrough", "parameters": {"size": "x"}}, "moves": []},
        {"of": {"name": "breakthrough", "parameters": {"size": [8]}}, "moves": []},
        {"of": {"name": "breakthrough", "parameters": {"none": 1}}, "moves": []},
        {"do": "think"},
        [],
    ],
)
def test_an_odd_question_is_answered_in_one_sentence(question, asked):
    answer = asked.post("/api/position", json=question)
    assert (answer.status_code, "\n" not in answer.json()["error"]) == (400, True)


def test_spots_say_where_to_click(asked):
    position = asked.post("/api/position", json={"of": {"name": "morpion", "parameters": {}}, "moves": []}).json()
    assert (position["over"], len(position["legal"]), position["score"]) == (False, 28, "0")
    for one in position["legal"]:
        (dot, *_), ends = one["spots"]
        assert 0 <= dot[0] <= position["picture"]["width"]
        assert 1 <= len(ends) <= 2


# --- the process behind ---


WILD = """
import os
import numpy as np
import rookery as rk


class Wild(rk.PythonGame):
    def start(self): return ""
    def moves(self, state): return "ab" if len(state) < 3 else ""
    def play(self, state, move): return state + move
    def player(self, state): return len(state) % 2
    def winner(self, state): return 0
    def draw(self, moves):
        if moves == ("a",): return "x" * len(np.ones(1 << 32))
        if moves == ("b",): os._exit(1)
        if moves == ("a", "a"):
            while True: pass
        print("no answer")
        return "drawn"
"""


def test_a_question_costs_no_more_than_a_process_that_is_replaced(tmp_path):
    (tmp_path / "wild.py").write_text(WILD)
    desk, of = Desk(tmp_path, [f"{tmp_path / 'wild.py'}:Wild"]), {"name": "Wild", "parameters": {}}
    with pytest.raises(rk.InputError, match="that needs more memory than there is for it"):
        desk.ask("words", of=of, moves=["a"])
    assert desk.ask("words", of=of, moves=["b", "b"])["drawing"] == "drawn"
    with pytest.raises(rk.InputError, match="has ended: it may have needed too much memory; it is started afresh"):
        desk.ask("words", of=of, moves=["b"])
    desk._patience = 0.5
    with pytest.raises(rk.InputError, match=r"took more than 0.5 s; it is started afresh$"):
        desk.ask("words", of=of, moves=["a", "a"])
    desk._patience = 120.0
    assert desk.ask("words", of=of, moves=["b", "b"])["drawing"] == "drawn"
    desk.close()


# --- news ---


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    """The address of a real server."""
    server = Server(str(folder), port=0, own=[OWN])
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.address
    server.stop()
    thread.join()


def news(address: str, path: str) -> Iterator[dict]:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(address).close()
    with opener.open(address.partition("?")[0] + path) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


@pytest.mark.timing
def test_news_of_a_run_arrive_as_they_are_written(folder, served):
    path = folder / "live.jsonl"
    path.write_text(lines(start(), tick(0.1)))
    stream = news(served, "api/run/events?file=live.jsonl")
    assert next(stream)["tick"][0] == 0.1
    with path.open("a") as file:
        file.write(lines(best(0.5, [1, 2, 3])))
    began = time.monotonic()
    told = next(stream)
    assert (told["best"]["score"], told["bests"]) == (3.0, [[0.5, 500, 3.0]])
    assert time.monotonic() - began < 5.0
    stream.close()


@pytest.mark.timing
def test_news_of_the_folder_arrive_as_files_come_and_go(folder, served):
    stream = news(served, "api/runs/events")
    assert len(next(stream)["changed"]) > 8
    (folder / "new.jsonl").write_text(lines(start()))
    # Others may change meanwhile: a run of which nothing was heard for a while has another status.
    assert any("new.jsonl" in [row["file"] for row in told["changed"]] for told in islice(stream, 5))
    (folder / "new.jsonl").unlink()
    assert any(told["gone"] == ["new.jsonl"] for told in islice(stream, 5))
    stream.close()
