"""NMCS above the atomic level: the steps in Python, the children of a step as independent tasks."""

from __future__ import annotations

from collections.abc import Generator

from rookery.parallel.plan import Commit, Discards, Job, Replacement
from rookery.rng import Stream, mix_int
from rookery.search.nmcs import NMCS
from rookery.tasks import Moves, NMCSTask, Outcome, Sequence, Worker

Batch = list[NMCSTask]
Steps = Generator[Batch, list[Outcome], Sequence | None]


class NestedSteps:
    """One run of NMCS.

    Parameters
    ----------
    worker
        lists legal moves
    atomic_level
        nested calls of this level are tasks
    """

    iteration_is_playout = False

    def __init__(
        self,
        search: NMCS,
        worker: Worker,
        key: int,
        atomic_level: int,
        prefix: Moves = (),
        target: float = float("inf"),
    ) -> None:
        self._search = search
        self.keeps_best = search.memorise
        self._worker = worker
        self._atomic = min(atomic_level, search.level)
        self._target = target
        self._jobs: list[Job] = []
        self._committed = 0
        self._seen: Sequence | None = None
        self._answer: Sequence | None = None
        self._replacements: list[Replacement] = []
        self._steps = self._nested(search.level, prefix, key)
        self.finished = False
        self.discards = Discards()
        self._advance(None)

    @property
    def best(self) -> Sequence | None:
        """The answer of the run; until it is there, the best sequence seen."""
        return self._answer or self._seen

    def next_job(self) -> Job | None:
        """The first child of the current step that waits."""
        job = next((job for job in self._jobs[self._committed :] if not job.started), None)
        if job is not None:
            job.started = True
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a child."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The next child in order, once its outcome is there."""
        if self.finished or self._committed == len(self._jobs):
            return None
        job = self._jobs[self._committed]
        return job if job.outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        job = self._jobs[self._committed]
        self._jobs[self._committed] = Job(job.task.within(budget))

    def commit(self) -> Commit:
        """Commit the next child; after the last one of a step, take the step."""
        outcome = self._jobs[self._committed].outcome
        assert outcome is not None
        self._committed += 1
        found = outcome.sequence
        if found is not None and (self._seen is None or found.score > self._seen.score):
            self._seen = found
        self._replacements = []
        if outcome.finished and self._committed == len(self._jobs):
            self._advance([job.outcome for job in self._jobs if job.outcome is not None])
        return Commit(int(self.finished), tuple(self._replacements))

    def prune(self) -> None:
        """Forget the children behind the frontier."""
        self.discards.jobs.extend(job for job in self._jobs[self._committed + 1 :] if job.started)
        del self._jobs[self._committed + 1 :]

    def _advance(self, outcomes: list[Outcome] | None) -> None:
        try:
            batch = next(self._steps) if outcomes is None else self._steps.send(outcomes)
        except StopIteration as end:
            self._answer = end.value
            self.finished = True
            self._jobs = []
        else:
            self._jobs = [Job(task) for task in batch]
        self._committed = 0

    def _nested(self, level: int, prefix: Moves, key: int) -> Steps:
        """Cazenave 2009, section 3; Rosin 2011, Figure 1."""
        if level == self._atomic:
            (outcome,) = yield [self._task(level, prefix, key)]
            return outcome.sequence
        search = self._search
        stream = Stream(key)
        best: Sequence | None = None
        calls = 0
        ply = len(prefix)
        while True:
            legal = self._worker.legal(prefix)
            if not legal or (best is not None and ply >= len(best.moves)):
                return Sequence(self._worker.replay(prefix)[0], prefix)
            if search.sample is not None:
                legal = tuple(legal[stream.below(len(legal))] for _ in range(search.sample))
            keys = [mix_int(key, calls + i) for i in range(len(legal))]
            calls += len(legal)
            children = [(*prefix, move) for move in legal]
            results: list[Sequence | None]
            if level - 1 == self._atomic:
                outcomes = yield [self._task(level - 1, c, k) for c, k in zip(children, keys, strict=True)]
                results = [outcome.sequence for outcome in outcomes]
            else:
                results = []
                for child, child_key in zip(children, keys, strict=True):
                    results.append((yield from self._nested(level - 1, child, child_key)))
            step = self._best_of_step(results, stream)
            if best is None or step.score > best.score or not search.memorise:
                self._replacements.append(Replacement(level, ply, step, False))
                best = step
            prefix = best.moves[: ply + 1]
            ply += 1

    def _best_of_step(self, results: list[Sequence | None], stream: Stream) -> Sequence:
        best: Sequence | None = None
        equal = 0
        for result in results:
            assert result is not None
            if best is None or result.score > best.score:
                best, equal = result, 1
            elif self._search.ties == "random" and result.score == best.score:
                equal += 1
                if stream.below(equal) == 0:
                    best = result
        assert best is not None
        return best

    def _task(self, level: int, prefix: Moves, key: int) -> NMCSTask:
        search = self._search
        return NMCSTask(
            key=key,
            prefix=prefix,
            target=self._target,
            level=level,
            memorise=search.memorise,
            random_ties=search.ties == "random",
            sample=search.sample or 0,
        )
