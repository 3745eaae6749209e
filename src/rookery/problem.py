"""What a user writes: a problem, its limits, the layout of its state."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
from collections.abc import Hashable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

import numpy as np

from rookery.errors import InputError, ProblemError

if TYPE_CHECKING:
    from rookery.drawing import Drawing

Layout = Mapping[str, Any]
Sense = Literal["max", "min"]


PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "start": ("self", "s"),
    "moves": ("self", "s", "out"),
    "code": ("self", "s", "move"),
    "play": ("self", "s", "move"),
    "score": ("self", "s"),
    "biases": ("self", "s", "move"),
    "bias": ("self", "s", "move"),
    "key": ("self", "s"),
    "estimate": ("self", "s"),
    "begin_playout": ("self", "s"),
    "choose": ("self", "s", "moves", "n", "rng"),
    "commute": ("self", "a", "b"),
    "count": ("self", "s"),
    "nth": ("self", "s", "i"),
    "is_legal": ("self", "s", "move"),
    "makes": ("self", "s", "move"),
    "needs": ("self", "move", "i"),
    "undo": ("self", "s", "move", "made"),
    "makers": ("self", "s", "thing", "out"),
    "clash": ("self", "a", "b"),
}
"""The compiled functions of a problem and what they take."""


INFEASIBLE = math.inf
"""The score of a playout that ends without a solution, whatever the sense: never the best if any other was found.

An infinite score of either sign means the same.
"""


def capacity(n: int) -> int:
    """``n`` rounded up to a power of two: a size for the layout that serves many instances.

    Array sizes in the layout are part of the compiled code; rounding them keeps the number of
    specialisations small.

    >>> capacity(50), capacity(64), capacity(65)
    (64, 64, 128)
    """
    if n < 0:
        raise InputError(f"capacity must be at least 0, got {n}")
    return 1 << max(0, n - 1).bit_length()


@dataclass(frozen=True)
class Limits:
    """What a problem promises; compiled code checks it at every move.

    Parameters
    ----------
    moves
        the most legal moves that a state can have
    length
        the most moves that a sequence can have
    codes
        codes are 0..codes-1; or ``"hashed"``: any 64-bit integer
    features
        of a game with ``feature``: features are 0..features-1
    biases
        of a problem with ``biases``: how many it returns

    >>> Limits(moves=50, length=50, codes=2500).codes
    2500
    """

    moves: int
    length: int
    codes: int | Literal["hashed"]
    features: int = 1
    biases: int = 1

    def __post_init__(self) -> None:
        for name in ("moves", "length", "codes", "features", "biases"):
            value = getattr(self, name)
            if name == "codes" and value == "hashed":
                continue
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise ProblemError(f"Limits: {name} must be a whole number of at least 1, got {value!r}")
            if value >= 2**31:
                advice = '; use codes="hashed"' if name == "codes" else ""
                raise ProblemError(f"Limits: {name} must be below 2**31, got {value}{advice}")
            object.__setattr__(self, name, int(value))
        if self.codes != "hashed" and self.codes * self.features >= 2**31:
            raise ProblemError(f"Limits: codes * features must be below 2**31, got {self.codes} * {self.features}")


Spots = tuple[tuple[tuple[float, float, float], ...], ...]
"""Groups of circles on a picture, each circle by its centre and radius."""


def sum_of_biases(self: Any, s: Any, move: Any) -> Any:
    """The ``bias`` of a problem that defines ``biases`` only."""
    total = 0.0
    for bias in self.biases(s, move):
        total += bias
    return total


def _add_bias(cls: type) -> None:
    """Give a class that defines ``biases`` only a ``bias``: their sum, for all searches that do not tell them apart."""
    if hasattr(cls, "biases") and not hasattr(cls, "bias"):
        cls.bias = sum_of_biases  # type: ignore[attr-defined]


class Described:
    """What both kinds of problem have in common: a sense, and methods that show things to people."""

    sense: ClassVar[Sense] = "max"

    def parameters(self) -> dict[str, Any]:
        """What the problem was made from: the plain values among the arguments of ``build`` or of the constructor."""
        built = self.__dict__.get("_built_with")
        if built is None:
            fields: tuple[Any, ...] = dataclasses.fields(self) if dataclasses.is_dataclass(self) else ()
            values = {f.name: getattr(self, f.name) for f in fields if not f.name.startswith("_")}
            built = {name: value for name, value in values.items() if isinstance(value, (bool, int, float, str))}
        return dict(built)

    def describe_move(self, move: Any) -> str:
        """The move in words, for people to read."""
        return str(move)

    def describe_moves(self, moves: Sequence[Any]) -> list[str]:
        """A whole sequence in words: for problems whose moves mean something only after those before them."""
        return [self.describe_move(move) for move in moves]

    def format_score(self, score: float) -> str:
        """The score as people write it."""
        return f"{score:g}" if score != int(score) or abs(score) >= 1e15 else str(int(score))

    def draw(self, moves: Sequence[Any]) -> str | None:
        """The state after these moves as text, or None if the problem has no drawing."""
        return None

    def picture(self, moves: Sequence[Any]) -> Drawing | None:
        """The state after these moves as a picture, or None if the problem has none."""
        return None

    def spots(self, moves: Sequence[Any], legal: Sequence[Any]) -> list[Spots]:
        """Where a person clicks on the picture after these moves to play each of some legal moves; by default nowhere.

        A move is one group of circles after another, such as from and to; of a group, any circle will do.
        """
        return [() for _ in legal]

    def read(self, text: str) -> Sequence[Any]:
        """The moves of a solution in its written form; raises InputError if something is wrong with it."""
        raise InputError(f"{type(self).__name__} has no written form of its solutions")

    def write(self, moves: Sequence[Any]) -> str | None:
        """A solution as people write it down, or None if there is no such form."""
        return None


def remember_arguments(cls: type) -> None:
    """Make the class's own ``build`` record its arguments on what it returns."""
    method = cls.__dict__.get("build")
    if not isinstance(method, classmethod):
        return
    build = method.__func__
    signature = inspect.signature(build)

    @functools.wraps(build)
    def remembering(owner: type, *args: Any, **kwargs: Any) -> Any:
        problem = build(owner, *args, **kwargs)
        if isinstance(problem, Described):
            bound = signature.bind(owner, *args, **kwargs)
            bound.apply_defaults()
            object.__setattr__(problem, "_built_with", dict(list(bound.arguments.items())[1:]))
        return problem

    cls.build = classmethod(remembering)  # type: ignore[attr-defined]


NOT_PLAIN = object()


class Remembering(Described):
    """A class whose instances know the plain values that they were made from, whether or not they keep them."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Record the arguments."""
        if (args or kwargs) and cls.__init__ is object.__init__:  # which leaves it to __new__ to refuse them
            raise TypeError(f"{cls.__name__}() takes no arguments")
        made = super().__new__(cls)
        try:
            bound = inspect.signature(cls).bind(*args, **kwargs)
        except (TypeError, ValueError):  # for example a copy, which is made without arguments
            return made
        bound.apply_defaults()
        given = {name: _plain(value) for name, value in bound.arguments.items()}
        made.__dict__["_built_with"] = {name: value for name, value in given.items() if value is not NOT_PLAIN}
        return made


def _plain(value: Any) -> Any:
    """A value that can be given as text; ``NOT_PLAIN`` for any other."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PurePath):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else NOT_PLAIN


def check_sense(cls: type[Described]) -> None:
    """Refuse a class whose ``sense`` is neither "max" nor "min"."""
    if cls.sense not in ("max", "min"):
        raise ProblemError(f'{cls.__name__}: sense must be "max" or "min", got {cls.sense!r}')


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{'x'.join(map(str, value.shape))} {value.dtype}>"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass_transform(frozen_default=True, eq_default=False)
class Model(Described):
    """What compiled problems and compiled games have in common.

    A subclass is a frozen dataclass: annotated names are its parameters. Compiled functions see what
    ``constants`` returns as ``self``, and the state, a record with the fields of ``layout``, as ``s``.
    """

    PARAMETERS: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The compiled functions and what they take."""
    FUNCTIONS: ClassVar[tuple[str, ...]] = ()
    """Those that must be defined."""
    bias_by_code: ClassVar[bool] = False
    """Whether ``bias`` depends on the code of a move alone: then its exponential is computed once for each code."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True, eq=False, repr=False)(cls)
        check_sense(cls)
        remember_arguments(cls)

    def __repr__(self) -> str:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        inner = ", ".join(f"{f.name}={_short(getattr(self, f.name))}" for f in fields)
        return f"{type(self).__name__}({inner})"

    def limits(self) -> Limits:
        """The most moves, codes and steps that can occur."""
        raise ProblemError(f"{type(self).__name__} must define limits(self)")

    def layout(self) -> Layout:
        """The fields of the state: name -> NumPy type, or (type, size) for an array."""
        raise ProblemError(f"{type(self).__name__} must define layout(self)")

    def constants(self) -> Mapping[str, Any]:
        """The numbers and arrays that compiled functions see as ``self``; derived tables belong here."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in values.items() if isinstance(value, (numbers.Real, np.ndarray))}

    def lacks(self) -> Sequence[str]:
        """The optional compiled functions of the class that this instance does without."""
        return ()


class Problem(Model):
    """A problem for one agent whose functions are compiled.

    A subclass is a frozen dataclass: annotated names are its parameters. It defines in plain Python
    ``limits`` and ``layout``, and as compiled functions ``start``, ``moves``, ``code``, ``play`` and
    ``score``. In compiled functions ``self`` holds what ``constants`` returns and ``s`` is the state.

    Optional compiled functions: ``bias(self, s, move)``, or ``biases(self, s, move)``, which returns a tuple of several
    (``limits`` says how many), ``key(self, s)``, ``begin_playout(self, s)``, ``choose(self, s, moves, n, rng)`` and
    ``commute(self, a, b)``. ``estimate(self, s)`` says how good a state is, in units of the score and in its sense. A
    state that keeps its legal moves as a list
    may say so with ``count(self, s)`` and ``nth(self, s, i)``: playouts then read the list where it is, instead
    of having ``moves`` copy it at every step. ``is_legal(self, s, move)`` says whether a move, which was legal in some
    state, is so in this one: searches that play most of a known line again then need not list moves at every step.
    All must agree with ``moves``. ``makes(self, s, move)``, ``needs(self, move, i)`` and ``undo(self, s, move, made)``
    are for moves that can be taken back, ``makers(self, s, thing, out)`` and ``clash(self, a, b)`` for those that can
    take each other's place: a line is then changed at the cost of what changes.

    >>> class Coins(Problem):
    ...     n: int
    ...     def limits(self): return Limits(moves=2, length=self.n, codes=2 * self.n)
    ...     def layout(self): return {"step": "i8", "heads": "i8"}
    ...     def start(self, s): s.step = 0
    ...     def moves(self, s, out):
    ...         if s.step == self.n: return 0
    ...         out[0] = 0; out[1] = 1
    ...         return 2
    ...     def code(self, s, move): return 2 * s.step + move
    ...     def play(self, s, move): s.step += 1; s.heads += move
    ...     def score(self, s): return s.heads
    >>> Coins(n=4)
    Coins(n=4)
    """

    PARAMETERS: ClassVar[Mapping[str, tuple[str, ...]]] = PARAMETERS
    FUNCTIONS: ClassVar[tuple[str, ...]] = ("start", "moves", "code", "play", "score")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _add_bias(cls)


class PythonProblem(Remembering):
    """A problem whose state is any Python object: a molecule, a fold, a call into another library.

    It has the verbs of :class:`Problem` on objects: ``start(self)`` returns a state, ``moves(self, state)``
    a sequence of moves, ``code(self, state, move)`` any hashable, ``play(self, state, move)`` changes the
    state or returns a new one, ``score(self, state)`` a number. ``copy`` defaults to a deep copy.
    Optional: ``bias``, or ``biases``, which returns a list of several, ``begin_playout``, ``choose(self, state, moves,
    rng)`` (returns an index), ``estimate(self, state)``, ``key(self, state)`` (any hashable).

    >>> class Word(PythonProblem):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def code(self, state, move): return (len(state), move)
    ...     def play(self, state, move): return state + move
    ...     def score(self, state): return state.count("b")
    >>> Word().moves("ab")
    'ab'
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_sense(cls)
        remember_arguments(cls)
        _add_bias(cls)

    def start(self) -> Any:
        """The first state."""
        raise ProblemError(f"{type(self).__name__} must define start(self)")

    def moves(self, state: Any) -> Sequence[Any]:
        """The legal moves of a state, in a fixed order; empty at the end."""
        raise ProblemError(f"{type(self).__name__} must define moves(self, state)")

    def code(self, state: Any, move: Any) -> Hashable:
        """What names this move for the policy; by default the move itself."""
        return move  # type: ignore[no-any-return]

    def play(self, state: Any, move: Any) -> Any:
        """Play a move: change the state in place, or return the new one."""
        raise ProblemError(f"{type(self).__name__} must define play(self, state, move)")

    def score(self, state: Any) -> float:
        """The score of a finished state."""
        raise ProblemError(f"{type(self).__name__} must define score(self, state)")

    def copy(self, state: Any) -> Any:
        """A copy that can be played on without changing the original."""
        return deepcopy(state)
