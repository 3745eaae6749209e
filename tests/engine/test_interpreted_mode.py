"""Everything also runs without the compiler, with the same results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is the run that the test starts")
def test_sameness_holds_with_the_compiler_switched_off():
    files = ["search/test_sameness.py", "test_rng.py", "plans/test_speculation_tree.py"]
    files += ["compiler/test_functions.py", "compiler/test_layout.py", "engine/test_faults.py"]
    files += ["search/test_game_uct.py::test_the_compiled_search_has_the_visits_of_the_reference"]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x"),
            # Interpreted, NumPy's numbers divide by zero without an exception.
            *("-k", "not division_by_zero and not breakthrough", *(str(HERE / file) for file in files)),
        ],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_both_modes_find_the_same_sequence():
    script = (
        "import rookery as rk; r = rk.solve(rk.problems.Morpion('5D'), rk.NRPA(level=2, iterations=5), seed=4);"
        "print(r.score, r.moves)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    }
    assert len(outputs) == 1
