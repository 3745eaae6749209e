"""Make the games and boards of this folder again: ``python tests/data/make.py``, a minute or two.

The games are what short searches find, the boards are generated; both depend on the seeds below alone.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import rookery as rk
from rookery.disk import write_text
from rookery.problems.morpion.formats import game_json, write_game
from rookery.problems.samegame.formats import boards_text

HERE = Path(__file__).parent
SEARCH = rk.NRPA(level=3, iterations=50)
GAMES = (("5T", 1), ("5T", 2), ("5D", 2), ("4T", 1), ("4D", 1))
"""Variants and seeds."""
IN_PENTASOL = (("5T", 2), ("5D", 2))
BOARDS = range(1, 21)
"""Seeds."""


def make_game(variant: str, seed: int) -> None:
    problem = rk.problems.Morpion(variant)
    game = problem.game(rk.solve(problem, SEARCH, seed=seed).moves)
    name = f"nrpa{game.score}"
    how = f"NRPA of level {SEARCH.level} with {SEARCH.iterations} iterations, seed {seed}"
    text = json.dumps(game_json(game, id=name, source="tests/data/make.py", description=how))
    write_text(HERE / "morpion" / f"{variant}_{name}.json", text + "\n")
    if (variant, seed) in IN_PENTASOL:
        write_game(game, HERE / "morpion" / f"{name}.psol")


def make_instance(name: str, problem: rk.Problem) -> None:
    """An instance in the text format of its problem: its one line, with lines where that has slashes."""
    text = type(problem)(*(getattr(problem, field.name) for field in fields(problem))).parameters()["instance"]
    write_text(HERE / name, text.replace(" / ", "\n").replace(" /", "\n"))


def main() -> None:
    for folder in ("morpion", "samegame", "tsptw", "jobshop"):
        (HERE / folder).mkdir(exist_ok=True)
    for variant, seed in GAMES:
        make_game(variant, seed)
    boards = [rk.problems.SameGame.build(seed=seed).cells for seed in BOARDS]
    write_text(HERE / "samegame" / "boards20.txt", boards_text(boards))
    make_instance("tsptw/own12.txt", rk.problems.TSPTW.build(n=12, seed=2))
    make_instance("jobshop/own10x3.txt", rk.problems.JobShop.build(jobs=10, machines=3, seed=1))


if __name__ == "__main__":
    main()
