"""Auto tries several searches, gives the same answer everywhere, and says why it did what it did."""

from __future__ import annotations

import json
import time

import pytest

import rookery as rk
from rookery.search.protocol import Setting
from rookery.tasks import Outcome

TSP = rk.problems.TSP.build(14, seed=2)
"""That of the tests of tempering, whose machine code it shares."""
STOP = rk.MaxPlayouts(6000)


class Slow(rk.PythonProblem):
    """Six digits, the later ones of more weight."""

    def start(self):
        return ()

    def moves(self, state):
        return range(6) if len(state) < 6 else ()

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(place * digit for place, digit in enumerate(state, 1))


def facts(result):
    return result.score, result.moves, result.playouts, result.decisions, [i.score for i in result.history]


@pytest.fixture(scope="module")
def alone():
    return rk.solve(TSP, rk.Auto(), stop=STOP, seed=1)


def test_a_budget_of_playouts_is_kept_and_every_family_is_tried(alone):
    assert (alone.playouts, alone.status) == (6000, "playouts")
    assert alone.decisions[0] == "try tempering, NRPA of level 2"
    assert rk.replay(TSP, alone.moves)[0] == pytest.approx(alone.score)


@pytest.mark.parametrize("workers", [2, 5])
def test_the_answer_and_the_decisions_are_the_same_on_any_workers(alone, workers):
    assert facts(rk.solve(TSP, rk.Auto(), stop=STOP, seed=1, workers=workers)) == facts(alone)


def test_a_run_that_is_resumed_has_the_answer_of_one_that_was_not(alone, tmp_path):
    class End(rk.Callback):
        def on_best(self, progress, moves):
            if progress.playouts > 1500:
                raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    part = rk.solve(TSP, rk.Auto(), stop=STOP, seed=1, checkpoint=file, callbacks=[End()])
    assert 1500 < part.playouts < 6000
    assert facts(rk.resume(file, workers=2)) == facts(alone)


@pytest.mark.parametrize("stop", [rk.MaxPlayouts(6500), rk.MaxPlayouts(60_000) | rk.MaxTime(1), rk.MaxTime(1)])
def test_a_run_continues_with_what_it_began_with_whatever_its_new_limit(tmp_path, stop):
    file = tmp_path / "run.ckpt"
    rk.solve(TSP, rk.Auto(), stop=STOP, seed=1, checkpoint=file)
    resumed = rk.resume(file, stop=stop, workers=3)
    assert resumed.playouts > 6000
    assert resumed.decisions[0] == "try tempering, NRPA of level 2"


def test_a_problem_in_plain_python_is_searched_too():
    result = rk.solve(Slow(), rk.Auto(), stop=rk.MaxPlayouts(3000), seed=1)
    assert result.score == 105
    assert result.decisions[0] == "try tempering, NRPA of level 2"


def test_with_few_playouts_it_climbs():
    result = rk.solve(Slow(), rk.Auto(), stop=rk.MaxPlayouts(500), seed=1)
    assert result.decisions[0] == "try a climb"
    assert result.score > 95


def test_seconds_of_all_workers_are_turned_into_playouts_by_measuring():
    class Measured:
        def run(self, task, signal):
            playouts = task.search.iterations
            time.sleep(0.02 * playouts)
            return Outcome(None, playouts, (), finished=True, reached_target=False)

    setting = Setting(Measured(), stop=rk.MaxTime(10), workers=2)
    playouts, budget, unit = rk.Auto()._budget(setting)
    assert (budget, unit) == (20.0, "seconds")
    assert 10 < playouts <= 1000  # a sleep may take longer than asked for, not shorter


def test_a_target_alone_is_a_limit_too():
    result = rk.solve(Slow(), rk.Auto(), stop=rk.Target(105), seed=1)
    assert (result.score, result.status) == (105, "target")


def test_decisions_are_part_of_what_is_saved(alone, tmp_path):
    alone.save(tmp_path / "auto.json")
    assert rk.Result.load(tmp_path / "auto.json").decisions == alone.decisions
    data = json.loads((tmp_path / "auto.json").read_text()) | {"decisions": "none"}
    with pytest.raises(rk.InputError, match="'decisions' must be a list of texts, got \"none\""):
        rk.Result.from_json(data)


def test_without_any_limit_it_is_refused():
    with pytest.raises(rk.InputError, match="auto has no end of its own: give it a limit"):
        rk.solve(TSP, rk.Auto())


def test_progress_says_what_is_being_tried():
    seen = []

    class Watch(rk.Callback):
        def on_best(self, progress, moves):
            seen.append(progress.details[0])

    rk.solve(TSP, rk.Auto(), stop=STOP, seed=1, callbacks=[Watch()])
    assert seen[0] == "tries tempering"


@pytest.mark.parametrize(("stop", "ladders"), [(rk.MaxTime(0.5), 3), (STOP, 2), (STOP | rk.MaxTime(60), 2)])
def test_workers_decide_how_many_ladders_there_are_only_where_the_budget_is_time(stop, ladders):
    assert rk.solve(TSP, rk.Auto(), stop=stop, seed=1, workers=3).search["ladders"] == ladders


def test_ladders_must_be_a_number():
    with pytest.raises(rk.InputError, match="ladders must be at least 1, got 0"):
        rk.Auto(ladders=0)


class Misled(Slow):
    """The same, with a bias towards small digits."""

    def bias(self, state, move):
        return -4.0 * move


class Torn(Slow):
    """The same, with a bias towards small digits and one towards large ones."""

    def biases(self, state, move):
        return [-2.0 * move, 2.0 * move]


@pytest.mark.parametrize(
    ("problem", "ways"),
    [(Slow(), [""]), (Misled(), ["", " without bias"]), (Torn(), ["", " without bias", " with learned biases"])],
    ids=lambda value: type(value).__name__,
)
def test_a_bias_is_tried_with_and_without_and_several_with_learned_weights(problem, ways):
    result = rk.solve(problem, rk.Auto(), stop=rk.MaxPlayouts(3000), seed=1)
    assert result.decisions[0] == ", ".join(["try tempering", *(f"NRPA of level 2{way}" for way in ways)])


def test_a_bias_that_misleads_is_left_alone():
    decided = rk.solve(Misled(), rk.Auto(), stop=rk.MaxPlayouts(3000), seed=1).decisions[1]
    found = dict(part.rsplit(" ", 1) for part in decided.partition(": ")[0].split(", "))
    assert float(found["NRPA of level 2 without bias"]) > float(found["NRPA of level 2"])


def test_a_compiled_problem_with_a_bias_is_resumed_with_all_that_was_tried(tmp_path):
    problem, file = rk.problems.TSPTW.build(n=8, seed=1), tmp_path / "run.ckpt"
    whole = rk.solve(problem, rk.Auto(), stop=rk.MaxPlayouts(4000), seed=1, workers=2)
    part = rk.solve(problem, rk.Auto(), stop=rk.MaxPlayouts(4000) | rk.NoImprovement(1), seed=1, checkpoint=file)
    assert 0 < part.playouts < 4000
    assert whole.decisions[0] == "try tempering, NRPA of level 2, NRPA of level 2 without bias"
    assert facts(rk.resume(file, stop=rk.MaxPlayouts(4000))) == facts(whole)


def test_a_climb_is_cut_into_steps_and_uses_all_workers_where_the_budget_is_time():
    timed, counted = (rk.Auto(ladders=2)._searches(40, unit, None)["a climb"] for unit in ("seconds", "playouts"))
    assert (timed.ladders, timed.proposals) == (2, 1)
    assert (counted.ladders, counted.proposals) == (1, 2)


def test_every_search_has_found_something_when_they_are_first_compared():
    result = rk.solve(rk.problems.LeftMove(depth=30), rk.Auto(), stop=rk.MaxPlayouts(60_000), seed=1)
    assert "NRPA of level 3" in result.decisions[1]
    assert "nothing" not in result.decisions[1]
