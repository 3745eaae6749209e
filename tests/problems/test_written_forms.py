"""Solutions as people write them down, through the command: written by ``show``, verified, spoilt, refused."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.cli import main

WORDS = "BOISE,SALEM,DOVER,DENVER"
CASES = {
    "colouring": (rk.problems.Colouring.build("mycielski4", colours=3), "graph=mycielski4 colours=3"),
    "conjecture": (rk.problems.GraphConjecture(n=5), "n=5"),
    "crossword": (rk.problems.Crossword.build(words=WORDS, width=7), f"words={WORDS} width=7"),
    "independentset": (rk.problems.IndependentSet.build("random12-40"), "graph=random12-40"),
    "jobshop": (rk.problems.JobShop.build(jobs=3, machines=3, seed=1), "jobs=3 machines=3 seed=1"),
    "rna": (rk.problems.InverseRNA("hairpin"), "target=hairpin"),
    "samegame": (rk.problems.SameGame.build(width=4, height=4, colours=2, seed=1), "width=4 height=4 colours=2 seed=1"),
    "schur": (rk.problems.WeakSchur(classes=3), "classes=3"),
    "snake": (rk.problems.Snake(dimension=5), "dimension=5"),
    "sudoku": (rk.problems.Sudoku.build(size=4, empty=0.5, seed=1), "size=4 empty=0.5 seed=1"),
    "tsptw": (rk.problems.TSPTW.build(n=8, seed=1), "n=8 seed=1"),
}
each = pytest.mark.parametrize("name", CASES)


@pytest.fixture(scope="module")
def results():
    """A result of each problem."""
    stop = rk.MaxPlayouts(100)
    return {name: rk.solve(problem, rk.Sampling(), stop=stop, seed=1) for name, (problem, _) in CASES.items()}


def options(name):
    return ["--problem", name, *(word for value in CASES[name][1].split() for word in ("-p", value))]


def written(name, results, folder):
    results[name].save(folder / "result.json")
    assert main(["show", str(folder / "result.json"), "--out", str(folder / "solution.txt")]) == 0
    return folder / "solution.txt"


@each
def test_what_show_writes_verifies_to_the_score_of_the_result(name, results, tmp_path, capsys):
    solution = written(name, results, tmp_path)

    assert main(["verify", str(solution), *options(name)]) == 0
    said = capsys.readouterr().out
    assert f"legal     yes, {len(results[name].moves)} moves" in said
    assert f"score     {CASES[name][0].format_score(results[name].score)}" in said


@pytest.mark.parametrize(("name", "old", "new"), [("crossword", "S", "X"), ("sudoku", "1", "2")])
def test_a_symbol_that_is_changed_breaks_a_rule_and_ends_with_1(name, old, new, results, tmp_path, capsys):
    solution = written(name, results, tmp_path)
    solution.write_text(solution.read_text().replace(old, new, 1))

    assert main(["verify", str(solution), *options(name)]) == 1
    assert "legal     no: " in capsys.readouterr().out


@each
def test_a_file_that_is_no_solution_is_one_sentence_and_ends_with_2(name, tmp_path, capsys):
    (tmp_path / "file.txt").write_text("{}?\n")

    assert main(["verify", str(tmp_path / "file.txt"), *options(name)]) == 2
    assert f"is not a solution of {name}: " in capsys.readouterr().err


@each
def test_pictures_of_a_result_are_written_as_svg_and_png(name, results, tmp_path):
    results[name].save(tmp_path / "result.json")
    outputs = ["--svg", str(tmp_path / "a.svg"), "--png", str(tmp_path / "a.png")]

    assert main(["show", str(tmp_path / "result.json"), *outputs]) == 0
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"
