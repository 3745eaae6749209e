"""What other programs read about the project is what they expect: workflows, issue forms, the citation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
FILES = [
    *(("github-workflows", path) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))),
    *(("github-issue-forms", path) for path in sorted(FORMS.glob("*.yml")) if path.name != "config.yml"),
    ("github-issue-config", FORMS / "config.yml"),
    ("citation-file-format", ROOT / "CITATION.cff"),
]


def check(schema: str, path: Path) -> subprocess.CompletedProcess[str]:
    """A file against a schema that comes with check-jsonschema; nothing is fetched."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    return subprocess.run(
        [*command, "--default-filetype", "yaml", str(path)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("schema", "path"), FILES, ids=[path.name for _, path in FILES])
def test_files_for_other_programs_follow_their_schemas(schema: str, path: Path) -> None:
    done = check(schema, path)
    assert done.returncode == 0, done.stdout


def test_there_are_workflows_and_issue_forms_to_check() -> None:
    assert {schema for schema, _ in FILES} == {
        *("github-workflows", "github-issue-forms", "github-issue-config", "citation-file-format"),
    }


def test_a_workflow_with_a_slip_is_noticed(tmp_path: Path) -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    (tmp_path / "slip.yml").write_text(text.replace("runs-on:", "run-on:", 1))
    assert check("github-workflows", tmp_path / "slip.yml").returncode == 1
