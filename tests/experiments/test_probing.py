"""Forms of a problem are tried, and the best has most of the time."""

import pytest

import rookery as rk
from rookery.errors import InputError
from rookery.experiments.probing import probe

BOARD = rk.problems.SameGame.build(width=8, height=8, colours=3, seed=4)
FORMS = {f"tabu {c}": rk.problems.SameGame(BOARD.cells, "tabu", c) for c in range(3)}


class Clock:
    """Each look at it takes a while."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        self.seconds += 0.01
        return self.seconds


def test_all_forms_are_tried_and_the_best_result_is_returned():
    found = probe(FORMS, rk.Annealing(key="code"), 0.5, seed=1)
    assert set(found.scores) == set(FORMS)
    assert found.result.score == found.scores[found.form] == max(found.scores.values())
    assert rk.replay(BOARD, found.result.moves)[0] == found.result.score
    assert found.playouts > found.result.playouts


def test_a_clock_that_is_given_measures_the_seconds():
    clock = Clock()
    probe({"only": FORMS["tabu 0"]}, rk.NRPA(level=2, iterations=5), 0.3, seed=1, clock=clock)
    assert 0.3 <= clock.seconds < 0.5


def test_scores_that_are_to_be_small_are_ranked_so():
    forms = {str(seed): rk.problems.TSP.build(8, seed=seed) for seed in (1, 2)}
    found = probe(forms, rk.Annealing(key="move"), 0.05, seed=1)
    assert found.result.score == min(found.scores.values())


def test_no_forms_are_refused():
    with pytest.raises(InputError, match="at least one form"):
        probe({}, rk.Annealing(), 1.0)
