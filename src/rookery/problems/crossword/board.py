"""Crossword construction on a compiled grid (Rosin 2011, section 3.1).

A word is placed across or down so that every two neighbouring letters belong to a word that is there, and all letters
are connected. The first word goes down from the top row, which loses nothing: a grid can be moved up. Every further
word crosses one that is there. Each run of letters is one word: that is stricter than the paper's sentence, which
taken literally lets two words of one row share letters (SALEMADISON), as no crossword does.

Rows and columns are *lines*, their cells the bits of a number. For each line, ``occupied`` has the cells with a letter,
and ``barred`` those that no new word along this line may use: empty ones beside a letter of a neighbouring line, and
those of words that lie along the line already. A word changes few lines, and only words that cross its new letters
become legal by it: the list of legal moves is filtered by what the word bars, and takes in those that cross it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.crossword.grid import Placement, grid_picture, letters_of, order_of, read_rows, rows_of
from rookery.problems.crossword.lists import CAPITALS, LISTS, checked_words, listed_words, unit_of

LARGEST = 60
"""The most cells in a line: they are bits of a 64-bit word, with room on both sides."""
MOST_DENSE = 1 << 23
"""Codes that index the weights; a longer list of words has hashed ones."""
ONE = np.uint64(1)


class Crossword(Problem):
    """Place as many words of a list as possible in a grid, crossing one another; then, as many letters.

    The score is 1000 times the number of words plus the number of their letters (with more than 999 letters in the
    list, the next power of ten), and is shown as ``words;letters``. Codes are word, place and direction.

    Parameters
    ----------
    words
        the words that may be placed, each once
    width, height
        columns and rows of the grid

    >>> problem = Crossword(("BOISE", "SALEM"), 5, 5)
    >>> problem.format_score(2010)
    '2;10'
    """

    words: tuple[str, ...] = CAPITALS
    width: int = 19
    height: int = 19

    def __post_init__(self) -> None:
        for name, value in (("width", self.width), ("height", self.height)):
            if not 1 <= value <= LARGEST:
                raise InputError(f"{name} must be 1 to {LARGEST}, got {value}")
        object.__setattr__(self, "words", checked_words(self.words, max(self.width, self.height)))

    @classmethod
    def build(cls, words: str = "crossc", width: int = 19, height: int | None = None) -> Crossword:
        """``words``: crossc, crossp, words separated by commas, or a file of one word per line; ``height``: by
        default the width.

        >>> Crossword.build(words="Boise,Salem", width=5)
        Crossword(words=('BOISE', 'SALEM'), width=5, height=5)
        """
        rows = width if height is None else height
        return cls(listed_words(words, max(width, rows)), width, rows)

    def parameters(self) -> dict[str, Any]:
        names = {words: name for name, words in LISTS.items()}
        spelt = ",".join(self.words) + ("," if len(self.words) == 1 else "")  # the comma tells it from a file
        return {"words": names.get(self.words, spelt), "width": self.width, "height": self.height}

    def limits(self) -> Limits:
        n = len(self.words)
        codes = 2 * n * self.width * self.height
        return Limits(moves=self._most(), length=n, codes=codes if codes <= MOST_DENSE else "hashed")

    def _most(self) -> int:
        """Room for the legal moves: as many as the first state has, one for every word and column.

        Later states had a third of that at most, with lists of 50 to 1,000 words.
        """
        return capacity(max(256, len(self.words) * self.width))

    def layout(self) -> Layout:
        most, lines = self._most(), capacity(self.width + self.height + 4)
        bits = "u4" if max(self.width, self.height) <= 30 else "u8"
        return {
            "words": "i4",
            "letters": "i4",
            "n": "i4",
            "legal": ("u4", most),  # word, direction and cell
            "mask": (bits, most),  # its cells within its line
            "line": ("u1", most),
            "occupied": ("u8", lines),
            "barred": ("u8", lines),
            "takes": ("u8", lines),  # cells that a move takes from others; zero between moves
            "letter": ("u1", capacity(self.width * self.height)),
            "used": ("u1", capacity(len(self.words))),
        }

    def constants(self) -> Mapping[str, Any]:
        spelt = [[ord(letter) - ord("A") for letter in word] for word in self.words]
        length = np.array([len(word) for word in self.words], np.int64)
        first = np.concatenate([[0], np.cumsum(length)[:-1]])
        # For each letter, the words that have it, and where.
        places = sorted((letter, w, k) for w, letters in enumerate(spelt) for k, letter in enumerate(letters))
        having = np.searchsorted([letter for letter, _, _ in places], np.arange(27))
        return {
            "width": self.width,
            "height": self.height,
            "length": length,
            "first": first.astype(np.int64),
            "spelt": np.concatenate(spelt).astype(np.uint8),
            "having": having.astype(np.int64),
            "having_word": np.array([w for _, w, _ in places], np.int32),
            "having_at": np.array([k for _, _, k in places], np.int32),
            "unit": unit_of(self.words),
        }

    def start(self, s):
        n = 0
        for word in range(len(self.length)):
            if self.length[word] <= self.height:
                for column in range(self.width):
                    s.legal[n] = (2 * word + 1) * self.width * self.height + column
                    n += 1
        s.n = n

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.legal[i]
        return s.n

    def count(self, s):
        return s.n

    def nth(self, s, i):
        return s.legal[np.uint64(i)]

    def code(self, s, move):
        return move

    def play(self, s, move):
        cells = self.width * self.height
        word = move // (2 * cells)
        down = (move // cells) & 1
        row = (move % cells) // self.width
        column = move % self.width
        length = self.length[word]
        # Rows are the lines 1 to height, columns those after two more: there is a line beside every line.
        if down:
            along, start, across, at, side = self.height + 3 + column, row, 1, column, self.width
        else:
            along, start, across, at, side = 1 + row, column, self.height + 3, row, 1
        cell = row * self.width + column
        bit = ONE << np.uint64(at + 1)
        span = ((ONE << np.uint64(length)) - ONE) << np.uint64(start + 1)
        around = span | (span << ONE) | (span >> ONE)
        new = span & ~s.occupied[along]
        s.takes[along] = around
        s.takes[along - 1] = new
        s.takes[along + 1] = new
        s.barred[along] |= around
        s.barred[along - 1] |= new
        s.barred[along + 1] |= new
        s.occupied[along] |= span
        for k in range(length):
            if (new >> np.uint64(start + 1 + k)) & ONE:
                line = across + start + k
                s.takes[line] = bit | (bit << ONE) | (bit >> ONE)
                s.occupied[line] |= bit
                s.barred[line] &= ~bit
                s.letter[cell + k * side] = self.spelt[self.first[word] + k]
        for line in (across + start - 1, across + start + length):
            s.takes[line] = bit
            s.barred[line] |= bit
        n = self._kept(s, word * 2 * cells, 2 * cells) if s.words > 0 else 0
        s.takes[along - 1] = 0
        s.takes[along] = 0
        s.takes[along + 1] = 0
        for line in range(across + start - 1, across + start + length + 1):
            s.takes[line] = 0
        s.used[word] = 1
        s.words += 1
        s.letters += length
        for k in range(length):
            if (new >> np.uint64(start + 1 + k)) & ONE:
                n = self._crossing(s, self.spelt[self.first[word] + k], across + start + k, at, down, n)
        s.n = n

    def _kept(self, s, low, codes):
        """Keep the legal moves of other words that lose no cell; returns how many."""
        n = 0
        for i in range(s.n):
            j = np.uint64(i)
            legal, mask, line = s.legal[j], s.mask[j], s.line[j]
            s.legal[np.uint64(n)] = legal
            s.mask[np.uint64(n)] = mask
            s.line[np.uint64(n)] = line
            taken = np.uint64(mask) & s.takes[np.uint64(line)]
            other = np.uint64(np.int64(legal) - low) >= np.uint64(codes)
            n += np.int64((taken == np.uint64(0)) & other)
        return n

    def _crossing(self, s, letter, line, at, down, n):
        """Add the legal moves along a line that have this letter at a place which has just got it."""
        occupied, barred = s.occupied[np.uint64(line)], s.barred[np.uint64(line)]
        cells = self.width * self.height
        if down:  # what crosses it runs across
            room, side, begin, turned = self.width, 1, (line - 1) * self.width, 0
        else:
            room, side, begin, turned = self.height, self.width, line - self.height - 3, 1
        for i in range(self.having[letter], self.having[letter + 1]):
            word = np.int64(self.having_word[np.uint64(i)])
            start = at - np.int64(self.having_at[np.uint64(i)])
            length = self.length[np.uint64(word)]
            if start < 0 or start + length > room or s.used[np.uint64(word)]:
                continue
            mask = ((ONE << np.uint64(length)) - ONE) << np.uint64(start + 1)
            ends = (mask << ONE | mask >> ONE) & ~mask
            if (mask & barred) | (ends & occupied):
                continue
            if not self._agrees(s, word, begin + start * side, side, (mask & occupied) >> np.uint64(start + 1)):
                continue
            if n < len(s.legal):  # one too many is reported by moves, before it does harm
                s.legal[np.uint64(n)] = (2 * word + turned) * cells + begin + start * side
                s.mask[np.uint64(n)] = mask
                s.line[np.uint64(n)] = line
            n += 1
        return n

    def _agrees(self, s, word, cell, side, crossed):
        """Whether a word has the letters that are there already, at the bits of ``crossed``."""
        k = self.first[np.uint64(word)]
        while crossed != np.uint64(0):
            if crossed & ONE and s.letter[np.uint64(cell)] != self.spelt[np.uint64(k)]:
                return False
            crossed >>= ONE
            cell += side
            k += 1
        return True

    def score(self, s):
        return self.unit * s.words + s.letters

    def commute(self, a, b):
        return True

    # --- grids ---

    def placement(self, move: int) -> Placement:
        """The word that a move places, and where.

        >>> Crossword(("BOISE", "SALEM"), 5, 5).placement(76)
        Placement(word='SALEM', down=True, row=0, column=1)
        """
        cells = self.width * self.height
        if not 0 <= move < 2 * len(self.words) * cells:
            raise InputError(f"a move must be 0 to {2 * len(self.words) * cells - 1}, got {move}")
        place, cell = divmod(int(move), cells)
        return Placement(self.words[place // 2], place % 2 == 1, *divmod(cell, self.width))

    def read(self, text: str) -> tuple[int, ...]:
        """The moves that make a grid, which is written with letters and ``.`` or blanks; rows that are empty above
        it are left out, as the first word begins in the top row.

        >>> problem = Crossword(("BOISE", "SALEM"), 5, 5)
        >>> problem.describe_move(problem.read("S....\\nA\\nL\\nE\\nM")[0])
        'SALEM down from row 1, column 1'
        """
        number = {word: i for i, word in enumerate(self.words)}
        order = order_of(read_rows(text, self.width, self.height), number)
        cells = self.width * self.height
        return tuple((2 * number[p.word] + p.down) * cells + p.row * self.width + p.column for p in order)

    def write(self, moves: Sequence[int]) -> str:
        """The grid as :meth:`read` takes it."""
        return "\n".join(rows_of(self._letters(moves), self.width, self.height)) + "\n"

    def draw(self, moves: Sequence[int]) -> str:
        """The grid in letters."""
        return "\n".join(" ".join(row) for row in rows_of(self._letters(moves), self.width, self.height))

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The grid in squares, with a number where a word begins."""
        return grid_picture([self.placement(move) for move in moves], self.width, self.height)

    def _letters(self, moves: Sequence[int]) -> dict[tuple[int, int], str]:
        return letters_of(self.placement(move) for move in moves)

    def describe_move(self, move: int) -> str:
        return str(self.placement(move))

    def format_score(self, score: float) -> str:
        words, letters = divmod(round(score), unit_of(self.words))
        return f"{words};{letters}"
