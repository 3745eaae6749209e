"""The version is the same wherever it is written."""

from __future__ import annotations

import re
from pathlib import Path

import rookery as rk

ROOT = Path(__file__).parents[2]


def test_the_newest_entry_of_the_changelog_is_about_this_version() -> None:
    newest = re.search(r"^## \[?([^\]\s]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == rk.__version__


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {rk.__version__}\n" in (ROOT / "CITATION.cff").read_text()
