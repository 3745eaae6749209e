"""What a result may be written to: files, and what is refused before it is harmed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import rookery as rk
from rookery.disk import as_json, as_text, check_writable, file_bytes, file_lines, write_text

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")


def test_a_pipe_or_a_device_is_refused_and_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        for write in (check_writable, lambda path: write_text(path, "new")):
            with pytest.raises(rk.InputError, match=f"cannot write .*{name}: it is a device or a pipe, not a file"):
                write(tmp_path / name)
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("old")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_text() == "new"


def test_a_link_to_a_file_that_is_not_there_makes_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "later").read_text() == "new"


def test_a_file_that_may_not_be_written_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "best.json"
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everything
    for write in (check_writable, lambda path: write_text(path, "new")):
        with pytest.raises(rk.InputError, match=r"cannot write .*best\.json: Permission denied"):
            write(file)
    assert file.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "cannot write a file without a name"),
        ("a\0b", "embedded null byte"),
        ("\ud800", "surrogates not allowed"),
        ("n" * 300, "File name too long"),
        ("none/", "it is a folder"),
        ("none/r.json", "No such file or directory"),
        ("loop", "cannot write loop: "),
    ],
)
def test_a_name_that_no_file_can_have_is_one_sentence(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(rk.InputError, match=message) as caught:
        check_writable(name)
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["loop"]


def test_a_name_as_long_as_files_may_have_can_be_written(tmp_path: Path) -> None:
    write_text(tmp_path / ("n" * 250), "new")
    assert [len(name) for name in os.listdir(tmp_path)] == [250]


@pytest.mark.parametrize("name", ["a\0b.json", "\ud800.json", "n" * 300])
def test_a_name_that_no_file_can_have_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(rk.InputError, match="cannot read"):
        rk.Result.load(tmp_path / name)


# --- what others left ---


def test_what_a_killed_process_left_is_removed_by_the_next_that_writes_there(tmp_path: Path) -> None:
    (tmp_path / ".rookery-abcdefgh").write_text("half")
    (tmp_path / ".rookery-notes.txt").write_text("mine")
    write_text(tmp_path / "file", "new")
    assert sorted(os.listdir(tmp_path)) == [".rookery-notes.txt", "file"]


def test_what_is_being_written_is_not_taken_for_a_leftover(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / ".rookery-abcdefgh").write_text("half")
    with open(tmp_path / ".rookery-abcdefgh") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write_text(tmp_path / "file", "new")
    assert sorted(os.listdir(tmp_path)) == [".rookery-abcdefgh", "file"]


# --- bounds ---


def test_a_pipe_into_which_nobody_writes_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(rk.InputError, match="it is a pipe, and nobody writes into it$"):
        file_bytes(tmp_path / "pipe")


def test_a_pipe_is_read_whole(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"abc")
    os.close(writing)
    assert file_bytes(f"/dev/fd/{reading}") == b"abc"
    os.close(reading)


def test_a_device_that_never_ends_is_refused() -> None:
    for read in (file_bytes, lambda path: list(file_lines(path))):
        with pytest.raises(rk.InputError, match="^cannot read /dev/zero: a (file|line) must have at most"):
            read("/dev/zero")


def test_a_large_file_is_refused_by_its_size(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(rk.InputError, match="a file must have at most 64 MB$"):
        file_bytes(tmp_path / "sparse")


def test_json_of_too_many_values_or_too_deep_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(rk.InputError, match="^JSON must have at most 1048576 values, got more$"):
        as_json("[" + "[]," * (1 << 20) + "0]")
    with pytest.raises(rk.InputError, match="^JSON must be nested at most 256 deep, got more$"):
        as_json("[" * 300 + "]" * 300)


def test_brackets_in_texts_are_not_counted() -> None:
    text = '["' + "[" * 300 + '", "\\\\", "' + '\\"[' * 300 + '"]'
    assert as_json(text) == ["[" * 300, "\\", '"[' * 300]


def test_a_text_of_too_many_lines_is_refused() -> None:
    with pytest.raises(rk.InputError, match="a text must have at most 1048576 lines, got 1048577"):
        as_text(b"\n" * ((1 << 20) + 1))
