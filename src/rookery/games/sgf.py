"""Games of the Go family as SGF, the Smart Game Format (FF[4], red-bean.com/sgf): written, and read back.

Points are two letters, column and row, from ``aa`` in the upper left corner; a pass has none. SGF does not know NoGo
and Atarigo: such games are written as Go, with their name in GN and a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rookery.disk import brief
from rookery.errors import InputError
from rookery.games.cells import LEAST, MOST
from rookery.games.go import Go
from rookery.games.pointsets import PointSets

COLOURS = "BW"
DRAWN = "0"
SETUP = ("AB", "AW", "AE", "PL")
"""Properties that change the board without a move."""
_LETTERS = "abcdefghijklmnopqrs"
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"\s*([A-Za-z]+)\s*(?=\[)")
_VALUE = re.compile(r"\s*\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


@dataclass(frozen=True)
class SgfGame:
    """A game as a file holds it; ``moves`` are numbered as in the games of the library, and black begins.

    ``komi`` is None if the file does not say; ``properties`` are the first values of the root's properties: PB, PW,
    RE ...

    >>> SgfGame(9, (40, 81), 7.5, {"PB": "rookery"}).moves
    (40, 81)
    """

    size: int
    moves: tuple[int, ...]
    komi: float | None = None
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        """Who has won: 0 black, 1 white, -1 nobody; None if the file does not say."""
        result = self.properties.get("RE", "").strip().upper()
        return {"B+": 0, "W+": 1}.get(result[:2], -1 if result in (DRAWN, "DRAW") else None)


def write_sgf(
    game: PointSets,
    moves: Sequence[int],
    *,
    black: str = "",
    white: str = "",
    winner: int | None = None,
    properties: Mapping[str, str] | None = None,
) -> str:
    """A game of the Go family as SGF; ``winner`` is 0, 1, or -1 for a draw, ``properties`` go to the root as well.

    Several games, one after another, are a collection.

    >>> print(write_sgf(Go(size=9), [40, 81], black="ppa", white="uct", winner=0), end="")
    (;FF[4]GM[1]CA[UTF-8]AP[rookery]SZ[9]KM[7.5]PB[ppa]PW[uct]RE[B+]
    ;B[ee];W[])
    """
    name = type(game).__name__
    root = {"FF": "4", "GM": "1", "CA": "UTF-8", "AP": "rookery", "SZ": str(game.size)}
    if isinstance(game, Go):
        root["KM"] = f"{game.komi:g}"
    else:
        root["GN"], root["C"] = name, f"This is {name}, not Go."
    root |= {"PB": black, "PW": white} | dict(properties or {})
    if winner is not None:
        if winner not in (0, 1, -1):
            raise InputError(f"winner must be 0, 1 or -1, got {winner!r}")
        root["RE"] = DRAWN if winner < 0 else f"{COLOURS[winner]}+"
    for key in root:
        if not re.fullmatch("[A-Z]+", key):
            raise InputError(f"a property must be named in capital letters, got {brief(key)}")
    nodes = [f";{COLOURS[ply % 2]}[{_point(game.size, move)}]" for ply, move in enumerate(moves)]
    lines = ["".join(nodes[i : i + 10]) for i in range(0, len(nodes), 10)]
    head = "(;" + "".join(f"{key}[{_escaped(value)}]" for key, value in root.items() if value)
    return "\n".join([head, *lines]) + ")\n"


def read_sgf(text: str) -> tuple[SgfGame, ...]:
    """The games of an SGF file, the main line of each.

    >>> game, = read_sgf("(;FF[4]SZ[5]KM[0.5]PB[a]RE[W+3.5];B[cc](;W[bc])(;W[cb]))")
    >>> game.size, game.moves, game.komi, game.winner
    (5, (12, 11), 0.5, 1)
    """
    text = text.removeprefix("\ufeff")
    if text.count(";") + text.count("(") > MOST_NODES:
        raise InputError(f"an SGF file must have at most {MOST_NODES} nodes, got more")
    games: list[SgfGame] = []
    at = _skip(text, 0)
    while at < len(text):
        at, nodes = _read_tree(text, at)
        games.append(_game(nodes, len(games) + 1))
        at = _skip(text, at)
    if not games:
        raise InputError("an SGF file must hold a game, got none")
    return tuple(games)


MOST_NODES = 1 << 19
"""The most nodes of an SGF file, variations included."""
Node = dict[str, list[str]]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _read_tree(text: str, at: int) -> tuple[int, list[Node]]:
    """The nodes of the main line of the tree that begins here, and where it ends."""
    if text[at : at + 1] != "(":
        raise InputError(f"a game in SGF must begin with (, got {brief(text[at : at + 20])}")
    nodes: list[Node] = []
    depth, main = 0, True  # the main line goes into the first of all variations
    while True:
        at = _skip(text, at)
        sign = text[at : at + 1]
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth, main = depth - 1, False
        elif sign == ";":
            at, node = _read_node(text, at + 1)
            if main:
                nodes.append(node)
            continue
        else:
            raise InputError(f"a game in SGF must be closed with ), got {brief(text[at : at + 20]) or 'its end'}")
        at += 1
        if depth == 0:
            return at, nodes


def _read_node(text: str, at: int) -> tuple[int, Node]:
    node: Node = {}
    while name := _NAME.match(text, at):
        at = name.end()
        key = "".join(letter for letter in name[1] if letter.isupper())  # in older formats, GaMe is GM
        if key in node:
            raise InputError(f"a property must come once in a node of SGF, got {key} again")
        node[key] = []
        while value := _VALUE.match(text, at):
            at = value.end()
            node[key].append(_unescaped(value[1]))
        if not node[key]:
            there = brief(text[name.start() : at + 20])
            raise InputError(f"a property of SGF must have a value in brackets, got {there}")
    return at, node


def _game(nodes: Sequence[Node], number: int) -> SgfGame:
    where = f"game {number}"
    if not nodes:
        raise InputError(f"{where} must have at least one node, got ()")
    root = nodes[0]
    if root.get("GM", ["1"])[0].strip() != "1":
        raise InputError(f"{where} must be of the Go family, GM[1], got GM[{root['GM'][0]}]")
    size = _size(root.get("SZ", ["19"])[0].strip(), where)
    moves: list[int] = []
    for key, value in _entries(nodes):
        if key in SETUP:
            raise InputError(f"{where} must begin with an empty board and have moves only, got {key}")
        if key not in COLOURS:
            continue
        if key != COLOURS[len(moves) % 2]:
            raise InputError(f"{where} must have black and white in turn, got {key} as move {len(moves) + 1}")
        moves.append(_read_point(size, value.strip(), where))
    return SgfGame(size, tuple(moves), _komi(root.get("KM"), where), {key: values[0] for key, values in root.items()})


def _entries(nodes: Sequence[Node]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        for key, values in node.items():
            yield key, values[0]


def _size(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and LEAST <= int(text[:4]) <= MOST):
        raise InputError(f"{where} must be on a board of size {LEAST} to {MOST}, got SZ[{text[:20]}]")
    return int(text)


def _komi(values: list[str] | None, where: str) -> float | None:
    if values is None:
        return None
    try:
        return float(values[0])
    except ValueError:
        raise InputError(f"{where} must have a number as its komi, got KM[{values[0][:20]}]") from None


def _point(size: int, move: int) -> str:
    if move == size * size:
        return ""
    if not 0 <= move < size * size:
        raise InputError(f"a move must be 0 to {size * size} on a board of size {size}, got {move}")
    return _LETTERS[move % size] + _LETTERS[size - 1 - move // size]


def _read_point(size: int, text: str, where: str) -> int:
    if text in ("", "tt"):  # tt: a pass in older formats
        return size * size
    place = [_LETTERS.find(letter) for letter in text]
    if len(place) != 2 or not all(0 <= i < size for i in place):
        raise InputError(f"{where} must have its moves on a board of size {size}, got {brief(text)}")
    return (size - 1 - place[1]) * size + place[0]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _unescaped(text: str) -> str:
    text = re.sub(r"\\(\r\n|\n\r|\n|\r)", "", text)  # a line break of the file, not of the text
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
