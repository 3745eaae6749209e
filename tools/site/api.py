"""The reference of the library, from its docstrings: a page for each public module, in the order of docs/api.md."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECTION = re.compile(r"^## `(?P<module>[\w.]+)`\n(?P<body>(?:(?!## ).*\n?)*)", re.MULTILINE)
ROW = re.compile(r"^\| (?P<cell>`.*?) \| (?P<about>.*) \|$")
HEADING = re.compile(r"^(?:### (?P<title>.*)|\| (?P<head>(?!name\b|---)[\w ]+) \| \|)$")
WITH_BASES = ("Game", "Problem", "PythonGame", "PythonProblem")
"""Classes that users derive from: what they inherit is theirs to define too."""


@dataclass(frozen=True)
class Names:
    """The public names: module -> its parts, each a title and what is said about each name, as a page lists them."""

    modules: dict[str, list[tuple[str, dict[str, str]]]]

    @classmethod
    def read(cls, overview: Path) -> Names:
        """The names that a page lists."""
        modules: dict[str, list[tuple[str, dict[str, str]]]] = {}
        for section in SECTION.finditer(overview.read_text(encoding="utf-8")):
            parts: list[tuple[str, dict[str, str]]] = [("", {})]
            for line in section["body"].split("\n"):
                if heading := HEADING.match(line):
                    parts.append((heading["title"] or heading["head"].capitalize(), {}))
                elif row := ROW.match(line):
                    codes = re.findall(r"`([^`]+)`", row["cell"])
                    parts[-1][1].update({bare(code): row["about"] for code in codes})
            modules[section["module"]] = [part for part in parts if part[1]]
        return cls(modules)

    def homes(self, name: str) -> list[str]:
        """The modules that have a name."""
        return [module for module, parts in self.modules.items() if any(name in part for _, part in parts)]

    def link(self, found: re.Match[str]) -> str:
        """The code of a name as a link to what describes it, if it is public: ``rk.solve`` or ``rk.Result.load``."""
        target = f"rookery{found['name']}"
        module, _, name = target.rpartition(".")
        owner, _, cls = module.rpartition(".")
        known = module in self.homes(name) or owner in self.homes(cls)
        return f"{{py:obj}}`{found['shown']} <{target}>`" if known else found[0]

    def linked(self, line: str) -> str:
        """A line of the page of all names, with the names in the first cell as links."""
        row = ROW.match(line)
        return line if row is None else line.replace(row["cell"], re.sub(r"`([^`]+)`", self._role, row["cell"]), 1)

    def _role(self, code: re.Match[str]) -> str:
        return f"{{py:obj}}`{code[1]} <{self.homes(bare(code[1]))[0]}.{bare(code[1])}>`"


def bare(code: str) -> str:
    """The name in a piece of code.

    >>> bare("TSP.build(n, seed, code)")
    'TSP'
    """
    return re.split(r"[.(]", code)[0]


def api_pages(names: Names) -> dict[str, str]:
    """A page for each module, by its file."""
    return {f"api/{module}.rst": api_page(names, module) for module in names.modules}


def api_page(names: Names, module: str) -> str:
    """What autodoc makes the reference of a module from."""
    found = importlib.import_module(module)
    lines = [module, "=" * len(module), "", f".. py:module:: {module}", "", (found.__doc__ or "").strip(), ""]
    for title, part in names.modules[module]:
        lines += [title, "-" * len(title), ""] if title else []
        for name, about in part.items():
            again = names.homes(name)[0] != module
            lines += [*entry(getattr(found, name), name, about, ["   :no-index:"] if again else []), ""]
    return "\n".join(lines)


def entry(found: Any, name: str, about: str, options: list[str]) -> list[str]:
    """The directive for one name, which a second module may have too: then links lead to the first."""
    if inspect.isclass(found):
        kind = "autoexception" if issubclass(found, BaseException) else "autoclass"
        inherited = ["   :inherited-members:"] if name in WITH_BASES else []
        return [f".. {kind}:: {name}", "   :members:", *inherited, *options]
    if callable(found):
        return [f".. autofunction:: {name}", *options]
    return [f".. py:data:: {name}", f"   :value: {found!r}", *options, "", f"   {about.replace('`', '``')}"]
