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
    """List the built-in problems and the algorithms, with their parameters and defaults."""
    problems = {
        name: {
            "description": text,
            "parameters": {
                p.name: {"default": None if p.required else p.default, "must_be": p.kind}
                for p in rk.problem_parameters(name)
            },
        }
        for name, text in rk.builtin_problems().items()
    }
    algorithms = {
        name: {
            "description": (inspect.getdoc(search) or "").partition("\n")[0].replace("``", ""),
            "parameters": {f.name: {"default": f.default} for f in fields(search) if f.init},
        }
        for name, search in ALGORITHMS.items()
    }
    if as_json:
        print(json.dumps({"problems": problems, "algorithms": algorithms}))
        return 0
    print("Problems: rookery solve NAME -p KEY=VALUE ..., or your own: rookery solve path/to/file.py:Class")
    print(table(problems))
    print("\nAlgorithms: --algorithm NAME")
    print(table(algorithms))
    return 0


def table(entries: dict[str, dict[str, Any]]) -> str:
    """Names with descriptions, and parameters with defaults below them.

    >>> print(table({"tsp": {"description": "A tour.", "parameters": {"n": {"default": 50}}}}))
      tsp       A tour.
                n=50
    """
    lines = []
    width = max(10, *(len(name) + 1 for name in entries))
    for name, entry in entries.items():
        lines.append(f"  {name:<{width}}{entry['description']}")
        given = entry["parameters"].items()
        parts = [
            f"{key}={about['default']}" + (f" ({about['must_be']})" if "must_be" in about else "")
            for key, about in given
        ]
        if parts:
            lines.append(" " * (2 + width) + ", ".join(parts))
    return "\n".join(lines)
