"""What runs, matches and distributions tell Python's ``logging``, under the name ``rookery``."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from rookery.running.callbacks import Callback

LOGGER = logging.getLogger("rookery")
LOGGER.addHandler(logging.NullHandler())  # nothing is printed unless the program asks for it


class LogObserver(Callback):
    """Begin and end at INFO, improvements and games at DEBUG, what went wrong without stopping the run at WARNING.

    >>> import rookery as rk
    >>> with_logs = observed([])
    >>> isinstance(with_logs[0], LogObserver)
    True
    """

    def __init__(self) -> None:
        self._name = ""

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The run begins."""
        self._name = type(problem).__name__
        LOGGER.info("%s: %s begins, seed %s", self._name, search, seed)

    def on_best(self, progress: Any, moves: Sequence[Any]) -> None:
        """A better score."""
        LOGGER.debug("%s: best %s after %s playouts", self._name, progress.score, progress.playouts)

    def on_game(self, played: Any, progress: Any) -> None:
        """A game."""
        LOGGER.debug("%s: game %s, winner %s", self._name, played.number, played.winner)

    def on_warning(self, text: str) -> None:
        """Something went wrong."""
        LOGGER.warning("%s", text)

    def on_end(self, result: Any) -> None:
        """The run is over."""
        if hasattr(result, "score"):
            what = f"score {result.score:g}"
        else:
            what = f"{result.wins_a} : {result.wins_b}" if hasattr(result, "wins_a") else f"mean {result.mean:g}"
        LOGGER.info("%s: %s, %s after %.2f s", self._name, what, result.status, result.seconds)


def observed(callbacks: Sequence[Callback]) -> list[Callback]:
    """Observers, with the one for ``logging`` if anybody may be listening."""
    return [*callbacks, LogObserver()] if LOGGER.isEnabledFor(logging.WARNING) else list(callbacks)
