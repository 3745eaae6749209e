"""What all tests share: known games and boards, and the rule that nothing is skipped in CI."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

from data_folders import FOLDERS, GAMES, OWN, REFERENCE

settings.register_profile("rookery", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("rookery")


@pytest.fixture(scope="session", params=FOLDERS, ids=lambda folder: "own" if folder == OWN else "reference")
def data(request: pytest.FixtureRequest) -> Path:
    """Each folder of known games and boards."""
    return request.param


@pytest.fixture(scope="session", params=GAMES, ids=lambda path: path.stem)
def game_file(request: pytest.FixtureRequest) -> Path:
    """Each known game of Morpion Solitaire, in JSON."""
    return request.param


def needless(reporter: pytest.TerminalReporter) -> list[str]:
    """Why tests were skipped, but for what a system does not have; in CI there is no other reason."""
    reasons = [str(report.longrepr) for report in reporter.stats.get("skipped", [])]
    return [reason for reason in reasons if not (os.name == "nt" and "of POSIX" in reason)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Nothing is left out silently."""
    if REFERENCE not in FOLDERS:
        terminalreporter.write_line("no reference data in ../shared/data: known games and boards are our own")
    left_out = {str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []) if report.longrepr}
    for reason in left_out:
        if "in a browser" in reason:
            terminalreporter.write_line(reason.removeprefix("Skipped: "))
    if os.environ.get("CI"):
        for reason in needless(terminalreporter):
            terminalreporter.write_line(f"skipped, which fails in CI: {reason}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and exitstatus == 0 and needless(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
