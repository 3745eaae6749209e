"""Runs a user's code in processes of their own, and tells whether compiled code came from the disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COUNTING = """
import json, sys
import rookery as rk
from rookery.compiler.cache import KernelCache
_looked_up = []
_load = KernelCache.load_overload
def _counted(self, *arguments):
    found = _load(self, *arguments)
    _looked_up.append(found is not None)
    return found
KernelCache.load_overload = _counted
def report(value):
    print(json.dumps({"value": value, "hits": sum(_looked_up), "misses": len(_looked_up) - sum(_looked_up)}))
"""
"""Begins every program; ``report`` ends it."""

REPLAY = "from user_problem import Steps\nreport(rk.replay(Steps(), [0])[0])\n"

PROBLEM = """
import rookery as rk
from user_helper import helper
SCALE = 2
class Steps(rk.Problem):
    def limits(self): return rk.Limits(moves=1, length=1, codes=1)
    def layout(self): return {"step": "i8"}
    def start(self, s): s.step = 0
    def moves(self, s, out):
        out[0] = 0
        return 1 - s.step
    def code(self, s, move): return 0
    def play(self, s, move): s.step += 1
    def score(self, s): return SCALE * helper(s.step)
"""
HELPER = "def helper(x):\n    return 10 * x\n"


@dataclass(frozen=True)
class Ran:
    """What a process printed; kernels are found on disk (``hit``), compiled and kept (``miss``), or never kept."""

    value: Any
    cache: str
    stderr: str


@dataclass(frozen=True)
class User:
    """A user's folder, and the folder of compiled code."""

    folder: Path
    cache: Path

    def command(self, program: str) -> list[str]:
        return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(self.folder)!r})\n{COUNTING}{program}"]

    def environment(self, **more: str) -> dict[str, str]:
        own = {"ROOKERY_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "ROOKERY_"))}
        return {**inherited, **own, **more}

    def run(self, program: str = REPLAY, **environment: str) -> Ran:
        return self.finish(self.command(program), **environment)

    def finish(self, command: list[str], text: str | None = None, **environment: str) -> Ran:
        """The outcome of any command that reports."""
        done = subprocess.run(
            command,
            input=text,
            env=self.environment(**environment),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return outcome(done.stdout, done.stderr)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        path.write_text(text.replace(old, new))

    def kept(self) -> list[str]:
        """The names of all files in the folder of compiled code."""
        return sorted(file.name for file in self.cache.iterdir()) if self.cache.exists() else []


def outcome(stdout: str, stderr: str = "") -> Ran:
    """What ``report`` printed last."""
    told = json.loads(stdout.splitlines()[-1])
    cache = "hit" if told["hits"] and not told["misses"] else "miss" if told["misses"] else "not kept"
    return Ran(told["value"], cache, stderr)
