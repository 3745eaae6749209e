"""Nested Rollout Policy Adaptation (Rosin 2011)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Any

from rookery.arguments import MOST_LEVEL, Tie, finite, flag, per_level, positive, tie_number, whole
from rookery.control import Signal
from rookery.errors import InputError
from rookery.kernels.memory import Kernel, Memory
from rookery.kernels.nrpa import make_nrpa
from rookery.kernels.nrpa_beam import make_beam_nrpa
from rookery.kernels.nrpa_stabilised import make_stabilised_nrpa
from rookery.plans.plan import Plan
from rookery.plans.risks import SELECTS
from rookery.plans.speculation_tree import Nesting, SpeculationTree
from rookery.search.nrpa_tasks import AdaptTask, CodesTask, NRPATask
from rookery.search.protocol import (
    LEAST_TASK_SECONDS,
    TASKS_A_SECOND,
    TASKS_A_WORKER,
    Cost,
    Search,
    Setting,
)
from rookery.stop import Stop
from rookery.tasks import Moves, Task, Weights, Worker

MEASURED = 100
"""How many playouts are measured, if they are fast."""
MOST_PLAYOUTS = 1 << 20
"""The most playouts between two steps of adapt."""
MOST_PAIRS = 1 << 12
"""The most pairs of a beam."""
PLAIN = {"playouts_per_adapt": 1, "tau": 1.0, "bias_scale": 1.0, "beam": 1, "learn_bias": False}
"""The options that plain NRPA does not have, each with the value that makes no difference."""


@dataclass(frozen=True)
class NRPA(Search):
    """Nested Rollout Policy Adaptation (Rosin 2011, Figure 2).

    Parameters
    ----------
    level
        depth of the nesting; each level costs ``iterations`` times the one below
    iterations
        nested calls per level (N in the paper); one number, or ``{level: number}`` (100 for levels left out)
    alpha
        step of adapt
    ties
        when an equal score replaces the best: ``">="`` always, ``">"`` never, a fraction only if more than
        that share of its codes is not in the old sequence; one rule, or ``{level: rule}`` (``">="``
        for levels left out)
    layers
        adapt all moves of the best sequence that were legal at the same time together; needs a problem that says
        with ``commute`` when the order of moves does not matter
    playouts_per_adapt
        playouts between two steps of adapt at level 1 (stabilised NRPA, 2021): each of them may become the best, and an
        iteration of level 1 costs as many
    tau
        temperature: a move is drawn in proportion to ``exp(weight / tau + bias)``. Adapt subtracts alpha times these
        probabilities, with the same tau; so, from an empty policy, it is NRPA with ``alpha / tau``
    bias_scale
        what the problem's ``bias`` is multiplied by; needs a problem that has one
    learn_bias
        learn the weight of the problem's ``bias``, or of each of its ``biases``, from the best sequences, as the policy
        is learned (learned bias weights, 2023); the weights begin at ``bias_scale``
    beam
        pairs of a sequence and a policy that level 1 keeps (beam NRPA, 2012): in each iteration every pair is expanded
        by its policy, the best of old and new pairs survive, no sequence twice, and each adapts its policy to its own
        sequence; goes with the tie rules ``">="`` and ``">"`` at level 1

    >>> NRPA(level=2, iterations=50).iterations
    50
    >>> NRPA(playouts_per_adapt=4, tau=0.5).chosen()
    {'playouts_per_adapt': 4, 'tau': 0.5}
    >>> NRPA(level=4, ties={4: 0.3, 3: 0.3}).ties_by_level[3:]
    (0.3, 0.3)
    """

    level: int = 3
    iterations: int | Mapping[int, int] = 100
    alpha: float = 1.0
    ties: Tie | Mapping[int, Tie] = ">="
    layers: bool = False
    playouts_per_adapt: int = 1
    tau: float = 1.0
    bias_scale: float = 1.0
    beam: int = 1
    learn_bias: bool = False
    iterations_by_level: tuple[int, ...] = field(init=False, repr=False, compare=False)
    ties_by_level: tuple[float, ...] = field(init=False, repr=False, compare=False)
    _plain: bool = field(init=False, repr=False, compare=False)

    name = "nrpa"
    twin = "rookery.reference.nrpa:nrpa"
    options = ("restarts", "runs", "select", "atomic_level", "warm_start")

    def __post_init__(self) -> None:
        level = whole("level", self.level, 1, MOST_LEVEL)
        iterations = partial(whole, "iterations", least=1, most=1 << 40)
        flag("layers", self.layers)
        flag("learn_bias", self.learn_bias)
        playouts = whole("playouts_per_adapt", self.playouts_per_adapt, 1, MOST_PLAYOUTS)
        object.__setattr__(self, "playouts_per_adapt", playouts)
        object.__setattr__(self, "beam", whole("beam", self.beam, 1, MOST_PAIRS))
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))
        object.__setattr__(self, "tau", positive("tau", self.tau))
        object.__setattr__(self, "bias_scale", finite("bias_scale", self.bias_scale))
        by_level = per_level("iterations", self.iterations, level, 100, iterations)
        object.__setattr__(self, "iterations_by_level", by_level)
        object.__setattr__(self, "ties_by_level", per_level("ties", self.ties, level, ">=", tie_number))
        tie = self.ties_by_level[1]
        if self.beam > 1 and 0.0 <= tie < 1.0:
            raise InputError(f'a beam must have the tie rule ">=" or ">" at level 1, got {tie}')
        object.__setattr__(self, "_plain", not self.chosen())  # asked for every task

    @classmethod
    def rosin(cls, level: int = 3) -> NRPA:
        """The settings of Rosin 2011: N = 100, alpha = 1, ties replace.

        >>> NRPA.rosin(4).iterations
        100
        """
        return cls(level=level, iterations=100, alpha=1.0, ties=">=")

    @classmethod
    def nagorko(cls, level: int = 6, iterations: int = 80) -> NRPA:
        """The settings of Nagorko 2019: at the top three levels a tie must differ in more than 30% of its moves.

        >>> NRPA.nagorko(4).ties_by_level
        (-1.0, -1.0, 0.3, 0.3, 0.3)
        """
        top = {i: 0.3 for i in range(max(1, level - 2), level + 1)}
        return cls(level=level, iterations=iterations, ties=top)

    def chosen(self) -> dict[str, Any]:
        """The options that plain NRPA does not have, as far as they make a difference.

        >>> NRPA(level=2, bias_scale=1.0).chosen()
        {}
        """
        values = {name: getattr(self, name) for name in PLAIN}
        return {name: value for name, value in values.items() if value != PLAIN[name]}

    def parameters(self) -> dict[str, Any]:
        """The search as plain values; options that make no difference are left out, as in files from before they were.

        >>> NRPA(tau=2.0).parameters()
        {'algorithm': 'nrpa', 'level': 3, 'iterations': 100, 'alpha': 1.0, 'ties': '>=', 'layers': False, 'tau': 2.0}
        """
        chosen = self.chosen()
        return {name: value for name, value in super().parameters().items() if name not in PLAIN or name in chosen}

    # --- a run ---

    @property
    def shape(self) -> tuple[int, int | None]:
        """Level, and iterations of the top level."""
        return self.level, self.iterations_by_level[self.level]

    def space(self, problem: Any) -> Mapping[str, tuple[Any, ...]]:
        """Level, iterations and alpha; layers if the problem says which moves commute; what a bias counts, if any."""
        layers = {"layers": (False, True)} if hasattr(problem, "commute") else {}
        biased = hasattr(problem, "bias")
        scales = {"bias_scale": (0.5, 1.0, 2.0), "learn_bias": (False, True)} if biased else {}
        plain = {"level": (1, 2, 3, 4, 5), "iterations": (20, 50, 100, 200), "alpha": (0.25, 0.5, 1.0, 2.0)}
        return {**plain, **layers, **scales}

    def check(self, problem: Any) -> None:
        """Refuse layers if the problem does not say which moves commute; a scale or weights if it has no bias.

        A search that is derived from this one and has a kernel of its own refuses the options that the kernel ignores.
        """
        name = type(problem).__name__
        if self.chosen() and type(self).kernel is not NRPA.kernel:
            ignored = ", ".join(self.chosen())
            raise InputError(f"{type(self).__name__} has a kernel of its own, which does not have {ignored}")
        for option in ("bias_scale", "learn_bias"):
            if option in self.chosen() and not hasattr(problem, "bias"):
                raise InputError(f"{option} needs a problem that has a bias: {name} must define bias(self, s, move)")
        if self.layers and not hasattr(problem, "commute"):
            raise InputError(
                f"layers need a problem that says which moves commute: {name} must define commute(self, a, b)"
            )

    def smallest_task(self, prefix: Moves, playouts: int = 1) -> Task:
        """A call of level 1 with one playout, or a few."""
        small = replace(self, level=1, iterations=playouts, ties=">=")
        return NRPATask(search=small, key=0, prefix=prefix, policy=Weights(), level=1, budget=playouts)

    def warm_policy(self, worker: Worker, prefix: Moves, warm_start: Iterable[Any], steps: int) -> Weights:
        """The policy that a run begins with, adapted to a known sequence."""
        policy = Weights()
        whole("warm_steps", steps, 1)
        moves = tuple(warm_start)
        if moves[: len(prefix)] != prefix:
            raise InputError("warm_start must begin with the moves of start_from")
        worker.legal(moves)
        for _ in range(steps):
            policy = self.adapted(worker, prefix, policy, moves)
        return policy

    def adapted(self, worker: Worker, prefix: Moves, policy: Weights, moves: Moves) -> Weights:
        """A policy after one step of adapt towards a sequence."""
        task = AdaptTask(search=self, key=0, prefix=prefix, policy=policy, sequence=moves[len(prefix) :])
        weights: Weights = worker.value(task)
        return weights

    def codes(self, worker: Worker, prefix: Moves, moves: Moves) -> Moves | None:
        """The codes of the moves of a sequence."""
        found: Moves = worker.value(
            CodesTask(search=self, key=0, prefix=prefix, policy=Weights(), sequence=moves[len(prefix) :])
        )
        return found

    def atomic_level(self, cost: Cost, stop: Stop, given: int | None, workers: int) -> int | None:
        """The highest level whose nested call takes no longer than a task may; with several workers, enough tasks."""
        level = given or self._level_that_fits(cost, workers)
        if any(limit is not None for limit in (stop.iterations, stop.no_improvement, stop.when)):
            level = max(1, min(level, self.level - 1))  # iterations of the top level are seen by the driver
        return level

    def _level_that_fits(self, cost: Cost, workers: int) -> int:
        sizes = self.iterations_by_level
        tasks = (self.smallest_task(cost.prefix, playouts) for playouts in (1, MEASURED))
        beside = self.playouts_per_adapt * self.beam  # playouts of an iteration of level 1
        seconds = [cost.playout(*tasks) * beside]  # for an iteration, then for a call of each level
        for level in range(1, self.level + 1):
            seconds.append(seconds[-1] * sizes[level])
        level = max([level for level in range(1, self.level + 1) if seconds[level] <= cost.most], default=1)
        if workers == 1:
            return level
        least = workers / TASKS_A_SECOND
        while level < self.level - 1 and seconds[level] < least:
            level += 1
        least = max(least, LEAST_TASK_SECONDS)
        while level > 1 and prod(sizes[level + 1 :]) < TASKS_A_WORKER * workers and seconds[level - 1] >= least:
            level -= 1
        return level

    def nesting(self, worker: Worker, prefix: Moves = (), target: float = float("inf")) -> Nesting:
        """What the speculation tree knows about the search."""
        task = partial(NRPATask, search=self, prefix=prefix, target=target)
        adapted = partial(self.adapted, worker, prefix)
        sizes = self.iterations_by_level
        playouts = prod(sizes[1 : self.level]) * self.playouts_per_adapt if self.beam == 1 else 0
        return Nesting(self.level, sizes, self.ties_by_level, task, adapted, playouts)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """Speculation above the atomic level (Nagorko 2019)."""
        nesting = self.nesting(setting.worker, setting.prefix, setting.target)
        atomic, select = setting.atomic_level or 1, SELECTS[setting.select]
        return lambda key: SpeculationTree(nesting, key, atomic, setting.policy, select())

    # --- a task ---

    def kernel(self) -> Kernel:
        """What computes its tasks: a name, and the function that makes the kernel for a problem."""
        if self._plain and not self.layers:
            return "nrpa", make_nrpa
        chosen = self.chosen()
        if self.learn_bias:
            chosen.pop("bias_scale", None)  # no more than where the weights begin
        make = make_stabilised_nrpa if "playouts_per_adapt" in chosen else make_nrpa
        make = make_beam_nrpa if "beam" in chosen else make
        made_for = {"layered": self.layers, "tempered": "tau" in chosen, "scaled": "bias_scale" in chosen}
        made_for["learned"] = self.learn_bias
        name = "_".join(["nrpa", *(["layers"] if self.layers else []), *chosen])
        return name, partial(make, **{part: True for part, wanted in made_for.items() if wanted})

    def assignment(self, task: Task, memory: Memory, signal: Signal, levels: int) -> Any:
        """What a task is given, with the numbers of the search."""
        if self._plain:
            return memory.assign(task, signal, levels)._replace(alpha=self.alpha)
        pairs = memory.policies(self.beam) if self.beam > 1 else ()  # first: it may make the memory anew
        run = memory.assign(task, signal, levels)
        return run._replace(alpha=self.alpha, playouts_per_adapt=self.playouts_per_adapt, pairs=pairs)

    def weighing(self, memory: Memory, policy: Weights) -> Any:
        """The policy of a worker, which weighs moves as the search does, from the weights of biases in a policy on."""
        if self._plain:
            return memory.policy
        learned: Any = ()
        if self.learn_bias:
            learned = memory.bias_weights()
            learned.weight[:] = policy.biases or self.bias_scale
        return memory.policy._replace(tau=self.tau, bias_scale=self.bias_scale, learned=learned)
