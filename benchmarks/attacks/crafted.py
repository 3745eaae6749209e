"""Checkpoints with a correct checksum in which something has an odd value: each is refused, or gives a true answer."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rookery as rk
from attacks.children import Ran, run, run_all
from attacks.outcome import Outcome

PROBLEM = """
import rookery as rk


class Words(rk.PythonProblem):
    def start(self):
        return ""

    def moves(self, state):
        return ["a", "b", "c"] if len(state) < 7 else []

    def code(self, state, move):
        return len(state), move

    def play(self, state, move):
        return state + move

    def score(self, state):
        return sum(state[i : i + 2] in ("ab", "bc", "ca") for i in range(6))
"""
NAMES = {"tsp": ("tsp", "-p", "n=9"), "words": ("words.py:Words",)}
SEARCHES = {
    "nrpa": ("--algorithm nrpa --level 3 --iterations 6 --ties 0.3 --atomic-level 1", 150),
    "nrpa restarts": ("--algorithm nrpa --level 2 --iterations 5 --atomic-level 1 --restarts", 60),
    "nmcs": ("--algorithm nmcs --level 3 --atomic-level 1", 900),
    "nmcs sample": ("--algorithm nmcs --level 3 --sample 2 --ties random --runs 3 --atomic-level 1", 80),
    "reflexive": ("--algorithm reflexive --level 3 --games 3 --atomic-level 1", 300),
    "uct": ("--algorithm uct --games 50 --runs 3", 70),
    "sampling": ("--algorithm sampling", 40),
    "tempering": ("--algorithm tempering --replicas 3 --proposals 4 --rounds 2 --ladders 2 --patience 30", 130),
    "annealing": ("--algorithm annealing --games 200 --population 4", 130),
}
"""Options of each, and after how many playouts it is stopped."""
ONE_WEIGHT = {"!array": ["<f8", [1], "AAAAAAAA8D8="]}
ODD: tuple[Any, ...] = (
    *(0, 1, -1, -3, -1000, 7, 1 << 31, 1 << 40, 1 << 62, (1 << 64) - 1, 1 << 64, -(1 << 63)),
    *(0.5, -1e308, 1e308, {"!float": "nan"}, {"!float": "inf"}, {"!float": "-inf"}, {"!int": "0x" + "f" * 2000}),
    *(None, True, False, "", "x", "first", "0" * 5000, [], {}, [[]], [None], {"a": 1}, {"!tuple": []}),
    *({"!tuple": [1, 2, 3]}, {"!tuple": [[]]}, {"!bytes": "AAAA"}, {"!frozenset": [1]}),
    *({"!array": ["<i8", [2], "AAAAAAAAAAABAAAAAAAAAA=="]}, {"!array": ["<f8", [0], ""]}),
    {"!Sequence": {"score": 99.0, "moves": {"!tuple": [0]}, "codes": {"!tuple": []}}},
    {
        "!Weights": {
            "codes": {"!array": ["<i8", [1], "/////////38="]},
            "weights": {"!array": ["<f8", [1], "AAAAAAAA8D8="]},
        }
    },
)
NEUTRAL = (
    "version",
    "fingerprint",
    "compile_seconds",
    "busy",
    "best_seen",
    "score",
    "codes",
    "status",
)
"""What does not affect the course of a run: accepted or not, the answer is the same."""

Path_ = tuple[Any, ...]


@dataclass(frozen=True)
class Original:
    """A checkpoint as a run has written it."""

    name: str
    body: dict[str, Any]
    more: tuple[str, ...]
    answer: tuple[float, Any]
    problem: Any


def crafted(count: int, seed: int = 1, quick: bool = False, only: Sequence[str] = tuple(SEARCHES)) -> Outcome:
    """Resume this many crafted checkpoints; ``quick``: of searches that need not be compiled, and of NRPA and NMCS."""
    outcome, rng = Outcome("crafted checkpoints"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "words.py").write_text(PROBLEM)
        originals = list(_originals(folder, quick, only))
        if not originals:
            raise SystemExit(f"--only must name searches among {', '.join(SEARCHES)}")
        changes = [_changed(rng.choice(originals), rng) for _ in range(count)]
        commands = []
        for number, (original, _, body) in enumerate(changes):
            file = folder / f"{number}.ckpt"
            file.write_bytes(file_of(body))
            commands.append(_resume(file, original))
        for (original, what, _), ran in zip(changes, run_all(commands), strict=True):
            outcome.tried += 1
            wrong = ran.wrong or _other_answer(original, what, ran)
            if wrong:
                outcome.fail(wrong[0], f"{original.name}, {what}: {wrong[1]}")
    return outcome


def file_of(body: Any) -> bytes:
    """A checkpoint with this body and the checksum that goes with it."""
    packed = zlib.compress(json.dumps(body).encode())
    return f"rookery checkpoint 1 {hashlib.sha256(packed).hexdigest()}\n".encode() + packed


def body_of(content: bytes) -> Any:
    """The body of a checkpoint."""
    return json.loads(zlib.decompress(content.partition(b"\n")[2]))


def _originals(folder: Path, quick: bool, only: Sequence[str]) -> Iterator[Original]:
    for problem, named in NAMES.items():
        given = (str(folder / "words.py") + ":Words",) if problem == "words" else named
        loaded = rk.load_problem(given[0], {"n": "9"} if problem == "tsp" else {})
        for search, (options, playouts) in SEARCHES.items():
            if search not in only:
                continue
            if quick and problem == "tsp" and search not in ("nrpa", "nmcs"):
                continue
            file = folder / "original.ckpt"
            file.unlink(missing_ok=True)
            kept = ("--checkpoint", str(file), "--json", "--quiet", "--seed", "1", "--workers", "1")
            begun = run(["solve", *given, *options.split(), *kept, "--playouts", str(playouts)])
            assert begun.code == 0, begun
            more = ("--playouts", str(2 * playouts))
            original = Original(f"{search} on {problem}", body_of(file.read_bytes()), more, (0.0, None), loaded)
            file.write_bytes(file_of(original.body))
            ended = run(_resume(file, original))
            assert ended.code == 0, ended
            yield Original(original.name, original.body, more, _answer(ended), loaded)


def _resume(file: Path, original: Original) -> list[str]:
    return ["resume", str(file), *original.more, "--time", "20s", "--json", "--quiet", "--workers", "1"]


def _answer(ran: Ran) -> tuple[float, Any]:
    result = json.loads(ran.printed)
    return result["score"], result["moves"]


def _other_answer(original: Original, what: str, ran: Ran) -> tuple[str, str] | None:
    """An answer that its moves do not bear out; or a different one, where the change should not affect it."""
    if ran.code != 0:
        return None
    score, moves = _answer(ran)
    told = what.replace(".!Weights.codes", "")  # those of a policy matter
    if any(f".{name}" in told for name in NEUTRAL) and (score, moves) != original.answer:
        return "other answer", f"{score} for {moves} in place of {original.answer}"
    try:
        true = rk.replay(original.problem, moves)[0]
    except rk.InputError as error:
        return "other answer", f"{moves}: {error}"
    return None if true == score else ("other answer", f"{score} is claimed for a sequence of {true}")


# --- changes ---


def _changed(original: Original, rng: random.Random) -> tuple[Original, str, Any]:
    """A checkpoint with one change, or with two."""
    body, told = copy.deepcopy(original.body), []
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = rng.choice(list(_places(body)))
        told.append(_change(body, place, rng))
    return original, "; ".join(told), body


def _places(value: Any, place: Path_ = ()) -> Iterator[Path_]:
    """All places in a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*place, key)
        yield from _places(item, (*place, key))


def _change(body: Any, place: Path_, rng: random.Random) -> str:
    """Change what is at a place; returns what was done."""
    parent = body
    for key in place[:-1]:
        parent = parent[key]
    key, old = place[-1], parent[place[-1]]
    name = "".join(f".{step}" for step in place)
    kind = rng.choice(("odd", "odd", "odd", "near", "drop", "twice", "swap"))
    if kind == "near" and isinstance(old, (int, float)):
        parent[key] = old + rng.choice((-2, -1, 1, 2))
    elif kind == "drop":
        del parent[key]
        return f"{name} dropped"
    elif kind == "twice" and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(old))
        return f"{name} twice"
    elif kind == "swap":
        other = rng.choice(list(_places(body)))
        value = body
        for step in other:
            value = value[step]
        parent[key] = copy.deepcopy(value)
    else:
        parent[key] = copy.deepcopy(rng.choice(ODD))
    return f"{name} = {json.dumps(parent[key])[:60]}"
