"""What a search says about itself: everything that the rest of the library knows about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from typing import Any, ClassVar

from rookery.arguments import RULES, shown
from rookery.compiler.constants import constants_class
from rookery.compiler.specialise import Specialisation
from rookery.control import Signal
from rookery.errors import InputError
from rookery.kernels.memory import Kernel
from rookery.kernels.rules import default_rule
from rookery.plans.plan import Plan
from rookery.stop import NO_LIMITS, Stop
from rookery.tasks import Moves, Task, Weights, Worker


@dataclass(frozen=True)
class Setting:
    """What a run of a search begins with.

    Parameters
    ----------
    worker
        the worker of this process, which lists legal moves and adapts policies
    prefix, policy
        moves that are fixed; the policy to begin with
    target
        a score to stop at, to be maximised
    atomic_level
        nested calls of this level are tasks; None if the search has no levels
    workers
        how many compute tasks at the same time
    select
        how NRPA chooses what to compute ahead
    stop
        the limits of the run
    sign
        -1 for a problem that is minimised
    """

    worker: Worker
    prefix: Moves = ()
    policy: Weights = field(default_factory=Weights)
    target: float = float("inf")
    atomic_level: int | None = None
    workers: int = 1
    select: str = "learned"
    stop: Stop = NO_LIMITS
    sign: float = 1.0


class Search:
    """Base of every search: a frozen dataclass of its parameters that says how a run of it is computed.

    A search names its ``twin`` in plain Python as ``module:function``, or has none: then it searches compiled
    problems only. An ``endless`` search needs a limit. ``options`` are the options of a run that it can use, among
    restarts, runs, select, atomic_level and warm_start.

    >>> import rookery as rk
    >>> rk.NRPA(level=2).parameters()["level"]
    2
    """

    name: ClassVar[str]
    twin: ClassVar[str | None] = None
    endless: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = ("restarts", "runs")

    # --- what it is ---

    def parameters(self) -> dict[str, Any]:
        """The search as plain values, with its name.

        >>> import rookery as rk
        >>> rk.Sampling().parameters()
        {'algorithm': 'sampling', 'rule': None}
        """
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        for name, value in values.items():
            if isinstance(value, Mapping):  # levels are texts in JSON
                values[name] = {str(level): item for level, item in value.items()}
        cls = type(self)
        ours = cls.__module__.startswith("rookery.")
        name = self.__dict__.get("_loaded_as") or (self.name if ours else f"{cls.__module__}:{cls.__qualname__}")
        return {"algorithm": name, **values}

    def own_parameters(self) -> dict[str, Any]:
        """The parameters that a user's class adds to those of the library's class."""
        return {name: getattr(self, name) for name in _own_fields(type(self))}

    def own_numbers(self) -> Any:
        """The numbers among them, as kernels see them in ``run.own``."""
        numbers = {name: value for name, value in self.own_parameters().items() if isinstance(value, (int, float))}
        return constants_class(tuple(numbers))(**numbers) if numbers else ()

    @property
    def shape(self) -> tuple[int, int | None]:
        """Level, and iterations of the top level, for observers; 0 and None if it has none."""
        return getattr(self, "level", 0), None

    def space(self, problem: Any) -> Mapping[str, tuple[Any, ...]]:
        """The values of its parameters that are worth trying on a problem: ``tune`` draws settings from them.

        >>> import rookery as rk
        >>> rk.UCT().space(rk.problems.LeftMove())["c"][:2]
        (0.02, 0.05)
        """
        return {}

    # --- a run ---

    def check(self, problem: Any) -> None:
        """Refuse a problem that the search cannot work on."""

    def smallest_task(self, prefix: Moves) -> Task:
        """A task that takes almost no time, for compiling and measuring."""
        raise NotImplementedError(f"{type(self).__name__} must define smallest_task")

    def warm_policy(self, worker: Worker, prefix: Moves, warm_start: Iterable[Any], steps: int) -> Weights:
        """The policy that a run begins with, adapted to a known sequence."""
        raise InputError(f"warm_start adapts a policy: it goes with NRPA, not with {type(self).__name__}")

    def atomic_level(self, cost: Cost, stop: Stop, given: int | None, workers: int) -> int | None:
        """The level whose nested calls are tasks: the given one, or the highest whose call is short enough."""
        return None

    def fitted(self, setting: Setting) -> Search:
        """The search with what it leaves open decided by the limits of the run; results and checkpoints name this one.

        >>> import rookery as rk
        >>> rk.solve(rk.problems.LeftMove(depth=8), rk.Annealing(), stop=rk.MaxPlayouts(500), seed=1).search["playouts"]
        500
        """
        return self

    def codes(self, worker: Worker, prefix: Moves, moves: Moves) -> Moves | None:
        """The codes that a task of the search finds with these moves; None if it finds none, or cannot tell."""
        return None

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """A function that makes the plan of a run from its key."""
        raise NotImplementedError(f"{type(self).__name__} must define planner")

    def plans(self, setting: Setting) -> Callable[[int, int], Plan]:
        """A function that makes the plan of a restart from its number and its key; by default the key alone matters."""
        planner = self.planner(setting)
        return lambda number, key: planner(key)


@lru_cache  # asked for every task
def _own_fields(cls: type[Search]) -> tuple[str, ...]:
    """The names of the parameters that a user's class adds to those of the library's class."""
    of_library = next((c for c in cls.__mro__ if c.__module__.startswith("rookery.")), Search)
    known = {f.name for f in fields(of_library)} if of_library is not Search else set()
    return tuple(f.name for f in fields(cls) if f.init and f.name not in known)


class RuleSearch(Search):
    """Base of searches whose playouts choose moves by a rule: uniform, mobility, or the problem's own."""

    rule: str | None

    def check(self, problem: Any) -> None:
        """Refuse the rule "own" for a problem that has none."""
        if self.rule == "own" and not hasattr(problem, "choose"):
            name = type(problem).__name__
            raise InputError(f'rule "own" needs a problem that chooses its moves: {name} must define choose')

    def check_rule(self) -> None:
        """Refuse an unknown rule."""
        if self.rule is not None and not (isinstance(self.rule, str) and self.rule in RULES):
            raise InputError(f'rule must be "uniform", "mobility" or "own", got {shown(self.rule)}')

    def by_rule(self, name: str, make: Any, spec: Specialisation) -> Kernel:
        """A kernel with playouts by the rule."""
        if self.rule in (None, default_rule(spec)):
            return name, make
        return f"{name}_{self.rule}", partial(make, rule=self.rule)


TASK_SECONDS = 1.0
"""A task of the atomic level takes at most about this long."""
SHARED_TASK_SECONDS = 0.5
"""The same if there are several workers."""
LEAST_TASK_SECONDS = 0.005
"""Handing out shorter tasks costs more than it gains."""
TASKS_A_WORKER = 8
"""How many tasks a worker should have in a run, so that there are some to compute side by side."""
TASKS_A_SECOND = 1000
"""What one driver can hand out without becoming the bottleneck."""
CHUNK_SECONDS = 0.1
"""A task of many playouts or games takes about this long."""
SLOW_PLAYOUT = 0.005
"""If a playout takes longer, measuring one is enough."""


@dataclass(frozen=True)
class Cost:
    """Measures tasks on a worker; ``most`` is how many seconds a task may take."""

    worker: Worker
    prefix: Moves
    most: float = TASK_SECONDS

    def seconds(self, task: Task) -> tuple[float, int]:
        """The seconds and playouts that a task takes."""
        began = time.perf_counter()
        outcome = self.worker.run(task, Signal())
        return time.perf_counter() - began, max(1, outcome.playouts)

    def playout(self, one: Task, many: Task) -> float:
        """Seconds per playout: from a task of one, or of many if they are fast."""
        seconds, playouts = self.seconds(one)
        if seconds / playouts <= SLOW_PLAYOUT:
            seconds, playouts = self.seconds(many)
        return seconds / playouts


def highest_level(level: int, workers: int) -> int:
    """The highest level that may be a task, where the calls of one step are computed side by side."""
    return level if workers == 1 else max(1, level - 1)
