"""Problems by name: what is loaded, and every mistake as one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import rookery as rk

PROBLEM = '''
from __future__ import annotations

from pathlib import Path
from typing import Literal, Optional

import numpy as np

import rookery as rk


class Words(rk.PythonProblem):
    """Spell a word."""

    def __init__(
        self,
        n: int = 3,
        share: float = 0.5,
        loud: bool = False,
        word: str = "ab",
        file: Path = Path("x"),
        mode: Literal["slow", "fast", 3] = "slow",
        most: int | None = None,
        least: Optional[float] = None,
        plain=7,
    ) -> None:
        self.values = (n, share, loud, word, file, mode, most, least, plain)


class Built(rk.PythonProblem):
    def __init__(self, table: np.ndarray) -> None:
        self.table = table

    @classmethod
    def build(cls, n: int, seed: int = 0) -> Built:
        if n == 13:
            raise rk.InputError("n must not be 13, got 13")
        return cls(np.zeros(10 // n))


class Unbuilt(rk.Problem):
    table: np.ndarray


class Unresolved(rk.PythonProblem):
    def __init__(self, n: int = 1, other: Nowhere = None) -> None:
        self.n = n


class NotAProblem:
    pass


number = 3
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(PROBLEM)
    return path


def write(folder: Path, text: str, name: str = "other.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_built_in_problem_is_made_by_its_build() -> None:
    problem = rk.load_problem("tsp", {"n": "7", "seed": "3"})
    assert isinstance(problem, rk.problems.TSP)
    assert problem.parameters() == {"n": 7, "seed": 3}


def test_a_built_in_problem_without_build_is_made_by_its_fields() -> None:
    problem = rk.load_problem("leftmost", {"depth": "7"})
    assert problem.parameters() == {"depth": 7}


def test_the_name_is_noted_on_the_problem(file: Path) -> None:
    name = f"{file}:Words"
    assert rk.load_problem(name).__dict__["_loaded_as"] == name


@pytest.mark.parametrize("name", ["leftmost", "leftmove", "morpion", "tsp"])
def test_a_built_in_class_knows_its_name_and_has_a_description(name: str) -> None:
    assert rk.tools.builtin_name(type(rk.load_problem(name))) == name
    assert rk.tools.builtin_problems()[name].endswith(".")


def test_a_class_derived_from_a_built_in_one_has_no_built_in_name() -> None:
    class Mine(rk.problems.LeftMove):
        pass

    assert rk.tools.builtin_name(Mine) is None


@pytest.mark.parametrize(
    ("place", "text", "value"),
    [
        (0, "n=12", 12),
        (1, "share=1e-3", 0.001),
        (2, "loud=True", True),
        (2, "loud=no", False),
        (3, "word=a=b", "a=b"),
        (4, "file=a/b", Path("a/b")),
        (5, "mode=fast", "fast"),
        (5, "mode=3", 3),
        (6, "most=5", 5),
        (6, "most=none", None),
        (7, "least=2.5", 2.5),
        (8, "plain=9", 9),
    ],
)
def test_values_are_read_by_their_annotations(file: Path, place: int, text: str, value: object) -> None:
    key, _, given = text.partition("=")
    problem = rk.load_problem(f"{file}:Words", {key: given})
    assert problem.values[place] == value  # type: ignore[union-attr]
    assert type(problem.values[place]) is type(value)  # type: ignore[union-attr]


def test_a_parameter_whose_annotation_cannot_be_resolved_does_not_hide_the_others(file: Path) -> None:
    assert rk.load_problem(f"{file}:Unresolved", {"n": "4"}).n == 4  # type: ignore[union-attr]


def test_parameters_are_listed_with_kind_and_default(file: Path) -> None:
    listed = {p.name: (p.kind, p.required) for p in rk.tools.problem_parameters(f"{file}:Built")}
    assert listed == {"n": ("a whole number", True), "seed": ("a whole number", False)}
    assert [p.kind for p in rk.tools.problem_parameters("morpion")] == [
        "5T, 5D, 4T or 4D",
        "true or false",
        "none or a text",
    ]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("tps", {}, "unknown problem 'tps': did you mean tsp?"),
        (
            "zzz",
            {},
            "unknown problem 'zzz': there are colouring, conjecture, crossword, independentset,",
        ),
        ("", {}, "unknown problem ''"),
        ("tsp", {"m": "3"}, "tsp has no parameter 'm'; it has n, seed"),
        ("tsp", {"n": "abc"}, "-p n must be a whole number, got 'abc'"),
        ("tsp", {"n": "1"}, "n must be at least 2, got 1"),
        ("morpion", {"variant": "6T"}, "-p variant must be 5T, 5D, 4T or 4D, got '6T'"),
        ("FILE", {}, "FILE needs the name of a class, as in FILE:Words"),
        ("FILE:Nothing", {}, "FILE has no class Nothing; it has Words, Built, Unbuilt, Unresolved"),
        ("FILE:NotAProblem", {}, "NotAProblem in FILE is not a subclass of rookery.Problem or PythonProblem"),
        ("FILE:number", {}, "number in FILE is not a subclass of rookery.Problem"),
        ("FILE:Words", {"share": "nan"}, "share must be a number, got 'nan'"),
        ("FILE:Words", {"loud": "perhaps"}, "loud must be true or false, got 'perhaps'"),
        ("FILE:Words", {"most": "x"}, "most must be none or a whole number, got 'x'"),
        ("FILE:Words", {"n": "\N{ARABIC-INDIC DIGIT THREE}"}, "-p n must be a whole number, got '"),
        ("FILE:Words", {"share": "\N{ARABIC-INDIC DIGIT THREE}"}, "-p share must be a number, got '"),
        ("FILE:Words", {"n": "9" * 5000}, "-p n must be a whole number, got '999"),
        ("FILE:Words", {"mode": "x"}, "mode must be slow, fast or 3, got 'x'"),
        ("FILE:Built", {}, "FILE:Built needs n, a whole number: -p n=..."),
        ("FILE:Built", {"n": "13"}, "n must not be 13, got 13"),
        ("FILE:Built", {"n": "0"}, "FILE:38: ZeroDivisionError in build: "),
        ("FILE:Unbuilt", {}, "table cannot be given on the command line; Unbuilt needs a classmethod build(cls, ...)"),
        ("FILE:Unresolved", {"other": "1"}, "other cannot be given on the command line"),
    ],
)
def test_a_mistake_is_one_sentence(file: Path, name: str, given: dict[str, str], message: str) -> None:
    with pytest.raises(rk.InputError) as caught:
        rk.load_problem(name.replace("FILE", str(file)), given)
    assert message.replace("FILE", str(file)) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(rk.InputError, match=r"cannot read .*none\.py: No such file"):
        rk.load_problem(f"{tmp_path / 'none.py'}:X")


@pytest.mark.parametrize("name", ["a\0b.py", "\ud800.py", "n" * 300 + ".py"])
def test_a_name_that_no_file_can_have_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(rk.InputError, match="cannot read"):
        rk.load_problem(f"{tmp_path / name}:X")


def test_a_link_to_itself_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "loop.py").symlink_to("loop.py")
    with pytest.raises(rk.InputError, match=r"cannot read .*loop\.py: "):
        rk.load_problem(f"{tmp_path / 'loop.py'}:X")


def test_a_file_that_is_too_deep_for_python_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "-" * 100_000 + "1\n")
    with pytest.raises(rk.InputError, match=r"other\.py is not Python: nested too deeply"):
        rk.load_problem(f"{path}:X")


@pytest.mark.parametrize("build", ["build = 5", "def build(self, n: int = 1): return self"])
def test_a_build_that_is_no_classmethod_is_refused(tmp_path: Path, build: str) -> None:
    path = write(tmp_path, f"import rookery as rk\nclass X(rk.PythonProblem):\n    {build}\n")
    for load in (rk.load_problem, rk.tools.problem_parameters):
        with pytest.raises(rk.InputError, match=r"X\.build must be a classmethod: put @classmethod above it"):
            load(f"{path}:X")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise SystemExit(3)", r"cannot be made: .*other\.py:5: SystemExit in build: 3"),
        ("return None", r"build must return a problem, got None"),
        ("return X", r"build must return a problem, got <class '"),
        ("return 'x' * 5000", r"build must return a problem, got 'xxx"),
    ],
)
def test_a_build_that_makes_no_problem_is_refused(tmp_path: Path, body: str, message: str) -> None:
    text = f"import rookery as rk\nclass X(rk.PythonProblem):\n    @classmethod\n    def build(cls):\n        {body}\n"
    with pytest.raises(rk.InputError, match=message) as caught:
        rk.load_problem(f"{write(tmp_path, text)}:X")
    assert len(str(caught.value)) < 300


def test_a_file_may_change_sys_path_and_sys_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = write(tmp_path, "import sys\nsys.path.pop(0)\nsys.modules.pop(__name__)\nraise ValueError('mine')\n")
    with pytest.raises(rk.InputError, match=r"cannot import .*other\.py:4: ValueError: mine"):
        rk.load_problem(f"{path}:X")


def test_an_exception_that_cannot_be_put_into_words_is_named() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert rk.tools.describe_exception(Odd()) == "Odd"


def test_a_file_with_a_syntax_error_is_shown_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "import rookery\n\nclass X(:\n")
    with pytest.raises(rk.InputError, match=r"other\.py is not Python, line 3: invalid syntax"):
        rk.load_problem(f"{path}:X")


def test_a_file_of_bytes_is_not_python(tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_bytes(b"\x00\xff\xfe\x00")
    with pytest.raises(rk.InputError, match=r"other\.py is not Python"):
        rk.load_problem(f"{path}:X")


def test_a_file_must_be_named_as_python(tmp_path: Path) -> None:
    path = write(tmp_path, "x = 1\n", "other.txt")
    with pytest.raises(rk.InputError, match=r"other\.txt is not Python: its name must end in \.py"):
        rk.load_problem(f"{path}:X")


@pytest.mark.parametrize("statement", ["raise KeyError('no')", "import sys; sys.exit(1)", "import no_such_module"])
def test_an_exception_on_import_is_shown_with_its_line(tmp_path: Path, statement: str) -> None:
    path = write(tmp_path, f"import rookery\n\n{statement}\n")
    with pytest.raises(rk.InputError, match=r"cannot import .*other\.py:3: \w+: "):
        rk.load_problem(f"{path}:X")
    assert str(tmp_path) not in sys.path


def test_an_exception_is_placed_in_the_users_code_not_in_what_it_called(tmp_path: Path) -> None:
    path = write(tmp_path, "import json\n\njson.loads('{')\n")
    with pytest.raises(rk.InputError, match=r"other\.py:3: JSONDecodeError"):
        rk.load_problem(f"{path}:X")


def test_modules_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "SIZE = 5\n", "beside_the_file.py")
    text = "import rookery as rk\nfrom beside_the_file import SIZE\nclass X(rk.PythonProblem):\n    size = SIZE\n"
    assert rk.load_problem(f"{write(tmp_path, text)}:X").size == 5  # type: ignore[union-attr]


def test_a_file_does_not_hide_modules_that_are_imported_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    write(tmp_path, "raise RuntimeError\n", "colorsys.py")
    rk.load_problem(f"{write(tmp_path, 'import rookery as rk' + chr(10) + 'class X(rk.PythonProblem): pass')}:X")
    import colorsys

    assert hasattr(colorsys, "rgb_to_hsv")


def test_an_edited_file_is_read_again_at_once(tmp_path: Path) -> None:
    text = "import rookery as rk\nclass X(rk.PythonProblem):\n    size = {}\n"
    first = rk.load_problem(f"{write(tmp_path, text.format(1))}:X")
    second = rk.load_problem(f"{write(tmp_path, text.format(2))}:X")
    assert (first.size, second.size) == (1, 2)  # type: ignore[union-attr]


def test_files_of_the_same_name_in_two_folders_are_two_modules(tmp_path: Path) -> None:
    modules = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = write(tmp_path / folder, "import rookery as rk\nclass X(rk.PythonProblem): pass\n")
        modules.append(type(rk.load_problem(f"{path}:X")).__module__)
    assert modules[0] != modules[1]
    assert all(module in sys.modules for module in modules)


# --- back from a result ---


def test_values_as_results_hold_them_are_read_as_texts_are(file: Path) -> None:
    given = {"n": 5, "share": 1, "loud": True, "file": "y", "mode": 3, "most": None, "least": 2.5, "plain": 8}
    made = rk.load_problem(f"{file}:Words", given)
    assert made.values == (5, 1.0, True, "ab", Path("y"), 3, None, 2.5, 8)
    assert made.parameters() == {**given, "share": 1.0, "word": "ab"}


@pytest.mark.parametrize(("given", "message"), [({"n": 2.5}, "got 2.5"), ({"n": True}, "got True"), ({"n": []}, "got")])
def test_a_value_of_another_type_is_refused(file: Path, given: dict[str, object], message: str) -> None:
    with pytest.raises(rk.InputError, match=f"-p n must be a whole number, {message}"):
        rk.load_problem(f"{file}:Words", given)


@pytest.mark.parametrize(
    "problem",
    [
        rk.problems.TSP.build(n=7, seed=3),
        rk.problems.LeftMove(depth=4),
        rk.games.Breakthrough(width=4, height=5),
        rk.games.Domineering.build(size=3),
        rk.problems.Morpion.build("4D"),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_what_was_recorded_is_the_way_back_to_a_built_in_problem(problem: rk.Problem) -> None:
    load = rk.load_game if isinstance(problem, rk.Game) else rk.load_problem
    again = load(rk.tools.builtin_name(type(problem)) or "", problem.parameters())
    assert repr(again) == repr(problem)


IMPORTABLE = """
import rookery as rk

class Word(rk.PythonProblem):
    def __init__(self, letters: str, n: int = 3):
        self._used = letters * n
    def start(self): return ""
    def moves(self, state): return self._used if len(state) < 2 else ""
    def play(self, state, move): return state + move
    def score(self, state): return state.count("b")
"""


def test_an_importable_class_is_found_again_by_its_result_and_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a_package").mkdir()
    write(tmp_path / "a_package", "", "__init__.py")
    write(tmp_path / "a_package", IMPORTABLE, "of_words.py")
    problem = rk.load_problem("a_package.of_words:Word", {"letters": "ab"})
    search = rk.NRPA(level=1, iterations=20)
    result = rk.solve(problem, search, seed=1, stop=rk.MaxPlayouts(15), checkpoint="run.ckpt")
    assert (result.problem, result.parameters) == ("a_package.of_words:Word", {"letters": "ab", "n": 3})
    assert rk.replay(rk.load_problem(result.problem, result.parameters), result.moves)[0] == result.score
    for name in ("a_package", "a_package.of_words"):
        monkeypatch.delitem(sys.modules, name)
    assert rk.resume("run.ckpt", stop=rk.Stop()).playouts == 20
    for name in ("a_package", "a_package.of_words"):
        monkeypatch.delitem(sys.modules, name)
    write(tmp_path / "a_package", IMPORTABLE + "\nraise SystemExit\n", "of_words.py")
    with pytest.raises(rk.InputError, match="no code is run because a file names it"):
        rk.resume("run.ckpt", stop=rk.Stop())


def test_a_module_that_cannot_be_imported_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "import no_such_module_at_all", "broken_words.py")
    with pytest.raises(rk.InputError, match="cannot import broken_words: broken_words.py:1: ModuleNotFoundError"):
        rk.load_problem("broken_words:Word")
    with pytest.raises(rk.InputError, match="cannot read no_such_words: No such file"):
        rk.load_problem("no_such_words:Word")
