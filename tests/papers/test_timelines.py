"""Timelines and long runs: longer runs serve shorter columns, and what was interrupted goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import rookery as rk
from rookery.papers.long_runs import LongRuns
from rookery.papers.timelines import Timelines, medians
from rookery.papers.works import Found, Hands, named, needed, scores, scores_at

PROBLEM = named("leftmove", depth=9)
SEARCH = rk.NRPA(level=2, iterations=20)


def timelines(playouts: int, *longer: Timelines) -> Timelines:
    """Timelines of so many playouts, as a busy machine may not make one in a short time."""
    return Timelines(f"runs-{playouts}", 1.0, PROBLEM, SEARCH, rk.MaxPlayouts(playouts), restarts=True, longer=longer)


def test_a_longer_run_serves_a_shorter_column(tmp_path: Path) -> None:
    long = timelines(1200)
    short = timelines(300, long)
    long.compute(tmp_path, 2, Hands())
    short.compute(tmp_path, 3, Hands())
    made = [path.name for path in (tmp_path / "runs-300").glob("*.run.json")]
    assert made == ["leftmove--runs-300--3.run.json"]
    found = short.found(tmp_path, 3, Hands())
    assert [sample["leftmove"].playouts for sample in found.samples] == [1200, 1200, 300]
    assert scores_at(1e9)(found.samples) == scores(found.samples)


def test_works_are_computed_once_and_not_if_longer_ones_are() -> None:
    long = timelines(1200)
    short = timelines(300, long)
    assert needed([(short, 2), (long, 0), (short, 5)]) == [(short, 5)]
    assert needed([(short, 5), (long, 5)]) == [(long, 5)]
    assert needed([(short, 8), (long, 5)]) == [(short, 8), (long, 5)]


def test_a_picture_has_the_medians_of_the_longest_runs_beside_the_paper() -> None:
    (problem,) = PROBLEM(Hands()).values()
    run = rk.solve(problem, SEARCH, seed=1, stop=rk.MaxPlayouts(50))
    history = tuple(rk.tools.Improvement(seconds, 10, score) for seconds, score in ((0.1, 7.0), (2.0, 9.0)))
    found = {
        f"runs-{seconds}": Found(({"leftmove": replace(run, score=9.0, seconds=float(seconds), history=history)},))
        for seconds in (1, 4)
    }
    theirs = {"NRPA 2": [(0.5, 8.0), (1e6, 9.0)], "NMCS 2": [(0.5, 7.0)]}
    series = medians({"runs-1": "NRPA 2", "runs-4": "NRPA 2"}, theirs, least=0.2)(found)
    assert list(series) == ["NRPA 2", "NRPA 2 | the paper"]
    assert series["NRPA 2 | the paper"] == [(0.5, 8.0)]
    times, heights = zip(*series["NRPA 2"], strict=True)
    assert (times[0], times[-1]) == (pytest.approx(0.2), pytest.approx(4.0))
    assert [height for time, height in series["NRPA 2"]] == [7.0 if time < 2 else 9.0 for time in times]
    assert list(heights) == sorted(heights)


def test_a_long_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    work = LongRuns("long", 1.0, PROBLEM, SEARCH)
    (problem,) = PROBLEM(Hands()).values()
    kept = tmp_path / "long" / "leftmove--long--1.run.ckpt"
    kept.parent.mkdir()
    part = rk.solve(problem, SEARCH, seed=1, stop=rk.MaxPlayouts(150), checkpoint=kept)
    work.compute(tmp_path, 2, Hands())
    found = work.found(tmp_path, 2, Hands())
    assert part.playouts == 150
    assert not kept.exists()
    assert found.playouts == 800
    assert scores(found.samples) == [rk.solve(problem, SEARCH, seed=seed).score for seed in (1, 2)]


def test_an_interrupted_long_run_leaves_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = LongRuns("long", 1.0, PROBLEM, SEARCH)
    stopped = rk.solve

    def interrupted(*arguments: object, **options: object) -> rk.Result:
        return stopped(*arguments, stop=rk.MaxPlayouts(150), **options)  # type: ignore[arg-type]

    monkeypatch.setattr("rookery.papers.long_runs.solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        work.compute(tmp_path, 1, Hands())
    assert [path.name for path in (tmp_path / "long").iterdir()] == ["leftmove--long--1.run.ckpt"]
