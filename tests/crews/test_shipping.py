from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.crews import shipping
from rookery.crews.shipping import pack_reply, pack_value, ship, unpack, unpack_reply
from rookery.errors import InputError
from rookery.loading.loading import load_problem

UNPACK = """
import sys
from rookery.crews.shipping import unpack
problem = unpack(open(sys.argv[1], "rb").read())
print(repr(problem), problem.__dict__.get("_loaded_as"), problem.parameters())
"""

FILE = """
import rookery as rk
from my_letters import LETTERS

class Word(rk.PythonProblem):
    def __init__(self, length: int = 3): self.length = length
    def __repr__(self): return f"Word of {LETTERS}"
    def start(self): return ""
    def moves(self, state): return LETTERS if len(state) < self.length else ""
    def play(self, state, move): return state + move
    def score(self, state): return state.count("b")
"""

SCRIPT = """
import numpy as np
import rookery as rk

BONUS = 2

def twice(x):
    return BONUS * x

class Coins(rk.Problem):
    table: np.ndarray
    @classmethod
    def build(cls, n: int = 4): return cls(np.arange(n))
    def limits(self): return rk.Limits(moves=2, length=len(self.table), codes=2 * len(self.table))
    def layout(self): return {"step": "i8", "heads": "i8"}
    def start(self, s): s.step = 0
    def moves(self, s, out):
        out[0], out[1] = 0, 1
        return 0 if s.step == len(self.table) else 2
    def code(self, s, move): return 2 * s.step + move
    def play(self, s, move):
        s.heads += twice(move) * self.table[s.step]
        s.step += 1
    def score(self, s): return s.heads

result = rk.solve(Coins.build(6), rk.NRPA(level=2, iterations=10), seed=1, workers=2, executor="processes")
print(result.score, result.executor)
"""


def elsewhere(content: bytes, folder: Path) -> str:
    """What a process that knows nothing but the parcel makes of it."""
    (folder / "parcel").write_bytes(content)
    command = [sys.executable, "-c", UNPACK, str(folder / "parcel")]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout.strip()


def test_a_builtin_problem_arrives_as_it_was(tmp_path):
    problem = load_problem("tsp", {"n": "6"})

    assert elsewhere(ship(problem).content, tmp_path) == f"{problem!r} tsp {problem.parameters()}"


def test_arrays_arrive_as_they_were():
    problem = Knapsack.build(5)

    assert np.array_equal(unpack(ship(problem).content).worth, problem.worth)


def test_a_users_file_is_run_again_with_the_modules_beside_it(tmp_path):
    folder = tmp_path / "of the user"
    folder.mkdir()
    (folder / "my_letters.py").write_text("LETTERS = 'abc'")
    (folder / "words.py").write_text(FILE)
    problem = load_problem(f"{folder}/words.py:Word", {"length": "5"})

    told = elsewhere(ship(problem).content, tmp_path)

    assert told == f"Word of abc {folder}/words.py:Word {{'length': 5}}"


def test_a_file_that_was_edited_after_it_was_loaded_arrives_as_it_was_loaded(tmp_path):
    (tmp_path / "my_letters.py").write_text("LETTERS = 'abc'")
    (tmp_path / "words.py").write_text(FILE)
    problem = load_problem(f"{tmp_path}/words.py:Word")
    (tmp_path / "words.py").write_text(FILE.replace("Word of", "Sentence of"))

    assert elsewhere(ship(problem).content, tmp_path).startswith("Word of abc")


@pytest.mark.parametrize("how", ["script", "standard input"])
def test_classes_of_the_main_module_travel_by_value_and_compile_there(tmp_path, how):
    (tmp_path / "script.py").write_text(SCRIPT)
    with (tmp_path / "script.py").open() as source:
        command = [sys.executable, "script.py" if how == "script" else "-"]
        done = subprocess.run(command, stdin=source, capture_output=True, text=True, cwd=tmp_path)

    assert (done.stdout, done.stderr) == ("30.0 processes\n", "")


def test_moves_of_a_class_of_the_main_module_come_back_as_that_class(tmp_path):
    script = """
    import rookery as rk

    class Letter:
        made_in = "here"
        def __init__(self, text): self.text = text
        def __eq__(self, other): return isinstance(other, Letter) and self.text == other.text
        def __hash__(self): return hash(self.text)

    class Word(rk.PythonProblem):
        def start(self): return ()
        def moves(self, state): return [Letter("a"), Letter("b")] if len(state) < 3 else []
        def code(self, state, move): return (len(state), move)
        def play(self, state, move): return (*state, move)
        def score(self, state): return sum(move.text == "b" for move in state)

    made = Letter.__init__
    result = rk.solve(Word(), rk.NRPA(level=2, iterations=5), seed=1, executor="processes")
    assert Letter.__init__ is made
    print([type(move) is Letter for move in result.moves])
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    assert (done.stdout, done.stderr) == ("[True, True, True]\n", "")


def test_a_reply_names_classes_that_came_by_value():
    class Move:
        pass

    pack_value(Move)  # sent to the worker

    assert type(unpack_reply(pack_reply(Move()))) is Move


def test_equal_problems_have_equal_digests():
    assert ship(Words("abc")).digest == ship(Words("abc")).digest != ship(Words("abd")).digest


def test_a_problem_that_cannot_be_packed_is_refused():
    problem = Words()
    problem.lock = (i for i in range(3))

    with pytest.raises(InputError, match="^Words cannot be sent to other processes: TypeError: cannot pickle"):
        ship(problem)


def test_a_worker_of_another_version_refuses_a_problem(monkeypatch):
    content = ship(Words()).content
    monkeypatch.setattr(shipping, "VERSIONS", ("0.0.1", (3, 9)))

    with pytest.raises(InputError, match=r"^workers must have the same versions .*: Rookery 0.0.1 on Python 3.9, not "):
        unpack(content)


def test_a_parcel_that_cannot_be_rebuilt_is_told_in_one_sentence():
    broken = shipping._Contents((), (), pickle.dumps(Words())[:-5])
    content = pickle.dumps((shipping.VERSIONS, pickle.dumps(broken)))

    with pytest.raises(InputError, match="^a problem cannot be rebuilt by a worker: "):
        unpack(content)


def test_problems_that_others_can_import_travel_by_name():
    _, contents = pickle.loads(ship(rk.problems.LeftMove(depth=3)).content)

    assert len(pickle.loads(contents).problem) < 200
