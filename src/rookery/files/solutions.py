"""Whether a file holds what it claims: a legal sequence with that score; and whether two files hold the same grid."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from rookery.disk import as_json, as_text, brief, check_fields, file_bytes, frozen
from rookery.drawing.holding import held
from rookery.errors import IllegalSolution, InputError
from rookery.loading.kinds import PROBLEM
from rookery.loading.loading import load_problem
from rookery.loading.modules import naming
from rookery.problems.morpion.formats import NAME as MORPION
from rookery.problems.morpion.formats import ReadGame, is_result, parse_game
from rookery.problems.morpion.game import MorpionGame
from rookery.problems.morpion.symmetry import same_grid, shared_lines
from rookery.running.result import Result
from rookery.running.solve import replay

TOLERANCE = 1e-9
"""Scores that differ by no more than this share count as equal: sums of floats depend on their order."""


@dataclass(frozen=True)
class Verdict:
    """What is true of a file.

    ``legal`` tells whether all moves are legal. If so, ``score`` is their score and ``left`` the number of moves that
    are still possible. If not, ``at`` is the number (from 1) of the first illegal move and ``move`` that move, if they
    are known, and ``reason`` the rule that is broken. ``claimed`` is the score that the file states, or None.
    ``variant`` is that of a game of Morpion Solitaire, and ``inferred`` tells that the file does not hold it.
    ``shown`` is the score as people write it, if that is not just a number.

    >>> Verdict("tour.json", "tsp", "result", moves=49, legal=True, score=8.3, claimed=8.1, left=0).ok
    False
    """

    file: str
    problem: str
    format: str
    moves: int
    legal: bool
    score: float | None = None
    claimed: float | None = None
    left: int | None = None
    at: int | None = None
    move: str | None = None
    reason: str | None = None
    variant: str | None = None
    inferred: bool = False
    shown: str | None = None

    @property
    def claim_holds(self) -> bool | None:
        """Whether the score is the one that the file states; None if either is missing."""
        if self.score is None or self.claimed is None:
            return None
        return math.isclose(self.score, self.claimed, rel_tol=TOLERANCE, abs_tol=TOLERANCE**2)

    @property
    def ok(self) -> bool:
        """Whether the sequence is legal, and the claimed score, if any, is right."""
        return self.legal and self.claim_holds is not False

    def to_json(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        return {"ok": self.ok, **asdict(self)}


@dataclass(frozen=True)
class FileComparison:
    """Two games of Morpion Solitaire side by side.

    ``same`` tells whether they draw the same grid, and ``shared`` how many lines they have in common when one is turned
    to fit best; both are None if a game is not legal.

    >>> one = Verdict("a.psol", "morpion", "Pentasol", moves=1, legal=True, score=1, left=27)
    >>> FileComparison((one, one), same=True, shared=1).ok
    True
    """

    verdicts: tuple[Verdict, Verdict]
    same: bool | None
    shared: int | None

    @property
    def ok(self) -> bool:
        """Whether both files are right and the grids are the same."""
        return self.same is True and all(verdict.ok for verdict in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """The comparison as a JSON object."""
        files = [verdict.to_json() for verdict in self.verdicts]
        return {"ok": self.ok, "same": self.same, "shared": self.shared, "files": files}


class Solution(NamedTuple):
    """What a result file or a picture says was found; ``score`` is None if it does not say.

    >>> Solution("result", "leftmove", {"depth": 2}, (1, 1), 2.0).moves
    (1, 1)
    """

    format: str
    problem: str
    parameters: Mapping[str, Any]
    moves: tuple[Any, ...]
    score: float | None


def part_of_result(path: str | os.PathLike[str], *, seen: bool = False, rank: int | None = None) -> bytes:
    """The content of a result file with another of its sequences in place of the answer.

    Parameters
    ----------
    seen
        the best that was seen beyond the sequential answer
    rank
        the sequence of this rank in the pool, from 1

    >>> part_of_result("no such file", seen=True)
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    result = Result.load(path)
    if rank is not None:
        if not 1 <= rank <= len(result.pool):
            there = f"has {len(result.pool)}" if result.pool else "was made without keep"
            raise InputError(f"rank must be that of a sequence in the pool, and {os.fspath(path)} {there}; got {rank}")
        found = result.pool[rank - 1]
    elif result.best_seen is not None:
        found = result.best_seen
    else:
        raise InputError(f"{os.fspath(path)} holds nothing that was seen beyond its answer")
    return json.dumps(replace(result, score=found["score"], moves=tuple(found["moves"])).to_json()).encode()


def read_solution(path: str | os.PathLike[str], content: bytes | None = None) -> Solution | None:
    """The solution in a result file or in a picture; None if the file is neither, or is one of a game for two.

    >>> read_solution("no such file")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    return _solution(file_bytes(path) if content is None else content, os.fspath(path))


def verify_file(
    path: str | os.PathLike[str],
    *,
    variant: str | None = None,
    problem: str | None = None,
    parameters: Mapping[str, str] | None = None,
    seen: bool = False,
    rank: int | None = None,
) -> Verdict:
    """Verify the game or the result in a file.

    Parameters
    ----------
    variant
        the rules for a game of Morpion Solitaire, whatever the file says about them
    problem
        what a result is a result of, as :func:`rookery.load_problem` reads it. A built-in problem is known from the
        file; the file of a user's problem is never run because a result names it, so it must be named here. It
        is also the problem of a solution that was written down by hand, if the problem can ``read`` that
    parameters
        the parameters of ``problem`` as text; without any, those that the result holds
    seen, rank
        verify another sequence of a result: the best that was seen, or one of its pool

    >>> import os, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "result.json")
    ...     rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20), seed=1).save(path)
    ...     verdict = rk.files.verify_file(path)
    >>> verdict.legal, verdict.score, verdict.left
    (True, 5.0, 0)
    """
    kept = seen or rank is not None
    content, name = part_of_result(path, seen=seen, rank=rank) if kept else file_bytes(path), os.fspath(path)
    if parameters and problem is None:
        raise InputError("parameters go with a problem: name it too")
    result = _solution(content, name)
    if problem is None and (result is None or result.problem == MORPION):
        return _of_game(parse_game(content, name, variant), name)
    if variant is not None:
        raise InputError(f"a variant goes with a game of Morpion Solitaire, which {name} is not")
    if result is None:
        assert problem is not None
        return _of_written(content, name, problem, parameters or {})
    return _of_result(result, name, problem, parameters or {})


def compare_files(
    first: str | os.PathLike[str], second: str | os.PathLike[str], *, variant: str | None = None
) -> FileComparison:
    """Verify two games of Morpion Solitaire, and tell whether they draw the same grid, turned or in another order.

    >>> compare_files("no such file", "nor this")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    names = os.fspath(first), os.fspath(second)
    a, b = (parse_game(file_bytes(name), name, variant) for name in names)
    verdicts = _of_game(a, names[0]), _of_game(b, names[1])
    if not all(verdict.legal for verdict in verdicts):
        return FileComparison(verdicts, None, None)
    return FileComparison(verdicts, same_grid(a.game, b.game), shared_lines(a.game, b.game))


def _of_game(read: ReadGame, name: str) -> Verdict:
    game: MorpionGame = read.game
    about: dict[str, Any] = {"claimed": read.claimed, "variant": game.variant, "inferred": read.inferred}
    illegal = game.first_illegal()
    if illegal is None:
        left = len(game.board().legal())
        return Verdict(name, MORPION, read.format, game.score, True, score=game.score, left=left, **about)
    at, reason = illegal
    move = str(game.moves[at - 1])
    return Verdict(name, MORPION, read.format, game.score, False, at=at, move=move, reason=reason, **about)


# --- results of any problem ---


def _solution(content: bytes, name: str) -> Solution | None:
    try:
        picture = held(content)
        data = as_json(as_text(content)) if picture is None else picture.data
    except InputError:
        return None
    if not is_result(data):
        return None
    try:
        if picture is not None:
            return _pictured(picture.kind, data)
        result = Result.from_json(data)
    except InputError as error:
        raise InputError(f"{name} is not a {'result file' if picture is None else 'picture'}: {error}") from None
    return Solution("result", result.problem, result.parameters, result.moves, result.score)


def _pictured(kind: str, data: Mapping[str, Any]) -> Solution:
    """The solution that a picture carries."""
    claim = {} if data.get("score") is None else {"score": "a number"}
    check_fields(data, {"problem": "a text", "parameters": "an object", "moves": "a list", **claim})
    return Solution(kind, data["problem"], data["parameters"], frozen(data["moves"]), data.get("score"))


def _of_result(result: Solution, name: str, problem: str | None, given: Mapping[str, str]) -> Verdict:
    loaded = solution_problem(result, name, problem, given)
    called = result.problem if problem is None else problem
    about: dict[str, Any] = {"claimed": result.score}
    try:
        score, left = replay(loaded, result.moves)
    except InputError as error:
        at = re.match(r"move (\d+) must be legal", str(error))
        if at is None:
            raise InputError(f"{name} is not a solution: {error}") from None
        number = int(at[1])
        about |= {"at": number, "move": brief(result.moves[number - 1]), "reason": "it is not among the legal moves"}
        return Verdict(name, called, result.format, len(result.moves), False, **about)
    about["shown"] = _shown(loaded, score)
    return Verdict(name, called, result.format, len(result.moves), True, score=score, left=len(left), **about)


def _of_written(content: bytes, name: str, problem: str, given: Mapping[str, str]) -> Verdict:
    """The verdict on a solution in its written form, which the problem itself can read."""
    loaded = load_problem(problem, given)
    try:
        moves = tuple(loaded.read(as_text(content)))
    except IllegalSolution as error:
        return Verdict(name, problem, "text", 0, False, reason=str(error))
    except InputError as error:
        raise InputError(f"{name} is not a solution of {problem}: {error}") from None
    try:
        score, left = replay(loaded, moves)
    except InputError as error:
        return Verdict(name, problem, "text", len(moves), False, reason=str(error))
    shown = _shown(loaded, score)
    return Verdict(name, problem, "text", len(moves), True, score=score, left=len(left), shown=shown)


def _shown(problem: Any, score: float) -> str | None:
    text: str = problem.format_score(score)
    return None if re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", text) else text


def solution_problem(
    result: Solution, name: str, problem: str | None = None, given: Mapping[str, str] | None = None
) -> Any:
    """The problem of a result in the file of this name, which must have the parameters that the result holds.

    A user's own problem is never loaded because a file names it; ``problem`` must name it.
    """
    given = given or {}
    if problem is None and PROBLEM.find_known(result.problem) is None:
        what = f"{name} is a result of {brief(result.problem)}"
        raise InputError(f"{what}: {naming(f'rookery verify {shlex.quote(name)}', result.problem)}")
    if problem is not None and _class(problem) != _class(result.problem):
        raise InputError(f"{name} must be a result of {problem}, got one of {brief(result.problem)}")
    recorded = result.parameters
    try:
        loaded = load_problem(result.problem if problem is None else problem, given or recorded)
    except InputError as error:
        raise error if given else InputError(f"{name}: {error}") from None
    for key, value in loaded.parameters().items():
        if key in recorded and str(value) != str(recorded[key]):
            raise InputError(f"{name} must be a result with {key}={value}, got one with {key}={brief(recorded[key])}")
        if value is not None and key not in recorded and key not in given:
            raise InputError(f"{name} does not hold the parameter {key}: name it as -p {key}=...")
    return loaded


def _class(name: str) -> str:
    """The part of a problem's name that does not depend on where its file is."""
    return name.rpartition(":")[2]
