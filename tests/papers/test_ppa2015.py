"""Table 1 of Cazenave 2015: what is played at each scale."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.papers.ppa2015 import GAMES, TABLE_1, Cell, cells, variants


def test_the_table_has_ten_games_on_two_sizes() -> None:
    assert {game for game, _ in TABLE_1} == set(rk.tools.builtin_games())
    assert len(TABLE_1) == 20


def test_every_share_of_the_paper_is_a_whole_number_of_its_games() -> None:
    for shares in TABLE_1.values():
        for share in shares:
            wins = share * GAMES / 100
            assert wins == pytest.approx(round(wins), abs=1e-9)
    assert Cell("go", 5, 1000, GAMES, paper=21.2).paper_wins == 106


def test_half_is_both_sizes_at_1000_playouts_and_full_has_10000_too() -> None:
    half, full = cells("half"), cells("full")
    assert {(cell.game, cell.size, cell.playouts) for cell in half} == {(*key, 1000) for key in TABLE_1}
    assert full[:20] == half
    assert {(cell.game, cell.size) for cell in full[20:]} == set(TABLE_1)
    assert all(cell.playouts == 10_000 and cell.games == 500 for cell in full[20:])
    assert {cell.paper for cell in full if cell.game == "go"} == {21.2, 23.0, 23.6, 1.2}


def test_both_sides_have_the_parameters_of_the_paper() -> None:
    a, b = Cell("go", 5, 1000, GAMES, paper=21.2).sides
    assert (a.playouts, a.c, a.alpha, a.reuse, a.solver) == (1000, 0.4, 1.0, False, False)
    assert (b.playouts, b.c, b.unvisited, b.reuse, b.solver) == (1000, 0.4, "first", False, False)


@pytest.mark.parametrize("scale", ["quick", "half", "full"])
def test_names_of_cells_differ(scale: str) -> None:
    every = {cell.name: cell for cell in (*cells(scale), *variants(scale))}  # type: ignore[arg-type]
    with_default_rules = [cell for cell in variants(scale) if not cell.rules]  # type: ignore[arg-type]
    assert len(every) == len(cells(scale)) + len(variants(scale)) - len(with_default_rules)  # type: ignore[arg-type]


def test_the_rules_that_are_tried_are_parameters_of_the_games() -> None:
    tried = variants("half")
    assert {cell.game for cell in tried} == {"atarigo", "go"}
    for cell in tried:
        game = rk.load_game(cell.game, cell.parameters)
        default = rk.load_game(cell.game, {"size": "5"})
        assert (game.parameters() == default.parameters()) == (not cell.rules)


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(rk.InputError, match="the scale must be quick, half or full, got 'huge'"):
        cells("huge")  # type: ignore[arg-type]
