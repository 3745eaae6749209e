"""The page in a real browser: it loads, lives, replays, plays and keeps to itself."""

from __future__ import annotations

import http.server
import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from browser import browser, missing
from sites import OWN, best, lines, morpion_moves, start, tick

from rookery.web.serving import Server

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"the page is not tested in a browser: {missing()}")

PATIENCE = 120.0
VIEWS = [
    *("runs", "run?file=run.jsonl", "run?file=result.json", "run?file=match.jsonl", "compare?file=run.jsonl"),
    *("compare", "play", "cluster", "cluster?file=cluster.jsonl"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made, moves = tmp_path_factory.mktemp("runs"), morpion_moves(12)
    levels, figures = (
        {"2": [4, 9], "1": [30, 2]},
        {"temperature": [0.5, 1.0], "accepted": [0.1, 0.4], "swaps": [0.5, 0.0]},
    )
    told = [tick(k / 10, replaced=levels, figures=figures) for k in range(1, 30)]
    (made / "run.jsonl").write_text(lines(start(), *told, best(3.0, moves), tick(3.5, 12.0, replaced=levels)))
    names = ("problem", "parameters", "search", "seed", "version", "workers")
    end = {"playouts": 9, "iterations": 1, "restarts": 0, "seconds": 1.0, "compile_seconds": 0.0, "status": "finished"}
    pool = [{"score": 12.0, "moves": moves}, {"score": 3.0, "moves": moves[:3]}]
    result = {**{name: start()[name] for name in names}, **end, "score": 12.0, "moves": moves, "pool": pool}
    (made / "result.json").write_text(json.dumps(result))
    games = [
        {"event": "game", "seconds": k, "asked": 9, "games": k, "wins_a": k - 1, "wins_b": 1, "draws": 0}
        for k in (1, 5, 9)
    ]
    sides = {"game": "nogo", "a": {"algorithm": "ppa"}, "b": {"algorithm": "uct"}}
    (made / "match.jsonl").write_text(
        lines({"event": "start", "journal": 1, "parameters": {"size": 5}, **sides}, *games)
    )
    rows = [
        {"event": "end", "run": str(n), "select": "learned", "workers": n, "speedup": n * 0.9, "oracle_speedup": n}
        for n in (1, 8)
    ]
    (made / "cluster.jsonl").write_text(
        lines(*(line for row in rows for line in (start(executor="virtual", run=row["run"]), row)))
    )
    return made


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    server = Server(str(folder), port=0, own=[OWN])
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.address
    server.stop()
    thread.join()


@pytest.fixture(scope="module")
def window(served: str) -> Iterator[Any]:
    """A browser that has opened the printed address."""
    with browser(1200, 900) as driver:
        driver.get(served)
        yield driver


def until(window: Any, there: Callable[[], Any]) -> Any:
    """Wait for something on the page."""
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
    from selenium.webdriver.support.ui import WebDriverWait

    ignored = (StaleElementReferenceException, WebDriverException)
    return WebDriverWait(window, PATIENCE, 0.05, ignored).until(lambda _: there())


def show(window: Any, served: str, view: str) -> None:
    """Go to a view, and wait until it is there."""
    window.get("about:blank")
    window.get(f"{served.partition('?')[0]}#/{view}")
    until(
        window,
        lambda: window.execute_script(
            "return document.querySelector('main h1') && !document.querySelector('#main > p')"
        ),
    )


def one(window: Any, selector: str) -> Any:
    return window.find_element("css selector", selector)


def every(window: Any, selector: str) -> list[Any]:
    return window.find_elements("css selector", selector)


def complaints(window: Any) -> list[str]:
    return [entry["message"] for entry in window.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


UNNAMED = """
const named = (e) => e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim() || e.title;
return [...document.querySelectorAll("button, a, input, select, img, svg[role=img]")].filter((e) =>
  e.offsetParent !== null && !(e.tagName === "IMG" ? e.hasAttribute("alt") : named(e))).map((e) => e.outerHTML);
"""


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_loads_without_complaints_and_everything_on_it_has_a_name(view, window, served):
    show(window, served, view)
    until(
        window, lambda: window.execute_script("return !document.querySelector('.picture:not([hidden]) img:not([src])')")
    )
    assert window.execute_script(UNNAMED) == []
    assert every(window, "[role=alert]") == []
    assert complaints(window) == []


@pytest.mark.parametrize(
    "view", ["runs", "run?file=run.jsonl", "compare?file=run.jsonl", "play", "cluster?file=cluster.jsonl"]
)
def test_a_view_fits_the_screen_of_a_phone(view, window, served):
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        show(window, served, view)
        assert window.execute_script("return document.documentElement.scrollWidth") <= 390
    finally:
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_dark_screens_get_dark_pages_and_pictures(window, served):
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        show(window, served, "run?file=run.jsonl")
        assert window.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(19, 21, 26)"
        until(window, lambda: "dark=1" in (one(window, "#picture").get_attribute("src") or ""))
    finally:
        dark["features"][0]["value"] = "light"
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)


def test_the_best_of_a_live_run_rises_on_the_page(window, served, folder):
    path, moves = folder / "live.jsonl", morpion_moves(9)
    path.write_text(lines(start(), tick(0.1), best(0.2, moves[:3])))
    show(window, served, "run?file=live.jsonl")
    until(window, lambda: one(window, "#score").text == "3")
    with path.open("a") as file:
        file.write(lines(best(0.9, moves)))
    until(window, lambda: one(window, "#score").text == "9")
    until(window, lambda: one(window, "#step").text.startswith("move 9 of 9"))
    assert every(window, ".badge.running")
    with path.open("a") as file:
        file.write(lines({"event": "end", "status": "target", "score": 9.0, "moves": moves, "seconds": 1.0}))
    until(window, lambda: [badge.text for badge in every(window, ".badge")] == ["target"])
    assert complaints(window) == []


def test_a_run_that_has_not_begun_is_waited_for(window, served, folder):
    window.get("about:blank")
    window.get(f"{served.partition('?')[0]}#/run?file=later.jsonl")
    until(window, lambda: "Waiting for the run" in one(window, "main").text)
    (folder / "later.jsonl").write_text(lines(start(seed=77)))
    until(window, lambda: "77" in one(window, "main dl").text)


def test_the_list_of_runs_is_live_sorted_and_filtered(window, served, folder):
    show(window, served, "runs")
    until(window, lambda: len(every(window, "tbody tr")) > 3)
    (folder / "fresh.jsonl").write_text(lines(start(seed=4711)))
    until(window, lambda: any("fresh.jsonl" in row.text for row in every(window, "tbody tr")))
    one(window, "input[type=search]").send_keys("4711")
    until(window, lambda: len(every(window, "tbody tr")) == 1)
    one(window, "input[type=search]").clear()
    one(window, "input[type=search]").send_keys("jsonl")
    every(window, "th button")[0].click()
    names = [link.text for link in every(window, "tbody a")]
    assert names == sorted(names)
    assert len(names) > 2


def test_the_slider_replays_the_best_move_by_move_with_the_keyboard(window, served):
    from selenium.webdriver.common.keys import Keys

    show(window, served, "run?file=run.jsonl")
    until(window, lambda: one(window, "#step").text.startswith("move 12 of 12"))
    one(window, "#slider").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    until(window, lambda: one(window, "#step").text.startswith("move 10 of 12"))
    loaded = "const i = document.getElementById('picture'); return i.naturalWidth > 0 && i.src.includes('step=10')"
    until(window, lambda: window.execute_script(loaded))


def test_the_pool_and_the_command_are_shown(window, served):
    show(window, served, "run?file=result.json")
    until(window, lambda: every(window, ".legal button"))
    until(window, lambda: every(window, ".legal button")[1].click() or True)  # the page may just be drawn anew
    until(window, lambda: one(window, "#step").text.endswith("of 3") or "of 3:" in one(window, "#step").text)
    show(window, served, "run?file=run.jsonl")
    until(window, lambda: one(window, "#command").text == "rookery solve morpion --seed 1")


def test_a_game_is_won_against_a_weak_search_by_clicks_on_the_board(window, served):
    show(window, served, "play")
    set_value = "const e = arguments[0]; e.value = arguments[1]; e.dispatchEvent(new Event('change'));"
    until(window, lambda: every(window, "#game option"))
    window.execute_script(set_value, one(window, "#game"), "breakthrough")
    window.execute_script(set_value, one(window, "input[name=size]"), "5")
    window.execute_script(set_value, one(window, "#search"), "flat")
    window.execute_script(set_value, one(window, "#playouts"), "1")
    one(window, "#begin").click()
    for _ in range(20):
        until(window, lambda: one(window, "#state").text.startswith(("Your move", "You have", "flat has")))
        if not one(window, "#state").text.startswith("Your move"):
            break
        moves = len(every(window, "ol.moves li"))
        click(window, ".spot")
        click(window, ".spot.target")
        until(window, lambda moves=moves: len(every(window, "ol.moves li")) > moves)
    assert one(window, "#state").text == "You have won."
    assert every(window, "#record")
    one(window, "#undo").click()
    until(window, lambda: one(window, "#state").text.startswith("Your move"))
    assert complaints(window) == []


def test_a_move_of_three_squares_is_played_by_three_clicks(window, served):
    show(window, served, "play")
    set_value = "const e = arguments[0]; e.value = arguments[1]; e.dispatchEvent(new Event('change'));"
    until(window, lambda: every(window, "#game option"))
    window.execute_script(set_value, one(window, "#game"), "amazons")
    window.execute_script(set_value, one(window, "input[name=size]"), "4")
    window.execute_script(set_value, one(window, "#search"), "flat")
    window.execute_script(set_value, one(window, "#playouts"), "1")
    one(window, "#begin").click()
    click(window, ".spot")
    click(window, ".spot.target")
    until(window, lambda: len(every(window, ".spot.chosen")) == 2)
    assert not every(window, "ol.moves li")
    every(window, ".spot.chosen")[1].click()  # another way of the same piece
    until(window, lambda: len(every(window, ".spot.chosen")) == 1)
    click(window, ".spot.target")
    click(window, ".spot.target")
    until(window, lambda: every(window, "ol.moves li"))
    assert complaints(window) == []


def click(window: Any, spots: str) -> None:
    """Click the first of the spots on the board, which is the one farthest ahead."""
    until(window, lambda: every(window, spots))
    every(window, spots)[0].click()


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """A page of another origin: another port of this machine."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title>")

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


FOREIGN = """
const [base, done] = arguments;
const json = {method: "POST", body: "{}", headers: {"Content-Type": "application/json"}};
const loaded = (thing, address) => new Promise((yes, no) => {
  Object.assign(thing, {onload: yes, onerror: no, src: base + address});
  document.head.append(thing);
});
const tries = {
  read: () => fetch(base + "api/runs", {credentials: "include"}).then((r) => r.text()),
  steer: () => fetch(base + "api/position", {credentials: "include", ...json}).then((r) => r.text()),
  look: () => loaded(new Image(), "api/picture?file=run.jsonl"),
  load: () => loaded(document.createElement("script"), "dom.js"),
  listen: () => new Promise((yes, no) => {
    const events = new EventSource(base + "api/runs/events", {withCredentials: true});
    Object.assign(events, {onmessage: yes, onerror: no});
  }),
};
(async () => {
  const got = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt(); got.push(name); } catch { /* refused */ }
  }
  const frame = document.createElement("iframe");
  frame.src = base;
  await new Promise((yes) => { frame.onload = yes; document.documentElement.append(frame); });
  try { if (frame.contentDocument?.querySelector("main")) got.push("frame"); } catch { /* another origin */ }
  done(got);
})();
"""


def test_a_page_in_another_tab_can_neither_read_nor_steer_anything(window, served, elsewhere):
    window.get(elsewhere)
    assert window.execute_async_script(FOREIGN, served.partition("?")[0]) == []
    window.get_log("browser")  # it complains about what was refused
