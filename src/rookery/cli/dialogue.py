"""What a person at the board may say, and what is answered: whatever is typed, no move that is not legal."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import rookery as rk
from rookery.cli import options as o

MOST_SHOWN = 5
"""The most moves of an opinion."""
HELP = """\
a move     as it is written; 'moves' lists those that are legal, 'move TEXT' plays one that is named like a command
hint       what the search thinks of the position: playouts, share of them won, what it expects to follow
opinion    what it thought before its last move
undo       take back your last move and the answer to it
board      show the position
moves      list the legal moves
save FILE  write the game: .sgf (the Go family), .jsonl (a record, once the game is over)
resign     give up
quit       end"""


class Dialogue:
    """A person against a search.

    Parameters
    ----------
    sitting
        the game, before its first move
    person
        which player the person is: 0 or 1
    """

    def __init__(self, sitting: rk.tools.Sitting, person: int) -> None:
        self._sitting, self._person = sitting, person
        self._resigned = False
        self._opinions: dict[int, str] = {}  # moves played before -> what the search thought
        self._playouts: dict[int, int] = {}
        self.ended = False
        """Whether the person has had enough."""

    # --- what is said ---

    def begin(self) -> str:
        """The position, after the search's first move if it begins."""
        side, other = self._name(self._person), self._name(1 - self._person)
        search = self._sitting.search
        head = f"You are {side}, {search.name} is {other}. 'help' lists what you can type."
        return "\n".join([head, *self._answer(), self._board()])

    def reply(self, line: str) -> str:
        """The answer to what was typed; empty for nothing."""
        word, _, rest = line.strip().partition(" ")
        known = {
            "help": lambda: HELP,
            "?": lambda: HELP,
            "board": self._board,
            "moves": self._moves,
            "hint": self._hint,
            "opinion": self._opinion,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
            "exit": self._quit,
        }
        try:
            if not word:
                return ""
            if word.lower() == "move":
                return self._play(rest)
            if word.lower() == "save":
                return self._save(rest.strip())
            if word.lower() in known and not rest.strip():
                return known[word.lower()]()
            return self._play(line)
        except rk.InputError as error:
            return o.printable(str(error))

    # --- moves ---

    def _play(self, text: str) -> str:
        if self._over:
            raise rk.InputError(f"the game is over: {self._result()}; 'undo' takes a move back")
        move = self._read(text)
        self._sitting.play(move)
        return "\n".join([*self._answer(), self._board()])

    def _read(self, text: str) -> Any:
        """The legal move that a text means."""
        wanted = " ".join(text.split()).casefold()
        for written in (self._words, str):
            for move in self._sitting.legal:
                if " ".join(written(move).split()).casefold() == wanted:
                    return move
        try:
            meant = self._sitting.game.read_move(text.strip())
        except Exception:  # a game may read as it likes: what it cannot read is not a move
            advice = "'moves' lists the legal moves, 'help' all else"
            raise rk.InputError(f"{o.shown(text.strip())} is neither a move nor a command: {advice}") from None
        if isinstance(meant, Hashable) and meant in set(self._sitting.legal):
            return next(move for move in self._sitting.legal if move == meant)
        raise rk.InputError(f"{o.shown(text.strip())} is not legal here: 'moves' lists the moves that are")

    def _answer(self) -> list[str]:
        """The moves of the search, as many as it is its turn, in words."""
        sitting, said = self._sitting, []
        while sitting.winner is None and sitting.player != self._person:
            at = len(sitting.moves)
            decision = sitting.think()
            self._opinions[at] = self._told(decision)
            self._playouts[at] = decision.playouts
            said.append(
                f"{sitting.search.name} plays {self._words(decision.move)}: {self._worth(decision, decision.move)}"
            )
            sitting.play(decision.move)
        return said

    # --- what the search thinks ---

    def _hint(self) -> str:
        if self._over:
            raise rk.InputError(f"the game is over: {self._result()}")
        return self._told(self._sitting.think())

    def _opinion(self) -> str:
        before = [at for at in self._opinions if at < len(self._sitting.moves)]
        if not before:
            raise rk.InputError("the search has not moved yet: 'hint' asks it about your move")
        return self._opinions[max(before)]

    def _told(self, decision: rk.Decision) -> str:
        """An opinion in words, the move that would be played first."""
        moves = sorted(decision.visits, key=lambda move: (move != decision.move, -decision.visits[move]))
        rows = [f"{self._words(move)}: {self._worth(decision, move)}" for move in moves[:MOST_SHOWN]]
        proven = [f"a proven {decision.proven} for {self._name(self._sitting.player)}"] if decision.proven else []
        return "\n".join([*proven, *rows])

    def _worth(self, decision: rk.Decision, move: Any) -> str:
        won = decision.values[move]
        share = "not tried" if won is None else f"won {100 * won:.1f}%"
        follows = " ".join(self._in_words(self._sitting.line(move)))
        return f"{share} of {o.counted(decision.visits[move], 'playout')}, expects {follows}"

    # --- the rest ---

    @property
    def _over(self) -> bool:
        return self._resigned or self._sitting.winner is not None

    def _board(self) -> str:
        sitting = self._sitting
        try:
            drawn = sitting.game.draw(sitting.moves)
        except Exception as error:  # a bug in a display method must not end a game
            drawn = f"(it cannot be drawn: {rk.tools.describe_exception(error)})"
        if drawn is None:
            drawn = "moves so far: " + (", ".join(self._in_words(sitting.moves, after=())) or "none")
        turn = self._result() if self._over else f"{self._name(sitting.player)} to move"
        return "\n".join([*(o.printable(line) for line in str(drawn).splitlines()), turn])

    def _moves(self) -> str:
        if self._over:
            raise rk.InputError(f"the game is over: {self._result()}")
        return o.listed(map(self._words, self._sitting.legal), 100)

    def _undo(self) -> str:
        sitting, before = self._sitting, self._sitting.moves
        if self._resigned:
            self._resigned = False
            return self._board()
        for count in range(len(before) - 1, -1, -1):
            sitting.go_to(before[:count])
            if sitting.player == self._person:
                return self._board()
        sitting.go_to(before)
        raise rk.InputError("there is no move of yours to take back")

    def _resign(self) -> str:
        if self._over:
            raise rk.InputError(f"the game is over: {self._result()}")
        self._resigned = True
        return self._result()

    def _save(self, path: str) -> str:
        if not path:
            raise rk.InputError("give a file, as in save game.sgf")
        sides = [{"algorithm": "a person"}, self._sitting.search.parameters()]
        rk.files.write_game(
            path,
            self._sitting.game,
            self._sitting.moves,
            players=sides if self._person == 0 else sides[::-1],
            winner=1 - self._person if self._resigned else self._sitting.winner,
            resigned=self._resigned,
            playouts=sum(n for at, n in self._playouts.items() if at < len(self._sitting.moves)),
        )
        return f"saved as {o.printable(path)}"

    def _quit(self) -> str:
        self.ended = True
        return ""

    def _result(self) -> str:
        winner = 1 - self._person if self._resigned else self._sitting.winner
        how = " by resignation" if self._resigned else ""
        return "a draw" if winner in (-1, None) else f"{self._name(int(winner))} has won{how}"

    def _name(self, player: int) -> str:
        return o.printable(str(self._sitting.game.players[player]))

    def _words(self, move: Any) -> str:
        return self._in_words((move,))[0]

    def _in_words(self, moves: tuple[Any, ...], after: tuple[Any, ...] | None = None) -> list[str]:
        """Moves that come after others, by default those that were played; what they are called may depend on these."""
        after = self._sitting.moves if after is None else after
        try:
            words = list(self._sitting.game.describe_moves((*after, *moves)))[len(after) :]
        except Exception:  # a bug in a display method must not end a game
            words = []
        return [o.printable(str(word)) for word in (words if len(words) == len(moves) else moves)]
