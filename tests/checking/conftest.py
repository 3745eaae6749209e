"""Time that is counted: what a check does in so many seconds is the same on any machine, however busy."""

from __future__ import annotations

import itertools
import time

import pytest


@pytest.fixture
def counted_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which every look takes a millisecond."""
    looks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(looks) / 1000)
