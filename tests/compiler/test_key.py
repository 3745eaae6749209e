"""The cache key changes with everything that compiled code depends on, and with nothing else."""

from __future__ import annotations

import re
import types
from pathlib import Path

import numpy as np
import pytest

import rookery
from rookery.compiler import key as key_module
from rookery.compiler.hasher import NotHashable, functions_key
from rookery.compiler.key import KERNEL_SOURCES, library_key

SOURCE = """
import math
import numpy as np
import other
NUMBER = {number}
ARRAY = np.array({array})
PAIR = (1, {pair})
def deepest(x):
    return x + {deepest}
def helper(x, by={default}):
    return deepest(x) * by
class Parent:
    def inherited(self):
        return {inherited}
class P(Parent):
    def score(self, s):
        {comment}
        return helper(1) + NUMBER + ARRAY[0] + PAIR[1] + self.inherited() + self._own() + other.member(2) + math.pi
    def _own(self):
        return {own}
    def unused(self):
        return {unused}
"""
VALUES = {
    "number": 1,
    "array": [1, 2],
    "pair": 2,
    "deepest": 1,
    "default": 2,
    "inherited": 3,
    "own": 4,
    "unused": 5,
    "comment": "# a comment",
    "member": 6,
}


def key_of(**changes):
    values = {**VALUES, **changes}
    other = types.ModuleType("other")
    exec(f"def member(x):\n    return x + {values['member']}", vars(other))
    scope = {"__name__": "somewhere", "__import__": None}
    source = SOURCE.format(**values).replace("import other\n", "")
    exec(source, {**scope, "other": other}, names := {"other": other})
    for value in names.values():  # functions of the exec'd text see each other
        if isinstance(value, types.FunctionType):
            value.__globals__.update(names)
    return functions_key(names["P"], ("score",))


@pytest.mark.parametrize("name", ["number", "pair", "deepest", "default", "inherited", "own", "member"])
def test_the_key_changes_with_what_a_function_reaches(name):
    assert key_of(**{name: 99}) != key_of()


def test_the_key_changes_with_the_contents_of_a_global_array():
    assert key_of(array=[1, 3]) != key_of()


def test_the_key_does_not_change_with_comments_or_unused_methods():
    assert key_of(comment="# another comment", unused=7) == key_of()


def test_the_key_is_the_same_in_a_second_build():
    assert key_of() == key_of()


def test_a_global_without_an_exact_hash_means_no_cache():
    class Thing:
        pass

    thing = Thing()

    class P:
        def score(self, s):
            return thing

    with pytest.raises(NotHashable, match="a value of type Thing"):
        functions_key(P, ("score",))


def test_functions_that_call_each_other_have_a_key():
    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n != 0 and even(n - 1)

    class P:
        def score(self, s):
            return even(4)

    assert functions_key(P, ("score",)) == functions_key(P, ("score",))


def test_one_and_true_are_different_globals():
    def make(value):
        class P:
            def score(self, s):
                return value

        return functions_key(P, ("score",))

    assert len({make(1), make(True), make(1.0), make(np.int32(1)), make((1,)), make("1")}) == 6


def test_the_library_key_changes_with_the_processor(monkeypatch):
    before = library_key.__wrapped__()
    monkeypatch.setattr(key_module, "cpu_identity", lambda: ("another", "processor"))
    assert library_key.__wrapped__() != before


def test_every_module_with_kernels_is_part_of_the_key():
    package = Path(rookery.__file__).parent
    covered = [package / source for source in KERNEL_SOURCES]
    for file in package.rglob("*.py"):
        if re.search(r"^\s*@(spec\.)?(inner_|inlined_)?(kernel|inlined)$", file.read_text(), re.MULTILINE):
            assert any(file == source or source in file.parents for source in covered), file
