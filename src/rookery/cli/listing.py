"""``rookery list``: the problems and the algorithms there are."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli.search import ALGORITHMS


def list_all(as_json: o.Json = False) -> int:
    """List the built-in problems and the algorithms, with their parameters."""
    problems = {
        name: {"description": text, "parameters": _problem_parameters(name)}
        for name, text in rk.builtin_problems().items()
    }
    algorithms = {
        name: {"description": (inspect.getdoc(search) or "").partition("\n")[0], "parameters": _defaults(search)}
        for name, search in ALGORITHMS.items()
    }
    if as_json:
        print(json.dumps({"problems": problems, "algorithms": algorithms}))
        return 0
    print("Problems (rookery solve NAME -p KEY=VALUE)\n")
    print(table(problems))
    print("\nAlgorithms (--algorithm NAME)\n")
    print(table(algorithms))
    print("\nYour own problem: rookery solve path/to/file.py:Class")
    return 0


def table(entries: dict[str, dict[str, Any]]) -> str:
    """Names with descriptions, and parameters below them.

    >>> print(table({"tsp": {"description": "A tour.", "parameters": {"n": {"default": 50, "must_be": "a number"}}}}))
      tsp        A tour.
                   n=50  a number
    """
    lines = []
    for name, entry in entries.items():
        lines.append(f"  {name:<11}{entry['description']}")
        given = {key: f"{key}={spec['default']}" for key, spec in entry["parameters"].items()}
        width = max(map(len, given.values()), default=0)
        for key, spec in entry["parameters"].items():
            lines.append(f"{'':<15}{given[key]:<{width}}  {spec['must_be']}".rstrip())
    return "\n".join(lines)
