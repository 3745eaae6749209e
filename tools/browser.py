"""A headless Chromium, for tests of the page and its screenshots; Debian has it as chromium and chromium-driver."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
)

PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)


def missing() -> str | None:
    """What is missing for a browser; None if nothing is."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed"
    return None if program() and driver_program() else "there is no chromium with chromedriver"


def program() -> str | None:
    """Chromium or Chrome."""
    names = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome", "chrome"))
    return next(filter(None, names), None) or next((name for name in PLACES if Path(name).exists()), None)


def driver_program() -> str | None:
    """The program that steers it, also where GitHub's machines keep it."""
    return shutil.which("chromedriver") or shutil.which("chromedriver", path=os.environ.get("CHROMEWEBDRIVER", ""))


@contextmanager
def browser(width: int = 1200, height: int = 900, dark: bool = False) -> Iterator[Any]:
    """A browser with a window of this size and a profile of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = program() or ""
        for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(driver_program()))
        try:
            driver.set_window_size(width, height)
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
            yield driver
        finally:
            driver.quit()
