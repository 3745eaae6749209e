"""The cache folder stays within its size, and what is not ours stays in it."""

from __future__ import annotations

import os
import time
import warnings

import pytest

from rookery.compiler import cache_contents
from rookery.compiler.cache_contents import cache_limit, evict

DIGEST = "0123456789" * 4


def put(folder, name, size=100, age=0.0):
    """A file in the folder, last used so many seconds ago."""
    file = folder / name
    file.write_bytes(b"x" * size)
    used = time.time() - age
    os.utime(file, (used, used))
    return file


def left(folder):
    return sorted(file.name.partition("-")[0] for file in folder.iterdir())


@pytest.fixture(autouse=True)
def no_limit_of_the_environment(monkeypatch):
    monkeypatch.delenv("ROOKERY_CACHE_SIZE", raising=False)


def test_entries_used_longest_ago_are_removed_first(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_contents, "MOST_BYTES", 250)
    for age, name in enumerate(["new", "TSP.middle", "old"]):
        put(tmp_path, f"{name}-{DIGEST}.kernel", age=age)
    evict(tmp_path)
    assert left(tmp_path) == ["TSP.middle", "new"]


def test_nothing_is_removed_from_a_folder_within_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_contents, "MOST_BYTES", 300)
    for age, name in enumerate(["new", "middle", "old"]):
        put(tmp_path, f"{name}-{DIGEST}.kernel", age=1e8 * age)
    evict(tmp_path)
    assert len(left(tmp_path)) == 3


FOREIGN = ["notes.txt", "mine.kernel", "film.part", f"nrpa-{DIGEST}.kernel.bak", f"{DIGEST}.kernel", "a-b.kernel"]


def test_only_files_of_our_own_count_and_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_contents, "MOST_BYTES", 50)
    for name in FOREIGN:
        put(tmp_path, name, age=1e8)
    (tmp_path / f"folder-{DIGEST}.kernel").mkdir()
    put(tmp_path, f"nrpa-{DIGEST}.kernel")
    evict(tmp_path)
    assert sorted(f.name for f in tmp_path.iterdir()) == sorted([*FOREIGN, f"folder-{DIGEST}.kernel"])


def test_a_file_that_was_left_half_written_is_removed_after_an_hour(tmp_path):
    put(tmp_path, f"young-{DIGEST}.abcd_123.part", age=3000)
    put(tmp_path, f"TSP.old-{DIGEST}.abcd_123.part", age=4000)
    evict(tmp_path)
    assert left(tmp_path) == ["young"]


def test_a_link_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_contents, "MOST_BYTES", 50)
    target = put(tmp_path, "precious")
    link = tmp_path / f"nrpa-{DIGEST}.kernel"
    link.symlink_to(target)
    evict(tmp_path)
    assert link.is_symlink()
    assert target.exists()


@pytest.mark.parametrize(("text", "megabytes"), [("1", 1), ("0.5", 0.5), (" 2000 ", 2000), ("", 512)])
def test_the_environment_sets_the_size_in_megabytes(monkeypatch, text, megabytes):
    monkeypatch.setenv("ROOKERY_CACHE_SIZE", text)
    assert cache_limit() == megabytes * 1024 * 1024


@pytest.mark.parametrize("text", ["lots", "0", "-5", "nan", "inf", "1GB"])
def test_a_size_that_is_none_is_said_once_and_the_usual_one_holds(monkeypatch, text):
    monkeypatch.setattr(cache_contents, "_complained", set())
    monkeypatch.setenv("ROOKERY_CACHE_SIZE", text)
    with pytest.warns(RuntimeWarning, match=f"ROOKERY_CACHE_SIZE must be a number of megabytes above 0, got '{text}'"):
        assert cache_limit() == 512 * 1024 * 1024
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache_limit() == 512 * 1024 * 1024


def test_the_size_of_the_environment_is_the_one_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("ROOKERY_CACHE_SIZE", "0.001")
    for age, name in enumerate(["new", "old"]):
        put(tmp_path, f"{name}-{DIGEST}.kernel", size=700, age=age)
    evict(tmp_path)
    assert left(tmp_path) == ["new"]
