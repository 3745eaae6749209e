"""What compiled code may depend on in unusual ways: the key tells every two of them apart, or there is no key."""

from __future__ import annotations

import builtins
import enum
import functools
import math
import sys
import types
from collections import namedtuple

import numba
import numpy as np
import pytest
from numba.extending import overload

from rookery.compiler import hasher
from rookery.compiler.hasher import NotHashable, functions_key
from rookery.settings import INTERPRETED

process_key = functools.partial(functions_key, by_identity=True)

compiled = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def key_of(source: str, find=functions_key, **scope) -> str:
    """The key of a class ``P`` in this text, as a module of its own."""
    names = {"__name__": "somewhere", "np": np, "math": math, **scope}
    exec(source, names)
    return find(names["P"], ("score",))


def reading(value, find=functions_key) -> str:
    """The key of a function that reads a global of this value."""
    return key_of("class P:\n    def score(self, s):\n        return VALUE.x", find, VALUE=value)


def constant(text: str) -> str:
    return key_of(f"class P:\n    def score(self, s):\n        return {text}")


class Shade(enum.IntEnum):
    DARK = 1


OtherShade = enum.IntEnum("Shade", {"DARK": 2})
OtherShade.__module__, OtherShade.__qualname__ = Shade.__module__, Shade.__qualname__
Point, OtherPoint = namedtuple("Point", "x y"), namedtuple("Point", "y x")
Lazy, OtherLazy = namedtuple("Lazy", "x y", defaults=[1]), namedtuple("Lazy", "x y", defaults=[2])
RECORD, OTHER_RECORD = np.dtype([("a", "i8"), ("b", "i8")]), np.dtype([("b", "i8"), ("a", "i8")])

ALIKE = {
    "kinds of one": [1, True, 1.0, 1 + 0j, "1", b"1", (1,), np.int32(1), np.int64(1), np.float64(1), np.bool_(True)],
    "zeros": [0, 0.0, -0.0, False, None, np.float32(0.0), np.float32(-0.0)],
    "complex zeros": [0j, complex(-0.0, 0.0), complex(0.0, -0.0), complex(-0.0, -0.0)],
    "large numbers": [2**63, 2**64, 2.0**63, 10**5000, 10**5000 + 1],
    "tuples": [(1, 2), (1, 2.0), ((1, 2),), (1, (2,)), (True, 2), (1, 2, None)],
    "frozen sets": [frozenset([1, 2]), frozenset([1.0, 2]), frozenset([1]), frozenset(["1", 2])],
    "arrays": [np.array([0.0]), np.array([-0.0]), np.array([np.nan]), np.array([[0.0]]), np.array([0.0], "f4")],
    "byte orders": [np.array([1], "<i4"), np.array([1], ">i4"), np.array([1], "<u4")],
    "orders in memory": [np.zeros((2, 3)), np.zeros((2, 3), order="F"), np.zeros((2, 6))[:, ::2]],
    "fields of records": [np.zeros(1, RECORD), np.zeros(1, OTHER_RECORD), np.zeros(1, RECORD)[0]],
    "scalar records": [np.zeros(1, RECORD)[0], np.zeros(1, OTHER_RECORD)[0]],
    "types of data": [RECORD, OTHER_RECORD, np.dtype("i8"), np.dtype(">i8"), np.int64],
    "values of an enumeration": [Shade.DARK, OtherShade.DARK],
    "enumerations": [Shade, OtherShade],
    "named tuples": [Point(1, 2), OtherPoint(1, 2), (1, 2)],
    "classes of named tuples": [Point, OtherPoint],
    "defaults of named tuples": [Lazy, OtherLazy],
    "functions of libraries": [math.exp, np.exp, math.sin, np.sum, len, max, functools.reduce],
    "types of numbers": [numba.int64, numba.float64, int, float, np.float64],
}


@pytest.mark.parametrize("kind", ALIKE)
def test_global_values_that_look_alike_have_keys_of_their_own(kind):
    values = ALIKE[kind]
    assert len({reading(value) for value in values}) == len(values)
    assert [reading(value) for value in values] == [reading(value) for value in values]


def test_a_record_and_an_aligned_record_are_different_types():
    packed, aligned = np.dtype([("a", "u1"), ("b", "i8")]), np.dtype([("a", "u1"), ("b", "i8")], align=True)
    assert reading(packed) != reading(aligned)


@pytest.mark.parametrize(
    "texts",
    [("1", "True", "1.0", "'1'"), ("0.0", "-0.0"), ("(0.0, 1)", "(-0.0, 1)"), ("s in {1, 2}", "s in {1, 3}")],
    ids=str,
)
def test_constants_that_are_equal_but_not_the_same_have_keys_of_their_own(texts):
    assert len({constant(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("def f(x, *, by=1): return x * by", "def f(x, *, by=2): return x * by"),
        ("def f(x, by=1): return x * by", "def f(x, by=1.0): return x * by"),
        ("def f(x, y=2): return x", "def f(x, /, y=2): return x"),
        ("f = lambda x: x + 1", "f = lambda x: x + 2"),
        ("def f(x): return (lambda y: y + 1)(x)", "def f(x): return (lambda y: y + 2)(x)"),
        ("def f(x): return sum([y + 1 for y in x])", "def f(x): return sum([y + 2 for y in x])"),
        ("def f(x): return min(x, 1)", "def min(x, y): return x\ndef f(x): return min(x, 1)"),
        ("def f(x): return g(x)\ng = abs", "def f(x): return g(x)\ng = float"),
    ],
    ids=str,
)
def test_helpers_that_differ_have_keys_of_their_own(text, other):
    score = "\nclass P:\n    def score(self, s):\n        return f(1)"
    assert key_of(text + score) != key_of(other + score)


METHODS = "class P:\n    def score(self, s): return self._gain(1)\n    {}def _gain(a, b=0): return a"


def test_a_method_that_becomes_static_has_another_key():
    assert key_of(METHODS.format("")) != key_of(METHODS.format("@staticmethod\n    "))


def test_a_method_reached_through_self_under_another_name_is_in_the_key():
    text = (
        "def f(me): return me._gain()\nclass P:\n    def score(self, s): return f(self)\n    def _gain(self): return {}"
    )
    assert key_of(text.format(1)) != key_of(text.format(2))


def test_an_override_in_a_subclass_is_in_the_key():
    text = "class Q:\n    def score(self, s): return self._gain()\n    def _gain(self): return 1\n"
    override = "class P(Q):\n    def _gain(self): return {}"
    keys = [key_of(text + override.format(n)) for n in (1, 2)]
    assert len({*keys, key_of(text + "class P(Q): pass")}) == 2  # an override that says the same is the same


def module(name: str, **members) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


DOTTED = "class P:\n    def score(self, s): return a.b.c.VALUE"


def test_a_value_behind_several_dots_is_in_the_key():
    def make(value):
        return key_of(DOTTED, a=module("a", b=module("a.b", c=module("a.b.c", VALUE=value))))

    assert make(1) != make(2)


def test_modules_that_name_each_other_have_a_key():
    a, b = module("a"), module("a.b", c=module("a.b.c", VALUE=1))
    a.a = b.a = a
    a.b = b.b = b
    assert key_of(DOTTED, a=a) == key_of(DOTTED, a=a)


def test_a_member_that_getattr_reads_is_in_the_key():
    text = "class P:\n    def score(self, s): return getattr(tools, 'VALUE')"
    assert key_of(text, tools=module("tools", VALUE=1)) != key_of(text, tools=module("tools", VALUE=2))


def test_a_number_that_a_user_put_into_a_library_is_in_the_key(monkeypatch):
    text = "class P:\n    def score(self, s): return np.MINE"
    monkeypatch.setattr(np, "MINE", 1, raising=False)
    before = key_of(text)
    monkeypatch.setattr(np, "MINE", 2)
    assert key_of(text) != before


def test_a_number_that_a_user_made_built_in_is_in_the_key(monkeypatch):
    text = "class P:\n    def score(self, s): return MINE"
    monkeypatch.setattr(builtins, "MINE", 1, raising=False)
    before = key_of(text)
    monkeypatch.setattr(builtins, "MINE", 2)
    assert key_of(text) != before


def test_a_field_named_like_a_global_does_not_depend_on_it():
    text = "class P:\n    def score(self, s): return s.table + s.exit"
    assert key_of(text, table=[1]) == key_of(text, table=[2])


def test_a_function_that_claims_to_be_a_libraries_is_hashed_all_the_same():
    def make(n):
        names = {}
        exec(f"def exp(x): return x + {n}", names)
        return functools.wraps(math.exp)(names["exp"])

    assert reading(make(1)) != reading(make(2))


class Local:
    """A class with a namesake elsewhere."""


class Thing:
    pass


@numba.experimental.jitclass([("x", numba.int64)])
class Jitted:
    def __init__(self):
        self.x = 1


REFUSED = {
    "list": [1],
    "dict": {1: 2},
    "object": Thing(),
    "partial": functools.partial(max, 1),
    "bound method": Thing().__init__,
    "method of a list": [].append,
    "subclass of int": type("MyInt", (int,), {})(1),
    "subclass of tuple": type("MyTuple", (tuple,), {})((1,)),
    "array of objects": np.array([None]),
    "masked array": np.ma.array([1], mask=[True]),
    "tuple with an object": (1, Thing()),
    "ufunc of the user's": np.frompyfunc(abs, 1, 1),
    "class with a metaclass": type("Meta", (type,), {})("Made", (), {}),
    "exception that no module has": type("Lost", (Exception,), {}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_global_without_an_exact_hash_has_no_key(what):
    with pytest.raises(NotHashable):
        reading(REFUSED[what])


@compiled
def test_a_class_that_numba_compiles_has_no_key():
    with pytest.raises(NotHashable, match="the class Jitted"):
        reading(Jitted)


def test_an_exception_of_the_main_program_has_no_key(monkeypatch):
    lost = type("Lost", (Exception,), {"__module__": "__main__"})
    monkeypatch.setattr(sys.modules["__main__"], "Lost", lost, raising=False)
    with pytest.raises(NotHashable, match="the exception Lost, which no module has"):
        reading(lost)


def test_an_exception_of_a_module_has_a_key():
    assert reading(NotHashable) == reading(NotHashable)


def test_a_variable_without_a_value_has_no_key():
    def score(self, s):
        return later

    if False:
        later = 1
    with pytest.raises(NotHashable, match="a variable without a value"):
        functions_key(type("P", (), {"score": score}), ("score",))


def test_functions_that_call_each_other_without_end_have_no_key():
    text = "".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(3000))
    with pytest.raises(NotHashable, match="too deeply"):
        key_of(f"{text}class P:\n    def score(self, s): return f0(1)")


def test_a_process_has_a_key_for_what_has_no_exact_hash():
    one, other = Thing(), Thing()
    assert reading(one, process_key) == reading(one, process_key)
    assert reading(one, process_key) != reading(other, process_key)


def test_the_key_of_a_process_changes_with_a_global_beside_what_has_no_exact_hash():
    text = "class P:\n    def score(self, s): return VALUE + THING"
    thing = Thing()
    assert key_of(text, process_key, VALUE=1, THING=thing) != key_of(text, process_key, VALUE=2, THING=thing)


def jitted(text: str, **options):
    names = {"SCALE": options.pop("scale", 1)}
    exec(text, names)
    return numba.njit(**options)(names["f"])


PLUS = "def f(x): return x + SCALE"


@compiled
def test_a_function_that_the_user_compiled_is_in_the_key_with_its_options_and_globals():
    made = [
        jitted(PLUS),
        jitted(PLUS, scale=2),
        jitted("def f(x): return x - SCALE"),
        jitted(PLUS, fastmath=True),
        jitted(PLUS, fastmath={"nnan", "contract"}),
        jitted(PLUS, inline="always"),
        jitted(PLUS, locals={"x": numba.float32}),
    ]
    assert len({reading(function) for function in made}) == len(made)
    assert reading(made[0]) == reading(jitted(PLUS))


@compiled
def test_a_function_that_holds_an_older_global_has_no_key():
    function = jitted(PLUS)
    before = reading(function)
    function(1)
    assert reading(function) == before
    function.py_func.__globals__["SCALE"] = 2
    with pytest.raises(NotHashable, match="a function that Numba compiled before"):
        reading(function)


@compiled
def test_a_function_compiled_before_it_was_seen_has_no_key():
    function = jitted(PLUS)
    function(1)
    with pytest.raises(NotHashable, match="a function that Numba compiled before"):
        reading(function)


@compiled
def test_a_function_with_a_cache_of_numbas_has_no_key(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    (tmp_path / "cached_by_numba.py").write_text("import numba\n@numba.njit(cache=True)\ndef f(x): return x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import cached_by_numba

    with pytest.raises(NotHashable, match="a function with a cache of Numba's"):
        reading(cached_by_numba.f)


@compiled
def test_functions_that_the_user_compiled_and_that_call_each_other_have_a_key():
    names = {}
    exec("def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n != 0 and even(n - 1)", names)
    names["even"], names["odd"] = numba.njit(names["even"]), numba.njit(names["odd"])
    assert reading(names["even"]) == reading(names["even"])
    assert reading(names["even"]) != reading(names["odd"])


def extended(a):
    return a


@compiled
def test_an_extension_of_numba_by_the_user_is_in_every_key(monkeypatch):
    registry = hasher.builtin_registry
    monkeypatch.setattr(registry, "functions", list(registry.functions))
    monkeypatch.setattr(registry, "globals", list(registry.globals))
    keys = [constant("1")]
    for n in (1, 2):
        monkeypatch.setattr(registry, "functions", list(registry.functions[: len(registry.functions) - (n > 1)]))
        names = {"__name__": "somewhere"}
        exec(f"def extension(a):\n    return lambda a: a + {n}", names)
        overload(extended)(names["extension"])
        keys.append(constant("1"))
    assert len(set(keys)) == 3


@pytest.mark.parametrize(("name", "value"), [("BOUNDSCHECK", 1), ("OPT", 0), ("LOOP_VECTORIZE", 0)])
def test_settings_of_numba_that_change_machine_code_are_in_the_key(monkeypatch, name, value):
    before = constant("1")
    monkeypatch.setattr(numba.config, name, value)
    assert constant("1") != before
