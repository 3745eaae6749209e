"""A check from its beginning to its report: the phases that problems and games have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from rookery.arguments import finite, whole
from rookery.checking.measures import Measures
from rookery.checking.origin import GlobalArrays, in_words
from rookery.checking.patience import Patience
from rookery.checking.records import FILLS, RecordCalls
from rookery.checking.report import Broken, Log, Report
from rookery.checking.watch import Watch
from rookery.errors import InputError, ProblemError
from rookery.problem import Model
from rookery.settings import INTERPRETED

PATIENCE = 6
"""A single call may take so many times the time of a check: some are only slow."""

Watching = TypeVar("Watching", bound=Watch[Any])


class Examination(ABC, Generic[Watching]):
    """A check of one problem or game; see :func:`rookery.testing.check_problem` for the parameters.

    ``tell`` is called with the name of each phase as it begins.
    """

    kind: ClassVar[str]
    """What is checked, in a word."""
    contracts: ClassVar[tuple[type, type]]
    """What it must be: compiled, or plain Python."""
    plain_share: ClassVar[float]
    """Share of the time that plain Python may take; the rest is for the comparison with compiled functions."""

    def __init__(
        self,
        of: Any,
        playouts: int,
        seconds: float,
        seed: int,
        allow: Iterable[str],
        measure: bool,
        tell: Callable[[str], None],
    ) -> None:
        if not isinstance(of, self.contracts):
            compiled, plain = (contract.__name__ for contract in self.contracts)
            raise InputError(f"{self.kind} must be a {compiled} or a {plain}, got {of!r}")
        self.playouts, self.seed = whole("playouts", playouts, 8), whole("seed", seed, 0, (1 << 64) - 1)
        if finite("seconds", seconds) <= 0:
            raise InputError(f"seconds must be more than 0, got {seconds}")
        self.of: Any = of
        self.seconds, self.tell = seconds, tell
        self.log = Log(of, allow)
        self._measure = measure

    # --- what a subclass says ---

    @abstractmethod
    def watch(self, patience: Patience) -> Watching:
        """The model under watch, if the library itself accepts what it declares."""

    @abstractmethod
    def play(self, watch: Watching, seconds: float) -> None:
        """Phase two: play it in plain Python."""

    @abstractmethod
    def compare(self, watch: Watching) -> None:
        """Phase three: compare it with compiled code; Broken if that differs."""

    @abstractmethod
    def measure(self, watch: Watching) -> Measures:
        """Phase four: time it."""

    # --- the phases ---

    def report(self) -> Report:
        """Go through all phases."""
        log = self.log
        patience = Patience(PATIENCE * self.seconds)
        with patience, np.errstate(all="ignore"):  # wrapping is meant or is found; what is not finite is found
            try:
                watch = self.watch(patience)
            except Exception as error:
                text = str(error) if isinstance(error, ProblemError) else in_words(self.of, "limits", error)
                log.add(f"bad-{self.kind}", "", text)
                return Report(log.owner, log.findings(), 0)
            self.tell("playing it in plain Python")
            measures = None
            with suppress(Broken):  # what is wrong has been noted
                if isinstance(self.of, Model):
                    self._compiled(watch)
                else:
                    self.play(watch, self.seconds)
                if self._measure and log.ok and watch.playouts:
                    self.tell("measuring")
                    measures = self.measure(watch)
            return Report(log.owner, log.findings(), len(watch.playouts), measures)

    def _compiled(self, watch: Watching) -> None:
        log, arrays = self.log, GlobalArrays(self.of)
        self.play(watch, self.plain_share * self.seconds)
        for name in arrays.changed():
            text = f"the array {name} of a module was changed by a function of the {self.kind}"
            log.add("writes-globals", "", text)
        if log.ok:
            check_start(watch.records)
        why = "NUMBA_DISABLE_JIT is set" if INTERPRETED else ""
        if not log.ok or not watch.playouts:
            why = "mend the errors above first, and check again"
        if why:
            log.add("not-compared", "", f"it was not compiled: {why}")
            raise Broken
        self.tell("compiling it with every index checked")
        self.compare(watch)


def check_start(calls: RecordCalls) -> None:
    """Note the fields that ``start`` leaves as they are, and whether it reads any before it sets it."""
    calls.path.clear()
    clean = calls.begin()
    filled = []
    for fill in FILLS:
        state = calls.states.new(fill)
        try:
            calls.raw("start", state)
        except Exception:
            calls.find("start-relies-on-zeros", "start", "on a state that is not zeroed it raises an exception")
            return
        filled.append(state)
    given = [(clean, 0), *zip(filled, FILLS, strict=True)]
    left = [name for name in calls.states.names if all(_is_kept(state[name], fill) for state, fill in given)]
    if left:
        calls.find("start-leaves-zeros", "start", f"it does not set {', '.join(left)}")
    for name in (name for name in calls.states.names if name not in left):
        for state, fill in zip(filled, FILLS, strict=True):
            other = np.asarray(state[name])
            if ((other != clean[name]) & (other != fill)).any():
                calls.find("start-relies-on-zeros", "start", f"on a state that is not zeroed it sets {name} otherwise")
                return


def _is_kept(value: Any, fill: int) -> bool:
    return bool((np.asarray(value) == fill).all())
