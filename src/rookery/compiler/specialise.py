"""One specialisation per problem class, layout and types of constants: its functions, and kernels made for them."""

from __future__ import annotations

import copy
import difflib
import hashlib
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba
import numpy as np

from rookery.compiler.bindings import game_functions, problem_functions
from rookery.compiler.cache import KernelCache
from rookery.compiler.constants import constants_of
from rookery.compiler.functions import Compiled, FunctionCompiler
from rookery.compiler.hasher import NotHashable, function_key, functions_key, functions_of
from rookery.compiler.key import library_key
from rookery.compiler.layout import declared_limits, state_dtype
from rookery.compiler.mistakes import PLAIN
from rookery.errors import ProblemError
from rookery.problem import Limits, Model, Problem
from rookery.settings import INTERPRETED, inlined_kernel, inner_kernel, kernel
from rookery.user_code import place_of


class Specialisation:
    """A problem's functions compiled for its layout and constants, and the kernels built on them.

    Parameters
    ----------
    names
        of the functions that the problem has
    key
        of the disk cache; None when something in the problem cannot be hashed: nothing is kept on disk
    keeps
        whether playouts are offered to a pool
    """

    def __init__(
        self,
        cls: type[Model],
        dtype: np.dtype[Any],
        hashed: bool,
        fixed: dict[str, Any],
        names: tuple[str, ...],
        key: str | None,
        debug: bool,
        keeps: bool,
    ) -> None:
        self.cls = cls
        self.keeps = keeps
        self.dtype = dtype
        self.hashed = hashed
        self.bias_by_code = cls.bias_by_code and not hashed
        self._key = key
        self._tag = (key or hashlib.sha256(repr((cls, id(cls))).encode()).hexdigest())[:16]
        compiler = FunctionCompiler(cls, self._tag, debug, fixed)
        self.compiled = {name: compiler.method(name) for name in names}
        self.functions: Any = problem_functions(self) if issubclass(cls, Problem) else game_functions(self)
        self.ours = True  # whether the kernel being made is the library's
        self.sound = INTERPRETED  # whether each function has been seen to compile alone
        self._kernels: dict[Any, Compiled] = {}

    def kernel(self, function: Callable[..., Any]) -> Compiled:
        """Compile a kernel that kernels call, under its own name."""
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
            making = copy.copy(self)  # another thread may be making another kernel
            making._tag = f"{self._tag}.{name}"  # the parts of two kernels may have one name, and differ in their rule
            making.ours = _is_ours(make)
            function = make(making)
            if INTERPRETED:  # streams wrap around on purpose, where NumPy's scalars would warn at every draw
                function = np.errstate(over="ignore")(function)
            key = self._key if self._key is None or making.ours else self._key_with(function)
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
        """The key of a user's own kernel: it depends on all that the kernel reaches, too."""
        try:
            return hashlib.sha256(f"{self._key};{function_key(function)}".encode()).hexdigest()
        except NotHashable:
            return None


def _maker(make: Any) -> Any:
    """What distinguishes one maker of a kernel from another: a user may redefine it."""
    inner, keywords = getattr(make, "func", make), getattr(make, "keywords", {})
    return inner, tuple((name, _maker(value) if callable(value) else value) for name, value in sorted(keywords.items()))


def _is_ours(make: Any) -> bool:
    """Whether the library makes the kernel, and the one inside it if any: its sources are part of every key."""
    inner = filter(callable, getattr(make, "keywords", {}).values())
    return str(getattr(make, "func", make).__module__).split(".")[0] == "rookery" and all(map(_is_ours, inner))


def check_functions_are_there(cls: type[Model]) -> None:
    """Refuse a class in which a function is missing, is not a method, or takes other parameters."""
    for name, parameters in cls.PARAMETERS.items():
        takes = f"({', '.join(parameters)})"
        if not hasattr(cls, name) and name in cls.FUNCTIONS:
            known = {*cls.PARAMETERS, *PLAIN}
            own = [n for c in cls.__mro__[:-1] for n in vars(c) if not n.startswith("_") and n not in known]
            near = difflib.get_close_matches(name, own, n=1)
            meant = f"; is '{near[0]}' meant to be it?" if near else ""
            raise ProblemError(f"{cls.__name__} must define {name}{takes}{meant}")
        if not hasattr(cls, name):
            continue
        function = getattr(cls, name)
        if not isinstance(function, FunctionType):
            raise ProblemError(f"{cls.__name__}.{name} must be a method, {name}{takes}, got {function!r}")
        code = function.__code__
        plain = code.co_varnames[: code.co_argcount]
        flexible = code.co_kwonlyargcount or code.co_flags & 0x0C  # *args or **kwargs
        if len(plain) != len(parameters) or flexible:
            given = f"({', '.join(plain)}{', ...' if flexible else ''})"
            raise ProblemError(place_of(cls, name).says(f"takes {given}, but {name} must take {takes}"))
    for group in (("count", "nth"), ("makes", "needs", "undo"), ("makers", "clash")):
        there = [name for name in group if name in cls.PARAMETERS and hasattr(cls, name)]
        missing = [name for name in group if name not in there]
        if there and missing:
            advice = "define both, or neither" if len(group) == 2 else f"define {', '.join(group)}, or none of them"
            raise ProblemError(place_of(cls, there[0]).says(f"is there without {missing[0]}", advice))
    if hasattr(cls, "makers") and "makers" in cls.PARAMETERS and not hasattr(cls, "undo"):
        raise ProblemError(place_of(cls, "makers").says("is there without undo", "define makes, needs and undo too"))


_specialisations: dict[Any, Specialisation] = {}


def specialise(problem: Model, debug: bool = False, keeps: bool = False) -> tuple[Specialisation, Any, Limits]:
    """The specialisation that serves a problem, with the constants and the limits that its kernels are given."""
    cls = type(problem)
    check_functions_are_there(cls)
    constants, fixed = constants_of(problem)
    dtype, limits = state_dtype(problem), declared_limits(problem)
    hashed = limits.codes == "hashed"
    names = tuple(name for name, function in functions_of(problem).items() if function is not None)
    said = (names, cls.sense, cls.bias_by_code, limits.biases)
    shape = (dtype.descr, str(numba.typeof(constants)), tuple(fixed.items()), said, hashed, debug, keeps)
    try:
        code = functions_key(cls, cls.PARAMETERS)
        key = hashlib.sha256(repr((library_key(), code, shape)).encode()).hexdigest()
    except (NotHashable, OSError):
        key = None
    # One for each class, even if another has the same functions: kernels are compiled when first asked for, from what
    # the class has then, which is what its key was made from.
    memo = (cls, key or (functions_key(cls, cls.PARAMETERS, by_identity=True), repr(shape)))
    if memo not in _specialisations:
        _specialisations[memo] = Specialisation(cls, dtype, hashed, fixed, names, key, debug, keeps)
    return _specialisations[memo], constants, limits
