"""The functions of a problem or of a game as kernels call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.compiler.functions import Compiled
from rookery.control import INFEASIBLE_SCORE
from rookery.rng import below

if TYPE_CHECKING:
    from rookery.compiler.specialise import Specialisation


@dataclass(frozen=True)
class Functions:
    """The compiled functions of a problem as kernels call them; ``value`` is the score, to be maximised.

    So is ``estimate``.
    """

    start: Compiled
    moves: Compiled
    code: Compiled
    play: Compiled
    value: Compiled
    begin_playout: Compiled
    bias: Compiled | None
    biases: Compiled | None
    choose: Compiled | None
    commute: Compiled | None
    key: Compiled | None
    estimate: Compiled | None
    is_legal: Compiled | None
    makes: Compiled | None
    needs: Compiled | None
    undo: Compiled | None
    makers: Compiled | None
    clash: Compiled | None
    list_moves: Compiled
    move_at: Compiled


def problem_functions(spec: Specialisation) -> Functions:
    """The functions of a problem."""
    compiled = spec.compiled
    score = compiled["score"]
    estimate: Any = compiled.get("estimate")
    sign = -1.0 if spec.cls.sense == "min" else 1.0

    @spec.kernel
    def value(self, s):  # type: ignore[no-untyped-def]
        found = sign * np.float64(score(self, s))
        return INFEASIBLE_SCORE if np.isinf(found) else found

    @spec.kernel
    def rating(self, s):  # type: ignore[no-untyped-def]
        found = sign * np.float64(estimate(self, s))
        return INFEASIBLE_SCORE if np.isinf(found) else found

    @spec.kernel
    def no_begin(self, s):  # type: ignore[no-untyped-def]
        pass

    return Functions(
        start=compiled["start"],
        moves=compiled["moves"],
        code=compiled["code"],
        play=compiled["play"],
        value=value,
        begin_playout=compiled.get("begin_playout", no_begin),
        bias=compiled.get("bias"),
        biases=compiled.get("biases"),
        choose=compiled.get("choose"),
        commute=compiled.get("commute"),
        key=compiled.get("key"),
        estimate=None if estimate is None else rating,
        is_legal=compiled.get("is_legal"),
        makes=compiled.get("makes"),
        needs=compiled.get("needs"),
        undo=compiled.get("undo"),
        makers=compiled.get("makers"),
        clash=compiled.get("clash"),
        **_legal_moves(spec, compiled["moves"], compiled.get("count"), compiled.get("nth")),
    )


def _legal_moves(
    spec: Specialisation, moves: Compiled, count: Compiled | None, nth: Compiled | None
) -> dict[str, Compiled]:
    """How playouts list legal moves and read one of them: from ``out``, or where the state keeps them."""
    if count is not None and nth is not None:

        @spec.inlined
        def list_moves(self, s, out):  # type: ignore[no-untyped-def]
            return np.int64(count(self, s))

        @spec.inlined
        def move_at(self, s, out, i):  # type: ignore[no-untyped-def]
            return np.int64(nth(self, s, i))
    else:

        @spec.inlined
        def list_moves(self, s, out):  # type: ignore[no-untyped-def]
            return np.int64(moves(self, s, out))

        @spec.inlined
        def move_at(self, s, out, i):  # type: ignore[no-untyped-def]
            return out[np.uint64(i)]

    return {"list_moves": list_moves, "move_at": move_at}


@dataclass(frozen=True)
class GameFunctions:
    """The compiled functions of a game; ``playout_moves`` and ``sample`` are there whether or not it defines them."""

    start: Compiled
    moves: Compiled
    code: Compiled
    play: Compiled
    player: Compiled
    winner: Compiled
    key: Compiled
    playout_moves: Compiled
    sample: Compiled
    """``sample(self, s, out, rng)``: (moves that were listed, or 0; the move, or -1 at the end of the game)."""
    playout: Compiled | None
    feature: Compiled | None
    bias: Compiled | None
    prior: Compiled | None
    estimate: Compiled | None


def game_functions(spec: Specialisation) -> GameFunctions:
    """The functions of a game."""
    compiled = spec.compiled
    listed: Any = compiled.get("playout_moves", compiled["moves"])
    own: Any = compiled.get("sample")

    if own is not None:

        @spec.inlined
        def sample(self, s, out, rng):  # type: ignore[no-untyped-def]
            return np.int64(0), np.int64(own(self, s, rng))
    else:

        @spec.inlined
        def sample(self, s, out, rng):  # type: ignore[no-untyped-def]
            n = np.int64(listed(self, s, out))
            move = np.int64(-1)
            if n > 0:
                move = out[np.uint64(below(rng, int(n)))]
            return n, move

    names = ("start", "moves", "code", "play", "player", "winner", "key")
    given = {name: compiled[name] for name in names}
    optional = {name: compiled.get(name) for name in ("playout", "feature", "bias", "prior", "estimate")}
    return GameFunctions(**given, playout_moves=listed, sample=sample, **optional)
