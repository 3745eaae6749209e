"""The experiments of the papers, repeated."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rookery.papers.agreement import PaperTable as PaperTable
    from rookery.papers.reproduction import reproduce as reproduce

_HOMES = {
    "papers.agreement": ("PaperTable",),
    "papers.reproduction": ("reproduce",),
}
"""Module -> names that are found there when they are first asked for: importing costs nothing."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"rookery.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
