"""The key of the disk cache: a hash of everything that decides what the machine code does.

Whatever cannot be hashed exactly raises :class:`NotHashable`: then nothing is cached, so that old code
never runs in place of new.
"""

from __future__ import annotations

import hashlib
import platform
import types
from functools import cache
from importlib import resources
from typing import Any

import llvmlite
import numba
import numpy as np

from rookery.compiler.functions import method_of, names_used
from rookery.compiler.settings import cpu_identity

KERNEL_SOURCES = ("compiler", "search", "playout.py", "policy.py", "rng.py")
"""What of the library is compiled into machine code, or decides how."""

_TRUSTED_MODULES = ("math", "cmath", "numpy", "numba", "builtins", "rookery")


class NotHashable(Exception):
    """Something that compiled code depends on and that has no exact hash."""


@cache
def library_key() -> str:
    """Hash of the library's kernels, of the compiler's versions and of the processor."""
    digest = hashlib.sha256()
    for part in (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version()):
        digest.update(f"{part};".encode())
    digest.update(repr(cpu_identity()).encode())
    package = resources.files("rookery")
    for source in KERNEL_SOURCES:
        item = package / source
        files = [item] if item.is_file() else sorted(item.iterdir(), key=lambda f: f.name)
        for file in files:
            if file.name.endswith(".py"):
                digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def functions_key(cls: type, names: tuple[str, ...]) -> str:
    """Hash of these methods of a class and of all that they reach."""
    hasher = _Hasher(cls)
    for name in names:
        function = method_of(cls, name)
        hasher.add("method", name)
        if function is not None:
            hasher.function(function)
    return hasher.digest.hexdigest()


class _Hasher:
    def __init__(self, cls: type) -> None:
        self.digest = hashlib.sha256()
        self._cls = cls
        self._seen: dict[int, int] = {}

    def add(self, *parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            self.digest.update(f"{len(data)}:".encode() + data)

    def function(self, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            self.add("seen", self._seen[id(function)])
            return
        self._seen[id(function)] = len(self._seen)
        self.add("function")
        self.value(function.__defaults__)
        self.value(tuple(sorted((function.__kwdefaults__ or {}).items())))
        self.code(function.__code__)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        names = sorted(set(names_used(function.__code__)))
        for name in names:
            if name in function.__globals__:
                self.add("global", name)
                self.value(function.__globals__[name], names)
            method = method_of(self._cls, name)
            if method is not None:
                self.add("attribute", name)
                self.function(method)

    def code(self, code: types.CodeType) -> None:
        self.add("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.add(code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.value(constant)

    def value(self, value: Any, names: list[str] | None = None) -> None:
        """Add a value; ``names`` are the attributes that may be read from a module or class."""
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)) or value is ...:
            self.add(type(value).__name__, value)
        elif isinstance(value, np.generic):
            self.add("scalar", value.dtype.str, value.tobytes())
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self.add("array", value.dtype.descr, value.shape, np.ascontiguousarray(value).tobytes())
        elif isinstance(value, tuple):
            self.add("tuple", type(value).__qualname__, len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, frozenset):
            self.add("frozenset", sorted(map(repr, value)))
        elif isinstance(value, types.FunctionType):
            if _trusted(value.__module__):
                self.add("library function", value.__module__, value.__qualname__)
                if (value.__module__ or "").startswith("rookery"):
                    self.function(value)
            else:
                self.function(value)
        elif isinstance(value, numba.core.dispatcher.Dispatcher):
            self.add("dispatcher", sorted(value.targetoptions.items(), key=repr))
            self.function(value.py_func)
        elif isinstance(value, types.BuiltinFunctionType | np.ufunc):
            self.add("builtin", getattr(value, "__module__", None), value.__name__)
        elif isinstance(value, types.ModuleType):
            self._module(value, names or [])
        elif isinstance(value, type):
            self._class(value, names or [])
        elif isinstance(value, np.dtype):
            self.add("dtype", value.descr)
        else:
            raise NotHashable(f"a value of type {type(value).__name__}")

    def _module(self, module: types.ModuleType, names: list[str]) -> None:
        self.add("module", module.__name__)
        if _trusted(module.__name__) and not module.__name__.startswith("rookery"):
            return
        for name in names:
            if hasattr(module, name):
                self.add("member", name)
                self.value(getattr(module, name), names)

    def _class(self, cls: type, names: list[str]) -> None:
        self.add("class", cls.__module__, cls.__qualname__)
        if _trusted(cls.__module__) and not cls.__module__.startswith("rookery"):
            return
        for name in names:
            function = method_of(cls, name)
            if function is not None:
                self.add("member", name)
                self.function(function)


def _trusted(module: str | None) -> bool:
    """Whether the version of a module is already part of the key."""
    return (module or "").split(".")[0] in _TRUSTED_MODULES
