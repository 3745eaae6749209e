"""Makes the pictures of what a browser shows: the five views of the page, and a result in a notebook.

Some searches run for a few seconds each, and one goes on while it is photographed. ``make images`` calls this.

    python tools/screenshots.py FOLDER     the folder of the pictures
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from browser import browser

WIDTH = 1200
STUDY = """
playouts = 20000
seeds = 9
[problems.tour]
problem = "tsp"
parameters = {n = 30}
[searches.flat]
algorithm = "nrpa"
level = 1
iterations = 20000
[searches.nested]
algorithm = "nrpa"
level = 2
iterations = 100
[searches.tempering]
algorithm = "tempering"
"""
COMMANDS = (
    "solve samegame --algorithm tempering --time 5s --seed 3 --log samegame.jsonl --keep 3 -q",
    "match breakthrough --size 5 --a ppa --b uct --playouts 200 --games 60 --record games.jsonl --log match.jsonl -q",
    "simulate morpion -p variant=5D --level 3 --iterations 16 --workers 1,4,16,64 --select all --log cluster.jsonl -q",
    "experiment study.toml --log study.jsonl --workers 2 -q",
)
LIVE = "solve morpion -p variant=5D --level 4 --time 10m --seed 1 --log morpion.jsonl --checkpoint morpion.ckpt -q"
CHARTS = "document.querySelectorAll('svg.chart path.line').length >= 3"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: screenshots.py FOLDER")
    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        notebook(out, Path(name))
        folder = Path(name) / "runs"
        folder.mkdir()
        (folder / "study.toml").write_text(STUDY)
        for command in COMMANDS:
            rookery(command, folder).wait()
        live = rookery(LIVE, folder)
        server = rookery("serve . --port 0", folder, stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            photograph(server.stdout.readline().strip(), out, folder)
        finally:
            live.terminate()
            server.terminate()
            live.wait()
            server.wait()


def rookery(command: str, folder: Path, **how: Any) -> subprocess.Popen[str]:
    how = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **how}
    return subprocess.Popen([sys.executable, "-m", "rookery", *command.split()], cwd=folder, text=True, **how)


def notebook(out: Path, folder: Path) -> None:
    import rookery as rk

    result = rk.solve(rk.problems.Morpion("5D"), rk.NRPA(level=3), stop=rk.Target(80), seed=1)
    page = folder / "notebook.html"
    page.write_text(f'<meta charset="utf-8">{result._repr_html_()}', encoding="utf-8")
    with browser(600, 1000) as driver:
        driver.get(page.as_uri())
        driver.find_element("css selector", "body > *").screenshot(str(out / "notebook.png"))


def photograph(address: str, out: Path, folder: Path) -> None:
    base = address.partition("?")[0]
    with browser(WIDTH, 900) as driver:
        driver.get(address)

        def until(there: str) -> None:
            while not driver.execute_script(f"return {there}"):
                time.sleep(0.1)

        def show(view: str, there: str) -> None:
            driver.get("about:blank")
            driver.get(f"{base}#/{view}")
            until(there)

        def keep(name: str) -> None:
            driver.execute_script("window.scrollTo(0, 0)")
            end = "Math.max(...[...document.querySelectorAll('main *')].map((e) => e.getBoundingClientRect().bottom))"
            height = int(driver.execute_script(f"return {end}")) + 24
            size = {"width": WIDTH, "height": min(height, 1700), "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            time.sleep(1.0)
            driver.save_screenshot(str(out / f"serve-{name}.png"))
            driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

        play(driver, show, until)
        keep("play")
        show("cluster?file=cluster.jsonl", CHARTS)
        keep("cluster")
        show("compare?file=study.jsonl", "document.querySelectorAll('#pairs tbody tr').length >= 3")
        keep("compare")
        while not (folder / "morpion.jsonl").exists():
            time.sleep(0.5)
        time.sleep(40)  # for something to look at
        show("runs", "document.querySelectorAll('tbody tr').length >= 5")
        keep("runs")
        show("run?file=morpion.jsonl", f"{CHARTS} && document.getElementById('picture').naturalWidth > 0")
        time.sleep(6)
        keep("run")


def play(driver: Any, show: Any, until: Any) -> None:
    """A few moves of a game, and a hint."""
    show("play", "document.querySelectorAll('#game option').length > 3")
    for name, value in {"#game": "breakthrough", "[name=size]": "6", "#search": "uct", "#playouts": "20000"}.items():
        set_value = f"const e = document.querySelector('{name}'); e.value = '{value}'"
        driver.execute_script(f"{set_value}; e.dispatchEvent(new Event('change'))")
    driver.execute_script("document.getElementById('begin').click()")
    mine = "document.getElementById('state').textContent.startsWith('Your move')"
    for moves in range(0, 6, 2):
        until(f"{mine} && document.querySelectorAll('ol.moves li').length === {moves}")
        driver.execute_script("document.querySelectorAll('.legal button')[3].click()")
    until(f"{mine} && document.querySelectorAll('ol.moves li').length === 6")
    driver.execute_script("document.getElementById('hint').click()")
    until("document.querySelector('.spot.hinted') !== null")


if __name__ == "__main__":
    main()
