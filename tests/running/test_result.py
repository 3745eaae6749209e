"""Results: saved, loaded, refused when they are not results."""

from __future__ import annotations

import json

import pytest

import rookery as rk
from rookery.disk import check_writable, write_text


def a_result(**changes):
    values = {
        "problem": "leftmove",
        "parameters": {"depth": 3},
        "search": {"algorithm": "nrpa", "level": 1},
        "seed": 1,
        "workers": 1,
        "score": 2.0,
        "moves": (1, 1, 0),
        "playouts": 10,
        "iterations": 10,
        "restarts": 0,
        "seconds": 0.5,
        "compile_seconds": 0.1,
        "status": "finished",
        "version": "0.1.0",
        "history": (rk.tools.Improvement(0.1, 1, 1.0), rk.tools.Improvement(0.2, 4, 2.0)),
    }
    return rk.Result(**{**values, **changes})


def test_a_result_survives_saving_and_loading(tmp_path):
    result = a_result(best_seen={"score": 3.0, "moves": [1, 1, 1]})
    result.save(tmp_path / "r.json")
    assert rk.Result.load(tmp_path / "r.json") == result


def test_moves_that_are_tuples_survive(tmp_path):
    result = a_result(moves=((0, "a"), (1, "b")))
    result.save(tmp_path / "r.json")
    assert rk.Result.load(tmp_path / "r.json").moves == ((0, "a"), (1, "b"))


def test_nothing_but_the_result_is_left_in_the_folder(tmp_path):
    a_result().save(tmp_path / "r.json")
    assert [file.name for file in tmp_path.iterdir()] == ["r.json"]


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(rk.InputError, match="cannot read .*none.json: No such file"):
        rk.Result.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "JSON must be nested at most 256 deep, got more"),
        ("[]", "not a JSON object"),
        ("{}", "'problem' is missing"),
        ('{"problem": 1}', "'problem' must be a text, got 1"),
    ],
)
def test_a_file_that_is_no_result_is_one_sentence(tmp_path, text, reason):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(rk.InputError, match=f"is not a result file: {reason}"):
        rk.Result.load(tmp_path / "r.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", -1),
        ("seed", 2**64),
        ("seed", 1.5),
        ("score", "high"),
        ("score", float("nan")),
        ("score", 10**400),
        ("moves", 3),
        ("status", "sleeping"),
        ("history", [{"seconds": 1}]),
        ("history", {}),
        ("best_seen", {"score": 1}),
        ("playouts", True),
    ],
)
def test_a_wrong_value_is_named(tmp_path, name, value):
    data = a_result().to_json()
    data[name] = value
    (tmp_path / "r.json").write_text(json.dumps(data))
    with pytest.raises(rk.InputError, match=name):
        rk.Result.load(tmp_path / "r.json")


def test_the_history_becomes_a_frame():
    frame = a_result().to_frame()
    assert list(frame.columns) == ["seconds", "playouts", "score"]
    assert list(frame.score) == [1.0, 2.0]


def test_a_path_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "r.json"):
        with pytest.raises(rk.InputError, match="cannot write"):
            check_writable(path)


def test_checking_a_path_leaves_an_existing_file_alone(tmp_path):
    file = tmp_path / "r.json"
    file.write_text("kept")
    check_writable(file)
    assert file.read_text() == "kept"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "r.json"
    file.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(rk.InputError, match="No space left"):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1
