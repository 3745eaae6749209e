"""A folder with runs, and a site that serves it without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import rookery as rk
from rookery.web.app import Site
from rookery.web.folder import Folder

OWN = f"{Path(__file__).resolve().parents[1] / 'examples_of_games.py'}:PythonNim"
TOKEN = "a-token"
NAMES = frozenset({"127.0.0.1", "localhost"})
ADDRESS = "http://127.0.0.1:8765"
MORPION = {"problem": "morpion", "parameters": {"variant": "5T"}, "search": {"algorithm": "nrpa", "level": 2}}


def lines(*values: dict[str, Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def start(**more: Any) -> dict[str, Any]:
    about = {"event": "start", "journal": 1, "version": "0.1.0", "time": 1e9, "sense": "max", "seed": 1}
    return {**about, "workers": 2, "executor": "threads", "command": ["rookery", "solve", "morpion"], **MORPION, **more}


def morpion_moves(count: int) -> list[int]:
    """The first legal moves of a game of Morpion Solitaire."""
    problem, moves = rk.problems.Morpion(), []
    for _ in range(count):
        board = problem.game(moves).board()
        _, (code,) = problem.of_game(rk.problems.morpion.MorpionGame("5T", (board.legal()[0],)))
        moves.append(code)
    return moves


def tick(seconds: float, score: float | None = None, **more: Any) -> dict[str, Any]:
    stands = {"seconds": seconds, "score": score, "playouts": int(1000 * seconds), "iteration": 1, "restart": 0}
    return {"event": "tick", **stands, "workers": 2, "running": 1, "tasks": 4, "discarded": 1, "speedup": 1.0, **more}


def best(seconds: float, moves: list[int]) -> dict[str, Any]:
    score = float(len(moves))
    improved = [[seconds, int(1000 * seconds), score]]
    return {**tick(seconds, score), "event": "best", "moves": moves, "improvements": improved}


def client(site: Site) -> TestClient:
    """A browser that has opened the printed address."""
    made = TestClient(site.guarded(TOKEN, NAMES), base_url=ADDRESS)
    assert made.get(f"/?token={TOKEN}").status_code == 200
    return made


def site_of(folder: Path) -> Site:
    return Site(Folder(folder), [OWN])
