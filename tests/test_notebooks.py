"""The notebooks of the documentation run from the first cell to the last, and are kept without what a run leaves."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numba
import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"
SHOWN = {
    "compare": {WIDGET, "image/png"},
    "play": {"image/svg+xml", "text/html"},
    "tutorial": {WIDGET, "image/svg+xml", "text/html"},
}
"""What the cells of each notebook show beside text."""
EXTRAS = {"compare": ("anywidget", "matplotlib", "scipy"), "tutorial": ("anywidget",)}
LAST_CELL = """
import sys, threading

for thread in threading.enumerate():
    if thread.name == "rookery-widget":
        thread.join(60)
if "ipywidgets" in sys.modules:
    for view in list(sys.modules["ipywidgets.widgets.widget"]._instances.values()):
        view.send_state()
print(sys.executable)
"""
"""Views send what they show once more: nbclient drops what they send after the cell that made them has ended."""
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")

each = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="budgets of the notebooks are made for compiled code")
@each
def test_a_notebook_runs_and_shows_what_it_is_about(file, tmp_path, monkeypatch):
    for package in EXTRAS.get(file.stem, ()):
        pytest.importorskip(package)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    notebook = nbformat.read(file, 4)
    notebook.cells.append(nbformat.v4.new_code_cell(LAST_CELL))
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs.pop().text.strip() == sys.executable
    shown = {kind for output in outputs for kind in output.get("data", {})}
    assert shown - {"text/plain"} == SHOWN[file.stem]
    assert [output for output in outputs if output.get("name") == "stderr"] == []
    if WIDGET in shown:
        assert any("<svg" in state.get("picture", "") for state in client.widget_state.values())


@each
def test_a_notebook_is_kept_without_outputs_and_without_places_on_a_machine(file):
    text = file.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, 4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.metadata == {}
        assert cell.cell_type != "code" or (cell.outputs, cell.execution_count) == ([], None)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.language_info == {"name": "python"}
    assert re.findall(r"/(?:home|root|tmp|Users|data|work)/|[A-Z]:\\\\", text) == []
    assert len(text) < 20_000


@each
def test_the_local_links_of_a_notebook_resolve(file):
    words = "\n".join(cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == "markdown")
    targets = [link["target"] for link in LINK.finditer(words)]
    assert targets
    for target in targets:
        assert re.match(r"[a-z]+:", target) or (FOLDER / target.partition("#")[0]).exists(), target


def test_the_notebooks_are_those_that_were_decided():
    assert [file.stem for file in NOTEBOOKS] == sorted(SHOWN)
