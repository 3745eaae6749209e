"""One cold compile, for cold_start.py: prints the processor seconds of its parts as JSON."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections import Counter
from typing import Any

import numba.core.event as events
from llvmlite.binding import newpassmanagers
from numba.core.codegen import JitEngine
from numba.core.registry import cpu_target
from tsp import TSP

import rookery as rk

PASSES = {"nopython_type_inference": "type inference", "native_lowering": "lowering"}


class Parts:
    """Seconds by part; one part may interrupt another, and each second counts for the innermost."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._open: list[str] = ["other"]
        self._since = time.process_time()

    def enter(self, part: str) -> None:
        self._count()
        self._open.append(part)

    def leave(self) -> None:
        self._count()
        self._open.pop()

    def watch(self, owner: Any, name: str, part: str) -> None:
        """Count a method of a class for a part."""
        method = getattr(owner, name)

        @functools.wraps(method)
        def watched(*arguments: Any, **named: Any) -> Any:
            self.enter(part)
            try:
                return method(*arguments, **named)
            finally:
                self.leave()

        setattr(owner, name, watched)

    def _count(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now


class Listener(events.Listener):  # type: ignore[misc]
    """Counts what Numba reports about its passes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def on_start(self, event: Any) -> None:
        self._parts.enter(PASSES.get(event.data["name"].split()[0], "other"))

    def on_end(self, event: Any) -> None:
        self._parts.leave()


def main() -> int:
    parts = Parts()
    for manager in (newpassmanagers.ModulePassManager, newpassmanagers.FunctionPassManager):
        parts.watch(manager, "run", "LLVM's optimisation")
    for name in ("finalize_object", "get_function_address"):
        parts.watch(JitEngine, name, "machine code")
    events.register("numba:run_pass", Listener(parts))
    parts.enter("imports")  # Numba imports what it can compile when it first compiles
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    parts.leave()
    rk.solve(
        TSP.build(n=50, seed=1), rk.tools.make_search(sys.argv[1], {}), seed=1, workers=1, stop=rk.MaxPlayouts(100)
    )
    parts.enter("other")
    json.dump(parts.seconds, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
