"""The documentation is true: its code runs and prints what it says, it names all that is public, its links hold.

In a page, every ``python`` block is run, all in one namespace and in order. A ``text`` block that comes straight
after one is what it prints, letter by letter. Blocks of ``text`` elsewhere and of ``sh`` are not run.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import operator
import os
import pkgutil
import re
import sys
import types
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from unittest import mock

import numba
import pytest

import rookery

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXTRAS = {
    "README.md": ("matplotlib",),
    "docs/cookbook.md": ("networkx",),
    "docs/experiments.md": ("matplotlib", "pandas", "scipy"),
    "docs/playing.md": ("pyspiel",),
    "docs/running.md": ("pandas",),
    "docs/tutorial.md": ("matplotlib",),
}
"""Pages whose code needs packages beyond those that the library requires."""
PUBLIC = ["rookery", *(f"rookery.{module}" for module in rookery._MODULES)]
MODULES = ["rookery", *(module.name for module in pkgutil.walk_packages(rookery.__path__, "rookery."))]

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r" at \S+:\d+")  # in messages: a page shows the file of a reader
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="budgets of the pages are made for compiled code")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[tuple[int, str, str | None]]:
    """Line, code and, if the page shows it, output of each block of Python."""
    text = page.read_text(encoding="utf-8")
    fences = FENCE.finditer(text)
    for fence, following in pairwise([*fences, None]):
        if fence["language"] == "python":
            shown = following is not None and following["language"] == "text"
            adjacent = shown and not text[fence.end() : following.start()].strip()
            line = text.count("\n", 0, fence.start("body"))
            yield line, fence["body"], following["body"] if adjacent else None


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@compiled
@pytest.mark.parametrize("page", [page for page in PAGES if any(blocks(page))], ids=name)
def test_the_python_of_a_page_runs_and_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    for package in EXTRAS.get(name(page), ()):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    module = types.ModuleType(f"page_{page.stem}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for line, code, expected in blocks(page):
        code = code.replace('if __name__ == "__main__":', "if True:")  # as if the page were the script
        program = compile("\n" * line + code, str(page), "exec", dont_inherit=True)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, module.__dict__)
        if expected is not None:
            output, shown = (PLACE.sub(" at FILE:LINE", text) for text in (printed.getvalue(), expected))
            assert output == shown, f"{name(page)}, the block at line {line + 1}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_has_only_blocks_of_python_text_and_sh(page):
    text = page.read_text(encoding="utf-8")
    assert {fence["language"] for fence in FENCE.finditer(text)} <= {"python", "text", "sh"}
    assert text.count("```") == 2 * len(FENCE.findall(text)), "a block is not closed"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_local_links_of_a_page_resolve(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.finditer(text):
        target, _, anchor = link["target"].partition("#")
        if not re.match(r"[a-z]+:", target):
            file = (page.parent / target).resolve() if target else page
            assert file.exists(), f"{name(page)}: {link['target']}"
            assert not anchor or anchor in anchors(file), f"{name(page)}: {link['target']}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name)
def test_no_two_headings_of_a_page_are_the_same(page):
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    assert len(headings) == len(set(headings))


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            links = LINK.finditer(page.read_text(encoding="utf-8"))
            targets = [(page.parent / link["target"].partition("#")[0]).resolve() for link in links]
            waiting += [target for target in targets if target in PAGES]
    assert {name(page) for page in PAGES} == {name(page) for page in reached}


@pytest.mark.parametrize("module", PUBLIC)
def test_the_api_page_lists_exactly_what_a_public_module_has(module):
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = text.partition(f"## `{module}`\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    listed = [re.split(r"[.(]", code)[0] for cell in cells for code in re.findall(r"`([^`]+)`", cell)]
    assert sorted(listed) == sorted(importlib.import_module(module).__all__)


@pytest.mark.parametrize("module", PUBLIC)
def test_the_api_page_has_the_parameters_in_their_order_and_all_unless_it_says_so(module):
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = text.partition(f"## `{module}`\n")[2].partition("\n## ")[0]
    for cell in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE):
        for call in re.finditer(r"`(?P<name>[\w.]+)\((?P<parameters>[^`]*)\)`", cell):
            found = operator.attrgetter(call["name"])(importlib.import_module(module))
            known = list(inspect.signature(getattr(found, "py_func", found)).parameters)
            listed = call["parameters"].replace("*", "").split(", ") if call["parameters"] else []
            if "..." in listed:
                assert listed[:-1] == known[: len(listed) - 1], call[0]
            else:
                assert listed == known, call[0]


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_can_be_found(module):
    found = importlib.import_module(module)
    assert [name for name in found.__all__ if not hasattr(found, name)] == []


@compiled
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_hold(module):
    with mock.patch.dict(os.environ):  # an example may change it
        failed, _ = doctest.testmod(importlib.import_module(module))
    assert failed == 0
