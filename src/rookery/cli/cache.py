"""``rookery cache``: what compiled code is kept on disk, and a way to remove it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import options as o

Clear = Annotated[bool, typer.Option("--clear", help="Remove all entries.")]


def cache(clear: Clear = False, as_json: o.Json = False) -> int:
    """Show the folder of compiled code (its entries, their size, the limit), or empty it."""
    folder = rk.tools.cache_folder()
    if clear:
        removed = rk.tools.clear_cache()
        total = sum(entry.bytes for entry in removed)
        if as_json:
            print(json.dumps({"folder": str(folder), "removed": len(removed), "bytes": total}))
        else:
            print(f"removed {o.counted(len(removed), 'entry', 'entries')}, {size(total)}, from {folder}")
        return 0
    entries = rk.tools.cache_contents()
    kernels = by_kernel(entries)
    total = sum(entry.bytes for entry in entries)
    limit = rk.tools.cache_limit()
    if as_json:
        found = {"folder": str(folder), "entries": len(entries), "bytes": total, "limit": limit, "kernels": kernels}
        print(json.dumps(found))
        return 0
    beyond = "beyond it the entries used longest ago are removed"
    about = [("folder", str(folder)), ("entries", f"{len(entries):,}"), ("size", size(total))]
    print(o.rows([*about, ("limit", f"{size(limit)}; {beyond}")]))
    if kernels:
        print(f"\n{table(kernels)}")
    return 0


def by_kernel(entries: Iterable[rk.tools.CacheEntry]) -> list[dict[str, Any]]:
    """The entries of each problem and kernel together.

    >>> by_kernel([])
    []
    """

    def kind(entry: rk.tools.CacheEntry) -> tuple[str, str]:
        return entry.problem, entry.kernel

    rows = []
    for (problem, kernel), group in groupby(sorted(entries, key=kind), key=kind):
        alike = list(group)
        used = max(entry.last_used for entry in alike).astimezone()
        row = {"problem": problem, "kernel": kernel, "entries": len(alike), "bytes": sum(e.bytes for e in alike)}
        rows.append({**row, "last_used": used.isoformat(timespec="seconds")})
    return rows


def table(kernels: list[dict[str, Any]]) -> str:
    """The rows of :func:`by_kernel` in columns.

    >>> row = {"problem": "TSP", "kernel": "nrpa", "entries": 2, "bytes": 2048, "last_used": "2026-01-02T03:04:05"}
    >>> print(table([row]))
    problem   kernel    entries      size  last used
    TSP       nrpa            2      2 kB  2026-01-02 03:04
    """
    wide = max(9, *(len(row["problem"]) + 1 for row in kernels))
    lines = [f"{'problem':<{wide}} {'kernel':<9} {'entries':>7} {'size':>9}  last used"]
    for row in kernels:
        used = row["last_used"][:16].replace("T", " ")
        about = f"{row['kernel']:<9} {row['entries']:>7,} {size(row['bytes']):>9}  {used}"
        lines.append(f"{row['problem'] or '-':<{wide}} {about}")
    return "\n".join(lines)


def size(n: int) -> str:
    """Bytes as people write them.

    >>> size(0), size(2048), size(512 * 1024 * 1024)
    ('0 bytes', '2 kB', '512 MB')
    """
    if n < 1024:
        return f"{n} bytes"
    amount, unit = n / 1024, "kB"
    for larger in ("MB", "GB"):
        if amount >= 1024:
            amount, unit = amount / 1024, larger
    return f"{amount:,.1f}".removesuffix(".0") + f" {unit}"
