"""``rookery solve``: what it prints, saves and returns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.running import progress

SMALL = ("leftmove", "-p", "depth=8", "--level", "2", "--iterations", "10", "--seed", "1", "--quiet")

WORDS = '''
import time

import rookery as rk


class Words(rk.PythonProblem):
    """Spell a word; every playout takes a while."""

    def __init__(self, length: int = 6, pause: float = 0.0) -> None:
        self.length = length
        self.pause = pause

    def start(self):
        return ""

    def moves(self, state):
        return ["a", "b"] if len(state) < self.length else []

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        time.sleep(self.pause)
        return state.count("b")

    def describe_move(self, move):
        return f"letter {move}"


class Drawn(Words):
    def draw(self, moves):
        return f"<{''.join(moves)}>"


class Wrong(Words):
    def score(self, state):
        return 1 / (len(state) - self.length)


class Noted(Words):
    """Leaves a file at the first score."""

    def score(self, state):
        with open("scored", "w"):
            return super().score(state)


class Undescribed(Words):
    def describe_move(self, move):
        raise KeyError("no words")
'''


@pytest.fixture
def words(tmp_path: Path) -> str:
    (tmp_path / "words.py").write_text(WORDS)
    return str(tmp_path / "words.py")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["solve", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def started(*arguments: str) -> subprocess.Popen[str]:
    """The real command, with Ctrl-C as a terminal would have it."""
    return subprocess.Popen(
        [sys.executable, "-m", "rookery", "solve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_the_summary_has_score_status_seed_and_moves_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *SMALL)
    rows = dict(line.split(maxsplit=1) for line in out.split("\n\n")[0].splitlines())
    assert (code, err) == (0, "")
    assert (rows["score"], rows["status"], rows["seed"], rows["moves"]) == ("8", "finished", "1", "8")
    assert rows["playouts"].startswith("100 (")
    assert out.endswith("\n\nleft, left, left, left, left, left, left, left\n")


def test_the_result_is_that_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *SMALL, "--json", "--alpha", "0.5", "--ties", "2:0.3", "--ties", "1:>")
    expected = rk.solve(
        rk.problems.LeftMove(depth=8), rk.NRPA(level=2, iterations=10, alpha=0.5, ties={2: 0.3, 1: ">"}), seed=1
    )
    assert json.loads(out)["moves"] == list(expected.moves)
    assert json.loads(out)["search"]["ties"] == {"2": 0.3, "1": ">"}


def test_json_is_one_object_with_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *SMALL, "--json")
    data = json.loads(out)
    promised = "problem parameters search seed workers score moves playouts seconds compile_seconds status version"
    assert set(promised.split()) <= set(data)
    assert (data["score"], data["parameters"]) == (8.0, {"depth": 8})


@pytest.mark.timing
def test_nothing_but_json_is_on_standard_output_while_progress_is_shown(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "BEST_SECONDS", 0.0)
    search = ("--level", "2", "--iterations", "5", "--playouts", "50")
    _, out, err = run(capsys, f"{words}:Words", "-p", "pause=0.02", *search, "--json")
    assert json.loads(out)["status"] == "playouts"
    assert err.startswith("nrpa level 2 | iteration ")


def test_the_same_result_with_one_worker_and_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    results = []
    for workers in ("1", "2"):
        _, out, _ = run(capsys, *SMALL, "--json", "--workers", workers)
        results.append({name: json.loads(out)[name] for name in ("score", "moves", "playouts", "iterations")})
    assert results[0] == results[1]


def test_all_cores_are_used_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *SMALL, "--json")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert json.loads(out)["workers"] == cores


def test_a_python_problem_has_one_worker_unless_told_otherwise(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, f"{words}:Words", "--level", "1", "--json", "--quiet")
    assert json.loads(out)["workers"] == 1


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--playouts", "1e2"), "playouts"),
        (("--target", "3"), "target"),
        (("--time", "50ms"), "time"),
        (("--max-iterations", "2"), "iterations"),
        (("--no-improvement", "3"), "no_improvement"),
        (("--playouts", "1000", "--no-restarts", "--target", "99"), "finished"),
    ],
)
@pytest.mark.timing
def test_each_limit_ends_the_run_with_its_status(
    words: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], status: str
) -> None:
    fixed = ("--level", "2", "--iterations", "6", "--seed", "1", "--json", "--quiet")
    _, out, _ = run(capsys, f"{words}:Words", *fixed, *options)
    assert json.loads(out)["status"] == status


@pytest.mark.parametrize(
    ("options", "search"),
    [
        (("--algorithm", "nmcs", "--level", "1"), {"memorise": True, "ties": "first", "sample": None}),
        (
            ("--algorithm", "nmcs", "--level", "1", "--no-memorise", "--ties", "random", "--sample", "2"),
            {"memorise": False, "ties": "random", "sample": 2},
        ),
        (("--algorithm", "sampling", "--playouts", "10"), {"algorithm": "sampling"}),
        (("--algorithm", "reflexive", "--games", "1:3", "--games", "2:2"), {"level": 2, "games": {"1": 3, "2": 2}}),
        (("--algorithm", "lazynmcs", "--level", "2", "--games", "2", "--share", "0.5"), {"playouts": 2, "share": 0.5}),
        (("--algorithm", "beam", "--width", "3", "--games", "2"), {"width": 3, "playouts": 2}),
        (("--algorithm", "uct", "--games", "50", "--c", "0.2"), {"playouts": 50, "c": 0.2}),
        (("--algorithm", "spmcts", "--games", "50", "--d", "32"), {"playouts": 50, "c": 0.5, "d": 32.0}),
        (("--algorithm", "nmcs", "--level", "1", "--rule", "mobility"), {"rule": "mobility"}),
        (("--iterations", "1:5", "--level", "1"), {"iterations": {"1": 5}}),
    ],
)
def test_the_options_of_each_algorithm_reach_it(
    words: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], search: dict[str, object]
) -> None:
    code, out, _ = run(capsys, f"{words}:Words", "--json", "--quiet", *options)
    assert code == 0
    assert search.items() <= json.loads(out)["search"].items()


def test_a_drawing_is_printed_in_place_of_the_moves(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, f"{words}:Drawn", "--level", "2", "--iterations", "20", "--quiet", "--seed", "1")
    assert out.endswith("\n\n<bbbbbb>\n")


def test_moves_in_words_are_broken_only_between_moves(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = run(capsys, f"{words}:Words", "--level", "1", "--quiet", "-p", "length=20")
    lines = out.split("\n\n")[1].splitlines()
    assert all(len(line) < 40 and line.startswith("letter ") for line in lines)


def test_out_saves_the_result_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "result.json"
    _, out, _ = run(capsys, *SMALL, "--json", "--out", str(path))
    assert json.loads(path.read_text()) == json.loads(out)


def test_a_result_is_saved_even_if_it_cannot_be_put_into_words(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "result.json"
    code, out, _ = run(capsys, f"{words}:Undescribed", "--level", "1", "--quiet", "--out", str(path))
    assert (code, len(rk.Result.load(path).moves)) == (0, 6)
    assert out.startswith("score ")
    assert out.endswith("KeyError in describe_move: 'no words'\n")


@pytest.mark.parametrize("name", ["result.doc", "result", ".json"])
def test_an_ending_that_is_not_known_is_refused_before_the_run(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *SMALL, "--out", str(tmp_path / name))
    assert (code, out) == (2, "")
    assert f"a result is saved as .json, or its moves as .csv, got {tmp_path / name}" in err
    assert list(tmp_path.iterdir()) == []


def test_out_writes_the_moves_as_csv(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "moves.csv"
    run(capsys, f"{words}:Words", "--level", "1", "--quiet", "--seed", "1", "--start-from", "a,b", "--out", str(path))
    lines = path.read_text().splitlines()
    assert lines[:3] == ["number,move,words", "1,a,letter a", "2,b,letter b"]
    assert len(lines) == 7


def test_start_from_fixes_the_first_moves(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, f"{words}:Words", "--seed", "1", "--level", "2", "--json", "--quiet", "--start-from", "a,a")
    assert json.loads(out)["moves"] == ["a", "a", "b", "b", "b", "b"]


def test_a_result_file_is_a_warm_start(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "known.json")
    problem = (f"{words}:Words", "-p", "length=30", "--quiet")
    run(capsys, *problem, "--level", "2", "--iterations", "30", "--seed", "1", "--out", path)
    _, out, _ = run(capsys, *problem, "--level", "1", "--iterations", "5", "--json", "--warm-start", path)
    assert json.loads(out)["score"] >= rk.Result.load(path).score - 3


def test_an_exception_in_the_users_function_is_one_line_with_its_place(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, f"{words}:Wrong", "--level", "1", "--quiet")
    assert (code, out) == (1, "")
    line = WORDS.splitlines().index("        return 1 / (len(state) - self.length)") + 1
    assert err == f"rookery: {words}:{line}: ZeroDivisionError in score: division by zero\n"


def test_debug_adds_the_traceback(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, f"{words}:Wrong", "--level", "1", "--quiet", "--debug")
    assert err.startswith("Traceback")
    assert err.splitlines()[-1].startswith("rookery: ")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.timing
def test_a_signal_ends_the_search_with_the_best_so_far(
    words: str, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    path = tmp_path / "result.json"
    process = started(f"{words}:Words", "-p", "pause=0.01", "--out", str(path), "--json")
    assert process.stderr is not None
    process.stderr.readline()  # the first improvement that is reported: it searches
    process.send_signal(number)
    process.send_signal(number)  # as some programs do; it is one request
    out, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert json.loads(out)["status"] == "interrupted"
    assert json.loads(path.read_text()) == json.loads(out)
    assert "Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.timing
def test_an_interrupt_before_the_first_playout_says_so(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(words).parent)
    process = started(f"{words}:Noted", "-p", "pause=3", "--quiet")
    while not Path("scored").exists():  # its first playout is nearly over
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    left, said = err.splitlines()
    assert left.startswith("rookery: warning: Noted.score() at words.py:")
    assert said == "rookery: interrupted before the first playout was finished"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "rookery", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=30)


RAISING = """
import rookery as rk
class Raising(rk.problems.LeftMove):
    def play(self, s, move):
        s.step += 1
        if s.step == 3:
            raise ValueError("no third step")
"""


def test_an_exception_in_compiled_code_is_one_line_with_its_place(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raising.py").write_text(RAISING)
    assert main(["solve", "raising.py:Raising", "--algorithm", "sampling", "--playouts", "5", "-q"]) == 1
    expected = 'Raising.play() at raising.py:7, `raise ValueError("no third step")`: ValueError: no third step'
    assert capsys.readouterr().err == f"rookery: {expected}\n"


@pytest.mark.parametrize(
    ("options", "search"),
    [
        ("--playouts 300", "auto"),
        ("--time 0.2s --target 99", "auto"),
        ("--target 5", "nrpa"),
        ("--playouts 300 --level 2", "nrpa"),
        ("--playouts 300 --preset rosin", "nrpa"),
        ("--playouts 300 --restarts", "nrpa"),
        ("--playouts 300 --replicas 3", "tempering"),
        ("--playouts 300 --set population=2", "annealing"),
        ("--playouts 300 --algorithm sampling", "sampling"),
    ],
)
def test_a_budget_alone_means_auto_and_an_option_of_one_search_means_that_search(options, search, capsys):
    assert main(["solve", "leftmove", "-p", "depth=8", "--seed", "1", "--quiet", "--json", *options.split()]) == 0
    assert json.loads(capsys.readouterr().out)["search"]["algorithm"] == search
