"""Problems and a game with functions that do not return, and processes that stop: for tests through the command."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import ClassVar

import rookery as rk

FUNCTIONS = ("none", "start", "moves", "code", "play", "score")


class Loop(rk.Problem):
    """A search soon finds that ones are good; after many of them a function does not return."""

    function: int = 0  # which of FUNCTIONS

    def limits(self):
        return rk.Limits(codes=64, moves=2, length=20)

    def layout(self):
        return {"n": "i8", "ones": "i8"}

    def start(self, s):
        while self.function == 1:
            s.ones = 0

    def moves(self, s, out):
        while self.function == 2 and s.ones == 16:
            s.ones = 16
        out[0] = 0
        out[1] = 1
        return 2 if s.n < 20 else 0

    def code(self, s, move):
        while self.function == 3 and s.ones == 16:
            s.ones = 16
        return 2 * s.n + move

    def play(self, s, move):
        while self.function == 4 and s.ones == 16:
            s.ones = 16
        s.n += 1
        s.ones += move

    def score(self, s):
        while self.function == 5 and s.ones >= 16:
            s.ones = 16
        return s.ones


class Word(rk.PythonProblem):
    """A score that a search has to look for."""

    def start(self):
        return ""

    def moves(self, state):
        return "abc" if len(state) < 4 else ""

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def copy(self, state):
        return state

    def score(self, state):
        return float(sum(ord(c) * (i + 1) for i, c in enumerate(state)) % 97)


class Endless(Word):
    """Says so and does not return, after some playouts."""

    def __init__(self) -> None:
        self.playouts = 0

    def score(self, state):
        self.playouts += 1
        if self.playouts == 1000:
            print("stuck", file=sys.stderr, flush=True)
        while self.playouts >= 1000:
            pass
        return super().score(state)


class Stopped(Word):
    """Stops the process that computes it, as SIGSTOP does: once, which the file tells; without a file, always."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.home = os.getpid()
        self.playouts = 0

    def score(self, state):
        self.playouts += 1
        if os.getpid() != self.home and self.playouts >= 50 and not (self.file and Path(self.file).exists()):
            if self.file:
                Path(self.file).touch()
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().score(state)


class Race(rk.PythonGame):
    """Says so and does not return, after some games, until it is told to."""

    patient: ClassVar[bool] = True
    calls: ClassVar[int] = 0

    def start(self):
        return ""

    def moves(self, state):
        Race.calls += 1
        if Race.calls == 2000:
            print("stuck", file=sys.stderr, flush=True)
        while Race.calls >= 2000 and Race.patient:
            pass
        return "ab" if len(state) < 3 else ""

    def play(self, state, move):
        return state + move

    def player(self, state):
        return len(state) % 2

    def winner(self, state):
        return state.count("b") % 2
