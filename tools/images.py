"""Makes the pictures of the documentation, each by what the pages themselves say, and photographs what a browser shows.

    python tools/images.py              all of them, into docs/images
    python tools/images.py demo.svg     one of them, with what is made by the same commands

- A block of shell commands that writes a picture which a page shows makes that picture.
- So does the Python of a page, run from its beginning.
- The layers are drawn from pyproject.toml, the papers and the power suite from docs/data, and the rest are screenshots.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
FENCE = re.compile(r"^```(?P<language>sh|python)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"!\[[^\]]*\]\((?:docs/)?images/(?P<name>[^)]+)\)")
WRITTEN = re.compile(r"""(?<=[ "])[\w-]+\.(?:svg|png|gif)\b""")

Maker = Callable[[], None]


def main() -> None:
    """Make the pictures that are named, or all."""
    known = makers()
    wanted = set(sys.argv[1:]) or set(known)
    if unknown := sorted(wanted - set(known)):
        sys.exit(f"there is no way to make {', '.join(unknown)}; these can be made: {' '.join(sorted(known))}")
    done: set[Maker] = set()
    for name, maker in sorted(known.items()):
        if name in wanted and maker not in done:
            done.add(maker)
            print(name, flush=True)
            maker()


def shown() -> set[str]:
    """The pictures that the pages show."""
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    return {found["name"] for page in pages for found in SHOWN.finditer(page.read_text(encoding="utf-8"))}


def makers() -> dict[str, Maker]:
    """What makes each picture: commands of a page, its Python, or a program of its own."""
    wanted = shown()
    found: dict[str, Maker] = {"layers.svg": _layers, "power.svg": _power}
    found |= {name: _screens for name in wanted if name.startswith("serve-") or name == "notebook.png"}
    found |= {name: _papers for name in wanted if name.startswith("papers/")}
    for page in sorted(DOCS.glob("*.md")):
        program = ""
        for block in FENCE.finditer(page.read_text(encoding="utf-8")):
            names = set(WRITTEN.findall(block["body"])) & wanted
            if again := names & set(found):
                raise SystemExit(f"there are two ways to make {', '.join(again)}; the second is in {page.name}")
            if block["language"] == "python":
                program += block["body"]
                found |= dict.fromkeys(names, _python(program, names))
            else:
                found |= dict.fromkeys(names, _shell(block["body"], names))
    return found


def _shell(commands: str, names: set[str]) -> Maker:
    """Runs the commands of a block that are ours, in an empty folder, and keeps the pictures."""

    def make() -> None:
        with tempfile.TemporaryDirectory() as folder:
            for line in commands.replace("\\\n", " ").splitlines():
                if words := shlex.split(line, comments=True):
                    if words[0] != "rookery":
                        raise SystemExit(f"a picture is made by rookery alone, not by: {line}")
                    _run(["-m", *words], folder)
            keep(folder, names)

    return make


def _python(program: str, names: set[str]) -> Maker:
    """Runs the Python of a page, up to and including the block that writes the pictures."""

    def make() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.py"
            file.write_text(program, encoding="utf-8")
            _run([str(file)], folder)
            keep(folder, names)

    return make


def _layers() -> None:
    _run([str(ROOT / "tools" / "draw_layers.py")], ROOT)


def _papers() -> None:
    _run(["-m", "rookery", "paper", "--page", str(DOCS / "reproducing.md"), "--data", str(DOCS / "data")], ROOT)


def _power() -> None:
    from rookery.experiments.judgement import Judgement

    Judgement.load(DOCS / "data" / "power.json").plot(IMAGES / "power.svg")


def _screens() -> None:
    _run([str(ROOT / "tools" / "screenshots.py"), str(IMAGES)], ROOT)


def _run(arguments: list[str], folder: str | Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "agg"}
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)


def keep(folder: str | Path, names: set[str]) -> None:
    """Put pictures in their place."""
    for name in names:
        shutil.copy(Path(folder) / name, IMAGES / name)


if __name__ == "__main__":
    main()
