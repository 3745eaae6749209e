"""Cazenave 2009: its figures as printed, and what its works compute."""

from __future__ import annotations

from pathlib import Path

import pytest

import rookery as rk
from rookery.papers.histograms import Histogram, Peak, Theory, each_score, mode_of, reached
from rookery.papers.nmcs2009.left_move import EXACT_MEANS, exact
from rookery.papers.nmcs2009.same_game import PRINTED
from rookery.papers.nmcs2009.sudoku_grids import solved_by
from rookery.papers.works import Hands, named


def test_the_columns_of_samegame_add_up_to_the_papers_totals() -> None:
    assert {name: sum(scores) for name, scores in PRINTED.items()} == {
        "SP-MCTS": 73_998,
        "level 2": 44_731,
        "level 2m": 65_937,
        "level 3m": 77_934,
    }


def test_the_exact_means_are_those_of_the_dynamic_programme() -> None:
    for level, printed in EXACT_MEANS.items():
        assert sum(score * p for score, p in enumerate(exact(60, level))) == pytest.approx(printed, abs=5e-4)


def test_the_exact_probability_at_depth_nine_is_printed_as_the_papers(tmp_path: Path) -> None:
    row = rk.papers.paper_named("nmcs-2009").item("claim theory").cells[0].row("quick", tmp_path, Hands())
    assert (row.ours, row.theirs, row.p) == ("0.4118", "0.41", 1.0)


def test_entries_of_the_theory_are_compared_with_the_exact_distribution_of_all_scores(tmp_path: Path) -> None:
    cells = {cell.name: cell for cell in rk.papers.paper_named("nmcs-2009").item("claim theory").cells}
    cell = cells["3 2 all scores P(best)"]
    cell.work.compute(tmp_path, 10_000, Hands())
    row = cell.row("quick", tmp_path, Hands())
    assert row.theirs == "0.9453 (exact)"
    assert abs(float(row.ours) - 0.9453) < 0.01
    assert row.p is not None
    assert row.p > 1e-3  # by chance it fails once in a thousand seeds, and the seed is fixed
    memorised = cells["3 2 memorised P(best)"]
    assert (memorised.theirs.text, memorised.work.search.memorise) == ("", True)


def test_a_histogram_is_kept_and_continued(tmp_path: Path) -> None:
    work = Histogram("left", 0.0, named("leftmove", depth=20), rk.NRPA(level=1, iterations=20))
    for count in (5, 8, 3):
        work.compute(tmp_path, count, Hands())
    found = work.found(tmp_path, 8, Hands())
    problem, search = rk.problems.LeftMove(depth=20), rk.NRPA(level=1, iterations=20)
    expected = sorted(rk.solve(problem, search, seed=seed).score for seed in range(1, 9))
    assert found.done == 8
    assert sorted(each_score(found.samples)) == expected
    assert sum(reached(expected[-1])(found.samples)) == expected.count(expected[-1])


def test_a_chi_square_test_tells_a_wrong_distribution_from_the_exact_one() -> None:
    half = Theory("", 1.0, lambda: [0.25, 0.5, 0.25])
    assert half.p([0.0] * 27 + [1.0] * 49 + [2.0] * 24) == pytest.approx(0.9, abs=0.05)
    assert (half.p([0.0] * 50 + [1.0] * 50) or 0.0) < 1e-6


def test_the_peak_of_a_distribution_is_compared_with_peaks_drawn_from_it() -> None:
    ours = [58.0] * 20 + [59.0] * 300 + [60.0] * 290 + [61.0] * 10
    assert mode_of(ours).ours == "59"
    assert (Peak("60", 60.0).p(ours) or 0.0) > 0.05
    assert (Peak("61", 61.0).p(ours) or 1.0) < 0.05


def test_a_sudoku_is_searched_until_it_is_solved() -> None:
    sample = solved_by(rk.NMCS.cazenave(1), 1, Hands())
    assert sample["solved"]
    assert sample["playouts"] > 0


def test_generated_boards_are_not_compared_with_the_papers(tmp_path: Path) -> None:
    work = rk.papers.paper_named("nmcs-2009").item("table 1").cells[0].work
    assert not work.comparable(Hands(boards="7"))  # type: ignore[attr-defined]
    assert work.comparable(Hands(boards="boards.txt"))  # type: ignore[attr-defined]
