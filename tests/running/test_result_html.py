"""What a notebook shows of a result: complete, escaped, and not broken by a slip in a hook."""

from __future__ import annotations

import base64
import copy
import dataclasses
import html.parser
import pickle
import re

import pytest

import rookery as rk
from examples_of_problems import Words
from rookery.drawing.holding import held
from rookery.running.result_html import MOST_MOVES, problem_of, ticks, timeline_svg

HOSTILE = "</div><script>alert('1')</script><img src=x onerror=\"alert(2)\">&amp;\x00\ud800"
PAST = (rk.tools.Improvement(0.1, 1, 1.0), rk.tools.Improvement(0.2, 4, 2.0))


def a_result(**changes):
    values = {
        "problem": "leftmove",
        "parameters": {"depth": 3},
        "search": {"algorithm": "nrpa", "level": 1, "ties": ">="},
        "seed": 123,
        "workers": 1,
        "score": 2.0,
        "moves": (1, 1, 0),
        "playouts": 1000,
        "iterations": 10,
        "restarts": 0,
        "seconds": 0.5,
        "compile_seconds": 0.1,
        "status": "finished",
        "version": "0.1.0",
        "history": PAST,
    }
    return rk.Result(**{**values, **changes})


class Page(html.parser.HTMLParser):
    """The tags of a fragment, its text, and whether every tag is closed in order."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.tags, self.words, self._open = set(), [], []
        self.feed(fragment)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self._open.append(tag)
        assert not [name for name, _ in attributes if name.startswith("on") or name in ("href", "src", "class", "id")]

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page(result):
    fragment = result._repr_html_()
    fragment.encode()  # a notebook sends it as UTF-8
    return Page(fragment)


class Menu(Words):
    """Hooks for people, each of which can be told to fail."""

    sense = "min"

    def __init__(self, fails=(), word="dish {}"):
        super().__init__()
        self._fails, self._word = fails, word

    def _may(self, hook):
        if hook in self._fails:
            raise ZeroDivisionError(f"a slip in {hook}")

    def describe_move(self, move):
        self._may("describe_move")
        return self._word.format(move)

    def format_score(self, score):
        self._may("format_score")
        return f"{score:.1f} euros"

    def draw(self, moves):
        self._may("draw")
        return f"<table>\n  {' '.join(moves)}"


# --- what is shown ---


def test_the_facts_of_a_run_are_shown():
    text = page(a_result()).text
    for fact in (
        "leftmove(depth=3)",
        "2 more is better",
        "status finished",
        "search nrpa(level=1, ties='>=')",
        "seed 123",
        "playouts 1,000, 2,000 per second",
        "time 0.5 s, and 0.1 s to compile",
        "found after 0.2 s, at playout 4",
        "moves left, left, right",
    ):
        assert fact in text


def test_restarts_workers_and_what_was_seen_are_shown_when_there_are_any():
    seen = {"score": 3.0, "moves": [0, 0, 0]}
    text = page(a_result(restarts=1234, workers=2, best_seen=seen)).text
    assert "restarts 1,234 workers 2" in text
    assert "seen 3, beyond the search's own answer" in text
    assert not {"restarts", "workers", "seen"} & set(page(a_result()).text.split())


def test_a_run_shows_the_hooks_of_its_problem():
    result = rk.solve(Menu(), rk.NRPA(level=1, iterations=20), seed=1)
    text = page(result).text
    assert f"{result.score:.1f} euros less is better" in text
    assert ", ".join(f"dish {move}" for move in result.moves) in text.replace("\N{NO-BREAK SPACE}", " ")
    assert f"<table> {' '.join(result.moves)}" in text


def test_a_picture_is_shown_in_place_of_the_drawing_and_carries_the_solution():
    fragment = a_result(problem="nogo", parameters={}, of=rk.problems.SameGame.build("11/11"), moves=(0,))._repr_html_()
    image = base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', fragment)[1])
    assert held(image).data == {"problem": "nogo", "parameters": {}, "score": 2.0, "moves": [0]}
    assert "<pre" not in fragment


def test_a_picture_that_fails_costs_itself_alone():
    text = page(a_result(problem="samegame", of=rk.problems.SameGame.build("12/21"), moves=(0,))).text
    assert re.search(r"picture failed: .*move 1 must be legal", text)
    assert "seed 123" in text


def test_a_drawing_keeps_its_lines():
    fragment = a_result(problem="x", of=Menu(), moves=("a", "b"))._repr_html_()
    assert "&lt;table&gt;\n  a b</pre>" in fragment


def test_many_moves_are_folded_away():
    assert "details" not in page(a_result(moves=(1,) * 12)).tags
    many = page(a_result(moves=(1,) * 13))
    assert "details" in many.tags
    assert "13 moves left, left" in many.text


def test_very_many_moves_are_cut():
    text = page(a_result(moves=(1,) * (MOST_MOVES + 2000))).text
    assert text.count("left") == MOST_MOVES + 1  # and once in the name of the problem
    assert "and 2,000 more" in text


def test_a_result_without_history_or_moves_is_shown():
    fragment = page(a_result(history=(), moves=(), seconds=0.0))
    assert "svg" not in fragment.tags
    assert "found" not in fragment.text


# --- safety ---


@pytest.mark.parametrize(
    "result",
    [
        a_result(problem="x", moves=(HOSTILE,)),
        a_result(problem=HOSTILE, parameters={HOSTILE: HOSTILE}),
        a_result(search={"algorithm": HOSTILE, HOSTILE: HOSTILE}),
        a_result(status=HOSTILE),
        a_result(of=Menu(word=HOSTILE), moves=("a",)),
        a_result(of=Menu(), moves=(HOSTILE,)),
    ],
    ids=["move", "parameter", "search", "status", "describe_move", "draw"],
)
def test_hostile_texts_are_escaped(result):
    shown = page(result)
    assert not {"script", "img", "table"} & shown.tags
    assert "<script>alert('1')</script>" in shown.text
    assert "\x00" not in shown.text


def test_nothing_is_fetched_and_nothing_runs():
    result = a_result(of=rk.problems.LeftMove(3), moves=(1,) * 20)
    assert page(result).tags <= {"div", "b", "svg", "title", "path", "text", "circle", "details", "summary", "pre"}
    assert "url(" not in result._repr_html_()


@pytest.mark.parametrize("hook", ["describe_move", "format_score", "draw"])
def test_a_hook_that_fails_costs_its_own_words_only(hook):
    text = page(a_result(of=Menu({hook}), moves=("a", "b"))).text
    assert re.search(rf"{hook} failed: .*test_result_html.py:\d+: ZeroDivisionError in _may: a slip in {hook}", text)
    plain = {"describe_move": "moves a, b", "format_score": "2 less is better", "draw": "moves dish"}
    assert plain[hook] in text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_hook_that_returns_no_text_is_shown_as_it_is():
    class Numbers(Menu):
        def describe_move(self, move):
            return 7

    assert "moves 7, 7" in page(a_result(of=Numbers(), moves=("a", "b"))).text


def test_a_move_that_cannot_be_written_is_named_by_its_type():
    class Mute:
        def __str__(self):
            raise RuntimeError("no words")

    assert "moves <Mute>" in page(a_result(problem="x", moves=(Mute(),))).text


# --- results from files ---


def test_a_loaded_result_of_a_built_in_problem_is_shown_in_words(tmp_path):
    a_result().save(tmp_path / "r.json")
    loaded = rk.Result.load(tmp_path / "r.json")
    assert loaded.of is None
    assert "moves left, left, right" in page(loaded).text


def test_a_loaded_result_of_another_problem_runs_none_of_its_code(tmp_path):
    (tmp_path / "mine.py").write_text("raise SystemExit('it ran')")
    a_result(problem=f"{tmp_path / 'mine.py'}:Mine").save(tmp_path / "r.json")
    assert "moves 1, 1, 0" in page(rk.Result.load(tmp_path / "r.json")).text


@pytest.mark.parametrize("parameters", [{"depth": "deep"}, {"width": 3}, {"depth": -1}, {"depth": None}])
def test_parameters_that_make_no_problem_leave_the_moves_as_they_are(parameters):
    result = a_result(parameters=parameters)
    assert problem_of(result) is None
    assert "moves 1, 1, 0" in page(result).text


# --- the problem of a result ---


class Local(Words):
    """Cannot be pickled or copied."""

    def __reduce_ex__(self, protocol):
        raise TypeError("not to be pickled")

    def __deepcopy__(self, memo):
        raise TypeError("not to be copied")


def test_the_problem_is_known_to_the_result_but_is_no_part_of_its_value(tmp_path):
    problem = Local()
    result = rk.solve(problem, rk.NRPA(level=1, iterations=5), seed=1)
    assert result.of is problem
    assert "of" not in result.to_json()
    assert "Local object" not in repr(result)
    assert result == dataclasses.replace(result, of=None)
    result.save(tmp_path / "r.json")
    assert rk.Result.load(tmp_path / "r.json") == result


def test_a_result_is_pickled_without_its_problem():
    result = a_result(of=Local())
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.of is None


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, dataclasses.replace])
def test_a_copy_shares_the_problem(make):
    result = a_result(of=Local())
    again = make(result)
    assert again == result
    assert again is not result
    assert again.of is result.of


def test_a_deep_copy_shares_nothing_that_can_change():
    result = a_result(of=Local())
    assert copy.deepcopy(result).parameters is not result.parameters


def test_the_runs_of_an_experiment_share_one_problem():
    problem = rk.problems.LeftMove(9)
    done = rk.experiment(problem, {"a": rk.NRPA(level=1, iterations=5)}, seeds=3, stop=rk.MaxPlayouts(10))
    assert {id(run.of) for run in done.runs["a"]} == {id(problem)}


# --- the timeline ---


def line(svg):
    """The corners of the line, in pixels."""
    path = re.search(r'd="(M[^"]*)" fill="none"', svg)[1]
    numbers = list(map(float, re.findall(r"[\d.]+", path)))
    return list(zip(numbers[0:1] + numbers[2::2], numbers[1::2] + numbers[-2:-1], strict=True))


def test_the_line_rises_with_the_score_and_ends_at_the_end():
    corners = line(timeline_svg([rk.tools.Improvement(t, t, s) for t, s in ((1, 10.0), (2, 15.0), (8, 20.0))], 10.0))
    assert [y for _, y in corners] == sorted([y for _, y in corners], reverse=True)
    assert [x for x, _ in corners] == sorted(x for x, _ in corners)
    assert corners[-1][0] == 508


def test_the_line_of_a_minimised_problem_falls():
    corners = line(timeline_svg([rk.tools.Improvement(1.0, 1, 20.0), rk.tools.Improvement(2.0, 2, 10.0)], 4.0))
    assert corners[0][1] < corners[1][1]


def test_time_is_logarithmic_when_most_happens_at_the_start():
    early = [rk.tools.Improvement(0.001 * 2**k, k, float(k)) for k in range(8)]
    late = [rk.tools.Improvement(1.0 + k, k, float(k)) for k in range(8)]
    assert "seconds (logarithmic)" in timeline_svg(early, 60.0)
    assert "logarithmic" not in timeline_svg(late, 10.0)


def test_a_score_that_never_changed_needs_no_picture():
    assert timeline_svg(PAST[:1], 1.0) == timeline_svg((), 1.0) == ""


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 0.15, 1e6])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e15, -1.0])
def test_any_scale_of_time_and_score_can_be_drawn(seconds, scale):
    past = [rk.tools.Improvement(t, 1, scale * s) for t, s in ((0.0, 1.0), (0.0, 2.0), (0.1, 3.0), (0.1, 7.0))]
    svg = timeline_svg(past, seconds)
    assert "nan" not in svg
    assert all(0 <= float(x) <= 520 for x in re.findall(r'\bx="([^"]*)"', svg))


def test_a_long_history_makes_a_short_picture():
    past = [rk.tools.Improvement(0.001 * k, k, float(k)) for k in range(100_000)]
    assert len(timeline_svg(past, 100.0)) < 100_000


def test_ticks_are_few_and_round():
    for low, high in ((0, 1), (3, 82), (-5, 1e-3), (1e6, 1e6 + 3), (0.1234, 0.12345)):
        marks = ticks(low, high)
        assert 2 <= len(marks) <= 8
        assert marks[0] <= low
        assert high <= marks[-1]
