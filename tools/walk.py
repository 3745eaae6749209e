"""The walk of one small ``solve``: the modules it enters and the switches between them, as JSON.

    python tools/walk.py

A module is entered when one of its functions is called. A switch is a place in the code and a function of another
module that a call from there reaches; code of other packages in between is passed over. The first call of ``solve``
loads the machine code and is not watched; the second one is.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any


class Walk:
    """Watches the calls of all threads that start while it is on, and of the one that starts it."""

    def __init__(self, package: Path) -> None:
        self.modules: set[str] = set()
        self.switches: set[tuple[CodeType, int, CodeType]] = set()
        self._package = package
        self._known: dict[str, str | None] = {}

    def __enter__(self) -> Walk:
        threading.setprofile(self._event)
        sys.setprofile(self._event)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _event(self, frame: FrameType, event: str, _: Any) -> None:
        module = self._module(frame) if event == "call" else None
        if module is None:
            return
        self.modules.add(module)
        caller = frame.f_back
        while caller is not None and self._module(caller) is None:
            caller = caller.f_back
        if caller is not None and self._module(caller) != module:
            self.switches.add((caller.f_code, caller.f_lasti, frame.f_code))

    def _module(self, frame: FrameType) -> str | None:
        """The module of the package that a frame belongs to, None for one outside it."""
        file = frame.f_code.co_filename
        if file not in self._known:
            path = Path(file)
            inside = path.is_relative_to(self._package)
            self._known[file] = path.relative_to(self._package).as_posix() if inside else None
        return self._known[file]


def walk(run: Callable[[], object], package: Path) -> Walk:
    """Run something twice, and watch the second time."""
    run()
    with Walk(package) as watched:
        run()
    return watched


def main() -> None:
    import rookery as rk

    tsp: Any = type(rk.load_problem("tsp"))

    def run() -> object:
        return rk.solve(tsp.build(n=10, seed=1), rk.NRPA(level=2, iterations=10), seed=1, workers=1)

    watched = walk(run, Path(rk.__file__).parent)
    figures = {"modules": sorted(watched.modules), "switches": len(watched.switches), "public": len(rk.__all__)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
