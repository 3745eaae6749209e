"""Every parameter of every search checks its type."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import rookery as rk

AGENTS = (rk.NRPA, rk.NMCS, rk.Reflexive, rk.UCT, rk.SPMCTS, rk.Sampling)
PLAYERS = (rk.GameUCT, rk.PPA, rk.GRAVE, rk.MAST, rk.FlatMC)
SEARCHES = AGENTS + PLAYERS
PARAMETERS = [(cls, f.name) for cls in SEARCHES for f in fields(cls) if f.init]
ODD: tuple[Any, ...] = ("x", [], object(), b"x", (1,), np.array([1, 2]), {1: "x"}, float("nan"), 10**400)


@pytest.mark.parametrize(("cls", "name"), PARAMETERS, ids=[f"{cls.__name__}-{name}" for cls, name in PARAMETERS])
def test_a_value_of_another_type_is_refused_in_one_sentence(cls: type, name: str) -> None:
    for value in ODD:
        with pytest.raises(rk.InputError, match="must|may"):
            cls(**{name: value})
