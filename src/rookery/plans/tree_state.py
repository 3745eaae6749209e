"""The stored state of a speculation tree, checked before a tree is built from it."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.plans.stored import AHEAD, Part


def check_tree(state: Part, sizes: Sequence[int]) -> None:
    """Refuse what cannot be the state of a tree with this many iterations by level, from the top to the tasks.

    >>> check_tree(Part("plan", {"calls": [], "finished": []}), [])
    """
    if isinstance(state.value, dict) and "result" in state.value:
        state.has("result")
        state["result"].sequence()
        return
    state.has("calls", "finished")
    frontier = []
    for size, call in zip(sizes, state["calls"].parts(list, len(sizes), len(sizes)), strict=True):
        call.has("iteration", "best", "policy")
        frontier.append(call["iteration"].whole(0, size - 1))
        if frontier[-1] == 0:
            call["best"].need(call["best"].is_none, "None before the first iteration")
        else:
            call["best"].sequence()
        call["policy"].policy()
    _check_leaves(state["finished"].parts(), sizes, tuple(frontier))


def _check_leaves(leaves: list[Part], sizes: Sequence[int], frontier: tuple[int, ...]) -> None:
    """Check that finished leaves are in order, from the frontier on; between them are only those being computed."""
    last: dict[tuple[int, ...], int] = {}  # the last child of each call
    before: tuple[int, ...] = (-1,)
    room = AHEAD + len(leaves) * len(sizes)
    for leaf in leaves:
        place, outcome = leaf.parts(tuple, 2, 2)
        indices = zip(place.parts(tuple, len(sizes), len(sizes)), sizes, strict=True)
        path = tuple(index.whole(0, size - 1) for index, size in indices)
        place.need(path >= frontier and path > before, "behind the leaf before it")
        before = path
        for depth, index in enumerate(path):
            call = path[:depth]
            first = frontier[depth] if call == frontier[:depth] else 0
            room -= max(0, index - last.get(call, first - 1))
            last[call] = index
        place.need(room >= 0, "no further ahead than a run can be")
        outcome.outcome(found=False)
