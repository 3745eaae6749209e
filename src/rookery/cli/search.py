"""A search made from options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import rookery as rk
from rookery.cli.options import number, per_level, shown, whole

Search = rk.NRPA | rk.NMCS | rk.Reflexive | rk.UCT | rk.SPMCTS | rk.Sampling

ALGORITHMS: dict[str, type[Search]] = {
    "nrpa": rk.NRPA,
    "nmcs": rk.NMCS,
    "reflexive": rk.Reflexive,
    "uct": rk.UCT,
    "spmcts": rk.SPMCTS,
    "sampling": rk.Sampling,
}
ALL_BUT_SAMPLING = ("nrpa", "nmcs", "reflexive", "uct", "spmcts")

GOES_WITH = {
    "--level": ("nrpa", "nmcs", "reflexive"),
    "--iterations": ("nrpa",),
    "--alpha": ("nrpa",),
    "--ties": ("nrpa", "nmcs"),
    "--layers": ("nrpa",),
    "--memorise": ("nmcs",),
    "--sample": ("nmcs",),
    "--games": ("reflexive", "uct", "spmcts"),
    "--c": ("uct", "spmcts"),
    "--d": ("spmcts",),
    "--rule": ("nmcs", "reflexive", "uct", "spmcts", "sampling"),
    "--restarts": ALL_BUT_SAMPLING,
    "--runs": ALL_BUT_SAMPLING,
    "--select": ("nrpa",),
    "--atomic-level": ("nrpa", "nmcs", "reflexive"),
    "--warm-start": ("nrpa",),
}
"""The algorithms that an option is for; options not named here go with all."""


def check_algorithm(algorithm: str, options: Mapping[str, Any]) -> None:
    """Refuse an unknown algorithm, and given options that are not for it.

    >>> check_algorithm("nrpa", {"--alpha": "1.0", "--sample": None})
    """
    if algorithm not in ALGORITHMS:
        raise rk.InputError(f"--algorithm must be {in_words(ALGORITHMS, 'or')}, got {shown(algorithm)}")
    for option, value in options.items():
        known = GOES_WITH.get(option, tuple(ALGORITHMS))
        if value not in (None, [], ()) and algorithm not in known:
            raise rk.InputError(f"{option} goes with {in_words(known, 'and')}, not with {algorithm}")


def in_words(names: Iterable[str], last: str) -> str:
    """Names with commas between them, and a word before the last.

    >>> in_words(["nrpa", "nmcs", "uct"], "or")
    'nrpa, nmcs or uct'
    """
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


def make_search(
    algorithm: str,
    level: str | None = None,
    iterations: list[str] | None = None,
    alpha: str | None = None,
    ties: list[str] | None = None,
    layers: bool | None = None,
    memorise: bool | None = None,
    sample: str | None = None,
    games: list[str] | None = None,
    c: str | None = None,
    d: str | None = None,
    rule: str | None = None,
) -> Search:
    """A search; what is not given is left to the library.

    >>> make_search("nrpa", level="4", ties=["4:0.3"])
    NRPA(level=4, iterations=100, alpha=1.0, ties={4: 0.3}, layers=False)
    """
    given: dict[str, Any] = {}
    if level is not None:
        given["level"] = whole("--level", level)
    if iterations:
        given["iterations"] = per_level(whole, "--iterations", iterations)
    if alpha is not None:
        given["alpha"] = number("--alpha", alpha)
    if ties:
        given["ties"] = per_level(_tie, "--ties", ties) if algorithm == "nrpa" else _only("--ties", ties)
    if layers is not None:
        given["layers"] = layers
    if memorise is not None:
        given["memorise"] = memorise
    if sample is not None:
        given["sample"] = whole("--sample", sample)
    if games and algorithm == "reflexive":
        given["games"] = per_level(whole, "--games", games)
    elif games:
        given["playouts"] = whole("--games", _only("--games", games))
    if c is not None:
        given["c"] = number("--c", c)
    if d is not None:
        given["d"] = number("--d", d)
    if rule is not None:
        given["rule"] = rule
    return ALGORITHMS[algorithm](**given)


def _tie(option: str, text: str) -> str | float:
    """A tie rule of NRPA; the library judges what is neither a rule nor a number."""
    try:
        return float(text) if text.isascii() else text
    except ValueError:
        return text


def _only(option: str, texts: list[str]) -> str:
    if len(texts) > 1:
        raise rk.InputError(f"{option} must be given once, got {' and '.join(map(shown, texts))}")
    return texts[0]
