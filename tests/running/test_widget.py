"""The view of a run in a notebook: what it says, what its button does, and that nothing in it is run."""

from __future__ import annotations

import gc
import http.server
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anywidget")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from browser import browser, missing

import rookery as rk
from rookery.running import widget as views

in_browser = pytest.mark.skipif(missing() is not None, reason=f"no browser to look at the widget: {missing()}")

PATIENCE = 120.0
SMALL = rk.NRPA(level=1, iterations=20)
HOSTILE = '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>'


class Letters(rk.PythonProblem):
    """Words of six letters; the hooks are what a test makes of them."""

    hold: threading.Event | None = None

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < 6 else ""

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")

    def copy(self, state):
        return state

    def picture(self, moves):
        drawing = rk.Drawing(10, 10)
        drawing.text(5, 5, "".join(moves), size=2)
        return drawing


def until(there: Callable[[], Any]) -> Any:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not (found := there()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def shown_of(run: rk.BackgroundRun) -> views.RunWidget:
    """The view of a run that has ended, when it knows."""
    view = run.widget()
    until(lambda: not view.shown["running"])  # one that fails need not have ended yet
    return view


# --- what it says ---


def test_a_view_shows_score_progress_status_and_the_picture():
    run = rk.solve(Letters(), SMALL, seed=1, background=True)
    best = run.result()
    view = shown_of(run)
    assert view.shown["score"] == f"{best.score:g}"
    assert view.shown["sense"] == "more is better"
    assert view.shown["status"] == "finished"
    assert view.shown["problem"].endswith("Letters")
    assert view.shown["progress"].startswith(f"nrpa level 1 | iteration 20/20 | best {best.score:g} | 20 playouts | ")
    assert view.shown["notes"] == []
    assert "".join(best.moves) in view.picture


@pytest.mark.timing
def test_a_view_follows_the_run_and_its_button_stops_it():
    run = rk.solve(Letters(), rk.NRPA(level=9), seed=1, background=True)
    view = run.widget()
    until(lambda: view.picture and view.shown["score"])
    before = view.shown["progress"]
    until(lambda: view.shown["progress"] != before)
    assert (view.shown["running"], view.shown["status"]) == (True, "running")
    view._handle_custom_msg("stop", [])
    assert run.result(timeout=PATIENCE).status == "interrupted"
    until(lambda: not view.shown["running"])
    assert view.shown["status"] == "interrupted, best so far"


def test_without_a_picture_the_drawing_in_text_is_shown():
    class Drawn(Letters):
        def picture(self, moves):
            return None

        def draw(self, moves):
            return "drawn: " + "".join(moves)

    run = rk.solve(Drawn(), SMALL, seed=1, background=True)
    moves = run.result().moves
    view = shown_of(run)
    assert (view.picture, view.shown["drawing"]) == ("", "drawn: " + "".join(moves))


def test_a_hook_that_fails_leaves_a_note_and_the_rest():
    class Fails(Letters):
        def picture(self, moves):
            raise ZeroDivisionError("no paper")

    run = rk.solve(Fails(), SMALL, seed=1, background=True)
    run.result()
    view = shown_of(run)
    assert view.shown["score"]
    assert len(view.shown["notes"]) == 1
    assert "picture failed: " in view.shown["notes"][0]
    assert "no paper" in view.shown["notes"][0]


def test_a_run_that_fails_says_why():
    class Fails(rk.Callback):
        def on_start(self, problem, search, seed):
            raise RuntimeError("the roof is gone")

    run = rk.solve(Letters(), SMALL, seed=1, callbacks=[Fails()], background=True)
    view = shown_of(run)
    assert view.shown["status"] == "stopped by an error, best so far"
    assert "the roof is gone" in view.shown["notes"][0]


def test_the_best_is_drawn_once_and_slow_drawings_wait(monkeypatch):
    drawn = []

    class Slow(Letters):
        def picture(self, moves):
            drawn.append(moves)
            return super().picture(moves)

    run = rk.solve(Slow(), SMALL, seed=1, background=True)
    run.result()
    view = shown_of(run)
    view._draw(last=True)
    assert len(drawn) == 1
    view._drawn, view._next = None, float("inf")
    view._draw(last=False)
    assert len(drawn) == 1
    view._draw(last=True)
    assert len(drawn) == 2


@pytest.mark.timing
def test_a_run_goes_on_as_long_as_it_is_shown_even_if_nobody_holds_its_handle():
    view = rk.solve(Letters(), rk.NRPA(level=9), seed=1, background=True).widget()
    until(lambda: view.shown["score"])
    gc.collect()
    before = view.shown["progress"]
    until(lambda: view.shown["progress"] != before)
    assert view.shown["running"]
    view.close()
    until(lambda: view._run is None)
    gc.collect()
    assert view._outcome.result(timeout=PATIENCE).status == "interrupted"


# --- in a browser ---

PAGE = """<!doctype html><title>a notebook</title><link rel="stylesheet" href="/widget.css">
<div id="cell"></div><script type="module">
import widget from "/widget.js";
const heard = {}, state = STATE;
window.sent = [];
window.model = {
  get: (name) => state[name],
  on: (event, call) => { heard[event] = call; },
  off: (event) => { delete heard[event]; },
  send: (message) => window.sent.push(message),
};
window.change = (name, value) => { state[name] = value; heard[`change:${name}`](); };
window.leave = widget.render({ model, el: document.getElementById("cell") });
window.left = () => Object.keys(heard).length;
</script>"""


class Notebook:
    """A page with one view on it, and what it asked the server for."""

    def __init__(self, driver: Any, address: str, asked: list[str]) -> None:
        self.driver, self.address, self.asked = driver, address, asked

    def text(self, name: str) -> str:
        return self.driver.find_element("css selector", f".rookery-run-{name}").text

    def script(self, code: str) -> Any:
        return self.driver.execute_script(code)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser(900, 700) as made:
        yield made


@pytest.fixture
def notebook(driver: Any) -> Iterator[Callable[[dict[str, Any]], Notebook]]:
    """Opens a page with a view in a given state."""
    asked: list[str] = []
    pages: dict[str, tuple[str, bytes]] = {
        "/widget.js": ("text/javascript", (views.FILES / "widget.js").read_bytes()),
        "/widget.css": ("text/css", (views.FILES / "widget.css").read_bytes()),
        "/favicon.ico": ("image/png", b""),
    }

    class Serve(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            kind, body = pages.get(self.path, ("text/plain", b""))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Serve) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"

        def opened(state: dict[str, Any]) -> Notebook:
            told = json.dumps(state).replace("<", "\\u003c").replace("ADDRESS", address)
            pages["/"] = ("text/html", PAGE.replace("STATE", told).encode())
            driver.get(address)
            until(lambda: driver.find_elements("css selector", ".rookery-run-stop"))
            return Notebook(driver, address, asked)

        yield opened
        server.shutdown()
        thread.join()


@in_browser
def test_in_a_browser_the_view_is_drawn_changes_and_sends_its_stop_and_runs_nothing_it_shows(notebook):
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.hacked = true">'
        "<script>parent.hacked = true</script><image href='ADDRESS/leak.png' width='9' height='9'/>"
        "<rect width='40' height='40' fill='red'/></svg>"
    )
    state = {
        "shown": {
            **dict.fromkeys(("problem", "status", "score", "sense", "progress", "drawing"), HOSTILE),
            "running": True,
            "notes": [HOSTILE, "second"],
        },
        "picture": svg,
    }
    page = notebook(state)
    until(lambda: page.script("return document.querySelector('img').naturalWidth") == 40)  # it is drawn
    assert page.text("score") == page.text("problem") == page.text("drawing") == HOSTILE
    assert page.text("notes") == f"{HOSTILE}\nsecond"
    assert page.script("return window.hacked") is None
    assert page.script("return document.querySelectorAll('#cell script, #cell img').length") == 1
    assert set(page.asked) <= {"/", "/widget.js", "/widget.css", "/favicon.ico"}
    page.driver.find_element("css selector", "button").click()
    assert page.script("return [window.sent, document.querySelector('button').disabled]") == [["stop"], True]
    page.script("change('shown', {...model.get('shown'), score: '82', running: false}); change('picture', '')")
    assert page.text("score") == "82"
    hidden = "return [...document.querySelectorAll('button, img')].map((e) => e.offsetParent === null || e.hidden)"
    assert page.script(hidden) == [True, True]
    assert page.script("leave(); return left()") == 0
    assert [entry for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"] == []


MARIMO = """
import marimo

app = marimo.App()


@app.cell
def _():
    import rookery as rk

    class Letters(rk.PythonProblem):
        def start(self):
            return ""

        def moves(self, state):
            return "ab" if len(state) < 6 else ""

        def play(self, state, move):
            return state + move

        def score(self, state):
            return state.count("b")

        def picture(self, moves):
            return rk.Drawing(40, 20)

    run = rk.solve(Letters(), rk.NRPA(level=9), seed=1, background=True)
    run
    return


if __name__ == "__main__":
    app.run()
"""
FIND = """
const find = (root) => {
  for (const e of root.querySelectorAll("*")) {
    const found = e.classList.contains("rookery-run-box") ? e : e.shadowRoot && find(e.shadowRoot);
    if (found) return found;
  }
};
const box = find(document);
const text = (name) => box.querySelector(`.rookery-run-${name}`).textContent;
"""


def answers(port: int) -> bool:
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.timing
@in_browser
def test_in_marimo_the_best_is_drawn_while_the_search_goes_on_until_it_is_stopped(tmp_path, driver):
    pytest.importorskip("marimo")
    (tmp_path / "live.py").write_text(MARIMO)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marimo", "-q", "run", "live.py", "--headless", "--no-token", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: answers(port))
            driver.get(f"http://127.0.0.1:{port}/")
            until(lambda: driver.execute_script(FIND + "return box && text('progress').includes('playouts')"))
            until(lambda: driver.execute_script(FIND + "return box.querySelector('img').naturalWidth > 0"))
            before = driver.execute_script(FIND + "return text('progress')")
            until(lambda: driver.execute_script(FIND + "return text('progress')") != before)
            assert driver.execute_script(FIND + "return text('status')") == "running"
            driver.execute_script(FIND + "box.querySelector('button').click()")
            until(lambda: driver.execute_script(FIND + "return text('status')") == "interrupted, best so far")
        finally:
            process.terminate()
