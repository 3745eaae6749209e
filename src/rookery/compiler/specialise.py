"""One specialisation per problem class, layout and types of constants: its functions, and kernels made for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from rookery.compiler.cache import KernelCache
from rookery.compiler.constants import constants_class, normalise
from rookery.compiler.functions import Compiled, FunctionCompiler, method_of
from rookery.compiler.key import NotHashable, functions_key, library_key
from rookery.compiler.settings import INTERPRETED, inlined_kernel, inner_kernel, kernel
from rookery.errors import ProblemError
from rookery.problem import Problem, state_dtype


@dataclass(frozen=True)
class Functions:
    """The compiled functions of a problem as kernels call them; ``value`` is the score, to be maximised."""

    start: Compiled
    moves: Compiled
    code: Compiled
    play: Compiled
    value: Compiled
    begin_playout: Compiled
    bias: Compiled | None
    choose: Compiled | None
    list_moves: Compiled
    move_at: Compiled


class Specialisation:
    """A problem's functions compiled for its layout and constants, and the kernels built on them.

    Parameters
    ----------
    key
        of the disk cache; None when something in the problem cannot be hashed: nothing is kept on disk
    """

    def __init__(self, cls: type[Problem], dtype: np.dtype[Any], hashed: bool, key: str | None, debug: bool) -> None:
        self.cls = cls
        self.dtype = dtype
        self.hashed = hashed
        self._key = key
        self._tag = (key or hashlib.sha256(repr((cls, id(cls))).encode()).hexdigest())[:16]
        compiler = FunctionCompiler(cls, self._tag, debug)
        self.functions = self._functions(compiler)
        self._kernels: dict[str, Compiled] = {}

    def kernel(self, function: Callable[..., Any]) -> Compiled:
        """Compile a kernel that kernels call, under a name of its own."""
        function.__qualname__ = f"{function.__qualname__}.{self._tag}"
        return inner_kernel(function)

    def inlined(self, function: Callable[..., Any]) -> Compiled:
        """Compile a kernel into the ones that call it: worth it where a call would pass many arrays."""
        function.__qualname__ = f"{function.__qualname__}.{self._tag}"
        return inlined_kernel(function)

    def entry(self, name: str, make: Callable[[Specialisation], Callable[..., Any]]) -> Compiled:
        """A kernel that Python calls, from the function that ``make`` returns: made once, kept on disk."""
        if name not in self._kernels:
            function = make(self)
            function.__qualname__ = f"{function.__qualname__}.{self._tag}"
            dispatcher: Any = kernel(function)
            if self._key is not None and not INTERPRETED:
                dispatcher._cache = KernelCache(self._key, name)
            self._kernels[name] = dispatcher
        return self._kernels[name]

    def _functions(self, compiler: FunctionCompiler) -> Functions:
        cls = self.cls
        optional = {
            name: compiler.method(name) if method_of(cls, name) is not None else None
            for name in Problem.OPTIONAL_FUNCTIONS
        }
        score = compiler.method("score")
        sign = -1.0 if cls.sense == "min" else 1.0

        @self.kernel
        def value(self, s):  # type: ignore[no-untyped-def]
            return sign * np.float64(score(self, s))

        @self.kernel
        def no_begin(self, s):  # type: ignore[no-untyped-def]
            pass

        return Functions(
            start=compiler.method("start"),
            moves=compiler.method("moves"),
            code=compiler.method("code"),
            play=compiler.method("play"),
            value=value,
            begin_playout=optional["begin_playout"] or no_begin,
            bias=optional["bias"],
            choose=optional["choose"],
            **self._legal_moves(compiler.method("moves"), optional["count"], optional["nth"]),
        )

    def _legal_moves(self, moves: Compiled, count: Compiled | None, nth: Compiled | None) -> dict[str, Compiled]:
        """How playouts list legal moves and read one of them: from ``out``, or where the state keeps them."""
        if (count is None) != (nth is None):
            raise ProblemError(f"{self.cls.__name__} must define both count and nth, or neither")
        if count is not None and nth is not None:

            @self.inlined
            def list_moves(self, s, out):  # type: ignore[no-untyped-def]
                return np.int64(count(self, s))

            @self.inlined
            def move_at(self, s, out, i):  # type: ignore[no-untyped-def]
                return np.int64(nth(self, s, i))
        else:

            @self.inlined
            def list_moves(self, s, out):  # type: ignore[no-untyped-def]
                return np.int64(moves(self, s, out))

            @self.inlined
            def move_at(self, s, out, i):  # type: ignore[no-untyped-def]
                return out[np.uint64(i)]

        return {"list_moves": list_moves, "move_at": move_at}


_specialisations: dict[Any, Specialisation] = {}


def specialise(problem: Problem, debug: bool = False) -> tuple[Specialisation, Any]:
    """The specialisation that serves a problem, and the problem's constants as its functions take them."""
    cls = type(problem)
    for name in Problem.FUNCTIONS:
        if method_of(cls, name) is None:
            raise ProblemError(f"{cls.__name__} must define {name}")
    values = normalise(cls.__name__, problem.constants())
    dtype = state_dtype(problem)
    hashed = problem.limits().codes == "hashed"
    types = tuple((name, str(numba.typeof(value))) for name, value in values.items())
    shape = (dtype.descr, types, cls.sense, hashed, debug)
    try:
        code = functions_key(cls, Problem.FUNCTIONS + Problem.OPTIONAL_FUNCTIONS)
        key = hashlib.sha256(repr((library_key(), code, shape)).encode()).hexdigest()
    except (NotHashable, OSError):
        key = None
    memo = key or (cls, repr(shape))
    if memo not in _specialisations:
        _specialisations[memo] = Specialisation(cls, dtype, hashed, key, debug)
    specialisation = _specialisations[memo]
    return specialisation, _constants(specialisation, values)


def _constants(specialisation: Specialisation, values: dict[str, Any]) -> Any:
    if INTERPRETED:
        return interpreted_constants(specialisation.cls, values)
    return constants_class(tuple(values))(**values)


def interpreted_constants(cls: type[Problem], values: dict[str, Any]) -> Any:
    """The constants as ``self`` of interpreted functions: with the methods that compiled code has resolved."""
    names = {name for parent in cls.__mro__ for name in vars(parent) if not name.startswith("__")}
    methods = {name: method_of(cls, name) for name in names - set(values)}
    owner = constants_class(tuple(values))
    return type(cls.__name__, (owner,), {n: f for n, f in methods.items() if f is not None})(**values)
