"""How fast the page is: a folder of 1,000 journals, a journal of 1,000,000 lines, news of a run, what watching costs.

    python benchmarks/web.py            # all of it; with a browser if chromium and chromedriver are there
    python benchmarks/web.py --quick    # a tenth of the sizes

Opening is measured in a browser, from the address to the table or the charts on the screen; without one, the answers
of the server alone. Beside the seconds stand those that processors worked: on a machine that does other things too,
the former say little. Memory is that of the server's process. What watching costs is measured in pairs: the same run
with nobody watching, and with a server and a reader of its news, in turn, by playouts for each second of a processor.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

import rookery as rk

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from browser import browser, missing

START = {"event": "start", "journal": 1, "version": rk.__version__, "time": 1e9, "problem": "morpion", "seed": 1}
START |= {"parameters": {"variant": "5D"}, "search": rk.NRPA(level=3).parameters(), "sense": "max", "workers": 2}
PAIRS, PLAYOUTS = 8, 200_000


def tick(k: int) -> str:
    stands = {"seconds": k / 5, "score": 60.0, "playouts": 20_000 * k, "iteration": k, "restart": 0, "workers": 2}
    stands |= {"running": 2, "tasks": 100 * k, "discarded": 10 * k, "speedup": 1.93, "replaced": {"2": [k, 2 * k]}}
    return json.dumps({"event": "tick", **stands}) + "\n"


def best(k: int) -> str:
    told = {"seconds": k / 5, "score": 50.0 + k % 40, "playouts": 20_000 * k, "moves": list(range(80))}
    return json.dumps({"event": "best", **told, "improvements": [[k / 5, 20_000 * k, 50.0 + k % 40]]}) + "\n"


def write_journal(path: Path, lines: int) -> None:
    with path.open("w") as file:
        file.write(json.dumps(START) + "\n")
        file.writelines(best(k) if k % 10_000 == 1 else tick(k) for k in range(lines - 1))


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    command = [sys.executable, "-m", "rookery", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), psutil.Process(process.pid)
        process.terminate()


def opener(address: str) -> Any:
    made = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    made.open(address).close()
    return made


def asked(address: str, path: str, process: psutil.Process) -> tuple[float, float]:
    """Seconds of one answer, and those of a processor that the server needed for it."""
    ask = opener(address)
    began, busy = time.perf_counter(), busy_seconds(process)
    with ask.open(address.partition("?")[0] + path) as answer:
        answer.read()
    return time.perf_counter() - began, busy_seconds(process) - busy


def busy_seconds(*processes: psutil.Process) -> float:
    """The seconds of processors that some processes and all below them have used."""
    every = {one for process in processes for one in (process, *process.children(recursive=True))}
    total = 0.0
    for one in every:
        with suppress(psutil.Error):
            total += sum(one.cpu_times()[:2])
    return total


def shown(driver: Any, address: str, there: str, server: psutil.Process) -> tuple[float, float]:
    """Seconds from the address to something on the screen, and those of processors of server and browser."""
    driver.get("about:blank")
    both = server, psutil.Process(driver.service.process.pid)
    began, busy = time.perf_counter(), busy_seconds(*both)
    driver.get(address)
    while not driver.execute_script(f"return {there}"):
        time.sleep(0.005)
    return time.perf_counter() - began, busy_seconds(*both) - busy


def opening(folder: Path, count: int, lines: int) -> None:
    many = folder / "many"
    many.mkdir()
    for k in range(count):
        (many / f"run-{k:04}.jsonl").write_text(json.dumps({**START, "seed": k}) + "\n" + "".join(map(tick, range(20))))
    with serving(many) as (address, process):
        report(f"folder of {count:,} journals: the first answer", *asked(address, "api/runs", process), 1.0)
    if missing() is None:
        (folder / "none").mkdir()
        with serving(folder / "none") as (other, _), serving(many) as (address, process), browser() as driver:
            shown(driver, other, "document.querySelector('table') !== null", process)  # a browser that is in use
            table = "document.querySelectorAll('tbody tr').length >= 100"
            report("  on the screen", *shown(driver, address, table, process), 1.0)
    long = folder / "long"
    long.mkdir()
    write_journal(long / "run.jsonl", lines)
    size = (long / "run.jsonl").stat().st_size / 1e6
    with serving(long) as (address, process):
        asked(address, "api/runs", process)
        before = process.memory_info().rss
        once = asked(address, "api/run?file=run.jsonl", process)
        report(f"journal of {lines:,} lines ({size:.0f} MB): the first answer", *once, 2.0)
        report("  again, nothing new", *asked(address, "api/run?file=run.jsonl", process))
        print(f"  memory for it: {(process.memory_info().rss - before) / 1e6:.1f} MB")
    if missing() is None:
        with serving(long) as (address, process), browser() as driver:
            driver.get(address)
            view = f"{address.partition('?')[0]}#/run?file=run.jsonl"
            charts = "document.querySelectorAll('svg.chart path.line').length >= 3"
            report("  on the screen", *shown(driver, view, charts, process), 2.0)


def delays(folder: Path) -> None:
    """From a line in a file to a line of the stream, and to the screen."""
    live = folder / "live"
    live.mkdir()
    path = live / "run.jsonl"
    path.write_text(json.dumps(START) + "\n" + tick(1))
    with serving(live) as (address, process):
        stream = opener(address).open(address.partition("?")[0] + "api/run/events?file=run.jsonl")
        found = []
        for k in range(2, 32):
            while not stream.readline().startswith(b"data: "):
                pass
            time.sleep(0.13 + 0.01 * k)
            began = time.perf_counter()
            with path.open("a") as file:
                file.write(tick(k))
            while (
                not (line := stream.readline()).startswith(b"data: ") or json.loads(line[6:])["last"]["iteration"] != k
            ):
                pass
            found.append(time.perf_counter() - began)
            with path.open("a") as file:
                file.write(tick(k))  # for the next round to begin with
        stream.close()
        report("news of a run: median delay", statistics.median(found))
        report("  the longest of 30", max(found), limit=0.5)
        if missing() is None:
            with browser() as driver:
                driver.get(address)
                view = f"{address.partition('?')[0]}#/run?file=run.jsonl"
                shown(driver, view, "document.getElementById('score') !== null", process)
                found = []
                for k in range(1, 11):
                    time.sleep(0.3)
                    began = time.perf_counter()
                    with path.open("a") as file:
                        file.write(best(1000 + k))
                    while driver.execute_script("return document.getElementById('score').textContent") != f"{50 + k}":
                        time.sleep(0.005)
                    found.append(time.perf_counter() - began)
                report("  on the screen: median delay", statistics.median(found))
                report("  the longest of 10", max(found), limit=0.5)


def watching(folder: Path, pairs: int) -> None:
    """The playouts of a run for some CPU seconds of its own, with and without somebody who watches it."""
    place = folder / "watched"
    place.mkdir()
    problem, search = rk.problems.Morpion(variant="5D"), rk.NRPA(level=3)
    rk.solve(problem, search, stop=rk.MaxPlayouts(10), seed=1)
    shares, cpu = [], []
    for pair in range(pairs):
        rates = {}
        for watched in (pair % 2 == 0, pair % 2 == 1):
            path = place / f"run-{pair}-{watched}.jsonl"
            with serving(place) as (address, process):
                stop = threading.Event()
                reader = threading.Thread(target=listen, args=(address, path, stop))
                if watched:
                    reader.start()
                asked(address, "api/runs", process)
                own, began = time.process_time(), busy_seconds(process)
                result = rk.solve(problem, search, stop=rk.MaxPlayouts(PLAYOUTS), seed=1, callbacks=[rk.RunLog(path)])
                rates[watched] = result.playouts / (time.process_time() - own)
                if watched:
                    cpu.append((busy_seconds(process) - began) / result.seconds)
                    stop.set()
                    reader.join()
        shares.append(rates[True] / rates[False])
    loss = [100 * (1 - share) for share in shares]
    median = statistics.median(loss)
    report(f"a watched run: playouts lost per second of a processor, median of {pairs}", median, limit=1.0, unit="%")
    print(f"  single pairs: {', '.join(f'{one:+.1f}%' for one in sorted(loss))}")
    report("  what the server needs meanwhile of a processor", 100 * statistics.median(cpu), limit=1.0, unit="%")


def listen(address: str, path: Path, stop: threading.Event) -> None:
    """Read the news of a run, as the page does; in a process of its own, as a browser is."""
    program = (
        "import sys, urllib.request as u\n"
        "o = u.build_opener(u.HTTPCookieProcessor()); o.open(sys.argv[1]).close()\n"
        "for line in o.open(sys.argv[2]): pass\n"
    )
    while not path.exists():
        time.sleep(0.05)
    events = f"{address.partition('?')[0]}api/run/events?file={path.name}"
    with subprocess.Popen([sys.executable, "-c", program, address, events], stderr=subprocess.DEVNULL) as process:
        stop.wait()
        process.kill()


def report(what: str, value: float, busy: float | None = None, limit: float | None = None, unit: str = "s") -> None:
    needs = "" if busy is None else f", of which processors worked {busy:.2f} s"
    verdict = "" if limit is None else f"   (at most {limit:g}: {'yes' if value <= limit else 'NO'})"
    print(f"{what:<74}{value:>8.3f} {unit}{needs}{verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    options = parser.parse_args()
    tenth = 10 if options.quick else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opening(folder, 1000 // tenth, 1_000_000 // tenth)
        delays(folder)
        watching(folder, max(1, options.pairs // tenth))


if __name__ == "__main__":
    main()
