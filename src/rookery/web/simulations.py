"""What a simulation has computed: from its journal, while it goes on, or from the JSON that it printed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.web.folder import LARGEST, NEWS
from rookery.web.stories import Readers

ROW = (
    *("workers", "select", "seconds", "speedup", "efficiency", "tasks", "tasks_discarded"),
    *("oracle_speedup", "oracle_efficiency", "share_of_oracle", "useful_share"),
)
MOST_COURSES = 7
"""The most runs whose course is shown: there are that many colours."""


def simulation_of(readers: Readers, path: Path) -> dict[str, Any]:
    """Rows, the course of the runs, and what was simulated."""
    with path.open("rb") as file:
        content = file.read(LARGEST)
    if content.lstrip().startswith(b'{"event"'):
        return readers.read(path, lambda reader: _of_journal(reader, path))
    try:
        data = json.loads(content)
        rows = [row for row in data["rows"] if isinstance(row, dict)]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise rk.InputError(f"{path.name} is not a simulation") from None
    head = {name: data.get(name) for name in ("problem", "parameters", "search")}
    return {"rows": [_row(row) for row in rows], "course": [], "head": head, "complete": True}


def _of_journal(reader: rk.files.JournalReader, path: Path) -> dict[str, Any]:
    stories = list(reader.runs.values())
    if not stories or stories[0].start.get("executor") != "virtual":
        raise rk.InputError(f"{path.name} is not the journal of a simulation")
    head = {name: stories[0].start.get(name) for name in ("problem", "parameters", "search")}
    course = [
        {"name": f"{story.start.get('workers')} {(story.end or {}).get('select', '')}".strip(), **_course(story)}
        for story in stories[-MOST_COURSES:]
    ]
    quiet = time.time() - path.stat().st_mtime > NEWS
    rows = [_row(story.end) for story in stories if story.end is not None]
    return {"rows": rows, "course": course, "head": head, "complete": quiet and stories[-1].end is not None}


def _course(story: rk.files.RunStory) -> dict[str, Any]:
    return {"ticks": story.ticks.rows(), "bests": story.bests.rows()}


def _row(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name in ROW if isinstance(value := values.get(name), (int, float, str))}
