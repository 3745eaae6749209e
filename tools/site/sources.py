"""A Sphinx extension: files of the project that pages name, with their colours, as pages of the site.

A page links to ``code:src/rookery/rng.py``, and so does the description of a name to where it is defined. A folder
becomes a list of its files.
"""

from __future__ import annotations

import importlib
import inspect
import subprocess
from collections.abc import Iterator
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
SCHEME, FOLDER = "code:", "code"
NAMED: set[str] = set()
"""The files that pages link to, as they are met."""
LANGUAGES = {".py": "python", ".js": "javascript", ".css": "css", ".html": "html", ".md": "markdown", ".toml": "toml"}


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """Where a name is defined, for ``sphinx.ext.linkcode``."""
    found: Any = importlib.import_module(info["module"])
    for part in info["fullname"].split("."):
        found = getattr(found, part, None)
    found = inspect.unwrap(getattr(getattr(found, "fget", found), "py_func", getattr(found, "fget", found)))
    try:
        file, line = inspect.getsourcefile(found), inspect.getsourcelines(found)[1]
    except (TypeError, OSError):  # a number, or what has no text of its own
        return None
    path = Path(file or "")
    return f"{SCHEME}{path.relative_to(ROOT).as_posix()}#line-{line}" if path.is_relative_to(ROOT) else None


def point_at_sources(app: Any, doctree: nodes.document, docname: str) -> None:
    """Turn links to files into links to their pages, and note which there are."""
    for node in doctree.findall(nodes.reference):
        if node.get("refuri", "").startswith(SCHEME):
            name, mark, anchor = node["refuri"].removeprefix(SCHEME).partition("#")
            NAMED.add(name)
            node["refuri"] = app.builder.get_relative_uri(docname, f"{FOLDER}/{name}") + mark + anchor


def source_pages(app: Any) -> Iterator[tuple[str, dict[str, str], str]]:
    """A page for each file that is linked to, and for each file of a folder that is."""
    waiting, made = sorted(NAMED), set()
    while waiting:
        name = waiting.pop()
        if name in made:
            continue
        made.add(name)
        path = ROOT / name
        if path.is_dir():
            inside = [f"{name}/{child}" for child in children(path)]
            waiting += inside
            body = "".join(f"<li>{_link(app, name, other)}</li>" for other in inside)
            body = f"<ul>{body}</ul>"
        else:
            language = LANGUAGES.get(path.suffix, "text")
            text = path.read_text(encoding="utf-8")
            body = app.builder.highlighter.highlight_block(text, language, linenos="inline", lineanchors="line")
        yield f"{FOLDER}/{name}", {"title": name, "body": f"<h1>{escape(name)}</h1>{body}"}, "page.html"


def children(folder: Path) -> list[str]:
    """The texts and folders that the project keeps in a folder; without git, all that are there."""
    kept = subprocess.run(["git", "ls-files", "."], cwd=folder, capture_output=True, text=True, check=False)
    names = kept.stdout.splitlines() or [path.relative_to(folder).as_posix() for path in folder.rglob("*.*")]
    return sorted({PurePosixPath(name).parts[0] for name in names if PurePosixPath(name).suffix in LANGUAGES})


def _link(app: Any, here: str, other: str) -> str:
    uri = app.builder.get_relative_uri(f"{FOLDER}/{here}", f"{FOLDER}/{other}")
    return f'<a href="{escape(uri)}"><code>{escape(PurePosixPath(other).name)}</code></a>'


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("doctree-resolved", point_at_sources)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
