"""Every mistake that a check of a game promises to find is found, and named; sound games pass."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numba
import numpy as np
import pytest

import rookery as rk
from checking.broken_games import (
    CASES,
    PYTHON_CASES,
    Cells,
    CompiledKey,
    KeyOfObject,
    Marks,
    MovesChange,
    NeverReturns,
    Nim,
    NotCompilable,
)
from examples_of_games import SMALL
from rookery.checking import draws
from rookery.checking import examine as examining
from rookery.checking.catalogue import CATALOGUE, GAME_CATALOGUE
from rookery.checking.draws import ERROR_RATE, chi_square, critical
from rookery.checking.game_keys import check_collisions
from rookery.checking.kernels import Collected
from rookery.checking.report import Log
from rookery.cli import main
from rookery.engine.game_worker import GameEngine
from rookery.loading.kinds import BUILTIN_GAMES
from rookery.testing import CheckError, check_game, examine

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there is nothing compiled to compare with")
PAGE = Path(__file__).parents[2] / "docs" / "games.md"
QUICK = {"playouts": 40, "measure": False}


def assert_found(report, name, function, words):
    where = f"{report.problem}.{function}" if function else ""
    found = [finding for finding in report.findings if (finding.name, finding.function) == (name, where)]
    assert len(found) == 1, str(report)
    for word in words:
        assert word in found[0].text, str(report)
    return found[0]


@pytest.mark.parametrize("claim", CASES)
def test_it_is_found_without_compiling(claim):
    cls, name, function, words = CASES[claim]
    report = examine(cls(), **QUICK)
    assert not report.ok
    assert_found(report, name, function, words)
    assert report.measures is None


@pytest.mark.parametrize("claim", PYTHON_CASES)
def test_it_is_found_in_plain_python(claim):
    cls, name, function, words = PYTHON_CASES[claim]
    report = examine(cls(), **QUICK)
    assert not report.ok
    assert_found(report, name, function, words)


@pytest.mark.timing
def test_a_game_that_never_returns_is_interrupted_at_its_line():
    report = examine(NeverReturns(), **QUICK, seconds=0.2)
    assert_found(report, "does-not-return", "play", ("did not return", "broken_games.py:"))


def test_a_finding_has_the_moves_that_show_it():
    finding = examine(CASES["games longer than declared"][0](), **QUICK).errors[0]
    assert len(finding.playout) == 5


def test_the_same_seed_finds_the_same():
    first, second = (
        examine(CASES["a key of so few bits that different positions collide"][0](), **QUICK) for _ in range(2)
    )
    assert first == second


class Scratched(MovesChange):
    scratch = ("note",)

    def code(self, s, move):
        return 0  # so that it is not compiled


def test_a_function_may_write_into_fields_that_are_declared_as_scratch():
    report = examine(Scratched(), **QUICK)
    assert [finding.name for finding in report.errors] == ["codes-not-distinct"]


# --- sound games ---


def noteworthy(report):
    return [finding for finding in report.findings if finding.level != "note"]


@compiled
def test_a_sound_game_has_neither_errors_nor_warnings():
    report = check_game(Nim(), playouts=60, measure=False)
    assert noteworthy(report) == []
    assert report.playouts == 60


@compiled
def test_measures_of_a_compiled_game_fit_together():
    report = check_game(Cells(), playouts=60)
    assert noteworthy(report) == []
    measures = report.measures
    assert measures.depth == (6, 6.0, 6)
    assert measures.branching == (3.5, 6)
    assert measures.codes == 6
    assert measures.games > 1000
    assert 0 < measures.first < 1
    assert 0 <= measures.draws < 1
    assert all(rate > 0 for rate in measures.rates.values())
    assert {"flat Monte Carlo", "UCT", "PPA"} == set(measures.rates)
    assert json.loads(json.dumps(measures.to_json()))["first"] == measures.first
    assert "won by the first" in str(measures)


def test_a_sound_game_in_plain_python_has_no_findings_and_is_measured():
    report = examine(Marks(), playouts=40)
    assert report.findings == ()
    assert report.measures.depth == (4, 4.0, 4)
    assert report.measures.limits is None
    assert report.measures.games == 20


@pytest.mark.parametrize("name", BUILTIN_GAMES)
@pytest.mark.timing
@pytest.mark.usefixtures("counted_clock")
def test_a_built_in_game_keeps_its_contract_in_plain_python(name, monkeypatch):
    monkeypatch.setattr(examining, "INTERPRETED", True)  # to compile all that a check compiles takes 20 s a game
    monkeypatch.setattr(draws, "DRAWS_PER_MOVE", 10)  # a draw of Amazons looks at every arrow that could be shot
    report = check_game(rk.load_game(name, SMALL[name]), playouts=40, seconds=3, measure=False)
    assert noteworthy(report) == []
    assert report.playouts > 0


@compiled
@pytest.mark.parametrize("name", ["breakthrough", "domineering", "go"])  # one of each kind of board
@pytest.mark.timing
@pytest.mark.usefixtures("counted_clock")
def test_a_built_in_game_keeps_its_contract_compiled(name):
    report = check_game(rk.load_game(name, SMALL[name]), playouts=40, seconds=4, measure=False)
    assert noteworthy(report) == []
    assert report.playouts > 0


# --- what only compiled code shows ---


@compiled
def test_a_compiled_key_that_differs_is_named_with_both_values():
    finding = assert_found(examine(CompiledKey(), **QUICK), "compiled-differs", "key", ("compiled, ", "interpreted"))
    assert finding.text.startswith("key is ")


@compiled
def test_what_cannot_be_compiled_is_an_error_of_the_check():
    assert [finding.name for finding in examine(NotCompilable(), **QUICK).errors] == ["compile-error"]


def collected(keys, prints, players):
    """Two games of two moves each: 4, 5 and 6, 7."""
    moves, ends = np.array([4, 5, 0, 6, 7, 0]), np.array([3, 6])
    as_keys, as_prints = np.array(keys, np.uint64), np.array(prints, np.uint64)
    return Collected(as_keys, as_prints, np.array(players, np.int8), moves, ends, np.array([0, 1], np.int8))


def test_a_collision_among_many_positions_is_told_with_both_paths():
    log = Log(Nim())
    assert check_collisions(
        GameEngine(Nim()), collected([1, 2, 3, 1, 2, 4], [9, 8, 2, 9, 8, 3], [0, 1, -1, 0, 1, -1]), 2, log
    )
    assert not check_collisions(
        GameEngine(Nim()), collected([1, 2, 3, 1, 2, 4], [9, 8, 2, 9, 7, 3], [0, 1, -1, 0, 1, -1]), 2, log
    )
    finding = log.findings()[0]
    assert (finding.name, finding.playout) == ("key-inconsistent", (6,))
    assert "this one and that after 4" in finding.text


def test_a_player_that_differs_among_many_positions_is_named():
    log = Log(Nim())
    assert not check_collisions(
        GameEngine(Nim()), collected([1, 2, 3, 1, 2, 4], [9, 8, 2, 9, 8, 3], [0, 1, -1, 0, 0, -1]), 2, log
    )
    assert log.findings()[0].name == "key-ignores-player"


# --- the test of sample ---


def test_the_critical_values_are_not_below_the_exact_ones():
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 2, 3, 5, 10, 50, 200):
        exact = stats.chi2.isf(ERROR_RATE / 12, freedom)
        assert 0.999 * exact < critical(freedom, ERROR_RATE / 12) < 1.35 * exact


def test_equal_counts_have_the_statistic_zero_and_unequal_ones_more():
    assert chi_square([5, 5, 5, 5]) == 0
    assert chi_square([10, 0]) == 10


# --- options ---


def test_an_allowed_error_is_a_warning():
    report = examine(KeyOfObject(), **QUICK, allow=["key-misses-transposition"])
    assert report.named("key-misses-transposition")[0].level == "warning"
    assert report.ok


def test_check_game_raises_with_every_error_in_its_text():
    with pytest.raises(CheckError, match="OneCode breaks its contract") as caught:
        check_game(CASES["one code for two moves"][0](), **QUICK)
    assert "codes-not-distinct" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playouts": 0}, "playouts must be at least 8, got 0"),
        ({"seconds": 0}, "seconds must be more than 0, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        (
            {"allow": ["bias-too-large"]},
            "allow must name errors of a check, got 'bias-too-large'; there are bad-game, ",
        ),
    ],
)
def test_options_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(rk.InputError, match=message):
        examine(Nim(), **options)


def test_what_is_no_game_is_refused():
    with pytest.raises(rk.InputError, match="game must be a Game or a PythonGame, got 3"):
        check_game(3)


def test_every_error_has_a_broken_game_or_is_one_of_compiled_code():
    shown = {case[1] for case in (*CASES.values(), *PYTHON_CASES.values())}
    errors = {name for name, kind in GAME_CATALOGUE.items() if kind.level == "error"}
    elsewhere = {"does-not-return", "compile-error", "compiled-exception", "compiled-differs"}
    of_listing = {"negative-count", "writes-past-out"}  # as for problems: tests/checking/broken_problems.py
    assert errors - shown == elsewhere | of_listing


# --- the command ---

FILE = """
import rookery as rk


class Race(rk.PythonGame):
    def __init__(self, length: int = 3) -> None:
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < self.length else ""

    def play(self, state, move):
        return state + move

    def player(self, state):
        return len(state) % 2

    def winner(self, state):
        return state.count("b") % 2


class Third(Race):
    def winner(self, state):
        return 2
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.py").write_text(FILE)
    return "race.py"


def test_the_command_checks_a_game_in_a_file(file, capsys):
    assert main(["check", f"{file}:Race", "-p", "length=4", "--playouts", "20"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Race keeps its contract: nothing was found in 20 playouts\n\n")
    assert "moves in a game      4 to 4" in captured.out
    assert "drawn                0.0%" in captured.out
    assert captured.err == ""


def test_a_broken_game_exits_with_1_and_names_the_line(file, capsys):
    assert main(["check", f"{file}:Third", "--playouts", "20", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["parameters"], report["measures"]) == (False, {"length": 3}, None)
    assert report["findings"][0]["name"] == "bad-winner"
    assert "(race.py:26)" in report["findings"][0]["text"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["race.py:Race", "-p", "size=3"], "race.py:Race has no parameter 'size'; it has length"),
        (["race.py:Nothing"], "race.py has no class Nothing"),
        (["race.py:Race", "--allow", "codes-come-back"], "allow must name errors of a check, got 'codes-come-back'"),
        (["race.py:Race", "--playouts", "0"], "--playouts must be at least 1, got 0"),
    ],
)
def test_bad_input_of_the_command_is_one_line_and_exit_code_2(file, arguments, message, capsys):
    assert main(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_the_page_names_every_finding_that_only_games_have():
    rows = re.findall(r"^\| `([\w-]+)` \| (error|warning|note) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {name: kind.level for name, kind in GAME_CATALOGUE.items() if CATALOGUE.get(name) != kind}
