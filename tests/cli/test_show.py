"""``rookery show``: drawings in the terminal, pictures in files, and what is refused."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rookery as rk
from morpion_by_hand import LINE_OF_DOTS, random_game, result_json, result_of
from rookery.cli import main
from rookery.problems.morpion import MorpionGame, Move
from rookery.problems.morpion.formats import game_json, read_game, write_game
from rookery.problems.morpion.picture import game_picture
from rookery.problems.morpion.text import game_text

GAME = random_game("5D", 1)
TITLE = f"Morpion Solitaire 5D, {GAME.score} moves"
ILLEGAL = replace(GAME, moves=(*GAME.moves[:3], GAME.moves[0], *GAME.moves[3:]))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files of all kinds, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_game(GAME, "game.json")
    write_game(GAME, "game.psol")
    write_game(ILLEGAL, "illegal.json")
    write_game(random_game("4T", 1, dots=LINE_OF_DOTS), "dots.json")
    files = {
        "result.json": result_of(GAME),
        "tsp.json": result_json("tsp", {"n": 5, "seed": 0}, 2.5, [3, 1, 4, 2]),
        "left.json": result_json("leftmove", {"depth": 3}, 2.0, [1, 1, 0]),
        "own.json": result_json("my.py:Words", {}, 7.0, ["a b", "\x1b[31mred", 3]),
        "odd.json": result_json("leftmove", {"depth": "deep"}, 2.0, [1]),
        "wide.json": {"variant": "5T", "score": 0, "moves": [], "dots": [[0, 0], [500, 0]]},
        "list.json": [1, 2],
    }
    for name, data in files.items():
        (tmp_path / name).write_text(json.dumps(data))
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.fixture
def show(folder, capsys):
    """Exit code, standard output and standard error of the command."""

    def run(line):
        code = main(["show", *shlex.split(line)])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def terminal(monkeypatch):
    """Standard output is a terminal of 256 colours and so many columns."""

    def become(columns):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm-256color")
        for name in ("NO_COLOR", "COLORTERM", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)

    return become


# --- in the terminal ---


@pytest.mark.parametrize("file", ["game.json", "game.psol", "result.json"])
def test_a_game_in_any_format_is_drawn(show, file):
    assert show(file) == (0, f"{TITLE}\n\n{game_text(GAME)}\n", "")


def test_a_picture_is_drawn_again_from_the_game_inside(show):
    pytest.importorskip("PIL")
    assert show("game.json --svg a.svg --png a.png --gif a.gif --animated-svg b.svg --size 200")[0] == 0
    assert {show(f"{name}")[1] for name in ("a.svg", "a.png", "a.gif", "b.svg", "game.json")} == {show("game.psol")[1]}


def test_a_start_that_is_not_the_cross_is_drawn(show):
    assert show("dots.json")[1].count("●") == len(LINE_OF_DOTS)


def test_ascii_is_pure(show):
    code, out, _ = show("game.json --ascii")
    assert code == 0
    assert out.isascii()


def test_where_letters_are_missing_plain_ones_are_used(show, monkeypatch):
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", plain)
    assert main(["show", "game.json"]) == 0
    assert plain.buffer.getvalue().decode().split("\n\n", 1)[1] == game_text(GAME, ascii=True) + "\n"


def test_the_position_after_some_moves_is_drawn(show):
    _, out, _ = show("game.json --moves 7")
    assert out.startswith("Morpion Solitaire 5D, 7 moves\n")
    assert sorted(map(int, re.findall(r"\d+", out.partition("\n")[2]))) == list(range(1, 8))
    assert show("game.json --moves 0")[1].startswith("Morpion Solitaire 5D, 0 moves\n")
    assert show("game.json --moves 1")[1].startswith("Morpion Solitaire 5D, 1 move\n")


def test_a_variant_that_is_given_goes_before_that_of_the_file(show):
    assert show("game.json --variant 5T")[1].startswith("Morpion Solitaire 5T, ")


@pytest.mark.parametrize("width", [1, 10, 30, 200])
def test_a_drawing_is_no_wider_than_told(show, width):
    code, out, _ = show(f"game.json --width {width}")
    assert code == 0
    assert max(map(len, out.splitlines()[2:])) <= width


def test_colours_are_for_terminals_alone(show, terminal):
    assert "\x1b[" not in show("game.json")[1]
    terminal(200)
    assert "\x1b[" in show("game.json")[1]


def test_no_color_is_respected(show, terminal, monkeypatch):
    terminal(200)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in show("game.json")[1]


def test_a_narrow_terminal_is_not_overrun(show, terminal, monkeypatch):
    terminal(35)
    monkeypatch.setenv("NO_COLOR", "1")
    assert max(map(len, show("game.json")[1].splitlines())) <= 35


# --- pictures ---


@pytest.mark.parametrize("option", ["--svg", "--animated-svg", "--png", "--gif"])
def test_a_picture_is_written_and_told(show, option):
    pytest.importorskip("PIL")
    assert show(f"game.json {option} out --size 150 --dark --moves 5") == (
        0,
        "out: Morpion Solitaire 5D, 5 moves\n",
        "",
    )
    assert os.path.getsize("out") > 1000


@pytest.mark.parametrize(
    ("option", "kind"), [("--svg", "SVG"), ("--animated-svg", "SVG"), ("--png", "PNG"), ("--gif", "GIF")]
)
def test_a_picture_is_read_as_the_game_that_it_shows(show, option, kind):
    pytest.importorskip("PIL")
    show(f"result.json {option} out --size 150")
    read = read_game("out")
    assert (read.game, read.format) == (GAME, kind)


def test_a_picture_verifies(show, capsys):
    show("game.json --svg out.svg")
    assert main(["verify", "out.svg"]) == 0
    assert main(["verify", "out.svg", "game.psol"]) == 0


def test_dark_and_light_are_told_apart(show):
    show("game.json --svg dark.svg --dark")
    show("game.json --svg light.svg --light")
    show("game.json --svg neither.svg")
    dark, light, neither = (Path(f"{name}.svg").read_text() for name in ("dark", "light", "neither"))
    assert dark != light == neither


def test_without_pillow_nothing_is_written(show, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    before = sorted(os.listdir())
    code, out, err = show("game.json --svg out.svg --png out.png")
    assert (code, out, err) == (2, "", "rookery: a PNG needs Pillow: pip install pillow\n")
    assert sorted(os.listdir()) == before


# --- results of other problems ---


def test_a_result_of_another_problem_is_shown_in_words(show):
    assert show("left.json") == (0, "leftmove, score 2, 3 moves\n\nleft, left, right\n", "")
    assert show("tsp.json") == (0, "tsp, score 2.5, 4 moves\n\ncity 3, city 1, city 4, city 2\n", "")


@pytest.mark.parametrize("option", ["--svg", "--animated-svg", "--png", "--gif"])
def test_the_picture_of_any_problem_is_read_as_its_solution(show, folder, capsys, option):
    pytest.importorskip("PIL")
    problem = rk.problems.SameGame.build("002/011")
    same = result_json("samegame", problem.parameters(), 1.0, [0, 0])
    (folder / "same.json").write_text(json.dumps(same))
    assert show(f"same.json {option} out --dark") == (0, "out: samegame, score 1, 2 moves\n", "")
    assert show("out") == show("same.json")
    assert main(["verify", "out"]) == 0
    assert re.match(
        r"file      out: samegame, read as (SVG|PNG|GIF)\nlegal     yes, 2 moves\n", capsys.readouterr().out
    )


def test_a_problem_of_the_users_is_not_loaded_and_its_moves_are_made_safe(show, folder):
    (folder / "my.py").write_text("raise SystemExit(9)")
    code, out, err = show("own.json")
    assert (code, out) == (0, "my.py:Words, score 7, 3 moves\n\na b, \\x1b[31mred, 3\n")
    assert err == (
        "rookery: own.json holds a result of my.py:Words: no code is run because a file names it; "
        "name it: `rookery show own.json --problem my.py:Words`\n"
    )
    code, out, err = show("own.json --svg out.svg --out out.txt")
    assert (code, out) == (2, "")
    assert "`rookery show own.json --svg out.svg --out out.txt --problem my.py:Words`" in err


OWN = """
import rookery as rk

class Words(rk.PythonProblem):
    def __init__(self, letters: str = "ab"): self._used = letters
    def start(self): return ""
    def moves(self, state): return self._used if len(state) < 3 else ""
    def play(self, state, move): return state + move
    def score(self, state): return state.count("b")
    def describe_move(self, move): return f"letter {move}"
    def format_score(self, score): return f"{score:.0f} b"
    def draw(self, moves):
        print("noise")
        return "".join(moves) if len(moves) > 2 else None
    def write(self, moves): return "-".join(moves) + "\\n"
    def picture(self, moves):
        print("drawing")
        drawing = rk.Drawing(30, 10)
        for i, move in enumerate(moves): drawing.text(5 + 10 * i, 5, move, size=8)
        return drawing

class Race(rk.PythonGame):
    def start(self): return ""
    def moves(self, state): return "ab" if len(state) < 3 else ""
    def play(self, state, move): return state + move
    def player(self, state): return len(state) % 2
    def winner(self, state): return state.count("b") % 2
    def draw(self, moves): return "/".join(moves)
"""


def test_a_problem_of_the_users_draws_itself_if_the_command_names_it(show, folder):
    (folder / "mine.py").write_text(OWN)
    solution = rk.solve(rk.load_problem("mine.py:Words", {"letters": "abc"}), rk.NMCS(level=1), seed=1)
    solution.save("mine.json")
    word = "".join(solution.moves)
    name = f"mine.py:Words, score {word.count('b')} b, 3 moves"
    named = "mine.json --problem mine.py:Words"
    assert show(named) == (0, f"{name}\n\n{word}\n", "noise\n")
    shorter = f"mine.py:Words, score {word[:2].count('b')} b, 2 moves"
    assert show(f"{named} --moves 2")[1] == f"{shorter}\n\nletter {word[0]}, letter {word[1]}\n"
    written = f"out.svg: {name}\nout.txt: {name}\n"
    assert show(f"{named} --svg out.svg --out out.txt") == (0, written, "noise\ndrawing\n")
    assert Path("out.svg").read_text().count("<text") == 3
    assert Path("out.txt").read_text() == "-".join(word) + "\n"
    assert show("out.svg --problem mine.py:Words") == show(named)


def test_a_game_of_the_users_draws_itself_if_the_command_names_it(show, folder):
    (folder / "mine.py").write_text(OWN)
    sides = rk.FlatMC(playouts=3), rk.FlatMC(playouts=2)
    played = rk.match(rk.load_game("mine.py:Race"), *sides, games=1, record="mine.jsonl").played[0]
    code, out, err = show("mine.jsonl --problem mine.py:Race")
    assert (code, err) == (0, "")
    assert out.endswith(f" 3 moves\n\n{'/'.join(played.moves)}\n\n{', '.join(played.moves)}\n")
    assert show("mine.jsonl")[2].endswith("name it: `rookery show mine.jsonl --problem mine.py:Race`\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("own.json --problem no.py:Words", "cannot read no.py: No such file or directory"),
        ("own.json --problem mine.py:Race", "own.json must be a result of mine.py:Race, got one of"),
        ("tsp.json --problem leftmove", "tsp.json must be a result of leftmove, got one of"),
        ("game.json --problem mine.py:Words", "--problem goes with a result or a match of your own, which game.json"),
    ],
)
def test_another_problem_than_that_of_the_file_is_refused(show, folder, line, message):
    (folder / "mine.py").write_text(OWN)
    code, out, err = show(line)
    assert (code, out) == (2, "")
    assert message in err


# --- what is refused ---


@pytest.mark.parametrize("name", ["other.json", "other.psol"])
def test_a_game_is_written_in_another_format(show, name):
    assert show(f"result.json --out {name}") == (0, f"{name}: {TITLE}\n", "")
    assert read_game(name).game == GAME


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("game.json --out other.doc", "a game is written as .json or .psol, got other.doc"),
        ("dots.json --out other.psol", "cross"),
        ("game.json --out other.json --width 9", "--width goes with the drawing in the terminal, not with a file"),
        ("left.json --out other.json", "leftmove has no written form: --out cannot be written"),
        ("game.json --out other.json --light", "--light goes with a picture"),
    ],
)
def test_a_format_that_cannot_hold_the_game_is_refused(show, folder, line, message):
    code, out, err = show(line)
    assert (code, out) == (2, "")
    assert message in err
    assert not [file for file in folder.iterdir() if file.name.startswith("other")]


def test_an_illegal_game_is_refused_and_nothing_is_drawn(show):
    x, y = GAME.moves[0].dot
    expected = f"rookery: illegal.json: move 4, {GAME.moves[0]}, is illegal: there is a dot at ({x},{y}) already\n"
    assert show("illegal.json") == (1, "", expected)
    assert show("illegal.json --svg out.svg") == (1, "", expected)
    assert not os.path.exists("out.svg")


CASES = [
    ("none.json", "cannot read none.json: No such file or directory"),
    ("folder", "cannot read folder: Is a directory"),
    ("empty", "empty is not a game of Morpion Solitaire: it is empty"),
    ("list.json", "list.json is not a game of Morpion Solitaire"),
    ("odd.json", "odd.json: -p depth must be a whole number, got 'deep'"),
    ("wide.json", "a board that is drawn must have at most 250 x 250 cells, got 501 x 1"),
    ("wide.json --svg out", "a board that is drawn must have at most 250 x 250 cells, got 501 x 1"),
    ("left.json --svg out", "leftmove has no picture: --svg cannot be written"),
    ("left.json --gif out", "leftmove has no picture: --gif cannot be written"),
    ("tsp.json --variant 5T", "--variant goes with a game of Morpion Solitaire, got a result of tsp"),
    ("tsp.json --moves 200", "--moves must be at most"),
    ("tsp.json --ascii", "--ascii goes with a game of Morpion Solitaire, got a result of tsp"),
    ("game.json --variant 6T", "variant must be 5T, 5D, 4T or 4D, got '6T'"),
    ("game.json --moves -1", "--moves must be at least 0, got -1"),
    ("game.json --moves 999", f"--moves must be at most {GAME.score}, the moves of the game, got 999"),
    ("game.json --width 0", "--width must be at least 1, got 0"),
    ("game.json --width wide", "--width must be a whole number, got 'wide'"),
    ("game.json --size 100", "--size goes with a picture: give --svg, --animated-svg, --png or --gif too"),
    ("game.json --dark", "--dark goes with a picture"),
    ("game.json --light", "--light goes with a picture"),
    ("game.json --svg out --ascii", "--ascii goes with the drawing in the terminal, not with a file"),
    ("game.json --svg out --width 9", "--width goes with the drawing in the terminal, not with a file"),
    ("game.json --svg out --size 0", "--size must be at least 1, got 0"),
    ("game.json --png out --size 5001", "size must be 50 to 5000 pixels for a PNG, got 5001"),
    ("game.json --svg out --gif out2 --size 1201", "size must be 50 to 1200 pixels for a GIF, got 1201"),
    ("game.json --svg game.json", "--svg must not be the file that is shown, got game.json"),
    ("game.json --svg out --png ./out", "--svg and --png must be different files, got ./out for both"),
    ("game.json --svg folder", "cannot write folder: it is a folder"),
    ("game.json --svg none/out", "cannot write none/out: No such file or directory"),
    ("game.json --svg ''", "cannot write a file without a name"),
    ("none.json --svg none/out", "cannot write none/out: No such file or directory"),
]


@pytest.mark.parametrize(("line", "message"), CASES)
def test_bad_input_is_one_line_and_leaves_no_file(show, line, message):
    if "--png" in line or "--gif" in line:
        pytest.importorskip("PIL")
    before = {name: os.path.getsize(name) for name in os.listdir()}
    code, out, err = show(line)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert before == {name: os.path.getsize(name) for name in os.listdir()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_that_is_cut_or_changed_never_gives_a_traceback(folder, capsys, data):
    game = MorpionGame("5D", (Move(*GAME.moves[0]), Move(*GAME.moves[1])))
    whole = data.draw(
        st.sampled_from(
            [
                json.dumps(game_json(game)),
                replace(game_picture(game), holds=game_json(game)).svg(),
                json.dumps(result_of(game)),
            ]
        )
    ).encode()
    at = data.draw(st.integers(0, len(whole)))
    (folder / "changed").write_bytes(whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + 1 :])
    assert main(["show", "changed"]) in (0, 1, 2)
    assert "Traceback" not in capsys.readouterr().err


# --- games of a match ---

MATCH = (
    '{"rookery_match": 1, "game": "breakthrough", "parameters": {"size": 4, "width": 0, "height": 0}, '
    '"a": {"algorithm": "ppa"}, "b": {"algorithm": "uct"}, "seed": 1, "stream": 1}\n'
    '{"game": 1, "first": "b", "winner": "b", "playouts": 8, "moves": [18, 74, 29], '
    '"words": ["c2-b3", "a3-b2", "b3-c4"]}\n'
)
DRAWN = """breakthrough, game 1: uct (b) against ppa (a), uct (b) won, 1 move

 4  ♟ ♟ ♟ ♟
 3  ♟[♙]♟ ♟
 2  ♙ ♙[·]♙
 1  ♙ ♙ ♙ ♙
    a b c d

c2-b3
"""


@pytest.fixture
def match(folder):
    """The record of a match, of which the first game is missing; one of a user's game; and SGF."""
    (folder / "match.jsonl").write_text(MATCH)
    (folder / "own.jsonl").write_text(
        MATCH.replace('"breakthrough"', '"my.py:Mine"').replace("c2-b3", "\\u001b[31mred")
    )
    (folder / "odd.jsonl").write_text(MATCH.replace("18, 74", "99, 74"))
    (folder / "games.sgf").write_text("(;SZ[3]PB[ann]PW[bob]RE[B+];B[bb];W[];B[])(;SZ[3]GN[NoGo];B[aa])")


@pytest.mark.usefixtures("match")
def test_a_game_of_a_match_is_drawn_with_its_moves(show):
    assert show("match.jsonl --moves 1") == (0, DRAWN, "")
    assert show("match.jsonl --game 1 --moves 1") == (0, DRAWN, "")


@pytest.mark.usefixtures("match")
def test_a_game_of_sgf_is_drawn(show):
    code, out, _ = show("games.sgf --game 0")
    assert code == 0
    assert out.startswith("go, game 0: ann against bob, ann won, 3 moves\n\n 3  . . .\n 2  . X .\n")
    assert out.endswith("\n\nB2, pass, pass\n")
    assert show("games.sgf --game 1")[1].startswith("nogo, game 1: black against white, no winner is given, 1 move\n")


@pytest.mark.usefixtures("match")
def test_a_game_of_the_users_is_not_loaded_and_its_words_are_made_safe(show):
    code, out, err = show("own.jsonl")
    title = "my.py:Mine, game 1: uct (b) against ppa (a), uct (b) won, 3 moves"
    assert (code, out) == (0, f"{title}\n\n\\x1b[31mred, a3-b2, b3-c4\n")
    assert "name it: `rookery show own.jsonl --problem my.py:Mine`" in err


@pytest.mark.usefixtures("match")
def test_a_picture_of_a_game_of_a_match_is_written(show):
    name = "breakthrough, game 1: uct (b) against ppa (a), uct (b) won, 3 moves"
    assert show("match.jsonl --svg out.svg --size 200") == (0, f"out.svg: {name}\n", "")
    assert Path("out.svg").read_text().startswith("<svg")


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize("option", ["--svg", "--animated-svg", "--png", "--gif"])
def test_the_picture_of_a_game_is_read_as_that_game(show, capsys, option):
    pytest.importorskip("PIL")
    assert show(f"match.jsonl --game 1 {option} out --dark --size 120")[0] == 0
    assert show("out") == show("match.jsonl")
    assert main(["verify", "out"]) == 0
    out = capsys.readouterr().out
    assert re.match(r"file      out: breakthrough, read as (SVG|PNG|GIF)\nlegal     yes, 1 game; the winners", out)
    show(f"match.jsonl {option} part --moves 1")
    assert main(["verify", "part"]) == 0
    assert "1 not played to the end" in capsys.readouterr().out


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("match.jsonl --game 0", "the game must be one of those in match.jsonl, 1 to 1, got 0"),
        ("match.jsonl --game x", "--game must be a whole number, got 'x'"),
        ("match.jsonl --moves 4", "--moves must be at most 3, the moves of the game, got 4"),
        ("match.jsonl --variant 5T", "--variant goes with a game of Morpion Solitaire, got a match"),
        ("match.jsonl --out x.json", "breakthrough has no written form: --out cannot be written"),
        ("odd.jsonl", "odd.jsonl must hold a game of breakthrough, and cannot be shown: "),
        ("game.json --game 1", "--game goes with the record of a match or with SGF, which game.json is not"),
        ("tsp.json --game 1", "--game goes with the record of a match or with SGF, which tsp.json is not"),
    ],
)
def test_a_mistake_with_a_match_is_one_line(show, line, message):
    code, out, err = show(line)
    assert (code, out) == (2, "")
    assert err.startswith(f"rookery: {message}")
    assert err.count("\n") == 1
