"""What the runs of a suite came to: medians, ranks, ties and distances, as tables, pages, pictures and files."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.disk import read_json, write_text
from rookery.drawing.figures import new_figure, write_figure
from rookery.drawing.printed import as_table
from rookery.errors import InputError
from rookery.experiments.statistics import mann_whitney
from rookery.experiments.study import mean_ranks
from rookery.experiments.timeline import COLOURS, median, score_text, to_maximise
from rookery.problem import Sense

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FAR = 10.0
"""A distance that is told as "far": ten times the best known score."""
ALIKE = 0.05
"""Runs that a Mann-Whitney test does not tell from those of the best median at this level are tied with it."""

Scores = Mapping[str, Mapping[str, tuple[float, ...]]]
"""By case and search, those of all seeds."""


@dataclass(frozen=True)
class Known:
    """The best known score of a case, None: the best of these runs; who knows it; the sense; what kind of problem."""

    best: float | None
    source: str
    sense: Sense
    kind: str = ""


@dataclass(frozen=True)
class Judgement:
    """What the runs of a suite came to: scores by seconds, case and search.

    >>> known = {"left": Known(10.0, "all moves to the left", "max")}
    >>> print(Judgement("small", 2, known, {10.0: {"left": {"flat": (9.0, 10.0), "sampling": (8.0, 9.0)}}}, True))
    medians of 2 runs of 10 s; * the best of a row, = not told from it
    problem        best known  flat  sampling
    left                   10  10 *       9 =
    mean rank                  1.00      2.00
    first or tied                 1         1
    <BLANKLINE>
    distance to the best known
    problem    flat  sampling
    left       0.0%     10.0%
    mean rank  1.00      2.00
    """

    suite: str
    seeds: int
    known: Mapping[str, Known]
    scores: Mapping[float, Scores]
    complete: bool

    # --- what the scores say ---

    def searches(self, seconds: float) -> tuple[str, ...]:
        """The names of the searches that had so many seconds."""
        return tuple(next(iter(self.scores[seconds].values())))

    def medians(self, seconds: float) -> dict[str, dict[str, float]]:
        """The median of each search on each case; not a number where no run has ended."""
        return {
            case: {
                name: float(median(runs, self.known[case].sense)) if runs else float("nan") for name, runs in of.items()
            }
            for case, of in self.scores[seconds].items()
        }

    def ranks(self, seconds: float) -> dict[str, float]:
        """The mean rank of each search, by medians: 1 is best."""
        rows = [to_maximise([*of.values()], self.known[case].sense) for case, of in self.medians(seconds).items()]
        return dict(zip(self.searches(seconds), mean_ranks(rows), strict=True))

    def first(self, seconds: float) -> dict[str, tuple[str, ...]]:
        """The searches that are first or tied on each case: the best median, then those not told from it.

        They are told apart by a two-sided Mann-Whitney test of their runs, at the level of 5%.
        """
        found = {}
        for case, medians in self.medians(seconds).items():
            sense, runs = self.known[case].sense, self.scores[seconds][case]
            good = dict(zip(medians, to_maximise([*medians.values()], sense), strict=True))
            ranked = sorted((name for name in good if good[name] > -np.inf), key=lambda name: -good[name])
            best = runs[ranked[0]] if ranked else ()
            found[case] = tuple(
                name for name in ranked if good[name] == good[ranked[0]] or _alike(runs[name], best, sense)
            )
        return found

    def best(self, case: str) -> float:
        """The best known score of a case: what is known, or the best run."""
        known = self.known[case]
        if known.best is not None:
            return known.best
        runs = [score for of in self.scores.values() for scores in of.get(case, {}).values() for score in scores]
        return float(min(runs) if known.sense == "min" else max(runs)) if runs else float("nan")

    def distances(self, seconds: float) -> dict[str, dict[str, float]]:
        """How far the medians are from the best known score, as a share of it; below 0 if they are better."""
        found = {}
        for case, medians in self.medians(seconds).items():
            best, sign = self.best(case), 1.0 if self.known[case].sense == "min" else -1.0
            found[case] = {name: sign * (value - best) / (abs(best) or 1.0) + 0.0 for name, value in medians.items()}
        return found

    # --- reports ---

    def tables(self, seconds: float) -> tuple[list[list[str]], list[list[str]]]:
        """The medians and the distances, as rows of texts."""
        names, ranks = self.searches(seconds), [f"{rank:.2f}" for rank in self.ranks(seconds).values()]
        medians, distances, ties = self.medians(seconds), self.distances(seconds), self.first(seconds)
        first = [["problem", "best known", *names]]
        second = [["problem", *names]]
        for case, of in medians.items():
            mark = {name: " *" if of[name] == of[ties[case][0]] else " =" for name in ties[case]}
            cells = [f"{score_text(value)}{mark.get(name, '')}" for name, value in of.items()]
            first.append([case, score_text(self.best(case)), *cells])
            second.append([case, *(_share(value) for value in distances[case].values())])
        often = [str(sum(name in tied for tied in ties.values())) for name in names]
        return [*first, ["mean rank", "", *ranks], ["first or tied", "", *often]], [*second, ["mean rank", *ranks]]

    def choices(self) -> str:
        """Which search for which kind of problem, as a table in Markdown: those that are first or tied.

        >>> known = {"left": Known(10.0, "all moves to the left", "max", "a path")}
        >>> print(Judgement("small", 1, known, {10.0: {"left": {"flat": (9.0,), "deep": (10.0,)}}}, True).choices())
        | a problem like | in the suite | with 10 s |
        |---|---|---|
        | a path | left | **deep**, flat |
        """
        first = {seconds: self.first(seconds) for seconds in self.scores}
        head = ["a problem like", "in the suite", *(f"with {seconds:g} s" for seconds in self.scores)]
        rows = []
        for case, known in self.known.items():
            named = [[f"**{of[case][0]}**", *of[case][1:]] if of.get(case) else ["-"] for of in first.values()]
            rows.append([known.kind, case, *(", ".join(names) for names in named)])
        return _markdown([head, *rows], left=len(head))

    def __str__(self) -> str:
        parts = []
        for seconds in self.scores:
            medians, distances = self.tables(seconds)
            parts += [f"{self._heading(seconds)}; * the best of a row, = not told from it\n{as_table(medians)}"]
            parts += [f"distance to the best known\n{as_table(distances)}"]
        return "\n\n".join(parts)

    def page(self, about: str = "") -> str:
        """All of it as a page in Markdown, after ``about``."""
        parts = [about] if about else []
        parts += ["## Which search is best", self.choices()]
        for seconds in self.scores:
            medians, distances = self.tables(seconds)
            heading = self._heading(seconds)
            parts += [f"## {heading[0].upper()}{heading[1:]}", _markdown(medians)]
            parts += ["The distance to the best known score:", _markdown(distances)]
        sources = [[case, score_text(self.best(case)), known.source] for case, known in self.known.items()]
        parts += ["## The best known scores", _markdown([["problem", "best known", "from"], *sources])]
        return "\n\n".join(parts) + "\n"

    def csv(self) -> str:
        """One line for each run, as text with commas."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["seconds", "problem", "search", "score"])
        writer.writerows(self._rows())
        return out.getvalue()

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The distances to the best known scores, a panel for each number of seconds; written to ``path`` if given."""
        figure = new_figure((5.4 * len(self.scores) + 1.6, 4.8))
        styles = list(dict.fromkeys(name for seconds in self.scores for name in self.searches(seconds)))
        for number, seconds in enumerate(self.scores, 1):
            axes = figure.add_subplot(1, len(self.scores), number)
            distances, names = self.distances(seconds), self.searches(seconds)
            for i, name in enumerate(names):
                far = [100 * min(of[name], FAR) for of in distances.values()]
                style = styles.index(name)  # the same in all panels
                marker, colour = "osD^vP*Xp<>"[style % 11], COLOURS[style % len(COLOURS)]
                beside = 0.6 * ((i + 0.5) / len(names) - 0.5)  # of several in one place, all are seen
                axes.plot(far, beside + np.arange(len(far)), marker, color=colour, label=name, alpha=0.85)
            axes.set_yticks(range(len(distances)), distances if number == 1 else [""] * len(distances))
            axes.invert_yaxis()
            axes.set_xscale("symlog", linthresh=1.0)
            axes.set_xlim(left=-0.3)
            axes.set_xlabel("distance to the best known score, %")
            axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
            axes.grid(axis="both", color="0.92")
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
            axes.set_title(self._heading(seconds), loc="left", fontsize="medium")
            axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
        if path is not None:
            write_figure(figure, path)
        return figure

    def _heading(self, seconds: float) -> str:
        runs = f"medians of {self.seeds} run{'s' * (self.seeds != 1)} of {seconds:g} s"
        whole = all(len(scores) == self.seeds for of in self.scores[seconds].values() for scores in of.values())
        return runs if whole and len(self.scores[seconds]) == len(self.known) else f"{runs}; runs are missing"

    def _rows(self) -> Iterator[list[Any]]:
        for seconds, cases in self.scores.items():
            for case, of in cases.items():
                for name, scores in of.items():
                    yield from ([f"{seconds:g}", case, name, score] for score in scores)

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The judgement as a JSON object."""
        known = {case: asdict(k) for case, k in self.known.items()}
        scores = {f"{seconds:g}": of for seconds, of in self.scores.items()}
        return {
            "suite": self.suite,
            "seeds": self.seeds,
            "complete": self.complete,
            "known": known,
            "scores": scores,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the judgement as JSON: whole, or not at all."""
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Judgement:
        """Read a judgement that :meth:`save` wrote."""
        return read_json(path, "the file of a suite", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Judgement:
        """A judgement from its JSON object."""
        try:
            known = {
                case: Known(k["best"], str(k["source"]), k["sense"], str(k["kind"]))
                for case, k in data["known"].items()
            }
            scores = {
                float(seconds): {
                    case: {name: tuple(map(float, s)) for name, s in of.items()} for case, of in cases.items()
                }
                for seconds, cases in data["scores"].items()
            }
            return cls(str(data["suite"]), int(data["seeds"]), known, scores, bool(data["complete"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"a field of the suite is missing or wrong: {error}") from None


def _alike(a: Sequence[float], b: Sequence[float], sense: Sense) -> bool:
    return mann_whitney(a, b, sense)[1] >= ALIKE


def _share(value: float) -> str:
    if np.isnan(value):
        return "-"
    return "far" if value >= FAR else f"{round(100 * value, 1) + 0.0:.1f}%"


def _markdown(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table whose first columns are ranged left."""
    head, *rest = rows
    rule = "|".join(["---"] * left + ["---:"] * (len(head) - left))
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rest)])
