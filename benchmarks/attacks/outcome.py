"""The outcome of a part of an attack."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """How often something was tried, and what went wrong.

    Parameters
    ----------
    name
        of the part, as the table shows it
    tried
        how many attempts there were
    failures
        a line for each that did not go as it should, which begins with its kind: ``crash: ...``, ``internal error:
        ...``, ``hang: ...``, ``other answer: ...``, ``orphan: ...``
    """

    name: str
    tried: int = 0
    failures: list[str] = field(default_factory=list)

    def fail(self, kind: str, what: str) -> None:
        """Note something that went wrong, and say so at once."""
        print(f"{self.name}: {kind}: {what}", file=sys.stderr, flush=True)
        self.failures.append(f"{kind}: {what}")

    def kinds(self) -> Counter[str]:
        """How many failures of each kind there were."""
        return Counter(line.partition(":")[0] for line in self.failures)
