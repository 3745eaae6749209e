"""Parts of kernels: functions that only compiled code calls are optimised with the kernel that they belong to.

Numba optimises every function by itself and makes machine code of it, then does so again for whatever calls it. Of a
part neither is ever used. This module goes into Numba's code libraries, whose names have an underscore; the tests of
the compiler notice if they change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler

_environments: dict[str, Any] = {}
"""Those of parts, by their names in the machine code: they are set there once it is made."""


class Kernel(JITCodeLibrary):
    """The code of a function with that of all its parts, optimised together."""

    def finalize(self) -> None:
        """Link every part once, optimise, make machine code, and set the environments of what is in it."""
        libraries = with_parts(self._linking_libraries)  # type: ignore[has-type]
        for part in filter(is_part, libraries):
            self._reload_init.update(part._reload_init)
            self._final_module.link_in(part.own_module(), preserve=True)
        self._linking_libraries = [library for library in libraries if not is_part(library)]
        super().finalize()
        for variable in self._final_module.global_variables:
            if variable.name in _environments:
                self._codegen.set_env(variable.name, _environments[variable.name])


class Part(Kernel):
    """The code of a function that only compiled code calls: it is left as it is.

    Unless functions call each other in a circle: Numba finds those by their addresses, so they need machine code.
    """

    waits = True

    def finalize(self) -> None:
        """Leave linking and all that follows to the kernel."""
        modules = [self._final_module, *(library._final_module for library in self._linking_libraries)]
        self.waits = not any(map(_is_in_circle, modules))
        if self.waits:
            self._raise_if_finalized()
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            super().finalize()

    def own_module(self) -> Any:
        """The code without that of other parts."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        module = self.own_module()
        if self.waits:  # a function of Numba's own calls it: that links what it sees, and no parts of it
            module = module.clone()
            for library in with_parts(self._linking_libraries):
                of = library.own_module() if is_part(library) else library._get_module_for_linking()
                module.link_in(of, preserve=True)
        return module

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def get_pointer_to_function(self, name: str) -> int:
        """Where its machine code is: nowhere, mostly."""
        self._ensure_finalized()
        return 0 if self.waits else int(super().get_pointer_to_function(name))

    @property
    def codegen(self) -> Any:
        """What takes its environment, which has no place in memory yet."""
        return self if self.waits else self._codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Keep an environment for the kernels that the part will be in."""
        _environments[name] = environment


def is_part(library: Any) -> bool:
    """Whether a library waits for a kernel to be linked into."""
    return isinstance(library, Part) and library.waits


def with_parts(libraries: Iterable[Any]) -> list[Any]:
    """These libraries and those that parts among them call, each once."""
    found: dict[int, Any] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if id(library) not in found:
            found[id(library)] = library
            waiting += library._linking_libraries if is_part(library) else ()
    return list(found.values())


def _is_in_circle(module: Any) -> bool:
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in module.global_variables)


class KernelCompiler(Compiler):
    """Compiles kernels."""

    library: type = Kernel

    def _compile_bytecode(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super()._compile_bytecode()


class PartCompiler(KernelCompiler):
    """Compiles parts of kernels."""

    library = Part
