"""A user's own modules: run from a file or imported by name, and what they were made from."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import shlex
import sys
import types
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from rookery.disk import file_bytes
from rookery.errors import InputError, reason
from rookery.user_code import describe_exception


def naming(command: str, name: str) -> str:
    """Why a user's own class is not loaded, and the command that names it, ready to be copied.

    >>> print(naming("rookery show tour.json", "__main__:TSP"))
    no code is run because a file names it; name it: `rookery show tour.json --problem path/to/file.py:TSP`
    """
    module, _, cls = name.rpartition(":")
    known = name if module not in ("", "__main__") else f"path/to/file.py:{cls}"
    return f"no code is run because a file names it; name it: `{command} --problem {shlex.quote(known)}`"


def split_name(name: str) -> tuple[Path | None, str]:
    """Path and class of ``file.py:Class``; no path if this is not the name of a file.

    >>> split_name("my_tsp.py:TSP")[1]
    'TSP'
    """
    if name.endswith(".py"):
        return Path(name), ""
    path, _, class_name = name.rpartition(":")
    return (Path(path), class_name) if path else (None, "")


def import_named(name: str) -> types.ModuleType | None:
    """The module of a name with dots, as a script in the current folder would import it; None if there is none.

    >>> import_named("no.such.module") is import_named("my_tsp.py") is import_named("../x") is None
    True
    """
    if name.endswith(".py") or not all(part.isidentifier() for part in name.split(".")):
        return None
    _find_here(name)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise InputError(f"cannot import {name}: {describe_exception(error)}") from error
    except (Exception, SystemExit) as error:
        raise InputError(f"cannot import {name}: {describe_exception(error)}") from error
    return None


LARGEST_SOURCE = 1 << 20
"""The most bytes of a user's file that is run."""


def run_file(path: Path) -> types.ModuleType:
    """Run a user's file as a module; from its source, because Python's bytecode cache can be a second old.

    Its folder comes first on ``sys.path``, as when Python runs the file. Afterwards it comes last: functions
    that import later find their modules, and none of the user's files hides a module that the library has yet to
    import.
    """
    try:
        full = Path(os.path.realpath(path))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {reason(error)}") from None
    source = file_bytes(path, LARGEST_SOURCE)
    try:
        code = compile(source, str(full), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise InputError(f"{path} is not Python{line}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = error if isinstance(error, ValueError) else "nested too deeply"
        raise InputError(f"{path} is not Python: {why}") from None
    name = f"rookery_user_{path.stem}_{hashlib.sha256(os.fsencode(full)).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None:
        raise InputError(f"{path} is not Python: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__rookery_source__"] = source  # other processes get the problem as it was loaded
    sys.modules[name] = module
    folder = str(full.parent)
    sys.path.insert(0, folder)
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise InputError(f"cannot import {describe_exception(error)}") from error
    finally:
        if folder in sys.path:  # the file may have changed it
            sys.path.remove(folder)
    if folder not in sys.path:
        sys.path.append(folder)
    return module


# --- what a class was made from ---


def source_mark(cls: type) -> str:
    """A hash of the file in which a class is defined, as it was when it was run; empty if there is no such file.

    >>> import rookery as rk
    >>> len(source_mark(rk.problems.TSP)), source_mark(int)
    (64, '')
    """
    module: Any = sys.modules.get(cls.__module__)
    source = getattr(module, "__rookery_source__", None)
    return _content_mark(getattr(module, "__file__", None)) if source is None else hashlib.sha256(source).hexdigest()


def is_unchanged(name: str, mark: str) -> bool:
    """Whether ``file.py:Class`` or ``module:Class`` still has this mark; nothing is run to find out.

    A module that has been imported is taken as it is.

    >>> is_unchanged("no_such_file.py:Class", "")
    False
    """
    path, _ = split_name(name)
    if path is None:
        return False
    if os.path.isfile(path) or str(path).endswith(".py"):
        return mark != "" and _content_mark(path) == mark
    return str(path) in sys.modules or (mark != "" and _content_mark(_file_of(str(path))) == mark)


def _content_mark(path: str | os.PathLike[str] | None) -> str:
    try:
        return "" if path is None else hashlib.sha256(file_bytes(path)).hexdigest()
    except (OSError, ValueError):  # including InputError
        return ""


def _file_of(name: str) -> str | None:
    """The file of a module; its packages are looked up but not imported."""
    _find_here(name)
    places: Any = None
    spec = None
    parts = name.split(".")
    for i in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: i + 1]), places)
        if spec is None:
            return None
        places = spec.submodule_search_locations
    return None if spec is None else spec.origin


def _find_here(name: str) -> None:
    """Let a module in the current folder be found: last, so that it hides none that the library has yet to import."""
    top = name.partition(".")[0]
    if (os.path.isdir(top) or os.path.isfile(f"{top}.py")) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
