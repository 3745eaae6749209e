"""Whole games against GNU Go: every move is legal to both sides, and both count the same score."""

from __future__ import annotations

import pytest

import rookery as rk
from gtp_programs import gnugo, needs_gnugo


@needs_gnugo
@pytest.mark.parametrize(("seed", "playouts", "we_begin"), [(1, 400, True), (2, 400, False), (3, 1000, True)])
def test_a_game_against_gnu_go_is_legal_and_has_the_same_score_for_both(
    seed: int, playouts: int, we_begin: bool
) -> None:
    ours = gnugo.Ours(rk.tools.GtpEngine(gnugo.GAME, rk.GameUCT(playouts=playouts), seed=seed))
    with gnugo.GnuGo(level=1, seed=seed) as gnu_go:
        moves, score, theirs = gnugo.play_game(ours, gnu_go, we_begin)
        assert len(moves) > 60
        assert score == theirs
        assert ours.ask("final_status_list dead") == gnu_go.ask("final_status_list dead") == ""
