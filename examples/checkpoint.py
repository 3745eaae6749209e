"""A run that is kept on disk, killed, and resumed: it ends as if it had never been disturbed.

The run is a separate program here, so that it can be killed without warning, as a power cut would do. It is resumed
in this process, with two threads instead of one.

python examples/checkpoint.py
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rookery as rk

PROBLEM = rk.problems.Morpion("5D")
SEARCH = rk.NRPA(level=3, iterations=50)
RUN = ["-p", "variant=5D", "--level", "3", "--iterations", "50", "--seed", "1", "--workers", "1", "--atomic-level", "1"]


def main() -> None:
    undisturbed = rk.solve(PROBLEM, SEARCH, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.ckpt"
        command = ["solve", "morpion", *RUN, "--checkpoint", str(path), "--checkpoint-every", "50ms", "--quiet"]
        program = subprocess.Popen([sys.executable, "-m", "rookery", *command], stdout=subprocess.DEVNULL)
        while program.poll() is None and kept_seconds(path) < 0.2:
            time.sleep(0.01)
        program.kill()  # no time to say goodbye
        program.wait()

        print(f"killed; {kept_seconds(path):.2f} seconds of search are kept, in {path.stat().st_size:,} bytes")
        resumed = rk.resume(path, workers=2)
        print(f"resumed with 2 threads: {resumed.status}, {resumed.playouts:,} playouts, score {resumed.score:g}")
        print(f"the moves of the run that was never disturbed: {resumed.moves == undisturbed.moves}")


def kept_seconds(path: Path) -> float:
    """How long the run in a checkpoint has searched."""
    return rk.Checkpoint.load(path).seconds if path.exists() else 0.0


if __name__ == "__main__":
    main()
