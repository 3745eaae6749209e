"""The options of NRPA on the command line."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.cli.search import Chosen


def test_the_options_are_settings_of_the_algorithm() -> None:
    chosen = Chosen("nrpa", settings=["beam=2", "tau=0.5", "playouts_per_adapt=3", "bias_scale=2", "learn_bias=true"])
    assert chosen.search() == rk.NRPA(beam=2, tau=0.5, playouts_per_adapt=3, bias_scale=2.0, learn_bias=True)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("beam=0", "beam must be at least 1, got 0"),
        ("beam=two", "--set beam must be a whole number"),
        ("tau=0", "tau must be more than 0, got 0.0"),
        ("playouts_per_adapt=-1", "playouts_per_adapt must be at least 1, got -1"),
    ],
)
def test_a_bad_setting_is_refused_in_a_sentence(setting: str, message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        Chosen("nrpa", settings=[setting]).search()
