"""The experiments of the papers, repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.papers.catalogue import paper_named as paper_named
    from rookery.papers.catalogue import paper_names as paper_names
    from rookery.papers.pages import page as page
    from rookery.papers.pages import write_page as write_page
    from rookery.papers.pictures import plot as plot
    from rookery.papers.reproduction import costs as costs
    from rookery.papers.reproduction import reproduce as reproduce
    from rookery.papers.reproductions import Reproduced as Reproduced
    from rookery.papers.reproductions import Reproduction as Reproduction
    from rookery.papers.reproductions import missing as missing

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "papers.catalogue": "paper_named paper_names",
        "papers.pages": "page write_page",
        "papers.pictures": "plot",
        "papers.reproduction": "costs reproduce",
        "papers.reproductions": "Reproduced Reproduction missing",
    },
)
