"""``tournament``: every player meets every other in a match."""

from __future__ import annotations

import itertools
import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rookery._version import __version__
from rookery.arguments import numbered, shown, whole
from rookery.crews.hiring import check_executor
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH, name_of
from rookery.matches.decide import MOST_SEED
from rookery.matches.match import match
from rookery.matches.scores import MatchResult
from rookery.matches.standings import Tournament
from rookery.rng import mix_int, root_key
from rookery.running.callbacks import Callback
from rookery.running.progress import ProgressLine
from rookery.search.game_search import GameSearch

Pair = tuple[str, str]


def tournament(
    game: Game | PythonGame,
    players: Mapping[str, GameSearch] | Sequence[GameSearch],
    *,
    games: int = 200,
    seed: int | None = 1,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
    callbacks: Sequence[Callback] = (),
) -> Tournament:
    """Let every player meet every other in a match, and rate them.

    The games of a pair depend on the seed and on the two names alone, unless a search is limited by time: not on the
    other players and their order, nor on ``workers`` and ``executor``. Ctrl-C returns the games that are over, if there
    are any.

    Parameters
    ----------
    players
        the searches, by names of your choice or in a list
    games
        of each pair, an even number: each begins half of them
    seed
        None: one is drawn, and recorded in the result
    workers, executor, address
        games at the same time, and what plays them, as for :func:`rookery.match`
    folder
        each pair's match is recorded there, in a file of its own; what is there is not played again. So the same call
        continues a tournament that was interrupted; more games or more players extend it
    progress
        a line with the score of the current match on standard error
    callbacks
        observers of every match

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 5 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> players = {f"uct {n}": rk.GameUCT(playouts=n) for n in (2, 10, 50)}
    >>> done = rk.tournament(Race(), players, games=10)
    >>> list(done.ratings)[-1], done.complete
    ('uct 2', True)
    """
    named = _named(players)
    asked = whole("games", games, 2)
    if asked % 2:
        raise InputError(f"games must be an even number, so that both players of a pair begin as often, got {asked}")
    seed = secrets.randbits(53) if seed is None else whole("seed", seed, 0, MOST_SEED)
    at_once = check_executor(executor, workers, address)
    files = None if folder is None else _files(Path(folder), named)
    pairs: list[Pair] = list(itertools.combinations(sorted(named), 2))
    began = time.perf_counter()
    matches: dict[Pair, MatchResult] = {}
    run: dict[str, Any] = {"games": asked, "workers": workers, "executor": executor, "address": address}
    try:
        for number, pair in enumerate(pairs, 1):
            observers = list(callbacks)
            line = None
            if progress:
                title = f"{type(game).__name__} {number}/{len(pairs)}: {pair[0]} - {pair[1]}"
                observers.append(line := ProgressLine(title=title))
            record = None if files is None else files[pair]
            sides = (named[name] for name in pair)
            try:
                done = match(game, *sides, seed=pair_seed(seed, pair), record=record, callbacks=observers, **run)
            finally:
                if line is not None:
                    line.close()
            matches[pair] = done
            if done.status == "interrupted":
                break
    except KeyboardInterrupt:
        if not matches:
            raise
    missing = sum(asked - (matches[pair].games if pair in matches else 0) for pair in pairs)
    return Tournament(
        game=name_of(game),
        parameters=game.parameters(),
        players={name: search.parameters() for name, search in named.items()},
        matches=matches,
        asked=asked,
        seconds=time.perf_counter() - began,
        seed=seed,
        workers=at_once,
        executor=executor if isinstance(executor, str) else "executor",
        status="interrupted" if missing else "finished",
        version=__version__,
    )


def pair_seed(seed: int, pair: Pair) -> int:
    """The seed of a pair's match, made from that of the tournament and both names.

    >>> pair_seed(1, ("ppa", "uct")) == pair_seed(1, ("ppa", "uct")) != pair_seed(2, ("ppa", "uct"))
    True
    """
    digest = blake2b("\n".join(pair).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return mix_int(root_key(seed), int.from_bytes(digest, "little")) >> 11  # 53 bits: whatever reads JSON can hold it


def file_word(name: str) -> str:
    """The name of a player as files have it.

    >>> file_word("uct c=0.7 unvisited=first")
    'uct_c=0.7_unvisited=first'
    """
    return re.sub(r"[^\w.+=-]+", "_", name)


def _named(players: Any) -> dict[str, GameSearch]:
    if isinstance(players, Sequence) and not isinstance(players, str):
        for player in players:
            GAME_SEARCH.check("a player", player)
        players = numbered([(player.name, player) for player in players])
    if not isinstance(players, Mapping) or len(players) < 2:
        raise InputError(f"players must be at least two searches, got {shown(players)}")
    for name, player in players.items():
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"the name of a player must be a text, got {shown(name)}")
        GAME_SEARCH.check(f"player {shown(name)}", player)
    return dict(players)


def _files(folder: Path, players: Mapping[str, GameSearch]) -> dict[Pair, Path]:
    """Where each pair's match is recorded."""
    words: dict[str, str] = {}
    for name in players:
        word = file_word(name)
        if word in words:
            raise InputError(f"players must have names that differ as files do, got {words[word]!r} and {name!r}")
        words[word] = name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{shown(os.fspath(folder))} cannot hold a tournament: {error}") from None
    file = {name: word for word, name in words.items()}
    return {(a, b): folder / f"{file[a]}--{file[b]}.jsonl" for a, b in itertools.combinations(sorted(players), 2)}
