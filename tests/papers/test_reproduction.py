"""``reproduce``: what is computed is kept, continued, shown and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.papers import reproduction
from rookery.papers.items import Paper


class Count(rk.Callback):
    def __init__(self, most: int | None = None) -> None:
        self.games, self.most = 0, most

    def on_game(self, played: Any, progress: Any) -> None:
        self.games += 1
        if self.games == self.most:
            raise KeyboardInterrupt


def table(out: Path, count: Count, **more: Any) -> Any:
    found = rk.papers.reproduce("small-2000", "table 1", out=out, watching=lambda name: [count], **more)
    return found.items[0]


def test_a_cell_of_games_is_a_match_with_a_record(small: Paper, tmp_path: Path) -> None:
    done = table(tmp_path, Count())
    game = rk.load_game("breakthrough", {"size": "5"})
    expected = rk.match(game, rk.PPA(playouts=60), rk.GameUCT(playouts=60), games=4)
    row = done.rows[0]
    assert (row.done, row.number, row.theirs) == (4, 25.0 * expected.wins_a, "60.0")
    assert row.playouts == sum(played.playouts for played in expected.played)
    assert row.core_seconds > 0
    assert {path.name for path in tmp_path.iterdir()} >= {"breakthrough-5x5-60.jsonl", "summary.json"}


def test_an_interrupted_table_says_what_is_missing_and_goes_on_where_it_was(small: Paper, tmp_path: Path) -> None:
    counts = [Count(most=2), Count(), Count()]
    done = [table(tmp_path, count) for count in counts]
    assert [item.complete for item in done] == [False, True, True]
    assert done[0].rows[0].verdict == "incomplete: 2 of 4"
    assert rk.papers.missing(done[:1]) == "table 1 has 1 figure without all of its samples"
    assert [count.games for count in counts] == [2, 2, 0]
    assert done[1].rows == done[2].rows


def test_a_larger_scale_goes_on_from_a_smaller_one(small: Paper, tmp_path: Path) -> None:
    counts = [Count(), Count()]
    done = [table(tmp_path, count, scale=scale) for count, scale in zip(counts, ("quick", "half"), strict=True)]
    assert [count.games for count in counts] == [4, 4]
    assert done[1].rows[0].done == 8


def test_progress_counts_what_the_folder_does_not_hold_yet(
    small: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reproduction, "speed", lambda: 0.001)  # so that a sample takes 10 core-seconds
    table(tmp_path, Count(), scale="quick", progress=True)
    assert "4 samples, about 40 core-seconds; all that is left: 40 core-seconds" in capsys.readouterr().err
    table(tmp_path, Count(), scale="half", progress=True)
    assert "8 samples, about 40 core-seconds; all that is left: 40 core-seconds" in capsys.readouterr().err
    table(tmp_path, Count(), scale="half", progress=True)
    assert capsys.readouterr().err == ""


def test_runs_are_those_of_solve_and_cells_of_other_scales_are_listed(small: Paper, tmp_path: Path) -> None:
    item = rk.papers.reproduce("small-2000", "figure 2", out=tmp_path).items[0]
    problem, search = rk.problems.LeftMove(depth=20), rk.NRPA(level=1, iterations=20)
    scores = sorted(rk.solve(problem, search, seed=seed).score for seed in range(1, 6))
    assert (item.rows[0].low, item.rows[0].number, item.rows[0].high) == (scores[0], scores[2], scores[-1])
    assert sum(y for _, y in item.series["left"]) == 5
    assert item.rows[1].verdict == "not run: needs 20.0 core-hours"
    assert item.complete


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_workers_do_not_change_the_figures(small: Paper, tmp_path: Path, executor: str) -> None:
    one = rk.papers.reproduce("small-2000", "table 1", out=tmp_path / "1")
    two = rk.papers.reproduce("small-2000", "table 1", out=tmp_path / "2", workers=2, executor=executor)
    assert [row.number for row in one.items[0].rows] == [row.number for row in two.items[0].rows]


def test_what_a_folder_holds_is_shown_without_computing(small: Paper, tmp_path: Path) -> None:
    rk.papers.reproduce("small-2000", "figure 2", out=tmp_path)
    shown = rk.papers.reproduce("small-2000", scale="half", out=tmp_path, compute=False)
    assert [row.done for item in shown.items for row in item.rows] == [0, 5, 0, 0]
    assert [item.verdict for item in shown.items] == [
        "1 not run",
        "1 incomplete, 1 not run",
        "not available: it was never printed",
    ]


def test_the_folder_is_named_after_the_paper(small: Paper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rk.papers.reproduce("small-2000", "figure 3")
    assert (tmp_path / "small-2000" / "summary.json").exists()


def test_the_summary_is_what_was_returned(small: Paper, tmp_path: Path) -> None:
    found = rk.papers.reproduce("small-2000", "figure 2", out=tmp_path)
    assert rk.papers.Reproduction.load(tmp_path / "summary.json") == found


def test_only_chosen_cells_are_computed(small: Paper, tmp_path: Path) -> None:
    found = rk.papers.reproduce("small-2000", out=tmp_path, only="breakthrough")
    assert [row.done for item in found.items for row in item.rows] == [4, 0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"paper": "ppa-2014"}, "unknown paper 'ppa-2014': there are "),
        ({"item": "table 9"}, "ppa-2015 has no table 9: there are table 1, claim rules"),
        ({"scale": "huge"}, "the scale must be quick, half or full, got 'huge'"),
        ({"only": "chess"}, "only must be a part of a name such as 'atarigo 5x5 1,000', got 'chess'"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"executor": "cloud"}, "executor must be threads, processes, mpi, dask or an Executor object, got 'cloud'"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"seed": 1 << 64}, "seed must be at most 18446744073709551615, got 18446744073709551616"),
    ],
)
def test_a_mistake_is_one_sentence_and_makes_no_folder(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        rk.papers.reproduce(**{"paper": "ppa-2015", "out": tmp_path / "new", **arguments})
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(rk.InputError, match="cannot make .*file: File exists"):
        rk.papers.reproduce("ppa-2015", out=tmp_path / "file")
