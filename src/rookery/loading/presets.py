"""Presets of one's own: a file that holds a search and its parameters, as ``tune`` writes the winner."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rookery.disk import plain, read_json, write_text
from rookery.errors import InputError
from rookery.search.game_search import GameSearch

FORMAT = "rookery preset"


@dataclass(frozen=True)
class Preset:
    """The name of a search, and values of its parameters.

    >>> Preset("nrpa", {"level": 4}).algorithm
    'nrpa'
    """

    algorithm: str
    values: Mapping[str, Any]


def save_preset(path: str | os.PathLike[str], search: Any, about: str = "") -> None:
    """Write a search as a preset: whole, or not at all. Limits of a move are not part of it."""
    values = search.parameters()
    algorithm = values.pop("algorithm")
    limits = ("playouts", "seconds") if isinstance(search, GameSearch) else ()
    kept = {name: value for name, value in values.items() if name not in limits}
    data = {"format": FORMAT, "about": about, "algorithm": algorithm, "parameters": plain(kept)}
    write_text(path, json.dumps(data, indent=1) + "\n")


def read_preset(path: str | os.PathLike[str]) -> Preset:
    """Read a preset that :func:`save_preset` wrote. It is data: no file can name code to run."""
    return read_json(path, "a preset", _preset)


def is_preset_file(text: str) -> bool:
    """Whether a text names a file of a preset, not a preset of a search.

    >>> is_preset_file("tuned.json"), is_preset_file("rosin")
    (True, False)
    """
    return text.endswith(".json")


def _preset(data: Any) -> Preset:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'"format" must be "{FORMAT}"')
    algorithm, values = data.get("algorithm"), data.get("parameters")
    if not isinstance(algorithm, str) or not isinstance(values, dict):
        raise InputError('"algorithm" must be a text and "parameters" an object')
    read = {name: _by_level(name, value) if isinstance(value, dict) else value for name, value in values.items()}
    return Preset(algorithm, read)


def _by_level(name: str, value: Mapping[str, Any]) -> dict[int, Any]:
    try:
        return {int(level): item for level, item in value.items()}
    except ValueError:
        raise InputError(f'the levels of "{name}" must be whole numbers') from None
