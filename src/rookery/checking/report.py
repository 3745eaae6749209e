"""The report of a check: findings, measures, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rookery.checking.catalogue import Level, catalogue_of, check_names
from rookery.drawing.printed import Printed
from rookery.errors import ProblemError

if TYPE_CHECKING:
    from rookery.checking.measures import Measures

MOVES_SHOWN = 30


class CheckError(ProblemError, AssertionError):
    """A problem that does not pass its check; the text lists every error.

    >>> issubclass(CheckError, AssertionError)
    True
    """


class Broken(Exception):
    """A playout cannot continue; what is wrong has been noted."""


class Stuck(Exception):
    """A function that has not returned for too long."""

    def __str__(self) -> str:
        return "it did not return for a long time"


@dataclass(frozen=True)
class Finding:
    """One thing that a check found.

    Parameters
    ----------
    name
        what kind of thing, in a word: ``"codes-not-distinct"``
    level
        ``"error"``, ``"warning"`` or ``"note"``
    function
        where, as in ``"TSP.code"``; empty if it is about the problem as a whole
    text
        one sentence, with the values
    playout
        the moves that lead there

    >>> print(Finding("too-long", "error", "", "a playout has 51 moves", (3, 1)))
    error: too-long
        a playout has 51 moves
        after the moves 3, 1
    """

    name: str
    level: Level
    function: str
    text: str
    playout: tuple[Any, ...] = ()

    def __str__(self) -> str:
        place = f" in {self.function}" if self.function else ""
        lines = [f"{self.level}: {self.name}{place}", f"    {self.text}"]
        if self.playout:
            shown = ", ".join(map(str, self.playout[:MOVES_SHOWN]))
            more = len(self.playout) - MOVES_SHOWN
            lines.append(f"    after the moves {shown}" + (f", ... ({more} more)" if more > 0 else ""))
        return "\n".join(lines)


@dataclass(frozen=True)
class Report(Printed):
    """The report of a check; ``print`` it, or ask whether it is ``ok``.

    >>> report = Report("TSP", (), 200)
    >>> report.ok
    True
    >>> print(report)
    TSP keeps its contract: nothing was found in 200 playouts
    """

    problem: str
    findings: tuple[Finding, ...]
    playouts: int
    measures: Measures | None = None

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return tuple(finding for finding in self.findings if finding.level == "error")

    def named(self, name: str) -> tuple[Finding, ...]:
        """The findings of a name.

        >>> Report("TSP", (), 200).named("too-long")
        ()
        """
        return tuple(finding for finding in self.findings if finding.name == name)

    @property
    def verdict(self) -> str:
        """The report on one line."""
        levels = [finding.level for finding in self.findings]
        counts = [
            f"{n} {level}{'s' if n > 1 else ''}" for level in ("error", "warning", "note") if (n := levels.count(level))
        ]
        found = ", ".join(counts) if counts else "nothing was found"
        does = "keeps" if self.ok else "breaks"
        return f"{self.problem} {does} its contract: {found} in {self.playouts} playouts"

    def __str__(self) -> str:
        parts = [self.verdict, *map(str, self.findings)]
        if self.measures is not None:
            parts.append(str(self.measures))
        return "\n\n".join(parts)

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON object.

        >>> Report("TSP", (), 200).to_json()["ok"]
        True
        """
        return {
            "problem": self.problem,
            "ok": self.ok,
            "playouts": self.playouts,
            "findings": [{**asdict(f), "playout": [_plain(move) for move in f.playout]} for f in self.findings],
            "measures": None if self.measures is None else self.measures.to_json(),
        }

    def raise_errors(self) -> None:
        """Raise a :class:`CheckError` that lists the errors, if there are any.

        >>> Report("TSP", (), 200).raise_errors()
        """
        if not self.ok:
            raise CheckError("\n\n".join([self.verdict, *map(str, self.errors)]))


class Log:
    """Findings as they are made: for each name and function, the one with the shortest playout.

    >>> import rookery as rk
    >>> log = Log(rk.problems.LeftMove(depth=3))
    >>> log.add("too-long", "", "a playout has 51 moves")
    >>> log.ok, log.count("too-long")
    (False, 1)
    """

    def __init__(self, model: Any, allow: Iterable[str] = ()) -> None:
        self.owner = type(model).__name__
        self._catalogue = catalogue_of(model)
        self._allow = check_names(allow, self._catalogue)
        self._found: dict[tuple[str, str], Finding] = {}
        self._silent = False

    def add(self, name: str, function: str, text: str, playout: Sequence[Any] = (), level: Level | None = None) -> None:
        """Note a finding; ``function`` is the name of a method of the problem or the game, or empty."""
        if self._silent:
            return
        level = level or self._catalogue[name].level
        if name in self._allow:
            level = "warning"
        where = f"{self.owner}.{function}" if function else ""
        old = self._found.get((name, where))
        if old is None or len(playout) < len(old.playout):
            self._found[name, where] = Finding(name, level, where, text, tuple(playout))

    @contextmanager
    def silent(self) -> Iterator[None]:
        """While in this context nothing is noted."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def count(self, name: str = "") -> int:
        """How many findings there are, of a name or in all."""
        return sum(1 for finding in self._found.values() if name in ("", finding.name))

    @property
    def ok(self) -> bool:
        """Whether there are no errors so far."""
        return all(finding.level != "error" for finding in self._found.values())

    def findings(self) -> tuple[Finding, ...]:
        """All of them, the most serious first."""
        rank = {"error": 0, "warning": 1, "note": 2}
        return tuple(sorted(self._found.values(), key=lambda finding: rank[finding.level]))


def _plain(move: Any) -> Any:
    """A move as JSON stores it."""
    return move if isinstance(move, (bool, int, float, str)) or move is None else repr(move)
