"""What runs tell Python's logging, and nobody else."""

from __future__ import annotations

import logging

import pytest

import rookery as rk
from examples_of_games import PythonNim
from rookery.running.logs import LogObserver, observed

LEFT, SEARCH = rk.problems.LeftMove(depth=3), rk.NMCS(level=1)


def test_a_run_tells_begin_improvements_and_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "rookery")
    rk.solve(LEFT, SEARCH, seed=1)
    told = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert told[0] == ("rookery", "INFO", f"LeftMove: {SEARCH} begins, seed 1")
    assert told[-1][2].startswith("LeftMove: score 3, finished after ")
    assert any(level == "DEBUG" and text.startswith("LeftMove: best 3.0 after") for _, level, text in told)


def test_a_match_tells_its_games(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "rookery")
    rk.match(PythonNim(5), rk.FlatMC(playouts=2), rk.FlatMC(playouts=2), games=2)
    assert sum(": game " in record.getMessage() for record in caplog.records) == 2


def test_a_warning_is_one_for_logging_too(caplog: pytest.LogCaptureFixture) -> None:
    LogObserver().on_warning("no checkpoint was written")
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("WARNING", "no checkpoint was written")]


def test_nobody_is_told_who_has_switched_it_off(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "rookery")
    assert observed([]) == []


def test_nothing_is_printed_unasked(capfd: pytest.CaptureFixture[str]) -> None:
    rk.solve(LEFT, SEARCH, seed=1)
    assert capfd.readouterr() == ("", "")
