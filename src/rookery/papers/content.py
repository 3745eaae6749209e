"""What the solutions of a run are made of: Table 6 of Rosin 2011, section 4.4."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class Content:
    """Counts of codes by where they come from; those of several runs may be added.

    ``prefix``: from the start on as in the solution before; ``permutation``: in that solution, at another place;
    ``hybrid``: not in it, but in an older one; ``new``: in none.

    >>> (Content(prefix=1, permutation=2) + Content(permutation=1)).shares
    (0.25, 0.75, 0.0, 0.0)
    """

    prefix: int = 0
    permutation: int = 0
    hybrid: int = 0
    new: int = 0

    def __add__(self, other: Content) -> Content:
        return Content(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def shares(self) -> tuple[float, ...]:
        """The four counts as shares of all codes; not a number if there are none."""
        codes = sum(astuple(self))
        return tuple(count / codes if codes else float("nan") for count in astuple(self))


def solution_content(accepted: Iterable[tuple[Sequence[Hashable], bool]]) -> tuple[Content, Content]:
    """The content of the ties, and of the improvements, that one level has accepted during one call.

    Parameters
    ----------
    accepted
        the codes of each solution in the order in which they were accepted, and whether it was a tie; what
        ``Callback.on_replace`` tells. The first one, before which there is none, is only compared with

    >>> ties, improvements = solution_content([("abc", False), ("acb", True), ("acdf", False), ("bcda", True)])
    >>> ties
    Content(prefix=1, permutation=5, hybrid=1, new=0)
    >>> improvements
    Content(prefix=2, permutation=0, hybrid=0, new=2)
    """
    found = {True: Content(), False: Content()}
    previous: Sequence[Hashable] | None = None
    older: set[Hashable] = set()
    for codes, tie in accepted:
        if previous is not None:
            found[tie] += _compared(codes, previous, older)
            older.update(previous)
        previous = codes
    return found[True], found[False]


def _compared(codes: Sequence[Hashable], previous: Sequence[Hashable], older: set[Hashable]) -> Content:
    """The content of one solution."""
    same = (a == b for a, b in zip(codes, previous, strict=False))
    prefix = next((place for place, equal in enumerate(same) if not equal), min(len(codes), len(previous)))
    last = set(previous)
    rest = codes[prefix:]
    permutation = sum(code in last for code in rest)
    hybrid = sum(code not in last and code in older for code in rest)
    return Content(prefix, permutation, hybrid, len(rest) - permutation - hybrid)
