"""Whole games against GNU Go: every move is legal to both sides, and both count the same score."""

from __future__ import annotations

import pytest

import rookery as rk
from gtp_programs import GNUGO, RULES, Ours, Program, needs_gnugo, play_game

KOMI = 6.5


@needs_gnugo
@pytest.mark.parametrize(("seed", "playouts", "we_begin"), [(1, 400, True), (2, 400, False), (3, 2000, True)])
def test_a_game_against_gnu_go_is_legal_and_has_the_same_score_for_both(
    seed: int, playouts: int, we_begin: bool
) -> None:
    game = rk.games.Go(size=9, ko="superko", filling="never", longest=400)
    ours = Ours(rk.tools.GtpEngine(game, rk.GameUCT(playouts=playouts), seed=seed))
    with Program(str(GNUGO), *RULES, "--level", "1", "--seed", str(seed)) as gnu_go:
        for line in ("boardsize 9", f"komi {KOMI}", "clear_board"):
            ours.ask(line)
            gnu_go.ask(line)
        commands = {ours: "kgs-genmove_cleanup", gnu_go: "genmove"}
        moves = play_game(*((ours, gnu_go) if we_begin else (gnu_go, ours)), commands)
        assert len(moves) > 60
        assert ours.ask("final_score") == gnu_go.ask("final_score")
        assert ours.ask("final_status_list dead") == gnu_go.ask("final_status_list dead") == ""
