"""One specialisation per problem class, layout and types of constants: its functions, and kernels made for them."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from rookery.compiler.bindings import game_functions, problem_functions
from rookery.compiler.cache import KernelCache
from rookery.compiler.constants import constants_class, fixed_values, normalise
from rookery.compiler.functions import Compiled, FunctionCompiler, method_of, takes_self
from rookery.compiler.key import NotHashable, function_key, functions_key, library_key, process_key
from rookery.compiler.layout import declared_limits, state_dtype
from rookery.compiler.mistakes import PLAIN, check_parameters
from rookery.errors import ProblemError
from rookery.problem import Model, Problem
from rookery.settings import INTERPRETED, inlined_kernel, inner_kernel, kernel
from rookery.user_code import place_of


class Specialisation:
    """A problem's functions compiled for its layout and constants, and the kernels built on them.

    Parameters
    ----------
    key
        of the disk cache; None when something in the problem cannot be hashed: nothing is kept on disk
    """

    def __init__(
        self,
        cls: type[Model],
        dtype: np.dtype[Any],
        hashed: bool,
        fixed: dict[str, Any],
        key: str | None,
        debug: bool,
    ) -> None:
        self.cls = cls
        self.dtype = dtype
        self.hashed = hashed
        self._key = key
        self._tag = (key or hashlib.sha256(repr((cls, id(cls))).encode()).hexdigest())[:16]
        compiler = FunctionCompiler(cls, self._tag, debug, fixed)
        self.compiled = {name: compiler.method(name) for name in cls.PARAMETERS if method_of(cls, name) is not None}
        self.functions: Any = problem_functions(self) if issubclass(cls, Problem) else game_functions(self)
        self.sound = INTERPRETED  # whether each function was seen to compile alone
        self._kernels: dict[Any, Compiled] = {}

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
        known = self._kernels.get((name, _maker(make)))
        if known is None:
            function = make(self)
            key = self._key if self._key is None or _is_ours(make) else self._key_with(function)
            function.__qualname__ = f"{function.__qualname__}.{self._tag}"
            dispatcher: Any = kernel(function)
            if key is not None and not INTERPRETED:
                dispatcher._cache = KernelCache(key, name, self.cls.__name__)
            known = self._kernels[name, _maker(make)] = dispatcher
        return known

    def is_kept(self, entry: Compiled, types: tuple[Any, ...]) -> bool:
        """Whether an entry for these types is on disk, as far as can be told without reading it."""
        cache = getattr(entry, "_cache", None)
        return isinstance(cache, KernelCache) and cache.holds(types)

    def _key_with(self, function: Any) -> str | None:
        """The key of a kernel of the user's own: it depends on all that the kernel reaches, too."""
        try:
            return hashlib.sha256(f"{self._key};{function_key(function)}".encode()).hexdigest()
        except NotHashable:
            return None


def _maker(make: Any) -> Any:
    """What tells one maker of a kernel from another: a user may define it again."""
    inner = getattr(make, "func", make)
    return inner, tuple(sorted(getattr(make, "keywords", {}).items()))


def _is_ours(make: Any) -> bool:
    """Whether the library makes the kernel: its sources are part of every key."""
    return str(getattr(make, "func", make).__module__).split(".")[0] == "rookery"


def check_functions_are_there(cls: type[Model]) -> None:
    """Refuse a class in which a function is missing, is not a method, or takes other parameters."""
    known = {*cls.PARAMETERS, *PLAIN}
    own = [n for c in cls.__mro__[:-1] for n in vars(c) if not n.startswith("_") and n not in known]
    for name, parameters in cls.PARAMETERS.items():
        function = method_of(cls, name)
        takes = f"{name}({', '.join(parameters)})"
        if function is None and hasattr(cls, name):
            raise ProblemError(f"{cls.__name__}.{name} must be a method, {takes}, got {getattr(cls, name)!r}")
        if function is None and name in cls.FUNCTIONS:
            near = difflib.get_close_matches(name, own, n=1)
            meant = f"; is '{near[0]}' meant to be it?" if near else ""
            raise ProblemError(f"{cls.__name__} must define {takes}{meant}")
        wrong = None if function is None else check_parameters(name, function, parameters)
        if wrong:
            raise ProblemError(place_of(cls, name).says(wrong))
    if "nth" in cls.PARAMETERS and hasattr(cls, "count") != hasattr(cls, "nth"):
        there, missing = ("count", "nth") if hasattr(cls, "count") else ("nth", "count")
        raise ProblemError(place_of(cls, there).says(f"is there without {missing}", "define both, or neither"))


_specialisations: dict[Any, Specialisation] = {}


def specialise(problem: Model, debug: bool = False) -> tuple[Specialisation, Any]:
    """The specialisation that serves a problem, and the problem's constants as its functions take them."""
    cls = type(problem)
    check_functions_are_there(cls)
    given = problem.constants()
    values, fixed = normalise(cls.__name__, given), fixed_values(cls, given)
    dtype = state_dtype(problem)
    hashed = declared_limits(problem).codes == "hashed"
    varying = {name: value for name, value in values.items() if name not in fixed}
    types = tuple((name, str(numba.typeof(value))) for name, value in varying.items())
    shape = (dtype.descr, types, tuple(fixed.items()), cls.sense, hashed, debug)
    names = tuple(cls.PARAMETERS)
    try:
        code = functions_key(cls, names)
        key = hashlib.sha256(repr((library_key(), code, shape)).encode()).hexdigest()
    except (NotHashable, OSError):
        key = None
    # One for each class, even if another has the same functions: kernels are compiled when first asked for, from what
    # the class has then, which is what its key was made from.
    memo = (cls, key or (process_key(cls, names), repr(shape)))
    if memo not in _specialisations:
        _specialisations[memo] = Specialisation(cls, dtype, hashed, fixed, key, debug)
    specialisation = _specialisations[memo]
    if INTERPRETED:
        return specialisation, interpreted_constants(cls, values)
    return specialisation, constants_class(tuple(varying))(**varying)


def interpreted_constants(cls: type[Model], values: dict[str, Any]) -> Any:
    """The constants as ``self`` of interpreted functions: with the methods that compiled code has resolved."""
    names = {name for parent in cls.__mro__ for name in vars(parent) if not name.startswith("__")}
    methods = {name: method_of(cls, name) for name in names - set(values)}
    owner = constants_class(tuple(values))
    bound: dict[str, Any] = {
        n: f if takes_self(cls, n) else staticmethod(f) for n, f in methods.items() if f is not None
    }
    bound |= {name: value for name, value in fixed_values(cls, {}).items() if name not in values}
    return type(cls.__name__, (owner,), bound)(**values)
