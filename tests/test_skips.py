"""In CI a test that is skipped fails the run, whatever the reason: a check that never runs proves nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ALONE = "import pytest\ndef test_it(): pytest.importorskip('no_such_package')\n"
WHOLE = "import pytest\npytest.importorskip('no_such_package')\n"


def run(folder: Path, program: str, ci: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(program + "def test_other(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "conftest", "test_it.py"]
    environment = {**os.environ, "CI": ci, "PYTEST_ADDOPTS": "", "PYTHONPATH": str(TESTS)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_skipped_test_fails_the_run_in_ci_alone(tmp_path: Path) -> None:
    outside, inside = run(tmp_path, ALONE, ""), run(tmp_path, ALONE, "true")
    assert outside.returncode == pytest.ExitCode.OK, outside.stdout
    assert "left out: " in outside.stdout
    assert inside.returncode == pytest.ExitCode.TESTS_FAILED, inside.stdout
    assert "skipped, which fails in CI: " in inside.stdout
    assert "could not import 'no_such_package'" in inside.stdout


def test_a_module_that_is_skipped_whole_fails_the_run_in_ci(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_first(): pass\n" + WHOLE, "true").returncode != pytest.ExitCode.OK


def test_a_run_with_nothing_skipped_passes_in_ci(tmp_path: Path) -> None:
    assert run(tmp_path, "", "true").returncode == pytest.ExitCode.OK
