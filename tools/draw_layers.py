"""Draws docs/images/layers.svg: the folders of the library, as the layers contract in pyproject.toml has them.

python tools/draw_layers.py
"""

from __future__ import annotations

import ast
import re
import tomllib
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "layers.svg"

WIDTH, HEIGHT, GAP, MARGIN = 860, 34, 6, 12
LETTER, PROSE = 7.2, 6.6
"""About the width of a letter, of a name and of other text."""
FOLDER, MODULE = "#e8f0fa", "#f2f2ee"
STYLE = """text { font-family: sans-serif; font-size: 12px; fill: #223 }
.name { font-family: monospace; font-weight: bold }
rect { stroke: #8a94a6 }"""


def layers(root: Path) -> list[list[str]]:
    """The layers, the uppermost first; names that stand side by side are in one."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(contract for contract in settings["contracts"] if contract["type"] == "layers")
    return [layer.split(" | ") for layer in contract["layers"]]


def about(root: Path, name: str, width: float) -> str:
    """As much of the docstring of a folder as there is room for."""
    text = (root / "src" / "rookery" / name / "__init__.py").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0].replace("``", "")
    for ends in (r"[.:](?:$| see )", "[.;]", "[.;:]", "[.;:,]"):
        clause = re.split(ends, first, maxsplit=1)[0]
        if LETTER * len(name) + PROSE * len(clause) + 30 <= width:
            return clause
    return ""


def rows(root: Path) -> list[tuple[bool, list[str]]]:
    """What is drawn in each row, and whether it is folders: modules one above the other share a row."""

    def is_folder(names: list[str]) -> bool:
        return (root / "src" / "rookery" / names[0]).is_dir()

    found: list[tuple[bool, list[str]]] = []
    for folders, group in groupby(layers(root), is_folder):
        if folders:
            found += [(True, names) for names in group]
        else:
            found.append((False, [name for names in group for name in names]))
    return found


def box(x: float, y: float, width: float, colour: str, name: str, text: str = "") -> str:
    shown = f'<tspan class="name">{escape(name)}</tspan>' + (f"  {escape(text)}" if text else "")
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}" rx="4" fill="{colour}"/>\n'
        f'<text x="{x + 10:g}" y="{y + HEIGHT / 2 + 4:g}" xml:space="preserve">{shown}</text>'
    )


def picture(root: Path) -> str:
    """The picture as SVG."""
    parts, y = [], MARGIN
    room = WIDTH - 2 * MARGIN
    for folders, names in rows(root):
        gaps = GAP * (len(names) - 1)
        letters = sum(map(len, names))
        spare = (room - gaps - LETTER * letters) / len(names)
        x = float(MARGIN)
        for name in names:
            width = (room - gaps) / len(names) if folders else spare + LETTER * len(name)
            text = about(root, name, width) if folders else ""
            parts.append(box(round(x, 1), y, round(width, 1), FOLDER if folders else MODULE, name, text))
            x += width + GAP
        y += HEIGHT + GAP
    height = y - GAP + MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    back = f'<rect width="{WIDTH}" height="{height}" fill="#fff" style="stroke: none"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", back, *parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(ROOT), encoding="utf-8")
