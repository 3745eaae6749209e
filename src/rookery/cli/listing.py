"""``rookery list``: the problems, the games and the searches there are."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli.show import terminal_columns
from rookery.tools import game_searches, searches


def list_all(as_json: o.Json = False) -> int:
    """List the built-in problems and games, and the searches for both, with their parameters and defaults."""
    problems = _models(rk.tools.builtin_problems(), rk.tools.problem_parameters)
    games = _models(rk.tools.builtin_games(), rk.tools.game_parameters)
    algorithms, sides = _searches(searches()), _searches(game_searches())
    if as_json:
        listed = {"problems": problems, "algorithms": algorithms, "games": games, "game_searches": sides}
        print(json.dumps(listed))
        return 0
    print("Problems: rookery solve NAME -p KEY=VALUE ..., or your own: rookery solve path/to/file.py:Class")
    print(table(problems))
    print("\nAlgorithms: --algorithm NAME")
    print(table(algorithms))
    print("\nGames: rookery match NAME -p KEY=VALUE ..., or your own: rookery match path/to/file.py:Class")
    print("(and those of OpenSpiel, if it is installed: rookery match openspiel:tic_tac_toe)")
    print(table(games))
    print("\nSearches for games: --a NAME:KEY=VALUE,... --b NAME")
    print(table(sides))
    return 0


def _models(described: Mapping[str, str], parameters: Callable[[str], Iterable[Any]]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "description": text,
            "parameters": {
                p.name: {"default": None if p.required else p.default, "must_be": p.kind} for p in parameters(name)
            },
        }
        for name, text in described.items()
    }


def _searches(named: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "description": (inspect.getdoc(search) or "").partition("\n")[0].replace("``", ""),
            "parameters": {f.name: {"default": f.default} for f in fields(search) if f.init},
        }
        for name, search in named.items()
    }


def table(entries: dict[str, dict[str, Any]]) -> str:
    """Names with descriptions, and parameters with defaults below them.

    >>> print(table({"tsp": {"description": "A tour.", "parameters": {"n": {"default": 50}}}}))
      tsp       A tour.
                n=50
    """
    lines = []
    width = max(10, *(len(name) + 1 for name in entries))
    columns = terminal_columns()  # elsewhere a line may be of any length
    indent = " " * (2 + width)
    for name, entry in entries.items():
        lines.append(_wrapped(f"  {name:<{width}}{entry['description']}", indent, columns))
        given = entry["parameters"].items()
        parts = [
            f"{key}={about['default']}" + (f" ({about['must_be']})" if "must_be" in about else "")
            for key, about in given
        ]
        if parts:
            lines.append(_wrapped(indent + ", ".join(parts), indent, columns))
    return "\n".join(lines)


def _wrapped(line: str, indent: str, columns: int | None) -> str:
    return line if columns is None else textwrap.fill(line, max(40, columns - 1), subsequent_indent=indent)
