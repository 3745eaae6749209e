"""Reflexive Monte Carlo search (Cazenave 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rookery.compiler.buffers import OK, PLY, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.playout import check_step
from rookery.playout_rules import make_copy_line, make_random_playout
from rookery.policy import u
from rookery.rng import mix, seed_stream
from rookery.search.parameters import MOST_LEVEL, Rule, per_level, playout_rule, whole

GAMES = 10
"""Games of a step at a level that is left out."""


@dataclass(frozen=True)
class Reflexive:
    """Reflexive Monte Carlo search (Cazenave 2007, section 3): games that are played by the games of the level below.

    A game of level 0 is a playout. At each step of a game of level 1 and above, so many games of the level below are
    played from there, and the next move of the best variation found so far is played.

    Parameters
    ----------
    level
        1 is the paper's meta-game, 2 its meta-meta-game, and so on
    games
        games of the level below at each step; one number, or ``{level: number}`` (10 for levels left out). The paper's
        games are ``games[1]``, its meta-games ``games[2]``
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (section 2.3), or the problem's ``"own"``
        ``choose``, as by default if it has one

    >>> Reflexive(level=2, games={1: 100, 2: 1000}).games_by_level
    (10, 100, 1000)
    """

    level: int = 2
    games: int | Mapping[int, int] = GAMES
    rule: Rule | None = None
    games_by_level: tuple[int, ...] = field(init=False, repr=False, compare=False)

    name = "reflexive"

    def __post_init__(self) -> None:
        level = whole("level", self.level, 1, MOST_LEVEL)
        games = per_level("games", self.games, level, GAMES)
        object.__setattr__(self, "games_by_level", tuple(whole("games", n, 1, 1 << 20) for n in games))
        playout_rule(self.rule)

    @classmethod
    def cazenave(cls) -> Reflexive:
        """The search that found 78 moves in Morpion 5D: 100 games, 1,000 meta-games, one game at the meta-meta level.

        >>> Reflexive.cazenave().games
        {1: 100, 2: 1000}
        """
        return cls(level=2, games={1: 100, 2: 1000}, rule="uniform")


def make_reflexive(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of reflexive tasks: a game of some level from a state."""
    functions = spec.functions
    moves, play, value = functions.moves, functions.play, functions.value
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    @spec.kernel
    def play_game(level, key, ply, self, states, lines, run):
        """Cazenave 2007, ``playMetaGame``: from ``states[level]``, into row 2 * level.

        That row is the paper's ``bestVariation``, from the start of the problem: what it shifts at every step, ``ply``
        does here. Scores are those of whole games, so ``best`` need not be lowered as its number of moves is.
        """
        best_row, game_row = 2 * level, 2 * (level - 1)
        if level == 1:
            seed_stream(run.rng[0], key)
        s = states[level]
        out = lines.out[level]
        best = -np.inf  # previousBestScore
        calls = 0
        status = OK
        while status == OK:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, run.control)
            if n <= 0 or status != OK:
                break
            run.control[PLY] = ply
            for _ in range(run.iterations[level]):  # findBestMove, findBestMetaMove: nbGames
                states[level - 1] = s  # retrieveBoard
                if level == 1:
                    status = random_playout(self, states[0], states, ply, game_row, run.rng[0], lines, run)
                else:
                    status = play_game(level - 1, mix(key, calls), ply, self, states, lines, run)
                calls += 1
                if status > STOPPED or (status == STOPPED and level == 1):
                    break
                if lines.scores[game_row] > best:
                    best = lines.scores[game_row]
                    copy_line(lines, game_row, best_row, ply)
                if status != OK:
                    break
            if status != OK or ply >= lines.lengths[best_row]:
                break  # or the best playout ended here, by a rule that holds in playouts only
            play(self, s, lines.moves[best_row, u(ply)])
            ply += 1
        if status == OK:
            best = value(self, s)
            lines.lengths[best_row] = ply
        lines.scores[best_row] = best
        return status

    def reflexive_task(level, key, first, last, ply, self, states, lines, run):
        """The best of some games from ``states[level + 1]``, into row 2 * level + 1.

        They are the children ``first`` to ``last - 1`` of a game with this key; without any, it is that game itself.
        """
        lines.scores[2 * level + 1] = -np.inf
        status = OK
        for i in range(first, max(last, first + 1)):
            states[level] = states[level + 1]
            status = play_game(level, mix(key, i) if last > first else key, ply, self, states, lines, run)
            if status > STOPPED:
                break
            if lines.scores[2 * level] > lines.scores[2 * level + 1]:
                lines.scores[2 * level + 1] = lines.scores[2 * level]
                copy_line(lines, 2 * level, 2 * level + 1, ply)
            if status != OK:
                break
        return status

    return reflexive_task
