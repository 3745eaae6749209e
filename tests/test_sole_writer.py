"""A file that only one run may write: another process is refused, a dead one is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import rookery as rk
from examples_of_games import PythonNim
from rookery.disk import SoleWriter

TESTS = Path(__file__).parent
SEARCH = rk.FlatMC(playouts=5)

HOLDS = """
import sys, time
from rookery.disk import SoleWriter
writer = SoleWriter(sys.argv[1])
print("holds", flush=True)
time.sleep(600)
"""

PLAYS = """
import sys, time
sys.path.insert(0, {tests!r})
import rookery as rk
from examples_of_games import PythonNim

class Slow(rk.Callback):
    def on_game(self, played, progress):
        print("holds", flush=True)
        time.sleep(600)

rk.match(PythonNim(), rk.FlatMC(playouts=5), rk.FlatMC(playouts=5), games=9, record=sys.argv[1], callbacks=[Slow()])
"""

SOLVES = """
import sys, time
import rookery as rk

class Slow(rk.Callback):
    def on_start(self, problem, search, seed):
        print("holds", flush=True)
        time.sleep(600)

rk.resume(sys.argv[1], stop=rk.Stop(), callbacks=[Slow()])
"""


@contextmanager
def another(script: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, which writes the file as long as it is not killed."""
    text = textwrap.dedent(script.replace("{tests!r}", repr(str(TESTS))))
    process = subprocess.Popen([sys.executable, "-c", text, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "holds\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def refusal(path: Path, process: subprocess.Popen[str]) -> str:
    return f"{path} is being written by another run (process {process.pid})"


def test_another_process_is_refused_until_the_first_one_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with another(HOLDS, path) as process:
        with pytest.raises(rk.InputError) as caught:
            SoleWriter(path)
        assert str(caught.value) == refusal(path, process)
    SoleWriter(path).close()
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_process_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    with another(HOLDS, tmp_path / "file") as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert os.listdir(tmp_path) == [".file.lock"]
        SoleWriter(tmp_path / "file").close()
    assert os.listdir(tmp_path) == []


def test_a_link_and_what_it_leads_to_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    writer = SoleWriter(tmp_path / "file")
    with pytest.raises(rk.InputError, match=f"link is being written by another run .process {os.getpid()}.$"):
        SoleWriter(tmp_path / "link")
    writer.close()
    writer.close()
    SoleWriter(tmp_path / "link").close()


def test_one_that_nobody_has_any_more_is_free() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        writer: SoleWriter | None = SoleWriter(f"{folder}/file")
        del writer
        SoleWriter(f"{folder}/file").close()


def test_many_processes_that_want_a_file_have_it_one_at_a_time(tmp_path: Path) -> None:
    script = """
    import os, sys, time
    from rookery.disk import SoleWriter
    from rookery.errors import InputError
    had = 0
    until = time.monotonic() + 60
    while had < 50 and time.monotonic() < until:
        try:
            writer = SoleWriter(sys.argv[1])
        except InputError:
            continue
        os.close(os.open(sys.argv[1], os.O_CREAT | os.O_EXCL))
        os.unlink(sys.argv[1])
        writer.close()
        had += 1
    print(had)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "file")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]  # type: ignore[call-overload]
    assert [process.communicate() for process in processes] == [("50\n", "")] * 4
    assert os.listdir(tmp_path) == []


def test_two_matches_cannot_write_one_record(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with another(PLAYS, path) as process:
        written = path.read_bytes()
        with pytest.raises(rk.InputError) as caught:
            rk.match(PythonNim(), SEARCH, SEARCH, games=9, record=path)
        assert str(caught.value) == refusal(path, process)
        assert path.read_bytes() == written
    assert rk.match(PythonNim(), SEARCH, SEARCH, games=9, record=path).games == 9
    assert os.listdir(tmp_path) == ["record.jsonl"]


def test_two_runs_cannot_write_one_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    problem, search = rk.problems.LeftMove(depth=9), rk.NRPA(level=2, iterations=20)
    rk.solve(problem, search, seed=1, stop=rk.MaxPlayouts(100), checkpoint=path)
    with another(SOLVES, path) as process:
        written = path.read_bytes()
        with pytest.raises(rk.InputError) as caught:
            rk.resume(path, stop=rk.Stop())
        assert str(caught.value) == refusal(path, process)
        with pytest.raises(rk.InputError) as caught:
            rk.solve(problem, search, seed=2, checkpoint=path)
        assert str(caught.value) == refusal(path, process)
        assert path.read_bytes() == written
    assert rk.resume(path, stop=rk.Stop()).playouts == 400
    assert os.listdir(tmp_path) == ["run.ckpt"]


COMPILES = """
import sys, time
import rookery as rk

class Slow(rk.Callback):
    def on_compile(self, problem):
        print("holds", flush=True)
        time.sleep(600)

rk.solve(rk.problems.LeftMove(depth=9), rk.NRPA(level=2, iterations=20), checkpoint=sys.argv[1], callbacks=[Slow()])
"""


def test_a_run_has_its_checkpoint_to_itself_before_it_has_written_it(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    with another(COMPILES, path) as process:
        assert not path.exists()
        with pytest.raises(rk.InputError) as caught:
            rk.solve(rk.problems.LeftMove(depth=9), rk.NRPA(level=2, iterations=20), seed=2, checkpoint=path)
        assert str(caught.value) == refusal(path, process)


def test_a_run_that_fails_gives_its_checkpoint_up(tmp_path: Path) -> None:
    class Faulty(rk.problems.LeftMove):
        def score(self, s):  # type: ignore[no-untyped-def]
            return 1.0 / (s.score * 0)

    for _ in range(2):
        with pytest.raises(Exception):  # noqa: B017, PT011
            rk.solve(Faulty(depth=5), rk.NRPA(level=1, iterations=5), seed=1, checkpoint=tmp_path / "run.ckpt")
        (tmp_path / "run.ckpt").unlink(missing_ok=True)
    assert os.listdir(tmp_path) == []
