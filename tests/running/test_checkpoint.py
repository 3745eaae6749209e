"""A checkpoint is written whole or not at all and comes back exactly; any other file is refused in one sentence."""

from __future__ import annotations

import enum
import errno
import hashlib
import json
import os
import pickle
import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from examples_of_problems import Words
from rookery.engine.compiled import CompiledEngine
from rookery.engine.python_worker import PythonEngine
from rookery.errors import InputError
from rookery.running import checkpoint as module
from rookery.running.checkpoint import FORMAT, Checkpoint, fingerprint
from rookery.running.result import Improvement, Tally, Work
from rookery.tasks import Outcome, Sequence, Weights

SEQUENCE = Sequence(61.5, (3, ("a", b"b"), None), (1, (2, frozenset({"c"})), -0.0))
CHECKPOINT = Checkpoint(
    version=rk.__version__,
    problem="left-move",
    parameters={"depth": 60, "name": "hélène"},
    fingerprint="ab12",
    search={"algorithm": "nrpa", "level": 3, "iterations": {"1": 100}},
    seed=2**64 - 1,
    stop={"time": None, "target": 82.0},
    options={"restarts": True, "atomic_level": 2, "start_from": (1, 2), "policy": Weights()},
    seconds=12.25,
    compile_seconds=0.0,
    state={
        "plan": {
            "outcomes": [Outcome(SEQUENCE, 100, ((1, 60.0), (7, 61.5)), True, False, 0.7), None],
            "policy": Weights(np.array([1, 2**63], np.uint64), np.array([0.1, float("nan")])),
            "python": Weights([("a", 1), None], np.array([0.1, -0.0])),
        },
        "tally": Tally(100, 1, 1, float("-inf"), [Improvement(0.5, 1, 60.0)], 1, 0.7),
        "work": Work(2, 150, 1),
        "best_seen": SEQUENCE,
    },
)


def file_of(values, version=FORMAT):
    """The content of a checkpoint with a body of one's own and the checksum that goes with it."""
    body = values if isinstance(values, bytes) else zlib.compress(json.dumps(values).encode())
    return f"rookery checkpoint {version} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def body_of(checkpoint):
    content = checkpoint.to_bytes()
    return json.loads(zlib.decompress(content[content.index(b"\n") + 1 :]))


BODY = body_of(CHECKPOINT)

# --- there and back ---


def test_a_checkpoint_comes_back_as_it_was(tmp_path):
    path = tmp_path / "run.checkpoint"
    CHECKPOINT.save(path)
    again = Checkpoint.load(path)
    assert again.to_bytes() == CHECKPOINT.to_bytes()
    assert replace(again, state={}, options={}) == replace(CHECKPOINT, state={}, options={})
    assert again.state["best_seen"] == SEQUENCE
    assert again.state["tally"] == CHECKPOINT.state["tally"]
    policy = again.state["plan"]["policy"]
    assert policy.weights.tobytes() == CHECKPOINT.state["plan"]["policy"].weights.tobytes()
    assert policy.codes.dtype == np.uint64


def test_the_first_line_says_what_the_file_is(tmp_path):
    path = tmp_path / "run.checkpoint"
    CHECKPOINT.save(path)
    first, body = path.read_bytes().split(b"\n", 1)
    assert first.decode() == f"rookery checkpoint 1 {hashlib.sha256(body).hexdigest()}"


def test_a_text_with_half_a_character_comes_back():
    text = "\ud83d\ude00 \N{GRINNING FACE} \udcff"
    again = Checkpoint.from_bytes(replace(CHECKPOINT, state={"text": text}).to_bytes(), "it")
    assert again.state["text"] == text


def test_a_parameter_that_cannot_be_written_is_written_as_its_text():
    given = replace(CHECKPOINT, parameters={"path": Path("berlin52.tsp"), "n": 5})
    assert Checkpoint.from_bytes(given.to_bytes(), "it").parameters == {"path": "berlin52.tsp", "n": 5}


def test_a_move_that_cannot_be_written_is_refused_before_the_file_is_touched(tmp_path):
    path = tmp_path / "run.checkpoint"
    CHECKPOINT.save(path)
    with pytest.raises(InputError, match="moves and codes must be numbers, .* got object"):
        replace(CHECKPOINT, state={"best": Sequence(1.0, (object(),))}).save(path)
    assert path.read_bytes() == CHECKPOINT.to_bytes()


# --- a write that fails ---


@pytest.mark.parametrize("function", ["replace", "fsync", "fdopen"])
def test_a_write_that_fails_leaves_the_checkpoint_before_it(tmp_path, monkeypatch, function):
    path = tmp_path / "run.checkpoint"
    CHECKPOINT.save(path)

    def full(*arguments, **more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, function, full)
    with pytest.raises(InputError, match=r"^cannot write .*run.checkpoint: No space left on device$"):
        replace(CHECKPOINT, seed=1).save(path)
    assert path.read_bytes() == CHECKPOINT.to_bytes()
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(InputError, match=r"^cannot write .*: No such file or directory$"):
        CHECKPOINT.save(tmp_path / "no folder" / "run.checkpoint")


@pytest.mark.parametrize("limit", ["LARGEST", "LARGEST_TEXT"])
def test_what_could_not_be_read_again_is_not_written(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(module, limit, 1000)
    noise = bytes(np.random.default_rng(1).integers(0, 256, 2000, np.uint8))
    with pytest.raises(InputError, match="a checkpoint must h.* at most 0 MB"):
        replace(CHECKPOINT, state={"noise": noise}).save(tmp_path / "run.checkpoint")


# --- refusals ---


@pytest.mark.parametrize("content", [b"", b"\n", b'{"problem": "tsp"}', b"\x80\x04.", b"rookery"])
def test_another_file_is_not_a_checkpoint(tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"other is not a checkpoint$"):
        Checkpoint.load(path)


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(InputError, match="^cannot read no such file: No such file or directory$"):
        Checkpoint.load("no such file")


@given(share=st.floats(0, 1, exclude_max=True))
def test_a_file_that_was_cut_short_is_refused(share):
    whole = CHECKPOINT.to_bytes()
    with pytest.raises(InputError, match="^it is (cut short or damaged: |not a checkpoint$)"):
        Checkpoint.from_bytes(whole[: int(share * len(whole))], "it")


@given(place=st.integers(0, len(CHECKPOINT.to_bytes()) - 1), bit=st.integers(0, 7))
def test_a_file_with_one_wrong_bit_is_refused(place, bit):
    content = bytearray(CHECKPOINT.to_bytes())
    content[place] ^= 1 << bit
    with pytest.raises(InputError, match="^it is "):
        Checkpoint.from_bytes(bytes(content), "it")


def test_another_format_is_refused():
    words = rf"^it is a checkpoint of format 2; rookery {rk.__version__} reads format 1$"
    with pytest.raises(InputError, match=words):
        Checkpoint.from_bytes(file_of({"anything": 1}, version=2), "it")


@pytest.mark.parametrize(
    ("here", "written", "accepted"),
    [
        ("0.1.0", "0.1.7", True),
        ("0.1.0", "0.2.0", False),
        ("0.1.0", "1.1.0", False),
        ("1.0.0", "1.9.3", True),
        ("1.0.0", "2.0.0", False),
        ("1.0.0", "0.1.0", False),
        ("1.2.0.dev1+local", "1.1", True),
    ],
)
def test_a_checkpoint_of_another_major_version_is_refused(monkeypatch, here, written, accepted):
    monkeypatch.setattr(module, "__version__", here)
    content = replace(CHECKPOINT, version=written).to_bytes()
    if accepted:
        assert Checkpoint.from_bytes(content, "it").version == written
    else:
        with pytest.raises(InputError, match=rf"^it was written by rookery {written}; this is rookery {here}, whose"):
            Checkpoint.from_bytes(content, "it")


def test_another_version_is_told_although_it_has_other_fields():
    with pytest.raises(InputError, match=r"^it was written by rookery 7\.0; this is rookery"):
        Checkpoint.from_bytes(file_of({"version": "7.0", "news": {"!Novelty": {}}}), "it")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (b"not compressed", "not a compressed text"),
        (zlib.compress(b"\xff"), "not a compressed text"),
        (zlib.compress(b"{}")[:-3], "not one compressed text of at most 64 MB"),
        (zlib.compress(b"{}") + b"more", "not one compressed text of at most 64 MB"),
        (zlib.compress(b"{"), "not JSON, line 1"),
        (zlib.compress(b"[" * 100_000), "JSON must be nested at most 256 deep, got more"),
        ([1], r"not an object, but \[1\]"),
        ({}, "'version' must be a version, got null"),
        (BODY | {"version": "new"}, "'version' must be a version, got \"new\""),
        ({name: BODY[name] for name in BODY if name != "seed"}, "'seed' of Checkpoint is missing"),
        (BODY | {"more": 1}, "'more' of Checkpoint is not known"),
        (BODY | {"seed": "one"}, "'seed' of Checkpoint must be int, got \"one\""),
        (BODY | {"seed": -1}, "'seed' must be a whole number of 64 bits, got -1"),
        (BODY | {"problem": 5}, "'problem' of Checkpoint must be str, got 5"),
        (BODY | {"state": []}, "'state' of Checkpoint must be dict"),
        (BODY | {"seconds": -1.0}, "'seconds' must be a finite number of at least 0, got -1.0"),
        (BODY | {"compile_seconds": {"!float": "nan"}}, "'compile_seconds' must be a finite number of at least 0"),
        (BODY | {"state": {"a": {"!Popen": ["ls"]}}}, "'!Popen' is not a known type"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_in_one_sentence(values, words):
    with pytest.raises(InputError, match=f"^it is not a checkpoint: {words}"):
        Checkpoint.from_bytes(file_of(values), "it")


def test_a_small_file_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_TEXT", 1 << 20)
    with pytest.raises(InputError, match="not one compressed text of at most 1 MB"):
        Checkpoint.from_bytes(file_of(zlib.compress(b" " * (1 << 24))), "it")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "inf", "0x1", "<f8", "AAAA", "!tuple", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["!tuple", "!array", "!Sequence", "!Weights", "!Outcome", "!frozenset", "!int", "!dict", "score", "!x"]
            ),
            inner,
            max_size=2,
        )
    ),
    max_leaves=5,
)


def places_in(data, here=()):
    """Every place in a JSON value."""
    yield here
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, item in inner:
        yield from places_in(item, (*here, name))


PLACES = [place for place in places_in(BODY) if place]


@settings(max_examples=300)
@given(data=st.data())
def test_a_body_with_anything_changed_is_read_or_refused(data):
    body = json.loads(json.dumps(BODY))
    *path, last = data.draw(st.sampled_from(PLACES))
    inside = body
    for name in path:
        inside = inside[name]
    change = data.draw(st.sampled_from(["replace", "remove", "rename"]))
    value = inside.pop(last)
    if change == "replace":
        value = data.draw(JSON)
    if change != "remove" and isinstance(inside, list):
        inside.insert(last, value)
    elif change != "remove":
        inside[last if change == "replace" else data.draw(st.sampled_from(["!", "!tuple", "x", "!Work"]))] = value
    refusal = None
    try:
        again = Checkpoint.from_bytes(file_of(body), "it")
    except InputError as error:
        refusal = str(error)
    if refusal is None:
        assert Checkpoint.from_bytes(again.to_bytes(), "it").to_bytes() == again.to_bytes()
    else:
        assert re.fullmatch("it is not a checkpoint: .*", refusal)


class Trap:
    def __reduce__(self):
        return (Path.touch, (Path("sprung"),))


@pytest.mark.parametrize("wrap", [lambda data: data, file_of, lambda data: file_of(zlib.compress(data))])
def test_reading_runs_no_code(tmp_path, monkeypatch, wrap):
    monkeypatch.chdir(tmp_path)
    Path("run.checkpoint").write_bytes(wrap(pickle.dumps(Trap())))
    with pytest.raises(InputError, match="is not a checkpoint"):
        Checkpoint.load("run.checkpoint")
    assert not Path("sprung").exists()


# --- fingerprints ---


def of_python(problem, search=None):
    task = None if search is None else search.smallest_task(())
    return fingerprint(problem, PythonEngine(problem).worker(), task)


def of_compiled(problem, search=None):
    task = None if search is None else search.smallest_task(())
    return fingerprint(problem, CompiledEngine(problem).worker(), task)


class Recoded(Words):
    def code(self, state, move):
        return move


class Minimised(Words):
    sense = "min"


Recoded.__name__ = Minimised.__name__ = "Words"


def test_the_same_problem_made_again_has_the_same_fingerprint():
    assert of_python(Words()) == of_python(Words())
    assert of_python(Words(), rk.NRPA()) == of_python(Words(), rk.NRPA())
    assert of_compiled(rk.problems.LeftMove(9), rk.NRPA()) == of_compiled(rk.problems.LeftMove(9), rk.NRPA())


@pytest.mark.parametrize("other", [Words("abcdf"), Words("abcde", 3), Minimised()])
def test_a_problem_with_other_moves_or_scores_has_another_fingerprint(other):
    assert of_python(Words()) != of_python(other)


def test_a_problem_of_another_name_has_another_fingerprint():
    class Letters(Words):
        pass

    assert of_python(Words()) != of_python(Letters())


def test_other_codes_are_seen_in_playouts():
    assert of_python(Words(), rk.NMCS()) == of_python(Recoded(), rk.NMCS())  # which has no use for codes
    assert of_python(Words(), rk.NRPA()) != of_python(Recoded(), rk.NRPA())


def test_a_playout_rule_is_seen_in_playouts():
    class Ruled(Words):
        def choose(self, state, moves, rng):
            return 0

    Ruled.__name__ = "Words"
    for search in (rk.NMCS(), rk.Sampling()):
        assert of_python(Words(), search) != of_python(Ruled(), search)


def test_a_compiled_problem_with_another_constant_has_another_fingerprint():
    assert of_compiled(rk.problems.LeftMove(60)) != of_compiled(rk.problems.LeftMove(61))


def test_a_problem_whose_moves_cannot_be_kept_is_refused_when_its_fingerprint_is_taken():
    class Letter(enum.Enum):
        A = 1

    class Letters(rk.PythonProblem):
        def start(self):
            return 0

        def moves(self, state):
            return [] if state else [Letter.A]

        def play(self, state, move):
            return 1

        def score(self, state):
            return 1.0

    with pytest.raises(InputError, match="moves and codes must be numbers, .* to be kept in a checkpoint, got Letter$"):
        of_python(Letters())
