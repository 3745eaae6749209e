"""What is public can be had, is known to type checkers, and is not more than was decided."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import rookery as rk

LAZY = ("rookery", *(f"rookery.{name}" for name in ("problems", "games", "files", "papers", "tools", "search")))


@pytest.mark.parametrize("name", LAZY)
def test_every_public_name_is_found_and_documented(name):
    module = importlib.import_module(name)
    for public in module.__all__:
        found = getattr(module, public)
        assert not (callable(found) and hasattr(found, "__module__")) or found.__doc__, public


@pytest.mark.parametrize("name", LAZY)
def test_type_checkers_see_the_names_that_are_found_when_asked_for(name):
    module = importlib.import_module(name)
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text())
    branch = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name for node in branch.body if node.module != "rookery" for alias in node.names}
    assert seen == set(module.__all__)


def test_the_root_has_at_most_fifty_nine_names():
    assert len(rk.__all__) <= 59


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'rookery' has no attribute 'Morpion'"):
        getattr(rk, "Morpion")  # noqa: B009


@pytest.mark.parametrize("name", LAZY)
def test_no_public_name_is_that_of_a_module_beside_it(name):
    """Importing such a module would put it in the place of what is public."""
    module = importlib.import_module(name)
    beside = {found.name for found in pkgutil.iter_modules(module.__path__)}
    assert beside.isdisjoint(module.__all__)
