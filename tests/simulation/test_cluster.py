"""A simulated cluster: the answer of solve, rows that add up, durations, refusals, interrupts, the figure."""

from __future__ import annotations

import json
import signal

import numpy as np
import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.errors import InputError
from rookery.simulation.cluster import simulate
from rookery.simulation.speedup import speedup_over

PROBLEMS = {
    "leftmove": rk.problems.LeftMove(depth=20),
    "tsp": rk.problems.TSP.build(12),
    "knapsack": Knapsack.build(),
    "words": Words(),
}
"""One is minimised, one has hashed codes, one is a PythonProblem."""
SEARCH = rk.NRPA(level=3, iterations=8)


@pytest.fixture(scope="module")
def done():
    return simulate(PROBLEMS["leftmove"], SEARCH, workers=(1, 4, 768), select="all")


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("ties", [">=", ">", 0.3])
@pytest.mark.parametrize("atomic", [1, 2])
def test_768_simulated_workers_find_what_one_real_one_finds(name, ties, atomic):
    search = rk.NRPA(level=3, iterations=5, ties={3: ties, 2: ties})
    found = simulate(PROBLEMS[name], search, workers=[768], seed=3, atomic_level=atomic)
    alone = rk.solve(PROBLEMS[name], search, seed=3)
    assert (found.score, found.moves) == (alone.score, alone.moves)


def test_there_is_a_row_for_each_number_of_workers_and_rule(done):
    assert [(row.workers, row.select) for row in done.rows] == [
        (n, rule) for n in (1, 4, 768) for rule in ("learned", "table", "literal")
    ]
    assert [(course.workers, course.select) for course in done.courses] == [
        (768, rule) for rule in ("learned", "table", "literal")
    ]


def test_the_figures_of_a_row_agree(done):
    for row in done.rows:
        assert row.tasks == 64
        assert row.efficiency == row.speedup / row.workers
        assert row.oracle_efficiency == row.oracle_speedup / row.workers
        assert row.share_of_oracle == row.speedup / row.oracle_speedup
        assert row.useful_share == 64 / (64 + row.tasks_discarded)
    useful = {round(row.speedup * row.seconds, 6) for row in done.rows}
    assert len(useful) == 1  # the sum of the durations, whatever the number of workers


def test_one_worker_wastes_nothing_but_the_time_of_messages(done):
    row = done.rows[0]
    assert row.tasks_discarded == 0
    assert row.seconds == pytest.approx(row.speedup * row.seconds + 64 * 2 * 0.001)
    assert row.share_of_oracle == pytest.approx(1)


def test_what_was_computed_before_changes_no_row(done):
    assert simulate(PROBLEMS["leftmove"], SEARCH, workers=[4]).rows == (done.rows[3],)


def test_the_rules_of_a_simulation_are_those_that_were_named(done):
    made = simulate(PROBLEMS["leftmove"], SEARCH, workers=[4], select="literal,learned")
    assert made.select == "literal,learned"
    assert made.rows == (done.rows[5], done.rows[3])


def test_threads_change_no_row(done):
    made = simulate(PROBLEMS["leftmove"], SEARCH, workers=[4, 768], select="all", threads=3)
    assert made.rows == done.rows[3:]


def test_a_rule_by_which_every_best_is_certain_to_be_beaten_computes_nothing_ahead(done):
    table = [row for row in done.rows if row.select == "table"]  # all scores are below 64
    assert [row.tasks_discarded for row in table] == [0, 0, 0]
    assert len({row.seconds for row in table}) == 1


def test_a_constant_duration_makes_steps_of_it():
    row = simulate(PROBLEMS["leftmove"], SEARCH, workers=[8], duration=2.0, spread=0.0, delay=0.0).rows[0]
    assert row.seconds % 2.0 == 0
    assert row.seconds < 64 * 2.0


def test_durations_can_be_measured():
    made = simulate(PROBLEMS["leftmove"], SEARCH, workers=[1, 4], duration="measured", delay=0.0)
    assert made.rows[0].speedup == pytest.approx(1)
    assert made.rows[0].seconds < 64  # of compiled playouts by the dozen
    assert made.to_json()["spread"] is None


def test_workers_that_drop_discarded_tasks_are_another_cluster():
    runs = [simulate(PROBLEMS["leftmove"], SEARCH, workers=[4], cancel=cancel) for cancel in (False, True)]
    assert runs[0].score == runs[1].score
    assert runs[0].rows[0].seconds != runs[1].rows[0].seconds


def test_a_course_ends_with_the_run_and_its_score(done):
    course, row = done.courses[0], done.rows[-3]
    assert len(course.seconds) == 64
    assert course.seconds[-1] == row.seconds
    assert course.best[-1] == done.score
    assert 0 < course.speedup.max() <= 768


def test_an_atomic_level_above_the_search_is_one_task():
    row = simulate(PROBLEMS["leftmove"], SEARCH, workers=[2], atomic_level=9).rows[0]
    assert (row.tasks, row.tasks_discarded, row.share_of_oracle) == (1, 0, 1.0)


def test_work_is_counted_when_it_is_done():
    starts, lengths = np.array([0.0, 0.0, 10.0]), np.array([10.0, 10.0, 10.0])
    assert speedup_over(np.array([5.0, 10.0, 20.0]), starts, lengths).tolist() == [2.0, 2.0, 1.0]


def test_the_json_object_has_a_row_for_each_run(done):
    data = json.loads(json.dumps(done.to_json()))
    assert {"problem", "parameters", "search", "seed", "select", "duration", "delay", "cancel", "score"} < set(data)
    assert data["spread"] == 0.2
    assert [row["workers"] for row in data["rows"]] == [1, 1, 1, 4, 4, 4, 768, 768, 768]
    assert set(data["rows"][0]) == {
        *("select", "workers", "seconds", "speedup", "efficiency", "tasks", "tasks_discarded", "useful_share"),
        *("oracle_speedup", "oracle_efficiency", "share_of_oracle"),
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"workers": [0]}, "workers must be at least 1, got 0"),
        ({"workers": []}, "workers must be at least one number, got none"),
        ({"workers": 8}, "workers must be a list of whole numbers, got 8"),
        ({"workers": "8"}, "workers must be a list of whole numbers, got '8'"),
        ({"workers": [2, 3, 2]}, "workers must not repeat a number, got 2 twice"),
        ({"workers": [1.5]}, "workers must be a whole number, got 1.5"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"atomic_level": 0}, "atomic_level must be at least 1, got 0"),
        ({"select": "best"}, "select must be all or some of learned, table, literal, got 'best'"),
        ({"select": "table,both"}, "select must be all or some of learned, table, literal, got 'table,both'"),
        ({"select": ""}, "select must be all or some of learned, table, literal, got ''"),
        ({"select": None}, "select must be all or some of learned, table, literal, got None"),
        ({"select": "table,table"}, "select must not repeat a rule, got 'table,table'"),
        ({"threads": 0}, "threads must be at least 1, got 0"),
        ({"duration": 0}, "duration must be above 0, got 0"),
        ({"duration": "long"}, "duration must be a number of seconds or 'measured', got 'long'"),
        ({"duration": "measured", "spread": 0.1}, "spread goes with a stated duration, not with measured ones, got"),
        ({"spread": -0.1}, "spread must be between 0 and 10, got -0.1"),
        ({"delay": -1.0}, "delay must be at least 0, got -1.0"),
        ({"cancel": 1}, "cancel must be True or False, got 1"),
        ({"search": rk.NMCS()}, "only NRPA is simulated: search must be NRPA"),
        ({"search": rk.NRPA(layers=True)}, "layers need a problem that says which moves commute"),
    ],
)
def test_what_cannot_be_simulated_is_refused(given, message):
    search = given.pop("search", SEARCH)
    with pytest.raises(InputError, match=message):
        simulate(PROBLEMS["leftmove"], search, **given)


class Interrupting(rk.Callback):
    """Asks for a stop in the run of the given number."""

    def __init__(self, number):
        self._left = number

    def on_start(self, problem, search, seed):
        self._left -= 1

    def on_tick(self, progress):
        if self._left == 0:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.timing
def test_an_interrupt_leaves_the_rows_that_are_complete():
    made = simulate(PROBLEMS["leftmove"], SEARCH, workers=(2, 4, 8), callbacks=[Interrupting(3)])
    assert [row.workers for row in made.rows] == [2, 4]
    assert not made.complete


@pytest.mark.timing
def test_an_interrupt_before_the_first_row_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt):
        simulate(PROBLEMS["leftmove"], SEARCH, callbacks=[Interrupting(1)])


def test_an_error_in_a_users_function_ends_the_simulation():
    class Failing(Words):
        def score(self, state):
            raise ZeroDivisionError("no score")

    with pytest.raises(ZeroDivisionError, match="no score"):
        simulate(Failing(), rk.NRPA(level=2, iterations=3), workers=[2])


@pytest.mark.parametrize(("suffix", "head"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_figure_is_written_in_the_format_of_its_name(done, tmp_path, suffix, head):
    pytest.importorskip("matplotlib")
    figure = done.plot(tmp_path / f"cluster.{suffix}")
    assert (tmp_path / f"cluster.{suffix}").read_bytes().startswith(head)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["speed-up", "speed-up", "best score"]
    lines = [line.get_label() for line in figure.axes[0].get_lines()]
    assert lines == ["ideal", "perfect prediction", "learned", "table", "literal"]


def test_a_figure_in_another_format_is_refused(done, tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match="a plot must be written as .png, .svg, .pdf, got"):
        done.plot(tmp_path / "cluster.txt")
    assert list(tmp_path.iterdir()) == []
