"""The code map: its figures on a small package of known shape, and the walk between two files."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parents[2] / "tools"

PACKAGE = {
    "__init__.py": "from nestlings.run import run\n",
    "tasks.py": "class Task: ...\nclass EggTask(Task): ...\n",
    "errors.py": "",
    "run.py": """
from typing import TYPE_CHECKING
from nestlings.tasks import EggTask, Task
if TYPE_CHECKING:
    from nestlings import errors

def run(x):
    from nestlings.search import hatch
    return isinstance(x, EggTask), isinstance(x, (int, Task)), isinstance(x, str), type(x) is hatch.Hatch

def kind(x):
    match x:
        case EggTask():
            return 1
""",
    "search/__init__.py": "",
    "search/hatch.py": """
from dataclasses import dataclass
from nestlings.tasks import EggTask

@dataclass(frozen=True)
class Hatch: ...

@dataclass
class _Inner: ...

ALL = {"hatch": Hatch}

def tests(x):
    import nestlings.run
    return isinstance(x, tuple(ALL.values())), isinstance(x, _Inner)
""",
}


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"rookery_tools_{name}", TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


code_map = load("map")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "nestlings"
    for name, source in PACKAGE.items():
        path = root / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(source, encoding="utf-8")
    return root


def test_sizes_count_modules_and_lines_by_folder(package: Path) -> None:
    assert code_map.sizes(package) == {".": (4, 17), "search": (2, 15)}
    assert code_map.root_modules(package) == ["errors", "run", "tasks"]


def test_imports_inside_functions_count_and_those_for_types_do_not(package: Path) -> None:
    graph = code_map.imports(package)
    assert graph["run"] == {"tasks", "search"}
    assert code_map.cycles(graph) == [["run", "search"]]
    assert code_map.cycles(code_map.folders_only(graph, package)) == [[".", "search"]]


def test_cycles_are_components_and_a_chain_is_none() -> None:
    assert code_map.cycles({"a": {"b"}, "b": {"c"}}) == []
    assert code_map.cycles({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}}) == [
        ["c", "d", "e"],
        ["a", "b"],
    ]


def test_tests_for_one_class_are_told_from_tests_for_any(package: Path) -> None:
    some, any_ = code_map.class_tests(package)
    assert some == ["run.py:9: EggTask", "run.py:9: hatch.Hatch", "run.py:13: EggTask"]
    assert any_ == ["run.py:9: (int, Task)", "search/hatch.py:15: tuple(ALL.values())"]


def test_a_walk_counts_modules_and_places_of_calls(tmp_path: Path) -> None:
    (tmp_path / "wing.py").write_text("def flap():\n    return [1]\n", encoding="utf-8")
    (tmp_path / "bird.py").write_text(
        "def fly(flap):\n    for _ in range(3):\n        flap()\n    return list(map(lambda _: flap(), [1]))\n",
        encoding="utf-8",
    )
    spaces: list[dict[str, object]] = [{}, {}]
    for name, space in zip(("wing.py", "bird.py"), spaces, strict=True):
        exec(compile((tmp_path / name).read_text(encoding="utf-8"), str(tmp_path / name), "exec"), space)
    fly, flap = spaces[1]["fly"], spaces[0]["flap"]
    watched = load("walk").walk(lambda: fly(flap), tmp_path)  # type: ignore[operator]
    assert watched.modules == {"bird.py", "wing.py"}
    assert len(watched.switches) == 2
