"""An attack: crafted and damaged files, killed and stopped workers; none may crash, hang, or change an answer.

``python benchmarks/attack.py --crafted 3000 --mutated 2000 --kills 100 --stops 20`` runs the parts that are named, all
of them if none is, and prints a table: what was tried how often, and what went wrong, by kind. Every failure is listed.

- ``--crafted N``: N checkpoints with a correct checksum, in which a field has an odd value: when resumed, each must
be refused in one sentence, or give the answer of the run. ``--only tempering annealing``: of these searches alone. -
``--mutated N``: N damaged files for each reader. - ``--kills N``, ``--stops N``, ``--start-deaths N``: workers that
are killed, stopped, or die while they start.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from attacks.outcome import Outcome

PARTS = {
    "crafted": ("crafted", 3000),
    "mutated": ("mutated", 2000),
    "kills": ("faults", 100),
    "stops": ("faults", 20),
    "start_deaths": ("faults", 20),
}
"""Module and usual number of each part; a part is the function of that name, from a number to its outcome."""
FILES = ("crafted", "mutated")
"""The parts that take files."""


def main(arguments: list[str] | None = None) -> int:
    """Run the parts that are asked for; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for part, (_, usual) in PARTS.items():
        parser.add_argument(f"--{part.replace('_', '-')}", type=int, metavar="N", help=f"{usual} if no part is named")
    parser.add_argument("--quick", action="store_true", help="leave out files that take long to make")
    parser.add_argument("--only", nargs="+", metavar="SEARCH", help="crafted checkpoints of these searches alone")
    asked = parser.parse_args(arguments)
    given = {part: getattr(asked, part) for part in PARTS if getattr(asked, part) is not None}
    outcomes: list[Outcome] = []
    for part, count in (given or {part: usual for part, (_, usual) in PARTS.items()}).items():
        began = time.perf_counter()
        attack = getattr(importlib.import_module(f"attacks.{PARTS[part][0]}"), part)
        options = {"quick": True} if asked.quick and part in FILES else {}
        if asked.only and part == "crafted":
            options["only"] = asked.only
        found = attack(count, **options)
        outcomes += found if isinstance(found, list) else [found]
        print(f"{part}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    report(outcomes)
    return any(outcome.failures for outcome in outcomes)


def report(outcomes: list[Outcome]) -> None:
    """Print the table."""
    print("| attack | tried | went wrong |\n| --- | ---: | --- |")
    for outcome in outcomes:
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(outcome.kinds().items()))
        print(f"| {outcome.name} | {outcome.tried:,} | {kinds or 'nothing'} |")


if __name__ == "__main__":
    sys.exit(main())
