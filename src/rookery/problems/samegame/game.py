"""SameGame: take away groups of cells of one colour; large groups score most.

Rules as in Cazenave 2009, section 5.2: connected cells of one colour are removed together and score
(n - 2)^2 for n of them; the cells above fall down, and columns to the right of an empty one move to the left. A
board without cells is worth 1,000 more. The penalty for what is left, and the tabu colour of playouts, are those of
Schadd, Winands, van den Herik, Chaslot and Uiterwijk, Single-Player Monte-Carlo Tree Search, 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from rookery.arguments import finite
from rookery.bits import ONE, WORD, u
from rookery.compiler.constants import fixed
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.problem import Layout, Limits, Spots, capacity
from rookery.problems.samegame.board import FREE_AFTER, NO_COLOUR, SameGameBoard, mixed_numbers
from rookery.problems.samegame.formats import (
    MOST_COLOURS,
    MOST_HEIGHT,
    MOST_WIDTH,
    game_text,
    one_line,
    read_board,
    read_game,
)
from rookery.problems.samegame.grid import (
    BONUS,
    SIDE,
    Cell,
    Grid,
    Removal,
    board_text,
    cell_centre,
    cell_name,
    game_picture,
    total,
)
from rookery.rng import Stream, root_key

Rule = Literal["none", "tabu", "selective", "soft"]
Code = Literal["place", "origin"]
TABU_BIAS = -3.0
"""The bias of groups of the tabu colour under the rule soft, unless another is given."""
_GENERATED = {"width": 15, "height": 15, "colours": 5, "seed": 0}


class SameGame(SameGameBoard):
    """Take away groups of one colour: (n - 2)^2 points for n cells, 1,000 more for an empty board.

    A move names its group by a cell: the lowest of the leftmost column of the group.

    Parameters
    ----------
    cells
        the colours, whole numbers from 0; the first row is the top one. At most 32 columns, 31 rows and 15 colours
    rule
        what playouts leave out while they have another move: ``"tabu"``, the groups of the colour that has the most
        cells where the playout begins; ``"selective"``, the same, but not groups of two cells once 10 moves have been
        played. ``build`` also takes ``"soft"``: nothing is left out, but that colour has a bias against it
    tabu
        take this colour as the tabu one instead
    penalty
        subtract (n - 2)^2 for each colour of which n cells are left in the end, as if they were connected
    origins
        a code names the cells of a group by where they stood at the start, not by where they are now: so it stays the
        same when they fall. ``build`` calls this ``code="origin"``
    dislike
        under the rule ``"soft"``, the bias of groups of the tabu colour

    >>> SameGame.build(width=8, height=10, seed=1).limits().length
    40
    """

    cells: np.ndarray
    rule: Rule = "none"
    tabu: int | None = None
    penalty: bool = False
    origins: bool = False
    dislike: float = TABU_BIAS

    def __post_init__(self) -> None:
        cells = np.asarray(self.cells)
        if cells.ndim != 2 or cells.size == 0 or cells.dtype.kind not in "iu":
            raise InputError(f"cells must be rows of whole numbers, got {brief(cells.tolist())}")
        height, width = cells.shape
        if width > MOST_WIDTH or height > MOST_HEIGHT:
            raise InputError(f"cells must be at most {MOST_WIDTH} x {MOST_HEIGHT}, got {width} x {height}")
        if cells.min() < 0 or cells.max() >= MOST_COLOURS:
            wrong = cells.min() if cells.min() < 0 else cells.max()
            raise InputError(f"a colour must be 0 to {MOST_COLOURS - 1}, got {wrong}")
        if self.rule not in get_args(Rule):
            raise InputError(f"rule must be none, tabu, selective or soft, got {self.rule!r}")
        if self.rule == "soft" and not hasattr(self, "bias"):
            raise InputError("rule soft is made by SameGame.build, or as SoftSameGame")
        if self.tabu is not None and self.rule == "none":
            raise InputError(f"a tabu colour needs rule tabu, selective or soft, got rule none and tabu {self.tabu}")
        if self.tabu is not None and not 0 <= self.tabu < MOST_COLOURS:
            raise InputError(f"tabu must be a colour, 0 to {MOST_COLOURS - 1}, got {self.tabu}")
        object.__setattr__(self, "dislike", finite("dislike", self.dislike))
        if self.rule != "soft" and self.dislike != TABU_BIAS:
            raise InputError(f"dislike needs rule soft, got rule {self.rule} and dislike {self.dislike:g}")
        object.__setattr__(self, "cells", np.ascontiguousarray(cells, np.int64))

    @classmethod
    def build(  # noqa: PLR0913
        cls,
        board: str | None = None,
        index: int = 1,
        width: int = 15,
        height: int = 15,
        colours: int = 5,
        seed: int = 0,
        rule: Rule = "none",
        tabu: int | None = None,
        penalty: bool = False,
        code: Code = "place",
        dislike: float = TABU_BIAS,
    ) -> SameGame:
        """``board``: a file of boards, of which ``index`` says which; or one line such as 01/22. None: a random one.

        ``code``: what a code names cells by: their ``"place"``, or their ``"origin"``, where they stood at the start.
        ``dislike``: under the rule ``"soft"``, the bias of groups of the tabu colour.

        >>> SameGame.build("01/22").cells.tolist()
        [[0, 1], [2, 2]]
        """
        if rule == "soft":
            from rookery.problems.samegame.soft import SoftSameGame

            cls = SoftSameGame  # a separate class: a bias costs every search that uses it
        if code not in get_args(Code):
            raise InputError(f"code must be place or origin, got {code!r}")
        generated = {"width": width, "height": height, "colours": colours, "seed": seed}
        if board is not None:
            for name, value in generated.items():
                if value != _GENERATED[name]:
                    raise InputError(f"{name} is for boards made at random, and a board was given; got {name} {value}")
            return cls(read_board(board, index), rule, tabu, penalty, code == "origin", dislike)
        if index != 1:
            raise InputError(f"index is for a file of boards, and none was given; got index {index}")
        for name, most in (("width", MOST_WIDTH), ("height", MOST_HEIGHT), ("colours", MOST_COLOURS)):
            if not 1 <= generated[name] <= most:
                raise InputError(f"{name} must be 1 to {most}, got {generated[name]}")
        stream = Stream(root_key(seed))
        rows = [[stream.below(colours) for _ in range(width)] for _ in range(height)]
        return cls(np.array(rows, np.int64), rule, tabu, penalty, code == "origin", dislike)

    def parameters(self) -> dict[str, Any]:
        built = self.__dict__.get("_built_with")
        if built is None or built["board"] is not None:  # the board itself: its file may be gone later
            given: dict[str, Any] = {"board": one_line(self.cells)}
        else:
            given = {name: built[name] for name in _GENERATED}
        chosen: dict[str, Any] = {"rule": self.rule, "penalty": self.penalty}
        if self.tabu is not None:
            chosen["tabu"] = self.tabu
        if self.origins:
            chosen["code"] = "origin"
        if self.dislike != TABU_BIAS:
            chosen["dislike"] = self.dislike
        return {**given, **chosen}

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        pairs = max(1, self.cells.size // 2)
        return Limits(moves=pairs, length=pairs, codes="hashed")

    def _sizes(self) -> dict[str, int]:
        height, width = self.cells.shape
        lane = 16 if height < 16 else 32
        return {
            "lane": lane,
            "words": capacity(-(-width * lane // WORD)),
            "planes": int(self.cells.max() + 1).bit_length(),
            "room": capacity(self.cells.size // 2 + 1),  # one more than groups: they change lists
        }

    def constants(self) -> Mapping[str, Any]:
        return {
            **{name: fixed(size) for name, size in self._sizes().items()},
            "rows": np.ascontiguousarray(self.cells[::-1]),
            "holds": self.rule in ("tabu", "selective"),
            "traced": fixed(self.origins),
            "mixed": mixed_numbers(self.cells.size),
            "selective": self.rule == "selective",
            "given": -1 if self.tabu is None else self.tabu,
            "penalised": self.penalty,
        }

    def layout(self) -> Layout:
        sizes = self._sizes()
        words, room = sizes["words"], sizes["room"]
        return {
            "plane": ("u8", (sizes["planes"], words)),
            "feet": ("u8", words),  # columns that are not empty
            "heads": ("u8", words),
            **{name: ("u8", words) for name in ("area", "up", "right", "flood")},
            "touched": ("u2", room),
            "mask": ("u8", (room, words)),
            "code": ("u8", room),
            "head": ("u2", room),
            "extent": ("u2", room),
            "colour": ("u1", room),
            "place": ("u2", WORD * words),  # for the group with this head
            "origin": ("u2", WORD * words if self.origins else 1),  # of each cell, from 1; 0: empty
            "cells": ("u2", MOST_COLOURS),  # of each colour
            **{name: "i4" for name in ("n", "held", "tabu", "columns", "left", "played", "points")},
        }

    # --- compiled ---

    def start(self, s):
        height, width = self.rows.shape
        for column in range(width):
            for row in range(height):
                bit = column * self.lane + row
                colour = self.rows[row, column]
                s.cells[colour] += 1
                if self.traced:
                    s.origin[bit] = 1 + column * height + row
                for p in range(self.planes):
                    if ((colour + 1) >> p) & 1 != 0:
                        s.plane[p, bit // WORD] |= ONE << u(bit % WORD)
        s.columns = width
        s.left = height * width
        s.tabu = NO_COLOUR
        foot = self._feet()
        for w in range(self.words):
            s.area[w] = self._filled(s, w)
            s.feet[w] = s.area[w] & foot
        self._find_groups(s)

    def moves(self, s, out):
        n = self.count(s)
        for i in range(n):
            out[i] = self.nth(s, i)
        return n

    def count(self, s):
        return np.int64(s.n if s.n > 0 else s.held)

    def nth(self, s, i):
        return np.int64(s.head[u(i if s.n > 0 else self.room - 1 - i)])

    def code(self, s, move):
        return s.code[u(s.place[u(move)])]

    def play(self, s, move):
        place = u(s.place[u(move)])
        n = np.int64(s.extent[place])
        s.points += (n - 2) * (n - 2)
        s.left -= n
        s.cells[s.colour[place]] -= n
        s.played += 1
        self._take_away(s, place)
        self._drop_touched(s)
        if self.selective and s.played == FREE_AFTER:
            self._release(s)
        self._find_groups(s)

    def score(self, s):
        score = np.int64(s.points)
        if s.left == 0:
            score += BONUS
        elif self.penalised and s.n + s.held == 0:
            for colour in range(MOST_COLOURS):
                n = np.int64(s.cells[colour])
                if n > 0:
                    score -= (n - 2) * (n - 2)
        return score

    def begin_playout(self, s):
        if self.holds:
            tabu = self.given
            if tabu < 0:
                tabu = 0
                for colour in range(1, MOST_COLOURS):
                    if s.cells[colour] > s.cells[tabu]:
                        tabu = colour
            s.tabu = tabu
            self._hold(s)

    # --- for people ---

    def cell_of(self, move: int) -> Cell:
        """Column and row, from 0 at the left and at the bottom, of the cell that a move names.

        >>> SameGame.build("00/11").cell_of(16)
        (1, 0)
        """
        column, row = divmod(move, self._sizes()["lane"])
        height, width = self.cells.shape
        if not (0 <= column < width and row < height):
            raise InputError(f"a move must name a cell of the board of {width} x {height}, got {move}")
        return column, row

    def game(self, moves: Sequence[int]) -> list[Removal]:
        """What each move takes away; all must be legal.

        >>> [removal.points for removal in SameGame.build("00/00").game([0])]
        [4]
        """
        grid, removals = Grid(self.cells), []
        for number, move in enumerate(moves, 1):
            try:
                removals.append(grid.remove(self.cell_of(move)))
            except InputError as error:
                raise InputError(f"move {number} must be legal: {error}") from None
        return removals

    def describe_move(self, move: int) -> str:
        return cell_name(self.cell_of(move))

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves, a letter for each cell."""
        return board_text(self.cells, self.game(moves))

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board at the start, with the number of the move that takes each cell, and the board after these moves."""
        removals = self.game(moves)
        return game_picture(self.cells, removals, total(self.cells, removals, self.penalty))

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """Any cell of the group, on the board after these moves."""
        grid = Grid(self.cells)
        for removal in self.game(moves):
            grid.remove(removal.cells[0])
        groups = (grid.group(self.cell_of(move)) for move in legal)
        return [(tuple((*cell_centre(grid, cell), SIDE / 2) for cell in sorted(group)),) for group in groups]

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a written game, one cell of each group per line.

        >>> SameGame.build("01/01").read("c2 r2")
        (16,)
        """
        lane = self._sizes()["lane"]
        return tuple(column * lane + row for (column, row), *_ in (r.cells for r in read_game(text, self.cells)))

    def write(self, moves: Sequence[int]) -> str:
        """A game in lines: the cell that names each group, and what it is worth.

        >>> SameGame.build("01/01").write([16])
        'c2 r1  # 2 of colour 1: 0\\n'
        """
        return game_text(self.game(moves))
