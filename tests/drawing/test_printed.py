"""What people print: text in a terminal, the same or a picture in a notebook."""

from __future__ import annotations

import rookery as rk
from examples_of_games import PythonNim
from rookery.checking.report import Finding, Report

SIDES = rk.FlatMC(playouts=4), rk.FlatMC(playouts=2)
LEFT, SEARCH = rk.problems.LeftMove(depth=3), rk.NMCS(level=1)


def test_a_match_is_the_table_of_the_command() -> None:
    result = rk.match(PythonNim(5), *SIDES, games=2)
    lines = str(result).splitlines()
    assert [line.split()[0] for line in lines] == ["game", "a", "b", "games", "score", "a", "playouts", "time", "seed"]
    assert lines[1] == "a         flat, playouts=4"
    assert f"score     {result.wins_a} : {result.wins_b}" in lines
    assert f"score     {result.wins_a} : {result.wins_b}\n" in result._repr_html_()


def test_a_decision_lists_the_moves_with_the_most_playouts_first() -> None:
    decision = rk.Decision(
        move=4, visits={3: 10, 4: 1090, 5: 0}, values={3: 0.2, 4: 0.75, 5: None}, playouts=1100, seconds=0.5
    )
    assert str(decision) == (
        "move 4: 1,100 playouts in 0.50 s\n\n"
        "move  playouts    won\n"
        "   4     1,090  75.0%\n"
        "   3        10  20.0%\n"
        "   5         0      -"
    )
    assert "   5         0      -</pre>" in decision._repr_html_()


def test_a_decision_says_what_is_proven() -> None:
    decision = rk.Decision(move=4, visits={4: 9}, values={4: 1.0}, playouts=9, seconds=0.5, proven="win")
    assert str(decision).startswith("move 4, a proven win: 9 playouts")


def test_a_report_is_shown_by_a_notebook_as_it_is_printed() -> None:
    report = Report("TSP", (Finding("too-long", "error", "", "51 moves > 50"),), 200)
    assert "51 moves &gt; 50</pre>" in report._repr_html_()


def test_an_experiment_is_shown_by_a_notebook_as_it_is_printed() -> None:
    done = rk.experiment(LEFT, {"one": SEARCH}, seeds=2, stop=rk.MaxPlayouts(5))
    assert str(done).splitlines()[-1] in done._repr_html_()


def test_a_drawing_is_shown_by_a_notebook_as_a_picture() -> None:
    drawing = rk.Drawing(100, 50, title="a board")
    drawing.circle(5, 5, 2)
    drawing.circle(9, 5, 2)
    assert str(drawing) == "a board: a drawing of 100 x 50 with 2 shapes"
    assert drawing._repr_svg_() == drawing.svg()
