"""A progress bar in a notebook, updated in place."""

from __future__ import annotations

import importlib
import sys
import time
from html import escape
from typing import Any

SECONDS = 0.2
"""Seconds between two updates: a page is slower than a terminal."""


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook; IPython is not imported to find out.

    >>> in_notebook()
    False
    """
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return any(cls.__name__ == "ZMQInteractiveShell" for cls in type(shell).__mro__)


class NotebookBar:
    """One output that shows a bar and a line of text."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._shown = float("-inf")

    def show(self, text: str, share: float | None) -> None:
        """Update it, unless that was done a moment ago; ``share`` is None if no end is known."""
        now = time.monotonic()
        if now - self._shown >= SECONDS:
            self._shown = now
            self._display(bar_html(text, share))

    def close(self) -> None:
        """Remove it."""
        if self._handle is not None:
            self._display("")
            self._handle = None

    def _display(self, html: str) -> None:
        ipython: Any = importlib.import_module("IPython.display")
        if self._handle is None:
            self._handle = ipython.display(ipython.HTML(html), display_id=True)
        else:
            self._handle.update(ipython.HTML(html))


def bar_html(text: str, share: float | None) -> str:
    """The bar as HTML.

    >>> bar_html("best < 5", 0.25)
    '<progress max="1" value="0.25" style="vertical-align:middle"></progress> <code>best &lt; 5</code>'
    """
    value = "" if share is None else f' value="{min(1.0, max(0.0, share)):g}"'
    return f'<progress max="1"{value} style="vertical-align:middle"></progress> <code>{escape(text)}</code>'
