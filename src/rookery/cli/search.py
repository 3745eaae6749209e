"""The options of searches, made from what their classes say, and a search made from options."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import completion
from rookery.cli.options import DIGITS, key_values, number, per_level, shown, whole
from rookery.tools import (
    SearchParameter,
    builtin_searches,
    is_preset_file,
    make_search,
    presets,
    read_preset,
    search_class,
    search_names,
    search_parameters,
)

ANY = -(10**DIGITS)
"""The least whole number: the class of a user's own search says what is too small."""


@dataclass(frozen=True)
class Chosen:
    """What the options say about a search: ``texts`` by option without dashes, ``settings`` as ``--set KEY=VALUE``."""

    algorithm: str = "nrpa"
    texts: Mapping[str, Any] = field(default_factory=dict)
    preset: str | None = None
    settings: Sequence[str] = ()
    named: bool = True

    @classmethod
    def of(
        cls,
        algorithm: str | None,
        names: Sequence[str],
        texts: Mapping[str, Any],
        preset: str | None,
        more: Sequence[str],
    ) -> Chosen:
        """What was given: without an algorithm it is that of the preset's file, or the one that has all options."""
        if algorithm is None and preset is not None and is_preset_file(preset):
            algorithm = read_preset(preset).algorithm
            if ":" in algorithm:
                advice = f"--algorithm {algorithm}"
                raise rk.InputError(f"{preset} is a preset of a search of your own, which must be given: {advice}")
            return cls(algorithm, texts, preset, more, False)
        if algorithm is None:
            return cls(_having_all(names, texts, preset, more), texts, preset, more, False)
        return cls(algorithm, texts, preset, more)

    @property
    def given(self) -> bool:
        """Whether anything but the algorithm was given."""
        return bool(self.texts or self.preset or self.settings)

    @property
    def said(self) -> bool:
        """Whether anything at all was given."""
        return self.named or self.given

    def search(self, defaults: Mapping[str, str] | None = None, **run: Any) -> rk.Search:
        """The search; ``run`` are options of the run that must go with it. What is not given is left to the library.

        >>> Chosen("nrpa", {"level": "4", "ties": ["4:0.3"]}).search().ties
        {4: 0.3}
        """
        cls = self._class()
        known = {p.option: p for p in search_parameters(cls).values()}
        for option in self.texts:
            if option not in known:
                raise self._refused(option, [n for n, c in builtin_searches().items() if option in _options_of(c)])
        for option, value in run.items():
            if value is not None and option not in cls.options:
                raise self._refused(option, [n for n, c in builtin_searches().items() if option in c.options])
        texts = {option: text for option, text in (defaults or {}).items() if option in known} | dict(self.texts)
        values = {known[option].name: _read(known[option], text) for option, text in texts.items()}
        by_name = {p.name: p for p in known.values()}
        for key, text in key_values(self.settings, "--set").items():
            if key not in by_name:
                there = f"it has {', '.join(by_name)}" if by_name else "it has none"
                raise rk.InputError(f"--set: {self.algorithm} has no parameter {shown(key)}; {there}")
            given = text.split(",") if _by_level(by_name[key]) else text
            values[key] = _read(by_name[key], given, f"--set {key}", ANY)
        if self.preset is not None and is_preset_file(self.preset):
            return self._of_file(self.preset, values)
        return make_search(self.algorithm, values, self.preset)

    def _of_file(self, path: str, values: Mapping[str, Any]) -> rk.Search:
        preset = read_preset(path)
        if preset.algorithm != self.algorithm:
            raise rk.InputError(f"--preset {path} is one of {shown(preset.algorithm)}, not of {self.algorithm}")
        try:
            return make_search(self.algorithm, {**preset.values, **values})
        except rk.InputError as error:
            raise rk.InputError(f"--preset {path}: {error}") from None

    def _class(self) -> type[rk.Search]:
        names = search_names()
        if self.algorithm not in names and ":" not in self.algorithm and not self.algorithm.endswith(".py"):
            words = in_words(names, "or")
            raise rk.InputError(f"--algorithm must be {words}, got {shown(self.algorithm)}")
        return search_class(self.algorithm)

    def _refused(self, option: str, known: Iterable[str]) -> rk.InputError:
        dashed = "--" + option.replace("_", "-")
        return rk.InputError(f"{dashed} goes with {in_words(known, 'and')}, not with {self.algorithm}")


def in_words(names: Iterable[str], last: str) -> str:
    """Names separated by commas, with a word before the last.

    >>> in_words(["nrpa", "nmcs", "uct"], "or")
    'nrpa, nmcs or uct'
    """
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


def takes_search(
    only: Sequence[str] | None = None, defaults: Mapping[str, str] | None = None, without: str | None = None
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of all or some searches; its parameter ``chosen`` says what was given.

    ``without`` says what is used without any of them, if that is not the first search.
    """
    names = list(builtin_searches()) if only is None else list(only)  # a plug-in is loaded only when it is asked for
    options = {"algorithm": _algorithm(names, without or names[0]), "preset": _preset(names), **_options(names)}
    if only is None:
        options["settings"] = Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE", help="Any parameter of the search by its name in Python."),
        ]
    first = dict(defaults or {})

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        hints = typing.get_type_hints(command, include_extras=True)
        parameters: list[inspect.Parameter] = []
        for p in inspect.signature(command).parameters.values():
            if p.name == "chosen":
                parameters += [
                    inspect.Parameter(name, p.KEYWORD_ONLY, default=first.get(name), annotation=kind)
                    for name, kind in options.items()
                ]
            else:
                parameters.append(p.replace(kind=p.KEYWORD_ONLY, annotation=hints[p.name]))

        def run(**given: Any) -> int:
            algorithm = given.pop("algorithm")
            preset, settings = given.pop("preset"), given.pop("settings", None) or ()
            texts = {name: given.pop(name) for name in options if name in given}
            said = {name: text for name, text in texts.items() if text not in (None, [])}
            return command(chosen=Chosen.of(algorithm, names, said, preset, settings), **given)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate


# --- options from classes ---


def _algorithm(names: Sequence[str], without: str) -> Any:
    own = ", or your own as path/to/file.py:Class" if len(names) > 1 else ""
    offered = completion.searches if len(names) > 1 else None
    text = f"{in_words(names, 'or')}{own} [default: {without}]"
    return Annotated[str | None, typer.Option(metavar="NAME", help=text, autocompletion=offered)]


def _preset(names: Sequence[str]) -> Any:
    having: dict[str, list[str]] = {}
    for name in names:
        for preset in presets(search_class(name)):
            having.setdefault(preset, []).append(name)
    told = [f"{preset} ({', '.join(of)})" if len(names) > 1 else preset for preset, of in having.items()]
    text = f"The settings of a paper: {in_words(told, 'or')}; or of a file.json that rookery tune wrote."
    return Annotated[str | None, typer.Option(metavar="NAME", help=text)]


def _having_all(names: Sequence[str], texts: Iterable[str], preset: str | None, settings: Sequence[str]) -> str:
    """The first search if it has these options, or else the only one that does; the first if several or none do.

    >>> _having_all(["nrpa", "nmcs"], ["level"], None, []), _having_all(["nrpa", "tempering"], [], None, ["hot=2"])
    ('nrpa', 'tempering')
    """
    keys = {text.partition("=")[0] for text in settings}

    def has_all(name: str) -> bool:
        cls = search_class(name)
        options, parameters = _options_of(cls), {p.name for p in search_parameters(cls).values()}
        return options.keys() >= set(texts) and parameters >= keys and (preset is None or preset in presets(cls))

    having = [name for name in names if has_all(name)]
    return having[0] if len(having) == 1 else names[0]


def _options_of(cls: type[rk.Search]) -> dict[str, SearchParameter]:
    return {p.option: p for p in search_parameters(cls).values()}


def _options(names: Sequence[str]) -> dict[str, Any]:
    """Option -> its type and help, over all searches that have it."""
    having: dict[str, dict[str, SearchParameter]] = {}
    for name in names:
        for option, parameter in _options_of(search_class(name)).items():
            having.setdefault(option, {})[name] = parameter
    return {option: _option(option, found, len(names)) for option, found in having.items()}


def _option(option: str, having: Mapping[str, SearchParameter], searches: int) -> Any:
    told: dict[str, list[str]] = {}
    for name, parameter in having.items():
        told.setdefault(_brief(parameter.about), []).append(name)
    texts = [f"{about} ({', '.join(names)})" if searches > 1 else about for about, names in told.items()]
    text = "; ".join(texts)
    help_text = text[:1].upper() + text[1:] + "."
    dashed = option.replace("_", "-")
    kinds = [_members(parameter.annotation) for parameter in having.values()]
    if all(kind == (bool,) for kind in kinds):
        return Annotated[bool | None, typer.Option(f"--{dashed}/--no-{dashed}", help=help_text)]
    if any(_by_level(parameter) for parameter in having.values()):
        metavar = "N|LEVEL:N" if any(int in kind for kind in kinds) else "RULE|LEVEL:RULE"
        return Annotated[list[str] | None, typer.Option(f"--{dashed}", metavar=metavar, help=help_text)]
    metavar = "N" if int in kinds[0] else "X" if float in kinds[0] else "NAME"
    return Annotated[str | None, typer.Option(f"--{dashed}", metavar=metavar, help=help_text)]


def _brief(about: str) -> str:
    """The first clause of a description, as plain text."""
    return re.split(r"[;.](?:\s|$)", about.replace("``", ""), maxsplit=1)[0].strip()


def _members(annotation: Any) -> tuple[Any, ...]:
    """The types that an annotation allows, without None."""
    members = typing.get_args(annotation) if _is_union(annotation) else (annotation,)
    found: list[Any] = []
    for member in members:
        found += _members(member) if _is_union(member) else [member]
    return tuple(kind for kind in found if kind is not type(None))


def _is_union(annotation: Any) -> bool:
    return getattr(typing.get_origin(annotation), "__name__", "") in ("Union", "UnionType")


def _by_level(parameter: SearchParameter) -> bool:
    return any(typing.get_origin(kind) is Mapping for kind in _members(parameter.annotation))


# --- values from texts ---


def _read(parameter: SearchParameter, given: Any, option: str = "", least: int | None = None) -> Any:
    """The value of a parameter, as its annotation says; ``option`` is what it was given with, if not its own."""
    option = option or "--" + parameter.option.replace("_", "-")
    kinds = _members(parameter.annotation)
    if kinds == (bool,):
        return given if isinstance(given, bool) else _truth(option, given)
    read: Callable[[str, str], Any] = _text
    if str in kinds and float in kinds:
        read = _tie
    elif int in kinds:
        read = partial(whole, least=parameter.least if least is None else least)
    elif float in kinds:
        read = number
    if _by_level(parameter):
        return per_level(read, option, [given] if isinstance(given, str) else given)
    return read(option, _only(option, given))


def _text(option: str, text: str) -> str:
    return text


def _truth(option: str, text: str) -> bool:
    known = {"true": True, "yes": True, "false": False, "no": False}
    if text.lower() not in known:
        raise rk.InputError(f"{option} must be true or false, got {shown(text)}")
    return known[text.lower()]


def _tie(option: str, text: str) -> str | float:
    """A tie rule of NRPA; the library refuses what is neither a rule nor a number."""
    try:
        return float(text) if text.isascii() else text
    except ValueError:
        return text


def _only(option: str, texts: str | Sequence[str]) -> str:
    if isinstance(texts, str):
        return texts
    if len(texts) > 1:
        raise rk.InputError(f"{option} must be given once, got {' and '.join(map(shown, texts))}")
    return texts[0]
