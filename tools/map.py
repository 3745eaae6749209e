"""Figures of the code map: sizes, import cycles, tests on classes, the walk of ``solve``.

python tools/map.py [CHECKOUT] [--json]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import grimp

HERE = Path(__file__).parent
ENTRIES = ("__init__", "__main__", "_version")
ROOTS = ("Search", "GameSearch", "Task")
IMPORT = "import time, numba; t = time.process_time(); import rookery; print(time.process_time() - t)"

Graph = dict[str, set[str]]


@dataclass(frozen=True)
class Figures:
    """What is printed; ``folders`` are modules and lines by name, the root modules under ``"."``."""

    folders: dict[str, tuple[int, int]]
    modules: int
    lines: int
    root_modules: int
    public_names: int
    cycles: list[list[str]]
    folder_cycles: list[list[str]]
    tests: list[str]
    tests_on_any: list[str]
    walk_modules: list[str]
    walk_switches: int
    import_seconds: float


# --- sizes ---


def sizes(package: Path) -> dict[str, tuple[int, int]]:
    """Modules and lines of each folder of the package, those of its subfolders included."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).parts
        folder = parts[0] if len(parts) > 1 else "."
        modules[folder] += 1
        lines[folder] += len(path.read_text(encoding="utf-8").splitlines())
    return {folder: (modules[folder], lines[folder]) for folder in sorted(modules)}


def root_modules(package: Path) -> list[str]:
    """The modules in the root of the package, without those that must be there."""
    return sorted(path.stem for path in package.glob("*.py") if path.stem not in ENTRIES)


# --- imports ---


def imports(package: Path) -> Graph:
    """Who imports whom among the direct children of the package, also inside functions, not for types alone."""
    sys.path.insert(0, str(package.parent))
    try:
        graph = grimp.build_graph(package.name, exclude_type_checking_imports=True, cache_dir=None)
    finally:
        sys.path.remove(str(package.parent))
    found: Graph = defaultdict(set)
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            if "." in module and "." in imported:
                found[module.split(".")[1]].add(imported.split(".")[1])
    return dict(found)


def folders_only(graph: Graph, package: Path) -> Graph:
    """The same with all root modules as one folder; the entries are left out: they import all that is public."""
    found: Graph = defaultdict(set)
    names = {name: name if (package / name).is_dir() else "." for name in graph.keys() | set().union(*graph.values())}
    for name, others in graph.items():
        if name not in ENTRIES:
            found[names[name]] |= {names[other] for other in others if other not in ENTRIES}
    return dict(found)


def cycles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node, the largest first."""
    reached = {name: _reach(graph, name) for name in graph}
    found = {frozenset(o for o in reached[name] if name in reached.get(o, ())) for name in graph}
    return sorted((sorted(names) for names in found if len(names) > 1), key=lambda names: (-len(names), names))


def _reach(graph: Graph, start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


# --- tests on classes ---


def class_tests(package: Path) -> tuple[list[str], list[str]]:
    """The places that test for certain searches or tasks, and those that ask whether something is one at all."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))}
    classes = set(_classes(trees, package))
    tables = {name for tree in trees.values() for name in _tables(tree, classes)} | {*ROOTS}
    some, any_ = [], []
    for path, tree in trees.items():
        tests = sorted(_tested(tree), key=lambda test: test.lineno)
        for test in tests:
            place = f"{path.relative_to(package).as_posix()}:{test.lineno}: {ast.unparse(test)}"
            if (names := _names(test)) & (classes - {*ROOTS}):
                some.append(place)
            elif names & tables:
                any_.append(place)
    return some, any_


def _classes(trees: dict[Path, ast.Module], package: Path) -> Iterator[str]:
    """The names of tasks, and of public classes below ``search`` that are dataclasses or derive from a search."""
    for path, tree in trees.items():
        searches = path.relative_to(package).parts[0] == "search"
        for node in ast.walk(tree):
            if not isinstance(node, ast.ClassDef):
                continue
            marks = {name for part in (*node.decorator_list, *node.bases) for name in _names(part)}
            made = "dataclass" in marks or any(mark.endswith("Search") for mark in marks)
            if node.name.endswith("Task") or (searches and made and not node.name.startswith("_")):
                yield node.name


def _tables(tree: ast.Module, classes: set[str]) -> Iterator[str]:
    """The names of a module's tuples, dicts and unions of such classes."""
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Tuple, ast.Dict, ast.BinOp)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if _names(node.value) & classes:
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def _tested(tree: ast.Module) -> Iterator[ast.expr]:
    """What is tested for: the class argument of isinstance and issubclass, of ``type(x) is``, of a case."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, wanted]):
                yield wanted
            case ast.Compare(left=ast.Call(func=ast.Name(id="type")), comparators=[wanted]):
                yield wanted
            case ast.MatchClass(cls=wanted):
                yield wanted


def _names(node: ast.AST) -> set[str]:
    found = (part.id if isinstance(part, ast.Name) else getattr(part, "attr", None) for part in ast.walk(node))
    return {name for name in found if name is not None}


# --- the package at work ---


def output(checkout: Path, *arguments: str) -> str:
    """What a fresh Python prints that imports the package of a checkout."""
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def figures(checkout: Path) -> Figures:
    """All figures of a checkout."""
    package = checkout / "src" / "rookery"
    folders = sizes(package)
    graph = imports(package)
    some, any_ = class_tests(package)
    output(checkout, str(HERE / "walk.py"))  # compiles, so that the next process loads, whatever the cache held
    walk = json.loads(output(checkout, str(HERE / "walk.py")))
    return Figures(
        folders=folders,
        modules=sum(modules for modules, _ in folders.values()),
        lines=sum(lines for _, lines in folders.values()),
        root_modules=len(root_modules(package)),
        public_names=walk["public"],
        cycles=cycles(graph),
        folder_cycles=cycles(folders_only(graph, package)),
        tests=some,
        tests_on_any=any_,
        walk_modules=walk["modules"],
        walk_switches=walk["switches"],
        import_seconds=round(median(float(output(checkout, "-c", IMPORT)) for _ in range(5)), 3),
    )


# --- printing ---


def text(found: Figures) -> Iterator[str]:
    """The figures as lines."""
    for folder, (modules, lines) in found.folders.items():
        yield f"{folder:16}{modules:5} modules{lines:8,} lines"
    yield f"{'all':16}{found.modules:5} modules{found.lines:8,} lines"
    yield f"\nroot modules besides {', '.join(ENTRIES)}: {found.root_modules}"
    yield f"public names: {found.public_names}"
    yield f"import cycles among folders and root modules: {len(found.cycles)}"
    yield from indented(" ".join(names) for names in found.cycles)
    yield f"import cycles among folders, the root modules (.) as one: {len(found.folder_cycles)}"
    yield from indented(" ".join(names) for names in found.folder_cycles)
    yield f"tests for certain searches or tasks: {len(found.tests)}"
    yield from indented(found.tests)
    yield f"tests whether something is a search or task at all: {len(found.tests_on_any)}"
    yield from indented(found.tests_on_any)
    yield f"walk of solve(TSP, NRPA), warm: {len(found.walk_modules)} modules, {found.walk_switches} switches"
    yield "  a switch is a place in the code and a function of another module that a call from there reaches"
    yield f"import rookery after Numba: {found.import_seconds:.2f} s of the processor (median of 5)"


def indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path, nargs="?", default=HERE.parent, help="by default the one of this file")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    found = figures(options.checkout.resolve())
    print(json.dumps(asdict(found), indent=2) if options.json else "\n".join(text(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
