"""Folders of known games and boards: our own, and reference data beside the project that is no part of it."""

from __future__ import annotations

from pathlib import Path

OWN = Path(__file__).parent / "data"
REFERENCE = Path(__file__).parents[2] / "shared" / "data"
FOLDERS = [folder for folder in (OWN, REFERENCE) if folder.is_dir()]
GAMES = [path for folder in FOLDERS for path in sorted((folder / "morpion").glob("*.json"))]
