"""``rookery verify``: whether a file holds a legal sequence with the score that it claims."""

from __future__ import annotations

import contextlib
import json
import sys

import rookery as rk
from rookery.cli import options as o

UNTRUE = 1
"""The exit code when a move is illegal, a claimed score wrong, or two grids differ."""


def verify(
    file: str = o.argument(
        "FILE", "The result of a search, the record of a match, a picture, SGF, or a game of Morpion Solitaire."
    ),
    other: str | None = o.argument("[FILE2]", "Another game: does it draw the same grid?", None),
    variant: o.Variant = None,
    problem: o.Text = o.option("PROBLEM", "Your own problem or game, as path/to/file.py:Class or module:Class."),
    parameters: o.Parameters = None,
    rank: o.Text = o.option("N", "Verify the N-th best sequence of the pool of a result, from 1."),
    seen: bool = o.flag("--seen", "Verify the best sequence seen beyond the answer of a result."),
    as_json: o.Json = False,
) -> int:
    """Replay a solution or the games of a match: are they legal, and is the score right? Or compare two grids."""
    given = o.key_values(parameters)
    if given and problem is None:
        raise rk.InputError("-p goes with --problem: name the problem too")
    if other is not None and problem is not None:
        raise rk.InputError("--problem goes with one file; two files are compared as games of Morpion Solitaire")
    if seen and rank is not None:
        raise rk.InputError("--seen and --rank name different sequences: give one of them")
    if (seen or rank is not None) and other is not None:
        raise rk.InputError("--seen and --rank go with one file, the result of a search")
    place = o.optional(o.whole, "--rank", rank)
    found: rk.files.Verdict | rk.files.FileComparison | rk.files.MatchVerdict
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the verdict
        if other is None and rk.files.is_match(file):
            if variant is not None:
                raise rk.InputError(f"--variant goes with a game of Morpion Solitaire, which {file} is not")
            found = rk.files.verify_match(file, problem, given)
        elif other is None:
            found = rk.files.verify_file(
                file, variant=variant, problem=problem, parameters=given, seen=seen, rank=place
            )
        else:
            found = rk.files.compare_files(file, other, variant=variant)
    if as_json:
        print(json.dumps({**found.to_json(), "version": rk.__version__}))
    else:
        print(told(found))
    return 0 if found.ok else UNTRUE


def told(found: rk.files.Verdict | rk.files.FileComparison | rk.files.MatchVerdict) -> str:
    """The verdict in words."""
    if isinstance(found, rk.files.FileComparison):
        return compared(found)
    return in_words(found) if isinstance(found, rk.files.Verdict) else match_in_words(found)


def match_in_words(verdict: rk.files.MatchVerdict) -> str:
    """What is true of the games of a match.

    >>> print(match_in_words(rk.files.MatchVerdict("games.sgf", "SGF", ("go",), games=2, score={"ann": 1, "bob": 1})))
    file      games.sgf: go, read as SGF
    legal     yes, 2 games; the winners are right
    score     ann 1, bob 1
    """
    about = f"{verdict.file}: {', '.join(verdict.played) or 'no game'}, read as {verdict.format}"
    games = o.counted(verdict.games, "game")
    legal = f"yes, {games}; the winners are right"
    if verdict.wrong is not None:
        legal = f"no: game {verdict.wrong} of {games}: {verdict.reason}"
    elif verdict.unfinished:
        legal = f"yes, {games}, {verdict.unfinished} not played to the end; the winners of the others are right"
    rows = [("file", about), ("legal", legal)]
    if verdict.score:
        rows.append(("score", ", ".join(f"{name} {wins}" for name, wins in verdict.score.items())))
    return o.rows((name, o.printable(text)) for name, text in rows)


def in_words(verdict: rk.files.Verdict) -> str:
    """A verdict, a row for each thing that is true of the file.

    >>> print(in_words(rk.files.Verdict("a.json", "morpion", "JSON", moves=2, legal=True, score=2, claimed=3, left=1)))
    file      a.json: morpion, read as JSON
    legal     yes, 2 moves
    score     2, but the file claims 3
    left      1 legal move: not finished
    """
    rows = [("file", _kind(verdict)), ("legal", _legality(verdict))]
    if verdict.score is not None and verdict.left is not None:
        left = f"{o.counted(verdict.left, 'legal move')}: not finished"
        rows += [("score", _scored(verdict)), ("left", left if verdict.left else "no legal move: finished")]
    return o.rows(rows)


def compared(comparison: rk.files.FileComparison) -> str:
    """A comparison: a line for each file, and one for both.

    >>> one = rk.files.Verdict("a.psol", "morpion", "Pentasol", moves=9, legal=True, score=9, left=0, variant="5T")
    >>> print(compared(rk.files.FileComparison((one, one), same=False, shared=4)))
    a.psol: morpion 5T, read as Pentasol; legal, score 9
    a.psol: morpion 5T, read as Pentasol; legal, score 9
    different: 4 lines shared, of 9 and 9
    """
    lines = []
    for verdict in comparison.verdicts:
        said = f"legal, score {_scored(verdict)}" if verdict.legal else f"illegal: {_broken(verdict)}"
        lines.append(f"{_kind(verdict)}; {said}")
    first, second = (verdict.moves for verdict in comparison.verdicts)
    if comparison.same:
        lines.append(f"same grid: {o.counted(first, 'line')}")
    elif comparison.same is False:
        lines.append(f"different: {o.counted(comparison.shared or 0, 'line')} shared, of {first} and {second}")
    else:
        lines.append("not compared: both games must be legal")
    return "\n".join(lines)


def _kind(verdict: rk.files.Verdict) -> str:
    variant = f" {verdict.variant}" if verdict.variant else ""
    inferred = " (inferred)" if verdict.inferred else ""
    return o.printable(f"{verdict.file}: {verdict.problem}{variant}{inferred}, read as {verdict.format}")


def _legality(verdict: rk.files.Verdict) -> str:
    return f"yes, {o.counted(verdict.moves, 'move')}" if verdict.legal else f"no: {_broken(verdict)}"


def _broken(verdict: rk.files.Verdict) -> str:
    return str(verdict.reason) if verdict.at is None else f"move {verdict.at}, {verdict.move}: {verdict.reason}"


def _scored(verdict: rk.files.Verdict) -> str:
    wrong = f", but the file claims {verdict.claimed:.12g}" if verdict.claim_holds is False else ""
    return f"{verdict.shown or format(verdict.score, '.12g')}{wrong}"
