"""Random streams that are drawn by the hundred in compiled code: the words of :class:`rookery.rng.Stream`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
import numpy.typing as npt

from rookery.kernels.objects import words
from rookery.rng import Stream
from rookery.settings import INTERPRETED

FEWEST, MOST = 16, 512
"""How many words are drawn at a time: few at first, since many streams are short."""
_TWO_TO_MINUS_53 = 2.0**-53
_ELEVEN = np.uint64(11)

Words = npt.NDArray[np.uint64]


def _chunks(key: int) -> Iterator[Words]:
    """The words of the stream of a key, in arrays."""
    if INTERPRETED:
        stream = Stream(key)
        while True:
            yield np.array([stream.next_word()], np.uint64)
    first, rng, size = np.uint64(key), np.empty(4, np.uint64), FEWEST
    yield words(first, True, rng, size)
    while True:
        size = min(2 * size, MOST)
        yield words(first, False, rng, size)


def uniforms(key: int) -> Callable[[], float]:
    """A function whose calls return what those of ``Stream(key).uniform`` do.

    >>> from rookery.rng import Stream
    >>> draw, stream = uniforms(7), Stream(7)
    >>> [draw() for _ in range(99)] == [stream.uniform() for _ in range(99)]
    True
    """
    lists = (((chunk >> _ELEVEN) * _TWO_TO_MINUS_53).tolist() for chunk in _chunks(key))
    return chain.from_iterable(lists).__next__


class Draws:
    """A stream that can be rewound: what playouts by a rule draw from, and the ``rng`` of a user's ``choose``.

    >>> from rookery.rng import Stream
    >>> draws, stream = Draws(7), Stream(7)
    >>> [draws.below(1 + n) for n in range(99)] == [stream.below(1 + n) for n in range(99)]
    True
    """

    __slots__ = ("_at", "_dropped", "_more", "_words")

    def __init__(self, key: int) -> None:
        self._more = _chunks(key)
        self._words: list[int] = []
        self._at = 0
        self._dropped = 0  # words that are no longer kept

    def next_word(self) -> int:
        """One 64-bit draw."""
        at = self._at
        if at == len(self._words):
            at = self._refill()
        self._at = at + 1
        return self._words[at]

    def below(self, n: int) -> int:
        """A whole number in 0..n-1."""
        at = self._at
        if at == len(self._words):
            at = self._refill()
        self._at = at + 1
        return ((self._words[at] >> 32) * n) >> 32

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return (self.next_word() >> 11) * _TWO_TO_MINUS_53

    def mark(self) -> int:
        """Where the stream is, for :meth:`rewind`."""
        return self._dropped + self._at

    def rewind(self, mark: int) -> None:
        """Continue from a mark, or from the first word after it that is still kept."""
        self._at = max(0, mark - self._dropped)

    def _refill(self) -> int:
        """Draw more words; the last few hundred are kept."""
        words = self._words
        dropped = max(0, len(words) - MOST)
        self._words = words[dropped:] + next(self._more).tolist()
        self._dropped += dropped
        return len(words) - dropped
