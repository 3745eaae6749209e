"""``rookery experiment``, through the command itself."""

from __future__ import annotations

import json

import pytest

from rookery.cli import main

GOOD = """
playouts = 100
seeds = 2

[problems.short]
problem = "leftmove"
parameters = { depth = 10 }

[problems.long]
problem = "leftmove"
parameters = { depth = 30 }

[searches.flat]
algorithm = "nrpa"
level = 1

[searches.nested]
algorithm = "nrpa"
level = 2
iterations = { 2 = 10, 1 = 10 }
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(GOOD)
    return path


def test_a_file_becomes_a_table_with_comparisons(file, capsys):
    assert main(["experiment", str(file), "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == ["problem", "flat", "nested"]
    assert "flat against nested: " in out
    assert (file.parent / "study" / "short--flat--1.run.json").exists()


def test_the_same_command_makes_no_run_again(file, capsys):
    main(["experiment", str(file), "--json", "--quiet"])
    first = json.loads(capsys.readouterr().out)
    main(["experiment", str(file), "--json"])
    again = capsys.readouterr()
    assert json.loads(again.out) == first
    assert "runs)" not in again.err


def test_csv_and_plot_are_written(file, tmp_path):
    csv, plot = tmp_path / "runs.csv", tmp_path / "runs.svg"
    assert main(["experiment", str(file), "--csv", str(csv), "--plot", str(plot), "--quiet"]) == 0
    assert len(csv.read_text().splitlines()) == 9
    assert "<svg" in plot.read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("playouts = 100", "", "a limit is missing"),
        ("playouts = 100", 'time = "soon"', "time must be a time such as 60s"),
        ("seeds = 2", "seeds = 0", "seeds must be at least 1"),
        ("seeds = 2", "seedz = 2", "'seedz' is not known"),
        ("seeds = 2", "restarts = 1", "restarts must be true or false"),
        ('problem = "leftmove"', 'problem = "nosuch"', "nosuch"),
        ('problem = "leftmove"', "", "[problems.short] must hold problem"),
        ("level = 1", "levle = 1", "[searches.flat]: nrpa has no parameter 'levle'"),
        ("level = 1", "level = 0", "[searches.flat]: level must be at least 1"),
        ("[searches.nested]", "[searches.nested", "cannot be read as TOML"),
        ("{ 2 = 10, 1 = 10 }", "{ two = 10 }", "the level in iterations of [searches.nested] must be a whole number"),
    ],
)
def test_mistakes_in_the_file_are_one_sentence(file, capsys, old, new, message):
    file.write_text(GOOD.replace(old, new, 1))
    assert main(["experiment", str(file)]) == 2
    err = capsys.readouterr().err.strip()
    assert message in err
    assert len(err.splitlines()) == 1
    assert not (file.parent / "study").exists()


def test_a_file_that_is_not_there_is_refused(capsys, tmp_path):
    assert main(["experiment", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err
