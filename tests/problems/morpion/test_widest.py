"""Morpion Solitaire scored by its branching."""

from __future__ import annotations

import rookery as rk
from rookery.problems.morpion.widest import WidestMorpion


def test_the_score_is_the_most_moves_that_were_legal_at_once() -> None:
    run = rk.solve(WidestMorpion("5D"), rk.Sampling(), stop=rk.MaxPlayouts(500), seed=1)
    game = rk.problems.Morpion("5D")
    legal = [len(rk.replay(game, run.moves[:ply])[1]) for ply in range(len(run.moves) + 1)]
    assert run.score == max(legal) > legal[0] == 28
