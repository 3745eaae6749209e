"""The Go Text Protocol: commands, answers, errors, clocks, analysis; whatever line comes, one answer goes out."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from gtp_programs import gnugo
from rookery.cli import main
from rookery.games.points import play_out
from rookery.matches.gtp.clock import Clock

GO = gnugo.GAME  # compiled once for both
REQUIRED = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"


def engine(playouts: int = 20, **options: object) -> rk.tools.GtpEngine:
    return rk.tools.GtpEngine(GO, rk.GameUCT(playouts=playouts), **options)  # type: ignore[arg-type]


def answers(*lines: str) -> list[str]:
    player = engine()
    return [player.answer(line).strip() for line in lines]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("protocol_version", "= 2\n\n"),
        ("name", "= Rookery\n\n"),
        ("version", f"= {rk.__version__}\n\n"),
        ("12 protocol_version", "=12 2\n\n"),
        ("  7\tknown_command\tplay ", "=7 true\n\n"),
        ("known_command Play", "= false\n\n"),
        ("known_command", "= false\n\n"),
        ("na\x07me\r\n", "= Rookery\n\n"),
        ("name # who are you?", "= Rookery\n\n"),
        ("# name", ""),
        ("", ""),
        (" \t\r\n", ""),
        ("5", "?5 unknown command\n\n"),
        ("5 # nothing", "?5 unknown command\n\n"),
        ("fly", "? unknown command\n\n"),
        ("3 fly d4", "?3 unknown command\n\n"),
        ("boardsize 20", "? unacceptable size\n\n"),
        ("boardsize 1", "? unacceptable size\n\n"),
        ("boardsize nine", "? syntax error\n\n"),
        ("boardsize", "? syntax error\n\n"),
        ("boardsize 99999999999999999999999", "? syntax error\n\n"),
        ("komi six", "? syntax error\n\n"),
        ("komi nan", "? syntax error\n\n"),
        ("komi", "? syntax error\n\n"),
        ("play", "? syntax error\n\n"),
        ("play b", "? syntax error\n\n"),
        ("play green d4", "? invalid color or coordinate\n\n"),
        ("play b i4", "? invalid color or coordinate\n\n"),
        ("play b k10", "? invalid color or coordinate\n\n"),
        ("play b resign", "? invalid color or coordinate\n\n"),
        ("play BLACK D4", "=\n\n"),
        ("play w Pass", "=\n\n"),
        ("genmove", "? syntax error\n\n"),
        ("genmove green", "? invalid color or coordinate\n\n"),
        ("undo", "? cannot undo\n\n"),
        ("time_settings 0 0", "? syntax error\n\n"),
        ("time_settings -1 0 0", "? syntax error\n\n"),
        ("time_left b x 0", "? syntax error\n\n"),
        ("final_status_list", "? syntax error\n\n"),
        ("final_status_list asleep", "? invalid status\n\n"),
        ("final_status_list seki", "=\n\n"),
        ("final_score", "= W+7.5\n\n"),
        ("loadsgf", "? syntax error\n\n"),
        ("loadsgf none.sgf", "? cannot load file: cannot read none.sgf: No such file or directory\n\n"),
        ("lz-analyze b fast", "? syntax error\n\n"),
    ],
)
def test_a_line_has_this_answer(line: str, answer: str) -> None:
    assert engine().answer(line) == answer


def test_an_engine_that_nobody_uses_any_more_gives_its_memory_back_at_once() -> None:
    player = engine()
    player.answer("genmove b")
    held = weakref.ref(player)
    gc.disable()  # whatever waits for the collector keeps gigabytes of trees meanwhile
    try:
        del player
        assert held() is None
    finally:
        gc.enable()


def test_all_required_commands_are_listed_and_known() -> None:
    listed = answers("list_commands")[0][2:].split("\n")
    assert set(REQUIRED.split()) <= set(listed)
    assert answers(*(f"known_command {name}" for name in listed)) == ["= true"] * len(listed)


def test_stones_are_captured_and_shown() -> None:
    assert answers("play b b1", "play w a1", "play b a2", "showboard")[-1].splitlines()[-3:] == [
        " 2 (X). . . . . . . .",
        " 1  . X . . . . . . .",
        "    A B C D E F G H J",
    ]


def test_an_occupied_point_suicide_and_superko_are_illegal() -> None:
    assert answers("play b d4", "play w d4")[-1] == "? illegal move"
    assert answers("play b b1", "play b a2", "play w a1")[-1] == "? illegal move"
    ko = ("b c1", "w d1", "b b2", "w e2", "b c3", "w d3", "b d2", "w c2")
    assert answers(*(f"play {move}" for move in ko), "play b d2")[-2:] == ["=", "? illegal move"]


def test_a_colour_may_play_twice_and_the_game_goes_on_after_two_passes() -> None:
    player = engine()
    for line in ("play b c3", "play b g7", "play w e5", "play b pass", "play w pass", "play b c7", "play w pass"):
        assert player.answer(line) == "=\n\n"
    board = player.answer("showboard")
    assert (board.count("X"), board.count("O")) == (3, 1)


def test_undo_takes_back_one_command_at_a_time() -> None:
    player = engine()
    boards = [player.answer("showboard")]
    for line in ("play b c3", "play b g7", "genmove w", "play w pass", "play b pass", "play w e5"):
        player.answer(line)
        boards.append(player.answer("showboard"))
    for board in boards[-2::-1]:
        assert player.answer("undo") == "=\n\n"
        assert player.answer("showboard") == board
    assert player.answer("undo") == "? cannot undo\n\n"


def test_a_generated_move_is_played() -> None:
    player = engine()
    moves = [player.answer(f"genmove {colour}")[2:].strip() for colour in "bwbw"]
    assert len(set(moves)) == 4
    assert player.answer(f"play b {moves[0]}") == "? illegal move\n\n"


def test_the_same_seed_gives_the_same_moves() -> None:
    lines = ["genmove b", "genmove w"] * 3
    assert [engine(seed=4).answer(line) for line in lines[:1]] == [engine(seed=4).answer(line) for line in lines[:1]]
    first, second, other = (engine(seed=seed) for seed in (4, 4, 5))
    assert [first.answer(line) for line in lines] == [second.answer(line) for line in lines]
    assert [second.answer(line) for line in lines] != [other.answer(line) for line in lines]


def test_a_pass_of_nobody_ends_no_game() -> None:
    """White is asked to move first: by komi it would win if a pass ended the game."""
    assert answers("genmove w")[0] != "= pass"


def test_cleanup_captures_what_is_dead_before_it_passes() -> None:
    player = engine(playouts=200)
    wall = [f"play b {column}{row}" for row in (4, 5) for column in "abcdefghj"]
    for line in (*wall, "play w e2", "play b pass", "play w pass"):
        assert player.answer(line) == "=\n\n"
    assert player.answer("final_status_list dead") == "= E2\n\n"
    assert player.answer("final_score") == "= B+73.5\n\n"
    assert player.answer("final_status_list alive").count(" ") == 18
    for _ in range(30):
        if player.answer("kgs-genmove_cleanup b") == "= pass\n\n":
            break
        player.answer("play w pass")
    assert player.answer("final_status_list dead") == "=\n\n"
    assert player.answer("showboard").count("O") == 0


def test_the_other_side_may_fill_an_eye_of_its_own() -> None:
    assert answers("play b a2", "play b b2", "play b b1", "play w e5", "play b a1")[-1] == "="


def test_komi_counts_and_keeps_the_moves() -> None:
    assert answers("play b e5", "komi 0.5", "final_score", "showboard", "komi -81", "final_score")[2::3] == [
        "= B+80.5",
        "= B+162",
    ]


def test_the_board_is_cleared_by_its_size_and_by_a_command() -> None:
    for line in ("boardsize 9", "clear_board"):
        board = answers("play b e5", line, "showboard")[-1]
        assert "X" not in board


def test_a_game_is_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]KM[5.5];B[ee];W[cc];B[gg])")
    player = gnugo.Ours(engine())
    player.ask(f"loadsgf {path}")
    assert player.ask("showboard").count("X") == 2
    assert player.ask("final_score").endswith(".5")
    player.ask(f"loadsgf {path} 2")
    assert player.ask("showboard").count("X") == 1
    assert player.ask("genmove w") != ""
    player.ask("undo")
    player.ask("undo")
    assert player.ask("showboard").count("X") == 0


def test_a_file_that_is_wrong_changes_nothing(tmp_path: Path) -> None:
    player = engine()
    player.answer("play b e5")
    for text in ("(;SZ[9];B[ee];W[ee])", "(;SZ[9]AB[ee])", "nonsense", "(;SZ[40])"):
        (tmp_path / "game.sgf").write_text(text)
        assert player.answer(f"loadsgf {tmp_path / 'game.sgf'}").startswith("? cannot load file: ")
    assert player.answer("showboard").count("X") == 1


INFO = re.compile(r"info move (\S+) visits ([0-9]+) winrate ([0-9]+) order ([0-9]+) pv (\S+(?: (?!info)\S+)*)")


def test_an_analysis_has_a_line_of_moves_that_could_be_played() -> None:
    head, line, end, rest = engine().answer("4 lz-analyze b 1").split("\n")
    assert (head, end, rest) == ("=4", "", "")
    found = [match.groups() for match in INFO.finditer(line)]
    assert line == " ".join(match[0] for match in INFO.finditer(line))
    assert [int(order) for *_, order, _ in found] == list(range(len(found)))
    assert max(int(visits) for _, visits, *_ in found) == int(found[0][1])
    for move, visits, winrate, _, line in found:
        points = [GO.read_move(name) for name in line.split()]
        assert GO.describe_move(points[0]) == move
        assert int(visits) > 0
        assert 0 <= int(winrate) <= 10_000
        play_out(9, points)


def test_an_analysis_goes_on_until_a_line_waits() -> None:
    asked = iter([False, False, False, True])
    player = engine(waits=lambda: next(asked))
    pieces = list(player.answers("analyze 1"))
    assert pieces[0].startswith("=\ninfo move ")
    assert pieces[-1] == "\n"
    visits = [sum(int(match[2]) for match in INFO.finditer(piece)) for piece in pieces if "info" in piece]
    assert len(visits) == 4
    assert visits == sorted(visits)
    assert visits[0] < visits[-1]  # the tree is kept
    assert player.answer("showboard").count("X") == 0


def test_a_move_is_generated_with_its_analysis() -> None:
    lines = engine().answer("lz-genmove_analyze b 10").split("\n")
    assert lines[0] == "="
    assert lines[1].startswith(f"info move {lines[2].removeprefix('play ')} visits ")
    assert lines[3:] == ["", ""]


# --- the clock ---


def test_no_clock_of_main_time_is_overrun() -> None:
    clock, spent, moves = Clock(60, 0, 0), 0.0, 0
    while moves < 200:
        seconds = clock.allowance(0, moves_to_go=max(10, 28 - moves))
        assert seconds is not None
        clock.spend(0, seconds)
        spent, moves = spent + seconds, moves + 1
    assert spent < 60
    assert clock.allowance(1, 28) == pytest.approx(60 / 28 - 0.05)


def test_byo_yomi_gives_every_stone_its_share() -> None:
    clock = Clock(0, 30, 5)
    for _ in range(3):
        spent = 0.0
        for _ in range(5):
            seconds = clock.allowance(0, 30)
            assert seconds is not None
            clock.spend(0, seconds)
            spent += seconds
        assert 20 < spent < 30


def test_without_stones_there_is_no_limit() -> None:
    assert Clock(0, 30, 0).allowance(0, 30) is None


def test_what_the_controller_says_is_left_counts() -> None:
    clock = Clock(600, 0, 0)
    clock.tell(1, 10, 0)
    assert clock.allowance(1, 10) == pytest.approx(0.95)
    clock.tell(1, 10, 5)
    assert clock.allowance(1, 10) == pytest.approx(1.75)


@pytest.mark.timing
def test_a_move_is_generated_within_the_time_that_is_left() -> None:
    player = rk.tools.GtpEngine(GO, rk.GameUCT(playouts=None, seconds=100.0))
    player.warm()
    for line in ("time_settings 600 0 0", "time_left b 1 0", "genmove b"):
        assert player.answer(line).startswith("=")
    assert player.answer("time_left w 0 0") == "=\n\n"
    assert player.answer("genmove w").startswith("= ")


# --- the other games ---


def test_nogo_has_no_pass_and_ends_when_nobody_can_move() -> None:
    player = gnugo.Ours(rk.tools.GtpEngine(rk.games.NoGo(size=3), rk.FlatMC(playouts=5)))
    moves = []
    while (move := player.ask(f"genmove {'bw'[len(moves) % 2]}")) != "resign":
        moves.append(move)
    assert "pass" not in moves
    assert player.ask("final_score") == ("W+" if len(moves) % 2 == 0 else "B+")
    assert player.ask("final_status_list dead") == ""
    again = rk.tools.GtpEngine(rk.games.NoGo(size=3), rk.FlatMC(playouts=5))
    assert again.answer("play b pass") == again.answer("play w a1") == "? illegal move\n\n"
    assert again.answer("final_score") == "? cannot score: the game is not over\n\n"
    assert again.answer("komi 6.5") == "=\n\n"


def test_other_games_are_refused() -> None:
    with pytest.raises(rk.InputError, match="the Go Text Protocol is for go, atarigo, nogo and misere-nogo, not for B"):
        rk.tools.GtpEngine(rk.games.Breakthrough(), rk.FlatMC())  # type: ignore[arg-type]


# --- whatever comes in ---

WELL_FORMED = re.compile(r"[=?]([0-9]*)(?: ?[^\n]*\n)(?:[^\n]+\n)*\n")
COMMANDS = st.sampled_from([*REQUIRED.split(), "undo", "showboard", "final_score", "final_status_list", "time_left"])
WORDS = st.one_of(
    st.sampled_from(
        ["b", "w", "White", "a1", "e5", "c3", "J9", "pass", "resign", "9", "7.5", "0", "-1", "1e400", "nan"]
    ),
    st.sampled_from(["20", "dead", "alive", "10", "5", "none.sgf", "#", "\t", "\x00", "\ud800", "é", "9" * 400]),
    st.text(max_size=8),
)
LINES = st.one_of(
    st.text(max_size=40),
    st.tuples(
        st.sampled_from(["", "1 ", "007 ", " 12\t", "99999999999 ", "x "]), COMMANDS, st.lists(WORDS, max_size=4)
    ).map(lambda parts: parts[0] + " ".join([parts[1], *parts[2]])),
    st.tuples(st.sampled_from(["play b ", "play w "]), st.sampled_from("abcdefghj"), st.integers(1, 9)).map(
        lambda parts: "".join(map(str, parts))
    ),
    st.sampled_from(
        ["genmove b", "genmove w", "kgs-genmove_cleanup w", "play b pass", "undo", "lz-genmove_analyze b 5"]
    ),
)


@settings(max_examples=40)
@given(st.lists(LINES, max_size=20))
def test_whatever_line_comes_in_one_well_formed_answer_goes_out(lines: list[str]) -> None:
    player = engine(playouts=3)
    for line in lines:
        if re.match(r"\s*[0-9]*\s*boardsize\s+([2-8]|1[0-9])\b", line):
            continue  # it would be compiled anew
        answer = player.answer(line)
        visible = "".join(c for c in line.partition("#")[0] if ord(c) > 32 and ord(c) != 127)
        found = WELL_FORMED.fullmatch(answer)
        assert (found is not None) == (visible != ""), (line, answer)
        number = re.match(
            r"[ \t]*([0-9]+)(?:[ \t]|$)",
            "".join(c for c in line.partition("#")[0] if c == "\t" or (ord(c) >= 32 and ord(c) != 127)),
        )
        if found is not None:
            assert found[1] == (number[1] if number else ""), (line, answer)
            assert all(c == "\n" or 32 <= ord(c) < 127 for c in answer), (line, answer)
    assert player.answer("name") == "= Rookery\n\n"


COMMAND = [sys.executable, "-m", "rookery", "gtp", "--game", "nogo", "--size", "3", "--search", "flat:playouts=5"]


@pytest.mark.parametrize(
    ("lines", "answers"),
    [
        (b"1 name\n\nplay b a1\n\xff\xfe\nquit\nname\n", b"=1 Rookery\n\n=\n\n? unknown command\n\n=\n\n"),
        (b"2 known_command play", b"=2 true\n\n"),
    ],
)
def test_the_command_answers_line_by_line_until_quit_or_the_end_of_its_input(lines: bytes, answers: bytes) -> None:
    done = subprocess.run(COMMAND, input=lines, capture_output=True, timeout=100, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", answers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--game breakthrough", "the Go Text Protocol is for go, atarigo, nogo and misere-nogo, not for Breakthrough("),
        ("--game chess", "unknown game 'chess'"),
        ("--game nogo --search best", "--search must be ppa, ppaf, ppafm, uct,"),
        ("--game nogo --size 40", "size must be a whole number from 2 to 19, got 40"),
        ("--game nogo --playouts 0", "--playouts must be at least 1, got 0"),
        ("--game nogo --time-per-move soon", "--time-per-move must be a time such as"),
        ("--game nogo --seed -1", "--seed must be at least 0, got -1"),
        ("-p filling=never", "the Go Text Protocol needs filling=tree, and passing=tree or always: the other side"),
        ("-p passing=last", "the Go Text Protocol needs filling=tree, and passing=tree or always: the other side"),
        ("-p ko=never", "ko must be simple or superko, got 'never'"),
        ("nogo", "nogo"),
    ],
)
def test_bad_options_are_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    code = main(["gtp", *arguments.split()])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert message in captured.err
    assert captured.err.count("\n") == 1
