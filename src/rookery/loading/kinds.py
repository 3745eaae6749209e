"""What has a name: problems, games and searches that come with the library, are registered, or are in a file."""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import inspect
import os
import types
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from rookery.arguments import shown
from rookery.errors import InputError, RookeryWarning
from rookery.game import Game, PythonGame
from rookery.loading.modules import import_named, run_file, split_name
from rookery.problem import Problem, PythonProblem
from rookery.search.game_search import GameSearch
from rookery.search.protocol import Search
from rookery.user_code import describe_exception

BUILTIN_PROBLEMS = {
    "colouring": "rookery.problems.colouring:Colouring",
    "conjecture": "rookery.problems.conjecture:GraphConjecture",
    "crossword": "rookery.problems.crossword.board:Crossword",
    "independentset": "rookery.problems.independent_set:IndependentSet",
    "jobshop": "rookery.problems.jobshop:JobShop",
    "leftmost": "rookery.problems.leftmove:LeftmostPath",
    "leftmove": "rookery.problems.leftmove:LeftMove",
    "morpion": "rookery.problems.morpion.board:Morpion",
    "morpion-tuned": "rookery.problems.morpion.tuned:TunedMorpion",
    "rna": "rookery.problems.rna:InverseRNA",
    "samegame": "rookery.problems.samegame.game:SameGame",
    "samegame-soft": "rookery.problems.samegame.soft:SoftSameGame",
    "schur": "rookery.problems.schur:WeakSchur",
    "snake": "rookery.problems.snake:Snake",
    "sudoku": "rookery.problems.sudoku.board:Sudoku",
    "tsp": "rookery.problems.tsp:TSP",
    "tsp-near": "rookery.problems.tsp:NearTSP",
    "tsptw": "rookery.problems.tsptw:TSPTW",
}
"""Name -> module and class of the problems that come with the library."""

BUILTIN_GAMES = {
    "amazons": "rookery.games.amazons:Amazons",
    "atarigo": "rookery.games.atarigo:AtariGo",
    "breakthrough": "rookery.games.breakthrough:Breakthrough",
    "connectfour": "rookery.games.connectfour:ConnectFour",
    "domineering": "rookery.games.domineering:Domineering",
    "go": "rookery.games.go:Go",
    "gomoku": "rookery.games.gomoku:Gomoku",
    "hex": "rookery.games.hex:Hex",
    "knightthrough": "rookery.games.knightthrough:Knightthrough",
    "misere-breakthrough": "rookery.games.breakthrough:MisereBreakthrough",
    "misere-domineering": "rookery.games.domineering:MisereDomineering",
    "misere-knightthrough": "rookery.games.knightthrough:MisereKnightthrough",
    "misere-nogo": "rookery.games.nogo:MisereNoGo",
    "nogo": "rookery.games.nogo:NoGo",
    "othello": "rookery.games.othello:Othello",
}
"""Name -> module and class of the games that come with the library."""

ADAPTED_GAMES = {"openspiel": "rookery.adapters.spiel_game:OpenSpielGame"}
"""Name -> module and class of games that other libraries have, named after a colon: openspiel:tic_tac_toe."""

BUILTIN_SEARCHES = {
    "nrpa": "rookery.search.nrpa:NRPA",
    "nmcs": "rookery.search.nmcs:NMCS",
    "lazynmcs": "rookery.search.lazy:LazyNMCS",
    "reflexive": "rookery.search.reflexive:Reflexive",
    "beam": "rookery.search.beam:BeamSearch",
    "uct": "rookery.search.uct:UCT",
    "spmcts": "rookery.search.uct:SPMCTS",
    "sampling": "rookery.search.sampling:Sampling",
    "tempering": "rookery.search.tempering:Tempering",
    "annealing": "rookery.search.annealing:Annealing",
    "auto": "rookery.search.auto:Auto",
}
"""Name -> module and class of the searches for one agent."""


@dataclass(frozen=True)
class Kind:
    """Something that is found by name.

    Parameters
    ----------
    word
        the word for one of them
    builtin
        what comes with the library: name -> module and class
    bases
        the classes that a user derives from
    groups
        the entry points in which other distributions register theirs
    adapted
        what other libraries have: name -> module and class, whose parameter ``game`` is given after a colon
    """

    word: str
    builtin: Mapping[str, str]
    bases: tuple[type, ...]
    groups: tuple[str, ...]
    adapted: Mapping[str, str] = field(default_factory=dict)

    def has(self, value: Any) -> bool:
        """Whether this is a class of the kind."""
        return isinstance(value, type) and issubclass(value, self.bases) and value not in self.bases

    def check(self, name: str, value: Any) -> None:
        """Refuse an argument that is not an instance of a class of the kind.

        >>> SEARCH.check("search", "nrpa")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rookery.errors.InputError: search must be NRPA, NMCS, ..., Annealing or Auto, got 'nrpa'
        """
        if not isinstance(value, self.bases):
            *classes, last = (place.partition(":")[2] for place in self.builtin.values())
            raise InputError(f"{name} must be {', '.join(classes)} or {last}, got {shown(value)}")

    def find(self, name: str) -> type:
        """The class of this name, ``path/to/file.py:Class``, or ``module:Class``."""
        known = self.find_known(self.adapter(name)[0])
        if known is not None:
            return known
        path, class_name = split_name(name)
        if path is not None:
            is_path = os.path.exists(path) and not os.path.isfile(path / "__init__.py")
            module = None if is_path else import_named(str(path))
            return self._in_file(path, class_name) if module is None else self._in_module(module, path, class_name)
        for other in (PROBLEM, GAME, SEARCH):
            if name in other.builtin:
                others = f"{self.word}s are {', '.join(self.builtin)}"
                raise InputError(f"{name} is a {other.word}, not a {self.word}: {others}")
        close = difflib.get_close_matches(name.lower(), self.builtin, n=1, cutoff=0.5)
        meant = f"did you mean {close[0]}? " if close and os.sep not in name else ""
        there = f"{meant}there are {', '.join(self.names())}, and your own as file.py:Class"
        raise InputError(f"unknown {self.word} {shown(name)}: {there}")

    def adapter(self, name: str) -> tuple[str, str]:
        """The name of an adapter and what is given to it after a colon; any other name and nothing.

        >>> GAME.adapter("openspiel:hex(board_size=5)"), GAME.adapter("hex")
        (('openspiel', 'hex(board_size=5)'), ('hex', ''))
        """
        first, _, given = name.partition(":")
        return (first, given) if first in self.adapted else (name, "")

    def find_known(self, name: str) -> type | None:
        """The class of a built-in, adapted or registered name; None if there is none."""
        known = {**self.builtin, **self.adapted}
        if name in known:
            return _named(known[name])
        entry = self._registered().get(name)
        return None if entry is None else self._loaded(name, entry)

    def names(self) -> list[str]:
        """The built-in names, then the registered ones; nothing is loaded."""
        return [*self.builtin, *self._registered()]

    def classes(self) -> dict[str, type]:
        """All classes that have a name; a warning is given for a registered one that cannot be loaded."""
        found = {name: _named(place) for name, place in self.builtin.items()}
        for name, entry in self._registered(warn=True).items():
            try:
                found[name] = self._loaded(name, entry)
            except InputError as error:
                warnings.warn(str(error), RookeryWarning, stacklevel=2)
        return found

    def descriptions(self) -> dict[str, str]:
        """Name -> the first line of its docstring."""
        texts = {name: inspect.getdoc(cls) or "" for name, cls in self.classes().items()}
        return {name: text.partition("\n")[0].replace("``", "") for name, text in texts.items()}

    def name_of(self, cls: type) -> str | None:
        """The built-in name of a class."""
        place = f"{cls.__module__}:{cls.__qualname__}"
        return next((name for name, known in self.builtin.items() if known == place), None)

    def _registered(self, warn: bool = False) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for group in self.groups:
            for entry in importlib.metadata.entry_points(group=group):
                if entry.name not in self.builtin:
                    found[entry.name] = entry
                elif warn:
                    taken = f"{_plug_in(entry)} is left out: {entry.name} is the name of a built-in {self.word}"
                    warnings.warn(taken, RookeryWarning, stacklevel=3)
        return dict(sorted(found.items()))

    def _loaded(self, name: str, entry: Any) -> type:
        try:
            found = entry.load()
        except (Exception, SystemExit) as error:
            raise InputError(f"{_plug_in(entry)} cannot be loaded: {describe_exception(error)}") from error
        if not self.has(found):
            bases = " or ".join(base.__name__ for base in self.bases)
            raise InputError(f"{_plug_in(entry)} is not a subclass of rookery.{bases}, but {shown(found)}")
        return cast("type", found)

    def _in_file(self, path: Path, class_name: str) -> type:
        """The class of this kind and name in a user's file."""
        return self._in_module(run_file(path), path, class_name)

    def _in_module(self, module: types.ModuleType, path: Path, class_name: str) -> type:
        known = [name for name, value in vars(module).items() if self.has(value)]
        there = f"it has {', '.join(known)}" if known else f"it has no {self.word} class"
        if not class_name:
            example = known[0] if known else f"My{self.word.split()[0].capitalize()}"
            raise InputError(f"{path} needs the name of a class, as in {path}:{example}")
        found: Any = module
        for part in class_name.split("."):  # a class inside a class has a name with a dot
            found = getattr(found, part, None)
        if found is None:
            raise InputError(f"{path} has no class {class_name}; {there}")
        if not self.has(found):
            bases = " or ".join(base.__name__ for base in self.bases)
            raise InputError(f"{class_name} in {path} is not a subclass of rookery.{bases}; {there}")
        return cast("type", found)


def _named(place: str) -> type:
    module, _, qualname = place.partition(":")
    return cast("type", getattr(importlib.import_module(module), qualname))


def _plug_in(entry: Any) -> str:
    word = {
        "rookery.problems": "problem",
        "rookery.games": "game",
        "rookery.searches": "search",
        "rookery.game_searches": "search for games",
    }[entry.group]
    distribution = getattr(entry.dist, "name", None)
    return f"the {word} {entry.name} of " + (f"the plug-in {distribution}" if distribution else "a plug-in")


PROBLEM = Kind("problem", BUILTIN_PROBLEMS, (Problem, PythonProblem), ("rookery.problems",))
GAME = Kind("game", BUILTIN_GAMES, (Game, PythonGame), ("rookery.games",), ADAPTED_GAMES)
SEARCH = Kind("search", BUILTIN_SEARCHES, (Search,), ("rookery.searches",))
GAME_SEARCH = Kind(
    word="search for games",
    builtin={
        "ppa": "rookery.search.ppa:PPA",
        "ppaf": "rookery.search.ppa:PPAF",
        "ppafm": "rookery.search.ppa:PPAFM",
        "uct": "rookery.search.game_uct:GameUCT",
        "rave": "rookery.search.grave:RAVE",
        "grave": "rookery.search.grave:GRAVE",
        "mast": "rookery.search.mast:MAST",
        "flat": "rookery.search.flat:FlatMC",
    },
    bases=(GameSearch,),
    groups=("rookery.game_searches",),
)
EITHER = Kind(
    "problem or game",
    BUILTIN_PROBLEMS | BUILTIN_GAMES,
    PROBLEM.bases + GAME.bases,
    PROBLEM.groups + GAME.groups,
    ADAPTED_GAMES,
)


def name_of(loaded: Any) -> str:
    """The name that a problem or a game can be loaded by; else its module and class.

    >>> import rookery as rk
    >>> name_of(rk.load_problem("leftmove"))
    'leftmove'
    """
    cls = type(loaded)
    return loaded.__dict__.get("_loaded_as") or EITHER.name_of(cls) or f"{cls.__module__}:{cls.__qualname__}"
