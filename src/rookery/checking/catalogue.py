"""The names of all findings: how grave each is, what it means, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rookery.errors import InputError

Level = Literal["error", "warning", "note"]


class Kind(NamedTuple):
    """What findings of one name have in common."""

    level: Level
    meaning: str
    advice: str


_ERRORS = {
    "bad-problem": ("a function, `limits`, `layout` or `constants` is missing or not as it must be", "see the text"),
    "exception": ("a function raises an exception", "mend the line that it names"),
    "does-not-return": (
        "a function runs for six times the time of the check",
        "see the line; if it is slow: more time",
    ),
    "not-a-number": ("a function returns something that is not a number of the right kind", "return one"),
    "not-a-sequence": ("`moves` of a `PythonProblem` returns something that is no sequence", "return a list"),
    "negative-count": ("`moves` returns a negative number", "return how many moves were written"),
    "too-many-moves": ("`moves` returns more than `limits` declares", "declare more, or find the excess"),
    "moves-not-written": ("`moves` counts moves that it did not write into `out`", "write every move that is counted"),
    "writes-past-out": ("`moves` writes beyond the moves that `limits` declares", "declare more moves"),
    "moves-not-distinct": ("a state has the same legal move twice", "list each move once"),
    "too-long": ("a playout is longer than `limits` declares", "declare a greater length, or see why it does not end"),
    "code-out-of-range": ("`code` is outside 0 to codes - 1", 'declare more codes, or `codes="hashed"`'),
    "code-not-hashable": ("`code` returns something that cannot be hashed", "return a tuple, a text or a number"),
    "codes-not-distinct": ("two legal moves of a state have one code", "put what tells them apart into the code"),
    "state-changed": ("a function that must not change the state does", "change the state in `play` only"),
    "not-deterministic": ("a function gives two answers on equal states", "let it depend on the state alone"),
    "score-not-finite": ("`score` is infinite or not a number", "see where the value comes from"),
    "bias-not-finite": ("`bias` is infinite or not a number", "see where the value comes from"),
    "bias-too-large": ("`bias` is above 600, where exp is cut off", "scale it: 10 is already a factor of 22,000"),
    "count-nth-disagree": ("`count` and `nth` list other moves than `moves`, or in another order", "make them agree"),
    "choose-out-of-range": ("`choose` returns something that is not an index", "return 0 to n - 1: not the move"),
    "choose-changes-moves": ("`choose` writes into the list of moves", "read it only"),
    "field-overflow": ("a value does not fit its field", "widen it in `layout`; if wrapping is meant, mask: `& 0xFF`"),
    "writes-constants": ("a function writes into a constant", "what changes belongs into the state"),
    "writes-globals": ("a function writes into an array of its module", "what changes belongs into the state"),
    "key-inconsistent": ("two states of one `key` have different legal moves", "hash all that decides the moves"),
    "commute-not-symmetric": ("`commute(a, b)` is not `commute(b, a)`", "let it not depend on the order"),
    "commute-untruthful": ("two moves are said to commute, but their order matters", "return False for them"),
    "copy-shares": ("playing on a copy changes the original", "copy all that `play` changes"),
    "compile-error": ("a function cannot be compiled", "see the text"),
    "compiled-exception": ("a compiled function raises an exception", "mend the function"),
    "compiled-differs": ("a compiled function differs from the same function interpreted", "see the text"),
}
_WARNINGS = {
    "codes-come-back": ("a code that was chosen is legal again later in the playout", "put the step into the code"),
    "narrow-arithmetic": (
        "interpreted, a sum or product of narrow fields overflows",
        "convert first: `int(s.a) * 300`",
    ),
    "no-playout": ("no playout was finished in the time given", "give more time"),
}
_NOTES = {
    "start-relies-on-zeros": ("`start` reads the state before it writes it", "nothing: it arrives zeroed"),
    "start-leaves-zeros": ("`start` leaves fields as they are, which is zero", "nothing, if zero is meant"),
    "rounding-differs": ("compiled and interpreted differ in the last digits of a float", "nothing"),
    "few-playouts": ("the time was over before all playouts were made", "give more time if you like"),
    "not-compared": ("something could not be checked", "see the text"),
    "codes-generous": (
        "`limits` declares very many codes, of which few were seen",
        '`codes="hashed"` needs less memory',
    ),
}

CATALOGUE: dict[str, Kind] = {
    **{name: Kind("error", *texts) for name, texts in _ERRORS.items()},
    **{name: Kind("warning", *texts) for name, texts in _WARNINGS.items()},
    **{name: Kind("note", *texts) for name, texts in _NOTES.items()},
}
"""Name -> level, meaning and advice."""


def check_names(allow: Iterable[str]) -> frozenset[str]:
    """The names of errors that are allowed, each checked to be one.

    >>> sorted(check_names(["field-overflow"]))
    ['field-overflow']
    """
    names = [allow] if isinstance(allow, str) else list(allow)
    for name in names:
        if name not in _ERRORS:
            raise InputError(f"allow must name errors of a check, got {name!r}; there are {', '.join(_ERRORS)}")
    return frozenset(names)
