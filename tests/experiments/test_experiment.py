"""Experiments: runs, timelines, reports, files."""

import _thread
import io
import json
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import rookery as rk
from rookery.errors import InputError
from rookery.experiments.experiment import Experiment, experiment
from rookery.experiments.timeline import marks

SEARCHES = {"short": rk.NRPA(level=1, iterations=20), "nested": rk.NRPA(level=2, iterations=10)}


def run(*history, seed=1, seconds=10.0, playouts=1000, status="time"):
    """A result made by hand from (seconds, playouts, score)."""
    improvements = tuple(rk.tools.Improvement(float(s), p, float(score)) for s, p, score in history)
    return rk.Result(
        problem="some.module:Puzzle",
        parameters={"n": 5},
        search={"algorithm": "nrpa"},
        seed=seed,
        workers=1,
        score=improvements[-1].score,
        moves=(1, (2, 3)),
        playouts=playouts,
        iterations=3,
        restarts=0,
        seconds=seconds,
        compile_seconds=0.0,
        status=status,
        version="0",
        history=improvements,
    )


RUNS = (
    run((1, 100, 5), (4, 400, 7), seed=1),
    run((2, 200, 6), seed=2),
    run((1, 150, 2), (3, 300, 3), (9, 900, 9), seed=3),
)


def made(sense="max", stop=None, **runs):
    runs = runs or {"a": RUNS}
    return Experiment(runs=runs, sense=sense, stop=stop or rk.MaxTime(10), seeds=(1, 2, 3))


@pytest.fixture(scope="module")
def done():
    return experiment(rk.problems.LeftMove(depth=30), SEARCHES, seeds=4, stop=rk.MaxPlayouts(150))


def what(result):
    """Everything of a result but what depends on the clock."""
    history = tuple((i.playouts, i.score) for i in result.history)
    return replace(result, seconds=0.0, compile_seconds=0.0, history=history, tasks=0)


# --- running ---


def test_every_search_runs_with_every_seed_up_to_the_limit(done):
    assert list(done.runs) == ["short", "nested"]
    for runs in done.runs.values():
        assert [r.seed for r in runs] == [1, 2, 3, 4]
        assert {(r.playouts, r.status, r.workers) for r in runs} == {(150, "playouts", 1)}
    assert done.complete
    assert done.sense == "max"
    assert done.seeds == (1, 2, 3, 4)


def test_runs_are_what_solve_gives(done):
    alone = rk.solve(
        rk.problems.LeftMove(depth=30), SEARCHES["nested"], stop=rk.MaxPlayouts(150), seed=3, restarts=True
    )
    assert what(done.runs["nested"][2]) == what(alone)


def test_runs_do_not_depend_on_the_number_of_workers(done):
    both = experiment(rk.problems.LeftMove(depth=30), SEARCHES, seeds=4, stop=rk.MaxPlayouts(150), workers=2)
    for name, runs in done.runs.items():
        assert list(map(what, both.runs[name])) == list(map(what, runs))


def test_limits_are_filled_with_restarts_unless_told_otherwise(done):
    once = experiment(rk.problems.LeftMove(depth=30), SEARCHES, seeds=1, stop=rk.MaxPlayouts(150), restarts=False)
    assert [runs[0].playouts for runs in once.runs.values()] == [20, 100]
    assert {runs[0].status for runs in once.runs.values()} == {"finished"}
    assert done.runs["short"][0].restarts >= 7


def test_runs_are_ordered_by_seed(capsys):
    experiment(rk.problems.LeftMove(depth=30), SEARCHES, seeds=[5, 2], stop=rk.MaxPlayouts(20), progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(":")[0] for line in err.splitlines()] == [
        "short, seed 5",
        "nested, seed 5",
        "short, seed 2",
        "nested, seed 2",
    ]
    assert err.splitlines()[-1].endswith("(4 of 4 runs)")


class Word(rk.PythonProblem):
    """A problem that is fast enough for short time limits also when nothing is compiled."""

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < 3 else ""

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")


class SlowWord(Word):
    def moves(self, state):
        time.sleep(0.02)
        return super().moves(state)


@pytest.mark.timing
def test_a_time_limit_is_kept_by_every_run():
    timed = experiment(Word(), {"sampling": rk.Sampling(), **SEARCHES}, seeds=2, stop=rk.MaxTime(0.1), workers=2)
    for runs in timed.runs.values():
        assert all(r.status == "time" and 0.1 <= r.seconds < 30 for r in runs)
    assert timed.median("short", at=0.1) == timed.median("short") == 3


def test_a_target_ends_a_run_and_its_score_stays():
    stop = rk.MaxPlayouts(5000) | rk.Target(25)
    early = experiment(rk.problems.LeftMove(depth=30), {"short": SEARCHES["short"]}, seeds=3, stop=stop)
    assert {r.status for r in early.runs["short"]} == {"target"}
    assert early.median("short", at=5000) >= 25


@pytest.mark.timing
def test_ctrl_c_returns_the_runs_that_have_ended(monkeypatch):
    class Impatient(io.StringIO):
        def write(self, text):
            if "(2 of 200 runs)" in text:
                threading.Timer(0.1, _thread.interrupt_main).start()  # in the midst of another run
            return super().write(text)

    monkeypatch.setattr(sys, "stderr", Impatient())
    some = experiment(Word(), SEARCHES, seeds=100, stop=rk.MaxTime(0.2), progress=True)
    assert not some.complete
    assert 1 <= len(some.runs["short"]) < 100
    assert all(r.status == "time" for runs in some.runs.values() for r in runs)
    assert "interrupted" in some.table()


@pytest.mark.timing
def test_ctrl_c_before_any_run_has_ended_is_an_interrupt_and_acts_at_once():
    began = time.perf_counter()
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        experiment(Word(), SEARCHES, seeds=2, stop=rk.MaxTime(60), workers=2)
    assert time.perf_counter() - began < 30


@pytest.mark.timing
def test_an_error_in_a_run_names_the_search_and_the_seed():
    with pytest.raises(InputError, match=r"^slow, seed 7: the search was stopped before its first playout"):
        experiment(SlowWord(), {"slow": rk.Sampling()}, seeds=[7], stop=rk.MaxTime(0.001))


# --- bad input ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"searches": {}}, r"searches must map at least one name to a search, got \{\}"),
        ({"searches": rk.NRPA()}, "searches must map at least one name to a search, got NRPA"),
        ({"searches": {1: rk.NRPA()}}, "the name of a search must be a text, got 1"),
        (
            {"searches": {"a": "nrpa"}},
            "'a' must be NRPA, NMCS, LazyNMCS, Reflexive, BeamSearch, UCT, SPMCTS, .* or Auto, got 'nrpa'",
        ),
        ({"seeds": 0}, "seeds must be at least 1, got 0"),
        ({"seeds": []}, "seeds must hold at least one seed, got none"),
        ({"seeds": [1, 2, 1]}, "seeds must differ, got 1 twice"),
        ({"seeds": [-1]}, "a seed must be at least 0, got -1"),
        ({"seeds": "123"}, "seeds must be a whole number, got '123'"),
        ({"seeds": 1.5}, "seeds must be a whole number, got 1.5"),
        ({"stop": rk.Target(5)}, r"stop must limit time or playouts, as MaxTime\(60\) does, got Stop\(target=5.0\)"),
        ({"stop": 60}, "stop must limit time or playouts, .* got 60"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, message):
    given = {"searches": SEARCHES, "stop": rk.MaxPlayouts(10), **arguments}
    with pytest.raises(InputError, match=message):
        experiment(rk.problems.LeftMove(depth=30), given.pop("searches"), **given)


def test_a_thing_that_is_no_problem_is_refused():
    with pytest.raises(rk.ProblemError, match="a problem must be a Problem or a PythonProblem, got 3"):
        experiment(3, SEARCHES, stop=rk.MaxPlayouts(10))


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="name must be one of a, got 'b'"):
        made().median("b")


def test_a_search_without_a_complete_run_is_refused():
    with pytest.raises(InputError, match="no run of 'b' is complete"):
        made(a=RUNS, b=()).median("b")


@pytest.mark.parametrize("at", [11, -1])
def test_a_time_beyond_the_horizon_is_refused(at):
    with pytest.raises(InputError, match=f"at must be between 0 and 10 s, where 'a' ends, got {at}"):
        made().median("a", at=at)


def test_an_unknown_axis_is_refused():
    with pytest.raises(InputError, match='by must be "time" or "playouts", got \'moves\''):
        made().timeline("a", by="moves")


def test_no_runs_are_refused():
    with pytest.raises(InputError, match="runs must hold at least one run, got none"):
        made(a=())


# --- timelines ---


def test_a_timeline_is_a_step_function_of_the_history():
    line = made().timeline("a", [0.5, 1, 2, 3.5, 4, 8.9, 9, 10])
    nan = np.nan
    expected = [[nan, 5, 5, 5, 7, 7, 7, 7], [nan, nan, 6, 6, 6, 6, 6, 6], [nan, 2, 2, 3, 3, 3, 9, 9]]
    np.testing.assert_array_equal(line.scores, expected)


def test_a_timeline_is_combined_by_the_median():
    times = [0.5, 1, 2, 3.5, 4, 8.9, 9, 10]
    np.testing.assert_array_equal(made().timeline("a", times).median, [np.nan, 2, 5, 5, 6, 6, 7, 7])
    np.testing.assert_array_equal(made("min").timeline("a", times).median, [np.nan, 5, 5, 5, 6, 6, 7, 7])


def test_a_timeline_by_playouts_uses_the_playouts_of_the_history():
    line = made().timeline("a", [99, 100, 150, 400, 1000], by="playouts")
    np.testing.assert_array_equal(line.scores[0], [np.nan, 5, 5, 7, 7])


def test_without_times_a_timeline_has_every_improvement_and_the_horizon():
    assert made().timeline("a").times.tolist() == [1, 2, 3, 4, 9, 10]


def test_what_was_found_while_a_run_was_being_stopped_counts_at_the_limit():
    late = made(a=(run((1, 10, 5), (10.004, 999, 8), seconds=10.006),))
    assert late.median("a", at=9.9) == 5
    assert late.median("a", at=10) == late.median("a") == 8


def test_runs_are_known_as_far_as_the_first_that_was_cut_short():
    runs = (run((1, 100, 5), playouts=800), run((1, 100, 6), playouts=700), run((1, 100, 7), playouts=900))
    assert made(a=runs).horizon("a") == 10
    assert made(a=runs).horizon("a", by="playouts") == 700
    assert np.isnan(made(a=runs).timeline("a", [701], by="playouts").median).all()


@pytest.mark.parametrize("status", ["finished", "target"])
def test_the_score_of_a_run_that_had_nothing_left_to_do_stays(status):
    runs = (run((1, 100, 5), seconds=2, playouts=200, status=status), run((1, 100, 6)))
    assert made(a=runs).scores("a", at=10) == (5, 6)
    assert made(a=runs).scores("a", at=1000, by="playouts") == (5, 6)


def test_the_default_axis_is_the_one_that_was_limited():
    assert made().median("a", at=4) == 6
    assert made(stop=rk.MaxPlayouts(1000)).median("a", at=400) == 6


def test_statistics_at_the_end_use_the_final_scores():
    assert made().scores("a") == (7, 6, 9)
    assert made().median("a") == 7
    assert (made().quantile("a", 0), made().quantile("a", 1)) == (6, 9)
    assert (made("min").quantile("a", 0), made("min").quantile("a", 1)) == (9, 6)


# --- comparisons ---

BETTER = tuple(run((1, 100, score)) for score in (8, 9, 10))
WORSE = tuple(run((1, 100, score)) for score in (1, 2, 3))


def test_a_comparison_counts_pairs_and_has_the_exact_p():
    found = made(a=BETTER, b=WORSE).compare("a", "b")
    assert (found.a, found.b, found.u, found.effect) == ("a", "b", 9, 1)
    assert found.p == pytest.approx(2 / 20)  # 1 of the 20 ways to choose three ranks of six, on either side
    assert found.p_holm == found.p


def test_a_comparison_is_in_the_sense_of_the_problem():
    assert made("min", a=BETTER, b=WORSE).compare("a", "b").effect == 0


def test_a_comparison_can_look_at_an_earlier_time():
    late = tuple(run((1, 100, 0), (5, 500, score)) for score in (8, 9, 10))
    both = made(a=late, b=WORSE)
    assert both.compare("a", "b", at=2).effect == 0
    assert both.compare("a", "b", at=5).effect == 1


def test_all_pairs_are_compared_with_the_correction_of_holm():
    found = made(a=BETTER, b=WORSE, c=BETTER).comparisons()
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [c.effect for c in found.values()] == [1, 0.5, 0]
    assert [c.p_holm for c in found.values()] == pytest.approx([0.3, 1, 0.3])


# --- reports ---


def test_the_table_shows_medians_and_extremes_aligned():
    text = made(a=RUNS, longer=BETTER).table([0.5, 1, 4, 20])
    assert text.splitlines() == [
        "Puzzle(n=5): medians by time, more is better",
        "search  runs  0.5 s  1 s  4 s  20 s  worst  best",
        "a          3      -    2    6     -      6     9",
        "longer     3      -    9    9     -      8    10",
    ]


def test_the_table_has_powers_of_ten_by_default_and_leaves_out_what_never_ran():
    lines = made("min", a=RUNS, b=()).table().splitlines()
    assert lines[0].endswith("less is better")
    assert lines[1].split() == ["search", "runs", "0.01", "s", "0.1", "s", "1", "s", "10", "s", "worst", "best"]
    assert len(lines) == 3
    assert str(made()) == made().table()


@pytest.mark.parametrize(
    ("end", "by", "expected"),
    [
        (1000, "time", [1, 10, 100, 1000]),
        (0.5, "time", [0.001, 0.01, 0.1, 0.5]),
        (150, "playouts", [1, 10, 100, 150]),
        (1, "playouts", [1]),
    ],
)
def test_marks_are_powers_of_ten_and_the_end(end, by, expected):
    assert marks(end, by) == expected


def test_the_frame_has_a_row_for_each_run(done):
    frame = done.to_frame()
    assert list(frame.columns)[:3] == ["search", "seed", "score"]
    assert list(frame["search"]) == ["short"] * 4 + ["nested"] * 4
    assert list(frame["score"]) == [*done.scores("short"), *done.scores("nested")]


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="to_frame needs pandas: pip install pandas"):
        made().to_frame()


@pytest.mark.parametrize("by", ["time", "playouts"])
def test_the_plot_draws_the_median_of_each_search(by, tmp_path):
    figure = made(a=RUNS, b=BETTER).plot(tmp_path / "plot.png", by=by)
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == ["a", "b"]
    assert axes.lines[0].get_ydata()[-1] == 7
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == {"time": "seconds", "playouts": "playouts"}[by]
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_the_plot_opens_no_window_and_leaves_no_state():
    def figures():
        pyplot = sys.modules.get("matplotlib.pyplot")
        return [] if pyplot is None else pyplot.get_fignums()

    before = figures()
    made().plot()
    assert figures() == before


def test_a_plot_in_an_unknown_format_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(InputError, match=r"a plot must be written as .*png.*, got '.*plot\.doc'"):
        made().plot(tmp_path / "plot.doc")
    assert list(tmp_path.iterdir()) == []


def test_a_plot_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"cannot write .*: No such file or directory"):
        made().plot(tmp_path / "no" / "plot.png")


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r'needs matplotlib: pip install "rookery\[experiment\]"'):
        made().plot()


# --- files ---


def test_an_experiment_is_the_same_after_saving_and_loading(done, tmp_path):
    for number, one in enumerate([done, made("min", rk.MaxTime(10) | rk.Target(3), a=RUNS, b=())]):
        one.save(tmp_path / f"{number}.json")
        assert Experiment.load(tmp_path / f"{number}.json") == one


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sense": "most"}, "'sense' must be max or min, got 'most'"),
        ({"runs": None}, "'runs' is missing or of the wrong kind"),
        ({"runs": {"a": 3}}, "'runs' must hold lists"),
        ({"runs": {"a": [{}]}}, "'problem' is missing"),
        ({"runs": {"a": []}}, "runs must hold at least one run, got none"),
        ({"stop": {"luck": 3}}, "'stop' holds an unknown limit, 'luck'"),
        ({"stop": {"time": -3}}, "time must be more than 0 seconds, got -3"),
        ({"seeds": ["x"]}, "a seed must be a whole number, got 'x'"),
        ({"workers": None}, "'workers' must be a whole number, got None"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(change, message, tmp_path):
    path = tmp_path / "experiment.json"
    path.write_text(json.dumps({**made().to_json(), **change}))
    with pytest.raises(InputError, match=f"experiment.json is not an experiment file: {message}"):
        Experiment.load(path)


def test_a_file_that_is_not_json_is_refused(tmp_path):
    (tmp_path / "x").write_text("hello")
    with pytest.raises(InputError, match="x is not an experiment file: not JSON"):
        Experiment.load(tmp_path / "x")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*: No such file or directory"):
        Experiment.load(tmp_path / "x")


def test_searches_whose_runs_would_share_a_file_are_refused(tmp_path):
    searches = {"ties >": rk.NRPA(level=1, ties=">"), "ties >=": rk.NRPA(level=1)}
    with pytest.raises(rk.InputError, match=r"names must differ as files do, got 'ties >' and 'ties >='"):
        rk.experiment(rk.problems.LeftMove(depth=5), searches, stop=rk.MaxPlayouts(5), folder=tmp_path)
    assert not list(tmp_path.iterdir())
