"""The pages of the site, made from those of docs, which are written to read well where the code is hosted too.

They differ in little: links that leave docs lead to pages of the site, names of the library lead to their
descriptions, and the tables of the home page become the order of the sidebar. A notebook is a page too.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from api import Names, api_pages

HOME, OVERVIEW = "index", "api"
BESIDE = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}
"""Pages of the site that are not in docs."""

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s]+)(?=\))")
WAY_BACK = re.compile(r"\n\[(?:All pages|Back to the start)\]\([^)]+\)\n\Z")
"""The last line of a page: on the site the sidebar does it."""
CODE = re.compile(r"(?<![`\[{}])`(?P<shown>rk(?P<name>(?:\.\w+)+)(?:\([^`|<>]*\))?)`(?![`\]])")
SECTION = re.compile(r"^## (?P<title>.*)\n(?P<body>(?:(?!## ).*\n)*)", re.MULTILINE)


def stage(root: Path, folder: Path) -> None:
    """Write the pages of the site into a folder, which is emptied first."""
    docs = root / "docs"
    names = Names.read(docs / f"{OVERVIEW}.md")
    kept = [*docs.rglob("*.md"), *docs.rglob("*.ipynb")]
    sources = {page.relative_to(docs).with_suffix("").as_posix(): page for page in kept}
    sources |= {name: root / file for name, file in BESIDE.items()}
    pages = {f"{name}.md": site_page(root, page, sources, names) for name, page in sources.items()}
    reference = api_pages(names)
    pages[f"{HOME}.md"] += sidebar(pages[f"{HOME}.md"])
    pages[f"{OVERVIEW}.md"] += toctree("", [name.removesuffix(".rst") for name in reference])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(docs / "images", folder / "images")
    for name, text in (pages | reference).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, page in sources.items():
        if page.suffix == ".ipynb":
            shutil.copy(page, folder / f"{name}.ipynb")


def site_page(root: Path, page: Path, sources: Mapping[str, Path], names: Names) -> str:
    """A page as the site has it; its lines stay where they are, so that a warning names the right one."""
    text = page.read_text(encoding="utf-8")
    text = notebook(text) if page.suffix == ".ipynb" else WAY_BACK.sub("", text)
    where = {path: f"{name}.md" for name, path in sources.items()}
    where[root / "README.md"] = f"{HOME}.md"  # the first page of the code, as the home page is of the site
    here = PurePosixPath(where[page]).parent

    def link(found: re.Match[str]) -> str:
        target, mark, anchor = found["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return found["target"]
        path = (page.parent / target).resolve()
        if path in where:
            return _relative(where[path], here) + mark + anchor
        if path.is_relative_to(root / "docs" / "images"):
            return _relative(path.relative_to(root / "docs").as_posix(), here)
        return f"code:{path.relative_to(root).as_posix()}"

    def lines(prose: str) -> str:
        prose = LINK.sub(link, prose)
        if page.stem == OVERVIEW:
            prose = "\n".join(map(names.linked, prose.split("\n")))
        return "\n".join(line if line.startswith("#") else CODE.sub(names.link, line) for line in prose.split("\n"))

    taken = f"\nThis page is a notebook: [{page.name}]({page.name}).\n" if page.suffix == ".ipynb" else ""
    return between_fences(text, lines) + taken


def notebook(text: str) -> str:
    """The texts and the code of a notebook as a page, without commands to the notebook itself."""
    parts = []
    for cell in json.loads(text)["cells"]:
        lines = [line for line in "".join(cell["source"]).split("\n") if not line.startswith("%")]
        body = "\n".join(lines).strip()
        parts.append(body if cell["cell_type"] == "markdown" else f"```python\n{body}\n```")
    return "\n\n".join(parts) + "\n"


def between_fences(text: str, change: Callable[[str], str]) -> str:
    """A page with its prose changed and its blocks of code as they are."""
    parts, at = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, change(text[at:])])


def sidebar(home: str) -> str:
    """The tables of links of the home page, section by section, as tables of contents."""
    found = ""
    for section in SECTION.finditer(home):
        cells = re.findall(r"^\| ([^|]*)\|", section["body"], re.MULTILINE)
        links = re.findall(r"\]\(([\w/-]+)\.md\)", " ".join(cells))
        found += toctree(section["title"], links) if links else ""
    return found


def toctree(caption: str, pages: list[str]) -> str:
    """A table of contents that only the sidebar shows."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["\n```{toctree}", *options, "", *pages, "```", ""])


def _relative(target: str, folder: PurePosixPath) -> str:
    return PurePosixPath("../" * len(folder.parts), target).as_posix()
