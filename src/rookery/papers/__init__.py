"""The experiments of the papers, repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.papers.agreement import PaperTable as PaperTable
    from rookery.papers.reproduction import reproduce as reproduce

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "papers.agreement": "PaperTable",
        "papers.reproduction": "reproduce",
    },
)
