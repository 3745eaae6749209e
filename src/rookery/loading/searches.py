"""Searches by name: a built-in or registered one, or a class in a user's file; what their parameters are."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, cast

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.loading.kinds import GAME_SEARCH, SEARCH
from rookery.loading.loading import Parameter
from rookery.loading.presets import is_preset_file, read_preset
from rookery.search.game_search import GameSearch
from rookery.search.protocol import Search


@dataclass(frozen=True)
class SearchParameter:
    """A parameter of a search, as its class describes it.

    Parameters
    ----------
    option
        its name on the command line, without dashes
    about
        what the docstring of the class says about it
    least
        the least whole number that the command line takes for it
    """

    name: str
    option: str
    annotation: Any
    default: Any
    about: str
    least: int = 1


def search_class(name: str) -> type[Search]:
    """The class of a search, by its name or as ``path/to/file.py:Class``.

    >>> search_class("nrpa").__name__
    'NRPA'
    """
    return cast("type[Search]", SEARCH.find(name))


def known_search(name: Any) -> type[Search] | None:
    """The class of a built-in or registered search; None if there is none of this name.

    >>> known_search("my_search.py:Mine")
    """
    return cast("type[Search] | None", SEARCH.find_known(name)) if isinstance(name, str) else None


def search_names() -> list[str]:
    """The names of all built-in and registered searches.

    >>> search_names()[:2]
    ['nrpa', 'nmcs']
    """
    return SEARCH.names()


def builtin_searches() -> dict[str, type[Search]]:
    """The searches that come with the library, by name.

    >>> list(builtin_searches())
    ['nrpa', 'nmcs', 'lazynmcs', 'reflexive', 'beam', 'uct', 'spmcts', 'sampling', 'tempering', 'annealing', 'auto']
    """
    return {name: search_class(name) for name in SEARCH.builtin}


def searches() -> dict[str, type[Search]]:
    """All searches that have a name; a registered one that cannot be loaded is left out, with a warning.

    >>> searches()["uct"].__name__
    'UCT'
    """
    return cast("dict[str, type[Search]]", SEARCH.classes())


def search_parameters(cls: type[Search]) -> dict[str, SearchParameter]:
    """The parameters of a search by name: types from annotations, descriptions from the docstring.

    >>> search_parameters(search_class("nrpa"))["alpha"].about
    'step of adapt'
    """
    hints, told = typing.get_type_hints(cls), _described(cls)
    return {
        f.name: SearchParameter(
            f.name,
            f.metadata.get("option", f.name),
            hints[f.name],
            None if f.default is MISSING else f.default,
            told.get(f.name, ""),
            f.metadata.get("least", 1),
        )
        for f in fields(cls)  # type: ignore[arg-type]
        if f.init
    }


def presets(cls: type[Search]) -> dict[str, Callable[..., Search]]:
    """The named settings of a search: its class methods that return one.

    >>> sorted(presets(search_class("nrpa")))
    ['nagorko', 'rosin']
    """
    found: dict[str, Callable[..., Search]] = {}
    names = [parent.__name__ for parent in cls.__mro__]
    for name, member in inspect.getmembers(cls, inspect.ismethod):
        if not name.startswith("_") and member.__annotations__.get("return") in names:
            found[name] = member
    return found


def make_search(name: str, values: Mapping[str, Any], preset: str | None = None) -> Search:
    """A search from its name, values of its parameters, and the name of one of its presets.

    >>> make_search("nmcs", {"level": 2}, preset="cazenave")
    NMCS(level=2, memorise=True, ties='random', sample=None, rule=None)
    """
    cls = search_class(name)
    known = search_parameters(cls)
    for key in values:
        if key not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{name} has no parameter {key!r}; {there}")
    if preset is None:
        search = cls(**values)
    else:
        maker = presets(cls).get(preset)
        if maker is None:
            there = f"its presets are {', '.join(presets(cls))}" if presets(cls) else "it has none"
            raise InputError(f"{name} has no preset {preset!r}; {there}")
        taken = {key: value for key, value in values.items() if key in inspect.signature(maker).parameters}
        search = maker(**taken)
        rest = {key: value for key, value in values.items() if key not in taken}
        search = replace(search, **rest) if rest else search  # type: ignore[type-var]
    if ":" in name or (known_search(name) is not None and not cls.__module__.startswith("rookery.")):
        object.__setattr__(search, "_loaded_as", name)
    return search


def _described(cls: type) -> dict[str, str]:
    """What the docstrings of a class and of its parents say about parameters, in the form of numpydoc."""
    told: dict[str, str] = {}
    for parent in reversed(cls.__mro__):
        section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", inspect.cleandoc(parent.__doc__ or ""), re.S | re.M)
        names: list[str] = []
        for line in section[1].splitlines() if section else ():
            if line and not line.startswith(" "):
                names = [name.strip() for name in line.split(",")]
                told |= dict.fromkeys(names, "")
            else:
                told |= {name: f"{told[name]} {line.strip()}".strip() for name in names}
    return told


def game_searches() -> dict[str, type[GameSearch]]:
    """All searches for games that have a name; a registered one that cannot be loaded is left out, with a warning.

    >>> list(game_searches())[:3]
    ['ppa', 'ppaf', 'ppafm']
    """
    return cast("dict[str, type[GameSearch]]", GAME_SEARCH.classes())


_OWN = re.compile(r"(.+\.py:\w+)(?::(.*))?", re.S)


def load_game_search(
    text: str, playouts: int | None = None, seconds: float | None = None, option: str = "a search"
) -> GameSearch:
    """Make a search for a move from its name and parameters, as the command line does.

    ``playouts`` and ``seconds`` are for a move, if the text does not say otherwise; with seconds alone there are as
    many playouts as there is time for. Errors begin with ``option``. A class of your own is ``file.py:Class``, with
    parameters after another colon; a preset that ``tune`` wrote is ``file.json``.

    >>> search = load_game_search("ppa:alpha=0.5,solver=true", playouts=200)
    >>> search.alpha, search.playouts, search.solver
    (0.5, 200, True)
    >>> load_game_search("flat", seconds=0.1)
    FlatMC(playouts=None, seconds=0.1)
    """
    tuned: dict[str, Any] = {}
    if is_preset_file(text) and _OWN.fullmatch(text) is None:
        preset = read_preset(text)
        text, tuned = preset.algorithm, dict(preset.values)
        if GAME_SEARCH.find_known(text) is None:
            what = "which must be given with its parameters instead" if ":" in text else "which is not one of a game"
            raise InputError(f"{option}: the preset is one of the search {shown(text)}, {what}")
    kind, given = _named(text, option)
    values = tuned | _values(kind, [] if given is None else given.split(","), option)
    if "playouts" not in values and "seconds" not in values:
        values |= {"playouts": playouts, "seconds": seconds} if playouts or seconds else {}
    elif "playouts" not in values:
        values["playouts"] = None
    try:
        return kind(**values)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    except TypeError:
        raise InputError(f"{option}: {kind.name} does not have all of the parameters of this preset") from None


def _named(text: str, option: str) -> tuple[type[GameSearch], str | None]:
    """The class that a text names, and what follows the colon after it."""
    own = _OWN.fullmatch(text)
    name, colon, rest = text.partition(":") if own is None else (own[1], own[2] is not None, own[2] or "")
    try:
        found = GAME_SEARCH.find_known(name) if own is None else GAME_SEARCH.find(name)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    if found is None:
        *first, last = GAME_SEARCH.names()
        names = f"{', '.join(first)} or {last}"
        raise InputError(f"{option} must be {names}, as in uct or ppa:alpha=0.5,playouts=2000, got {shown(text)}")
    return found, rest if colon else None


def _values(kind: type[GameSearch], texts: list[str], option: str) -> dict[str, Any]:
    """The parameters of a search, each read by its annotation."""
    hints = typing.get_type_hints(kind)
    known = {field.name: Parameter(field.name, hints[field.name], field.default) for field in fields(kind)}
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"{option}: parameters must be given as key=value, got {shown(text)}")
        if key not in known:
            raise InputError(f"{option}: {kind.name} has no parameter {shown(key)}; it has {', '.join(known)}")
        if key in values:
            raise InputError(f"{option}: {key} is given twice")
        try:
            values[key] = known[key].read(value)
        except InputError:
            raise InputError(f"{option}: {key} must be {known[key].kind}, got {shown(value)}") from None
    return values
