"""What every search for a move of a game has: a budget, a kernel, a plain twin, and how counts become a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from rookery.arguments import finite, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.drawing.printed import Printed
from rookery.errors import InputError
from rookery.game import GAME_PARAMETERS, Game
from rookery.kernels.buffers import Positions
from rookery.problem import Limits

MOST_PLAYOUTS = 1 << 28
PROVEN: Mapping[int, Literal["win", "loss", "draw"] | None] = {0: None, 1: "win", -1: "loss", 2: "draw"}
"""What is proven of a position, in words."""


@dataclass(frozen=True)
class GameSearch:
    """Base of searches for a move: a frozen dataclass of its parameters, which it checks itself.

    A subclass has a ``name``; a ``kernel``; the ``arguments`` that this kernel takes beyond those of every kernel; a
    way in which a move is ``chosen``; and the name of its ``twin``. Workers know nothing else about a search.

    Parameters
    ----------
    playouts
        playouts for a move; None: as many as there is time for
    seconds
        time for a move; None: as long as the playouts take. If both are given, the first limit that is met ends the
        search

    >>> GameSearch(playouts=None)
    Traceback (most recent call last):
    rookery.errors.InputError: give playouts or seconds for a move, or both
    """

    playouts: int | None = 1000
    seconds: float | None = None

    name: ClassVar[str]
    """The name in files and on the screen; by default that of the class."""
    twin: ClassVar[str | None] = None
    """The same search in plain Python, as ``module:function``: takes the rules, the root, a table of positions, a
    stream, a budget and what :meth:`twin_parameters` returns; returns what it has counted at the root."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):  # a name of its own, since its kernel may differ from its parent's
            cls.name = cls.__name__

    def __post_init__(self) -> None:
        if self.playouts is None and self.seconds is None:
            raise InputError("give playouts or seconds for a move, or both")
        if self.playouts is not None:
            object.__setattr__(self, "playouts", whole("playouts", self.playouts, 1, MOST_PLAYOUTS))
        if self.seconds is not None:
            seconds = finite("seconds", self.seconds)
            if seconds <= 0:
                raise InputError(f"seconds must be more than 0, got {shown(self.seconds)}")
            object.__setattr__(self, "seconds", seconds)

    def compiled(self) -> tuple[str, Any]:
        """The name of its machine code, and what makes it; here the same for all parameters."""
        return self.name, self.kernel

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """The function to compile.

        It is called as ``kernel(key, fresh, self, states, root, trace, run, *arguments)``: plays from ``states[0]``
        until the budget of ``run`` is used up, leaves in ``root`` what it has counted, and returns a status. If
        ``fresh``, it starts afresh, otherwise it continues; it returns FULL if the table has no room.
        """
        raise NotImplementedError

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The kernel's further arguments; ``table`` is empty unless the search reuses what is in it."""
        return ()

    def twin_parameters(self) -> dict[str, Any]:
        """The twin's further parameters: all but the budget."""
        values = asdict(self)
        del values["playouts"], values["seconds"]
        return values

    def needs(self) -> tuple[str, ...]:
        """The optional functions that a game must have."""
        return ()

    def check_game(self, game: Any) -> None:
        """Refuse a game without a function that the search needs.

        >>> import rookery as rk
        >>> class Race(rk.PythonGame): pass
        >>> rk.PPAF().check_game(Race())
        Traceback (most recent call last):
        rookery.errors.InputError: PPAF needs a game with feature(self, state, move), which Race does not have
        """
        for name in self.needs():
            if not hasattr(game, name):
                of = getattr(game, "of", game)  # a compiled game may be interpreted
                state = "s" if isinstance(of, Game) else "state"
                takes = ", ".join(state if parameter == "s" else parameter for parameter in GAME_PARAMETERS[name])
                kind = type(self).__name__
                raise InputError(f"{kind} needs a game with {name}({takes}), which {type(of).__name__} does not have")

    def space(self, game: Any) -> Mapping[str, tuple[Any, ...]]:
        """The values of its parameters that are worth trying in a game: ``tune`` draws settings from them.

        >>> import rookery as rk
        >>> rk.FlatMC().space(rk.games.NoGo())
        {}
        """
        return {}

    def codes(self, limits: Limits) -> int:
        """How many moves it tells apart by their codes."""
        return int(limits.codes)

    def width(self, limits: Limits) -> int:
        """For how many moves a position of its tree has AMAF values."""
        return 0

    def most_nodes(self) -> int | None:
        """The most positions that its tree may have; None: as many as a default allows."""
        return None

    def reuses(self) -> bool:
        """Whether it uses the positions that it found for earlier moves of the same game."""
        return False

    def remembers(self) -> bool:
        """Whether it uses the policy that it learnt for earlier moves of the same game."""
        return False

    def keeps(self) -> bool:
        """Whether it uses anything that it found for earlier moves of the same game."""
        return self.reuses() or self.remembers()

    def chosen(self, counts: Counts) -> int:
        """The index of the move to play; here the one with the most playouts, the first of equals."""
        return max(range(len(counts.moves)), key=counts.tries.__getitem__)

    def decision(self, counts: Counts, playouts: int, seconds: float) -> Decision:
        """What was counted, and the move chosen from it."""
        return Decision(
            move=counts.moves[self.chosen(counts)],
            visits=dict(zip(counts.moves, counts.tries, strict=True)),
            values=dict(zip(counts.moves, counts.shares, strict=True)),
            playouts=playouts,
            seconds=seconds,
            proven=PROVEN[counts.proven],
        )

    def parameters(self) -> dict[str, Any]:
        """The search as plain values, with its name.

        >>> import rookery as rk
        >>> rk.FlatMC(playouts=10).parameters()
        {'algorithm': 'flat', 'playouts': 10, 'seconds': None}
        """
        return {"algorithm": self.name, **asdict(self)}


@dataclass(frozen=True)
class Counts:
    """What a search has counted for each of the legal moves, before one of them is chosen.

    Parameters
    ----------
    tries
        playouts by move
    wins
        of the player to move; draws count half
    settled
        1 for a move that wins, -1 for one that loses, 2 for one that draws, 0 if that is not known
    proven
        the same of the position itself

    >>> Counts(moves=[3, 4], tries=[10, 0], wins=[2.5, 0.0], settled=[0, 0], proven=0).shares
    [0.25, None]
    """

    moves: Sequence[Any]
    tries: Sequence[int]
    wins: Sequence[float]
    settled: Sequence[int]
    proven: int

    @property
    def shares(self) -> list[float | None]:
        """Share of the playouts that the player won, by move; None for a move without playouts."""
        return [w / t if t else None for w, t in zip(self.wins, self.tries, strict=True)]


@dataclass(frozen=True)
class Decision(Printed):
    """The move that a search plays, and why.

    Parameters
    ----------
    move
        the move that is played
    visits
        playouts by move, in the order in which the game lists the moves
    values
        share of the playouts that the player won, by move; draws count half; None for a move without playouts
    playouts
        of the search
    seconds
        that it took
    proven
        "win", "loss" or "draw" for the player to move, if the search has proved it
    reclaimed
        positions that were dropped, as the tree was full

    >>> Decision(move=4, visits={3: 10, 4: 90}, values={3: 0.2, 4: 0.7}, playouts=100, seconds=0.01).value
    0.7
    """

    move: Any
    visits: Mapping[Any, int] = field(repr=False)
    values: Mapping[Any, float | None] = field(repr=False)
    playouts: int
    seconds: float
    proven: Literal["win", "loss", "draw"] | None = None
    reclaimed: int = 0

    @property
    def value(self) -> float | None:
        """Share of the playouts that the player won with the move."""
        return self.values[self.move]

    def __str__(self) -> str:
        """The move, and a row for each legal move: its playouts and the share of them that were won, the best first."""
        proven = f", a proven {self.proven}" if self.proven else ""
        head = f"move {self.move}{proven}: {self.playouts:,} playouts in {self.seconds:.2f} s"
        if self.reclaimed:
            head += f"; the tree was full, and {self.reclaimed:,} positions of it were dropped"
        rows = [("move", "playouts", "won")]
        for move in sorted(self.visits, key=lambda move: -self.visits[move]):
            share = self.values.get(move)
            rows.append((str(move), f"{self.visits[move]:,}", "-" if share is None else f"{100 * share:.1f}%"))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join([head, "", *lines])
