"""Problems by name: a built-in one, or a class in a user's file, with parameters given as text."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import traceback
import types
import typing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from rookery.errors import InputError, RookeryError
from rookery.problem import Problem, PythonProblem

AnyProblem = Problem | PythonProblem

BUILTIN = {
    "leftmost": "rookery.problems.leftmost:LeftmostPath",
    "leftmove": "rookery.problems.leftmove:LeftMove",
    "morpion": "rookery.problems.morpion:Morpion",
    "tsp": "rookery.problems.tsp:TSP",
}
"""Name -> module and class of the problems that come with the library."""


def load_problem(name: str, parameters: Mapping[str, str] | None = None) -> AnyProblem:
    """Make a problem from its name and its parameters as text, as the command line does.

    Parameters
    ----------
    name
        a built-in problem, or ``path/to/file.py:Class``
    parameters
        read by the annotations of the class's ``build``, or of its constructor if it has none

    >>> load_problem("leftmove", {"depth": "9"})
    LeftMove(depth=9)
    """
    with _folder_importable(name):
        cls = _problem_class(name)
        values = _read_parameters(cls, name, parameters or {})
        try:
            problem = _maker(cls)(**values)
        except RookeryError:
            raise
        except Exception as error:
            raise InputError(f"{name} cannot be made: {describe_exception(error)}") from error
    if not isinstance(problem, AnyProblem):
        raise InputError(f"{name}: build must return a problem, got {problem!r}")
    object.__setattr__(problem, "_loaded_as", name)
    return problem


def builtin_problems() -> dict[str, str]:
    """The built-in problems: name -> description.

    >>> sorted(builtin_problems())
    ['leftmost', 'leftmove', 'morpion', 'tsp']
    """
    return {name: _first_line(_problem_class(name)) for name in BUILTIN}


def builtin_name(cls: type) -> str | None:
    """The name of a built-in problem's class; None for any other class.

    >>> import rookery as rk
    >>> builtin_name(rk.TSP)
    'tsp'
    """
    place = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name, known in BUILTIN.items() if known == place), None)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a problem; ``default`` is ``inspect.Parameter.empty`` for one that must be given.

    >>> Parameter("n", int, 50).kind
    'a whole number'
    """

    name: str
    annotation: Any
    default: Any

    @property
    def kind(self) -> str | None:
        """What a value must be, in words; None if it cannot be read from text."""
        return _kind(self.annotation)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty


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
    what, text = type(error).__name__, " ".join(str(error).split())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_users(frame.filename)]
    if frames:
        function = "" if frames[-1].name.startswith("<") else f" in {frames[-1].name}"
        what = f"{frames[-1].filename}:{frames[-1].lineno}: {what}{function}"
    return f"{what}: {text}" if text else what


def _is_users(filename: str) -> bool:
    """Whether a source file belongs to the user: not to Rookery, to Python or to an installed package."""
    paths = sysconfig.get_paths()
    foreign = (os.path.dirname(__file__), paths["stdlib"], paths["purelib"], paths["platlib"])
    path = os.path.abspath(filename)
    return not filename.startswith("<") and not any(path.startswith(folder + os.sep) for folder in foreign)


# --- classes ---


def _problem_class(name: str) -> type[AnyProblem]:
    if name in BUILTIN:
        module, _, qualname = BUILTIN[name].partition(":")
        return cast("type[AnyProblem]", getattr(importlib.import_module(module), qualname))
    path, class_name = _split(name)
    if path is not None:
        return _class_in(_run_file(path), path, class_name)
    close = difflib.get_close_matches(name.lower(), BUILTIN, n=1, cutoff=0.5)
    meant = f"did you mean {close[0]}? " if close else ""
    raise InputError(f"unknown problem {name!r}: {meant}there are {', '.join(BUILTIN)}, and your own as file.py:Class")


def _maker(cls: type[AnyProblem]) -> Any:
    """What makes an instance from parameters."""
    return getattr(cls, "build", cls)


def _first_line(cls: type) -> str:
    lines = (inspect.getdoc(cls) or "").splitlines()
    return lines[0].replace("``", "") if lines else ""


def _split(name: str) -> tuple[Path | None, str]:
    """Path and class of ``file.py:Class``; no path if this is not the name of a file."""
    path, colon, class_name = name.rpartition(":")
    if colon and path:
        return Path(path), class_name
    if name.endswith(".py") or os.sep in name:
        return Path(name), ""
    return None, ""


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


@contextmanager
def _folder_importable(name: str) -> Iterator[None]:
    """The folder of a user's file comes first on ``sys.path``, as when Python runs the file.

    Afterwards it comes last: functions that import later find their modules, and no file of the user's
    takes the place of a module that the library has yet to import.
    """
    path, _ = _split(name)
    folder = "" if path is None else str(path.resolve().parent)
    if not folder or folder in sys.path:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
        sys.path.append(folder)
    finally:
        sys.path.remove(folder)


def _run_file(path: Path) -> types.ModuleType:
    """Run a user's file as a module; from its source, because Python's bytecode cache can be a second old."""
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise InputError(f"{path} is not Python{line}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path} is not Python: {error or type(error).__name__}") from None
    full = str(path.resolve())
    name = f"rookery_user_{path.stem}_{hashlib.sha256(full.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None:
        raise InputError(f"{path} is not Python: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(f"cannot import {describe_exception(error)}") from error
    return module


# --- parameters ---


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
            raise InputError(f"{name}: {p.name} cannot be given as text; {cls.__name__} needs a classmethod build(cls, ...)")
        if p.required and p.name not in texts:
            raise InputError(f"{name} needs {p.name}, {p.kind}: -p {p.name}=...")
    return {key: _read(known[key], text) for key, text in texts.items()}


def _options(annotation: Any) -> tuple[Any, ...]:
    """The members of a union; of any other annotation, itself."""
    union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if union else (annotation,)


def _kind(annotation: Any) -> str | None:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", Path: "a path"}
    words |= {type(None): "none", Any: "a text"}
    kinds = []
    for option in _options(annotation):
        if typing.get_origin(option) is typing.Literal:
            kinds.extend(map(str, typing.get_args(option)))
        elif option in words:
            kinds.append(words[option])
    return " or ".join(", ".join(kinds).rsplit(", ", 1)) or None


def _read(parameter: Parameter, text: str) -> Any:
    """A value from text: of the first of its types that can be read."""
    for option in sorted(_options(parameter.annotation), key=lambda t: t is not type(None)):
        if typing.get_origin(option) is typing.Literal:
            for choice in typing.get_args(option):
                if str(choice) == text:
                    return choice
        elif option is type(None) and text.lower() == "none":
            return None
        elif option is bool and text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        elif option in (str, Path, Any):
            return text if option is Any else option(text)
        elif option in (int, float):
            try:
                value = option(text)
            except ValueError:
                continue
            if value == value:
                return value
    name = parameter.name
    raise InputError(f"-p {name}={text}: {name} must be {parameter.kind}, got {text!r}")
