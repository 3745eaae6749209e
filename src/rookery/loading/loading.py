"""Problems and games by name: a built-in one, or a class in a user's file, with parameters given as text."""

from __future__ import annotations

import inspect
import math
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from rookery.arguments import shown
from rookery.errors import InputError, RookeryError
from rookery.game import Game, PythonGame
from rookery.loading.kinds import EITHER, GAME, PROBLEM, Kind
from rookery.problem import Problem, PythonProblem
from rookery.user_code import describe_exception

AnyProblem = Problem | PythonProblem
AnyGame = Game | PythonGame


def load_problem(name: str, parameters: Mapping[str, Any] | None = None) -> AnyProblem:
    """Make a problem from its name and its parameters, as the command line does.

    The name is a built-in or registered one, ``path/to/file.py:Class``, or ``module:Class`` of a module that can be
    imported. Parameters are those of the class's ``build``, or of its constructor if it has none; texts are read as
    their annotations say. So ``load_problem(result.problem, result.parameters)`` is the problem of a result.

    >>> load_problem("leftmove", {"depth": "9"}), load_problem("leftmove", {"depth": 9})
    (LeftMove(depth=9), LeftMove(depth=9))
    """
    return cast("AnyProblem", _load(PROBLEM, name, parameters or {}))


def load_game(name: str, parameters: Mapping[str, Any] | None = None) -> AnyGame:
    """Make a game from its name and its parameters, as the command line does: see :func:`load_problem`.

    >>> load_game("breakthrough", {"size": "5"}).parameters()["size"]
    5
    """
    return cast("AnyGame", _load(GAME, name, parameters or {}))


def load_any(name: str, parameters: Mapping[str, Any] | None = None) -> AnyProblem | AnyGame:
    """Make a problem or a game, whichever has this name: see :func:`load_problem`.

    >>> load_any("domineering", {"size": "5"})
    Domineering(width=5, height=5)
    """
    return cast("AnyProblem | AnyGame", _load(EITHER, name, parameters or {}))


def builtin_problems() -> dict[str, str]:
    """The built-in problems: name -> description.

    >>> sorted(builtin_problems())[:4]
    ['colouring', 'conjecture', 'crossword', 'independentset']
    """
    return PROBLEM.descriptions()


def builtin_games() -> dict[str, str]:
    """The built-in games: name -> description.

    >>> len(builtin_games())
    15
    """
    return GAME.descriptions()


def builtin_name(cls: type) -> str | None:
    """The name of the class of a built-in problem or game; None for any other class.

    >>> import rookery as rk
    >>> builtin_name(rk.problems.TSP)
    'tsp'
    """
    return EITHER.name_of(cls)


def problem_parameters(problem: str | type[AnyProblem]) -> tuple[Parameter, ...]:
    """The parameters of a problem, by its name or class: of ``build``, or of the constructor if it has none.

    >>> [(p.name, p.default) for p in problem_parameters("tsp")]
    [('n', 50), ('seed', 0), ('code', 'directed')]
    """
    return class_parameters(PROBLEM.find(problem) if isinstance(problem, str) else problem)


def game_parameters(game: str | type[AnyGame]) -> tuple[Parameter, ...]:
    """The parameters of a game, by its name or class: see :func:`problem_parameters`.

    >>> game_parameters("breakthrough")[0].name
    'size'
    """
    return class_parameters(GAME.find(game) if isinstance(game, str) else game)


def _load(kind: Kind, name: str, parameters: Mapping[str, Any]) -> Any:
    cls = kind.find(name)
    given = kind.adapter(name)[1]
    if given and parameters.get("game", given) != given:
        raise InputError(f"{name} names its game: -p game cannot be another, got {shown(parameters['game'])}")
    parameters = {**parameters, "game": given} if given else parameters
    maker = maker_from(cls, parameters)
    values = read_parameters(cls, name, parameters, maker)
    try:
        made = maker(**values)
    except RookeryError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{name} cannot be made: {describe_exception(error)}") from error
    if not isinstance(made, kind.bases):
        raise InputError(f"{name}: build must return a {kind.word}, got {shown(made)}")
    object.__setattr__(made, "_loaded_as", name)
    return made


# --- parameters as text ---


@dataclass(frozen=True)
class Parameter:
    """A parameter of a problem; ``default`` is ``inspect.Parameter.empty`` for one that must be given.

    >>> Parameter("n", int, 50).kind
    'a whole number'
    """

    name: str
    annotation: Any
    default: Any

    @property
    def kind(self) -> str | None:
        """What a value must be, in words; None if it cannot be read from text."""
        kinds = ", ".join(words for words, _ in _readers(self.annotation))
        return " or ".join(kinds.rsplit(", ", 1)) or None

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty

    def read(self, given: Any) -> Any:
        """Its value from text, read as the first of its types that fits; or from a value as results hold it.

        >>> Parameter("most", int | None, None).read("5"), Parameter("n", int, 50).read(7)
        (5, 7)
        """
        if not isinstance(given, str) and (self.kind is None or (given is None and self.default is None)):
            return given
        for _, read in _readers(self.annotation):
            try:
                return read(str(given))
            except (KeyError, ValueError):
                continue
        raise InputError(f"-p {self.name} must be {self.kind}, got {shown(given)}")


def _types(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, None first; of any other annotation, itself."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return (annotation,)
    return tuple(sorted(typing.get_args(annotation), key=lambda kind: kind is not type(None)))


def _whole(text: str) -> int:
    if not text.isascii():  # Python reads digits of all scripts
        raise ValueError("not a number")
    return int(text)


def _number(text: str) -> float:
    value = float(text) if text.isascii() else math.nan
    if value != value:
        raise ValueError("not a number")
    return value


_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    type(None): ("none", lambda text: {"none": None}[text.lower()]),
    bool: ("true or false", lambda text: {"true": True, "yes": True, "false": False, "no": False}[text.lower()]),
    int: ("a whole number", _whole),
    float: ("a number", _number),
    str: ("a text", str),
    Any: ("a text", str),
    Path: ("a path", Path),
}
"""What a value of each type must be, in words, and how it is read from text."""


def _readers(annotation: Any) -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The readers of an annotation's types, without those that cannot be given as text."""
    for kind in _types(annotation):
        if typing.get_origin(kind) is typing.Literal:
            choices = {str(choice): choice for choice in typing.get_args(kind)}
            yield ", ".join(choices), choices.__getitem__
        yield from (reader for known, reader in _READERS.items() if known is kind)


def class_parameters(cls: type, maker: Callable[..., Any] | None = None) -> tuple[Parameter, ...]:
    """The parameters of what makes a problem: by default ``build``, or the constructor if there is none."""
    maker = maker_of(cls) if maker is None else maker
    hints = _hints(cls) | _hints(inspect.getattr_static(cls, "__init__")) if maker is cls else _hints(maker)
    found = []
    for p in inspect.signature(maker).parameters.values():
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            untyped = type(p.default) if isinstance(p.default, (bool, int, float)) else str
            found.append(Parameter(p.name, hints.get(p.name, untyped if p.annotation is p.empty else None), p.default))
    return tuple(found)


def maker_of(cls: type) -> Callable[..., Any]:
    """What makes a problem or a game from simple values: its ``build``, or the class itself."""
    if not hasattr(cls, "build"):
        return cls
    if not isinstance(inspect.getattr_static(cls, "build"), (classmethod, staticmethod)):
        raise InputError(f"{cls.__name__}.build must be a classmethod: put @classmethod above it")
    return cast("Callable[..., Any]", cls.build)


def maker_from(cls: type, given: Mapping[str, Any]) -> Callable[..., Any]:
    """What makes a problem from these parameters: ``build``, or the class if it alone has parameters of these names.

    A problem that was made without ``build`` has its fields as parameters: they tell the two apart.
    """
    maker = maker_of(cls)
    if maker is cls or set(given) <= {p.name for p in class_parameters(cls)}:
        return maker
    own = class_parameters(cls, cls)
    readable = {p.name for p in own if p.kind is not None}
    needed = {p.name for p in own if p.required}
    return cls if needed <= set(given) <= readable else maker


def _hints(owner: Any) -> dict[str, Any]:
    """Resolved annotations; those that cannot be resolved are left out."""
    try:
        return typing.get_type_hints(owner)
    except Exception:
        scope = getattr(inspect.unwrap(owner), "__globals__", None) or vars(sys.modules[owner.__module__])
        found = {}
        for name, annotation in inspect.get_annotations(owner).items():
            try:
                found[name] = eval(annotation, scope) if isinstance(annotation, str) else annotation
            except Exception:
                continue
        return found


def read_parameters(
    cls: type, name: str, given: Mapping[str, Any], maker: Callable[..., Any] | None = None
) -> dict[str, Any]:
    """Values for ``build`` or the constructor, each as its annotation says."""
    known = {p.name: p for p in class_parameters(cls, maker)}
    for key in given:
        if key not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{name} has no parameter {key!r}; {there}")
    for p in known.values():
        if p.kind is None and isinstance(given.get(p.name, "" if p.required else None), str):
            needs = f"{cls.__name__} needs a classmethod build(cls, ...)"
            raise InputError(f"{name}: {p.name} cannot be given on the command line; {needs} that makes it")
        if p.required and p.name not in given:
            raise InputError(f"{name} needs {p.name}, {p.kind}: -p {p.name}=...")
    return {key: known[key].read(value) for key, value in given.items()}
