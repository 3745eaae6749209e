"""Problems by name: a built-in one, or a class in a user's file, with parameters given as text."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from rookery.errors import InputError, RookeryError
from rookery.places import is_users, short_path
from rookery.problem import Problem, PythonProblem
from rookery.reading import Parameter
from rookery.search.parameters import shown

AnyProblem = Problem | PythonProblem

BUILTIN = {
    "crossword": "rookery.problems.crossword.board:Crossword",
    "leftmost": "rookery.problems.leftmost:LeftmostPath",
    "leftmove": "rookery.problems.leftmove:LeftMove",
    "morpion": "rookery.problems.morpion.board:Morpion",
    "morpion-tuned": "rookery.problems.morpion.tuned:TunedMorpion",
    "samegame": "rookery.problems.samegame.game:SameGame",
    "sudoku": "rookery.problems.sudoku.board:Sudoku",
    "tsp": "rookery.problems.tsp:TSP",
}
"""Name -> module and class of the problems that come with the library."""


def load_problem(name: str, parameters: Mapping[str, str] | None = None) -> AnyProblem:
    """Make a problem from its name and its parameters as text, as the command line does.

    The name is a built-in one or ``path/to/file.py:Class``. Parameters are read by the annotations of the
    class's ``build``, or of its constructor if it has none.

    >>> load_problem("leftmove", {"depth": "9"})
    LeftMove(depth=9)
    """
    cls = _problem_class(name)
    values = _read_parameters(cls, name, parameters or {})
    try:
        problem = _maker(cls)(**values)
    except RookeryError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{name} cannot be made: {describe_exception(error)}") from error
    if not isinstance(problem, AnyProblem):
        raise InputError(f"{name}: build must return a problem, got {shown(problem)}")
    object.__setattr__(problem, "_loaded_as", name)
    return problem


def builtin_problems() -> dict[str, str]:
    """The built-in problems: name -> description.

    >>> sorted(builtin_problems())
    ['crossword', 'leftmost', 'leftmove', 'morpion', 'morpion-tuned', 'samegame', 'sudoku', 'tsp']
    """
    texts = {name: inspect.getdoc(_problem_class(name)) or "" for name in BUILTIN}
    return {name: text.partition("\n")[0].replace("``", "") for name, text in texts.items()}


def builtin_name(cls: type) -> str | None:
    """The name of a built-in problem's class; None for any other class.

    >>> import rookery as rk
    >>> builtin_name(rk.TSP)
    'tsp'
    """
    place = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name, known in BUILTIN.items() if known == place), None)


def problem_parameters(problem: str | type[AnyProblem]) -> tuple[Parameter, ...]:
    """The parameters of a problem, by its name or class: of ``build``, or of the constructor if it has none.

    >>> [(p.name, p.default) for p in problem_parameters("tsp")]
    [('n', 50), ('seed', 0)]
    """
    cls = _problem_class(problem) if isinstance(problem, str) else problem
    maker = _maker(cls)
    hints = _hints(cls) | _hints(cls.__init__) if maker is cls else _hints(maker)
    found = []
    for p in inspect.signature(maker).parameters.values():
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            untyped = type(p.default) if isinstance(p.default, (bool, int, float)) else str
            found.append(Parameter(p.name, hints.get(p.name, untyped if p.annotation is p.empty else None), p.default))
    return tuple(found)


def describe_exception(error: BaseException) -> str:
    """An exception in one line: the place in the user's own code, if it passed there, its type and text.

    >>> describe_exception(ValueError("no such city"))
    'ValueError: no such city'
    """
    what = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # a slip in an exception class of the user's
        text = ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_users(frame.filename)]
    if frames:
        file, line, function, _ = frames[-1]
        inside = "" if function.startswith("<") else f" in {function}"
        what = f"{short_path(file)}:{line}: {what}{inside}"
    return f"{what}: {text}" if text else what


# --- classes ---


def _problem_class(name: str) -> type[AnyProblem]:
    if name in BUILTIN:
        module, _, qualname = BUILTIN[name].partition(":")
        return cast("type[AnyProblem]", getattr(importlib.import_module(module), qualname))
    path, class_name = _split(name)
    if path is not None:
        return _class_in(_run_file(path), path, class_name)
    close = difflib.get_close_matches(name.lower(), BUILTIN, n=1, cutoff=0.5)
    meant = f"did you mean {close[0]}? " if close and os.sep not in name else ""
    raise InputError(
        f"unknown problem {shown(name)}: {meant}there are {', '.join(BUILTIN)}, and your own as file.py:Class"
    )


def _split(name: str) -> tuple[Path | None, str]:
    """Path and class of ``file.py:Class``; no path if this is not the name of a file."""
    if name.endswith(".py"):
        return Path(name), ""
    path, _, class_name = name.rpartition(":")
    return (Path(path), class_name) if path else (None, "")


def _class_in(module: types.ModuleType, path: Path, class_name: str) -> type[AnyProblem]:
    """The problem class of this name in a user's module."""
    problems = [name for name, value in vars(module).items() if _is_problem(value)]
    there = f"it has {', '.join(problems)}" if problems else "it has no problem class"
    if not class_name:
        raise InputError(f"{path} needs the name of a class, as in {path}:{problems[0] if problems else 'MyProblem'}")
    if not hasattr(module, class_name):
        raise InputError(f"{path} has no class {class_name}; {there}")
    found = getattr(module, class_name)
    if not _is_problem(found):
        raise InputError(f"{class_name} in {path} is not a subclass of rookery.Problem or PythonProblem; {there}")
    return cast("type[AnyProblem]", found)


def _is_problem(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, AnyProblem) and value not in (Problem, PythonProblem)


# --- files ---


def _run_file(path: Path) -> types.ModuleType:
    """Run a user's file as a module; from its source, because Python's bytecode cache can be a second old.

    Its folder comes first on ``sys.path``, as when Python runs the file. Afterwards it comes last: functions
    that import later find their modules, and no file of the user's hides one that the library has yet to import.
    """
    try:
        full = Path(os.path.realpath(path))
        source = full.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        code = compile(source, str(full), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise InputError(f"{path} is not Python{line}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = error if isinstance(error, ValueError) else "nested too deeply"
        raise InputError(f"{path} is not Python: {reason}") from None
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


# --- parameters ---


def _maker(cls: type[AnyProblem]) -> Callable[..., Any]:
    """What makes a problem from simple values: its ``build``, or the class itself."""
    if not hasattr(cls, "build"):
        return cls
    if not isinstance(inspect.getattr_static(cls, "build"), (classmethod, staticmethod)):
        raise InputError(f"{cls.__name__}.build must be a classmethod: put @classmethod above it")
    return cast("Callable[..., Any]", cls.build)


def _hints(owner: Any) -> dict[str, Any]:
    """Resolved annotations; those that cannot be resolved are left out."""
    try:
        return typing.get_type_hints(owner)
    except Exception:
        scope = getattr(inspect.unwrap(owner), "__globals__", None) or vars(sys.modules[owner.__module__])
        found = {}
        for name, annotation in inspect.get_annotations(owner).items():
            try:
                found[name] = eval(annotation, scope) if isinstance(annotation, str) else annotation
            except Exception:
                continue
        return found


def _read_parameters(cls: type[AnyProblem], name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Values for ``build`` or the constructor, each as its annotation says."""
    known = {p.name: p for p in problem_parameters(cls)}
    for key in texts:
        if key not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{name} has no parameter {key!r}; {there}")
    for p in known.values():
        if p.kind is None and (p.required or p.name in texts):
            needs = f"{cls.__name__} needs a classmethod build(cls, ...)"
            raise InputError(f"{name}: {p.name} cannot be given on the command line; {needs} that makes it")
        if p.required and p.name not in texts:
            raise InputError(f"{name} needs {p.name}, {p.kind}: -p {p.name}=...")
    return {key: known[key].read(text) for key, text in texts.items()}
