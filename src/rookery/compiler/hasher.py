"""An exact hash of functions and of all that they reach: bytecode, constants, defaults, globals, other functions.

It is the user's part in the key of the disk cache. Whatever cannot be hashed exactly raises :class:`NotHashable`: then
nothing is cached, so that old code never runs in place of new.
"""

from __future__ import annotations

import builtins
import dis
import enum
import hashlib
import inspect
import sys
import types
import warnings
from abc import ABCMeta
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import builtin_registry
from numba.extending import _Intrinsic

from rookery import bits
from rookery.compiler.cache import KernelCache
from rookery.problem import Model
from rookery.settings import NUMBA_SETTINGS

_LIBRARIES = ("math", "cmath", "numpy", "numba", "builtins")
"""Packages whose versions are in the key: an object of these is known by its name."""

_PLAIN = (type(None), type(...), bool, float, complex, str, bytes)
_ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR")
_NUMBA_NUMBER = (numba.types.Number, numba.types.Boolean)

_fresh: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The hash that a user's Numba function had when it was not compiled yet."""
_alive: dict[int, Any] = {}
"""What was hashed by its identity, kept so that no other object can take that identity."""


class NotHashable(Exception):
    """Something that compiled code depends on and that has no exact hash."""


class Hasher:
    """Hashes what the functions of a problem class depend on.

    Parameters
    ----------
    by_identity
        hash what has no exact hash by its identity, instead of raising :class:`NotHashable`: such a hash
        holds within this process only
    """

    def __init__(self, cls: type, by_identity: bool = False) -> None:
        self.digest = hashlib.sha256()
        self._cls = cls
        self._by_identity = by_identity
        self._seen: dict[Any, int] = {}
        self._inside: tuple[int, ...] = ()  # dispatchers that are being hashed, which may call each other

    def add(self, *parts: object) -> None:
        """Add plain texts, numbers and bytes, so that no two lists of parts look alike."""
        for part in parts:
            data = part if type(part) is bytes else repr(part).encode()
            self.digest.update(b"%d:%b" % (len(data), data))

    def reached(self, function: types.FunctionType | None) -> None:
        """Add a function, if there is one, however deep the calls in it are."""
        try:
            if function is not None:
                self.function(function)
        except RecursionError:
            self._refuse(function, "functions that call each other too deeply")

    def function(self, function: types.FunctionType) -> None:
        """Add a function and all that it reaches."""
        if self._was_seen(id(function)):
            return
        code = function.__code__
        read = globals_read(code)
        names = sorted({*names_used(code), *(texts_in(code) if "getattr" in read else ())})
        self.add("function")
        self.value(function.__defaults__, names)
        self.value(tuple(sorted((function.__kwdefaults__ or {}).items())), names)
        self._code(code)
        for cell in function.__closure__ or ():
            try:
                contents = cell.cell_contents
            except ValueError:
                self._refuse(cell, "a variable without a value")
            else:
                self.value(contents, names)
        for name in sorted(read):
            if name in function.__globals__:
                self.add("global", name)
                self.value(function.__globals__[name], names)
            elif hasattr(builtins, name):
                self.add("built in", name)
                self.value(getattr(builtins, name), names)
        for name in names:
            self._member(self._cls, name)

    def value(self, value: Any, names: list[str] | None = None) -> None:  # noqa: C901 - a branch for each kind of value
        """Add a value; ``names`` are the attributes that may be read from it if it is a module or a class."""
        if type(value) in _PLAIN:
            self.add(type(value).__name__, value)
        elif type(value) is int:
            self.add("int", hex(value))  # a decimal text has a longest length
        elif isinstance(value, np.generic):
            self.add("scalar", value.dtype, value.tobytes())
        elif type(value) in (np.ndarray, np.recarray) and not value.dtype.hasobject:
            self.add("array", value.dtype, value.shape, value.strides, np.ascontiguousarray(value).tobytes())
        elif isinstance(value, enum.Enum):
            self.add("member", value.name)
            self._class(type(value), names or [])
        elif type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
            self.add("tuple", len(value))
            if type(value) is not tuple:
                self._class(type(value), names or [])
            for item in value:
                self.value(item, names)
        elif type(value) is frozenset:
            self.add("frozenset", sorted(map(self._alone, value)))
        elif (library := _library_name(value)) is not None:
            self.add("library", library)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, Dispatcher):
            self._dispatcher(value)
        elif isinstance(value, types.ModuleType):
            self._module(value, names or [])
        elif isinstance(value, type):
            self._class(value, names or [])
        elif isinstance(value, np.dtype):
            self.add("dtype", value)
        elif isinstance(value, _Intrinsic) and value.__module__ == bits.__name__:  # in the key of the library
            self.add("intrinsic", value.__name__)
        elif isinstance(value, _NUMBA_NUMBER):
            self.add("Numba's type", str(value))
        else:
            self._refuse(value, f"a value of type {type(value).__name__}")

    def overloads(self) -> None:
        """Add the functions with which a user, or a package of others, has extended Numba."""
        for template in (*builtin_registry.functions, *builtin_registry.attributes):
            function = getattr(template, "_overload_func", None)
            if not isinstance(function, types.FunctionType):
                continue
            module = function.__module__ or function.__globals__.get("__name__")  # Numba wraps some without a module
            if not _of_libraries(module):
                self.add("overload", template.__name__)
                self.function(function)

    def _was_seen(self, thing: Any) -> bool:
        """Whether this was added before; a second time a short mark is enough: functions may call each other."""
        if thing in self._seen:
            self.add("seen", self._seen[thing])
            return True
        self._seen[thing] = len(self._seen)
        return False

    def _alone(self, value: Any) -> str:
        hasher = Hasher(self._cls, self._by_identity)
        hasher.value(value)
        return hasher.digest.hexdigest()

    def _code(self, code: types.CodeType) -> None:
        self.add("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.add(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        self.add(code.co_exceptiontable)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant)
            else:
                self.value(constant)

    def _member(self, cls: type, name: str) -> None:
        function = method_of(cls, name)
        if function is not None:
            self.add("method", name, type(inspect.getattr_static(cls, name)).__name__)
            self.function(function)

    def _module(self, module: types.ModuleType, names: list[str]) -> None:
        self.add("module", module.__name__)
        if self._was_seen((id(module), tuple(names))):
            return
        library = _of_libraries(module.__name__)
        for name in names:
            with warnings.catch_warnings(action="ignore"):  # a library may warn about a name that it once had
                known, member = hasattr(module, name), getattr(module, name, None)
            # For a library, only what others may have put there: the rest is known by its version.
            if known and (not library or type(member) in (int, float) or is_plain_function(member)):
                self.add("member", name)
                self.value(member, names)

    def _class(self, cls: type, names: list[str]) -> None:
        self.add("class", cls.__module__, cls.__qualname__)
        if issubclass(cls, enum.Enum):
            if self._was_seen(cls):
                return
            for name, member in cls.__members__.items():
                self.add(name)
                self.value(member.value)
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            self.add("fields", cls._fields)
            self.value(tuple(getattr(cls, "_field_defaults", {}).items()))
        elif issubclass(cls, BaseException):
            # Machine code holds the class by its name, or a copy of it where a name is not enough.
            if cls.__module__ == "__main__" or _found(cls.__module__, cls.__qualname__) is not cls:
                self._refuse(cls, f"the exception {cls.__qualname__}, which no module has")
        elif type(cls) not in (type, ABCMeta) or any(_of_libraries(c.__module__) for c in cls.__mro__[:-1]):
            self._refuse(cls, f"the class {cls.__qualname__}")
        for name in names:
            self._member(cls, name)

    def _dispatcher(self, dispatcher: Any) -> None:
        """Add a function that the user compiled: with its options, and only if it cannot hold older values."""
        if self._was_seen(id(dispatcher)):
            return
        inner = Hasher(object, self._by_identity)  # by itself: the same whatever calls it
        inner._inside = (*self._inside, id(dispatcher))
        inner._seen = {thing: number for number, thing in enumerate(inner._inside)}
        for option, value in sorted(dispatcher.targetoptions.items()):
            inner.add(option)
            inner.value(frozenset(value) if isinstance(value, set) else value)
        for name, kind in sorted(dispatcher.locals.items()):
            inner.add(name, str(kind))
        inner.function(dispatcher.py_func)
        digest = inner.digest.hexdigest()
        self.add("dispatcher", digest)
        if (dispatcher.__module__ or "").split(".")[0] == "rookery":
            return
        if isinstance(dispatcher._cache, KernelCache):  # a kernel inside another: its own key is exact
            self.add("kernel", dispatcher._cache.key)
        elif not isinstance(dispatcher._cache, NullCache):
            self._refuse(dispatcher, "a function with a cache of Numba's")
        elif not dispatcher.overloads:
            _fresh[dispatcher] = digest
        elif _fresh.get(dispatcher) != digest:
            self._refuse(dispatcher, "a function that Numba compiled before")

    def _refuse(self, value: Any, what: str) -> None:
        if not self._by_identity:
            raise NotHashable(what)
        _alive[id(value)] = value
        self.add("identity", id(value))


def functions_key(cls: type, names: Iterable[str], by_identity: bool = False) -> str:
    """Hash of these methods of a class and of all that they reach; see :class:`Hasher`.

    >>> class Steps:
    ...     def score(self, s): return s.steps
    >>> functions_key(Steps, ("score",)) == functions_key(Steps, ("score",))
    True
    """
    hasher = Hasher(cls, by_identity)
    hasher.add("settings", [(name, getattr(numba.config, name, None)) for name in NUMBA_SETTINGS])
    hasher.overloads()
    for name in names:
        hasher.add("function of the contract", name)
        hasher.reached(method_of(cls, name))
    return hasher.digest.hexdigest()


def function_key(function: types.FunctionType) -> str:
    """Hash of a function and of all that it reaches, the same in every process.

    >>> def step(x): return x + 1
    >>> function_key(step) == function_key(step)
    True
    """
    hasher = Hasher(object)
    hasher.reached(function)
    return hasher.digest.hexdigest()


def names_used(code: types.CodeType) -> Iterator[str]:
    """The global and attribute names in a code object and in the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_used(constant)


def method_of(cls: type, name: str) -> types.FunctionType | None:
    """The plain function behind a method of a class, if there is one."""
    value = getattr(cls, name, None)
    return value if isinstance(value, types.FunctionType) else None


def functions_of(model: Model) -> dict[str, types.FunctionType | None]:
    """The compiled functions of a problem or a game as plain ones; None: it does without."""
    cls, lacking = type(model), model.lacks()
    return {name: None if name in lacking else method_of(cls, name) for name in cls.PARAMETERS}


def takes_self(cls: type, name: str) -> bool:
    """Whether a method is an ordinary one, not a static one."""
    return not isinstance(inspect.getattr_static(cls, name), staticmethod)


@lru_cache(maxsize=4096)
def globals_read(code: types.CodeType) -> frozenset[str]:
    """The names that a code object, or a function inside it, may look up as globals.

    >>> sorted(globals_read(compile("x = a.b + len(c)", "", "exec")))
    ['a', 'c', 'len', 'x']
    """
    named = (i for i in dis.get_instructions(code) if i.opcode in dis.hasname)
    found = {i.argval for i in named if i.opname not in _ATTRIBUTE}
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return frozenset(found.union(*map(globals_read, inner)))


def texts_in(code: types.CodeType) -> set[str]:
    """The texts among the constants of a code object: ``getattr`` may be given one as a name.

    >>> sorted(texts_in(compile("getattr(a, 'b')", "", "exec")))
    ['b']
    """
    found = {c for c in code.co_consts if isinstance(c, str)}
    return found.union(*(texts_in(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def is_plain_function(value: Any) -> bool:
    """Whether this is a Python function that must be compiled, not one that Numba knows."""
    if not isinstance(value, types.FunctionType):
        return False
    return (value.__module__ or "").split(".")[0] not in ("numpy", "numba", "math")


def _of_libraries(module: str | None) -> bool:
    return (module or "").split(".")[0] in _LIBRARIES


def _library_name(value: Any) -> str | None:
    """Where a function or class of Python, NumPy or Numba is found; None for anything else."""
    if isinstance(value, types.ModuleType):
        return None
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if isinstance(value, np.ufunc):
        module = "numpy"
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    # A user's file may hide a module of Python's, but it cannot hold functions written in C.
    of_python = isinstance(value, types.BuiltinFunctionType) and module.split(".")[0] in sys.stdlib_module_names
    if not (_of_libraries(module) or of_python) or _found(module, name) is not value:
        return None
    return f"{module}.{name}"


def _found(module: str, name: str) -> Any:
    """What a module has under a dotted name."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
