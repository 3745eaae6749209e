"""``rookery cache``: what is kept, and how to be rid of it."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.settings import INTERPRETED


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with three entries, and a file of someone else's."""
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("ROOKERY_CACHE_SIZE", raising=False)
    used = datetime(2026, 1, 2, 3, 4, 5).timestamp()
    for name, size in (("TSP.nrpa-" + "a" * 40, 1024), ("TSP.nrpa-" + "b" * 40, 2048), ("replay-" + "a" * 40, 512)):
        file = tmp_path / f"{name}.kernel"
        file.write_bytes(b"x" * size)
        os.utime(file, (used, used))
    (tmp_path / "notes.txt").write_text("not ours")
    return tmp_path


def test_the_folder_its_entries_their_size_and_the_limit_are_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        f"folder    {folder}",
        "entries   3",
        "size      3.5 kB",
        "limit     512 MB; beyond it the entries used longest ago are removed",
    ]


def test_a_table_shows_problems_and_kernels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["cache"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[5:]] == [
        ["problem", "kernel", "entries", "size", "last", "used"],
        ["-", "replay", "1", "512", "bytes", "2026-01-02", "03:04"],
        ["TSP", "nrpa", "2", "3", "kB", "2026-01-02", "03:04"],
    ]


def test_json_has_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["folder"], told["entries"], told["bytes"]) == (str(folder), 3, 3584)
    assert told["limit"] == 512 * 1024 * 1024
    last = told["kernels"][1]
    used = datetime.fromisoformat(last.pop("last_used"))
    assert last == {"problem": "TSP", "kernel": "nrpa", "entries": 2, "bytes": 3072}
    assert used.replace(tzinfo=None) == datetime(2026, 1, 2, 3, 4, 5)


def test_clear_removes_the_entries_and_says_how_many(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == f"removed 3 entries, 3.5 kB, from {folder}\n"
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]


def test_clear_in_json_has_the_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": str(folder), "removed": 3, "bytes": 3584}


def test_a_folder_that_is_not_there_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path / "none"))
    assert main(["cache"]) == 0
    assert "entries   0\n" in capsys.readouterr().out
    assert main(["cache", "--clear"]) == 0
    assert "removed 0 entries, 0 bytes" in capsys.readouterr().out


def test_entries_that_cannot_be_removed_are_one_line_and_exit_code_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    assert main(["cache", "--clear"]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"rookery: cannot remove 3 of 3 entries in {folder}: Permission denied\n"
    assert captured.out == ""


def test_a_file_in_place_of_the_folder_is_one_line_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path / "file"))
    assert main(["cache"]) == 2
    assert capsys.readouterr().err == f"rookery: cannot read {tmp_path / 'file'}: Not a directory\n"


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_what_a_search_compiled_is_shown_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Alone(rk.problems.LeftMove):
        """A problem that no other test has compiled in this process."""

        def score(self, s):  # type: ignore[no-untyped-def]
            return 1000 + s.lefts

    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path))
    rk.replay(Alone(depth=2), [0])
    main(["cache", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert [kernel["kernel"] for kernel in told["kernels"]] == ["replay"]
    assert told["bytes"] == sum(file.stat().st_size for file in tmp_path.iterdir())
    main(["cache", "--clear"])
    assert list(tmp_path.iterdir()) == []
