"""The documentation site: its pages are those of docs, its links hold, and it asks nobody else for anything."""

from __future__ import annotations

import importlib
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import rookery

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "site"))

from api import Names, api_pages
from check import faults
from pages import sidebar, site_page
from sources import linkcode_resolve

ROOT = Path(__file__).resolve().parents[2]
NAMES = Names.read(ROOT / "docs" / "api.md")
PUBLIC = ["rookery", *(f"rookery.{module}" for module in rookery._MODULES)]


def staged(folder: Path, text: str) -> str:
    """A page of a project with another page, a changelog and a program, as the site has it."""
    page = folder / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(text)
    sources = {"page": page, "other": folder / "docs" / "other.md", "changelog": folder / "CHANGELOG.md"}
    return site_page(folder, page, sources, NAMES)


@pytest.mark.parametrize(
    ("link", "leads_to"),
    [
        ("other.md#part", "other.md#part"),
        ("#part", "#part"),
        ("https://example.com/a.md", "https://example.com/a.md"),
        ("images/a.svg", "images/a.svg"),
        ("../CHANGELOG.md", "changelog.md"),
        ("../README.md", "index.md"),
        ("../examples/nim.py", "code:examples/nim.py"),
    ],
)
def test_links_lead_to_pages_of_the_site_and_to_the_pages_of_files(tmp_path, link, leads_to):
    assert staged(tmp_path, f"see [this]({link})\n") == f"see [this]({leads_to})\n"


def test_public_names_lead_to_their_descriptions(tmp_path):
    text = staged(tmp_path, "`rk.solve`, `rk.Result.load(path)`, `rk.problems.TSP`, `rk.nonsense`\n")
    assert text == (
        "{py:obj}`rk.solve <rookery.solve>`, {py:obj}`rk.Result.load(path) <rookery.Result.load>`, "
        "{py:obj}`rk.problems.TSP <rookery.problems.TSP>`, `rk.nonsense`\n"
    )


def test_headings_links_and_blocks_of_code_stay_as_they_are(tmp_path):
    text = "# On `rk.solve`\n\n[`rk.solve`](#on-rksolve)\n\n```python\nx = '`rk.solve`'  # [](other.md)\n```\n"
    assert staged(tmp_path, text) == text


def test_the_last_line_that_leads_back_is_left_out(tmp_path):
    assert staged(tmp_path, "The end.\n\n[All pages](index.md)\n") == "The end.\n"


def test_a_notebook_is_a_page_that_can_be_taken_away(tmp_path):
    source = {"markdown": ["# Play\n", "\n", "See [this](../page.md)."], "code": ["%matplotlib inline\n", "x = 1"]}
    page = tmp_path / "docs" / "notebooks" / "play.ipynb"
    page.parent.mkdir(parents=True)
    page.write_text(json.dumps({"cells": [{"cell_type": kind, "source": text} for kind, text in source.items()]}))
    sources = {"notebooks/play": page, "page": tmp_path / "docs" / "page.md"}
    assert site_page(tmp_path, page, sources, NAMES) == (
        "# Play\n\nSee [this](../page.md).\n\n```python\nx = 1\n```\n"
        "\nThis page is a notebook: [play.ipynb](play.ipynb).\n"
    )


def test_the_tables_of_the_home_page_are_the_sidebar_in_their_order():
    table = "| | |\n| --- | --- |\n| [B](b.md), [C](c/d.md) | [x](x.md) |\n| [A](a.md) | y |\n"
    home = f"# Home\n\n## Learn\n\n{table}\n## Words\n\n| a | b |\n"
    assert sidebar(home) == "\n```{toctree}\n:hidden:\n:caption: Learn\n\nb\nc/d\na\n```\n"


@pytest.mark.parametrize("module", PUBLIC)
def test_the_reference_describes_every_public_name(module):
    page = api_pages(NAMES)[f"api/{module}.rst"]
    described = {line.split(":: ")[1] for line in page.splitlines() if line.startswith((".. auto", ".. py:data"))}
    assert described == set(importlib.import_module(module).__all__)


def test_a_name_is_described_by_the_lines_that_define_it():
    where = linkcode_resolve("py", {"module": "rookery", "fullname": "Result.load"})
    assert where is not None
    file, _, line = where.removeprefix("code:").partition("#line-")
    assert "def load(" in "".join((ROOT / file).read_text().splitlines()[int(line) - 1 :][:2])
    assert linkcode_resolve("py", {"module": "rookery", "fullname": "INFEASIBLE"}) is None


def test_examples_after_parameters_are_not_taken_for_parameters():
    conf = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    lines = ["Do it.", "", "Parameters", "----------", "x", "    how", "", ">>> 1", "1"]
    conf["set_apart"](None, "function", "do", None, None, lines)
    assert lines[6:] == ["", "Examples", "--------", "", ">>> 1", "1"]
    assert conf["shorten"](None, "class", "C", None, None, "(a, b=<factory>, _c=(0, 1))", "") == ("(a, b=...)", "")


SITE = {
    "index.html": '<h1 id="top">A</h1><a href="sub/b.html#there">b</a><a href="https://example.com">out</a>'
    '<link rel="stylesheet" href="style.css"><img src="a.svg">',
    "sub/b.html": '<p id="there">B</p><a href="../index.html#top">a</a><a href="#there">here</a>',
    "style.css": "body { background: url(a.svg) }",
    "a.svg": "<svg/>",
}
FAULTS = [
    ("index.html", '<a href="c.html">', "index.html links to c.html, which is not there"),
    ("sub/b.html", '<a href="../index.html#bottom">', "sub/b.html links to ../index.html#bottom, which is not there"),
    ("index.html", '<a href="#bottom">', "index.html links to #bottom, which is not there"),
    ("index.html", '<img src="b.svg">', "index.html links to b.svg, which is not there"),
    (
        "index.html",
        '<script src="https://cdn.example/x">',
        "index.html loads https://cdn.example/x from elsewhere",
    ),
    ("index.html", '<link href="//fonts.example/x">', "index.html loads //fonts.example/x from elsewhere"),
    ("style.css", "@import '//fonts.example/x'", "style.css loads something from elsewhere"),
]


@pytest.mark.parametrize(("file", "added", "fault"), [("index.html", "", None), *FAULTS])
def test_links_to_nothing_and_loads_from_elsewhere_are_found(tmp_path, file, added, fault):
    for name, text in SITE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + (added if name == file else ""))
    assert list(faults(tmp_path)) == ([fault] if fault else [])


def test_a_link_to_a_heading_that_is_not_there_fails_the_build(tmp_path):
    (tmp_path / "index.md").write_text("# Home\n\n## Part\n\n[right](#part) and [wrong](#parts)\n")
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "dummy", "-c", ROOT / "docs"]
    done = subprocess.run([*sphinx, tmp_path, tmp_path / "out"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "index.md:5: WARNING: 'myst' cross-reference target not found: 'parts'" in done.stderr
