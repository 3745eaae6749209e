"""The result of a tournament: ratings, the cross table, and both as text, JSON, CSV and a plot."""

from __future__ import annotations

import csv
import io
import itertools
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.drawing.figures import new_figure, write_figure
from rookery.drawing.printed import Printed, as_table
from rookery.matches.elo import Rating, ratings
from rookery.matches.scores import MatchResult, board_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOUR = "#0072B2"


@dataclass(frozen=True)
class Tournament(Printed):
    """The result of a tournament.

    Parameters
    ----------
    players
        the searches as plain values, by name
    matches
        the result of each pair's match; the names of a pair are in alphabetical order
    asked
        games of each pair
    status
        ``"finished"`` or ``"interrupted"``: then games are ``missing``
    seconds
        of this call: games that records already held took none

    >>> import rookery as rk
    >>> class Coin(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ht" if not state else ""
    ...     def play(self, state, move): return move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return -1
    >>> done = rk.tournament(Coin(), [rk.GameUCT(playouts=2), rk.FlatMC(playouts=2)], games=4)
    >>> done.points("uct"), done.ratings["uct"].elo
    (2.0, 0.0)
    """

    game: str
    parameters: Mapping[str, Any]
    players: Mapping[str, Mapping[str, Any]]
    matches: Mapping[tuple[str, str], MatchResult] = field(repr=False)
    asked: int
    seconds: float
    seed: int
    workers: int
    executor: str
    status: str
    version: str

    # --- who scored what ---

    def score(self, name: str, other: str) -> tuple[float, int]:
        """The points of a player against another, draws counted half, and their games."""
        pair = (name, other) if name < other else (other, name)
        done = self.matches.get(pair)
        if done is None:
            return 0.0, 0
        points = done.wins_a + done.draws / 2
        return points if name == pair[0] else done.games - points, done.games

    def points(self, name: str) -> float:
        """All points of a player."""
        return sum(self.score(name, other)[0] for other in self.players if other != name)

    def games(self, name: str) -> int:
        """All games of a player."""
        return sum(self.score(name, other)[1] for other in self.players if other != name)

    @cached_property
    def ratings(self) -> dict[str, Rating]:
        """The players' ratings, the strongest first."""
        names = list(self.players)
        scored = np.zeros((len(names), len(names)))
        for i, j in itertools.permutations(range(len(names)), 2):
            scored[i, j] = self.score(names[i], names[j])[0]
        rated = dict(zip(names, ratings(scored), strict=True))
        order = {name: i for i, name in enumerate(names)}

        def rank(name: str) -> tuple[float, float, int]:
            elo = rated[name].elo
            return math.inf if elo is None else -elo, -self.points(name), order[name]

        return {name: rated[name] for name in sorted(names, key=rank)}

    @property
    def missing(self) -> dict[tuple[str, str], int]:
        """The pairs that have not played all their games, and how many are missing."""
        pairs = itertools.combinations(sorted(self.players), 2)
        left = {pair: self.asked - (self.matches[pair].games if pair in self.matches else 0) for pair in pairs}
        return {pair: games for pair, games in left.items() if games}

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return not self.missing

    # --- for people ---

    def __str__(self) -> str:
        """The table that the command prints: ratings, and each player's share of the points against each other."""
        size = board_size(self.parameters)
        board = f" {size}x{size}" if isinstance(size, int) else f" {size or ''}".rstrip()
        games = sum(done.games for done in self.matches.values())
        playouts = sum(done.playouts for done in self.matches.values())
        head = f"{self.game}{board}: {games:,} games, {playouts:,} playouts, {self.seconds:.2f} s, seed {self.seed}"
        rows = [["player", "elo", "95%", "points", "games", *map(str, range(1, len(self.players) + 1))]]
        for number, (name, rating) in enumerate(self.ratings.items(), 1):
            interval = "-" if rating.low is None else f"{_elo(rating.low)} to {_elo(rating.high)}"
            row = [f"{number} {name}", _elo(rating.elo), interval, f"{self.points(name):g}", f"{self.games(name):,}"]
            rows.append([*row, *(self._share(name, other) for other in self.ratings)])
        parts = [head, "", as_table(rows)]
        for (a, b), left in self.missing.items():
            parts.append(f"missing: {left:,} of {self.asked:,} games of {a} against {b}")
        return "\n".join(parts)

    def _share(self, name: str, other: str) -> str:
        """A cell of the cross table."""
        points, games = self.score(name, other)
        return f"{100 * points / games:.1f}%" if games else "-"

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The ratings with their intervals, as .png, .svg or .pdf; written to ``path`` if given."""
        rated = [(name, rating) for name, rating in self.ratings.items() if rating.elo is not None]
        finite = [v for _, r in rated for v in (r.elo, r.low, r.high) if v is not None and math.isfinite(v)]
        edge = 0.08 * max(100.0, max(finite) - min(finite))
        left, right = min(finite) - edge, max(finite) + edge
        figure = new_figure((7.0, 1.2 + 0.42 * len(rated)))
        axes = figure.add_subplot()
        for place, (_, rating) in enumerate(rated):
            assert rating.elo is not None
            assert rating.low is not None
            assert rating.high is not None
            axes.plot([max(rating.low, left), min(rating.high, right)], [place, place], color=COLOUR, linewidth=2)
            if math.isfinite(rating.elo):
                axes.plot([rating.elo], [place], "o", color=COLOUR)
            else:  # an arrow towards where no limit is known
                axes.plot([min(max(rating.elo, left), right)], [place], "<" if rating.elo < 0 else ">", color=COLOUR)
        axes.set_xlim(left, right)
        axes.set_yticks(range(len(rated)), [name for name, _ in rated])
        axes.invert_yaxis()
        axes.set_xlabel("Elo, with 95% intervals")
        games = "" if self.complete else ", unfinished"
        axes.set_title(f"{self.game}, {self.asked:,} games a pair{games}", loc="left", fontsize="medium")
        axes.grid(axis="x", color="0.9", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        if path is not None:
            write_figure(figure, path)
        return figure

    # --- for programs ---

    def csv(self) -> str:
        """One line for each match, as text with commas."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["a", "b", "games", "wins_a", "wins_b", "draws", "wins_a_first", "wins_a_second", "playouts"])
        for (a, b), m in self.matches.items():
            writer.writerow([a, b, m.games, m.wins_a, m.wins_b, m.draws, m.wins_a_first, m.wins_a_second, m.playouts])
        return out.getvalue()

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object; a rating or a bound without a limit is null."""
        names = (
            "game",
            "parameters",
            "players",
            "asked",
            "seconds",
            "seed",
            "workers",
            "executor",
            "status",
            "version",
        )
        rated = [
            {"player": name, "points": self.points(name), "games": self.games(name), **_finite(rating)}
            for name, rating in self.ratings.items()
        ]
        played = [{"players": list(pair), **done.to_json()} for pair, done in self.matches.items()]
        missing = [{"players": list(pair), "games": games} for pair, games in self.missing.items()]
        about = {name: getattr(self, name) for name in names}
        return {**about, "ratings": rated, "matches": played, "missing": missing}


def _elo(value: float | None) -> str:
    """A rating as tables show it; infinite without a limit, a dash if it is not known."""
    if value is None:
        return "-"
    if math.isinf(value):
        return "+inf" if value > 0 else "-inf"
    return f"{value:+.0f}"


def _finite(rating: Rating) -> dict[str, float | None]:
    return {name: v if v is not None and math.isfinite(v) else None for name, v in asdict(rating).items()}
