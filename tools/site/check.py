"""What is wrong with a built site: links to nothing, and anything that a page would fetch from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}
"""Tags that make a browser fetch something, and where they say what."""
FOREIGN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given:
            self.loads.append(given[LOADS[tag]])


def faults(folder: Path) -> Iterator[str]:
    """What is wrong, a line for each thing."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        for url in dict.fromkeys(page.loads):
            if foreign(url):
                yield f"{name} loads {url} from elsewhere"
        for url in dict.fromkeys([*page.links, *page.loads]):
            if not foreign(url) and not urlsplit(url).scheme and not leads_somewhere(path, url, pages):
                yield f"{name} links to {url}, which is not there"
    for path in sorted(folder.rglob("*.css")):
        if FOREIGN_STYLE.search(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(folder).as_posix()} loads something from elsewhere"


def foreign(url: str) -> bool:
    """Whether an address is on another machine.

    >>> foreign("//fonts.example/x.css"), foreign("_static/x.css")
    (True, False)
    """
    return bool(urlsplit(url).netloc)


def leads_somewhere(page: Path, url: str, pages: dict[Path, Page]) -> bool:
    """Whether there is what a page links to, the anchor too."""
    parts = urlsplit(url)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if target in pages and parts.fragment:
        return unquote(parts.fragment) in pages[target].anchors
    return target.is_file()
