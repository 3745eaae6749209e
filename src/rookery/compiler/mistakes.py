"""Mistakes in a function, seen before Numba sees it or read from its messages: a reason, some advice, a line."""

from __future__ import annotations

import dataclasses
import difflib
import random
import re
import types
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numba.core import ir
from numba.core import types as numba_types

from rookery.compiler import constants

PLAIN = (
    *("limits", "layout", "constants", "lacks", "parameters", "describe_move", "describe_moves", "format_score"),
    *("draw", "draw_svg", "picture", "read", "write", "build"),
)
"""Functions of a problem that are not compiled, and that compiled ones cannot call."""

NOT_COMPILED = (list, dict, set, bytearray)


class Mistake(Exception):
    """What is wrong with a line of a function, and what to do about it."""

    def __init__(self, reason: str, advice: str, line: int) -> None:
        super().__init__(f"{reason}; {advice}")
        self.reason = reason
        self.advice = advice
        self.line = line


def is_self(kind: Any) -> bool:
    """Whether a Numba type is that of the ``self`` of compiled functions."""
    cls = getattr(kind, "instance_class", None)
    return cls is not None and cls.__module__ == constants.__name__


def check_attribute(
    cls: type, fixed: Collection[str], owner: Any, attribute: str, stored: bool, kind: Any, line: int
) -> None:
    """Refuse ``owner.attribute`` if it cannot work; ``kind`` is the Numba type of an argument, else None."""
    if isinstance(kind, numba_types.Record):
        _check_field(kind, attribute, stored, line)
    elif is_self(kind):
        _check_constant(cls, [*kind.fields, *fixed], attribute, stored, line)
    elif isinstance(owner, (ir.Global, ir.FreeVar)) and (
        owner.value is random or (owner.value is np and attribute == "random")
    ):
        raise _random(f"{owner.value.__name__}.{attribute}", line)


def check_global(name: str, value: Any, line: int) -> None:
    """Refuse a global name that compiled code cannot use."""
    if name == "super":
        raise Mistake(
            "super() cannot be compiled", "call the function of the parent class: Parent.play(self, s, move)", line
        )
    if isinstance(value, NOT_COMPILED):
        advice = "make it an array of NumPy or a tuple" if isinstance(value, list) else "use arrays or numbers"
        raise Mistake(f"the global {name} is a {type(value).__name__}, which cannot be compiled", advice, line)
    if isinstance(getattr(value, "__self__", None), (random.Random, np.random.RandomState)):
        raise _random(name, line)


def _random(name: str, line: int) -> Mistake:
    return Mistake(
        f"{name} draws random numbers that no seed controls",
        "draw in choose(self, s, moves, n, rng), with rookery.below(rng, n) or rookery.uniform(rng)",
        line,
    )


def _check_field(record: Any, name: str, stored: bool, line: int) -> None:
    fields = list(record.fields)
    if name not in fields:
        raise Mistake(f"the state has no field '{name}'", _nearest(name, fields, "the fields are"), line)
    if stored and isinstance(record.typeof(name), numba_types.NestedArray):
        raise Mistake(f"the field '{name}' is an array", f"assign its items, as in s.{name}[:] = 0", line)


def _check_constant(cls: type, known: list[str], name: str, stored: bool, line: int) -> None:
    if stored:
        raise Mistake(f"self.{name} cannot be changed", "keep what changes in the state, in a field of layout()", line)
    if name in PLAIN:
        raise Mistake(
            f"self.{name}() is a plain function, which compiled functions cannot call",
            "return the values that they need from constants()",
            line,
        )
    if name in known or isinstance(getattr(cls, name, None), types.FunctionType):
        return
    fields = {f.name for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    value = getattr(cls, name, None)
    if isinstance(value, property):
        raise Mistake(f"self.{name} is a property", "return its value from constants(), under its name", line)
    if isinstance(value, types.MethodType):
        raise Mistake(f"self.{name} is a class method", "make it a method that takes self", line)
    if name in fields:
        advice = f"return what compiled functions need of '{name}' from constants(), as numbers or arrays of NumPy"
        raise Mistake(f"self.{name} is neither a number nor an array in constants()", advice, line)
    if hasattr(cls, name):
        advice = "return it from constants() as an array, or make it a global tuple or array of the module"
        raise Mistake(f"self.{name} is an attribute of the class that is not a number", advice, line)
    methods = [n for c in cls.__mro__[:-1] for n, v in vars(c).items() if isinstance(v, types.FunctionType)]
    there = [*known, *(n for n in methods if not n.startswith("__") and n not in PLAIN)]
    near = difflib.get_close_matches(name, there, n=1, cutoff=0.7)
    has = f"constants() has {', '.join(known)}" if known else "constants() has none"
    advice = f"did you mean self.{near[0]}?" if near else has
    raise Mistake(f"there is no constant or method self.{name}", advice, line)


def _nearest(name: str, known: list[str], there: str) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"{there} {', '.join(known)}"


# --- Numba's long messages in a few words ---

NUMBERS = "compiled functions are numbers, arrays and loops"

_TYPES: tuple[tuple[str, str], ...] = (
    (r".*\bgenerator\(", "a generator"),
    (r"Literal\[str\]|unicode_type|unichr|StringLiteral", "a text"),
    (r"Literal\[bool\]|bool", "a truth value"),
    (r"Record\b", "the state"),
    (r"Constants_", "self"),
    (r"Dict|dict", "a dictionary"),
    (r"reflected list|list|List", "a list"),
    (r"reflected set|set\(", "a set"),
    (r"nestedarray|NestedArray|array|Array", "an array"),
    (r"Literal\[int\]|u?int\d+", "a whole number"),
    (r"float\d+", "a number"),
    (r"Tuple|UniTuple", "a tuple"),
    (r"Optional", "None in some cases"),
    (r"none|None", "None"),
    (r"type\(CPUDispatcher|Function|recursive", "a function"),
)


def type_in_words(text: str) -> str:
    """A Numba type in plain words.

    >>> type_in_words("Literal[str](high)"), type_in_words("array(int64, 1d, C)"), type_in_words("uint8")
    ('a text', 'an array', 'a whole number')
    """
    text = text.strip()
    return next((words for pattern, words in _TYPES if re.match(pattern, text)), text)


def _arguments(text: str) -> list[str]:
    """The top-level parts of a list of types."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return [p.strip() for p in [*parts, part] if p.strip()]


_OPERATORS = {
    "getitem": "indexing",
    "setitem": "assigning an item",
    "static_getitem": "indexing",
    "static_setitem": "assigning an item",
    "iadd": "+=",
    "add": "+",
    "isub": "-=",
    "sub": "-",
    "mul": "*",
    "imul": "*=",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}


def _no_implementation(match: re.Match[str]) -> tuple[str, str]:
    name = match["name"]
    kinds = []
    for argument in _arguments(match["arguments"]):
        key, equals, kind = argument.partition("=")
        named = equals and key.isidentifier()
        kinds.append(f"{key}={type_in_words(kind)}" if named else type_in_words(argument))
    kinds = kinds or ["nothing"]
    listed = kinds[0] if len(kinds) == 1 else ", ".join(kinds[:-1]) + " and " + kinds[-1]
    return f"{_OPERATORS.get(name, name)} cannot be compiled for {listed}", NUMBERS


def _cannot_bind(match: re.Match[str]) -> tuple[str, str]:
    return f"a function that takes {match['signature']} is called with other arguments", match["why"]


Words = Callable[[re.Match[str]], tuple[str, str]]


def _fixed(reason: str, advice: str) -> Words:
    """Words with the groups of the match filled in, types in words."""

    def words(match: re.Match[str]) -> tuple[str, str]:
        groups = {name: type_in_words(text) for name, text in match.groupdict().items()}
        return reason.format(**groups), advice.format(**groups)

    return words


_RULES: tuple[tuple[str, Words], ...] = (
    (
        r"have imprecise type: (list|reflected list)",
        _fixed("the type of an empty list is not known", "use an array: a field of the state, or np.zeros(n)"),
    ),
    (
        r"have imprecise type: Dict",
        _fixed("a dictionary cannot be compiled", "use an array as a table: a field of the state, or a constant"),
    ),
    (
        r"Cannot unify (?P<a>.+?) and (?P<b>.+?) for '(?P<_name>[^'.]+)",
        lambda m: (
            f"'{m['_name'].lstrip('$')}' is {type_in_words(m['a'])} in one place "
            f"and {type_in_words(m['b'])} in another",
            "a variable has one type",
        ),
    ),
    (
        r"Can't unify return type from the following types: (?P<types>.+)",
        lambda m: (
            "returns " + " in one place and ".join(map(type_in_words, _arguments(m["types"])[:2])) + " in another",
            "return values of one type",
        ),
    ),
    (r"NameError: name '(?P<_n>\w+)' is not defined", lambda m: (f"there is no name '{m['_n']}'", "is it misspelt?")),
    (
        r"Variable '(?P<_n>\w+)' is not defined",
        lambda m: (f"'{m['_n']}' is used before it has a value", "give it one first"),
    ),
    (
        r"Untyped global name '(?P<_n>[^']+)':.*<class '(?P<_k>[^']+)'>",
        lambda m: (f"the global {m['_n']} is a {m['_k']}, which cannot be compiled", NUMBERS),
    ),
    (
        r"Unknown attribute '(?P<_n>\w+)' of type (?P<kind>.+)",
        lambda m: (f"{type_in_words(m['kind'])} has no '{m['_n']}' in compiled functions", NUMBERS),
    ),
    (
        r"No implementation of function [^\n]* found for signature:\s*>>> (?P<name>\w+)\((?P<arguments>.*)\)",
        _no_implementation,
    ),
    (r"to signature '(?P<signature>\(.*?\))' due to \"(?:TypeError: )?(?P<why>.*?)\"", _cannot_bind),
    (r"Cannot cast (?P<a>.+?) to (?P<b>\w+)", _fixed("{a} cannot be stored where {b} is expected", "convert it")),
    (r"IMPORT_NAME", _fixed("import inside a function cannot be compiled", "import at the top of the module")),
    (
        r"LOAD_SUPER_ATTR",
        _fixed("super() cannot be compiled", "call the function of the parent class: Parent.play(self, s, move)"),
    ),
    (
        r"f-string|FORMAT_VALUE|FORMAT_SIMPLE|FORMAT_WITH_SPEC|BUILD_STRING",
        _fixed("f-strings cannot be compiled", "make texts in describe_move or draw, which are plain Python"),
    ),
    (
        r"use of yield in a closure|generator",
        _fixed("a generator cannot be compiled", "write it as a loop"),
    ),
    (
        r"Exception object cannot be stored",
        _fixed("an exception cannot be given a name", "write except without 'as'"),
    ),
    (r"context manager|'with'", _fixed("with cannot be compiled", NUMBERS)),
    (
        r"unsupported opcode \((?P<_op>\w+)\)",
        lambda m: (f"this statement cannot be compiled ({m['_op']})", NUMBERS),
    ),
)


def explain(error: BaseException) -> Mistake:
    """The mistake behind an error of Numba's; its line is 0 if the error has none."""
    if isinstance(error, Mistake):
        return error
    text = str(error)
    for pattern, words in _RULES:
        match = re.search(pattern, text)
        if match:
            return Mistake(*words(match), _line(error, text))
    return Mistake(f"cannot be compiled ({_first_line(text) or type(error).__name__})", NUMBERS, _line(error, text))


def _line(error: BaseException, text: str) -> int:
    loc = getattr(error, "loc", None)
    if loc is not None:
        return int(loc.line)
    match = re.search(r"(?:Raised from|at) \S.*? \((\d+)\)", text)
    return int(match[1]) if match else 0


def _first_line(text: str) -> str:
    skip = ("Failed in nopython", "During:", "File ", "^", "There are", "-", "Overload", ">>>")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not line.startswith(skip)), "")
    return (line if len(line) <= 200 else line[:197] + "...").rstrip(".")
