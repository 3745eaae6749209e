from __future__ import annotations

import json
from pathlib import Path

import pytest

import rookery as rk
from rookery.loading.presets import read_preset, save_preset


def test_a_preset_gives_back_the_search_with_values_by_level(tmp_path: Path) -> None:
    search = rk.NRPA(level=4, iterations={4: 10, 3: 50}, ties={4: 0.3})
    save_preset(tmp_path / "p.json", search)
    preset = read_preset(tmp_path / "p.json")
    assert rk.tools.make_search(preset.algorithm, preset.values) == search


def test_a_preset_of_a_search_for_games_leaves_the_limits_of_a_move_to_the_command(tmp_path: Path) -> None:
    save_preset(tmp_path / "p.json", rk.PPAF(playouts=77, alpha=0.3))
    assert rk.tools.load_game_search(str(tmp_path / "p.json"), playouts=5) == rk.PPAF(playouts=5, alpha=0.3)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("not json", "is not a preset"),
        ("[]", '"format" must be'),
        ('{"format": "rookery preset"}', '"algorithm" must be a text'),
        ('{"format": "rookery preset", "algorithm": "nrpa", "parameters": {"ties": {"x": 1}}}', "levels"),
    ],
)
def test_what_is_no_preset_is_refused_in_one_sentence(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "p.json").write_text(content)
    with pytest.raises(rk.InputError, match=told):
        read_preset(tmp_path / "p.json")


@pytest.mark.parametrize(
    ("algorithm", "parameters", "told"),
    [
        ("nrpa", {}, "which is not one of a game"),
        ("mine.py:Mine", {}, "which must be given with its parameters"),
        ("uct", {"depth": 3}, "does not have all of the parameters"),
        ("uct", {"c": -1}, "c must be at least 0"),
    ],
)
def test_a_preset_that_makes_no_search_for_a_game_is_refused(
    tmp_path: Path, algorithm: str, parameters: dict[str, int], told: str
) -> None:
    data = {"format": "rookery preset", "algorithm": algorithm, "parameters": parameters}
    (tmp_path / "p.json").write_text(json.dumps(data))
    with pytest.raises(rk.InputError, match=f"--a: .*{told}"):
        rk.tools.load_game_search(str(tmp_path / "p.json"), option="--a")
