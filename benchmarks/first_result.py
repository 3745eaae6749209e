"""From nothing to the first result of your own: docs/tutorial.md, followed to the letter, with a clock.

    python benchmarks/first_result.py

A clone of this checkout, a fresh virtual environment and an empty cache of machine code in a folder that is removed
afterwards: the installation, the problem in a file, its first search, the same once more, and the tutorial's command.
What a block prints must be what the page shows. The time of the installation includes that of the network.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LAST = "## Make it faster"
"""The heading at which there is a result, drawn and searched again from the command line."""


class Follower:
    """Does what the page says, in a folder of its own, and prints how long each step took."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        binaries = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        path = os.pathsep.join((str(binaries), os.environ["PATH"]))
        cache = str(folder / "cache")
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.environment = {**own, "PATH": path, "ROOKERY_CACHE_DIR": cache, "MPLBACKEND": "agg"}
        self.seconds = 0.0

    def step(self, name: str, command: list[str], inside: Path | None = None) -> str:
        """Run a command; what it prints."""
        began = time.perf_counter()
        done = subprocess.run(
            command, cwd=inside or self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        taken = time.perf_counter() - began
        if done.returncode != 0:
            sys.exit(f"{name}: {' '.join(command)} ended with {done.returncode}\n{done.stderr}")
        self.seconds += taken
        print(f"{name:44} {taken:7.1f} s", flush=True)
        return done.stdout

    def python(self, name: str, program: str, shown: str) -> None:
        """Run a program as the file ``my_tsp.py``; it must print what the page shows."""
        (self.folder / "my_tsp.py").write_text(program, encoding="utf-8")
        printed = self.step(name, ["python", "my_tsp.py"])
        if printed != shown:
            sys.exit(f"{name} printed {printed!r}, but the page shows {shown!r}")


def blocks() -> Iterator[tuple[str, str]]:
    """Language and text of the blocks of the page, as far as they are followed."""
    for fence in FENCE.finditer(PAGE.read_text(encoding="utf-8").partition(LAST)[0]):
        yield fence["language"], fence["body"]


def main() -> int:
    given = list(blocks())
    programs = [body for language, body in given if language == "python"]
    shown = [body for language, body in given if language == "text"]
    setup, command = (body for language, body in given if language == "sh")
    clone, _, install = setup.splitlines()
    with tempfile.TemporaryDirectory() as name:
        follower = Follower(Path(name))
        follower.step("clone", shlex.split(clone.replace("<the repository>", shlex.quote(str(ROOT)))))
        venv.create(Path(name) / "venv", with_pip=True)
        follower.step("pip install", shlex.split(install), Path(name) / "rookery")
        follower.python("the problem and its first search", "\n\n".join(programs[:2]), shown[0])
        print(f"{'from the clone to the first result':44} {follower.seconds:7.1f} s")
        follower.python("the same again, kept code", "\n\n".join(programs[:2]), shown[0])
        follower.python("its result replayed, saved and drawn", "\n\n".join(programs), "".join(shown))
        (Path(name) / "my_tsp.py").write_text(programs[0], encoding="utf-8")  # "put the class into a file"
        follower.step("the command, ten seconds", shlex.split(command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
