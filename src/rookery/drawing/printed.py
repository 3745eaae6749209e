"""Makes a notebook show a value as the text that it prints."""

from __future__ import annotations

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
