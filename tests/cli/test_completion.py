"""The Tab key: what bash, zsh and fish are offered, by the variables with which they ask."""

from __future__ import annotations

import pytest

from rookery.cli import main

SHELLS = ("bash", "zsh", "fish")


def asks(shell: str, line: str) -> dict[str, str]:
    """How a shell asks how a line may go on."""
    if shell == "bash":
        return {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    return {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}


def read(shell: str, answer: str) -> list[str]:
    """The words that a shell is offered, without descriptions."""
    if shell == "zsh":
        return [part.split('"')[1] for part in answer.partition("((")[2].splitlines()]
    return [line.split("\t")[0] for line in answer.splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rookery sol", ["solve"]),
        ("rookery solve mor", ["morpion", "morpion-tuned"]),
        ("rookery solve tsp -p ", ["n=50", "seed=0", "code=directed"]),
        ("rookery solve tsp -p n=5 -p s", ["seed=0"]),
        ("rookery match brea", ["breakthrough"]),
        ("rookery match breakthrough --parameter s", ["size=8"]),
        ("rookery match breakthrough --b u", ["uct"]),
        ("rookery solve --algorithm n", ["nrpa", "nmcs"]),
        ("rookery check no", ["nogo"]),
        ("rookery solve tsp --executor p", ["processes"]),
        ("rookery solve mine.py:Words -p ", []),
    ],
)
def test_a_shell_is_offered_what_there_is(
    shell: str,
    line: str,
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, value in {"_ROOKERY_COMPLETE": f"complete_{shell}", **asks(shell, line)}.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    answer = capfd.readouterr()
    assert (read(shell, answer.out), answer.err) == (offered, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_installed_for_a_shell(
    shell: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: shell)
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    assert main(["--install-completion"]) == 0
    out = capfd.readouterr().out
    assert f"{shell} completion installed in {tmp_path}" in out
    assert main(["--show-completion"]) == 0
    assert "_ROOKERY_COMPLETE" in capfd.readouterr().out
