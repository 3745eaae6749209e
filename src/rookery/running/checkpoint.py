"""A run on disk: what it takes to continue it, in one file that is written whole or not at all.

The first line says ``rookery checkpoint``, the version of the format, and the SHA-256 of all that follows: JSON in
UTF-8, compressed by zlib. There is no pickle inside: reading a checkpoint never runs code.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from rookery._version import __version__
from rookery.compiler.constants import fixed_values, normalise
from rookery.compiler.layout import declared_limits, state_dtype
from rookery.control import Signal
from rookery.disk import LARGEST, SoleWriter, as_json, brief, check_size, check_writable, file_bytes, write_bytes
from rookery.errors import InputError
from rookery.problem import Problem, PythonProblem
from rookery.rng import Stream, root_key
from rookery.running.callbacks import Callback
from rookery.running.encoding import decode, encode, made
from rookery.tasks import Moves, Task, Worker

FORMAT = 1
"""Changes whenever checkpoints are to be read differently."""
LARGEST_TEXT = LARGEST
"""The most bytes of JSON that a checkpoint may hold: a small file could otherwise fill the memory."""

_MAGIC = b"rookery checkpoint "
_FIRST_LINE = re.compile(_MAGIC + rb"(\d{1,9}) ([0-9a-f]{64})\n")
_PLIES = 24
_PLAYOUTS = 4


@dataclass(frozen=True)
class Checkpoint:
    """A run as it was between two commits.

    Parameters
    ----------
    version
        of the library that wrote it
    problem, parameters
        as in the result of a run
    fingerprint
        what the problem does, in short; see :func:`fingerprint`
    search, seed, stop, options
        what the run was asked for
    seconds, compile_seconds
        what it has taken so far
    state
        of the driver and its plan

    >>> Checkpoint("0.1.0", "left-move", {}, "", {}, 1, {}, {}, 2.5, 0.0, {"plan": {}}).seconds
    2.5
    """

    version: str
    problem: str
    parameters: dict[str, Any]
    fingerprint: str
    search: dict[str, Any]
    seed: int
    stop: dict[str, Any]
    options: dict[str, Any]
    seconds: float
    compile_seconds: float
    state: dict[str, Any]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the checkpoint: under a temporary name, then renamed, so that the one before is kept until then."""
        content = self.to_bytes()
        if len(content) > LARGEST:
            raise InputError(f"cannot write {path}: a checkpoint must have at most {LARGEST >> 20} MB")
        write_bytes(path, content)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Checkpoint:
        """Read a checkpoint; whatever is wrong with the file is reported in one sentence."""
        return cls.from_bytes(file_bytes(path), str(path))

    def to_bytes(self) -> bytes:
        """The content of the file."""
        plain = replace(self, parameters={name: _plain(value) for name, value in self.parameters.items()})
        values = {f.name: encode(getattr(plain, f.name)) for f in fields(plain)}
        body = zlib.compress(_text(values), level=1)
        return _first_line(body) + body

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> Checkpoint:
        """A checkpoint from the content of the file of this name."""
        if not content.startswith(_MAGIC):
            raise InputError(f"{name} is not a checkpoint")
        first = _FIRST_LINE.match(content)
        if first is None:
            raise InputError(f"{name} is cut short or damaged: its first line is not whole")
        if int(first[1]) != FORMAT:
            raise InputError(
                f"{name} is a checkpoint of format {int(first[1])}; rookery {__version__} reads format {FORMAT}"
            )
        body = content[first.end() :]
        if hashlib.sha256(body).hexdigest() != first[2].decode():
            raise InputError(f"{name} is cut short or damaged: its checksum does not match")
        try:
            values = as_json(_inflated(body))
            if not isinstance(values, dict):
                raise InputError(f"not an object, but {brief(values)}")
            _check_version(name, values.get("version"))  # before anything that another version may have changed
            checkpoint = made(cls, {key: decode(value) for key, value in values.items()})
            checkpoint._check()
        except _OtherVersion:
            raise
        except InputError as error:
            raise InputError(f"{name} is not a checkpoint: {error}") from None
        return checkpoint

    def _check(self) -> None:
        if not 0 <= self.seed < 1 << 64:
            raise InputError(f"'seed' must be a whole number of 64 bits, got {brief(self.seed)}")
        for name in ("seconds", "compile_seconds"):
            value = getattr(self, name)
            if not (0 <= value < math.inf):
                raise InputError(f"'{name}' must be a finite number of at least 0, got {brief(value)}")


class _OtherVersion(InputError):
    """A checkpoint of another version, which is otherwise whole."""


def _check_version(name: str, version: Any) -> None:
    """Refuse what another major version wrote; before 1.0, minor versions count as major."""
    written = _major(version)
    if written is None:
        raise InputError(f"'version' must be a version, got {brief(version)}")
    if written != _major(__version__):
        raise _OtherVersion(
            f"{name} was written by rookery {version}; this is rookery {__version__}, whose random streams may differ"
        )


def _major(version: Any) -> tuple[int, ...] | None:
    numbers = re.match(r"(\d{1,9})\.(\d{1,9})", version) if isinstance(version, str) and len(version) < 100 else None
    if numbers is None:
        return None
    major, minor = map(int, numbers.groups())
    return (major,) if major else (major, minor)


def _plain(value: Any) -> Any:
    """A parameter as it can be written: what JSON does not have, such as a path, becomes text."""
    try:
        encode(value)
    except InputError:
        return str(value)
    return value


def _text(values: Any) -> bytes:
    # Without escapes, and even with what no text should hold: every text comes back as it was.
    text = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    check_size(text)  # what could not be read back is not written
    content = text.encode("utf-8", "surrogatepass")
    if len(content) > LARGEST_TEXT:
        raise InputError(f"a checkpoint must hold at most {LARGEST_TEXT >> 20} MB, got {len(content) >> 20} MB")
    return content


def _inflated(body: bytes) -> str:
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(body, LARGEST_TEXT)
        if not inflater.eof or inflater.unused_data:
            raise InputError(f"not one compressed text of at most {LARGEST_TEXT >> 20} MB")
        return content.decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError):
        raise InputError("not a compressed text") from None


def _first_line(body: bytes) -> bytes:
    return _MAGIC + f"{FORMAT} {hashlib.sha256(body).hexdigest()}\n".encode()


# --- the problem ---


def fingerprint(problem: Problem | PythonProblem, worker: Worker, task: Task | None = None) -> str:
    """What a problem does, in short: a checkpoint belongs to a problem that has the same fingerprint.

    It is made from the legal moves and scores along a line of moves, from the limits, layout and constants of a
    compiled problem, and from a few playouts of ``task``: those see its codes, biases and playout rules too. The
    source does not count, so that the versions of Python and Numba do not matter.

    Parameters
    ----------
    worker
        of the problem
    task
        any task of the search; only playouts of its kind are made, so that nothing else needs to be compiled

    >>> import rookery as rk
    >>> from rookery.engine.compiled import CompiledEngine
    >>> first, second = (rk.problems.LeftMove(depth=d) for d in (5, 6))
    >>> fingerprint(first, CompiledEngine(first).worker()) == fingerprint(second, CompiledEngine(second).worker())
    False
    """
    seen: list[Any] = [type(problem).__name__, problem.sense, _line(worker)]
    if isinstance(problem, Problem):
        seen.append(_declared(problem))
    if task is not None:
        for key in range(_PLAYOUTS):
            outcome = worker.run(replace(task, key=key, budget=1), Signal())
            seen.append(outcome.sequence)
    return hashlib.sha256(_text(encode(seen))).hexdigest()


def _line(worker: Worker) -> list[Any]:
    """Score and legal moves along a line of moves that is always the same."""
    stream = Stream(root_key(0))
    moves: Moves = ()
    line: list[Any] = []
    for _ in range(_PLIES):
        score, legal = worker.replay(moves)
        line.append((score, legal))
        if not legal:
            break
        moves = (*moves, legal[stream.below(len(legal))])
    return line


def _declared(problem: Problem) -> list[Any]:
    """What a compiled problem declares: limits, layout, constants."""
    limits, dtype = declared_limits(problem), state_dtype(problem)
    layout = [(name, dtype[name].base.str, dtype[name].shape) for name in dtype.names or ()]
    given = problem.constants()
    constants = normalise(type(problem).__name__, given) | fixed_values(type(problem), given)
    return [limits.moves, limits.length, limits.codes, layout, constants]


class CheckpointKeeper:
    """Writes a checkpoint from time to time; if that fails, the last one stays and the run continues.

    Parameters
    ----------
    writer
        the right to write the file, given up when this is closed
    about
        the checkpoint without its state
    every
        seconds of search between two of them
    """

    def __init__(self, writer: SoleWriter, about: Checkpoint, every: float, observers: Sequence[Callback]) -> None:
        self._path = writer.path
        self._writer = writer
        self._about = about
        self._every = every
        self._observers = observers
        self._last = about.seconds

    def due(self, seconds: float) -> bool:
        """Whether it is time to save."""
        return seconds - self._last >= self._every

    def save(self, state: dict[str, Any], seconds: float) -> None:
        """Write the checkpoint; a full disk is reported to the observers and does not stop the search."""
        self._last = seconds
        try:
            replace(self._about, state=state, seconds=seconds).save(self._path)
        except InputError as error:
            for observer in self._observers:
                observer.on_warning(f"no checkpoint was written: {error}")

    def close(self) -> None:
        """Let others write the file."""
        self._writer.close()


def claimed(path: str | os.PathLike[str], new: bool = True) -> SoleWriter:
    """The right to keep a run in a file, from before it begins until it ends.

    Refused if the file cannot be written, or another run writes it; and for a ``new`` run if it holds something that
    would be lost.
    """
    check_writable(path)
    writer = SoleWriter(path)
    try:
        if new:
            _check_lost(path)
    except BaseException:
        writer.close()
        raise
    return writer


def _check_lost(path: str | os.PathLike[str]) -> None:
    """Refuse a file that holds anything but a run that is over."""
    if not Path(path).exists() or Path(path).stat().st_size == 0:
        return
    try:
        there = Checkpoint.load(path)
    except InputError as error:
        raise InputError(f"a checkpoint would replace a file that is something else: {error}") from None
    if there.state.get("status") not in ("finished", "target"):
        advice = f"`rookery resume {path}` continues it; remove it to start afresh"
        raise InputError(f"{path} is the checkpoint of a run that is not finished: {advice}")
