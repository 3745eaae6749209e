"""The page about variants is made from what was measured."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "benchmarks" / "variants.py"))


def data(gain: float):
    """Three runs of every search; all but plain NRPA and NMCS gain the same."""

    def found(name, subject):
        sign = -1.0 if subject.problem.sense == "min" else 1.0
        for key, variant in TOOL["variants"](subject).items():
            better = sign * gain if variant.against and key != "NMCS" else 0.0
            yield key, {"scores": [50.0 + i + better for i in range(10)], "playouts": [100 + i for i in range(10)]}

    runs = {name: dict(found(name, subject)) for name, subject in TOOL["SUBJECTS"].items()}
    return {
        "seconds": 2.0,
        "seeds": 10,
        "processor": {"median": 0.99, "least": 0.9},
        "runs": {"playouts": runs, "time": runs},
    }


def test_a_gain_is_in_bold_if_its_interval_is_on_one_side_of_zero():
    page = TOOL["page"](data(2.0))
    assert "| `playouts_per_adapt=4` | **+2 (+2 to +2)** | **+2 (+2 to +2)** |" in page
    assert "| LazyNMCS, against NMCS | **+2 (+2 to +2)** |" in page
    assert "| NMCS | +0 (+0 to +0) |" in page


@pytest.mark.parametrize(("name", "option"), [("SameGame", "bias_scale=2"), ("Morpion 5D", "layers=True")])
def test_an_option_is_measured_only_where_a_problem_has_what_it_needs(name, option):
    having = {one for one, subject in TOOL["SUBJECTS"].items() if option in TOOL["variants"](subject)}
    assert name in having
    assert "TSP" not in having
    line = next(line for line in TOOL["page"](data(1.0)).splitlines() if line.startswith(f"| `{option}` |"))
    assert line.count("+1 (+1 to +1)") == len(having)


def test_tables_have_a_column_for_each_problem():
    rows = [line for line in TOOL["page"](data(1.0)).splitlines() if line.startswith("| search")]
    assert rows == ["| search | Morpion 5D | SameGame | TSP | TSPTW |"] * 3


def test_the_page_is_that_of_the_runs_that_are_kept():
    kept = json.loads((ROOT / "docs" / "data" / "variants.json").read_text(encoding="utf-8"))
    assert (ROOT / "docs" / "variants.md").read_text(encoding="utf-8") == TOOL["page"](kept)
