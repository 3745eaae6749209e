"""Keeps a run on disk while it goes on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rookery.callbacks import Callback
from rookery.checkpoint import Checkpoint
from rookery.errors import InputError
from rookery.files import check_writable


class CheckpointKeeper:
    """Writes a checkpoint now and then; if that fails the last one stays, and the run goes on.

    Parameters
    ----------
    about
        the checkpoint without its state
    every
        seconds of search between two of them
    """

    def __init__(
        self, path: str | os.PathLike[str], about: Checkpoint, every: float, observers: Sequence[Callback]
    ) -> None:
        self._path = path
        self._about = about
        self._every = every
        self._observers = observers
        self._last = about.seconds

    def due(self, seconds: float) -> bool:
        """Whether it is time to save."""
        return seconds - self._last >= self._every

    def save(self, state: dict[str, Any], seconds: float) -> None:
        """Write the checkpoint; a full disk is told to the observers, not to the search."""
        self._last = seconds
        try:
            replace(self._about, state=state, seconds=seconds).save(self._path)
        except InputError as error:
            for observer in self._observers:
                observer.on_warning(f"no checkpoint was written: {error}")


def check_path(path: str | os.PathLike[str]) -> None:
    """Refuse a path for new checkpoints that cannot be written, or where something is that would be lost."""
    check_writable(path)
    if not Path(path).exists() or Path(path).stat().st_size == 0:
        return
    try:
        there = Checkpoint.load(path)
    except InputError as error:
        raise InputError(f"a checkpoint would replace a file that is something else: {error}") from None
    if there.state.get("status") not in ("finished", "target"):
        advice = f"`rookery resume {path}` goes on with it; remove it to begin anew"
        raise InputError(f"{path} is the checkpoint of a run that is not finished: {advice}")
