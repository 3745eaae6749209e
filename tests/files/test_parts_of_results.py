"""Sequences that are kept beside the answer of a result: what was seen, and the pool."""

from __future__ import annotations

import json

import pytest

import rookery as rk
from rookery.cli import main

SEARCH = rk.NRPA(level=2, iterations=10)


@pytest.fixture(params=["leftmove", "morpion"])
def file(request, tmp_path):
    """A result whose pool has three sequences; the third is what was seen, too."""
    problem = rk.problems.LeftMove(depth=8) if request.param == "leftmove" else rk.problems.Morpion.build("5D")
    result = rk.solve(problem, SEARCH, seed=1, keep=3)
    assert len(result.pool) == 3
    data = result.to_json() | {"best_seen": result.to_json()["pool"][2]}
    path = tmp_path / "result.json"
    path.write_text(json.dumps(data))
    return path


def test_show_draws_the_sequence_of_a_rank_and_what_was_seen(file, capsys):
    third = json.loads(file.read_text())["pool"][2]
    assert main(["show", str(file), "--rank", "3"]) == 0
    by_rank = capsys.readouterr().out
    assert main(["show", str(file), "--seen"]) == 0
    assert capsys.readouterr().out == by_rank
    assert f"{third['score']:g}" in by_rank
    assert main(["show", str(file)]) == 0
    assert capsys.readouterr().out != by_rank


def test_verify_replays_the_sequence_of_a_rank(file, capsys):
    data = json.loads(file.read_text())
    assert main(["verify", str(file), "--rank", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == data["pool"][1]["score"]
    data["best_seen"]["score"] += 1
    file.write_text(json.dumps(data))
    assert main(["verify", str(file), "--seen"]) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rank", "4"], "rank must be that of a sequence in the pool, and"),
        (["--rank", "0"], "--rank must be at least 1, got 0"),
        (["--rank", "1", "--seen"], "--seen and --rank name different sequences"),
    ],
)
@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_part_that_is_not_there_is_refused(tmp_path, capsys, command, options, message):
    path = tmp_path / "r.json"
    rk.solve(rk.problems.LeftMove(depth=8), SEARCH, seed=1, keep=3).save(path)
    assert main([command, str(path), *options]) == 2
    assert message in capsys.readouterr().err


def test_a_result_without_more_than_its_answer_says_so(tmp_path, capsys):
    path = tmp_path / "r.json"
    rk.solve(rk.problems.LeftMove(depth=8), SEARCH, seed=1).save(path)
    assert main(["show", str(path), "--seen"]) == 2
    assert "holds nothing that was seen beyond its answer" in capsys.readouterr().err
    assert main(["verify", str(path), "--rank", "1"]) == 2
    assert "was made without keep; got 1" in capsys.readouterr().err
