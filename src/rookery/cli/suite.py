"""``rookery bench --suite``: all searches on a suite of problems, at equal time."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli.running import ExitSignals, journal, observers_of

SUITES = {"power": rk.tools.power_suite}
ABOUT = """# What each search is worth

`rookery bench --suite power` runs every search on ten problems for the same time, each on one core, and says how far
the median of its runs is from the best score that anybody knows. Searches that end are restarted until the time is up.
A star marks the best median of a row, and "=" runs that a two-sided Mann-Whitney test does not tell from those at the
level of 5%: with few runs, many are tied. The first table has names of searches, the best median first, then those that
are tied with it; what it says about kinds of problems rests on one instance each.

This page is made by `{command}`."""


def suite(
    name: str,
    more: Sequence[str],
    workers: int,
    as_json: bool,
    *,
    seconds: str | None,
    seeds: str | None,
    data: str | None,
    out: str | None,
    csv: str | None,
    plot: str | None,
    page: str | None,
    executor: str | None,
    address: str | None,
    log: str | None,
    searches: str | None,
    problems: str | None,
    kept: str | None,
) -> int:
    """Run a suite, and print and write what it came to; ``more`` are further numbers of seconds."""
    if name not in SUITES:
        raise rk.InputError(f"--suite must be {' or '.join(SUITES)}, got {o.shown(name)}")
    limits = [o.duration("--seconds", text) for text in [seconds or "10", *more]]
    count = o.whole("--seeds", seeds or "5")
    o.check_outputs(plot, csv, page)
    chosen = SUITES[name](data)
    before = None if kept is None else rk.tools.Judgement.load(kept)
    lines = None if log is None else journal(log, append=True)
    how: dict[str, Any] = {"workers": workers, "executor": executor or "threads", "address": address}
    how |= {"only": None if searches is None else searches.split(",")}
    how |= {"on": None if problems is None else problems.split(","), "kept": before}
    how["observers"] = None if lines is None else observers_of(lines)
    with contextlib.redirect_stdout(sys.stderr), ExitSignals() as interrupts:
        try:
            judged = chosen.run(limits, count, folder=out or f"{name}-suite", progress=True, **how)
        except KeyboardInterrupt:
            print("rookery: interrupted before the first run was complete", file=sys.stderr)
            return interrupts.exit_code or 130
        finally:
            if lines is not None:
                lines.close()
    if csv is not None:
        rk.files.write_bytes(csv, judged.csv().encode())
    if plot is not None:
        judged.plot(plot)
    if page is not None:
        picture = None if plot is None else os.path.relpath(plot, os.path.dirname(page) or ".")
        rk.files.write_bytes(page, judged.page(about(name, limits, count, data is not None, picture)).encode())
    print(json.dumps(judged.to_json()) if as_json else judged)
    if not judged.complete:
        print("rookery: runs are missing: the same command continues with them", file=sys.stderr)
        return interrupts.exit_code or 130
    return 0


def about(name: str, seconds: Sequence[float], seeds: int, standard: bool, picture: str | None = None) -> str:
    """The beginning of the page; ``standard``: with standard instances.

    >>> print(about("power", [10.0, 60.0], 5, True).splitlines()[-1])
    This page is made by `rookery bench --suite power --seconds 10 60 --seeds 5 --data DIR --page FILE`.
    """
    words = ["rookery bench --suite", name, "--seconds", *(f"{value:g}" for value in seconds), "--seeds", str(seeds)]
    words += ["--data DIR"] * standard + ["--page FILE"] + ["--plot FILE"] * (picture is not None)
    told = ABOUT.format(command=" ".join(words))
    return told if picture is None else f"{told}\n\n![Distances to the best known scores]({picture})"
