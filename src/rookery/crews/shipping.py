"""A problem as bytes, and back in another process."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
from cloudpickle import cloudpickle as tracking

from rookery._version import __version__
from rookery.errors import InputError, RookeryError
from rookery.user_code import describe_exception, is_users

LOADED = "rookery_user_"
"""What the names of modules made from a user's file begin with: no other process can import them."""
SOURCE = "__rookery_source__"
"""In such a module: the bytes that it was made from."""

VERSIONS = (__version__, sys.version_info[:2])


@dataclass(frozen=True)
class Parcel:
    """A problem to be sent; equal digests mean the same content."""

    digest: str
    content: bytes


@dataclass(frozen=True)
class _File:
    """A user's file that has to be run again where its classes are needed."""

    module: str
    path: str
    source: bytes


@dataclass(frozen=True)
class _Contents:
    files: tuple[_File, ...]
    folders: tuple[str, ...]  # where the user's modules may be imported from
    problem: bytes


def ship(problem: Any, search: Any = None) -> Parcel:
    """Pack a problem or a game; what a search needs of the user's files goes with it.

    Classes that others can import travel by name; those of a script, of a notebook or of standard input by value;
    those of a file that ``load_problem`` has run with that file's text, which is run again.

    >>> import rookery as rk
    >>> unpack(ship(rk.problems.LeftMove(depth=9)).content)
    LeftMove(depth=9)
    """
    try:
        body, by = cloudpickle.dumps(problem), cloudpickle.dumps(search)
    except Exception as error:
        name = type(problem).__name__
        raise InputError(f"{name} cannot be sent to other processes: {describe_exception(error)}") from error
    loaded = [name for name in sorted(sys.modules) if name.startswith(LOADED)]
    files = tuple(_file(name) for name in loaded if name.encode("utf-8", "surrogatepass") in body + by)
    content = pickle.dumps((VERSIONS, pickle.dumps(_Contents(files, _folders(), body))))
    return Parcel(hashlib.sha256(content).hexdigest(), content)


def unpack(content: bytes) -> Any:
    """The problem in the content of a parcel."""
    versions, contents = pickle.loads(content)
    if versions != VERSIONS:
        raise InputError(
            f"workers must have the same versions as the program: {_told(VERSIONS)}, not {_told(versions)}"
        )
    parcel: _Contents = pickle.loads(contents)
    sys.path.extend(folder for folder in parcel.folders if folder not in sys.path)
    try:
        for file in parcel.files:
            _run(file)
        return pickle.loads(parcel.problem)
    except RookeryError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"a problem cannot be rebuilt by a worker: {describe_exception(error)}") from error


def pack_value(value: Any) -> bytes:
    """A task or an outcome as bytes; moves and codes of a PythonProblem may be of any class."""
    packed: bytes = cloudpickle.dumps(value)
    return packed


def pack_reply(value: Any) -> bytes:
    """As :func:`pack_value`, for whoever sent the problem.

    Classes that came by value go back by name: sent back by value, they would overwrite the ones they were copied from.
    """
    file = io.BytesIO()
    _ReplyPickler(file).dump(value)
    return file.getvalue()


def unpack_reply(content: bytes) -> Any:
    """What :func:`pack_reply` has packed."""
    return _ReplyUnpickler(io.BytesIO(content)).load()


class _ReplyPickler(cloudpickle.Pickler):  # type: ignore[name-defined,misc,unused-ignore]
    def persistent_id(self, value: Any) -> str | None:
        if not isinstance(value, type):
            return None
        name: str | None = tracking._DYNAMIC_CLASS_TRACKER_BY_CLASS.get(value)
        return name


class _ReplyUnpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> type:
        found: type = tracking._DYNAMIC_CLASS_TRACKER_BY_ID[name]
        return found


def _told(versions: tuple[str, tuple[int, int]]) -> str:
    library, (major, minor) = versions
    return f"Rookery {library} on Python {major}.{minor}"


def _folders() -> tuple[str, ...]:
    """The places of ``sys.path`` that are the user's own."""
    folders = (os.path.abspath(folder) for folder in sys.path)
    return tuple(dict.fromkeys(f for f in folders if os.path.isdir(f) and is_users(os.path.join(f, "any.py"))))


def _file(module: str) -> _File:
    values = vars(sys.modules[module])
    path = values["__file__"]
    source = values.get(SOURCE)
    try:
        return _File(module, path, Path(path).read_bytes() if source is None else source)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _run(file: _File) -> None:
    """Make a user's module again, unless this process has made it from the same text."""
    known = sys.modules.get(file.module)
    if known is not None and vars(known).get(SOURCE, file.source) == file.source:
        return
    spec = importlib.util.spec_from_file_location(file.module, file.path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)[SOURCE] = file.source
    sys.modules[file.module] = module
    folder = os.path.dirname(file.path)
    sys.path.insert(0, folder)  # as when the file was loaded: its own modules come first
    try:
        exec(compile(file.source, file.path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        sys.modules.pop(file.module, None)
        raise
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)
