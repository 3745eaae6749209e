"""Rosin 2011: its figures as printed, which runs serve which cells, and what solutions are made of."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import rookery as rk
from rookery.papers.kept import Kept
from rookery.papers.nrpa2011.problems import PROBLEMS, score_of, words_of
from rookery.papers.nrpa2011.solutions import content_of, grid, share_of
from rookery.papers.nrpa2011.timed import SECONDS, TABLE_2, TABLE_3, TABLE_4, TABLES_2_TO_4
from rookery.papers.theirs import Exactly, MedianOf, Share
from rookery.papers.works import Hands, Runs, named

PAPER = rk.papers.paper_named("nrpa-2011")
THEIRS = {item.name: {cell.name: cell.theirs for cell in item.cells} for item in PAPER.items}


@pytest.mark.parametrize(
    ("item", "cell", "text", "number"),
    [
        ("table 1", "MorpT depth", "177", 177.0),
        ("table 1", "CrossP branching", "988", 988.0),
        ("table 1", "MorpD record", "82, before 80", 82.0),
        ("table 2", "MorpT NRPA 3 100 s", "153", 153.0),
        ("table 2", "MorpD NMCS 3 1,000 s", "74", 74.0),
        ("table 2", "CrossC NRPA 2 100 s", "32;240", 32_240.0),
        ("table 2", "CrossP NMCS 2 1,000 s", "26;215", 26_215.0),
        ("table 3", "CrossC Sample-15 NMCS 3 10,000 s", "33;248", 33_248.0),
        ("table 4", "MorpT NRPA 4 10,000 s", "160", 160.0),
        ("table 4", "MorpT tuned NMCS 3 100 s", "137", 137.0),
        ("table 5", "CrossC 4 median", "35;249", 35_249.0),
        ("table 5", "MorpD 4 runs that reach 82", "25 of 40", 62.5),
        ("table 6", "ties permutation", "89.7", 89.7),
        ("table 6", "improvements new", "20.0", 20.0),
        ("figure 5", "MorpT NRPA 3 1,000 s", "157", 157.0),
        ("figure 8", "5", "171", 171.0),
    ],
)
def test_figures_are_those_of_the_paper(item: str, cell: str, text: str, number: float) -> None:
    assert (THEIRS[item][cell].text, THEIRS[item][cell].number) == (text, number)


def test_the_tables_of_timelines_have_all_their_cells() -> None:
    assert [len(THEIRS[f"table {number}"]) for number in (2, 3, 4)] == [20, 12, 12]
    assert (len(TABLE_2), len(TABLE_3), len(TABLE_4)) == (10, 4, 4)
    for name in ("table 2", "table 3", "table 4"):
        assert all(isinstance(theirs, MedianOf) and theirs.of == 15 for theirs in THEIRS[name].values())


def test_medians_rise_with_time() -> None:
    for printed in TABLES_2_TO_4.values():
        scores = [score_of(text) for _, text in sorted(printed.items())]
        assert scores == sorted(scores)


def test_shares_of_content_add_up() -> None:
    for kind in ("ties", "improvements"):
        shares = [theirs.number or 0.0 for name, theirs in THEIRS["table 6"].items() if name.startswith(kind)]
        assert sum(shares) == pytest.approx(100.0, abs=0.05)


def test_searches_and_problems_are_those_of_the_paper() -> None:
    works = {cell.name: cell.work for item in PAPER.items for cell in item.cells}
    sampled, tuned, long = (
        works[name] for name in ("CrossC Sample-5 NMCS 4 100 s", "MorpT tuned NMCS 3 100 s", "MorpT 5 maximum")
    )
    assert isinstance(sampled, Runs)
    assert isinstance(tuned, Runs)
    assert isinstance(long, Runs)
    assert (sampled.search, sampled.restarts, sampled.stop) == (rk.NMCS(level=4, sample=5), True, rk.MaxTime(100))
    assert str([*tuned.problems(Hands()).values()]) == str([rk.problems.TunedMorpion("5T", dominated=True)])
    assert (long.search, long.restarts) == (rk.NRPA(level=5, iterations=100, alpha=1.0), False)
    assert str([*PROBLEMS["MorpD"](Hands()).values()]) == str([rk.problems.Morpion("5D", dominated=True)])
    (parks,) = PROBLEMS["CrossP"](Hands()).values()
    assert isinstance(parks, rk.problems.Crossword)
    assert (len(parks.words), parks.width, parks.height) == (51, 19, 19)


def test_scores_of_crosswords_are_words_and_letters() -> None:
    assert words_of("CrossP")(score_of("26;219")) == "26;219"
    assert words_of("MorpD")(79.0) == "79"


def test_the_grid_of_the_paper_has_37_words_and_259_letters() -> None:
    theirs = THEIRS["figure 7a"]["CrossC"]
    assert isinstance(theirs, Exactly)
    assert theirs.p(grid(Hands())) == 1.0


def test_runs_that_reach_a_record_are_compared_by_their_number() -> None:
    theirs = THEIRS["table 5"]["MorpD 4 runs that reach 82"]
    assert isinstance(theirs, Share)
    assert theirs.p([1.0] * 10 + [0.0] * 6) == 1.0
    assert (theirs.p([0.0] * 16) or 0.0) < 0.001


def test_at_full_the_shorter_columns_are_read_from_the_longest_runs() -> None:
    longest = {"table 2": 1_000, "table 3": 10_000, "table 4": 10_000, "figure 5": 1_000}
    for name, seconds in longest.items():
        assert {work.cost for work, _ in PAPER.item(name).computed("full")} == {seconds}
    assert {work.cost for work, _ in PAPER.item("table 4").computed("full", "100 s")} == {100}
    assert SECONDS[-1] == 10_000


# --- Table 6 ---


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Kept]:
    """Three small runs, kept."""
    folder = tmp_path_factory.mktemp("content")
    small = partial(content_of, named("morpion", variant="5D"), rk.NRPA(level=2, iterations=20))
    work = Kept("content", 0.1, small)
    work.compute(folder, 3, Hands())
    return folder, work


def test_the_content_of_runs_is_kept_and_not_computed_again(contents: tuple[Path, Kept]) -> None:
    folder, work = contents
    before = (folder / "content.jsonl").read_bytes()
    work.compute(folder, 3, Hands())
    assert (folder / "content.jsonl").read_bytes() == before
    found = work.found(folder, 3, Hands())
    assert (found.done, found.playouts) == (3, 3 * 400)
    assert [sample["seed"] for sample in found.samples] == [1, 2, 3]


def test_the_content_does_not_depend_on_workers(contents: tuple[Path, Kept]) -> None:
    folder, work = contents
    again = work.sample(2, Hands(workers=2))
    kept = work.found(folder, 3, Hands()).samples[1]
    assert all(list(again[kind]) == kept[kind] for kind in ("ties", "improvements"))


def test_shares_of_all_runs_together_are_the_means_of_their_values(contents: tuple[Path, Kept]) -> None:
    folder, work = contents
    samples = work.found(folder, 3, Hands()).samples
    counts = [sum(sample["improvements"][i] for sample in samples) for i in range(4)]
    shares = [sum(share_of("improvements", i)(samples)) / 3 for i in range(4)]
    assert shares == pytest.approx([100 * count / sum(counts) for count in counts])
    assert counts[3] > 0


def test_a_file_that_holds_no_samples_is_refused(contents: tuple[Path, Kept], tmp_path: Path) -> None:
    (tmp_path / "content.jsonl").write_text('{"seed": "x"}\n')
    with pytest.raises(rk.InputError, match="line 1, is not a sample: 'seed' must be a whole number"):
        contents[1].found(tmp_path, 1, Hands())
