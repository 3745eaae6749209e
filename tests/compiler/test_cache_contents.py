"""What is in the folder of compiled code, and how it is emptied."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

import rookery as rk
from rookery.compiler.cache import KernelCache
from rookery.compiler.cache_contents import _ENTRY

A, B = "a" * 40, "b" * 40


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache folder with two entries, and a file of someone else's."""
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path))
    for name, size, used in (("TSP.nrpa", 100, 1000), ("replay", 50, 2000)):
        file = tmp_path / f"{name}-{A}.kernel"
        file.write_bytes(b"x" * size)
        os.utime(file, (used, used))
    (tmp_path / "notes.txt").write_text("not ours")
    return tmp_path


def test_entries_are_listed_with_their_names_sizes_and_times_the_last_used_first(folder):
    first, second = rk.tools.cache_contents()
    assert (first.problem, first.kernel, first.bytes) == ("", "replay", 50)
    assert (second.problem, second.kernel, second.bytes) == ("TSP", "nrpa", 100)
    assert second.last_used == datetime.fromtimestamp(1000, UTC)
    assert second.path == folder / f"TSP.nrpa-{A}.kernel"


def test_a_folder_that_is_not_there_has_no_entries(tmp_path, monkeypatch):
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path / "none"))
    assert rk.tools.cache_contents() == []
    assert rk.tools.clear_cache() == []
    assert not (tmp_path / "none").exists()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ROOKERY_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(rk.InputError, match=r"cannot read .*file: Not a directory"):
        rk.tools.cache_contents()


def test_clearing_removes_the_entries_and_what_was_left_half_written_and_nothing_else(folder):
    old, young = folder / f"nrpa-{B}.aaaaaaaa.part", folder / f"nrpa-{B}.bbbbbbbb.part"
    for part in (old, young):
        part.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    assert sorted(entry.bytes for entry in rk.tools.clear_cache()) == [50, 100]
    assert sorted(file.name for file in folder.iterdir()) == sorted(["notes.txt", young.name])


def test_entries_that_cannot_be_removed_are_said_in_one_sentence_and_the_others_are_removed(folder, monkeypatch):
    unlink = Path.unlink

    def refusing(self, missing_ok=False):
        if self.name.startswith("TSP"):
            raise PermissionError(13, "Permission denied")
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refusing)
    with pytest.raises(rk.InputError, match=r"cannot remove 1 of 2 entries in .*: Permission denied"):
        rk.tools.clear_cache()
    assert [entry.kernel for entry in rk.tools.cache_contents()] == ["nrpa"]


def test_the_folder_is_under_the_systems_cache_folder_unless_told_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("ROOKERY_CACHE_DIR", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rk.tools.cache_folder() == tmp_path / "rookery"


def test_a_tilde_in_the_folder_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("ROOKERY_CACHE_DIR", "~/kept")
    assert rk.tools.cache_folder() == Path.home() / "kept"


@pytest.mark.parametrize(
    ("problem", "label"),
    [("TSP", "TSP"), ("", ""), ("Zug_2", "Zug_2"), ("Größe", "Gr__e"), ("a/../b", "a____b"), ("x" * 300, "x" * 60)],
)
def test_the_file_of_an_entry_is_named_after_the_problem_and_the_kernel(folder, problem, label):
    file = KernelCache("key", "nrpa", problem)._file(())
    match = _ENTRY.fullmatch(file.name)
    assert file.parent == folder
    assert (match["problem"] or "", match["kernel"]) == (label, "nrpa")
