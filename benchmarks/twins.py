"""C++ twins: built with the system's compiler, run as programs that print "seed score playouts seconds"."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rookery as rk

SOURCES = Path(__file__).parent / "cpp"
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-std=c++17"]


@dataclass(frozen=True)
class Run:
    """One run of a twin."""

    seed: int
    score: float
    playouts: int
    seconds: float


def build(name: str) -> Path | None:
    """The program of a twin, compiled once per source; None without a C++ compiler or when it does not build."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return None
    source = SOURCES / f"{name}.cpp"
    headers = b"".join(path.read_bytes() for path in sorted(SOURCES.glob("*.hpp")))
    digest = hashlib.sha256(source.read_bytes() + headers).hexdigest()[:16]
    program = Path(tempfile.gettempdir()) / f"rookery-twin-{name}-{digest}"
    if not program.exists():
        done = subprocess.run([compiler, *FLAGS, str(source), "-o", str(program)], capture_output=True, check=False)
        if done.returncode != 0:
            return None
    return program


def run(program: Path, *arguments: object) -> list[Run]:
    """The runs that a twin prints."""
    command = [str(program), *map(str, arguments)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return [Run(int(seed), float(score), int(playouts), float(seconds)) for seed, score, playouts, seconds in rows]


def save_distances(problem: rk.problems.TSP, path: Path) -> None:
    """An instance as the TSP twin reads it."""
    distance = np.ascontiguousarray(problem.distance, np.float64)
    path.write_bytes(np.int64(len(distance)).tobytes() + distance.tobytes())


def save_windows(problem: rk.problems.TSPTW, path: Path) -> None:
    """An instance with time windows as a text, which twin and library read."""
    given = rk.problems.TSPTW(problem.distance, problem.ready, problem.due)
    path.write_text(str(given.parameters()["instance"]).replace(" /", "\n"))
