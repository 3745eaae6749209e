"""A run in the background: a handle for whoever started it."""

from __future__ import annotations

import importlib.util
import threading
import weakref
from concurrent.futures import Future
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from rookery.arguments import finite
from rookery.errors import InputError
from rookery.running.callbacks import Progress
from rookery.running.following import Following
from rookery.running.notebook import in_notebook
from rookery.running.progress import elapsed
from rookery.running.result import Result
from rookery.running.run import Run, execute

if TYPE_CHECKING:
    from rookery.running.widget import RunWidget


class BackgroundRun:
    """A run that goes on while your program does: what ``solve(..., background=True)`` returns.

    It ends as any other run does, by :meth:`stop`, and when the program ends. Keep the handle: when nobody holds it
    any more, and no view shows it, the run is stopped too. In a notebook it is shown as a picture that follows the
    search, with a button that stops it, if anywidget is installed.

    >>> import rookery as rk
    >>> run = rk.solve(rk.problems.LeftMove(depth=8), rk.NMCS(level=2), seed=1, background=True)
    >>> run.result().score, run.done, run.status
    (8.0, True, 'finished')
    """

    def __init__(self, run: Run, held: ExitStack) -> None:
        self.problem, self.search, self.seed = run.problem, run.search, run.seed
        self._following = Following()
        self._outcome: Future[Result] = Future()
        arguments = (run, held, self._following, self._outcome)  # not this handle: it may go before the run does
        self._thread = threading.Thread(target=_compute, args=arguments, name="rookery-run", daemon=False)
        try:
            self._thread.start()
        except BaseException:
            held.close()
            raise
        weakref.finalize(self, self._following.stop).atexit = False

    @property
    def done(self) -> bool:
        """Whether the run has ended, in whatever way."""
        return self._outcome.done()

    @property
    def status(self) -> str:
        """``"starting"`` while it compiles, then ``"running"``; in the end as in the result, or ``"failed"``."""
        return self._following.status

    @property
    def progress(self) -> Progress | None:
        """Where the run stands; None before the search begins."""
        return self._following.progress

    @property
    def best(self) -> Result | None:
        """The best so far, with the status ``"running"``; in the end the result. None before anything is found."""
        return self._following.best

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end and return the result, or raise what ended the run.

        After ``timeout`` seconds TimeoutError is raised, and the run goes on; so it does if Ctrl-C ends the wait.
        """
        if timeout is not None and finite("timeout", timeout) < 0:
            raise InputError(f"timeout must be at least 0 seconds, got {timeout}")
        if threading.current_thread() is self._thread:
            raise InputError("a callback cannot wait for the end of its own run")
        try:
            return self._outcome.result(timeout)
        except TimeoutError:
            if self.done:  # the run's own
                raise
            raise TimeoutError(f"the run has not ended within {timeout:g} s: {self!r}") from None

    def stop(self) -> Result:
        """Stop the run and return its result, the best so far; a run that has ended already is left as it is.

        Before the first playout is finished there is nothing to return, and InputError is raised.
        """
        self._following.stop()
        return self.result()

    def widget(self) -> RunWidget:
        """A view of the run for Jupyter and marimo that changes while it goes on (needs anywidget)."""
        if importlib.util.find_spec("anywidget") is None:
            raise InputError("a widget needs anywidget: pip install anywidget")
        from rookery.running.widget import RunWidget

        return RunWidget(self, self._following, self._outcome)

    def __repr__(self) -> str:
        progress = self.progress
        parts = [] if progress is None else [*progress.parts(self.problem, self.search), elapsed(progress.seconds)]
        return f"<BackgroundRun of {type(self.problem).__name__}: {' | '.join([self.status, *parts])}>"

    def _repr_mimebundle_(self, **limits: Any) -> dict[str, Any] | None:
        """What Jupyter shows: the widget if it can, else what is printed."""
        if not in_notebook() or importlib.util.find_spec("anywidget") is None:
            return None
        bundle, _ = self.widget()._repr_mimebundle_() or ({}, {})
        return {**bundle, "text/plain": repr(self)}

    def _display_(self) -> Any:
        """What marimo shows."""
        return repr(self) if importlib.util.find_spec("anywidget") is None else self.widget()


def _compute(run: Run, held: ExitStack, following: Following, outcome: Future[Result]) -> None:
    """Make the run, in a thread of its own; ``held`` is closed when it is over."""
    try:
        with held:
            result = execute(run, following)
    except KeyboardInterrupt:
        following.end("interrupted", None)
        outcome.set_exception(InputError("the search was stopped before its first playout was finished"))
    except BaseException as error:  # also what is not an Exception: a user's code may call sys.exit
        following.end("failed", getattr(error, "best_so_far", None))
        outcome.set_exception(error)
    else:
        following.end(result.status, result)
        outcome.set_result(result)
