"""From the methods of a problem to compiled functions.

Numba compiles functions, not methods. Each function that a problem reaches is cloned with compiled
versions of the module-level functions it names; a compiler pass turns ``self._gain(s, m)``,
``Parent.play(self, s, m)`` and ``module.helper(x)`` into calls of compiled functions.
"""

from __future__ import annotations

import threading
import types
from dataclasses import dataclass
from typing import Any

import numba
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.ir_utils import get_definition, guard
from numba.core.untyped_passes import IRProcessing

from rookery.compiler.hasher import is_plain_function, method_of, names_used, takes_self
from rookery.compiler.mistakes import check_attribute, check_global, is_self
from rookery.settings import INNER, INTERPRETED

Compiled = Any
"""A Numba dispatcher; the plain function when ``NUMBA_DISABLE_JIT`` is set."""

HOME = "rookery.compiler.functions"
"""Module of every clone: cached machine code must not need the user's module to load."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _ResolveFunctions(FunctionPass):
    """Replace attribute look-ups that name a user's function by that function, compiled; refuse what cannot work."""

    _name = "rookery_resolve_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:  # noqa: C901 - a walk over all instructions
        compiler: FunctionCompiler | None = getattr(state.func_id.func, "__rookery_compiler__", None)
        if compiler is None:
            return False
        func_ir = state.func_ir
        receivers: dict[str, Any] = {}  # variable that holds a method -> variable that holds self
        classes: set[int] = set()  # loads of classes, which compiled code cannot hold
        for block in func_ir.blocks.values():
            for statement in block.body:
                self._check(compiler, statement, state)
                if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Var):
                    # A method waits under another name while arguments with an "if" in them are computed.
                    if statement.value.name in receivers:
                        receivers[statement.target.name] = receivers[statement.value.name]
                    continue
                if not (isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr)):
                    continue
                expr = statement.value
                if expr.op == "getattr":
                    owner = guard(get_definition, func_ir, expr.value)
                    if expr.attr == "view" and isinstance(_kind(owner, state), numba.types.Record):
                        # Numba lets nothing but arrays have such an attribute.
                        statement.value = ir.Expr.static_getitem(expr.value, expr.attr, None, expr.loc)
                        func_ir._definitions[statement.target.name] = [statement.value]
                        continue
                    if expr.attr in compiler.fixed and is_self(_kind(owner, state)):
                        statement.value = ir.Const(compiler.fixed[expr.attr], expr.loc)
                        func_ir._definitions[statement.target.name] = [statement.value]
                        continue
                    compiled = compiler.attribute(owner, is_self(_kind(owner, state)), expr.attr)
                    if compiled is None:
                        continue
                    if isinstance(owner, ir.Arg):
                        if takes_self(compiler.cls, expr.attr):
                            receivers[statement.target.name] = expr.value
                    elif isinstance(owner.value, type):
                        classes.add(id(owner))
                    statement.value = ir.Global(expr.attr, compiled, expr.loc)
                    func_ir._definitions[statement.target.name] = [statement.value]
                elif expr.op == "call" and expr.func.name in receivers:
                    expr.args = [receivers[expr.func.name], *expr.args]
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign) and id(statement.value) in classes:
                    statement.value = ir.Const(0, statement.loc)
        return True

    @staticmethod
    def _check(compiler: FunctionCompiler, statement: Any, state: Any) -> None:
        """Refuse what cannot be compiled and has a better explanation than Numba's."""
        line = statement.loc.line
        value = getattr(statement, "value", None)
        if isinstance(statement, ir.SetAttr):
            owner = guard(get_definition, state.func_ir, statement.target)
            check_attribute(compiler.cls, compiler.fixed, owner, statement.attr, True, _kind(owner, state), line)
        elif isinstance(value, ir.Expr) and value.op == "getattr":
            owner = guard(get_definition, state.func_ir, value.value)
            check_attribute(compiler.cls, compiler.fixed, owner, value.attr, False, _kind(owner, state), line)
        elif isinstance(value, (ir.Global, ir.FreeVar)):
            check_global(value.name, value.value, line)


def _kind(owner: Any, state: Any) -> Any:
    """The Numba type of an argument; None for anything else."""
    return state.args[owner.index] if isinstance(owner, ir.Arg) and owner.index < len(state.args) else None


@dataclass(frozen=True)
class Failure:
    """A function that could not be compiled, how deep in calls of functions, and why."""

    function: types.FunctionType
    depth: int
    error: Exception


class _Failures(threading.local):
    """What has failed in this thread since the last look; functions called by others fail first."""

    def __init__(self) -> None:
        self.depth = 0
        self.all: list[Failure] = []


_failures = _Failures()


def innermost_failure() -> Failure | None:
    """The function in which the last compilation of this thread went wrong; forgets it."""
    failures, _failures.all = _failures.all, []
    found = failures.pop() if failures else None
    while found is not None and failures and failures[-1].depth > found.depth:
        found = failures.pop()
    return found


class _FunctionCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(_ResolveFunctions, IRProcessing)
        manager.finalize()
        return [manager]

    def compile_extra(self, func: Any) -> Any:
        _failures.depth += 1
        try:
            return super().compile_extra(func)
        except Exception as error:
            _failures.all.append(Failure(func, _failures.depth, error))
            raise
        finally:
            _failures.depth -= 1


class FunctionCompiler:
    """Compiles functions of one problem class, each once.

    Parameters
    ----------
    tag
        goes into the names of the machine code, so that code read from the cache cannot be confused
        with other code of the same process
    debug
        check every array index
    fixed
        attributes of ``self`` whose values are compiled in
    """

    def __init__(self, cls: type, tag: str, debug: bool, fixed: dict[str, Any]) -> None:
        self.cls = cls
        self.fixed = fixed
        self._tag = tag
        self._debug = debug
        self._done: dict[types.FunctionType, Compiled] = {}

    def method(self, name: str) -> Compiled:
        """The compiled method of this name."""
        function = method_of(self.cls, name)
        assert function is not None
        return self.compile(function)

    def compile(self, function: types.FunctionType, options: dict[str, Any] | None = None) -> Compiled:
        """The function, and all it reaches, compiled; ``options`` of Numba's go before ours."""
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
        clone.__dict__["__rookery_compiler__"] = self
        ours = {"nogil": True, "error_model": "python", "boundscheck": self._debug, **INNER}
        compiled = numba.njit(pipeline_class=_FunctionCompiler, **{**ours, **(options or {})})(clone)
        self._done[function] = compiled  # before its globals: functions may call each other
        for name in set(names_used(function.__code__)):
            if name in function.__globals__:
                scope[name] = self._replaced(function.__globals__[name])
        return compiled

    def _replaced(self, value: Any) -> Any:
        if is_plain_function(value):
            return self.compile(value)
        if is_compiled_by_user(value):  # compiled again: it may hold values that its globals had before
            chosen = {k: v for k, v in value.targetoptions.items() if v is not None and k != "nopython"}
            return self.compile(value.py_func, {**chosen, "locals": value.locals})
        return value

    def _cells(self, function: types.FunctionType) -> tuple[types.CellType, ...] | None:
        if function.__closure__ is None:
            return None
        return tuple(types.CellType(self._replaced(cell.cell_contents)) for cell in function.__closure__)

    def attribute(self, owner: Any, of_self: bool, name: str) -> Compiled | None:
        """The function that ``owner.name`` names, compiled; None if it names none of the user's."""
        function = None
        if of_self:
            function = method_of(self.cls, name)
        elif isinstance(owner, (ir.Global, ir.FreeVar)) and isinstance(owner.value, (types.ModuleType, type)):
            value = getattr(owner.value, name, None)
            replaced = self._replaced(value)
            return None if replaced is value else replaced
        return None if function is None else self.compile(function)


def is_compiled_by_user(value: Any) -> bool:
    """Whether this is a function that the user compiled with Numba."""
    return isinstance(value, Dispatcher) and (value.__module__ or "").split(".")[0] not in ("numba", "rookery")
