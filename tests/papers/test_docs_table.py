"""The table of Cazenave 2015 in the docs is made from the results that are kept."""

from __future__ import annotations

from pathlib import Path

import rookery as rk

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_has_the_table_of_the_results():
    table = rk.papers.PaperTable.load(DOCS / "data" / "ppa-2015.json")
    page = (DOCS / "reproducing.md").read_text(encoding="utf-8")
    assert table.markdown().strip() in page
    assert table.variants_markdown().strip() in page
