"""A run as Jupyter and marimo show it: the best so far, drawn while the search goes on, and a button that stops it.

What comes from a problem (names, scores, drawings) is shown as text, and its picture as an image: none of it is run.
"""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from rookery.loading.kinds import name_of
from rookery.running.following import Following
from rookery.running.progress import elapsed
from rookery.running.result import STATUSES, Result
from rookery.running.result_html import called
from rookery.running.result_text import Hooks
from rookery.user_code import describe_exception

if TYPE_CHECKING:
    from rookery.running.background import BackgroundRun

SECONDS = 0.3
"""Between two looks at the run."""
SHARE = 0.05
"""The most of the time that is spent on drawings while the search goes on: they take it from the search."""
FILES = Path(__file__).parent


class RunWidget(anywidget.AnyWidget):
    """The view of a run in the background; :meth:`rookery.BackgroundRun.widget` makes it.

    ``shown`` is what the view says in words, and ``picture`` the best so far as SVG.
    """

    _esm = (FILES / "widget.js").read_text(encoding="utf-8")
    _css = (FILES / "widget.css").read_text(encoding="utf-8")
    shown = traitlets.Dict().tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)

    def __init__(self, run: BackgroundRun, following: Following, outcome: Future[Result]) -> None:
        self._run: BackgroundRun | None = run  # which goes on as long as it is shown
        self._problem, self._search, self._following, self._outcome = run.problem, run.search, following, outcome
        self._name = called(name_of(run.problem), run.problem.parameters())
        self._drawn: Result | None = None
        self._drawing = ""
        self._notes: list[str] = []
        self._next = 0.0  # when the next drawing may begin
        super().__init__(shown=self._words())
        self.on_msg(self._heard)
        self._update(last=True)
        threading.Thread(target=self._follow, name="rookery-widget", daemon=True).start()

    def _follow(self) -> None:
        """Keep the view up to date until the run ends, or the view is gone."""
        ended = False
        while not ended and self._is_open():
            ended = bool(wait([self._outcome], SECONDS).done)
            self._update(ended)
        self._run = None

    def _is_open(self) -> bool:
        """Whether anybody can see it: marimo closes what connects it to the page when its cell is run again."""
        return self.comm is not None and not getattr(self.comm, "_closed", False)

    def _update(self, last: bool) -> None:
        self._draw(last)
        self.shown = self._words()

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """What the view sends: its button was pressed."""
        if content == "stop":
            self._following.stop()

    def _words(self) -> dict[str, Any]:
        status, best, progress = self._following.status, self._following.best, self._following.progress
        hooks = Hooks(self._problem)
        parts = [] if progress is None else [*progress.parts(self._problem, self._search), elapsed(progress.seconds)]
        error = self._outcome.exception() if self._outcome.done() else None
        return {
            "problem": self._name,
            "running": not self._outcome.done(),
            "status": "running" if status == "running" else STATUSES.get(status, status),
            "score": "" if best is None or math.isnan(best.score) else hooks.score(best.score),
            "sense": hooks.sense,
            "progress": " | ".join(parts),
            "drawing": self._drawing,
            "notes": [*self._notes, *([] if error is None else [describe_exception(error)])],
        }

    def _draw(self, last: bool) -> None:
        """Draw the best so far if it is new, and if drawing has not taken too much time yet."""
        best, began = self._following.best, time.monotonic()
        if best is None or best is self._drawn or (began < self._next and not last):
            return
        hooks = Hooks(self._problem)
        self.picture = hooks.picture(best)
        self._drawing = "" if self.picture else hooks.drawing(best.moves)
        self._drawn, self._notes = best, hooks.notes
        self._next = time.monotonic() + (time.monotonic() - began) / SHARE
