"""What a shell offers when the Tab key is pressed: names, and parameters with their defaults. No file is run for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

import rookery as rk

Offered = list[tuple[str, str]]
"""What may be typed, each with a description."""

WIDTH = 60
"""The most characters of a description."""
EXECUTORS = {"threads": "of this process", "processes": "of this machine", "mpi": "of MPI", "dask": "of Dask"}


def problems(incomplete: str) -> Offered:
    """The problems that have a name.

    >>> [name for name, _ in problems("tsp")]
    ['tsp', 'tsp-near', 'tsptw']
    """
    return _matching(rk.tools.builtin_problems(), incomplete)


def games(incomplete: str) -> Offered:
    """The games that have a name."""
    return _matching(rk.tools.builtin_games(), incomplete)


def problems_and_games(incomplete: str) -> Offered:
    """The problems and the games that have a name."""
    return problems(incomplete) + games(incomplete)


def searches(incomplete: str) -> Offered:
    """The searches of problems."""
    return _matching(_documented(rk.tools.searches()), incomplete)


def game_searches(incomplete: str) -> Offered:
    """The searches of games."""
    return _matching(_documented(rk.tools.game_searches()), incomplete)


def executors(incomplete: str) -> Offered:
    """What tasks can be computed by."""
    return _matching(EXECUTORS, incomplete)


def parameters(incomplete: str) -> Offered:
    """The parameters of the first problem or game that the line names, each with its default.

    An option that waits for its value ends the reading of a line before its arguments are known: hence the line itself.
    """
    listed: Mapping[str, Callable[[str], Iterable[rk.tools.Parameter]]] = {
        **dict.fromkeys(rk.tools.builtin_problems(), rk.tools.problem_parameters),
        **dict.fromkeys(rk.tools.builtin_games(), rk.tools.game_parameters),
    }
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    name = next((word for word in line.split() if word in listed), None)
    return [] if name is None else _matching({_written(p): p.kind or "" for p in listed[name](name)}, incomplete)


def _written(parameter: rk.tools.Parameter) -> str:
    default = "" if parameter.required or parameter.default is None else str(parameter.default)
    return f"{parameter.name}={default}"


def _documented(classes: Mapping[str, type]) -> dict[str, str]:
    return {name: (cls.__doc__ or "").strip().partition("\n")[0].replace("``", "") for name, cls in classes.items()}


def _matching(described: Mapping[str, str], incomplete: str) -> Offered:
    return [(name, _brief(text)) for name, text in described.items() if name.startswith(incomplete)]


def _brief(text: str) -> str:
    """A description on one line: shells take a second line for another word."""
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
