"""A run continues from what a checkpoint holds, once all of that is found to be possible and true.

The plan says what its state may be. Here it is checked against the problem: every sequence, wherever it is, is
replayed, and must have the score that is given for it; policies may only have codes that the problem has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rookery.compiler.layout import declared_limits
from rookery.errors import InputError
from rookery.plans.plan import Plan
from rookery.plans.pool import CANDIDATES, MOST_KEPT
from rookery.plans.stored import Part, kept, policies, sequences
from rookery.problem import Problem, PythonProblem
from rookery.running.result import STATUSES, Tally, Work
from rookery.search.protocol import Search, Setting
from rookery.tasks import Sequence, Weights


def check_state(
    state: Any, plan: Plan, problem: Problem | PythonProblem, search: Search, setting: Setting, sign: float
) -> None:
    """Refuse a state that no run of this search on this problem can have had.

    Parameters
    ----------
    plan
        as it is before it continues
    setting
        what the run began with, and the worker that replays
    sign
        -1 for a problem that is minimised
    """
    try:
        whole = Part("state", {"status": None, "pool": [], **state})
        whole.has("plan", "tally", "work", "best_seen", "pool", "status")
        if not whole["status"].is_none:
            whole["status"].one_of(STATUSES)
        for policy in policies([setting.policy, state]):
            _check_policy(policy, problem)
        for sequence in sequences({name: part for name, part in state.items() if name != "pool"}):
            _check_sequence(sequence, search, setting)
        for sequence in [part.sequence() for part in whole["pool"].parts(list, 0, CANDIDATES * MOST_KEPT)] + list(
            kept(state)
        ):
            _check_sequence(sequence, None, setting)
        plan.check(whole["plan"])
        if not whole["best_seen"].is_none:
            whole["best_seen"].sequence(setting.prefix)
        _check_tally(whole["tally"], whole["work"], sign)
    except InputError as error:
        raise InputError(f"the checkpoint is damaged: {error}") from None


def _check_sequence(sequence: Sequence, search: Search | None, setting: Setting) -> None:
    """Check that a sequence has the score that replaying gives, and the codes that the search gives it."""
    Part("a sequence", sequence).sequence(setting.prefix)
    score, _ = setting.worker.replay(sequence.moves)
    if sequence.score != score:
        raise InputError(f"a sequence of the score {score} must not be said to have {sequence.score}")
    codes = None if search is None else search.codes(setting.worker, setting.prefix, sequence.moves)
    if codes is not None and sequence.codes != codes:
        raise InputError("the codes of a sequence must be those of its moves")


def _check_policy(policy: Weights, problem: Problem | PythonProblem) -> None:
    """Check that a policy has one weight per code, and only the problem's codes: kernels use them as indices."""
    for weight in policy.biases:
        Part("the weight of a bias", weight).number()
    if isinstance(problem, PythonProblem):
        if len(set(policy.codes)) < len(policy.weights):
            raise InputError("a policy must have every code once")
        return
    codes = np.asarray(policy.codes)
    if codes.dtype.kind not in "iu" and len(codes):
        raise InputError("the codes of a policy must be whole numbers")
    if len(np.unique(codes)) < len(codes):
        raise InputError("a policy must have every code once")
    declared = declared_limits(problem)
    count, limit = declared.biases if hasattr(problem, "biases") else 1, declared.codes
    if len(policy.biases) not in (0, count):
        raise InputError(f"a policy must have a weight for each of {count} biases, got {len(policy.biases)}")
    if limit != "hashed" and len(codes) and not (codes.min() >= 0 and codes.max() < limit):
        raise InputError(f"the codes of a policy must be from 0 to {limit - 1}")


def _check_tally(tally: Part, work: Part, sign: float) -> None:
    """Check that counts fit each other, and that the history rises to the best score."""
    found, done = tally.value, work.value
    tally.need(isinstance(found, Tally), "a tally")
    work.need(isinstance(done, Work), "a count of work")
    for part, names in ((tally, ("playouts", "iterations", "tasks", "last_improvement")), (work, vars(done))):
        for name in names:
            Part(f"{part.name}.{name}", getattr(part.value, name)).whole(0)
    Part("state.tally.busy", found.busy).number(0.0)
    for name in ("playouts", "tasks"):
        most = getattr(done, name)
        Part(f"state.tally.{name}", getattr(found, name)).need(getattr(found, name) <= most, f"at most {most}")
    Part("state.tally.last_improvement", found.last_improvement).need(
        found.last_improvement <= found.iterations + 1, f"at most {found.iterations + 1}"
    )
    history = Part("state.tally.history", [i.score for i in found.history])
    last, score = 0, -math.inf
    for step in found.history:
        Part("state.tally.history", step.seconds).number(0.0)
        history.need(last <= step.playouts <= found.playouts and sign * step.score > score, "a rise of the score")
        last, score = step.playouts, sign * step.score
    Part("state.tally.best", found.best).need(found.best == score, f"{score}, as the history says")
