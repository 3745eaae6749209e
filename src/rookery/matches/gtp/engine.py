"""The commands of the Go Text Protocol.

After G. Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002). Every line gets one answer,
``=`` or ``?`` with the number of the command, if it has one; a line with nothing but a comment gets none.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from rookery._version import __version__
from rookery.arguments import shown
from rookery.disk import as_text, file_bytes
from rookery.errors import InputError, RookeryError
from rookery.games.go import Go
from rookery.games.points import point_name, read_point
from rookery.games.pointsets import PointSets
from rookery.games.sgf import read_sgf
from rookery.games.status import Board, chains
from rookery.matches.gtp import lines as text
from rookery.matches.gtp.clock import Clock
from rookery.matches.gtp.lines import COLOUR_OR_POINT, COLOURS, SYNTAX, Refused
from rookery.matches.gtp.position import Position
from rookery.search.game_search import Decision, GameSearch
from rookery.user_code import describe_exception

Words = list[str]
Answer = str | Iterator[str]

SLICE = 0.1
"""Seconds of an analysis after which it looks whether another line waits."""
INTERVAL = 0.5
"""Seconds between two lines of an analysis, unless it is told otherwise."""
MOST_ANALYSED = 1 << 21
"""Playouts after which an analysis only waits: its tree would grow without end."""
COSTS = 0.1
"""What a move may lose, as a share of the playouts won, that is played in place of a pass."""


class GtpEngine:
    """Answers the commands of the Go Text Protocol.

    Parameters
    ----------
    game
        Go, NoGo or Atarigo; ``boardsize`` and ``komi`` replace its size and its komi
    search
        what generates moves
    seed
        the same seed gives the same moves, unless the search is limited by time
    waits
        whether another line waits, which ends an analysis; without it, an analysis has one line

    >>> import rookery as rk
    >>> engine = GtpEngine(rk.games.NoGo(size=5), rk.FlatMC(playouts=10))
    >>> [engine.answer(line) for line in ("1 play b c3  # the centre", "play w c3", "undo", "42 quit")]
    ['=1\\n\\n', '? illegal move\\n\\n', '=\\n\\n', '=42\\n\\n']
    """

    def __init__(
        self, game: PointSets, search: GameSearch, *, seed: int = 1, waits: Callable[[], bool] = lambda: True
    ) -> None:
        if not isinstance(game, PointSets):
            raise InputError(f"the Go Text Protocol is for go, atarigo, nogo and misere-nogo, not for {shown(game)}")
        if getattr(game, "filling", "tree") == "never" or getattr(game, "passing", "tree") == "last":
            rule = "filling=tree, and passing=tree or always: the other side may play whatever is legal"
            raise InputError(f"the Go Text Protocol needs {rule}, got {shown(game)}")
        self.quits = False
        """Whether it was asked to end."""
        self._search, self._waits = search, waits
        self._at = Position(game, search, seed)
        self._clock: Clock | None = None

    def warm(self) -> None:
        """Compile what is needed for a move, or read it from disk."""
        self._at.sitting.warm()

    def answer(self, line: str) -> str:
        """The whole answer to a line; empty for a line without a command."""
        return "".join(self.answers(line))

    def answers(self, line: str) -> Iterator[str]:
        """The answer to a line, piece by piece: an analysis goes on until another line waits."""
        number, name, words = text.split_line(line)
        if not number and not name:
            return
        try:
            if name not in COMMANDS:
                raise Refused("unknown command")
            found = COMMANDS[name](self, words)
            if isinstance(found, str):
                yield text.good(number, found)
                return
            first = next(found, "")
        except (Refused, RookeryError) as error:
            yield text.bad(number, str(error))
            return
        except Exception as error:  # whatever it is, the game goes on
            yield text.bad(number, describe_exception(error))
            return
        yield f"={number}\n{first}"
        with contextlib.suppress(Exception):  # an answer that has begun cannot be refused any more
            yield from found
        yield "\n"

    # --- set-up ---

    def _quit(self, words: Words) -> str:
        self.quits = True
        return ""

    def _boardsize(self, words: Words) -> str:
        size = text.whole(words, 0)
        try:
            self._at.begin(size=size)
        except InputError:
            raise Refused("unacceptable size") from None
        self.warm()  # before any clock runs
        return ""

    def _clear_board(self, words: Words) -> str:
        self._at.begin()
        if self._clock is not None:
            self._clock = Clock(self._clock.main, self._clock.byo, self._clock.stones)
        return ""

    def _komi(self, words: Words) -> str:
        self._at.set_komi(text.real(words, 0))
        return ""

    def _loadsgf(self, words: Words) -> str:
        name = text.word(words, 0)
        before = text.whole(words, 1) if len(words) > 1 else None  # the position in which this move is to be played
        try:
            found = read_sgf(as_text(file_bytes(name)))[0]
            moves = found.moves if before is None else found.moves[: max(0, before - 1)]
            self._at.load(found.size, moves, found.komi)
        except InputError as error:
            raise Refused(f"cannot load file: {error}") from None
        return ""

    # --- moves ---

    def _play(self, words: Words) -> str:
        colour, point = text.colour(words), text.word(words, 1)
        try:
            move = read_point(self._at.size, point)
        except InputError:
            raise Refused(COLOUR_OR_POINT) from None
        self._at.play(colour, move)
        return ""

    def _undo(self, words: Words) -> str:
        self._at.undo()
        return ""

    def _genmove(self, words: Words, cleanup: bool = False) -> tuple[str, str]:
        """The move that was played, and what led to it."""
        at, colour = self._at, text.colour(words)
        before, moves = at.moves, at.turn_to(colour)
        try:
            at.sitting.go_to(moves)
            if at.sitting.winner is not None:
                return "pass" if isinstance(at.game, Go) or at.sitting.winner == colour else "resign", ""
            decision = self._think(colour)
            may_pass = len(moves) <= len(before)  # a pass of nobody's ends no game
            move = self._chosen(decision, colour, cleanup and isinstance(at.game, Go), may_pass)
            info = self._info(decision)
        finally:
            at.sitting.go_to(before)
        at.play(colour, move)
        return point_name(at.size, move), info

    def _think(self, colour: int) -> Decision:
        """An opinion within the time that is left."""
        at, search = self._at, self._search
        if self._clock is None:
            return at.sitting.think()
        to_go = max(10, (7 * at.game.points // 10 - len(at.moves)) // 2)
        allowed = self._clock.allowance(colour, to_go)
        if allowed is not None:
            search = replace(search, seconds=allowed if search.seconds is None else min(allowed, search.seconds))
        decision = at.sitting.think(search)
        self._clock.spend(colour, decision.seconds)
        return decision

    def _chosen(self, decision: Decision, colour: int, cleanup: bool, may_pass: bool) -> int:
        """The move to play; for ``cleanup`` neither a pass nor an eye of one's own, unless all else costs something."""
        end, values = self._at.game.points, decision.values
        others = [move for move, visits in decision.visits.items() if move != end and visits]
        if cleanup:
            board, stones = Board.of(self._at.size), self._at.stones()
            others = [move for move in others if not board.is_eye(stones, move, colour)]
        elif may_pass:
            return int(decision.move)
        if decision.move in others or (decision.move != end and not cleanup) or not others:
            return end if cleanup and not others else int(decision.move)
        best = max(others, key=lambda move: (values[move], decision.visits[move]))
        costs = (values.get(end) or 0.0) - (values[best] or 0.0)
        return end if cleanup and costs > COSTS else int(best)

    # --- time ---

    def _time_settings(self, words: Words) -> str:
        main, byo, stones = text.real(words, 0), text.real(words, 1), text.whole(words, 2)
        if min(main, byo, stones) < 0:
            raise Refused(SYNTAX)
        self._clock = Clock(main, byo, stones)
        return ""

    def _time_left(self, words: Words) -> str:
        colour, seconds, stones = text.colour(words), text.real(words, 1), text.whole(words, 2)
        if stones < 0:
            raise Refused(SYNTAX)
        self._clock = self._clock or Clock(seconds, 0, 0)
        self._clock.tell(colour, seconds, stones)
        return ""

    # --- the end ---

    def _final_status_list(self, words: Words) -> str:
        status, at = text.word(words, 0), self._at
        if status not in ("alive", "seki", "dead"):
            raise Refused("invalid status")
        if status == "seki":  # not found
            return ""
        dead = at.dead()
        found = [chain for chain in chains(at.size, at.stones()) if (min(chain) in dead) == (status == "dead")]
        return "\n".join(" ".join(point_name(at.size, point) for point in sorted(chain)) for chain in found)

    # --- analysis ---

    def _analyse(self, words: Words) -> Iterator[str]:
        colour, seconds = self._analysed(words)
        moves = self._at.turn_to(colour)
        return self._opinions(moves, seconds)

    def _genmove_analyse(self, words: Words) -> Iterator[str]:
        colour, _ = self._analysed(words)
        move, info = self._genmove(["bw"[colour]])
        return iter([info, f"play {move}\n"])

    def _analysed(self, words: Words) -> tuple[int, float]:
        """The colour and the seconds between two lines; both may be missing."""
        colour = len(self._at.moves) % 2
        if words and words[0].lower() in COLOURS:
            colour, words = text.colour(words), words[1:]
        if words[:1] == ["interval"]:
            words = words[1:]
        seconds = INTERVAL
        if words and (words[0].isascii() and words[0].isdigit()):
            seconds = max(1, text.whole(words, 0)) / 100
        elif words:
            raise Refused(SYNTAX)
        return colour, seconds

    def _opinions(self, moves: tuple[int, ...], seconds: float) -> Iterator[str]:
        sitting, before = self._at.sitting, self._at.moves
        kept = {"reuse": True} if any(field.name == "reuse" for field in fields(self._search)) else {}
        search = replace(self._search, playouts=None, seconds=min(SLICE, seconds), **kept)
        playouts = again = 0
        spoken = time.monotonic()
        try:
            sitting.go_to(moves)
            while sitting.winner is None:
                if playouts < MOST_ANALYSED:
                    decision = sitting.think(search, again)
                    playouts, again = playouts + decision.playouts, again + 1
                else:
                    time.sleep(SLICE)
                ends = self._waits()
                if ends or time.monotonic() - spoken >= seconds:
                    spoken = time.monotonic()
                    yield self._info(decision)
                if ends:
                    return
        finally:
            sitting.go_to(before)

    def _info(self, decision: Decision) -> str:
        """A line of an analysis: for each move its playouts, the share of them won, and what may follow."""
        sitting, size = self._at.sitting, self._at.size
        tried = sorted((move for move in decision.visits if decision.visits[move]), key=lambda m: -decision.visits[m])
        tried.sort(key=lambda move: move != decision.move)
        infos = []
        for order, move in enumerate(tried):
            line = " ".join(point_name(size, point) for point in sitting.line(move))
            won = round(10_000 * (decision.values[move] or 0.0))
            name = point_name(size, move)
            infos.append(f"info move {name} visits {decision.visits[move]} winrate {won} order {order} pv {line}")
        return " ".join(infos) + "\n"


COMMANDS: dict[str, Callable[[GtpEngine, Words], Answer]] = {
    "protocol_version": lambda engine, words: "2",
    "name": lambda engine, words: "Rookery",
    "version": lambda engine, words: __version__,
    "known_command": lambda engine, words: "true" if " ".join(words) in COMMANDS else "false",
    "list_commands": lambda engine, words: "\n".join(COMMANDS),
    "quit": GtpEngine._quit,
    "boardsize": GtpEngine._boardsize,
    "clear_board": GtpEngine._clear_board,
    "komi": GtpEngine._komi,
    "play": GtpEngine._play,
    "genmove": lambda engine, words: engine._genmove(words)[0],
    "kgs-genmove_cleanup": lambda engine, words: engine._genmove(words, cleanup=True)[0],
    "undo": GtpEngine._undo,
    "time_settings": GtpEngine._time_settings,
    "time_left": GtpEngine._time_left,
    "final_score": lambda engine, words: engine._at.score(),
    "final_status_list": GtpEngine._final_status_list,
    "loadsgf": GtpEngine._loadsgf,
    "showboard": lambda engine, words: "\n" + engine._at.game.draw(engine._at.moves),
    "analyze": GtpEngine._analyse,
    "lz-analyze": GtpEngine._analyse,
    "genmove_analyze": GtpEngine._genmove_analyse,
    "lz-genmove_analyze": GtpEngine._genmove_analyse,
}
"""What the engine answers; a table of its own would keep an engine, and its tree, in memory after its last use."""
