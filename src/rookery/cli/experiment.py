"""``rookery experiment``: problems, searches and seeds from a file."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o
from rookery.cli import running as r

KEYS = {"time", "playouts", "seeds", "restarts", "problems", "searches"}


def experiment(
    file: str = o.argument("FILE", "A TOML file: time or playouts, seeds, [problems.NAME] and [searches.NAME]."),
    out: o.Text = o.option("DIR", "A folder for the runs; those in it are not repeated [default: FILE without .toml]"),
    workers: o.Text = o.option("N", "Runs at the same time [default: 1; all there are, unless they are threads]"),
    executor: str = o.option(
        "NAME", "What makes runs: threads, processes, mpi or dask.", "threads", offered=completion.executors
    ),
    address: r.Address = None,
    csv: o.Text = o.option("FILE", "Write one line for each run, with commas."),
    plot: o.Text = o.option("FILE", "Draw the medians through time, as .png, .svg or .pdf."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Run each search on each problem with each seed under equal limits, and compare them.

    The file holds, for example: playouts = 10000, seeds = 10; [problems.small] with problem = "tsp" and
    parameters = {n = 20}; [searches.nrpa] with algorithm = "nrpa", level = 3. Problems and searches may be your own, as
    path/to/file.py:Class. After an interrupt the same command continues.
    """
    wanted = read(file)
    o.check_outputs(plot, csv)
    folder = Path(out) if out is not None else Path(file).with_suffix("")
    if os.path.realpath(folder) == os.path.realpath(file):
        raise rk.InputError(f"--out DIR must be given, because {o.shown(file)} does not end with .toml")
    with contextlib.redirect_stdout(sys.stderr), r.ExitSignals() as interrupts:  # what a user's code prints
        made = {name: load(name, table) for name, table in wanted["problems"].items()}
        journal = None if log is None else r.journal(log, append=True)
        try:
            study = rk.experiment(
                made,
                {name: search_of(name, table) for name, table in wanted["searches"].items()},
                stop=stop_of(wanted),
                seeds=wanted["seeds"],
                restarts=wanted["restarts"],
                workers=o.optional(o.whole, "--workers", workers),
                executor=executor,
                address=address,
                folder=folder,
                progress=not quiet,
                observers=None if journal is None else r.observers_of(journal),
            )
        except KeyboardInterrupt:
            print("rookery: interrupted before the first run was complete", file=sys.stderr)
            return interrupts.exit_code or 130
        finally:
            if journal is not None:
                journal.close()
    if csv is not None:
        rk.files.write_bytes(csv, study.csv().encode())
    if plot is not None:
        study.plot(plot)
    print(json.dumps(study.to_json()) if as_json else said(study))
    if not study.complete:
        print("rookery: runs are missing: the same command continues with them", file=sys.stderr)
        return interrupts.exit_code or 130
    return 0


def said(study: Any) -> str:
    """The table of a study, and how its searches compare."""
    pairs = study.comparisons().values() if len(study.searches) > 1 else ()
    return "\n".join([str(study), *([""] if pairs else []), *map(str, pairs)])


# --- the file ---


def read(file: str) -> dict[str, Any]:
    """What the file asks for, every part checked."""
    try:
        text = Path(file).read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise rk.InputError(f"{o.shown(file)} cannot be read as TOML: {reason}") from None
    for key in data:
        if key not in KEYS:
            raise rk.InputError(f"{file}: {o.shown(key)} is not known; there are {', '.join(sorted(KEYS))}")
    if "time" not in data and "playouts" not in data:
        raise rk.InputError(f'{file}: a limit is missing, such as time = "10s" or playouts = 10000')
    data.setdefault("seeds", 15)
    data.setdefault("restarts", True)
    if not isinstance(data["restarts"], bool):
        raise rk.InputError(f"{file}: restarts must be true or false, got {o.shown(data['restarts'])}")
    for part, word in (("problems", "problem"), ("searches", "algorithm")):
        tables = data.get(part)
        if not isinstance(tables, dict) or not tables:
            raise rk.InputError(f"{file}: a table [{part}.NAME] is missing")
        for name, table in tables.items():
            if not isinstance(table, dict) or not isinstance(table.get(word), str):
                raise rk.InputError(f'{file}: [{part}.{name}] must hold {word} = "..."')
    return data


def stop_of(wanted: Mapping[str, Any]) -> rk.Stop:
    """The limit of every run."""
    stop = rk.Stop()
    if "time" in wanted:
        stop |= rk.MaxTime(o.duration("time", str(wanted["time"])))
    if "playouts" in wanted:
        stop |= rk.MaxPlayouts(o.whole("playouts", str(wanted["playouts"])))
    return stop


def load(name: str, table: Mapping[str, Any]) -> rk.Problem | rk.PythonProblem:
    """The problem of a table."""
    parameters = table.get("parameters", {})
    unknown = set(table) - {"problem", "parameters"}
    if unknown or not isinstance(parameters, dict):
        raise rk.InputError(f"[problems.{name}] holds problem and parameters = {{...}}, and nothing else")
    return rk.load_problem(table["problem"], {key: str(value) for key, value in parameters.items()})


def search_of(name: str, table: Mapping[str, Any]) -> rk.Search:
    """The search of a table; values by level are given as {3 = 100, 2 = 50}."""
    values = {key: value for key, value in table.items() if key not in ("algorithm", "preset")}
    for key, value in values.items():
        if isinstance(value, dict):
            values[key] = {o.whole(f"the level in {key} of [searches.{name}]", level): v for level, v in value.items()}
    try:
        return rk.tools.make_search(table["algorithm"], values, table.get("preset"))
    except rk.InputError as error:
        raise rk.InputError(f"[searches.{name}]: {error}") from None
