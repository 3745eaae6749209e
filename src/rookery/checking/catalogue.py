"""The names of all findings: how serious each is, what it means, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.search.protocol import Search

Level = Literal["error", "warning", "note"]


class Meaning(NamedTuple):
    """What findings of one name have in common."""

    level: Level
    meaning: str
    advice: str


Texts = dict[str, tuple[str, str]]

_PROBLEM: Texts = {
    "bad-problem": ("a function, `limits`, `layout` or `constants` is missing or not as it must be", "see the text"),
    "not-a-sequence": ("`moves` of a `PythonProblem` returns something that is not a sequence", "return a list"),
    "code-out-of-range": ("`code` is outside 0 to codes - 1", 'declare more codes, or `codes="hashed"`'),
    "score-not-a-number": ("`score` is not a number", "find out why; rk.INFEASIBLE is for playouts that end badly"),
    "bias-not-finite": ("a bias is infinite or not a number", "find out where the value comes from"),
    "bias-too-large": ("`bias` is above 600, where exp is cut off", "scale it: 10 is already a factor of 22,000"),
    "bias-not-by-code": (
        "`bias_by_code` is True, but a code has two biases",
        "leave it out, or let codes tell them apart",
    ),
    "estimate-not-a-number": ("`estimate` is not a number", "find out why; rk.INFEASIBLE is for a state without hope"),
    "count-nth-disagree": ("`count` and `nth` list other moves than `moves`, or in another order", "make them agree"),
    "is-legal-disagrees": ("`is_legal` and `moves` do not agree on a move", "make them agree in every state"),
    "makes-negative": ("`makes` returns a number below 0", "name things by whole numbers from 0"),
    "needs-incomplete": (
        "a move cannot be played without another whose work it does not need",
        "name in `needs` all that it needs of what earlier moves have made",
    ),
    "undo-differs": (
        "a move was taken back, but the state is not as if it had never been played",
        "restore all that decides the legal moves and the score",
    ),
    "makers-untruthful": (
        "a move that `makers` lists cannot take the place of the one that has made the thing",
        "list only moves whose other needs are there; `clash` must be True of all moves that forbid it",
    ),
    "choose-out-of-range": ("`choose` returns something that is not an index", "return 0 to n - 1: not the move"),
    "choose-changes-moves": ("`choose` writes into the list of moves", "only read it"),
    "key-inconsistent": ("two states of one `key` have different legal moves", "hash all that decides the moves"),
    "commute-not-symmetric": ("`commute(a, b)` is not `commute(b, a)`", "make it independent of the order"),
    "commute-untruthful": ("two moves are said to commute, but their order matters", "return False for them"),
}
_GAME: Texts = {
    "bad-game": ("a function, `limits`, `layout` or `constants` is missing or not as it must be", "see the text"),
    "not-a-sequence": ("`moves` of a `PythonGame` returns something that is not a sequence", "return a list"),
    "negative-move": ("a move is below 0", "number the moves from 0"),
    "move-not-hashable": ("a move of a `PythonGame` cannot be hashed", "use numbers, strings or tuples as moves"),
    "bad-player": ("`player` is neither 0 nor 1", "return who is to move"),
    "bad-winner": ("`winner` of a finished game is not -1, 0 or 1", "return who has won, or -1 for a draw"),
    "code-out-of-range": ("`code` is outside 0 to codes - 1", "declare more codes"),
    "feature-out-of-range": ("`feature` is outside 0 to features - 1", "declare more features"),
    "feature-not-hashable": ("`feature` of a `PythonGame` cannot be hashed", "return a tuple, a text or a number"),
    "bias-not-finite": ("a bias is infinite or not a number", "find out where the value comes from"),
    "bad-prior": ("`prior` is negative, infinite or not a number", "return 0 for a move that should not be tried"),
    "bad-estimate": ("`estimate` is not within 0 to 1", "return the share of games that the first player wins"),
    "playout-moves-illegal": ("`playout_moves` has a move that `moves` does not have", "list legal moves only"),
    "playout-moves-empty": ("`playout_moves` is empty, but the game is not over", "leave at least one move"),
    "sample-illegal": ("`sample` draws a move that playouts do not choose from", "draw one of `playout_moves`"),
    "sample-ends": ("`sample` says that the game is over and it is not, or the reverse", "return -1 only at the end"),
    "sample-uneven": ("`sample` draws some moves more often than others", "make each equally likely"),
    "playout-differs": ("`playout` does not play as `sample` does", "draw the same moves from the same stream"),
    "key-not-hashable": ("`key` returns something that cannot be hashed", "return a tuple, a text or a number"),
    "key-ignores-player": ("two positions of one `key` differ in who is to move", "put the player into the key"),
    "key-inconsistent": ("two positions of one `key` are not the same", "put all that matters into the key"),
    "key-misses-transposition": (
        "the same position has two keys",
        "let the key depend on the position alone, not on how it was reached",
    ),
    "bad-description": ("`describe_move` returns something that is not a text", "return a text"),
    "move-not-read-back": ("`read_move` does not read what `describe_move` wrote", "make them agree"),
}
_BOTH: Texts = {
    "exception": ("a function raises an exception", "correct the line that it names"),
    "does-not-return": (
        "a function runs for six times the time of the check",
        "see the line; if it is only slow, give more time",
    ),
    "not-a-number": ("a function returns something that is not a number of the right kind", "return one"),
    "negative-count": ("`moves` returns a negative number", "return how many moves were written"),
    "too-many-moves": ("`moves` returns more than `limits` declares", "declare more, or find the excess"),
    "moves-not-written": ("`moves` counts moves that it did not write into `out`", "write every move that is counted"),
    "writes-past-out": ("`moves` writes beyond the moves that `limits` declares", "declare more moves"),
    "moves-not-distinct": ("a state has the same legal move twice", "list each move once"),
    "too-long": ("a playout is longer than `limits` declares", "declare a greater length, or see why it does not end"),
    "code-not-hashable": ("`code` returns something that cannot be hashed", "return a tuple, a text or a number"),
    "codes-not-distinct": ("two legal moves of a state have one code", "put what tells them apart into the code"),
    "state-changed": ("a function that must not change the state does", "change the state in `play` only"),
    "not-deterministic": ("a function gives two answers on equal states", "let it depend on the state alone"),
    "field-overflow": (
        "a value does not fit its field",
        "widen it in `layout`; if wrapping is intended, mask: `& 0xFF`",
    ),
    "writes-constants": ("a function writes into a constant", "what changes belongs in the state"),
    "writes-globals": ("a function writes into an array of its module", "what changes belongs in the state"),
    "copy-shares": ("playing on a copy changes the original", "copy all that `play` changes"),
    "compile-error": ("a function cannot be compiled", "see the text"),
    "compiled-exception": ("a compiled function raises an exception", "correct the function"),
    "compiled-differs": ("a compiled function differs from the same function interpreted", "see the text"),
}
_WARNINGS: Texts = {
    "codes-come-back": ("a code that was chosen is legal again later in the playout", "put the step into the code"),
    "narrow-arithmetic": (
        "interpreted, a sum or product of narrow fields overflows",
        "convert first: `int(s.a) * 300`",
    ),
    "no-playout": ("no playout was finished in the time given", "give more time"),
}
_NOTES: Texts = {
    "start-relies-on-zeros": ("`start` reads the state before it writes it", "nothing: it arrives zeroed"),
    "start-leaves-zeros": ("`start` leaves fields as they are, which is zero", "nothing, if zero is intended"),
    "rounding-differs": ("compiled and interpreted differ in the last digits of a float", "nothing"),
    "few-playouts": ("the time was over before all playouts were made", "give more time if you like"),
    "not-compared": ("something could not be checked", "see the text"),
    "codes-generous": (
        "`limits` declares very many codes, of which few were seen",
        '`codes="hashed"` needs less memory',
    ),
}


def _catalogue(errors: Texts, without: tuple[str, ...] = ()) -> dict[str, Meaning]:
    levels: dict[Level, Texts] = {"error": errors | _BOTH, "warning": _WARNINGS, "note": _NOTES}
    return {
        name: Meaning(level, *texts)
        for level, group in levels.items()
        for name, texts in group.items()
        if name not in without
    }


CATALOGUE = _catalogue(_PROBLEM)
"""Findings about problems: name -> level, meaning and advice."""
GAME_CATALOGUE = _catalogue(_GAME, without=("codes-come-back", "codes-generous"))
"""The same about games."""

SEARCH_CATALOGUE = {
    name: Meaning("error", *texts)
    for name, texts in {
        "answer-differs": (
            "the answer depends on workers, the atomic level, the executor, or on chance",
            "draw from streams of the task's key only",
        ),
        "budget-not-kept": ("a run does not have the playouts that it may have", "end when a playout says STOPPED"),
        "halt-ignored": ("a task goes on though it was asked to stop", "end when a playout says STOPPED"),
        "not-a-prefix": (
            "a run that ends by the clock is not the beginning of the run that goes on",
            "let no clock decide anything",
        ),
        "repeat-differs": (
            "many runs in one call have other scores than one by one",
            "name the row with the score in `Repeat`, and let a call rely on nothing that another has left",
        ),
        "resume-differs": (
            "a run that goes on from its checkpoint has another answer than one that was never stopped",
            "let `state` of the plan hold all that it takes to go on",
        ),
        "run-fails": ("a run ends with an error, where the first one did not", "see the text"),
        "seed-ignored": ("all seeds have the same answer", "draw from streams of the task's key"),
        "twin-differs": ("the twin in plain Python has another answer", "see which of the two is right"),
    }.items()
}
"""The same about searches."""


def catalogue_of(model: Any) -> Mapping[str, Meaning]:
    """The findings that there may be about a problem, a game or a search.

    >>> class Race(PythonGame): pass
    >>> "bad-winner" in catalogue_of(Race())
    True
    """
    if isinstance(model, Search):
        return SEARCH_CATALOGUE
    return GAME_CATALOGUE if isinstance(model, (Game, PythonGame)) else CATALOGUE


def check_names(allow: Iterable[str], catalogue: Mapping[str, Meaning]) -> frozenset[str]:
    """The names of errors that are allowed, each checked to be one.

    >>> sorted(check_names(["field-overflow"], CATALOGUE))
    ['field-overflow']
    """
    names = [allow] if isinstance(allow, str) else list(allow)
    errors = [name for name, kind in catalogue.items() if kind.level == "error"]
    for name in names:
        if name not in errors:
            raise InputError(f"allow must name errors of a check, got {name!r}; there are {', '.join(errors)}")
    return frozenset(names)
