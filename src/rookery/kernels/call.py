"""A call of a kernel: what a task asks of a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rookery.compiler.specialise import Specialisation

Kernel = tuple[str, Callable[[Specialisation], Any]]
"""The name of a kernel in the cache, and the function that makes it for a problem."""
Found = tuple[float, Any, Any]
"""What a kernel has found: score, moves without the fixed ones, codes (may be empty)."""


@dataclass(frozen=True)
class Call:
    """A call of a kernel, which returns a status.

    Parameters
    ----------
    arguments
        what it is given
    found
        what it has found, read from memory after the call
    again
        plays what went wrong again, interpreted, to find the line: given a :class:`rookery.engine.rerun.Rerun`; by
        default nothing is played, and no line found
    start
        the search begins from ``states[start]``
    """

    kernel: Kernel
    arguments: tuple[Any, ...]
    found: Callable[[], Any]
    again: Callable[[Any], Any] = lambda by: None
    start: int = 0
