"""``reproduce``: compute the items of a paper, in a folder where the same call continues whatever ended it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path

from rookery.arguments import whole
from rookery.crews.hiring import check_executor
from rookery.errors import InputError, reason
from rookery.matches.decide import MOST_SEED
from rookery.papers.catalogue import paper_named
from rookery.papers.items import SCALES, Item, Paper, Scale, check_scale
from rookery.papers.machine import speed
from rookery.papers.reproductions import Reproduced, Reproduction
from rookery.papers.rows import hours, judged
from rookery.papers.works import Hands, Watching, Work, needed, nobody

SUMMARY = "summary.json"


def reproduce(
    paper: str,
    item: str | None = None,
    scale: Scale = "quick",
    *,
    out: str | os.PathLike[str] | None = None,
    seed: int = 1,
    workers: int = 1,
    executor: str | Executor = "threads",
    address: str | None = None,
    boards: str | os.PathLike[str] | None = None,
    only: str | None = None,
    compute: bool = True,
    progress: bool = False,
    watching: Watching = nobody,
    observers: Watching = nobody,
) -> Reproduction:
    """Repeat the experiments of a paper: our figures beside the paper's, each with a verdict.

    Whatever is computed is kept in a folder, and the same call continues from what is there. Ctrl-C ends it with what
    there is so far. The folder also gets the outcome, as ``summary.json``.

    Parameters
    ----------
    paper
        its name, as ``rookery paper`` lists them
    item
        ``"table 2"``, ``"figure 8"`` or another item of it; None: all
    scale
        ``"quick"``: at most five core-minutes an item; ``"half"``: about a core-hour; ``"full"``: the paper's counts
    out
        the folder, by default one with the name of the paper; scales share it
    workers, executor, address
        who computes: the figures are the same for all but those that are limited by time
    boards
        a file with the 20 standard boards of SameGame, for the items that need them, or a seed that others are made
        from; None: the file that ``ROOKERY_DATA`` names
    only
        compute only cells whose name contains this; the others are shown as they are
    compute
        False: show what the folder holds, compute nothing
    progress
        say on standard error what is being computed, and what is left
    watching
        makes observers for the matches of a paper, from their names
    observers
        makes observers for everything that is computed (matches, runs, distributions), from its name

    >>> reproduce("ppa-2015", "table 7")
    Traceback (most recent call last):
    rookery.errors.InputError: ppa-2015 has no table 7: there are table 1, claim rules
    """
    about = paper_named(paper)
    check_scale(scale)
    items = about.items if item is None else (about.item(item),)
    _check_only(items, only)
    check_executor(executor, workers, address)
    whole("seed", seed, 0, MOST_SEED)
    folder = Path(paper if out is None else out)
    hands = Hands(workers, executor, address, seed, boards, progress, watching, observers)
    if compute:
        works = needed(asked for one in items for asked in one.computed(scale, only))
        for work, _ in works:
            work.check(hands)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot make {folder}: {reason(error)}") from None
        with suppress(KeyboardInterrupt):  # what there is so far is shown, and what is missing is said
            _compute(works, folder, hands)
    found = Reproduction(paper, seed, tuple(reproduced(one, scale, folder, hands) for one in items))
    if compute:
        found.save(folder / SUMMARY)
    return found


def reproduced(item: Item, scale: Scale, folder: Path, hands: Hands) -> Reproduced:
    """An item by what a folder holds."""
    picture = item.picture
    axes = ("", "", "", False) if picture is None else (picture.x, picture.y, picture.log, picture.steps)
    return Reproduced(
        item.name,
        item.title,
        scale,
        item.columns,
        judged(item.rows(scale, folder, hands)),
        item.series(scale, folder, hands),
        axes,
        item.note,
        item.not_available,
    )


def costs(paper: Paper) -> Iterator[tuple[Item, dict[Scale, float]]]:
    """The items of a paper, and the core-seconds of each scale on this machine."""
    for item in paper.items:
        yield item, {scale: item.cost(scale, 1 / speed()) for scale in SCALES}


def _compute(works: Sequence[tuple[Work, int]], folder: Path, hands: Hands) -> None:
    left = [_left(work, count, folder, hands) if hands.progress else 0.0 for work, count in works]
    for number, (work, count) in enumerate(works):
        if hands.progress and left[number]:
            told = f"[{number + 1} of {len(works)}] {work.name}: {count:,} samples, about {hours(left[number])}"
            print(f"{told}; all that is left: {hours(sum(left[number:]))}", file=sys.stderr, flush=True)
        work.compute(folder, count, hands)


def _left(work: Work, count: int, folder: Path, hands: Hands) -> float:
    """The core-seconds of the samples that the folder does not hold, on this machine."""
    missing = max(0, count - work.found(folder, count, hands).done)
    return work.cost * missing * (1.0 if work.timed else 1 / speed())


def _check_only(items: Sequence[Item], only: str | None) -> None:
    names = [cell.name for item in items for cell in item.cells]
    if only is not None and not any(only in name for name in names):
        such = f"a part of a name such as {names[0]!r}" if names else "left out, as there are no cells"
        raise InputError(f"only must be {such}, got {only!r}")
