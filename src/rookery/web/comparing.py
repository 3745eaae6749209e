"""Several runs side by side: grouped by what was searched and how, as an experiment is."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.web.folder import Folder
from rookery.web.stories import Readers, result_of

MOST_RUNS = 500
"""The most runs that are compared at once."""
POINTS = 200
"""How many times of a timeline are shown."""
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def compared(folder: Folder, readers: Readers, names: Sequence[str], by: str) -> dict[str, Any]:
    """Runs compared: medians with the middle half of the runs, five numbers for a box, and pairs by Mann-Whitney.

    ``names`` are files, each with or without ``#`` and the name of a run in it; the file ``experiment.json`` stands for
    all runs beside it, and a journal of several runs for all of them.
    """
    if by not in ("time", "playouts"):
        raise rk.InputError(f"by must be time or playouts, got {by[:20]!r}")
    results = _results(folder, readers, names)
    told = _told([result.search for result in results])
    problems: dict[str, dict[str, list[rk.Result]]] = {}
    for result in results:
        problems.setdefault(_problem(result), {}).setdefault(_search(result, told), []).append(result)
    return {"problems": [_of_problem(problem, searches, by) for problem, searches in problems.items()], "by": by}


def _results(folder: Folder, readers: Readers, names: Sequence[str]) -> list[rk.Result]:
    found: list[rk.Result] = []
    for name in names:
        file, _, run = name.partition("#")
        path = folder.find(file)
        for one, label in _files(readers, path, run):
            result = result_of(readers, one, label)
            if result is not None and math.isfinite(result.score):
                found.append(result)
            if len(found) > MOST_RUNS:
                raise rk.InputError(f"at most {MOST_RUNS} runs can be compared at once")
    if not found:
        raise rk.InputError("none of these has a result yet")
    return found


def _files(readers: Readers, path: Path, run: str) -> list[tuple[Path, str | None]]:
    if path.name == "experiment.json":
        return [
            (file, None) for file in sorted(path.parent.glob("*.run.json"))[: MOST_RUNS + 1] if not file.is_symlink()
        ]
    with path.open("rb") as file:
        is_journal = file.read(64).lstrip().startswith(b'{"event"')
    if is_journal and not run:
        return [(path, one) for one in readers.read(path, lambda reader: list(reader.runs))[: MOST_RUNS + 1]]
    return [(path, run or None)]


def _of_problem(problem: str, searches: dict[str, list[rk.Result]], by: str) -> dict[str, Any]:
    first = next(iter(searches.values()))[0]
    sense: Any = "min" if _is_minimised(first) else "max"
    seeds = tuple(dict.fromkeys(run.seed for runs in searches.values() for run in runs))
    runs = {name: tuple(found) for name, found in searches.items()}
    done = rk.Experiment(runs, sense, rk.Stop(), seeds)
    return {
        "problem": problem,
        "sense": sense,
        "searches": [_of_search(done, name, by) for name in runs],
        "pairs": _pairs(done),
    }


def _of_search(done: rk.Experiment, name: str, by: Any) -> dict[str, Any]:
    line = done.timeline(name, by=by)
    chosen = sorted({round(k * (len(line.times) - 1) / POINTS) for k in range(POINTS + 1)})
    bands = {share: line.quantile(share) for share in (0.25, 0.5, 0.75)}
    rows = [[float(line.times[k]), *(_known(bands[share][k]) for share in bands)] for k in chosen]
    scores = [run.score for run in done.runs[name]]
    box = [_known(done.quantile(name, share)) for share in QUARTERS]
    return {"name": name, "runs": len(scores), "scores": scores, "box": box, "timeline": rows}


def _pairs(done: rk.Experiment) -> Any:
    """The table of comparisons; in words why there is none."""
    if len(done.runs) < 2:
        return []
    try:
        found = done.comparisons().values()
    except rk.InputError as error:
        return str(error)
    return [{"a": p.a, "b": p.b, "u": p.u, "effect": p.effect, "p": p.p, "p_holm": p.p_holm} for p in found]


def _is_minimised(result: rk.Result) -> bool:
    """Whether less is better, as the history of the run shows."""
    history = [improvement.score for improvement in result.history]
    return len(history) > 1 and history[-1] < history[0]


def _problem(result: rk.Result) -> str:
    given = ", ".join(f"{name}={str(value)[:40]}" for name, value in result.parameters.items() if value is not None)
    return f"{result.problem}({given})"


def _told(searches: Sequence[Mapping[str, Any]]) -> set[tuple[Any, str]]:
    """The parameters by which searches of one algorithm are told apart: those in which they differ."""
    values: dict[tuple[Any, str], set[str]] = {}
    for search in searches:
        for name, value in search.items():
            values.setdefault((str(search.get("algorithm")), name), set()).add(json.dumps(value, default=str))
    return {key for key, several in values.items() if len(several) > 1}


def _search(result: rk.Result, told: set[tuple[Any, str]]) -> str:
    algorithm = str(result.search.get("algorithm"))
    given = {name: value for name, value in result.search.items() if (algorithm, name) in told}
    said = ", ".join(f"{name}={json.dumps(value, default=str)}" for name, value in given.items())
    return f"{algorithm}({said})" if said else algorithm


def _known(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
