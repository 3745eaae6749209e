"""Result files that were cut, changed or never results: each is read as it is, or refused in one sentence."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rookery as rk
from rookery.cli import main

HUGE = 10**400
MOVES = ([1, 1, 0], [[0, "a"], [1, ["b", None]]], [])
VALID: dict[str, Any] = {
    "problem": "leftmove",
    "parameters": {"depth": 3, "nested": {"a": [1, 2.5, None]}},
    "search": {"algorithm": "nrpa", "level": 1, "ties": {"1": ">="}},
    "seed": 1,
    "workers": 1,
    "score": 2.0,
    "moves": [1, 1, 0],
    "playouts": 10,
    "iterations": 10,
    "restarts": 0,
    "seconds": 0.5,
    "compile_seconds": 0.1,
    "status": "finished",
    "version": "0.1.0",
    "history": [{"seconds": 0.1, "playouts": 1, "score": 1.0}, {"seconds": 0.2, "playouts": 4, "score": 2.0}],
    "best_seen": {"score": 3.0, "moves": [1, 1, 1]},
}

texts = st.text(st.characters(), max_size=8)  # lone surrogates and control characters among them
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([HUGE, -HUGE, 2**63, 2**64, -1, 0]),
    st.floats(),  # not a number, and infinite, too
    texts,
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
names = st.sampled_from([*VALID, "nothing", "of"])


@st.composite
def places(draw: st.DrawFn) -> tuple[Any, Any]:
    """A fresh copy of the valid object, and a value in it with the way there."""
    data = json.loads(json.dumps({**VALID, "moves": draw(st.sampled_from(MOVES))}))
    way: list[Any] = []
    inner: Any = data
    while isinstance(inner, (dict, list)) and inner and (not way or draw(st.booleans())):
        way.append(draw(st.sampled_from(list(inner) if isinstance(inner, dict) else list(range(len(inner))))))
        inner = inner[way[-1]]
    return data, way


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """The valid object with one value replaced, removed or put beside."""
    data, way = draw(places())
    inner = data
    for step in way[:-1]:
        inner = inner[step]
    if draw(st.integers(0, 3)) == 0:
        del inner[way[-1]]
    else:
        inner[way[-1]] = draw(values)
    if draw(st.integers(0, 3)) == 0:
        data[draw(names)] = draw(values)
    return data


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The text of a valid object, cut or with bytes that are not its own."""
    text = json.dumps(VALID).encode()
    at = draw(st.integers(0, len(text)))
    end = draw(st.integers(at, len(text)))
    return (
        text[:at]
        + draw(st.sampled_from([b"", b"\xff", b"\x00", b'"', b"{", b"]", b"1e999", b",", b"NaN"]))
        + text[end:]
    )


ODD = {
    "nothing": b"",
    "a mark in front": b"\xef\xbb\xbf" + json.dumps(VALID).encode(),
    "UTF-16": json.dumps(VALID).encode("utf-16"),
    "UTF-32": json.dumps(VALID).encode("utf-32"),
    "Latin-1": json.dumps({**VALID, "version": "\xe9"}, ensure_ascii=False).encode("latin-1"),
    "half a UTF-16 letter": json.dumps(VALID).encode("utf-16")[:-1],
    "a number too long": json.dumps(VALID).replace('"seed": 1', '"seed": ' + "9" * 5000).encode(),
    "a float too large": json.dumps(VALID).replace('"depth": 3', '"depth": 1e999').encode(),
    "not a number": json.dumps(VALID).replace('"depth": 3', '"depth": NaN').encode(),
    "infinite": json.dumps(VALID).replace("[1, 1, 0]", "[1, -Infinity]").encode(),
    "keys twice": json.dumps(VALID).replace('"seed": 1', '"seed": "x", "seed": 1').encode(),
    "keys twice, the last one wrong": json.dumps(VALID).replace('"seed": 1', '"seed": 1, "seed": "x"').encode(),
    "two objects": json.dumps(VALID).encode() * 2,
    "a lone surrogate": json.dumps({**VALID, "version": "\ud800"}).encode(),
    **{
        f"{depth} deep in {name}": json.dumps(VALID).replace(old, "[" * depth + "]" * depth).encode()
        for depth in (40, 60, 300, 900, 10_000)
        for name, old in (("moves", "[1, 1, 0]"), ("parameters", "[1, 2.5, null]"), ("best_seen", "[1, 1, 1]"))
    },
}
READ = {
    *("a mark in front", "UTF-16", "UTF-32", "keys twice", "a lone surrogate"),
    *("40 deep in moves", "40 deep in parameters", "40 deep in best_seen"),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results") / "result.json"


def is_read_or_refused(file: Path, content: bytes) -> bool:
    """Whether the content is a result; the claims hold either way."""
    file.write_bytes(content)
    result, refusal = None, ""
    try:
        result = rk.Result.load(file)
    except rk.InputError as error:
        refusal = str(error)
    if result is None:
        assert len(refusal.splitlines()) == 1
        assert len(refusal) < 400
        return False
    result.save(file)
    assert rk.Result.load(file) == result
    assert rk.Result.from_json(result.to_json()) == result
    json.dumps(result.to_json(), allow_nan=False)
    return True


def test_the_valid_file_is_read(file: Path) -> None:
    assert is_read_or_refused(file, json.dumps(VALID).encode())


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_read_or_refused(file: Path, name: str) -> None:
    assert is_read_or_refused(file, ODD[name]) == (name in READ)


@settings(max_examples=400)
@given(changed())
def test_a_changed_value_is_read_or_refused(file: Path, data: Any) -> None:
    is_read_or_refused(file, json.dumps(data).encode())


@settings(max_examples=200)
@given(damaged())
def test_a_damaged_file_is_read_or_refused(file: Path, content: bytes) -> None:
    is_read_or_refused(file, content)


@settings(max_examples=100)
@given(st.one_of(st.binary(max_size=60), values.map(lambda value: json.dumps(value).encode())))
def test_what_was_never_a_result_is_refused(file: Path, content: bytes) -> None:
    assert not is_read_or_refused(file, content)


def test_a_file_cut_anywhere_is_refused(file: Path) -> None:
    content = json.dumps(VALID).encode()
    for end in range(0, len(content), 7):
        assert not is_read_or_refused(file, content[:end])


@settings(max_examples=60)
@given(st.dictionaries(texts, st.one_of(leaves, values), max_size=4))
def test_parameters_of_any_kind_are_saved_as_json(file: Path, parameters: dict[str, Any]) -> None:
    result = rk.Result.from_json({**VALID, "parameters": {}})
    object.__setattr__(result, "parameters", parameters)
    result.save(file)
    json.dumps(result.to_json(), allow_nan=False)
    assert list(rk.Result.load(file).parameters) == list(parameters)


class Pairs(rk.PythonProblem):
    """Moves that are tuples, with tuples in them."""

    def start(self) -> tuple[Any, ...]:
        return ()

    def moves(self, state: tuple[Any, ...]) -> list[Any]:
        return [(0, ("a", None)), (1, ("b", 2.5))] if len(state) < 3 else []

    def code(self, state: tuple[Any, ...], move: Any) -> Any:
        return len(state), move

    def play(self, state: tuple[Any, ...], move: Any) -> tuple[Any, ...]:
        return (*state, move)

    def score(self, state: tuple[Any, ...]) -> float:
        return float(sum(move[0] for move in state))


def test_a_result_whose_moves_are_tuples_is_the_same_after_loading(file: Path) -> None:
    result = rk.solve(Pairs(), rk.NRPA(level=1, iterations=5), seed=1)
    result.save(file)
    loaded = rk.Result.load(file)
    assert loaded == result
    assert rk.replay(Pairs(), loaded.moves)[0] == result.score


def test_what_was_seen_beyond_the_answer_is_the_same_after_loading(file: Path) -> None:
    result = rk.solve(Pairs(), rk.NRPA(level=1, iterations=1), seed=1)
    object.__setattr__(result, "best_seen", {"score": 3.0, "moves": [(1, ("b", 2.5))] * 3})
    result.save(file)
    assert rk.Result.load(file) == result


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(changed().map(lambda data: json.dumps(data).encode()), damaged()), st.booleans())
def test_the_command_takes_a_result_file_or_refuses_it_in_one_line(file: Path, content: bytes, warm: bool) -> None:
    file.write_bytes(content)
    option = "--warm-start" if warm else "--start-from"
    search = ("-p", "depth=3", "--level", "1", "--iterations", "2", "--seed", "1", "--workers", "1", "--quiet")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["solve", "leftmove", *search, option, str(file)])
    if code == 0:
        assert (out.getvalue()[:5], err.getvalue()) == ("score", "")
    else:
        assert (code, out.getvalue(), len(err.getvalue().splitlines())) == (2, "", 1)
        assert err.getvalue().startswith("rookery: ")
