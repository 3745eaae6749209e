"""Experiments over several problems."""

from __future__ import annotations

import itertools

import pytest

import rookery as rk
from rookery.experiments.study import Study

PROBLEMS = {"short": rk.problems.LeftMove(depth=10), "long": rk.problems.LeftMove(depth=30)}
SEARCHES = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}
STOP = rk.MaxPlayouts(100)


@pytest.fixture(scope="module")
def study():
    return rk.experiment(PROBLEMS, SEARCHES, seeds=4, stop=STOP)


def test_a_study_has_the_experiment_of_each_problem(study):
    for name, problem in PROBLEMS.items():
        alone = rk.experiment(problem, SEARCHES, seeds=4, stop=STOP)
        assert study[name].scores("flat") == alone.scores("flat")
        assert study[name].scores("nested") == alone.scores("nested")


def test_problems_and_searches_in_lists_are_named_by_class_and_number():
    done = rk.experiment(list(PROBLEMS.values()), list(SEARCHES.values()), seeds=1, stop=STOP)
    assert list(done.of) == ["LeftMove 1", "LeftMove 2"]
    assert done.searches == ("nrpa 1", "nrpa 2")


def test_ranks_of_equal_medians_are_shared():
    runs = rk.experiment(PROBLEMS["short"], {"a": rk.NRPA(level=1), "b": rk.NRPA(level=1)}, seeds=2, stop=STOP)
    assert Study({"x": runs, "y": runs}).ranks() == {"a": 1.5, "b": 1.5}


def test_comparisons_are_signed_rank_tests_over_problems(study):
    """The p value of SciPy is that of all assignments of signs to the ranks of the effects."""
    one = study["long"]
    many = Study({str(i): one for i in range(6)})
    found = many.comparisons()["flat", "nested"]
    x, y = one.scores("flat"), one.scores("nested")
    effect = sum((a > b) + (a == b) / 2 for a in x for b in y) / (len(x) * len(y))
    assert found.effect == pytest.approx(effect)
    ways = [sum(signs) for signs in itertools.product((0, 1), repeat=6)]
    exact = 2 * sum(way == 6 for way in ways) / len(ways)
    assert found.p == pytest.approx(exact, abs=0.02)
    assert (found.better, found.worse) in ((6, 0), (0, 6))


def test_runs_in_a_folder_are_not_made_again(tmp_path, study):
    first = rk.experiment(PROBLEMS, SEARCHES, seeds=2, stop=STOP, folder=tmp_path / "runs")
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").iterdir()}
    assert len(files) == 2 * 2 * 2 + 1
    again = rk.experiment(PROBLEMS, SEARCHES, seeds=4, stop=STOP, folder=tmp_path / "runs")
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert first["long"].scores("flat") == again["long"].scores("flat")[:2]
    assert again["long"].scores("flat") == study["long"].scores("flat")


def test_a_folder_of_another_experiment_is_refused(tmp_path):
    rk.experiment(PROBLEMS, SEARCHES, seeds=1, stop=STOP, folder=tmp_path)
    with pytest.raises(rk.InputError, match="holds another experiment: give it a folder of its own"):
        rk.experiment(PROBLEMS, SEARCHES, seeds=1, stop=rk.MaxPlayouts(50), folder=tmp_path)


def test_a_study_is_saved_and_loaded(tmp_path, study):
    study.save(tmp_path / "study.json")
    assert Study.load(tmp_path / "study.json").of == study.of


def test_every_run_has_a_line_in_csv_and_a_row_in_a_frame(study):
    lines = study.csv().splitlines()
    assert lines[0] == "problem,search,seed,score,playouts,iterations,restarts,seconds,status"
    assert len(lines) == 1 + 2 * 2 * 4
    assert list(study.to_frame()["score"]) == [float(line.split(",")[3]) for line in lines[1:]]


def test_a_plot_has_a_panel_for_each_problem(tmp_path, study):
    figure = study.plot(tmp_path / "study.png")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["short", "long"]
    assert (tmp_path / "study.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("problems", "message"),
    [
        ({}, "problems must hold at least one problem, got none"),
        ({"": PROBLEMS["short"]}, "the name of a problem must be a text"),
        ({"x": 3}, "'x' must be a Problem or a PythonProblem, got 3"),
    ],
)
def test_what_is_no_problem_is_refused(problems, message):
    with pytest.raises(rk.InputError, match=message):
        rk.experiment(problems, SEARCHES, seeds=1, stop=STOP)
