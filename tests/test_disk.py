"""What a result may be written to: files, and what is refused before it is harmed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import rookery as rk
from rookery.disk import check_writable, write_text

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
