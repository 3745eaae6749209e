"""Runs of hours: one after the other, each by all workers, continued from its checkpoint whatever ended it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rookery.experiments.experiment import run_file
from rookery.experiments.run_task import told
from rookery.papers.works import Hands, Runs
from rookery.running.resume import resume
from rookery.running.solve import solve
from rookery.stop import NO_LIMITS


@dataclass(frozen=True)
class LongRuns(Runs):
    """Runs of a search to its end, each kept in a checkpoint on the way.

    >>> import rookery as rk
    >>> from rookery.papers.works import named
    >>> LongRuns("nrpa-4", 900.0, named("morpion", variant="5D"), rk.NRPA(level=4)).restarts
    False
    """

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Make the runs that the folder does not hold, or their rest."""
        place = folder / self.name
        place.mkdir(parents=True, exist_ok=True)
        crew: dict[str, Any] = {
            "workers": hands.workers,
            "executor": hands.executor,
            "address": hands.address,
            "progress": hands.progress,
        }
        for seed in self.seeds(count, hands):
            for name, problem in self.problems(hands).items():
                file = run_file(place, (name, self.name, seed))
                kept = file.with_suffix(".ckpt")
                if file.exists():
                    continue
                crew["callbacks"] = hands.observers(f"{told(name, self.name)}, seed {seed}")
                if kept.exists():
                    run = resume(kept, problem, stop=NO_LIMITS, **crew)
                else:
                    run = solve(problem, self.search, seed=seed, checkpoint=kept, **crew)
                if run.status != "finished":
                    raise KeyboardInterrupt
                run.save(file)
                kept.unlink(missing_ok=True)
