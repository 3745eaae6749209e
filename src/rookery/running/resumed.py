"""What a checkpoint holds, rebuilt: the problem, the search, the limits of its run."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rookery.arguments import MOST_LEVEL
from rookery.errors import InputError
from rookery.loading.kinds import PROBLEM
from rookery.loading.loading import load_problem
from rookery.loading.modules import is_unchanged, naming
from rookery.loading.searches import known_search
from rookery.plans.pool import Keeping
from rookery.plans.risks import SELECTS
from rookery.plans.stored import Part
from rookery.problem import Problem, PythonProblem
from rookery.running.checkpoint import Checkpoint
from rookery.search.protocol import Search
from rookery.stop import Stop


def checkpoint_problem(
    saved: Checkpoint,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    path: str | os.PathLike[str] = "FILE",
) -> Problem | PythonProblem:
    """The problem of a checkpoint, rebuilt from its name and parameters, or from others that are given.

    A user's own problem is made by running its file, if that is what it was when the run began; else it must be
    given. ``path`` is where the checkpoint is.

    >>> checkpoint_problem(Checkpoint("0.1.0", "leftmove", {"depth": 9}, "", {}, 1, {}, {}, 0.0, 0.0, {}))
    LeftMove(depth=9)
    """
    if name is None and PROBLEM.find_known(saved.problem) is None:
        mark = saved.options.get("source")
        if not is_unchanged(saved.problem, mark if isinstance(mark, str) else ""):
            advice = naming(f"rookery resume {shlex.quote(str(path))}", saved.problem)
            what = f"cannot go on with a run of {saved.problem}: it is not the file that it was"
            raise InputError(f"{what}, and {advice}")
    try:
        return load_problem(saved.problem if name is None else name, parameters or saved.parameters)
    except InputError as error:
        raise InputError(f"cannot go on with a run of {saved.problem}: {error}") from None


def checkpoint_options(saved: Checkpoint, path: str | os.PathLike[str]) -> dict[str, Any]:
    """How the run was started, every option checked."""
    options = Part("options", {"source": "", "keep": 0, "differ": 0.1, **saved.options})
    try:
        options.has("restarts", "prefix", "policy", "atomic_level", "select", "debug", "source", "keep", "differ")
        if not (options["restarts"].is_none or isinstance(options["restarts"].value, bool)):
            options["restarts"].whole(1)
        options["prefix"].moves()
        options["policy"].policy()
        if not options["atomic_level"].is_none:
            options["atomic_level"].whole(1, MOST_LEVEL)
        options["select"].one_of(SELECTS)
        options["debug"].flag()
        options["source"].need(isinstance(options["source"].value, str), "a text")
        Keeping(options["keep"].value, options["differ"].value)
    except InputError as error:
        raise InputError(f"{path} is damaged: {error}") from None
    values: dict[str, Any] = options.value
    return values


def checkpoint_search(saved: Checkpoint, path: str | os.PathLike[str], given: type[Search] | None = None) -> Search:
    """The search of a checkpoint; a user's own class must be given, because no file may name code to run."""
    values = {name: value for name, value in saved.search.items() if name != "algorithm"}
    algorithm = saved.search.get("algorithm")
    cls = given or known_search(algorithm)
    if cls is None and isinstance(algorithm, str) and ":" in algorithm:
        advice = f"`--algorithm {algorithm}` on the command line, search={algorithm.rpartition(':')[2]} in Python"
        raise InputError(f"{path} is a run of the search {algorithm}, which must be given again: {advice}")
    try:
        for name, value in values.items():
            if isinstance(value, Mapping):
                values[name] = {int(level): item for level, item in value.items()}
        search = cls(**values)  # type: ignore[misc]
    except (KeyError, TypeError, ValueError):
        if given is not None:
            fits = f"{given.__name__} cannot be made of its parameters"
            raise InputError(f"{path} is a run of the search {algorithm}: {fits}") from None
        raise InputError(f"{path} holds a search that this version does not know: {saved.search}") from None
    made = search.parameters()["algorithm"]
    if given is not None and known_search(algorithm) is not None and known_search(algorithm) is not given:
        raise InputError(f"{path} is a run of the search {algorithm}, not of {made}")
    if isinstance(algorithm, str) and made != algorithm and given is not None:
        object.__setattr__(search, "_loaded_as", algorithm)
    return search


def checkpoint_stop(saved: Checkpoint, path: str | os.PathLike[str]) -> Stop:
    """The limits of the run."""
    known = {item.name for item in fields(Stop)}
    if not set(saved.stop) <= known or saved.stop.get("when") is not None:  # no file holds a function
        raise InputError(f"{path} holds limits that this version does not know: {saved.stop}")
    try:
        return Stop(**saved.stop)
    except InputError as error:
        raise InputError(f"{path} is damaged: {error}") from None
