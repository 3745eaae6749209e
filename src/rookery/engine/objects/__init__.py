"""The searches on problems whose states are Python objects, at speed.

Each computes what its twin in :mod:`rookery.reference` does, bit for bit, and shares no code with it. Only the user's
functions are called step by step; draws, weights and copies of states are prepared so that little else is done step
by step.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

COMPUTED_BY = {
    "rookery.reference.nrpa:nrpa": "rookery.engine.objects.nrpa:nrpa",
    "rookery.reference.nrpa:adapted": "rookery.engine.objects.nrpa:adapted",
    "rookery.reference.nmcs:nmcs": "rookery.engine.objects.nmcs:nmcs",
    "rookery.reference.nmcs:rated": "rookery.engine.objects.nmcs:rated",
    "rookery.reference.playout:sampled": "rookery.engine.objects.playout:sampled",
    "rookery.reference.reflexive:reflexive_games": "rookery.engine.objects.reflexive:reflexive_games",
    "rookery.reference.uct:uct": "rookery.engine.objects.uct:uct",
}
"""For each twin, the function that computes the same at speed."""


def fast_twin(name: str | None) -> Any:
    """The function that computes at speed what a twin does; None if there is none, as for a user's own.

    >>> fast_twin("rookery.reference.playout:sampled").__module__
    'rookery.engine.objects.playout'
    """
    found = COMPUTED_BY.get(name or "")
    if found is None:
        return None
    module, _, function = found.partition(":")
    return getattr(import_module(module), function)
