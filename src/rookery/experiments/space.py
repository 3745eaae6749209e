"""What ``tune`` tries: settings of searches, drawn from a space of values for their parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from rookery.arguments import finite, shown
from rookery.errors import InputError
from rookery.rng import Stream, part_key
from rookery.search.protocol import Search

AnySearch = Any
"""A search of a problem or of a game: both are frozen dataclasses of their parameters."""

WIDE = 8.0
"""A range whose ends differ by at least this factor is drawn from by ratios, not by differences."""
REFUSED = 1000
"""Draws in a row that the search, the problem or the game refuses, after which the space counts as used up."""
TRIES = 50
"""Draws for one setting that must differ from those before it, until the space counts as used up."""


@dataclass(frozen=True)
class Range:
    """All numbers from ``low`` to ``high``: whole ones if both are.

    A wide range is drawn from evenly by ratios: from 0.01 to 1 as much below as above 0.1.

    >>> Range(1, 4).whole, Range(0.01, 1).by_ratio
    (True, True)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        low, high = finite("the low end of a range", self.low), finite("the high end of a range", self.high)
        if low >= high:
            raise InputError(f"a range must rise, got {shown(self.low)} to {shown(self.high)}")

    @property
    def whole(self) -> bool:
        """Whether it holds whole numbers only."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    @property
    def by_ratio(self) -> bool:
        """Whether it is drawn from by ratios."""
        return self.low > 0 and self.high / self.low >= WIDE

    def at(self, share: float) -> float:
        """The number at a share of the way from low to high, to three digits.

        >>> Range(0.01, 1).at(0.5), Range(1, 4).at(0.99)
        (0.1, 4)
        """
        if self.by_ratio:
            value = self.low * math.exp(share * math.log(self.high / self.low))
        else:
            value = self.low + share * (self.high - self.low)
        if self.whole:
            return min(int(self.high), max(int(self.low), round(value)))
        return min(float(self.high), max(float(self.low), float(f"{value:.3g}")))


Values = Sequence[Any] | Range
Space = Mapping[str, Values]


def space_of(search: AnySearch, subject: Any, given: Space | None = None) -> dict[str, Values]:
    """What is tried of a search: the given values of those parameters that it has, or what its class says.

    >>> import rookery as rk
    >>> sorted(space_of(rk.NRPA(), rk.problems.LeftMove()))
    ['alpha', 'iterations', 'level']
    >>> space_of(rk.NRPA(), rk.problems.LeftMove(), {"alpha": (0.5, 1.0)})
    {'alpha': (0.5, 1.0)}
    """
    if given is None:
        return dict(search.space(subject))
    known = {field.name for field in fields(search) if field.init}
    return {name: values for name, values in given.items() if name in known}


def check_space(space: Any, searches: Sequence[AnySearch]) -> None:
    """Refuse a space that none of the searches could use."""
    if not isinstance(space, Mapping):
        raise InputError(f"space must map names of parameters to values, got {shown(space)}")
    for name, values in space.items():
        if not isinstance(values, Range) and (
            not isinstance(values, Sequence) or isinstance(values, str) or len(values) == 0
        ):
            raise InputError(f"the values of {name} in space must be a list or a Range, got {shown(values)}")
        having = [search for search in searches if name in {field.name for field in fields(search) if field.init}]
        if not having:
            words = " or ".join(dict.fromkeys(search.name for search in searches))
            raise InputError(f"space must hold parameters of {words}, got {shown(name)}")
        for value in (values.low, values.high) if isinstance(values, Range) else values:
            for search in having:
                replace(search, **{name: value})  # which refuses a value that it cannot have


def setting_name(name: str, search: AnySearch, base: AnySearch) -> str:
    """A setting by the name of another, and what it changes in that.

    >>> import rookery as rk
    >>> setting_name("nrpa", rk.NRPA(level=4, alpha=0.5), rk.NRPA()), setting_name("nrpa", rk.NRPA(), rk.NRPA())
    ('nrpa level=4 alpha=0.5', 'nrpa')
    """
    changed = [
        f"{field.name}={getattr(search, field.name)}"
        for field in fields(search)
        if field.init and getattr(search, field.name) != getattr(base, field.name)
    ]
    return " ".join([name, *changed])


def draw_settings(
    bases: Mapping[str, AnySearch], spaces: Mapping[str, Space], subject: Any, count: int, seed: int
) -> dict[str, AnySearch]:
    """The bases, and settings drawn from their spaces in turn until there are ``count`` in all.

    What a search refuses, by itself or for this problem or game, is not drawn. A space that has fewer settings gives
    all of them.

    >>> import rookery as rk
    >>> bases, spaces = {"nrpa": rk.NRPA()}, {"nrpa": {"level": (2, 3), "alpha": (0.5, 1.0)}}
    >>> list(draw_settings(bases, spaces, rk.problems.LeftMove(), 3, seed=1))
    ['nrpa', 'nrpa alpha=0.5', 'nrpa level=2']
    """
    found = dict(bases)
    drawn = {
        name: _settings(base, spaces[name], subject, Stream(part_key(seed, number)))
        for number, (name, base) in enumerate(bases.items())
    }
    while len(found) < count and drawn:
        for name, settings in list(drawn.items()):
            one = next(settings, None)
            if one is None:
                del drawn[name]
            elif len(found) < count:
                found[setting_name(name, one, bases[name])] = one
    return found


def _settings(base: AnySearch, space: Space, subject: Any, stream: Stream) -> Iterator[AnySearch]:
    """The settings of a space that differ from the base, in a random order."""
    refused = 0
    for values in _drawn(space, stream):
        one = made(base, values, subject)
        refused = refused + 1 if one is None else 0
        if refused == REFUSED:
            return
        if one is not None and one != base:
            yield one


def _drawn(space: Space, stream: Stream) -> Iterator[dict[str, Any]]:
    """Values for all parameters of a space, no two alike."""
    lists = [values for values in space.values() if not isinstance(values, Range)]
    if len(lists) == len(space) and math.prod(map(len, lists)) <= 100_000:
        grid = [dict(zip(space, values, strict=True)) for values in itertools.product(*lists)]
        while grid:
            yield grid.pop(stream.below(len(grid)))
        return
    seen: list[dict[str, Any]] = []
    failed = 0
    while failed < TRIES:
        values = {name: _pick(of, stream.uniform) for name, of in space.items()}
        failed = failed + 1 if values in seen else 0
        if not failed:
            seen.append(values)
            yield values


def _pick(values: Values, uniform: Callable[[], float]) -> Any:
    return values.at(uniform()) if isinstance(values, Range) else values[int(uniform() * len(values))]


def made(base: AnySearch, values: Mapping[str, Any], subject: Any) -> AnySearch | None:
    """The search with these values; None if it refuses them, by itself or for this problem or game.

    >>> import rookery as rk
    >>> made(rk.NRPA(), {"layers": True}, rk.problems.LeftMove()) is None
    True
    """
    try:
        one = replace(base, **values)
        if isinstance(one, Search):
            one.check(subject)
        else:
            one.check_game(subject)
    except InputError:
        return None
    return one
