"""Strength in Go 9x9 against GNU Go: games won at one second a move, with their 95% interval.

    python benchmarks/gnugo.py [--levels 1,10] [--games 40] [--seconds 1] [--search uct:reuse=true] [--minutes 20]

Chinese rules, positional superko, komi 6.5; colours take turns. Both play until all that is dead is captured, so that
there is nothing to argue about at the end: both counts must be the same. GNU Go takes as long as it likes (level 1: a
twentieth of a second a move; level 10: half a second). After ``--minutes`` no more games begin. Needs gnugo.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from typing import Protocol

import rookery as rk
from rookery.matches.scores import wilson

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
RULES = ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--positional-superko")
KOMI = 6.5
GAME = rk.games.Go(size=9, ko="superko", longest=400)


class Player(Protocol):
    """Whoever answers commands of the Go Text Protocol."""

    genmove: str

    def ask(self, line: str) -> str:
        """The answer to a command, which must succeed."""


class GnuGo:
    """GNU Go, running."""

    genmove = "genmove"

    def __init__(self, level: int, seed: int) -> None:
        command = [str(GNUGO), *RULES, "--level", str(level), "--seed", str(seed)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> GnuGo:
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

    genmove = "kgs-genmove_cleanup"

    def __init__(self, engine: rk.tools.GtpEngine) -> None:
        self._engine = engine

    def ask(self, line: str) -> str:
        return accepted(line, self._engine.answer(line))


def accepted(line: str, answer: str) -> str:
    assert answer.startswith("="), (line, answer)
    return answer[1:].strip()


def play_game(ours: Ours, gnu_go: GnuGo, we_begin: bool) -> tuple[list[str], str, str]:
    """A whole game, in which each sees every move of the other: the moves, and the score by both counts."""
    players: tuple[Player, Player] = (ours, gnu_go) if we_begin else (gnu_go, ours)
    for line in ("boardsize 9", f"komi {KOMI}", "clear_board"):
        for player in players:
            player.ask(line)
    moves: list[str] = []
    while moves[-2:] != ["pass", "pass"]:
        turn = len(moves) % 2
        move = players[turn].ask(f"{players[turn].genmove} {'bw'[turn]}").lower()
        players[1 - turn].ask(f"play {'bw'[turn]} {move}")
        moves.append(move)
    return moves, ours.ask("final_score"), gnu_go.ask("final_score")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default="1,10")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--search", default="uct:reuse=true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    chosen = parser.parse_args()
    if GNUGO is None:
        raise SystemExit("gnugo is missing: apt-get install gnugo")
    levels = [int(level) for level in chosen.levels.split(",")]
    search = rk.tools.load_game_search(chosen.search, seconds=chosen.seconds)
    won = dict.fromkeys(levels, 0)
    played = dict.fromkeys(levels, 0)
    until = time.monotonic() + 60 * chosen.minutes
    for number in range(chosen.games):
        for level in levels:
            if time.monotonic() > until:
                break
            ours = Ours(rk.tools.GtpEngine(GAME, search, seed=number))
            with GnuGo(level, seed=number) as gnu_go:
                we_begin = number % 2 == 0
                moves, score, theirs = play_game(ours, gnu_go, we_begin)
            assert score == theirs, (moves, score, theirs)
            played[level] += 1
            won[level] += score.startswith("B" if we_begin else "W")
            print(
                f"level {level}, game {number + 1}: we are {'BW'[not we_begin]}, {score}, {len(moves)} moves",
                flush=True,
            )
    print("\n| GNU Go | games | won | 95% |\n| --- | --- | --- | --- |")
    for level in levels:
        if played[level]:
            low, high = wilson(won[level], played[level])
            share = won[level] / played[level]
            print(f"| level {level} | {played[level]} | {won[level]} ({share:.0%}) | {low:.0%} to {high:.0%} |")


if __name__ == "__main__":
    main()
