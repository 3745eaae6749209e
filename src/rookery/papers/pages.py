"""The page that shows all reproductions: a line for every item, then its rows and its picture."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from rookery.disk import as_text, file_bytes, write_text
from rookery.errors import InputError
from rookery.papers.catalogue import paper_named, paper_names
from rookery.papers.items import Item
from rookery.papers.pictures import plot
from rookery.papers.reproductions import Reproduced, Reproduction, markdown_row
from rookery.papers.rows import Row, hours, judged

BEGIN, END = "<!-- what follows is made by rookery paper --page -->", "<!-- what is made ends here -->"
PICTURES = Path("images") / "papers"
"""Where the pictures are, beside the page."""


def page(kept: Mapping[str, Reproduction]) -> str:
    """The reproductions that are kept, by the names of their papers, as Markdown.

    >>> print(page({}).splitlines()[0])
    | paper | item | | outcome | date | playouts | |
    """
    lines = ["| paper | item | | outcome | date | playouts | |", "| --- | --- | --- | --- | --- | ---: | ---: |"]
    parts = []
    for name in paper_names():
        paper = paper_named(name)
        parts.append(f"## {name}\n\n{paper.citation}.")
        if paper.note:
            parts.append(paper.note)
        found = {item.item: item for item in kept[name].items} if name in kept else {}
        for item in paper.items:
            done = found.get(item.name) or _not_run(item)
            lines.append(_line(name, item, done))
            parts.append(_part(name, item, done))
    return "\n\n".join(["\n".join(lines), *parts])


def write_page(path: str | os.PathLike[str], data: str | os.PathLike[str], pictures: bool = True) -> None:
    """Make the marked part of a page, and its pictures, from the reproductions in a folder."""
    text = as_text(file_bytes(path))
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{os.fspath(path)} must have the lines {BEGIN} and {END}, between which the page is made")
    kept = read_data(data)
    if pictures:
        folder = Path(path).parent / PICTURES
        folder.mkdir(parents=True, exist_ok=True)
        for name, reproduction in kept.items():
            for item in filter(drawn, reproduction.items):
                plot(item, folder / picture_name(name, item.item))
    write_text(path, f"{before}{BEGIN}\n\n{page(kept)}\n\n{END}{after}")


def read_data(data: str | os.PathLike[str]) -> dict[str, Reproduction]:
    """The reproductions that a folder holds, by the names of their papers."""
    files = {name: Path(data) / f"{name}.json" for name in paper_names()}
    return {name: Reproduction.load(file) for name, file in files.items() if file.exists()}


def picture_name(paper: str, item: str) -> str:
    """The file of the picture of an item.

    >>> picture_name("nrpa-2011", "figure 8")
    'nrpa-2011-figure-8.svg'
    """
    return f"{paper}-{item.replace(' ', '-')}.svg"


def drawn(item: Reproduced) -> bool:
    """Whether there is anything to draw."""
    return bool(item.series) or any(row.number is not None and row.their_number is not None for row in item.rows)


def _line(paper: str, item: Item, done: Reproduced) -> str:
    played = f"{done.playouts:,}" if done.playouts else ""
    took = hours(done.core_seconds) if done.core_seconds else ""
    link = f"[{item.name}](#{paper}-{item.name.replace(' ', '-')})"
    return markdown_row([paper, link, item.title, done.verdict, done.date, played, took])


def _not_run(item: Item) -> Reproduced:
    """An item of which nothing was computed yet: what each figure would need."""
    rows = [
        Row(cell.name, cell.labels, 0, needs=cell.work.cost * cell.samples["full"], theirs=cell.theirs.text)
        for cell in item.cells
    ]
    return Reproduced(item.name, item.title, "full", item.columns, judged(rows), not_available=item.not_available)


def _part(paper: str, item: Item, done: Reproduced) -> str:
    parts = [f"### {paper}: {item.name}", f"{item.title[0].upper()}{item.title[1:]}. {done.verdict.capitalize()}."]
    if done.rows and not item.not_available:
        parts.append(done.markdown())
    if drawn(done):
        parts.append(f"![{item.title}]({(PICTURES / picture_name(paper, item.name)).as_posix()})")
    if item.note:
        parts.append(item.note)
    return "\n\n".join(parts)
