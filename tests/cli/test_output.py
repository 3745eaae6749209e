"""Standard output that cannot be written is one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.cli import main

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full, of Linux")


@pytest.mark.parametrize("command", [["list"], ["list", "--json"], ["--help"], ["--version"]])
def test_a_full_disk_is_told_in_one_line(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "rookery", *command], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (ran.returncode, ran.stderr) == (2, "rookery: cannot write standard output: No space left on device\n")


def test_a_file_that_is_no_list_of_words_is_not_quoted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret").write_text("root:x:0:0\n")
    assert main(["solve", "crossword", "-p", f"words={tmp_path / 'secret'}", "--playouts", "1"]) == 2
    said = capsys.readouterr().err
    assert "line 1: a word must consist of the letters A to Z" in said
    assert "root" not in said.replace(str(tmp_path), "")


def test_an_illegal_move_of_samegame_is_told_with_its_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "board").write_text("0 1\n0 2\n")
    (tmp_path / "game").write_text("c2 r1\n")
    command = ["verify", str(tmp_path / "game"), "--problem", "samegame", "-p", f"board={tmp_path / 'board'}"]
    assert main(command) == 1
    assert "line 1: c2 r1 has no neighbour of its colour" in capsys.readouterr().out
