"""A request to stop is not lost."""

from __future__ import annotations

import signal

import pytest

import rookery as rk
from rookery.cli.running import ExitSignals

pytestmark = pytest.mark.timing


def test_a_signal_that_was_swallowed_while_compiling_stops_the_search_after_all():
    interrupts = ExitSignals()

    class Compiling(rk.Callback):
        def on_start(self, problem, search, seed):
            with pytest.raises(KeyboardInterrupt):  # as LLVM's callbacks lose it
                signal.raise_signal(signal.SIGINT)

    with interrupts, pytest.raises(KeyboardInterrupt):  # there is nothing to return yet
        rk.solve(
            rk.problems.LeftMove(40), rk.NRPA(level=5), stop=rk.MaxTime(30), seed=1, callbacks=[interrupts, Compiling()]
        )
    assert interrupts.exit_code == 130
