"""Real processes, ended at random moments: whatever happens to them, the run ends as if nothing had happened."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = [pytest.mark.timing, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]


def load() -> ModuleType:
    """The command of the same name, which can do this more often."""
    path = Path(__file__).parents[2] / "benchmarks" / "kills.py"
    spec = importlib.util.spec_from_file_location("kills", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


kills = load()


def test_a_run_that_is_killed_at_any_moment_goes_on_to_the_undisturbed_result(tmp_path):
    done = kills.disturb_many(20, seed=1, at_once=2, folder=tmp_path)
    assert sum(done.used.values()) == 20
    assert set(done.used) == set(kills.WORKERS)
    assert done.runs >= 3


@pytest.mark.parametrize(
    ("search", "how", "number", "code"),
    [
        ("nrpa", "threads", signal.SIGINT, 130),
        ("nmcs", "processes", signal.SIGINT, 130),
        ("nrpa", "processes", signal.SIGTERM, 143),
        ("restarts", "sequential", signal.SIGTERM, 143),
    ],
)
def test_a_run_that_is_asked_to_end_leaves_its_best_and_a_checkpoint_that_goes_on(search, how, number, code, tmp_path):
    assert kills.end_politely(search, how, number, tmp_path) == (code, "interrupted", kills.undisturbed(search))
