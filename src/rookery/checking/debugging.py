"""What a search with ``debug=True`` looks at before it begins: faults that no kernel would notice."""

from __future__ import annotations

import numpy as np

from rookery.checking.catalogue import CATALOGUE
from rookery.checking.objects import ObjectWatch
from rookery.checking.origin import at_def
from rookery.checking.patience import Patience
from rookery.checking.playouts import play
from rookery.checking.records import RecordWatch
from rookery.checking.report import Finding, Log
from rookery.errors import ProblemError
from rookery.places import place_of
from rookery.problem import Problem, PythonProblem

SILENT = (
    "state-changed",
    "not-deterministic",
    "field-overflow",
    "moves-not-written",
    "moves-not-distinct",
    "count-nth-disagree",
    "choose-changes-moves",
    "writes-constants",
    "copy-shares",
)
"""Findings that change what a search does without a word; all others are told by the search itself."""
PLAYOUTS, SECONDS, PATIENCE = 16, 1.0, 60.0


def refuse_silent_faults(problem: Problem | PythonProblem) -> None:
    """Play a few playouts in plain Python, every call watched; raise a :class:`ProblemError` for the first fault.

    >>> import rookery as rk
    >>> refuse_silent_faults(rk.LeftMove(depth=6))
    """
    log, patience = Log(problem), Patience(PATIENCE)
    with patience, np.errstate(all="ignore"):
        watching = ObjectWatch if isinstance(problem, PythonProblem) else RecordWatch
        play(watching(problem, log, patience), PLAYOUTS, SECONDS, 0, log)  # type: ignore[arg-type]
    for finding in log.findings():
        if finding.name in SILENT:
            raise ProblemError(_sentence(problem, finding))


def _sentence(problem: Problem | PythonProblem, finding: Finding) -> str:
    function = finding.function.rpartition(".")[2]
    text = finding.text.replace(at_def(problem, function), "").removeprefix("it ")
    return place_of(problem, function).says(text, CATALOGUE[finding.name].advice.replace("`", ""))
