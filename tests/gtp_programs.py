"""What benchmarks/gnugo.py has for tests: GNU Go and our own engine, and a game between them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def load() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "gnugo.py"
    spec = importlib.util.spec_from_file_location("gnugo", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


gnugo = load()
needs_gnugo = pytest.mark.skipif(gnugo.GNUGO is None, reason="GNU Go of POSIX is not installed: apt-get install gnugo")
