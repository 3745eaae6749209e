"""Problems and games by name: a built-in one, or a class in a user's file, with parameters given as text."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
import types
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from rookery.errors import InputError, RookeryError
from rookery.game import Game, PythonGame
from rookery.making import class_parameters, maker_of, read_parameters
from rookery.places import is_users, short_path
from rookery.problem import Problem, PythonProblem
from rookery.reading import Parameter
from rookery.search.parameters import shown

AnyProblem = Problem | PythonProblem
AnyGame = Game | PythonGame

BUILTIN = {
    "crossword": "rookery.problems.crossword.board:Crossword",
    "leftmost": "rookery.problems.leftmost:LeftmostPath",
    "leftmove": "rookery.problems.leftmove:LeftMove",
    "morpion": "rookery.problems.morpion.board:Morpion",
    "morpion-tuned": "rookery.problems.morpion.tuned:TunedMorpion",
    "samegame": "rookery.problems.samegame.game:SameGame",
    "sudoku": "rookery.problems.sudoku.board:Sudoku",
    "tsp": "rookery.problems.tsp:TSP",
}
"""Name -> module and class of the problems that come with the library."""

BUILTIN_GAMES = {
    "atarigo": "rookery.games.atarigo:AtariGo",
    "breakthrough": "rookery.games.breakthrough:Breakthrough",
    "domineering": "rookery.games.domineering:Domineering",
    "go": "rookery.games.go:Go",
    "knightthrough": "rookery.games.knightthrough:Knightthrough",
    "misere-breakthrough": "rookery.games.misere_breakthrough:MisereBreakthrough",
    "misere-domineering": "rookery.games.misere_domineering:MisereDomineering",
    "misere-knightthrough": "rookery.games.misere_knightthrough:MisereKnightthrough",
    "misere-nogo": "rookery.games.misere_nogo:MisereNoGo",
    "nogo": "rookery.games.nogo:NoGo",
}
"""Name -> module and class of the games that come with the library."""


@dataclass(frozen=True)
class _Kind:
    """What is loaded: a word for it, what comes with the library, the classes that a user derives from."""

    word: str
    builtin: Mapping[str, str]
    bases: tuple[type, ...]

    def has(self, value: Any) -> bool:
        """Whether this is a class of the kind."""
        return isinstance(value, type) and issubclass(value, self.bases) and value not in self.bases


_PROBLEM = _Kind("problem", BUILTIN, (Problem, PythonProblem))
_GAME = _Kind("game", BUILTIN_GAMES, (Game, PythonGame))
_EITHER = _Kind("problem or game", BUILTIN | BUILTIN_GAMES, _PROBLEM.bases + _GAME.bases)


def load_problem(name: str, parameters: Mapping[str, str] | None = None) -> AnyProblem:
    """Make a problem from its name and its parameters as text, as the command line does.

    The name is a built-in one or ``path/to/file.py:Class``. Parameters are read by the annotations of the
    class's ``build``, or of its constructor if it has none.

    >>> load_problem("leftmove", {"depth": "9"})
    LeftMove(depth=9)
    """
    return cast("AnyProblem", _load(_PROBLEM, name, parameters or {}))


def load_game(name: str, parameters: Mapping[str, str] | None = None) -> AnyGame:
    """Make a game from its name and its parameters as text, as the command line does: see :func:`load_problem`.

    >>> load_game("breakthrough", {"size": "5"}).parameters()["size"]
    5
    """
    return cast("AnyGame", _load(_GAME, name, parameters or {}))


def load_any(name: str, parameters: Mapping[str, str] | None = None) -> AnyProblem | AnyGame:
    """Make a problem or a game, whichever has this name: see :func:`load_problem`.

    >>> load_any("domineering", {"size": "5"})
    Domineering(width=5, height=5)
    """
    return cast("AnyProblem | AnyGame", _load(_EITHER, name, parameters or {}))


def builtin_problems() -> dict[str, str]:
    """The built-in problems: name -> description.

    >>> sorted(builtin_problems())
    ['crossword', 'leftmost', 'leftmove', 'morpion', 'morpion-tuned', 'samegame', 'sudoku', 'tsp']
    """
    return _descriptions(_PROBLEM)


def builtin_games() -> dict[str, str]:
    """The built-in games: name -> description.

    >>> len(builtin_games())
    10
    """
    return _descriptions(_GAME)


def builtin_name(cls: type) -> str | None:
    """The name of the class of a built-in problem or game; None for any other class.

    >>> import rookery as rk
    >>> builtin_name(rk.TSP)
    'tsp'
    """
    place = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name, known in (BUILTIN | BUILTIN_GAMES).items() if known == place), None)


def name_of(loaded: AnyProblem | AnyGame) -> str:
    """What a problem or a game would be loaded by; else its module and class.

    >>> name_of(load_problem("leftmove"))
    'leftmove'
    """
    cls = type(loaded)
    noted: str | None = loaded.__dict__.get("_loaded_as")
    return noted or builtin_name(cls) or f"{cls.__module__}:{cls.__qualname__}"


def problem_parameters(problem: str | type[AnyProblem]) -> tuple[Parameter, ...]:
    """The parameters of a problem, by its name or class: of ``build``, or of the constructor if it has none.

    >>> [(p.name, p.default) for p in problem_parameters("tsp")]
    [('n', 50), ('seed', 0)]
    """
    return class_parameters(_class_of(_PROBLEM, problem) if isinstance(problem, str) else problem)


def game_parameters(game: str | type[AnyGame]) -> tuple[Parameter, ...]:
    """The parameters of a game, by its name or class: see :func:`problem_parameters`.

    >>> game_parameters("breakthrough")[0].name
    'size'
    """
    return class_parameters(_class_of(_GAME, game) if isinstance(game, str) else game)


def describe_exception(error: BaseException) -> str:
    """An exception in one line: the place in the user's own code, if it passed there, its type and text.

    >>> describe_exception(ValueError("no such city"))
    'ValueError: no such city'
    """
    what = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # a slip in an exception class of the user's
        text = ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_users(frame.filename)]
    if frames:
        file, line, function, _ = frames[-1]
        inside = "" if function.startswith("<") else f" in {function}"
        what = f"{short_path(file)}:{line}: {what}{inside}"
    return f"{what}: {text}" if text else what


# --- classes ---


def _load(kind: _Kind, name: str, parameters: Mapping[str, str]) -> Any:
    cls = _class_of(kind, name)
    values = read_parameters(cls, name, parameters)
    try:
        made = maker_of(cls)(**values)
    except RookeryError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{name} cannot be made: {describe_exception(error)}") from error
    if not isinstance(made, kind.bases):
        raise InputError(f"{name}: build must return a {kind.word}, got {shown(made)}")
    object.__setattr__(made, "_loaded_as", name)
    return made


def _descriptions(kind: _Kind) -> dict[str, str]:
    texts = {name: inspect.getdoc(_class_of(kind, name)) or "" for name in kind.builtin}
    return {name: text.partition("\n")[0].replace("``", "") for name, text in texts.items()}


def _class_of(kind: _Kind, name: str) -> type:
    if name in kind.builtin:
        module, _, qualname = kind.builtin[name].partition(":")
        return cast("type", getattr(importlib.import_module(module), qualname))
    path, class_name = _split(name)
    if path is not None:
        return _class_in(kind, _run_file(path), path, class_name)
    for other in (_PROBLEM, _GAME):
        if name in other.builtin:
            raise InputError(f"{name} is a {other.word}, not a {kind.word}: {kind.word}s are {', '.join(kind.builtin)}")
    close = difflib.get_close_matches(name.lower(), kind.builtin, n=1, cutoff=0.5)
    meant = f"did you mean {close[0]}? " if close and os.sep not in name else ""
    there = f"{meant}there are {', '.join(kind.builtin)}, and your own as file.py:Class"
    raise InputError(f"unknown {kind.word} {shown(name)}: {there}")


def _split(name: str) -> tuple[Path | None, str]:
    """Path and class of ``file.py:Class``; no path if this is not the name of a file."""
    if name.endswith(".py"):
        return Path(name), ""
    path, _, class_name = name.rpartition(":")
    return (Path(path), class_name) if path else (None, "")


def _class_in(kind: _Kind, module: types.ModuleType, path: Path, class_name: str) -> type:
    """The class of this kind and name in a user's module."""
    known = [name for name, value in vars(module).items() if kind.has(value)]
    there = f"it has {', '.join(known)}" if known else f"it has no {kind.word} class"
    if not class_name:
        example = known[0] if known else f"My{kind.word.split()[0].capitalize()}"
        raise InputError(f"{path} needs the name of a class, as in {path}:{example}")
    if not hasattr(module, class_name):
        raise InputError(f"{path} has no class {class_name}; {there}")
    found = getattr(module, class_name)
    if not kind.has(found):
        bases = " or ".join(base.__name__ for base in kind.bases)
        raise InputError(f"{class_name} in {path} is not a subclass of rookery.{bases}; {there}")
    return cast("type", found)


# --- files ---


def _run_file(path: Path) -> types.ModuleType:
    """Run a user's file as a module; from its source, because Python's bytecode cache can be a second old.

    Its folder comes first on ``sys.path``, as when Python runs the file. Afterwards it comes last: functions
    that import later find their modules, and no file of the user's hides one that the library has yet to import.
    """
    try:
        full = Path(os.path.realpath(path))
        source = full.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        code = compile(source, str(full), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise InputError(f"{path} is not Python{line}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = error if isinstance(error, ValueError) else "nested too deeply"
        raise InputError(f"{path} is not Python: {reason}") from None
    name = f"rookery_user_{path.stem}_{hashlib.sha256(os.fsencode(full)).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None:
        raise InputError(f"{path} is not Python: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__rookery_source__"] = source  # other processes get the problem as it was loaded
    sys.modules[name] = module
    folder = str(full.parent)
    sys.path.insert(0, folder)
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise InputError(f"cannot import {describe_exception(error)}") from error
    finally:
        if folder in sys.path:  # the file may have changed it
            sys.path.remove(folder)
    if folder not in sys.path:
        sys.path.append(folder)
    return module
