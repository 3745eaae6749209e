"""From the methods of a problem to compiled functions.

Numba compiles functions, not methods. Each function that a problem reaches is cloned with compiled
versions of the module-level functions it names; a compiler pass turns ``self._gain(s, m)``,
``Parent.play(self, s, m)`` and ``module.helper(x)`` into calls of compiled functions.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numba
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.untyped_passes import IRProcessing

from rookery.compiler.settings import INNER, INTERPRETED

Compiled = Any
"""A Numba dispatcher; the plain function when ``NUMBA_DISABLE_JIT`` is set."""

HOME = "rookery.compiler.functions"
"""Module of every clone: cached machine code must not need the user's module to load."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _ResolveFunctions(FunctionPass):
    """Replace attribute look-ups that name a user's function by that function, compiled."""

    _name = "rookery_resolve_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        resolve = getattr(state.func_id.func, "__rookery_resolve__", None)
        if resolve is None:
            return False
        func_ir = state.func_ir
        methods: set[str] = set()
        classes: set[int] = set()  # loads of classes, which compiled code cannot hold
        for block in func_ir.blocks.values():
            for statement in block.body:
                if not (isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr)):
                    continue
                expr = statement.value
                if expr.op == "getattr":
                    owner = guard(get_definition, func_ir, expr.value)
                    compiled = resolve(owner, expr.attr)
                    if compiled is None:
                        continue
                    if isinstance(owner, ir.Arg):
                        methods.add(statement.target.name)
                    elif isinstance(owner.value, type):
                        classes.add(id(owner))
                    statement.value = ir.Global(expr.attr, compiled, expr.loc)
                    func_ir._definitions[statement.target.name] = [statement.value]
                elif expr.op == "call" and expr.func.name in methods:
                    expr.args = [self._self_variable(func_ir), *expr.args]
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign) and id(statement.value) in classes:
                    statement.value = ir.Const(0, statement.loc)
        return True

    @staticmethod
    def _self_variable(func_ir: Any) -> Any:
        first = min(func_ir.blocks)
        for statement in func_ir.blocks[first].body:
            value = getattr(statement, "value", None)
            if isinstance(value, ir.Arg) and value.index == 0:
                return statement.target
        raise AssertionError("a method without self")


class _FunctionCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(_ResolveFunctions, IRProcessing)
        manager.finalize()
        return [manager]


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


class FunctionCompiler:
    """Compiles functions of one problem class, each once.

    Parameters
    ----------
    tag
        goes into the names of the machine code, so that code read from the cache cannot be confused
        with other code of the same process
    debug
        check every array index
    """

    def __init__(self, cls: type, tag: str, debug: bool) -> None:
        self._cls = cls
        self._tag = tag
        self._debug = debug
        self._done: dict[types.FunctionType, Compiled] = {}

    def method(self, name: str) -> Compiled:
        """The compiled method of this name."""
        function = method_of(self._cls, name)
        assert function is not None
        return self.compile(function)

    def compile(self, function: types.FunctionType) -> Compiled:
        """The function, and all it reaches, compiled."""
        if INTERPRETED:
            return function
        if function in self._done:
            return self._done[function]
        scope: dict[str, Any] = {"__builtins__": __builtins__, "__name__": HOME}
        clone = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, self._cells(function)
        )
        clone.__kwdefaults__ = function.__kwdefaults__
        clone.__module__ = HOME
        clone.__qualname__ = f"{function.__qualname__}.{self._tag}"
        clone.__dict__["__rookery_resolve__"] = self._resolver()
        compiled = numba.njit(
            nogil=True,
            error_model="python",
            boundscheck=self._debug,
            pipeline_class=_FunctionCompiler,
            **INNER,
        )(clone)
        self._done[function] = compiled  # before its globals: functions may call each other
        for name in set(names_used(function.__code__)):
            if name in function.__globals__:
                scope[name] = self._replaced(function.__globals__[name])
        return compiled

    def _replaced(self, value: Any) -> Any:
        return self.compile(value) if is_plain_function(value) else value

    def _cells(self, function: types.FunctionType) -> tuple[types.CellType, ...] | None:
        if function.__closure__ is None:
            return None
        return tuple(types.CellType(self._replaced(cell.cell_contents)) for cell in function.__closure__)

    def _resolver(self) -> Callable[[Any, str], Compiled | None]:
        def resolve(owner: Any, attribute: str) -> Compiled | None:
            if isinstance(owner, ir.Arg) and owner.index == 0 and owner.name == "self":
                function = method_of(self._cls, attribute)
            elif isinstance(owner, (ir.Global, ir.FreeVar)):
                value = getattr(owner.value, attribute, None)
                ours = isinstance(owner.value, (types.ModuleType, type)) and is_plain_function(value)
                function = value if ours else None
            else:
                return None
            return None if function is None else self.compile(function)

        return resolve


def is_plain_function(value: Any) -> bool:
    """Whether this is a Python function that must be compiled, not one that Numba knows."""
    if not isinstance(value, types.FunctionType):
        return False
    return (value.__module__ or "").split(".")[0] not in ("numpy", "numba", "math")
