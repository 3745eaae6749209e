"""Damaged files for every reader, and files that would fill the memory: each is read, or refused in one sentence."""

from __future__ import annotations

import json
import os
import random
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from attacks.children import Ran, run, run_all
from attacks.crafted import file_of
from attacks.outcome import Outcome

SGF = "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[0.5]PB[ann]PW[bob]RE[W+R];B[cc];W[bc](;B[cb];W[])(;B[dd]))\n"
SUDOKU = "1 2 | 3 4\n. . | . .\n----+----\n2 1 | 4 3\n4 3 | - -\n"
BOARDS = "0 1 2 1\n0 0 1 1\n2 2 0 1\n\n1 1 1 0\n2 0 1 0\n2 2 2 1\n"
SAMEGAME = "c1 r2  # the left column\nc1 r1\n"
TOKENS = (
    *(b"\r", b"\0", b"\n", b"\n\n", b"\xff\xfe", b"\xe2\x80\xa8", b"NaN", b"Infinity", b"-1", b"1e999", b"9" * 5000),
    *(b"[" * 300, b"{", b"}", b"]", b'"', b"\\", b",", b":", b"null", b"true", b"<", b"&#0;", b"(;", b")", b"-", b"."),
)
BOMB_SECONDS, BOMB_MEGABYTES = 1.0, 200.0
"""Processor seconds, and memory, that refusing a file may take."""


@dataclass(frozen=True)
class Reader:
    """A kind of file: a correct one, and the command that reads such a file."""

    name: str
    content: bytes
    command: Callable[[str], list[str]]


def mutated(count: int, seed: int = 1, quick: bool = False) -> list[Outcome]:
    """Damage a file of each reader this many times; and all bombs. ``quick``: fewer readers, no bombs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        readers = [*_texts(folder), *_runs(folder), *(() if quick else _matches_and_pictures(folder))]
        outcomes = [_mutations(reader, count, seed, folder) for reader in readers]
        return outcomes if quick else [*outcomes, bombs(readers, folder)]


def _mutations(reader: Reader, count: int, seed: int, folder: Path) -> Outcome:
    outcome, rng = Outcome(f"damaged: {reader.name}"), random.Random(seed)
    right = run(reader.command(_written(folder, "right", reader.content)))
    if right.code != 0:
        outcome.fail("internal error", f"the file that is right: {right}")
    contents = [_damaged(reader.content, rng) for _ in range(count)]
    commands = [reader.command(_written(folder, f"{i}", content)) for i, content in enumerate(contents)]
    for content, ran in zip(contents, run_all(commands), strict=True):
        outcome.tried += 1
        if ran.wrong:
            outcome.fail(ran.wrong[0], f"{ran.wrong[1]} for {content[:200]!r}")
    return outcome


def _written(folder: Path, name: str, content: bytes) -> str:
    path = folder / f"{name}.file"
    path.write_bytes(content)
    return str(path)


def _damaged(content: bytes, rng: random.Random) -> bytes:
    """A file with some damage: bits, tokens, pieces cut, doubled or moved."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 2:
            del data[at : min(to, at + 40)]
        elif kind == 3:
            data[at:at] = data[at:to][:200]
        elif kind == 4:
            del data[to:]
        elif kind == 5:
            data[at : at + 1] = bytes([rng.randrange(256)])
        else:
            data[at:to] = data[at:to][::-1]
    return bytes(data)


# --- the readers ---


def _texts(folder: Path) -> Iterator[Reader]:
    """What people write by hand."""
    yield Reader("SGF", SGF.encode(), lambda file: ["show", file])
    yield Reader("SameGame boards", BOARDS.encode(), lambda file: ["load", "samegame", f"board={file}", "index=2"])
    yield Reader("Sudoku", SUDOKU.encode(), lambda file: ["load", "sudoku", f"grid={file}"])
    yield Reader("words", b"boise\nSALEM\nAustin\n", lambda file: ["load", "crossword", f"words={file}"])


def _runs(folder: Path) -> Iterator[Reader]:
    """What a run writes."""
    result, checkpoint = folder / "result.json", folder / "run.ckpt"
    quick = ["--playouts", "40", "--seed", "1", "--quiet", "--workers", "1"]
    _ran(["solve", "tsp", "-p", "n=9", *quick, "--out", str(result), "--checkpoint", str(checkpoint)])
    yield Reader("checkpoint", checkpoint.read_bytes(), lambda file: ["resume", file, "--playouts", "80", "--quiet"])
    yield Reader("result", result.read_bytes(), lambda file: ["verify", file])
    yield Reader("experiment", _experiment(folder), lambda file: ["load", "experiment", file])


def _matches_and_pictures(folder: Path) -> Iterator[Reader]:
    record = folder / "games.jsonl"
    played = ["--size", "5", "--a", "uct", "--b", "uct", "--games", "3", "--playouts", "20", "--record", str(record)]
    _ran(["match", "breakthrough", *played, "--quiet"])
    yield Reader("record", record.read_bytes(), lambda file: ["verify", file])
    yield Reader("record shown", record.read_bytes(), lambda file: ["show", file])
    game = _morpion(folder)
    for kind in ("svg", "png", "gif"):
        picture = folder / f"picture.{kind}"
        _ran(["show", game, f"--{kind}", str(picture)])
        yield Reader(kind.upper(), picture.read_bytes(), lambda file: ["verify", file])
    psol = folder / "game.psol"
    _ran(["show", game, "--out", str(psol)])
    yield Reader("Morpion", Path(game).read_bytes(), lambda file: ["verify", file])
    yield Reader("Pentasol", psol.read_bytes(), lambda file: ["verify", file])
    board = folder / "boards.txt"
    board.write_text(BOARDS)
    written = ["--problem", "samegame", "-p", f"board={board}"]
    yield Reader("SameGame game", SAMEGAME.encode(), lambda file: ["verify", file, *written])


def _ran(command: list[str]) -> Ran:
    ran = run(command)
    assert ran.code == 0, (command, ran)
    return ran


def _morpion(folder: Path) -> str:
    """A game of Morpion Solitaire, written once."""
    path = folder / "morpion.json"
    if not path.exists():
        _ran(
            [
                "solve",
                "morpion",
                "--algorithm",
                "sampling",
                "--playouts",
                "1",
                "--seed",
                "1",
                "--quiet",
                "--out",
                str(path),
            ]
        )
    return str(path)


def _experiment(folder: Path) -> bytes:
    import rookery as rk

    path = folder / "experiment.json"
    found = rk.experiment(
        rk.problems.TSP.build(9), {"nrpa": rk.NRPA(level=1, iterations=10)}, stop=rk.MaxPlayouts(20), seeds=2
    )
    found.save(path)
    return path.read_bytes()


# --- bombs ---


def bombs(readers: list[Reader], folder: Path) -> Outcome:
    """Files that a reader must refuse before they fill the memory or take long."""
    outcome = Outcome("bombs")
    named = [(name, reader) for reader in readers for name in _bombs()]
    commands = []
    for name, reader in named:
        path = folder / f"bomb {name}"
        if not path.exists():
            _make_bomb(name, path)
        commands.append(reader.command(str(path)))
    named += [("/dev/zero", reader) for reader in readers]
    commands += [reader.command("/dev/zero") for reader in readers]
    for source in ("/dev/zero:X", f"{folder / 'bomb source.py'}:X", f"{folder / 'fifo'}:X"):
        named.append((source, readers[0]))
        commands.append(["solve", source, "--playouts", "1"])
    (folder / "bomb source.py").write_bytes(b"x = [" + b"1," * (1 << 21) + b"]\n")
    os.mkfifo(folder / "fifo")
    for reader in readers:
        named.append(("a pipe into which nobody writes", reader))
        commands.append(reader.command(str(folder / "fifo")))
    for (name, reader), command in zip(named, commands, strict=True):
        ran = next(run_all([command]))  # each in a child of its own, so that its memory is its own
        outcome.tried += 1
        told = f"{reader.name}, {name}: exit {ran.code}, {ran.seconds:.1f} s, {ran.megabytes:.0f} MB: {ran.said[:150]}"
        if ran.wrong:
            outcome.fail(ran.wrong[0], told)
        elif ran.seconds > BOMB_SECONDS or ran.megabytes > BOMB_MEGABYTES:
            outcome.fail("too much", told)
    return outcome


def _bombs() -> dict[str, Callable[[], bytes]]:
    """Name -> content of each."""
    many, deep = "[],", "["

    def checkpoint(text: bytes) -> bytes:
        packed = zlib.compress(text)
        return file_of({}).split(b" ")[0] + b" checkpoint 1 " + _digest(packed) + b"\n" + packed

    return {
        "many lists": lambda: ("[" + many * (20 << 20) + "0]").encode(),
        "deep lists": lambda: (deep * (60 << 20)).encode(),
        "lines": lambda: b"\n" * (60 << 20),
        "short lines": lambda: b"1 2\n" * (4 << 20),
        "one line": lambda: b"a" * (15 << 20),
        "numbers": lambda: b"[" + b"1," * (7 << 20) + b"1]",
        "SGF": lambda: b"(;" * (7 << 20),
        "checkpoint, many lists": lambda: checkpoint(b"[" + many.encode() * (170 << 20) + b"0]"),
        "checkpoint, deep lists": lambda: checkpoint(deep.encode() * (400 << 20)),
        "checkpoint, a long text": lambda: checkpoint(b'{"version": "0.1.0", "x": "' + b"a" * (500 << 20) + b'"}'),
        "checkpoint, many values": lambda: checkpoint(
            json.dumps({"version": "0.1.0", "state": [[]] * ((1 << 20) - 10)}).encode()
        ),
    }


def _digest(packed: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(packed).hexdigest().encode()


def _make_bomb(name: str, path: Path) -> None:
    """Write a bomb in a child, so that the memory that it takes is not this process's."""
    child = os.fork()
    if child == 0:
        path.write_bytes(_bombs()[name]())
        os._exit(0)
    os.waitpid(child, 0)
