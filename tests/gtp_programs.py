"""Players that speak the Go Text Protocol, for tests: a program, or our own engine without one."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Protocol

import pytest

import rookery as rk

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go of POSIX is not installed: apt-get install gnugo")
RULES = ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--positional-superko")


class Player(Protocol):
    """Whoever answers commands."""

    def ask(self, line: str) -> str:
        """The answer to a command that must succeed."""


class Program:
    """A program that is running."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = ""
        while (more := self._process.stdout.readline()) not in ("", "\n"):
            answer += more
        return accepted(line, answer)


class Ours:
    """Our own engine."""

    def __init__(self, engine: rk.tools.GtpEngine) -> None:
        self._engine = engine

    def ask(self, line: str) -> str:
        return accepted(line, self._engine.answer(line))


def accepted(line: str, answer: str) -> str:
    assert answer.startswith("="), (line, answer)
    return answer[1:].strip()


def play_game(black: Player, white: Player, commands: dict[Player, str]) -> list[str]:
    """A whole game, in which each sees every move of the other; ``commands`` are those that generate moves."""
    moves: list[str] = []
    while moves[-2:] != ["pass", "pass"]:
        colour = "bw"[len(moves) % 2]
        mover, other = (black, white) if colour == "b" else (white, black)
        move = mover.ask(f"{commands[mover]} {colour}").lower()
        other.ask(f"play {colour} {move}")
        moves.append(move)
    return moves
