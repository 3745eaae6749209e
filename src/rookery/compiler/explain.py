"""Numba's long messages in a few words: the reason, some advice, the line."""

from __future__ import annotations

import re
from collections.abc import Callable

from rookery.compiler.mistakes import Mistake

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
    """A Numba type as people say it.

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
