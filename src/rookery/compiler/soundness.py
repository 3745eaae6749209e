"""Each function of a problem compiled alone, with known types: a mistake is found where it is."""

from __future__ import annotations

import dis
import linecache
import os
import re
import types
from collections.abc import Mapping
from typing import Any

import numba
from numba.core import types as numba_types

from rookery.compiler.functions import Compiled, innermost_failure
from rookery.compiler.hasher import method_of
from rookery.compiler.mistakes import explain, type_in_words
from rookery.errors import CompileError
from rookery.problem import Model
from rookery.user_code import Place, is_users, place, place_of, short_path

NEEDS_WHOLE = {
    "moves": "write the legal moves into out and return how many there are",
    "count": "return the number of legal moves",
    "nth": "return the move, a whole number",
    "code": "return a whole number; // divides without a remainder",
    "key": "return a 64-bit whole number",
    "choose": "return the index of a move in moves",
    "player": "return 0 or 1, who is to move",
    "winner": "return 0 or 1, who has won, or -1 for a draw",
    "playout_moves": "write the moves of playouts into out and return how many there are",
    "playout": "return 0 or 1, who has won, or -1 for a draw",
    "makes": "return a whole number of at least 0 that names what the move makes",
    "needs": "return the i-th thing that the move needs, a whole number, or -1 if there is none",
    "makers": "write the moves that make the thing into out and return how many there are",
    "sample": "return a move, a whole number, or -1 when the game is over",
}
NEEDS_NUMBER = {"score": "return the score, a number", "bias": "return a number", "estimate": "return a number"}
NEEDS_TUPLE = {"biases": "return a tuple of numbers that are all floats, or all whole"}
NEEDS_TRUTH = dict.fromkeys(("commute", "is_legal", "clash"), "return True or False")


def check_functions(
    cls: type[Model], compiled: Mapping[str, Compiled], constants: Any, states: Any, biases: int
) -> None:
    """Raise a :class:`CompileError` for the first function that cannot be compiled or returns the wrong type.

    ``biases`` is how many the problem declares.
    Kernels that call the functions afterwards find them compiled: overall this takes no longer.
    """
    kinds: dict[str, Any] = {
        "self": numba.typeof(constants),
        "s": numba.typeof(states).dtype,
        "out": numba.int64[::1],
        "moves": numba.int64[::1],
        "rng": numba.uint64[::1],
    }
    for name, dispatcher in compiled.items():
        arguments = tuple(kinds.get(parameter, numba.int64) for parameter in cls.PARAMETERS[name])
        innermost_failure()
        try:
            dispatcher.compile(arguments)
        except Exception as error:
            raise compile_error(cls, name, error) from error
        kind = dispatcher.overloads[arguments].signature.return_type
        _check_result(cls, name, kind)
        if name == "biases" and len(kind) != biases:
            reason = f"returns {len(kind)} biases, but limits() declares biases={biases}"
            raise CompileError(_place_of_return(cls, name).says(reason, "declare as many as it returns"))


def compile_error(cls: type, name: str, error: Exception) -> CompileError:
    """What went wrong in compiling a function of a problem, or one that it calls."""
    failure = innermost_failure()
    mistake = explain(error if failure is None else failure.error)
    function: types.FunctionType | None = method_of(cls, name) if failure is None else failure.function
    if function is None:
        return CompileError(place_of(cls, name).says(mistake.reason, mistake.advice))
    where = place(cls, function.__code__, mistake.line or None)
    return CompileError(where.says(mistake.reason, mistake.advice))


def kernel_error(make: Any, error: Exception) -> Exception:
    """What went wrong in compiling a kernel: for a user's own search, the line and the reason; else as it is."""
    maker = getattr(make, "func", make)
    file = maker.__code__.co_filename
    if not is_users(file):
        return error
    mistake = explain(error)
    reason, advice = mistake.reason, mistake.advice
    if "NRT required" in str(error):
        reason, advice = "allocates memory", "a kernel works in the memory that it is given: write a loop"
    line = _line_in(file, str(error)) or _line_of_name(maker.__code__, str(error))
    source = " ".join(linecache.getline(file, line).split()) if line else ""
    if "run.own." in source and (missing := re.match(r"self has no '\w+'", reason)):
        reason = missing[0].replace("self", "run.own")
        advice = "it has the numbers among the search's parameters"
    return CompileError(Place(f"the kernel of {maker.__name__}()", short_path(file), line, source).says(reason, advice))


def _line_in(file: str, message: str) -> int:
    """The innermost line of a file that a message of Numba's names; 0 if it names none."""
    name = re.escape(os.path.basename(file))
    found = re.search(rf'{name} \((\d+)\)|{name}", line (\d+)', message)
    return int(found[1] or found[2]) if found else 0


def _line_of_name(code: types.CodeType, message: str) -> int:
    """The first line of a function, or of one inside it, that asks for the name that a message says is missing."""
    missing = re.search(r"name '(\w+)' is not defined", message)
    for i in dis.get_instructions(code) if missing else ():
        if missing and i.opname == "LOAD_GLOBAL" and i.argval == missing[1] and i.positions:
            return i.positions.lineno or 0
        inside = _line_of_name(i.argval, message) if isinstance(i.argval, types.CodeType) else 0
        if inside:
            return inside
    return 0


def _check_result(cls: type, name: str, kind: Any) -> None:
    whole = isinstance(kind, (numba_types.Integer, numba_types.Boolean))
    number = whole or isinstance(kind, numba_types.Float)
    numbers = hasattr(kind, "count") and isinstance(kind.dtype, numba_types.Number)  # a tuple of one kind
    kinds = ((NEEDS_WHOLE, whole), (NEEDS_NUMBER, number), (NEEDS_TUPLE, numbers), (NEEDS_TRUTH, whole))
    for needs, right in kinds:
        if name in needs and not right:
            given = "nothing" if kind is numba_types.none else type_in_words(str(kind))
            raise CompileError(_place_of_return(cls, name).says(f"returns {given}", needs[name]))


def _place_of_return(cls: type, name: str) -> Place:
    """The line that returns, if there is one such line."""
    function = method_of(cls, name)
    assert function is not None
    lines = {
        i.positions.lineno
        for i in dis.get_instructions(function)
        if i.opname in ("RETURN_VALUE", "RETURN_CONST") and i.positions
    }
    return place(cls, function.__code__, lines.pop() if len(lines) == 1 else None)
