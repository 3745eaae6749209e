"""NMCS and reflexive search above the atomic level: steps in Python, the children of a step as independent tasks.

The nested calls that are under way form a stack, each with the step that it is taking. So a run can be saved between
any two commits, and continue from there in another process.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rookery.plans.nested_calls import RATING, NestedCall, Steps
from rookery.plans.plan import Commit, Job, Replacement
from rookery.plans.stored import Part
from rookery.rng import Stream, mix_int
from rookery.tasks import Moves, Outcome, Sequence, Worker


class NestedSteps:
    """One run of NMCS, or of reflexive search, whose children are games from the state itself.

    Parameters
    ----------
    worker
        lists legal moves
    atomic_level
        nested calls of this level are tasks
    """

    iteration_is_playout = False
    risk = 0.0  # every child counts

    def __init__(
        self,
        search: Steps,
        worker: Worker,
        key: int,
        atomic_level: int,
        prefix: Moves = (),
    ) -> None:
        self._search = search
        self.keeps_best = search.memorises
        self._worker = worker
        self._atomic = min(atomic_level, search.level)
        self._root = (prefix, key)
        self._stack: list[NestedCall] = []
        self._jobs: list[Job] = []  # of the step at the top of the stack, without those that are committed
        self._cut: Sequence | None = None  # found by a task that was cut
        self._answer: Sequence | None = None
        self._replacements: list[Replacement] = []
        self.finished = False
        self.discards: list[Job] = []
        if search.level > self._atomic:
            self._enter(search.level, prefix, key)
            self._advance()
        else:
            self._jobs = self._jobs_ahead()

    # --- what the driver asks ---

    @property
    def best(self) -> Sequence | None:
        """The answer of the run; until it is there, what a run that ends here would return."""
        return self._answer or self._so_far()

    def next_job(self) -> Job | None:
        """The first child of the current step that waits."""
        job = next((job for job in self._jobs if not job.started), None)
        if job is not None:
            job.started = True
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a child."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The next child in order, once its outcome is there."""
        return self._jobs[0] if self._jobs and self._jobs[0].outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._jobs[0] = Job(self._jobs[0].task.within(budget))

    def commit(self) -> Commit:
        """Commit the next child; after the last one of a step, take the step."""
        outcome = self._jobs.pop(0).outcome
        assert outcome is not None
        found = outcome.sequence
        self._cut = None if outcome.finished else found
        self._replacements = []
        if outcome.finished:
            assert found is not None
            if self._stack and self._stack[-1].rates:
                self._stack[-1].branches = (RATING, *(((move,), 1) for move in outcome.value))
            self._return(found)
            if not self._jobs:
                self._advance()
        return Commit(int(self.finished), tuple(self._replacements))

    def prune(self) -> None:
        """Forget the children behind the frontier."""
        self.discards.extend(job for job in self._jobs[1:] if job.started)
        del self._jobs[1:]

    def state(self) -> dict[str, Any]:
        """The stack, and the outcomes that wait for their turn; what is being computed is computed again."""
        # An outcome that was cut short by a limit or a halt is not part of the search; of one that rates moves, what
        # it is about would not be kept.
        rates = bool(self._stack) and self._stack[-1].rates
        outcomes = [job.outcome if job.outcome and job.outcome.whole and not rates else None for job in self._jobs]
        return {
            "atomic_level": self._atomic,
            "stack": [call.state() for call in self._stack],
            "outcomes": outcomes,
            "answer": self._answer,
            "finished": self.finished,
        }

    def check(self, state: Part) -> None:
        """Check for a call of each level above the atomic one, each in the middle of a step of the one before it.

        While one rates moves, there is none below it.
        """
        state.has("atomic_level", "stack", "outcomes", "answer", "finished")
        level, (prefix, key) = self._search.level, self._root
        atomic = state["atomic_level"].whole(1, level)
        finished = state["finished"].flag()
        if finished:
            state["answer"].sequence(prefix)
        else:
            state["answer"].need(state["answer"].is_none, "None in a run that is not finished")
        depth = 0 if finished else level - atomic
        jobs = 0 if finished else 1
        stack = state["stack"].parts(list, min(depth, 1 if self._search.rate else depth), depth)
        call: NestedCall | None = None
        for i, item in enumerate(stack):
            state["stack"].need(call is None or not call.rates, "without a call below one that rates moves")
            call = self._checked_call(item, level - i, key, prefix)
            prefix, number = call.child(len(call.results))
            key = mix_int(call.key, number)
            jobs = 1 if call.rates else len(call.branches) - len(call.results)
        rates = call is not None and call.rates
        state["stack"].need(len(stack) == depth or rates, f"a list of {depth} calls")
        for i, waiting in enumerate(state["outcomes"].parts(list, 0, jobs)):
            if rates:
                waiting.need(waiting.is_none, "None while moves are rated")
            elif not waiting.is_none:
                waiting.outcome(prefix if call is None else call.child(len(call.results) + i)[0])

    def _checked_call(self, state: Part, level: int, key: int, root: Moves) -> NestedCall:
        """Check for a call of this level and key that began after these moves."""
        state.has(*(item.name for item in fields(NestedCall)))
        state["level"].whole(level, level)
        state["key"].exactly(key, "which follows from the seed")
        state["calls"].whole(0)
        words = [word.whole(0, (1 << 64) - 1) for word in state["stream"].parts(list, 4, 4)]
        state["stream"].need(any(words), "not all 0")
        prefix = state["prefix"].moves(root)
        legal = self._worker.legal(prefix)
        if state["best"].is_none:
            state["prefix"].need(prefix == root, "those of the beginning before the first step")
        else:
            state["best"].sequence(prefix)
        for branch in state["branches"].parts(tuple, 1):
            moves, count = branch.parts(tuple, 2, 2)
            moves.moves()
            count.whole(0 if branch.value == RATING and self._search.rate else 1)
        results = state["results"].parts(list, 0, len(state["branches"].value) - 1)
        call = NestedCall.of(state.value)
        state["branches"].need(self._search.fits(call, legal), "the branches of a step")
        for i, result in enumerate(results):
            result.sequence(call.child(i)[0])
        return call

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state, with its atomic level."""
        self._atomic = state["atomic_level"]
        self._stack = [NestedCall.of(call) for call in state["stack"]]
        self._answer, self.finished = state["answer"], state["finished"]
        self._jobs = [] if self.finished else self._jobs_ahead()
        for job, outcome in zip(self._jobs, state["outcomes"], strict=False):  # fewer if the plan was pruned
            job.outcome, job.started = outcome, outcome is not None

    # --- the search: Cazenave 2009, section 3; Rosin 2011, Figure 1; Cazenave 2007, section 3 ---

    def _advance(self) -> None:
        """Continue until a step needs tasks, or there is nothing left to do."""
        while self._stack:
            call = self._stack[-1]
            if len(call.results) == len(call.branches) and not self._next_step(call):
                self._stack.pop()
                self._return(Sequence(self._worker.replay(call.prefix)[0], call.prefix))
            elif call.rates or call.level - 1 == self._atomic:
                self._jobs = self._jobs_ahead()
                return
            else:
                prefix, number = call.child(len(call.results))
                self._enter(call.level - 1, prefix, mix_int(call.key, number))

    def _enter(self, level: int, prefix: Moves, key: int) -> None:
        self._stack.append(NestedCall(level, key, prefix, Stream(key)))

    def _return(self, result: Sequence) -> None:
        """A nested call has returned: to the call above it, or as the answer of the run."""
        if self._stack:
            self._stack[-1].results.append(result)
        else:
            self._answer, self.finished = result, True

    def _next_step(self, call: NestedCall) -> bool:
        """Play the best move of the step that is complete, if any, and begin the next; False at the end."""
        if call.branches:
            self._choose(call)
            ply = len(call.prefix)
            assert call.best is not None
            if ply >= len(call.best.moves):
                return False  # the best playout ended here, by a rule that holds only in playouts
            call.prefix = call.best.moves[: ply + 1]
        moves = self._worker.legal(call.prefix)
        call.calls += sum(count for _, count in call.branches)
        tasks = call.level - 1 == self._atomic
        branches = self._search.branches(call, moves, tasks) if moves else ()
        rates = self._search.rate is not None and self._search.kept(len(branches)) < len(branches)
        call.branches, call.results = (RATING, *branches) if rates else branches, []
        return bool(moves)

    def _so_far(self) -> Sequence | None:
        """What the run would return if it ended here: in each call the best of its step, if it is better."""
        found = self._cut
        for call in reversed(self._stack):
            step = self._best_of(call.results, NestedCall.of(call.state()).stream) if call.results else None
            found = max(filter(None, (call.best, step, found)), key=lambda one: one.score, default=None)
        return found

    def _choose(self, call: NestedCall) -> None:
        """Let the best of the step be the best of the call, if it is better or nothing is memorised."""
        step = self._best_of(call.results, call.stream)
        if call.best is None or step.score > call.best.score or not self._search.memorises:
            self._replacements.append(Replacement(call.level, len(call.prefix), step, False))
            call.best = step

    def _best_of(self, results: list[Sequence], stream: Stream) -> Sequence:
        """The best result of a step: the first of equal ones, or one that is drawn."""
        step, equal = results[0], 1
        for result in results[1:]:
            if result.score > step.score:
                step, equal = result, 1
            elif self._search.random_ties and result.score == step.score:
                equal += 1
                if stream.below(equal) == 0:
                    step = result
        return step

    def _jobs_ahead(self) -> list[Job]:
        """A job for every branch of the step that has no result yet; without a step, for the whole run."""
        task, level = self._search.task, self._atomic
        if not self._stack:
            return [Job(task(level, *self._root, None))]
        call, jobs = self._stack[-1], []
        if call.rates:
            assert self._search.rate is not None
            return [Job(self._search.rate(call, tuple(move for (move,) in call.tried)))]
        number = call.calls
        for moves, count in call.branches:
            prefix = (*call.prefix, *moves)
            if count == 1:
                jobs.append(Job(task(level, prefix, mix_int(call.key, number), None)))
            else:  # of none, where moves were rated: there is a result
                jobs.append(Job(task(level, prefix, call.key, (number, number + count))))
            number += count
        return jobs[len(call.results) :]
