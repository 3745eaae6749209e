"""What ``start`` needs to be zero: seen by giving it states that are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.checking.calls import Caller
from rookery.checking.origin import at_def

FILLS = (77, 78)
"""What the fields hold instead of zero: numbers that every type has, and small, for they may become a loop's end."""


def check_start(call: Caller) -> None:
    """Note the fields that ``start`` leaves as they are, and whether it reads any before it sets it."""
    clean = call.states.new()
    call.change("start", call.to("start"), clean)
    filled = []
    for fill in FILLS:
        state = call.states.new(fill)
        try:
            call.raw("start", state)
        except Exception:
            _relies(call, "raises an exception")
            return
        filled.append(state)
    given = [(clean, 0), *zip(filled, FILLS, strict=True)]
    left = [name for name in call.states.names if all(_is_kept(state[name], fill) for state, fill in given)]
    if left:
        call.log.add("start-leaves-zeros", "start", f"it does not set {', '.join(left)}{at_def(call.problem, 'start')}")
    for name in call.states.names:
        values, touched = np.asarray(clean[name]), name not in left
        for state, fill in zip(filled, FILLS, strict=True):
            other = np.asarray(state[name])
            if touched and ((other != values) & (other != fill)).any():
                _relies(call, f"sets {name} otherwise")
                return


def _relies(call: Caller, text: str) -> None:
    call.log.add(
        "start-relies-on-zeros", "start", f"on a state that is not zeroed it {text}{at_def(call.problem, 'start')}"
    )


def _is_kept(value: Any, fill: int) -> bool:
    return bool((np.asarray(value) == fill).all())
