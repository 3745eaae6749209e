"""A report says what was found, to people and to programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rookery as rk
from checking.broken_problems import Letters
from rookery.checking.catalogue import CATALOGUE
from rookery.checking.measures import Measures, Part
from rookery.checking.report import Log
from rookery.testing import Finding, Report

PAGE = Path(__file__).parents[2] / "docs" / "checking.md"


def test_findings_stand_in_the_order_of_their_gravity():
    log = Log(Letters())
    log.add("start-leaves-zeros", "start", "a note")
    log.add("codes-come-back", "code", "a warning")
    log.add("too-long", "", "an error")
    assert [finding.level for finding in log.findings()] == ["error", "warning", "note"]


def test_of_two_findings_of_a_name_and_function_the_shorter_playout_is_kept():
    log = Log(Letters())
    log.add("exception", "play", "late", (1, 2, 3))
    log.add("exception", "play", "early", (1,))
    log.add("exception", "play", "later", (1, 2))
    assert [(f.text, f.playout) for f in log.findings()] == [("early", (1,))]


def test_the_verdict_counts_what_was_found():
    findings = (Finding("too-long", "error", "", "a"), Finding("exception", "error", "X.play", "b"))
    assert Report("X", findings, 7).verdict == "X breaks its contract: 2 errors in 7 playouts"


def test_a_long_playout_is_cut_in_print_and_whole_in_json():
    finding = Finding("too-long", "error", "", "a", tuple(range(50)))
    assert "28, 29, ... (20 more)" in str(finding)
    assert len(json.loads(json.dumps(Report("X", (finding,), 1).to_json()))["findings"][0]["playout"]) == 50


def test_moves_that_json_does_not_have_are_written_as_text():
    report = Report("X", (Finding("too-long", "error", "", "a", ((1, "A"),)),), 1)
    assert report.to_json()["findings"][0]["playout"] == ["(1, 'A')"]


@pytest.mark.parametrize(
    ("function", "share", "advised"),
    [("moves", 0.5, True), ("moves", 0.1, False), ("count, nth", 0.9, False), ("copy of the state", 0.25, True)],
)
def test_advice_is_given_only_where_it_applies(function, share, advised):
    limits = rk.Limits(moves=2, length=2, codes=4)
    measures = Measures((2, 2.0, 2), (2.0, 2), 4, limits, 16, {}, (Part(function, 1.0, 10.0, share),))
    assert bool(measures.advice) == advised


def test_the_page_names_every_finding_with_its_level():
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {name: kind.level for name, kind in CATALOGUE.items()}
