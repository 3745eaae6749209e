"""The examples run as they are, and have something to say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
EXTRAS = {"experiment.py": ("matplotlib", "scipy")}


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="budgets of the examples are made for compiled code")
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.name)
def test_an_example_runs_and_prints_something(file, tmp_path):
    for package in EXTRAS.get(file.name, ()):
        pytest.importorskip(package)
    environment = {**os.environ, "MPLBACKEND": "agg"}
    run = subprocess.run(
        [sys.executable, str(file)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
