"""What all tests share: a compile cache for the session, and the reference data if it is there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("rookery", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("rookery")

DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of reference data, which is not part of the project."""
    if not DATA.is_dir():
        pytest.skip("no reference data beside the project")
    return DATA


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """In CI a test of reference data may not be skipped when the data is there."""
    skipped = terminalreporter.stats.get("skipped", [])
    if os.environ.get("CI") and DATA.is_dir() and skipped:
        terminalreporter.write_line(f"{len(skipped)} tests were skipped although the reference data is there")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("CI") and DATA.is_dir() and skipped and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
