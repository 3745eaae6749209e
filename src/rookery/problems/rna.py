"""Inverse RNA folding: find a strand of RNA that folds into a given shape.

A shape is written with dots for free bases and brackets for pairs: ``((((...))))``. ViennaRNA folds a strand: it
finds the shape of the least free energy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from rookery.disk import as_text, brief, file_bytes
from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, tile
from rookery.errors import InputError
from rookery.problem import PythonProblem

FREE = ("A", "C", "G", "U")
PAIRS = ("AU", "CG", "GC", "GU", "UA", "UG")
TARGETS = {
    "hairpin": "((((....))))",
    "bulge": "((((.(((....)))))))",
    "twins": "((((....))))..((((....))))",
    "fork": "(((..((((....))))..((((....))))..)))",
    "clover": "((((..(((....)))..(((....)))..(((....)))..))))",
    "ladder": "((((..((((..((((..((((....))))..))))..))))..))))",
}
"""Shapes of our own, by name, from easy to hard."""
LIKELY = {
    "GC": 0.4,
    "CG": 0.4,
    "AU": 0.07,
    "UA": 0.07,
    "GU": 0.03,
    "UG": 0.03,
    "A": 0.85,
    "G": 0.07,
    "U": 0.05,
    "C": 0.03,
}
"""Eight of ten pairs are stable ones, and free bases are A: what a search should try before it has learned anything."""
HUNDREDTH = 0.01


def vienna() -> Any:
    """ViennaRNA's module."""
    try:
        import RNA
    except ImportError:
        raise InputError("inverse folding needs ViennaRNA: pip install 'rookery[rna]'") from None
    return RNA


class InverseRNA(PythonProblem):
    """Find a strand that folds into a shape (needs the extra ``rna``); the score is 0 if it does.

    A move is the bases of the next pair, or the next free base: pairs come first, as they open, then free bases. The
    score, to be minimised, is the number of base pairs in which the fold and the target differ, plus a hundredth of
    the energy in kcal/mol by which the target lies above the fold. The code of a move is its place and its bases. Its
    bias prefers the pairs GC and CG, and A for free bases (as GNRPA does: Cazenave and Fournier, 2020).

    Parameters
    ----------
    target
        hairpin, bulge, twins, fork, clover or ladder; dots and brackets; or a file of puzzles such as those of
        Eterna100 (text with tabs between columns, of which one holds the shapes)
    index
        which puzzle of the file, from 1
    weight
        how much the bias counts; 0: not at all

    >>> InverseRNA("((...))").target
    '((...))'
    """

    sense = "min"

    def __init__(self, target: str = "clover", index: int = 1, weight: float = 1.0) -> None:
        shape = TARGETS.get(target, target)
        if not re.fullmatch(r"[.()]+", shape):
            shape = puzzle(target, index)
        elif index != 1:
            raise InputError(f"index is for a file of puzzles, and none was given; got index {index}")
        self.target = shape
        self.weight = weight
        partner = partners(shape)
        pairs = [place for place, other in enumerate(partner) if other > place]
        self._partner = partner
        self._order = (*pairs, *(place for place, other in enumerate(partner) if other < 0))
        self._pairs = len(pairs)
        self._bias = {bases: math.log(share) for bases, share in LIKELY.items()}

    def parameters(self) -> dict[str, Any]:
        return {"target": self.target, "weight": self.weight}

    def start(self) -> str:
        return ""

    def moves(self, state: str) -> Sequence[str]:
        done = self._done(state)
        if done == len(self._order):
            return ()
        return PAIRS if done < self._pairs else FREE

    def _done(self, state: str) -> int:
        """How many moves were played: the state is their bases one after the other."""
        return len(state) // 2 if len(state) < 2 * self._pairs else len(state) - self._pairs

    def code(self, state: str, move: str) -> tuple[int, str]:
        return (self._order[self._done(state)], move)

    def bias(self, state: str, move: str) -> float:
        return self.weight * self._bias[move]

    def play(self, state: str, move: str) -> str:
        return state + move

    def copy(self, state: str) -> str:
        return state

    def score(self, state: str) -> float:
        rna = vienna()
        strand = self._strand(state)
        fold, energy = rna.fold(strand)
        if fold == self.target:
            return 0.0
        above = rna.energy_of_struct(strand, self.target) - energy
        return float(rna.bp_distance(fold, self.target)) + round(HUNDREDTH * max(0.0, above), 6)

    # --- for people ---

    def _strand(self, bases: str) -> str:
        """The strand of these bases, with N for those that are missing."""
        strand = ["N"] * len(self.target)
        for place in self._order[: self._done(bases)]:
            strand[place], bases = bases[0], bases[1:]
            if self._partner[place] >= 0:
                strand[self._partner[place]], bases = bases[0], bases[1:]
        return "".join(strand)

    def strand(self, moves: Sequence[str]) -> str:
        """The strand after these moves, with N for bases that are missing.

        >>> InverseRNA("((...))").strand(["GC", "AU", "A"])
        'GAANNUC'
        """
        return self._strand("".join(moves))

    def write(self, moves: Sequence[str]) -> str:
        """The strand in letters."""
        return self.strand(moves) + "\n"

    def draw(self, moves: Sequence[str]) -> str:
        """The strand above the target."""
        return f"{self.strand(moves)}\n{self.target}"

    def read(self, text: str) -> tuple[str, ...]:
        """The moves of a strand.

        >>> InverseRNA("((...))").read("GAAAAUC")
        ('GC', 'AU', 'A', 'A', 'A')
        """
        strand = "".join(text.split()).upper().replace("T", "U")
        if len(strand) != len(self.target) or set(strand) - set(FREE):
            raise InputError(f"a strand must be {len(self.target)} of the letters A, C, G and U, got {brief(strand)}")
        pairs = [strand[k] + strand[self._partner[k]] for k in self._order[: self._pairs]]
        return (*pairs, *(strand[k] for k in self._order[self._pairs :]))

    def picture(self, moves: Sequence[str]) -> Drawing:
        """The strand in colours, with an arc for each pair of the target."""
        strand, side = self.strand(moves), 16.0
        widest = max((other - place for place, other in enumerate(self._partner)), default=0)
        foot = 20 + min(240.0, widest * side / 4)
        drawing = Drawing(side * len(strand) + 20, foot + side + 10)
        for place, other in enumerate(self._partner):
            if other > place:
                left, right = (10 + side * (k + 0.5) for k in (place, other))
                top = foot - min(240.0, (other - place) * side / 4)
                for a, b in (((left, foot), (left, top)), ((left, top), (right, top)), ((right, top), (right, foot))):
                    drawing.line(*a, *b, colour=FRAME)
        for place, base in enumerate(strand):
            if base != "N":
                tile(drawing, (10 + side * place + 1, foot, side - 2, side), FREE.index(base), base)
        return drawing


def partners(shape: str) -> list[int]:
    """The place that each place is paired with; -1 for a free one.

    >>> partners("(...)")
    [4, -1, -1, -1, 0]
    """
    found, opened = [-1] * len(shape), []
    for place, mark in enumerate(shape):
        if mark == "(":
            opened.append(place)
        elif mark == ")":
            if not opened:
                raise InputError(
                    f"a target must have a bracket ( for each ), place {place + 1} has none: {brief(shape)}"
                )
            found[place] = opened.pop()
            found[found[place]] = place
            if place - found[place] < 4:
                raise InputError(f"a target must have three bases within each pair, place {place + 1} has fewer")
    if opened:
        raise InputError(f"a target must have a bracket ) for each (, place {opened[-1] + 1} has none: {brief(shape)}")
    return found


def puzzle(path: str, index: int) -> str:
    """The shape of a puzzle in a file: lines with tabs between columns; the first of dots and brackets counts."""
    try:
        lines = as_text(file_bytes(path)).splitlines()
    except InputError as error:
        names = ", ".join(TARGETS)
        raise InputError(f"target must be {names}, dots and brackets, or a file: {error}") from None
    shapes = []
    for number, line in enumerate(lines, 1):
        shape = next((word for word in line.split("\t") if re.fullmatch(r"[.()]{2,}", word.strip())), None)
        if shape is not None:
            shapes.append(shape.strip())
        elif line.strip() and number > 1:  # the first may hold the names of the columns
            raise InputError(f"{path} is not a file of puzzles: line {number}: no column has dots and brackets alone")
    if not 1 <= index <= len(shapes):
        raise InputError(f"index must be 1 to {len(shapes)}, the puzzles in {path}, got {index}")
    return shapes[index - 1]
