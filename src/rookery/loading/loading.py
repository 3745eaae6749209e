"""Problems and games by name: a built-in one, or a class in a user's file, with parameters given as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from rookery.arguments import shown
from rookery.errors import InputError, RookeryError
from rookery.game import Game, PythonGame
from rookery.loading.kinds import EITHER, GAME, PROBLEM, Kind
from rookery.loading.parameter import Parameter, class_parameters, maker_from, read_parameters
from rookery.problem import Problem, PythonProblem
from rookery.user_code import describe_exception

AnyProblem = Problem | PythonProblem
AnyGame = Game | PythonGame


def load_problem(name: str, parameters: Mapping[str, Any] | None = None) -> AnyProblem:
    """Make a problem from its name and its parameters, as the command line does.

    The name is a built-in or registered one, ``path/to/file.py:Class``, or ``module:Class`` of a module that can be
    imported. Parameters are those of the class's ``build``, or of its constructor if it has none; texts are read by
    their annotations. So ``load_problem(result.problem, result.parameters)`` is the problem of a result.

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

    >>> sorted(builtin_problems())
    ['crossword', 'leftmost', 'leftmove', 'morpion', 'morpion-tuned', 'samegame', 'sudoku', 'tsp']
    """
    return PROBLEM.descriptions()


def builtin_games() -> dict[str, str]:
    """The built-in games: name -> description.

    >>> len(builtin_games())
    10
    """
    return GAME.descriptions()


def builtin_name(cls: type) -> str | None:
    """The name of the class of a built-in problem or game; None for any other class.

    >>> import rookery as rk
    >>> builtin_name(rk.problems.TSP)
    'tsp'
    """
    return EITHER.name_of(cls)


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
    return class_parameters(PROBLEM.find(problem) if isinstance(problem, str) else problem)


def game_parameters(game: str | type[AnyGame]) -> tuple[Parameter, ...]:
    """The parameters of a game, by its name or class: see :func:`problem_parameters`.

    >>> game_parameters("breakthrough")[0].name
    'size'
    """
    return class_parameters(GAME.find(game) if isinstance(game, str) else game)


def _load(kind: Kind, name: str, parameters: Mapping[str, Any]) -> Any:
    cls = kind.find(name)
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
