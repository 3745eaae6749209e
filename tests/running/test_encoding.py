"""Values as JSON: every one comes back exactly, and nothing else can be read."""

from __future__ import annotations

import enum
import json
import struct
from collections import namedtuple
from dataclasses import fields, is_dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

from rookery.errors import InputError
from rookery.running.encoding import ARRAYS, DEEPEST, RECORDS, decode, encode, made
from rookery.running.result import Improvement, Tally, Work
from rookery.tasks import Outcome, Sequence, Weights

FLOATS = st.floats() | st.sampled_from([0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2])
TEXTS = st.text(st.characters(exclude_categories=()), max_size=5)
KEYS = st.none() | st.booleans() | st.integers() | FLOATS | TEXTS | st.binary(max_size=5)
HASHABLES = st.recursive(
    KEYS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)
NUMPY = hn.arrays(
    st.sampled_from(ARRAYS).map(np.dtype), hn.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
)
SEQUENCES = st.builds(
    Sequence, FLOATS, st.lists(HASHABLES, max_size=4).map(tuple), st.lists(HASHABLES, max_size=4).map(tuple)
)
COUNTS = st.integers(0, 2**63)
OUTCOMES = st.builds(
    Outcome,
    st.none() | SEQUENCES,
    COUNTS,
    st.lists(st.tuples(COUNTS, FLOATS), max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
    FLOATS,
)
WEIGHTS = st.lists(HASHABLES, max_size=4).map(lambda codes: Weights(codes, np.arange(len(codes)) / 3))
DENSE = st.lists(st.integers(0, 2**64 - 1), max_size=4).map(
    lambda codes: Weights(np.array(codes, np.uint64), np.arange(len(codes)) / 3)
)
TALLIES = st.builds(Tally, COUNTS, COUNTS, COUNTS, FLOATS, st.lists(st.builds(Improvement, FLOATS, COUNTS, FLOATS)))
WORK = st.builds(Work, COUNTS, COUNTS, COUNTS)
VALUES = st.recursive(
    HASHABLES | NUMPY | SEQUENCES | OUTCOMES | WEIGHTS | DENSE | TALLIES | WORK,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(TEXTS, inner, max_size=3)
    ),
    max_leaves=8,
)


def same(a, b):
    """Whether two values are equal to the bit, and of the same types."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b) or (a != a and b != b)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, frozenset):
        return json.dumps(encode(a)) == json.dumps(encode(b))  # which sorts them
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[name], b[name]) for name in a)
    if is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    return a == b


def through_json(value):
    text = json.dumps(encode(value), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    return decode(json.loads(text.decode("utf-8", "surrogatepass")))


@given(value=VALUES)
def test_every_value_comes_back_exactly(value):
    assert same(through_json(value), value)


@given(values=hn.arrays(np.uint64, 5))
def test_numbers_in_arrays_come_back_to_the_bit(values):
    floats = values.view(np.float64)  # every kind of nan among them
    assert through_json(floats).tobytes() == floats.tobytes()


def test_minus_zero_and_infinities_in_arrays_come_back():
    array = np.array([-0.0, np.inf, -np.inf, np.nan, 5e-324])
    assert through_json(array).tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", [">i4", ">f8", ">u2"])
def test_an_array_of_another_byte_order_keeps_its_values(dtype):
    array = np.array([[1, 2, 3], [4, 5, 60000 % 32768]], dtype)
    again = through_json(array)
    assert again.dtype.isnative
    assert (again == array).all()


def test_arrays_come_back_as_memory_of_their_own():
    again = through_json(np.arange(6).reshape(2, 3).T)
    again[0, 0] = 9
    assert again.tolist() == [[9, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int32(5), 5),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.float64(0.1), 0.1),
        (np.float32(0.5), 0.5),
        (np.True_, True),
    ],
)
def test_a_numpy_number_comes_back_as_python_has_it(value, plain):
    (again,) = through_json((value,))
    assert again == plain
    assert type(again) is type(plain)


def test_a_whole_number_of_any_length_comes_back():
    assert through_json([7**9999, -(7**9999)]) == [7**9999, -(7**9999)]


def test_a_name_with_an_exclamation_mark_is_not_taken_for_a_type():
    value = {"!tuple": [1], "b": {"!": 2}}
    assert through_json(value) == value


def test_a_set_is_written_in_an_order_that_does_not_depend_on_hashes():
    assert encode(frozenset("hello")) == {"!frozenset": ["e", "h", "l", "o"]}


class Colour(enum.IntEnum):
    RED = 1


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value", [Colour.RED, Point(1, 2), 1j, Fraction(1, 2), {1, 2}, object(), np.longdouble(1), np.str_("a"), print]
)
def test_what_would_come_back_as_something_else_is_refused(value):
    name = type(value).__name__
    allowed = "numbers, texts, bytes, None, True, False, or tuples and frozensets of these"
    with pytest.raises(InputError, match=f"^moves and codes must be {allowed} to be kept in a checkpoint, got {name}$"):
        encode([("a", value)])


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.zeros(2, "i4,f8"), np.zeros(1, complex)])
def test_an_array_of_other_things_than_numbers_is_refused(array):
    with pytest.raises(InputError, match="an array must hold numbers of at most 64 bits to be kept in a checkpoint"):
        encode(array)


def test_a_dict_with_other_names_than_texts_is_refused():
    with pytest.raises(InputError, match="the names in a dict must be texts to be kept in a checkpoint, got 1"):
        encode({1: 2})


def nested(depth):
    value = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


def test_values_may_be_nested_so_deep_and_no_deeper():
    assert through_json(nested(DEEPEST)) == nested(DEEPEST)
    with pytest.raises(InputError, match=f"nested at most {DEEPEST} deep to be written, got more"):
        encode(nested(DEEPEST + 1))
    with pytest.raises(InputError, match=f"nested at most {DEEPEST} deep, got more"):
        decode([encode(nested(DEEPEST))])


IMPROVEMENT = {"seconds": 1.0, "playouts": 2, "score": 3.0}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"!object": []}, "'!object' is not a known type"),
        ({"!Task": {}}, "'!Task' is not a known type"),
        ({"!": {}}, "'!' is not a known type"),
        ({"!tuple": [], "more": 1}, "'!tuple' must stand alone, got"),
        ({"!tuple": 5}, "'!tuple' must hold a list, got 5"),
        ({"!Work": [1, 2, 3]}, r"'!Work' must hold an object, got \[1, 2, 3\]"),
        ({"!float": "1e5"}, '!float. must be inf, -inf or nan, got "1e5"'),
        ({"!float": 5.0}, "'!float' must hold a text, got 5.0"),
        ({"!int": "ten"}, 'a long number must be written in hexadecimal, got "ten"'),
        ({"!bytes": "a"}, 'bytes must be written in base 64, got "a"'),
        ({"!bytes": "aé=="}, "bytes must be written in base 64"),
        ({"!frozenset": [[1]]}, r"a set must hold hashable values, got \[\[1\]\]"),
        ({"!array": ["<f8", [1]]}, "an array must have a type of"),
        ({"!array": ["|O", [1], "AAAAAAAAAAA="]}, "an array must have a type of"),
        ({"!array": [["<f8"], [1], "AAAAAAAAAAA="]}, "an array must have a type of"),
        ({"!array": ["<f8", 1, "AAAAAAAAAAA="]}, "the shape of an array must be a list of whole numbers, got 1"),
        ({"!array": ["<f8", [True], "AAAAAAAAAAA="]}, "the shape of an array must be"),
        ({"!array": ["<f8", [-1], "AAAAAAAAAAA="]}, "the shape of an array must be"),
        ({"!array": ["<f8", [2], "AAAAAAAAAAA="]}, r"an array of shape \[2\] must have all its bytes, got 8"),
        ({"!array": ["<f8", [0] * 99, ""]}, "an array must have a shape that NumPy knows"),
        ({"!array": ["<f8", [0, 1 << 47, 1 << 47], ""]}, "an array must have a shape that NumPy knows"),
        ({"!array": ["|b1", [1], "Ag=="]}, "an array of truth values must hold 0 and 1 alone"),
        (float("inf"), "a number must be finite, got inf"),
        ({"!Improvement": {"seconds": 1.0, "playouts": 2}}, "'score' of Improvement is missing"),
        ({"!Improvement": IMPROVEMENT | {"more": 1}}, "'more' of Improvement is not known"),
        ({"!Improvement": IMPROVEMENT | {"playouts": "a"}}, "'playouts' of Improvement must be int, got \"a\""),
        ({"!Improvement": IMPROVEMENT | {"playouts": True}}, "'playouts' of Improvement must be int, got true"),
        ({"!Improvement": IMPROVEMENT | {"score": None}}, "'score' of Improvement must be float, got null"),
        ({"!Improvement": IMPROVEMENT | {"score": 10**400}}, "'score' of Improvement must be float, got 1000"),
        ({"!Improvement": IMPROVEMENT | {"score": {"!int": "0x1" + "0" * 9999}}}, "must be float, got int"),
        ({"!Sequence": {"score": 1.0, "moves": [1], "codes": {"!tuple": []}}}, "'moves' of Sequence must be tuple"),
        (
            {"!Sequence": {"score": 1.0, "moves": {"!tuple": []}, "codes": {"!tuple": [[1]]}}},
            "'codes' of Sequence must be tuple",
        ),
        ({"!Weights": {"codes": 5, "weights": 5}}, "'codes' of Weights must be a list of hashable values or an array"),
        ({"!Weights": {"codes": [[1]], "weights": 5}}, "'codes' of Weights must be a list of hashable values"),
        (
            {"!Weights": {"codes": [1], "weights": [1.0]}},
            "'weights' of Weights must be an array of one number for each",
        ),
        (
            {"!Weights": {"codes": [1, 2], "weights": {"!array": ["<f8", [1], "AAAAAAAAAAA="]}}},
            "'weights' of Weights must be an array of one number for each code",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(data, words):
    with pytest.raises(InputError, match=words):
        decode(data)


def test_a_policy_has_weights_of_biases_only_if_they_were_learned():
    plain, learned = (encode(Weights([], np.zeros(0), biases))["!Weights"] for biases in ((), (1.5, -2.0)))
    assert list(plain) == ["codes", "weights"]
    assert decode({"!Weights": plain}).biases == ()
    assert decode({"!Weights": learned}).biases == (1.5, -2.0)


@pytest.mark.parametrize("cls", RECORDS.values(), ids=lambda cls: cls.__name__)
def test_no_field_of_a_dataclass_may_be_missing(cls):
    with pytest.raises(InputError, match=f"of {cls.__name__} is missing"):
        made(cls, {})
