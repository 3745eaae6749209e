"""Figures by matplotlib, which need not be installed."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.disk import write_bytes
from rookery.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure of so many inches, without pyplot: no window, no global state.

    >>> new_figure((7, 4)).axes
    []
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError('a plot needs matplotlib: pip install "rookery[experiment]"') from None
    return Figure(figsize=size, dpi=150, layout="constrained")


def write_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure in the format that the name ends with; the same figure gives the same file."""
    from matplotlib import rc_context

    form = Path(path).suffix.lower().lstrip(".")
    known = figure.canvas.get_supported_filetypes()
    if form not in known:
        raise InputError(f"a plot must be written as {', '.join(sorted(known))}, got {os.fspath(path)!r}")
    picture = io.BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "rookery"}):
        figure.savefig(picture, format=form, metadata=undated.get(form))
    write_bytes(path, picture.getvalue())
