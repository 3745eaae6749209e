"""The names of all findings about games, and a log of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rookery.checking.catalogue import CATALOGUE, Kind, Level
from rookery.checking.report import Log
from rookery.errors import InputError
from rookery.game import Game, PythonGame

_OF_PROBLEMS_ALONE = (
    *("bad-problem", "not-a-sequence", "code-out-of-range", "key-inconsistent", "score-not-finite", "bias-not-finite"),
    *("bias-too-large", "count-nth-disagree", "choose-out-of-range", "choose-changes-moves", "commute-not-symmetric"),
    *("commute-untruthful", "codes-come-back", "codes-generous"),
)
_ERRORS = {
    "bad-game": ("a function, `limits`, `layout` or `constants` is missing or not as it must be", "see the text"),
    "not-a-sequence": ("`moves` of a `PythonGame` returns something that is no sequence", "return a list"),
    "negative-move": ("a move is below 0", "number the moves from 0 on"),
    "move-not-hashable": ("a move of a `PythonGame` cannot be hashed", "let moves be numbers, texts or tuples"),
    "bad-player": ("`player` is neither 0 nor 1", "return who is to move"),
    "bad-winner": ("`winner` of a finished game is not -1, 0 or 1", "return who has won, or -1 for a draw"),
    "code-out-of-range": ("`code` is outside 0 to codes - 1", "declare more codes"),
    "playout-moves-illegal": ("`playout_moves` has a move that `moves` has not", "list legal moves only"),
    "playout-moves-empty": ("`playout_moves` is empty, but the game is not over", "leave at least one move"),
    "sample-illegal": ("`sample` draws a move that playouts do not choose from", "draw one of `playout_moves`"),
    "sample-ends": ("`sample` says that the game is over and it is not, or the reverse", "return -1 at the end alone"),
    "sample-uneven": ("`sample` draws some moves more often than others", "make each equally likely"),
    "playout-differs": ("`playout` does not play as `sample` does", "draw the same moves from the same stream"),
    "key-not-hashable": ("`key` returns something that cannot be hashed", "return a tuple, a text or a number"),
    "key-ignores-player": ("two positions of one `key` differ in who is to move", "put the player into the key"),
    "key-inconsistent": ("two positions of one `key` are not the same", "put all that matters into the key"),
    "key-misses-transposition": (
        "the same position has two keys",
        "let the key depend on the position alone, not on how it was reached",
    ),
    "bad-description": ("`describe_move` returns something that is no text", "return a text"),
    "move-not-read-back": ("`read_move` does not read what `describe_move` wrote", "make them agree"),
}

GAME_CATALOGUE: dict[str, Kind] = {
    **{name: Kind("error", *texts) for name, texts in _ERRORS.items()},
    **{name: kind for name, kind in CATALOGUE.items() if name not in _OF_PROBLEMS_ALONE},
}
"""Name -> level, meaning and advice."""


def check_game_names(allow: Iterable[str]) -> frozenset[str]:
    """The names of errors that are allowed, each checked to be one.

    >>> sorted(check_game_names(["key-misses-transposition"]))
    ['key-misses-transposition']
    """
    names = [allow] if isinstance(allow, str) else list(allow)
    errors = [name for name, kind in GAME_CATALOGUE.items() if kind.level == "error"]
    for name in names:
        if name not in errors:
            raise InputError(f"allow must name errors of a check, got {name!r}; there are {', '.join(errors)}")
    return frozenset(names)


class GameLog(Log):
    """Findings about a game as they are made.

    >>> class Empty(PythonGame): pass
    >>> log = GameLog(Empty())
    >>> log.add("bad-winner", "winner", "it is 3")
    >>> log.ok
    False
    """

    def __init__(self, game: Game | PythonGame, allow: frozenset[str] = frozenset()) -> None:
        super().__init__(game, allow)  # type: ignore[arg-type]

    def add(self, name: str, function: str, text: str, playout: Sequence[Any] = (), level: Level | None = None) -> None:
        """Note a finding; ``function`` is the name of a method of the game, or empty."""
        super().add(name, function, text, playout, level or GAME_CATALOGUE[name].level)
