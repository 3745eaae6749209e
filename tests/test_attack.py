"""Crafted and damaged files do no harm: a small part of benchmarks/attack.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ATTACK = Path(__file__).parent.parent / "benchmarks" / "attack.py"


@pytest.mark.skipif(os.name != "posix", reason="children are forked")
@pytest.mark.parametrize(("part", "count"), [("--crafted", 150), ("--mutated", 40)])
def test_no_crafted_or_damaged_file_crashes_hangs_or_changes_an_answer(part: str, count: int) -> None:
    command = [sys.executable, str(ATTACK), "--quick", part, str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert "| nothing |" in ran.stdout
