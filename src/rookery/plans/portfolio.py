"""A portfolio: several plans share one budget, and those that find more get more of it.

All are tried with a small part of the budget, the better half with a little more. Then rounds follow without end: in
each, most goes to the winner, and the rest to the best of another family. Plans are compared by what each had found
when it had spent as much as the others: one that begins slowly is not outrun by one that had more time. Every plan
continues where it stopped. What a plan may spend is counted in what its committed tasks have cost, in playouts or in
seconds: nothing else enters a decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from collections.abc import Sequence as Several
from dataclasses import dataclass
from typing import Any, Literal

from rookery.plans.plan import Commit, Job, Plan
from rookery.plans.stored import MOST, Part
from rookery.tasks import Outcome, Sequence

Unit = Literal["playouts", "seconds"]

PROBES = (0.08, 0.04)
"""Shares of the budget that go to all arms together, and to the better half of them if there are more than two."""
ROUND = 0.1
"""The share of the budget that a later round has."""
EARLY, LATE, FAR = 0.3, 0.15, 0.08
"""The share of a round that the second best has: until half of the budget is spent, for it may have begun slowly; from
then on; and from then on if it is far behind."""
NEEDED = 0.25
"""It is far behind if the winner needed less than this share of the cost to find as much."""
SHARED = 0.8
"""The share of the budget after which the best line is given to whoever can use it. What is found after that decides
nothing: who improves a gift is not the better search."""
ALMOST = 1 - 1e-9
"""Shares are products of fractions: a share is spent although the last digit is missing."""


STORED = (
    *("playouts", "budget", "unit", "number", "turns", "spent", "had", "owed", "curves"),
    *("plans", "found", "best", "log"),
)


@dataclass(frozen=True)
class Arm:
    """Something to try: its name for people, the family it belongs to, and what makes its plan."""

    name: str
    family: str
    make: Callable[[], Plan]


class Portfolio:
    """Arms that take turns, committed in the order of their turns.

    Parameters
    ----------
    arms
        what is tried with so many playouts, and a budget in this unit; of equals the first is preferred
    playouts
        about how many there will be: it belongs to the state, so that a run continues with the arms that it began with
    budget
        what all may spend together, in ``unit``; when it is spent, rounds simply go on
    words
        a score in words, for the log of decisions
    """

    iteration_is_playout = True
    keeps_best = True
    finished = False

    def __init__(
        self,
        arms: Callable[[float, Unit], Several[Arm]],
        playouts: float,
        budget: float,
        unit: Unit,
        words: Callable[[float], str] = "{:g}".format,
    ) -> None:
        self._arms_for, self._playouts = arms, playouts
        self._arms = arms(playouts, unit)
        self._budget, self._unit = budget, unit
        self._words = words
        self._plans: list[Plan | None] = [arm.make() for arm in self._arms]  # None: given up
        self._found: list[Sequence | None] = [None] * len(self._arms)
        self._of: dict[Job, int] = {}
        self._had = [0.0] * len(self._arms)  # what each has spent in all
        self._owed = [0.0] * len(self._arms)  # what each has spent too much: tasks are not divided
        self._curves: list[list[tuple[float, float]]] = [[] for _ in self._arms]  # costs, and the scores found by then
        self.number = 0  # of the stage
        self._log: list[str] = []
        self.best: Sequence | None = None
        self.discards: list[Job] = []
        self._begin_stage()

    # --- stages and turns ---

    def _begin_stage(self) -> None:
        """Decide who gets how much in this stage."""
        ranked = self._ranked()
        if 0 < self.number < len(PROBES) and len(ranked) <= 2:
            self.number = len(PROBES)  # there is nothing to halve
        if self.number < len(PROBES):
            chosen = ranked if self.number == 0 else self._better_half(ranked)
            shares = {i: PROBES[self.number] / len(chosen) for i in sorted(chosen)}
        else:
            winner = ranked[0]
            others = [i for i in ranked[1:] if self._arms[i].family != self._arms[winner].family] or ranked[1:]
            share = self._share_of_second(winner, others[0]) if others else 0.0
            shares = {winner: ROUND * (1 - share), **{i: ROUND * share for i in others[:1]}}
        self._give_turns({i: share * self._budget for i, share in shares.items()})
        self._spent = 0.0  # by the first of them
        self._decide(ranked)
        if self.best is not None and self._past() >= ALMOST * SHARED:
            for i in shares:
                if hasattr(self._plans[i], "welcome"):
                    self._plan(i).welcome(self.best)  # type: ignore[attr-defined]

    def _give_turns(self, shares: dict[int, float]) -> None:
        """A turn for each plan that has something left of its share, after what it has spent too much before."""
        left = {i: share - self._owed[i] for i, share in shares.items()}
        for i, rest in left.items():
            self._owed[i] = max(0.0, -rest)
        self._turns = [(i, rest) for i, rest in left.items() if rest > 0.0] or [(next(iter(shares)), 0.0)]

    def _past(self) -> float:
        """The share of the budget that earlier stages had."""
        return sum(PROBES[: self.number]) + ROUND * max(0, self.number - len(PROBES))

    def _ranked(self) -> list[int]:
        """The plans that were not given up, the best at equal cost first, then the best of all."""
        there, cost = [i for i, plan in enumerate(self._plans) if plan is not None], self._equal_cost()

        def rank(i: int) -> tuple[float, float, int]:
            found = self._found[i]
            return -self._score_at(i, cost), math.inf if found is None else -found.score, i

        return sorted(there, key=rank)

    def _equal_cost(self) -> float:
        """What each plan that was not given up has spent at least."""
        return min(had for had, plan in zip(self._had, self._plans, strict=True) if plan is not None)

    def _score_at(self, i: int, cost: float) -> float:
        """The score that a plan had when it had spent so much."""
        return next((score for spent, score in reversed(self._curves[i]) if spent <= cost), -math.inf)

    def _share_of_second(self, winner: int, second: int) -> float:
        """The share of a round that the second best has."""
        if self._past() < ALMOST * 0.5:
            return EARLY
        had, score = self._had[second], self._score_at(second, math.inf)
        needed = next((cost for cost, reached in self._curves[winner] if reached >= score), had)
        return FAR if needed < NEEDED * had else LATE

    def _better_half(self, ranked: list[int]) -> list[int]:
        """The better half, and the best of another family; the others are given up."""
        kept = ranked[: max(2, (len(ranked) + 1) // 2)]
        if len({self._arms[i].family for i in kept}) == 1:
            kept += [i for i in ranked if self._arms[i].family != self._arms[kept[0]].family][:1]
        for i in set(ranked) - set(kept):
            self.discards += [job for job, of in self._of.items() if of == i]
            self._of = {job: of for job, of in self._of.items() if of != i}
            self._plans[i] = None
        return kept

    def _decide(self, ranked: list[int]) -> None:
        """Write down who goes on, and why."""
        names = [self._arms[i].name for i, _ in self._turns]
        if self.number == 0:
            told = f"try {', '.join(names)}"
        else:
            cost = self._equal_cost()
            scores = ", ".join(f"{self._arms[i].name} {self._told(self._score_at(i, cost))}" for i in ranked)
            told = f"{scores}: go on with {' and '.join(names)}"
        if self.number <= len(PROBES) or self._log[-1].partition(": ")[2] != told.partition(": ")[2]:
            self._log.append(told)

    @property
    def decisions(self) -> list[str]:
        """Who went on, and why; and what each has had in the end."""
        total = sum(self._had)
        if not total:
            return list(self._log)
        shares = ", ".join(f"{arm.name} {had / total:.0%}" for arm, had in zip(self._arms, self._had, strict=True))
        return [*self._log, f"shares of the {'playouts' if self._unit == 'playouts' else 'time'}: {shares}"]

    def _told(self, score: float) -> str:
        return "nothing" if score == -math.inf else self._words(score)

    @property
    def _current(self) -> Plan:
        """The plan whose turn it is."""
        plan = self._plans[self._turns[0][0]]
        assert plan is not None
        return plan

    @property
    def details(self) -> tuple[str, ...]:
        """What is being tried, how far the budget is spent, and what that plan has to say of itself."""
        name = self._arms[self._turns[0][0]].name
        what = "tries" if self.number < len(PROBES) else "goes on with"
        return f"{what} {name}", *getattr(self._current, "details", ())

    # --- jobs ---

    @property
    def risk(self) -> float:
        """The risk of the plan whose turn it is."""
        return self._current.risk

    def next_job(self) -> Job | None:
        """A job that is certain to be needed, of a plan with a turn in this stage; else one that may be."""
        turns = [i for i, _ in self._turns]
        certain = [i for i in turns if self._plan(i).risk == 0.0]
        for i in [*certain, *(i for i in turns if i not in certain)]:
            job = self._plan(i).next_job()
            if job is not None:
                self._of[job] = i
                return job
        return None

    def _plan(self, i: int) -> Plan:
        plan = self._plans[i]
        assert plan is not None
        return plan

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Pass an outcome on to the plan that the job belongs to."""
        i = self._of.pop(job, None)
        if i is not None:
            self._plan(i).receive(job, outcome)
            self._collect(i)

    def frontier(self) -> Job | None:
        """The frontier of the plan whose turn it is."""
        return self._current.frontier()

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._current.retry(budget)
        self._collect(self._turns[0][0])

    def commit(self) -> Commit:
        """Commit the frontier; a plan that has spent its share makes way for the next."""
        i, share = self._turns[0]
        plan, job = self._plan(i), self._current.frontier()
        assert job is not None
        assert job.outcome is not None
        cost = job.outcome.playouts if self._unit == "playouts" else job.outcome.seconds
        self._spent += cost
        self._had[i] += cost
        commit = plan.commit()
        self._collect(i)
        self._found[i] = plan.best
        alone = self._past() < ALMOST * SHARED
        if alone and plan.best is not None and plan.best.score > self._score_at(i, math.inf):
            self._curves[i].append((self._had[i], plan.best.score))
        if plan.best is not None and (self.best is None or plan.best.score > self.best.score):
            self.best = plan.best
        if job.outcome.finished and self._spent >= ALMOST * share and getattr(plan, "between_stages", True):
            self._owed[i] += max(0.0, self._spent - share)
            self._turns.pop(0)
            self._spent = 0.0
            if not self._turns:
                self.number += 1
                self._begin_stage()
        return Commit(replacements=commit.replacements)

    def _collect(self, i: int) -> None:
        plan = self._plan(i)
        for job in plan.discards:
            self._of.pop(job, None)
        self.discards += plan.discards
        plan.discards.clear()

    def prune(self) -> None:
        """Forget every job behind the frontier."""
        for i, plan in enumerate(self._plans):
            if plan is not None:
                plan.prune()
                self._collect(i)

    # --- what is kept on disk ---

    def state(self) -> dict[str, Any]:
        """Where the stages are, and the states of the plans that were not given up."""
        return {
            "playouts": float(self._playouts),
            "budget": self._budget,
            "unit": self._unit,
            "number": self.number,
            "turns": [list(turn) for turn in self._turns],
            "spent": float(self._spent),
            "had": list(self._had),
            "owed": list(self._owed),
            "curves": [[list(point) for point in curve] for curve in self._curves],
            "plans": [None if plan is None else plan.state() for plan in self._plans],
            "found": list(self._found),
            "best": self.best,
            "log": list(self._log),
        }

    def check(self, state: Part) -> None:
        """Turns of plans that are there, each with a state that fits it; scores that are not above the best."""
        state.has(*STORED)
        state["unit"].one_of(("playouts", "seconds"))
        arms = self._arms_for(state["playouts"].number(0.0), state["unit"].value)
        budget = state["budget"].number(0.0)
        state["number"].whole(0, MOST)
        count = len(arms)
        plans = state["plans"].parts(list, count, count)
        turns = state["turns"].parts(list, 1, count)
        for turn in turns:
            at, share = turn.parts(list, 2, 2)
            i = at.whole(0, count - 1)
            at.need(not plans[i].is_none, "a plan that was not given up")
            share.number(0.0, budget)
        state["turns"].need(len({turn.value[0] for turn in turns}) == len(turns), "turns of different plans")
        state["spent"].number(0.0)
        for owed in state["owed"].parts(list, count, count):
            owed.number(0.0)
        for had, curve in zip(
            state["had"].parts(list, count, count), state["curves"].parts(list, count, count), strict=True
        ):
            self._check_curve(curve, had.number(0.0))
        for arm, plan in zip(arms, plans, strict=True):
            if not plan.is_none:
                arm.make().check(plan)
        found = [part.sequence().score for part in state["found"].parts(list, count, count) if not part.is_none]
        if found:
            best = state["best"].sequence().score
            state["best"].need(best == max(found), f"of the score {max(found):g}")
        else:
            state["best"].need(state["best"].is_none, "None before anything is found")
        for told in state["log"].parts(list, 1, MOST):
            told.need(isinstance(told.value, str), "a text")

    @staticmethod
    def _check_curve(curve: Part, most: float) -> None:
        """Costs that do not fall, up to what was spent, and scores that rise."""
        cost, score = 0.0, -math.inf
        for point in curve.parts(list, 0, MOST):
            at, reached = point.parts(list, 2, 2)
            cost, before = at.number(cost, most), score
            score = reached.number(-math.inf)
            reached.need(score > before, f"above {before:g}")

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state, with the arms and the budget that it was begun with."""
        self._playouts, self._budget, self._unit = state["playouts"], state["budget"], state["unit"]
        self._arms = self._arms_for(self._playouts, self._unit)
        self._plans = [arm.make() for arm in self._arms]
        self.number = state["number"]
        self._turns = [(i, share) for i, share in state["turns"]]
        self._spent, self._had, self._log = state["spent"], list(state["had"]), list(state["log"])
        self._owed = list(state["owed"])
        self._curves = [[(cost, score) for cost, score in curve] for curve in state["curves"]]
        self._found, self.best = list(state["found"]), state["best"]
        for i, item in enumerate(state["plans"]):
            if item is None:
                self._plans[i] = None
            else:
                self._plan(i).restore(item)
