"""A folder shows what it holds, and nothing else: no file outside of it, whatever links say."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from sites import best, lines, morpion_moves, start, tick

import rookery as rk
from rookery.web.folder import Folder

RESULT = rk.Result("leftmove", {"depth": 3}, {"algorithm": "nrpa"}, 1, 1, 3.0, (0,), 9, 1, 0, 0.5, 0.0, "finished", "0")


def named(folder: Path) -> dict[str, dict]:
    return {row["file"]: row for row in Folder(folder).rows()}


@pytest.fixture
def secret(tmp_path):
    """A file beside the folder that is served."""
    (tmp_path / "secret.json").write_text('{"problem": "secret"}')
    (tmp_path / "served").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "name", ["../secret.json", "a/../../secret.json", "/etc/passwd", "..", ".", "", "no\0name", "x" * 5000, "~/.bashrc"]
)
def test_nothing_outside_the_folder_can_be_asked_for(name, secret):
    with pytest.raises(rk.InputError, match="there is no file .* in the folder"):
        Folder(secret / "served").find(name)


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_links_lead_nowhere_outside(secret):
    served = secret / "served"
    (served / "link.json").symlink_to(secret / "secret.json")
    (served / "above").symlink_to(secret, target_is_directory=True)
    (served / "own.jsonl").write_text(lines(start()))
    (served / "again.jsonl").symlink_to(served / "own.jsonl")
    (served / "loop").symlink_to(served, target_is_directory=True)
    assert set(named(served)) == {"own.jsonl", "again.jsonl"}
    for name in ("link.json", "above/secret.json"):
        with pytest.raises(rk.InputError, match="there is no file"):
            Folder(served).find(name)
    assert Folder(served).find("again.jsonl") == (served / "own.jsonl").resolve()


def test_hidden_files_are_not_shown(tmp_path):
    (tmp_path / ".hidden.jsonl").write_text(lines(start()))
    assert named(tmp_path) == {}
    with pytest.raises(rk.InputError, match="there is no file"):
        Folder(tmp_path).find(".hidden.jsonl")


def test_each_kind_of_file_says_what_it_is(tmp_path):
    (tmp_path / "run.jsonl").write_text(lines(start(), tick(1.0, 5.0)))
    (tmp_path / "deep" / "er").mkdir(parents=True)
    RESULT.save(tmp_path / "deep" / "er" / "result.json")
    (tmp_path / "run.ckpt").write_bytes(b"rookery checkpoint 1 " + b"0" * 64 + b"\n")
    (tmp_path / "experiment.json").write_text('{"stop": {}}')
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "game.sgf").write_text("(;SZ[5];B[cc])")
    (tmp_path / "cluster.jsonl").write_text(lines(start(executor="virtual", run="1")))
    (tmp_path / "match.jsonl").write_text(
        lines({"rookery_match": 1, "game": "nogo", "parameters": {}, "a": {}, "b": {}})
    )
    kinds = {name: row["kind"] for name, row in named(tmp_path).items()}
    assert kinds == {
        "run.jsonl": "journal",
        "deep/er/result.json": "result",
        "run.ckpt": "checkpoint",
        "experiment.json": "experiment",
        "game.sgf": "games",
        "cluster.jsonl": "simulation",
        "match.jsonl": "match",
    }


def test_a_row_tells_where_a_run_stands(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(lines(start(), best(1.5, morpion_moves(2)), tick(2.0, 2.0)))
    row = named(tmp_path)["run.jsonl"]
    told = ("problem", "parameters", "seed", "score", "playouts", "seconds", "status")
    assert [row[name] for name in told] == ["morpion", {"variant": "5T"}, 1, 2.0, 2000, 2.0, "running"]
    os.utime(path, (time.time() - 60, time.time() - 60))
    assert named(tmp_path)["run.jsonl"]["status"] == "no news"
    path.write_text(lines(start(), {"event": "end", "status": "target", "score": 7}))
    assert named(tmp_path)["run.jsonl"]["status"] == "target"


def test_a_row_of_a_record_counts_the_wins_of_each_search_whoever_began(tmp_path):
    begun = [("a", "a"), ("b", "a"), ("a", "b"), ("b", "draw"), ("a", "a")]
    games = [
        {"game": i, "first": first, "winner": winner, "playouts": 0, "moves": [4], "words": ["B2"], "resigned": True}
        for i, (first, winner) in enumerate(begun)
    ]
    header = {"rookery_match": 1, "game": "nogo", "parameters": {"size": 3}, "a": {}, "b": {}}
    (tmp_path / "match.jsonl").write_text(lines(header, *games))
    row = named(tmp_path)["match.jsonl"]
    assert (row["games"], row["wins_a"], row["wins_b"]) == (5, 3, 1)


def test_only_what_has_changed_is_looked_at_again(tmp_path, monkeypatch):
    for k in range(3):
        (tmp_path / f"{k}.jsonl").write_text(lines(start(seed=k)))
    folder = Folder(tmp_path)
    before = folder.rows()
    looked: list[str] = []
    real = Folder._row
    monkeypatch.setattr(Folder, "_row", lambda self, name, *rest: looked.append(name) or real(self, name, *rest))
    assert folder.rows() == before
    (tmp_path / "1.jsonl").write_text(lines(start(seed=9), tick(1.0)))
    assert {row["seed"] for row in folder.rows()} == {0, 2, 9}
    assert looked == ["1.jsonl"]


ODD = [
    b"",
    b"\xff\xfe\x00",
    b'{"event": "start"',
    b'{"event": "start", "journal": 1, "problem": 3, "parameters": [], "search": 7, "seed": "x"}\n',
    b'{"event": "start", "journal": 1, "parameters": {"a": {"b": [[[]]]}}}\n{"event": "end", "score": 1e999}\n',
    b'{"problem": 3, "rows": [1]}',
    b'{"problem": "x", "moves": 3}',
    b'{"problem": ' + b"[" * 100_000,
    b'{"rookery_match": 1}\n{',
    b'{"rookery_match": ' + b"9" * 5000 + b"}",
    b'{"stop": null}',
    b"(;((((",
    b"rookery checkpoint 9 zzz",
    b'{"event": "start", "journal": 1}\n' + b"x" * 300_000,
]


@pytest.mark.parametrize("content", ODD, ids=range(len(ODD)))
def test_odd_files_never_end_the_list(content, tmp_path):
    (tmp_path / "odd.json").write_bytes(content)
    (tmp_path / "experiment.json").write_bytes(content)
    (tmp_path / "good.jsonl").write_text(lines(start()))
    assert "good.jsonl" in named(tmp_path)


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(rk.InputError, match=r"serve needs a folder, got .*none$"):
        Folder(tmp_path / "none")
