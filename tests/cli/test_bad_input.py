"""Bad input: one line on standard error, exit code 2, no traceback, nothing half-written."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.tasks import Weights

HUGE = "9" * 5000
NAMES = "nrpa, nmcs, lazynmcs, reflexive, beam, uct, spmcts, sampling, tempering, annealing or auto"

CASES = [
    ("solve", "Missing argument 'PROBLEM'"),
    ("nothing", "No such command 'nothing'"),
    ("''", "No such command ''"),
    ("solve leftmove --nothing", "No such option: --nothing"),
    ("solve leftmove more", "more"),
    ("solve leftmove --level", "--level"),
    ("solve leftmove --json=1", "Option '--json' does not take a value"),
    ("solve tps", "unknown problem 'tps': did you mean tsp?"),
    (
        "solve ''",
        "unknown problem '': there are colouring, conjecture, crossword, independentset, jobshop,",
    ),
    ("solve /tsp", "unknown problem '/tsp': there are"),
    (f"solve {HUGE}", "unknown problem '9999999"),
    ("solve none.py:X", "cannot read none.py: No such file or directory"),
    ("solve .:X", "cannot read .: Is a directory"),
    ("solve leftmove -p depth", "-p must be given as key=value, got 'depth'"),
    ("solve leftmove -p ''", "-p must be given as key=value, got ''"),
    ("solve leftmove -p =3", "-p must be given as key=value, got '=3'"),
    ("solve leftmove -p depth=3 -p depth=4", "-p depth is given twice"),
    ("solve leftmove -p depth=x", "-p depth must be a whole number, got 'x'"),
    ("solve leftmove -p depth=", "-p depth must be a whole number, got ''"),
    ("solve leftmove -p depth=٣", "-p depth must be a whole number, got '٣'"),
    (f"solve leftmove -p depth={HUGE}", "-p depth must be a whole number, got '9999999"),
    ("solve leftmove -p depth=0", "depth must be at least 1, got 0"),
    ("solve leftmove -p depth=99999999999999999999", "got 99999999999999999999"),
    ("solve leftmove -p width=3", "leftmove has no parameter 'width'; it has depth"),
    (
        "solve leftmove --algorithm ucb",
        f"--algorithm must be {NAMES}, got 'ucb'",
    ),
    (
        "solve leftmove --algorithm ''",
        f"--algorithm must be {NAMES}, got ''",
    ),
    ("solve leftmove --algorithm nmcs --alpha 1", "--alpha goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --iterations 5", "--iterations goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --warm-start 1", "--warm-start goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --ties '>'", 'ties must be "first" or "random" for NMCS, got'),
    ("solve leftmove --algorithm nmcs --ties ''", 'ties must be "first" or "random" for NMCS, got'),
    ("solve leftmove --algorithm nmcs --ties first --ties x", "--ties must be given once, got 'first' and 'x'"),
    ("solve leftmove --algorithm nmcs --sample 0", "--sample must be at least 1, got 0"),
    ("solve leftmove --algorithm nmcs --sample 99999999", "sample must be at most 1048576, got 99999999"),
    ("solve leftmove --no-memorise", "--memorise goes with nmcs and lazynmcs, not with nrpa"),
    ("solve leftmove --sample 3", "--sample goes with nmcs and lazynmcs, not with nrpa"),
    (
        "solve leftmove --algorithm sampling --level 2",
        "--level goes with nrpa, nmcs, lazynmcs and reflexive, not with sampling",
    ),
    (
        "solve leftmove --algorithm sampling --restarts",
        "--restarts goes with nrpa, nmcs, lazynmcs, reflexive, beam, uct, spmcts and annealing, not with sampling",
    ),
    ("solve leftmove --algorithm sampling", "sampling has no end of its own"),
    (
        "solve leftmove --games 5",
        "--games goes with lazynmcs, reflexive, beam, uct, spmcts and annealing, not with nrpa",
    ),
    (
        "solve leftmove --rule uniform",
        "--rule goes with nmcs, lazynmcs, reflexive, beam, uct, spmcts and sampling, not with nrpa",
    ),
    ("solve leftmove --algorithm reflexive --c 1", "--c goes with uct and spmcts, not with reflexive"),
    ("solve leftmove --algorithm uct --d 1", "--d goes with spmcts, not with uct"),
    ("solve leftmove --algorithm uct --level 1", "--level goes with nrpa, nmcs, lazynmcs and reflexive, not with uct"),
    (
        "solve leftmove --algorithm uct --atomic-level 1",
        "--atomic-level goes with nrpa, nmcs, lazynmcs and reflexive, not",
    ),
    (
        "solve leftmove --algorithm beam --games 0",
        "playouts must be at least 1 unless the problem defines estimate, got",
    ),
    ("solve leftmove --algorithm beam --games -1", "--games must be at least 0, got -1"),
    ("solve leftmove --algorithm lazynmcs --share 2", "share must be above 0 and at most 1, got 2.0"),
    ("solve leftmove --algorithm uct --games 0", "--games must be at least 1, got 0"),
    ("solve leftmove --algorithm uct --games 1e12", "playouts must be at most 268435456, got 1000000000000"),
    ("solve leftmove --algorithm uct --games 5 --games 6", "--games must be given once, got '5' and '6'"),
    ("solve leftmove --algorithm uct --c 0", "c must be more than 0, got 0.0"),
    ("solve leftmove --algorithm uct --c x", "--c must be a number, got 'x'"),
    ("solve leftmove --algorithm spmcts --d -1", "d must be at least 0, got -1.0"),
    ("solve leftmove --algorithm reflexive --games 3:5", "a level in games must be at most 2, got 3"),
    ("solve leftmove --algorithm uct --rule best", 'rule must be "uniform", "mobility" or "own", got \'best\''),
    ("solve leftmove --algorithm uct --rule own", 'rule "own" needs a problem that chooses its moves: LeftMove must'),
    ("solve leftmove --level 0", "--level must be at least 1, got 0"),
    ("solve leftmove --level two", "--level must be a whole number, got 'two'"),
    ("solve leftmove --level ''", "--level must be a whole number, got ''"),
    ("solve leftmove --level ٣", "--level must be a whole number, got '٣'"),
    ("solve leftmove --level 99999999999", "level must be at most 30, got 99999999999"),
    (f"solve leftmove --level {HUGE}", "--level must be a number of at most 40 digits, got 9999999"),
    ("solve leftmove --level nan", "--level must be a whole number, got 'nan'"),
    ("solve leftmove --level inf", "--level must be a whole number, got 'inf'"),
    ("solve leftmove --iterations 0", "--iterations must be at least 1, got 0"),
    ("solve leftmove --iterations 2.5", "--iterations must be a whole number, got '2.5'"),
    ("solve leftmove --iterations 9999999999999999999999", "at most 1099511627776, got 9999999999999999999999"),
    ("solve leftmove --iterations 0:5", "the level in --iterations LEVEL:VALUE must be at least 1, got 0"),
    ("solve leftmove --iterations 1:", "--iterations must be a whole number, got ''"),
    ("solve leftmove --alpha nan", "--alpha must be a number, got 'nan'"),
    ("solve leftmove --alpha inf", "alpha must be a finite number, got inf"),
    ("solve leftmove --alpha 1e999", "alpha must be a finite number, got inf"),
    ("solve leftmove --alpha ''", "--alpha must be a number, got ''"),
    ("solve leftmove --alpha ٣", "--alpha must be a number, got '٣'"),
    ("solve leftmove --ties 2", 'a tie rule must be ">=", ">" or a fraction in [0, 1), got 2.0'),
    ("solve leftmove --ties nan", "a fraction in [0, 1), got nan"),
    ("solve leftmove --ties '=>'", "a fraction in [0, 1), got '=>'"),
    ("solve leftmove --ties ''", "a fraction in [0, 1), got ''"),
    ("solve leftmove --ties 2:", "a fraction in [0, 1), got ''"),
    ("solve leftmove --ties 2:0.3:0.4", "a fraction in [0, 1), got '0.3:0.4'"),
    ("solve leftmove --ties :", "the level in --ties LEVEL:VALUE must be a whole number, got ''"),
    ("solve leftmove --ties 9:0.3", "a level in ties must be at most 3, got 9"),
    ("solve leftmove --ties x:0.3", "the level in --ties LEVEL:VALUE must be a whole number, got 'x'"),
    ("solve leftmove --ties 2:0.3 --ties 2:0.4", "--ties is given twice for level 2"),
    ("solve leftmove --ties 2:0.3 --ties 0.4", "--ties must be given once, or each time as LEVEL:VALUE, got '0.4'"),
    ("solve leftmove --time soon", "--time must be a time such as 60s, 1.5m, 2h or 500ms, got 'soon'"),
    ("solve leftmove --time ''", "--time must be a time such as 60s, 1.5m, 2h or 500ms, got ''"),
    ("solve leftmove --time s", "--time must be a time such as 60s, 1.5m, 2h or 500ms, got 's'"),
    ("solve leftmove --time 5x", "--time must be a time such as"),
    ("solve leftmove --time ٣s", "--time must be a time such as"),
    ("solve leftmove --time nan", "--time must be a time such as"),
    ("solve leftmove --time 0", "time must be more than 0 seconds, got 0.0"),
    ("solve leftmove --time -5", "time must be more than 0 seconds, got -5.0"),
    ("solve leftmove --time inf", "time must be a finite number, got inf"),
    ("solve leftmove --time 1e308h", "time must be a finite number, got inf"),
    ("solve leftmove --target nan", "--target must be a number, got 'nan'"),
    ("solve leftmove --target inf", "target must be a finite number, got inf"),
    ("solve leftmove --target ''", "--target must be a number, got ''"),
    ("solve leftmove --playouts 0", "--playouts must be at least 1, got 0"),
    ("solve leftmove --playouts 1e300", "--playouts must be a number of at most 40 digits, got 1e300"),
    ("solve leftmove --playouts 1e999999999", "--playouts must be a number of at most 40 digits, got 1e999999999"),
    ("solve leftmove --playouts 1e19", "playouts must be at most 1152921504606846976, got 10000000000000000000"),
    ("solve leftmove --max-iterations 0", "--max-iterations must be at least 1, got 0"),
    ("solve leftmove --no-improvement 0", "--no-improvement must be at least 1, got 0"),
    ("solve leftmove --seed -1", "--seed must be at least 0, got -1"),
    ("solve leftmove --seed 1e30", "seed must be at most 18446744073709551615, got 1000000000000000000000000000000"),
    ("solve leftmove --workers 0", "--workers must be at least 1, got 0"),
    ("solve leftmove --workers 1000000", "workers must be at most 1024, got 1000000"),
    ("solve leftmove --atomic-level 0", "--atomic-level must be at least 1, got 0"),
    ("solve leftmove --start-from 5", "move 1"),
    ("solve leftmove --start-from ''", "--start-from must be a result file or moves such as 3,7,12, got ''"),
    ("solve leftmove --start-from '[1'", "--start-from must be a result file or moves such as 3,7,12, got '[1'"),
    (f"solve leftmove --start-from '{'[' * 5000}'", "--start-from must be a result file or moves such as 3,7,12"),
    ("solve leftmove --start-from x", "(those of LeftMove are whole numbers of 64 bits), got 'x'"),
    ("solve leftmove --start-from '[1.5]'", "(those of LeftMove are whole numbers of 64 bits), got 1.5"),
    ("solve leftmove --start-from '[true]'", "(those of LeftMove are whole numbers of 64 bits), got True"),
    ("solve leftmove --start-from '[\"1\"]'", "(those of LeftMove are whole numbers of 64 bits), got '1'"),
    ("solve leftmove --start-from 9223372036854775808", "of 64 bits), got 9223372036854775808"),
    ("solve leftmove --warm-start '[[1]]'", "--warm-start must be a result file or moves (those of LeftMove"),
    ("solve leftmove --warm-start 1,7", "move 2"),
    ("solve leftmove --warm-start 1 --start-from 0", "warm_start must begin with the moves of start_from"),
    ("solve leftmove --start-from none.json", "cannot read none.json: No such file or directory"),
    ("solve leftmove --out none/result.json", "cannot write none/result.json: No such file or directory"),
    ("solve leftmove --out .", "cannot write .: it is a folder"),
    ("solve leftmove --out none/", "cannot write none/: it is a folder"),
    ("solve leftmove --out ''", "cannot write a file without a name"),
    (f"solve leftmove --out {'n' * 300}", "File name too long"),
    ("bench --level 3", "go with a problem: rookery bench PROBLEM"),
    ("bench --level ''", "go with a problem: rookery bench PROBLEM"),
    ("bench ''", "unknown problem ''"),
    (
        "bench leftmove --algorithm ''",
        f"--algorithm must be {NAMES}, got ''",
    ),
    ("bench leftmove --level ''", "--level must be a whole number, got ''"),
    ("bench leftmove --repetitions 0", "--repetitions must be at least 1, got 0"),
    ("bench leftmove --workers 0", "--workers must be at least 1, got 0"),
    ("bench leftmove --workers 1025", "workers must be at most 1024, got 1025"),
    ("bench leftmove --seed 18446744073709551615 --repetitions 2", "the last seed must be below 2^64, got --seed"),
    (
        "bench leftmove --algorithm sampling --level 2",
        "--level goes with nrpa, nmcs, lazynmcs and reflexive, not with sampling",
    ),
    ("bench leftmove --playouts 0", "--playouts must be at least 1, got 0"),
    ("list more", "more"),
    ("cache more", "more"),
    ("check", "Missing argument 'PROBLEM'"),
    ("check tps", "unknown problem or game 'tps': did you mean tsp?"),
    ("check leftmove --playouts 0", "--playouts must be at least 1, got 0"),
    ("check leftmove --seed x", "--seed must be a whole number, got 'x'"),
    ("check leftmove --time soon", "--time must be a time such as 60s, 1.5m, 2h or 500ms, got 'soon'"),
    ("solve leftmove --workers 0", "--workers must be at least 1, got 0"),
    ("solve leftmove --workers 9999", "workers must be at most 1024, got 9999"),
    ("solve leftmove --executor x", "executor must be threads, processes, mpi, dask or an Executor object, got 'x'"),
    ("solve leftmove --executor ''", "executor must be threads, processes, mpi, dask or an Executor object, got ''"),
    ("solve leftmove --executor mpi", "needs a program that was started with at least 2 ranks, as in mpirun -n 3"),
    ("solve leftmove --address tcp://127.0.0.1:1", "address goes with the executor dask, got 'tcp://127.0.0.1:1' with"),
    ("solve leftmove --executor dask --address tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1"),
    ("solve leftmove --executor dask --address nowhere", "no Dask scheduler answers at nowhere"),
    ("solve leftmove --checkpoint none/run.ckpt", "cannot write none/run.ckpt: No such file or directory"),
    ("solve leftmove --checkpoint ''", "cannot write a file without a name"),
    ("solve leftmove --checkpoint-every 5s", "--checkpoint-every goes with --checkpoint FILE"),
    ("solve leftmove --checkpoint run.ckpt --checkpoint-every soon", "--checkpoint-every must be a time such as 60s"),
    ("solve leftmove --checkpoint run.ckpt --checkpoint-every 0s", "checkpoint_every must be more than 0 seconds"),
    ("solve leftmove --log none/run.jsonl", "cannot write none/run.jsonl: No such file or directory"),
    ("solve leftmove --select best", "select must be one of learned, table, literal, got 'best'"),
    ("solve leftmove --algorithm nmcs --select table", "--select goes with nrpa, not with nmcs"),
    ("solve leftmove --runs 0", "--runs must be at least 1, got 0"),
    ("solve leftmove --runs 5 --restarts", "--runs says how many restarts there are"),
    ("solve leftmove --runs 5 --no-restarts", "--runs says how many restarts there are"),
    (
        "solve leftmove --algorithm sampling --playouts 9 --runs 5",
        "--runs goes with nrpa, nmcs, lazynmcs, reflexive, beam, uct, spmcts and",
    ),
    ("resume", "Missing argument 'FILE'"),
    ("resume none.ckpt", "cannot read none.ckpt: No such file or directory"),
    ("resume .", "cannot read .: Is a directory"),
]

WORDS = """import rookery as rk


class Words(rk.PythonProblem):
    def __init__(self, length: int = 3, name: str = ""):
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        return ["a", "b"] if len(state) < self.length else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")


class Needy(Words):
    def __init__(self, length: int):
        super().__init__(length)


class Raising(Words):
    @classmethod
    def build(cls, n: int = 0):
        return cls(1 // n)


class Leaving(Words):
    @classmethod
    def build(cls):
        raise SystemExit(0)


class Nothing(Words):
    @classmethod
    def build(cls):
        pass


class Plain(Words):
    def build(self, n: int = 0):
        return self


class Wrong(Words):
    def score(self, state):
        return 1 // 0


class Exiting(Words):
    def score(self, state):
        raise SystemExit(0)


class Odd(Exception):
    def __str__(self):
        return 1


class Unspoken(Words):
    def score(self, state):
        raise Odd


class Coloured(Words):
    def score(self, state):
        raise ValueError("\\x1b[31mred\\nor not")


class Broken(Words):
    def score(self, state):
        raise BrokenPipeError(32, "my own pipe")


class Unsubtle(BaseException):
    pass


class Crude(Words):
    def score(self, state):
        raise Unsubtle("out")


number = 3
"""

FILES: dict[str, bytes] = {
    "words.py": WORDS.encode(),
    "raises.py": b"import rookery\n\nraise KeyError('no')\n",
    "leaves.py": b"import sys\n\nsys.exit(0)\n",
    "syntax.py": b"import rookery\n\nclass X(:\n",
    "bytes.py": b"\x7fELF\x00\xff\xfe",
    "null.py": b"x = 1\x00\n",
    "deep.py": b"-" * 100_000 + b"1\n",
    "empty.py": b"",
    "text.txt": b"x = 1\n",
    "prints.py": b"print('here')\nraise ValueError('and no further')\n",
    "forgets.py": b"import sys\nsys.modules.pop(__name__)\nsys.path.clear()\nraise ValueError('gone')\n",
    "other.json": b"{}",
    "bytes.json": b"\xff\xfe\x00",
    "cut.json": b'{"problem": "leftmove",',
    "deep.json": b"[" * 100_000,
}

IN_FILES = [
    ("solve words.py", "words.py needs the name of a class, as in words.py:Words"),
    ("solve words.py:", "words.py needs the name of a class, as in words.py:Words"),
    ("solve words.py:Word", "words.py has no class Word; it has Words, Needy"),
    ("solve words.py:number", "number in words.py is not a subclass of rookery.Problem or PythonProblem"),
    ("solve words.py:Odd", "Odd in words.py is not a subclass of rookery.Problem or PythonProblem"),
    ("solve words.py:Needy", "words.py:Needy needs length, a whole number: -p length=..."),
    ("solve words.py:Needy -p length=x", "-p length must be a whole number, got 'x'"),
    ("solve words.py:Raising", "words.py:Raising cannot be made: words.py:29: ZeroDivisionError in build: "),
    ("solve words.py:Leaving", "words.py:Leaving cannot be made: words.py:35: SystemExit in build: 0"),
    ("solve words.py:Nothing", "words.py:Nothing: build must return a problem, got None"),
    ("solve words.py:Plain", "Plain.build must be a classmethod: put @classmethod above it"),
    ("solve raises.py:X", "cannot import raises.py:3: KeyError: 'no'"),
    ("solve leaves.py:X", "cannot import leaves.py:3: SystemExit: 0"),
    ("solve forgets.py:X", "cannot import forgets.py:4: ValueError: gone"),
    ("solve syntax.py:X", "syntax.py is not Python, line 3: invalid syntax"),
    ("solve bytes.py:X", "bytes.py is not Python: source code string cannot contain null bytes"),
    ("solve null.py:X", "null.py is not Python: source code string cannot contain null bytes"),
    ("solve deep.py:X", "deep.py is not Python: nested too deeply"),
    ("solve empty.py:X", "empty.py has no class X; it has no problem class"),
    ("solve text.txt:X", "text.txt is not Python: its name must end in .py"),
    ("solve folder:X", "cannot read folder: Is a directory"),
    ("solve loop.py:X", "cannot read loop.py: "),
    ("solve leftmove --start-from other.json", "other.json is not a result file: 'problem' is missing"),
    ("solve leftmove --warm-start other.json", "other.json is not a result file: 'problem' is missing"),
    ("solve leftmove --start-from bytes.json", "bytes.json is not a result file: not text"),
    ("solve leftmove --start-from cut.json", "cut.json is not a result file: not JSON, line 1: "),
    (
        "solve leftmove --start-from deep.json",
        "deep.json is not a result file: JSON must be nested at most 256 deep, got more",
    ),
    ("solve leftmove --start-from folder.json", "cannot read folder.json: "),
    ("solve leftmove --start-from leftmost.json", "--start-from must be a result of leftmove, got leftmost.json,"),
    ("solve leftmove --warm-start leftmost.json", "--warm-start must be a result of leftmove, got leftmost.json,"),
    ("solve leftmove -p depth=2 --start-from leftmove.json", "move 3"),
    ("solve leftmove --out folder", "cannot write folder: it is a folder"),
    ("solve leftmove --out pipe", "cannot write pipe: it is a device or a pipe, not a file"),
    ("resume other.json", "other.json is not a checkpoint"),
    ("resume leftmove.json", "leftmove.json is not a checkpoint"),
    ("resume words.py", "words.py is not a checkpoint"),
    ("resume cut.ckpt", "cut.ckpt is cut short or damaged: its checksum does not match"),
    ("resume bare.ckpt", "bare.ckpt is cut short or damaged: its first line is not whole"),
    ("resume newer.ckpt", "newer.ckpt was written by rookery 99.0.0; this is rookery "),
    ("resume lost.ckpt", "cannot go on with a run of gone.py:Words: it is not the file that it was"),
    ("resume begun.ckpt --problem leftmost", "the checkpoint is of another problem than leftmost is now"),
    ("resume begun.ckpt --problem leftmove -p depth=9", "the checkpoint is of another problem than leftmove is now"),
    ("resume begun.ckpt -p depth=9", "-p goes with --problem: the checkpoint holds its own parameters"),
    ("resume begun.ckpt --workers 0", "--workers must be at least 1, got 0"),
    ("resume begun.ckpt --executor x", "executor must be threads, processes, mpi, dask or an Executor object, got 'x'"),
    ("resume begun.ckpt --executor mpi", "needs a program that was started with at least 2 ranks"),
    ("resume begun.ckpt --checkpoint none/run.ckpt", "cannot write none/run.ckpt: No such file or directory"),
    ("resume begun.ckpt --checkpoint other.json", "a checkpoint would replace a file that is something else: "),
    ("resume begun.ckpt --time soon", "--time must be a time such as 60s"),
    ("resume begun.ckpt --playouts 0", "--playouts must be at least 1, got 0"),
    ("resume begun.ckpt --out folder", "cannot write folder: it is a folder"),
    (
        "solve leftmove --checkpoint begun.ckpt",
        "begun.ckpt is the checkpoint of a run that is not finished: `rookery re",
    ),
    ("solve leftmove --checkpoint other.json", "a checkpoint would replace a file that is something else: "),
    ("solve leftmove --checkpoint folder", "cannot write folder: it is a folder"),
    ("solve leftmove --checkpoint pipe", "cannot write pipe: it is a device or a pipe, not a file"),
    ("solve leftmove --log folder", "cannot write folder: it is a folder"),
]

IN_USERS_CODE = [
    ("Wrong", "words.py:51: ZeroDivisionError in score: "),
    ("Exiting", "words.py:56: SystemExit in score: 0"),
    ("Unspoken", "words.py:66: Odd in score"),
    ("Coloured", "words.py:71: ValueError in score: \\x1b[31mred or not"),
    ("Broken", "words.py:76: BrokenPipeError in score: [Errno 32] my own pipe"),
    ("Crude", "words.py:85: Unsubtle in score: out"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.fixture
def files(folder: Path) -> Path:
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "loop.py").symlink_to("loop.py")
    for name in ("leftmost", "leftmove"):
        result(name).save(folder / f"{name}.json")
    for name, content in begun().items():
        (folder / name).write_bytes(content)
    return folder


def begun() -> dict[str, bytes]:
    """Checkpoints of a run that has just begun, sound or not."""
    search = {"algorithm": "nrpa", "level": 2, "iterations": 9, "alpha": 1.0, "ties": ">=", "layers": False}
    options = {"restarts": None, "prefix": (), "policy": Weights(), "atomic_level": 1, "select": "learned"}
    run = rk.Checkpoint(
        *(rk.__version__, "leftmove", {"depth": 8}, "", search, 1, {}, {**options, "debug": False}, 0.0, 0.0, {})
    )
    whole = run.to_bytes()
    return {
        "begun.ckpt": whole,
        "cut.ckpt": whole[:-5],
        "bare.ckpt": whole[:30],
        "newer.ckpt": replace(run, version="99.0.0").to_bytes(),
        "lost.ckpt": replace(run, problem="gone.py:Words").to_bytes(),
    }


def result(problem: str) -> rk.Result:
    """A result that need not be searched for."""
    return rk.Result(
        *(problem, {"depth": 3}, {"algorithm": "nrpa"}, 1, 1, 2.0, (1, 1, 0)),
        *(10, 10, 0, 0.5, 0.1, "finished", "0.1.0"),
    )


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def assert_refused(code: int, out: str, err: str, message: str) -> None:
    assert (code, out) == (2, "")
    assert err.startswith("rookery: ")
    assert message in err
    assert err.find("\n") == len(err) - 1
    assert len(err) <= 1010


@pytest.mark.parametrize(("line", "message"), CASES, ids=[line[:60] for line, _ in CASES])
def test_a_mistake_is_one_line_and_exit_code_2(
    line: str, message: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code = main(shlex.split(line))
    captured = capsys.readouterr()
    assert_refused(code, captured.out, captured.err, message)
    assert listing(folder) == []


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
@pytest.mark.parametrize(("line", "message"), IN_FILES, ids=[line for line, _ in IN_FILES])
def test_a_mistake_in_a_file_is_one_line_and_exit_code_2(
    line: str, message: str, capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    before = listing(files)
    code = main(shlex.split(line))
    captured = capsys.readouterr()
    assert_refused(code, captured.out, captured.err, message)
    assert listing(files) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "a\0b"], "unknown problem 'a\\x00b'"),
        (["solve", "a\0b.py:X"], "cannot read a\\x00b.py: embedded null byte"),
        (["solve", "\ud800.py:X"], "cannot read \\ud800.py: "),
        (["solve", "leftmove", "--start-from", "a\0.json"], "cannot read a\\x00.json: embedded null byte"),
        (["solve", "leftmove", "--out", "a\0b"], "cannot write a\\x00b: embedded null byte"),
        (["solve", "leftmove", "--out", "\ud800"], "cannot write \\ud800: "),
        (["solve", "leftmove", "--\x1b[31m"], "No such option: --\\x1b[31m"),
        (["solve", "leftmove", "--time", "1\n\n0s"], "--time must be a time such as"),
    ],
)
def test_what_a_terminal_cannot_show_is_written_in_plain_letters(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code = main(arguments)
    captured = capsys.readouterr()
    assert_refused(code, captured.out, captured.err, message)
    assert captured.err.rstrip("\n").isprintable()
    assert listing(folder) == []


@pytest.mark.parametrize(("name", "message"), IN_USERS_CODE)
def test_an_exception_in_a_users_function_is_one_line_with_its_place_and_exit_code_1(
    name: str, message: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "words.py").write_text(WORDS)
    code = main(["solve", f"words.py:{name}", "--level", "1", "--quiet"])
    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert captured.err.startswith(f"rookery: {message}")
    assert captured.err.find("\n") == len(captured.err) - 1


def test_what_a_users_code_prints_goes_to_standard_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loud.py").write_text(
        "print('loading')\n" + WORDS.replace("return state.count", "print('scoring'); return 0 and state.count")
    )
    search = ("--level", "1", "--iterations", "1")
    assert main(["solve", "loud.py:Words", *search, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["score"] == 0
    assert captured.err.splitlines()[:2] == ["loading", "scoring"]
    assert main(["bench", "loud.py:Words", *search, "--repetitions", "1", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["cases"]) == 1


def test_hooks_for_people_may_return_what_is_not_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "words.py").write_text(
        WORDS
        + "\n\nclass Numbers(Words):\n    def describe_move(self, move):\n        return 7\n"
        + "\n\nclass Drawn(Words):\n    def draw(self, moves):\n        return 5\n"
    )
    for name, end in (("Numbers", "\n\n7, 7, 7\n"), ("Drawn", "\n\n5\n")):
        assert main(["solve", f"words.py:{name}", "--level", "1", "--iterations", "1", "--quiet"]) == 0
        assert capsys.readouterr().out.endswith(end)


def test_a_file_may_change_the_path_of_modules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "words.py").write_text("import sys\n\nsys.path.pop(0)\n" + WORDS)
    assert main(["solve", "words.py:Words", "--level", "1", "--iterations", "1", "--quiet"]) == 0


def test_the_last_of_a_repeated_option_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "words.py").write_text(WORDS)
    assert main(["solve", "words.py:Words", "--level", "1", "--seed", "x", "--seed", "5", "--quiet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 5


def test_numbers_may_be_large_where_that_means_something(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "words.py").write_text(WORDS)
    limits = ("--time", "1e300s", "--playouts", "1e18", "--seed", "1e19", "--atomic-level", "1e30", "--target", "3")
    assert main(["solve", "words.py:Words", "--level", "1", *limits, "--quiet", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seed"], found["status"]) == (10**19, "target")


def test_a_result_of_the_same_class_in_a_file_elsewhere_is_a_start(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "words.py").write_text(WORDS)
    rk.Result.from_json({**result("old/place.py:Words").to_json(), "moves": ["a", "b"]}).save(folder / "old.json")
    line = ("--level", "1", "--start-from", "old.json", "--quiet", "--json")
    assert main(["solve", "words.py:Words", *line]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == ["a", "b", "b"]


def test_an_output_path_is_tried_before_the_problem_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    main(["solve", "leftmove", "-p", "depth=0", "--out", "none/result.json"])
    assert "cannot write none/result.json" in capsys.readouterr().err


def test_want_of_memory_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 80 GiB")

    monkeypatch.setattr(rk, "solve", full)
    code = main(["solve", "leftmove", "--quiet"])
    assert (code, capsys.readouterr().out) == (2, "")


def test_a_standard_output_that_is_full_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    err = io.StringIO()
    with contextlib.redirect_stdout(Full()), contextlib.redirect_stderr(err):
        assert main(["list"]) == 2
    assert err.getvalue() == "rookery: cannot write standard output: No space left on device\n"


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_stream_that_is_closed_is_no_error_of_its_own(
    closed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, closed, None)
    assert (main(["list"]), main(["solve", "tps"])) == (0, 2)
    captured = capsys.readouterr()
    assert ("unknown problem" in captured.err) == (closed == "stdout")
    assert "unknown problem" not in captured.out


REAL = [
    *("solve tps", "solve leftmove -p width=3", "solve none.py:X", "solve words.py:Word", "solve words.py:Odd"),
    *("solve leftmove --algorithm ucb", "solve leftmove --nothing", "solve leftmove --level two"),
    *("solve leftmove --level 0", "solve leftmove --iterations 0", "solve leftmove --playouts 0"),
    *("solve leftmove --alpha inf", "solve leftmove --time -5", "solve leftmove --time soon"),
    *("solve leftmove --target nan", "solve bytes.py:X", "solve syntax.py:X", "solve raises.py:X"),
    *("solve leaves.py:X", "solve prints.py:X", "solve words.py:Leaving", "solve leftmove --out none/result.json"),
    *("solve leftmove --out pipe", "solve leftmove --start-from cut.json", "solve leftmove --start-from leftmost.json"),
    *("bench leftmove --workers 0", "solve leftmove --workers 0", "solve leftmove --executor mpi"),
    *("solve leftmove --executor dask --address tcp://127.0.0.1:1", "solve leftmove --checkpoint none/run.ckpt"),
    *("resume none.ckpt", "resume cut.ckpt", "resume newer.ckpt"),
]


def run_command(line: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rookery", *shlex.split(line)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
@pytest.mark.parametrize("line", REAL)
def test_the_real_command_refuses_in_one_line(line: str, files: Path) -> None:
    before = listing(files)
    process = run_command(line)
    assert (process.returncode, process.stdout) == (2, "")
    lines = process.stderr.removeprefix("here\n").splitlines()  # which one of the files prints
    assert len(lines) == 1
    assert lines[0].startswith("rookery: ")
    message = dict(CASES + IN_FILES).get(line, "prints.py:2: ValueError: and no further")
    assert message in lines[0]
    assert listing(files) == before


@pytest.mark.parametrize("name", ["Wrong", "Exiting"])
def test_the_real_command_shows_where_a_users_function_failed(name: str, folder: Path) -> None:
    (folder / "words.py").write_text(WORDS)
    process = run_command(f"solve words.py:{name} --level 1 --quiet")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith(f"rookery: {dict(IN_USERS_CODE)[name]}")
    assert process.stderr.count("\n") == 1
