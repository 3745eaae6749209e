"""Text for people: tables, and values that a notebook shows as the text that they print."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


class Printed:
    """Has a ``__str__`` that is worth showing.

    >>> class Note(Printed):
    ...     def __str__(self): return "a < b"
    >>> "a &lt; b</pre>" in Note()._repr_html_()
    True
    """

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        style = "font:12px/1.4 ui-monospace,monospace;background:none;color:inherit;border:0;padding:0"
        return f'<pre style="{style}">{escape(str(self))}</pre>'


def as_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts in columns, the first one to the left.

    >>> print(as_table([["search", "best"], ["flat", "9"]]))
    search  best
    flat       9
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)
