"""Lists of words: the two contests of Rosin 2011, section 3.1, and a user's own files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rookery.disk import as_text, file_bytes
from rookery.errors import InputError

_CAPITALS = """
    MONTGOMERY JUNEAU PHOENIX LITTLEROCK SACRAMENTO DENVER HARTFORD DOVER TALLAHASSEE ATLANTA HONOLULU BOISE
    SPRINGFIELD INDIANAPOLIS DESMOINES TOPEKA FRANKFORT BATONROUGE AUGUSTA ANNAPOLIS BOSTON LANSING STPAUL JACKSON
    JEFFERSONCITY HELENA LINCOLN CARSONCITY CONCORD TRENTON SANTAFE ALBANY RALEIGH BISMARCK COLUMBUS OKLAHOMACITY
    SALEM HARRISBURG PROVIDENCE COLUMBIA PIERRE NASHVILLE AUSTIN SALTLAKECITY MONTPELIER RICHMOND OLYMPIA CHARLESTON
    MADISON CHEYENNE
    EDMONTON VICTORIA WINNIPEG FREDERICTON STJOHNS HALIFAX TORONTO CHARLOTTETOWN QUEBECCITY REGINA
    WHITEHORSE YELLOWKNIFE IQALUIT
"""
CAPITALS: tuple[str, ...] = tuple(_CAPITALS.split())
"""CrossC: the capitals of 50 states, 10 provinces and 3 territories, 63 words (GAMES Magazine, August 2006)."""

_PARKS = """
    ACADIA AMERICANSAMOA ARCHES BADLANDS BIGBEND BISCAYNE BRYCECANYON CANYONLANDS CAPITOLREEF CARLSBADCAVERNS
    CHANNELISLANDS CRATERLAKE DENALI DRYTORTUGAS EVERGLADES GATESOFTHEARCTIC GLACIER GLACIERBAY GRANDCANYON GRANDTETON
    GREATBASIN GREATSMOKYMOUNTAINS GUADALUPEMOUNTAINS HALEAKALA HAWAIIVOLCANOES HOTSPRINGS ISLEROYALE KATMAI KENAIFJORDS
    KINGSCANYON KOBUKVALLEY LAKECLARK LASSENVOLCANIC MAMMOTHCAVE MESAVERDE MOUNTRAINIER NORTHCASCADES OLYMPIC
    PETRIFIEDFOREST REDWOOD ROCKYMOUNTAIN SEQUOIA SHENANDOAH THEODOREROOSEVELT VIRGINISLANDS VOYAGEURS WINDCAVE
    WRANGELLSTELIAS YELLOWSTONE YOSEMITE ZION
"""
PARKS: tuple[str, ...] = tuple(_PARKS.split())
"""CrossP, reconstructed: the 51 national parks of the United States that existed at the beginning of 1994.

The contest's list (GAMES Magazine, June 1994) has 52 words and is not printed in the paper, so scores on this one are
close to the paper's, but not of the same problem.
"""

LISTS = {"crossc": CAPITALS, "crossp": PARKS}
"""The built-in lists by the names that the paper gives them."""

MOST_WORDS = 1 << 16


def read_words(text: str, longest: int | None = None) -> tuple[str, ...]:
    """The words of a text, one per line; in lower case or capitals; empty lines are left out.

    ``longest``: the most letters that a word may have.

    >>> read_words("boise\\nSALEM")
    ('BOISE', 'SALEM')
    >>> read_words("BOISE\\nST. PAUL")
    Traceback (most recent call last):
    rookery.errors.InputError: line 2: a word must consist of the letters A to Z, got 'ST. PAUL'
    """
    return _read(text, longest, quoted=True)


def listed_words(given: str, longest: int | None = None) -> tuple[str, ...]:
    """A built-in list by its name, words separated by commas, or the words in a file of this name.

    >>> len(listed_words("crossc")), listed_words("Boise,Salem")
    (63, ('BOISE', 'SALEM'))
    """
    if given.lower() in LISTS:
        return checked_words(LISTS[given.lower()], longest)
    if "," in given:
        return checked_words([word.strip() for word in given.split(",") if word.strip()], longest)
    try:
        text = as_text(file_bytes(given))
    except InputError as error:
        names = " or ".join(LISTS)
        raise InputError(f"words must be {names}, words between commas, or a file: {error}") from None
    try:
        return _read(text, longest, quoted=False)  # it may be any file
    except InputError as error:
        raise InputError(f"{given}, {error}") from None


def _read(text: str, longest: int | None, quoted: bool) -> tuple[str, ...]:
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return _checked([(f"line {number}", word) for number, word in lines if word], longest, quoted)


def checked_words(words: Iterable[str], longest: int | None = None) -> tuple[str, ...]:
    """Words in capitals, each once; what is wrong with one is an InputError.

    >>> checked_words(["Boise", "SALEM", "boise"])
    Traceback (most recent call last):
    rookery.errors.InputError: word 3: each word must be there once, got 'BOISE', which is word 1 too
    """
    return _checked([(f"word {number}", word) for number, word in enumerate(words, 1)], longest)


def unit_of(words: Sequence[str]) -> int:
    """What one word counts in a score: more than all letters of the list.

    >>> unit_of(("BOISE", "SALEM"))
    1000
    """
    return max(1000, 10 ** len(str(sum(map(len, words)))))


def _checked(words: list[tuple[str, str]], longest: int | None, quoted: bool = True) -> tuple[str, ...]:
    """Words with their places in capitals; ``quoted``: an error shows the word that is wrong."""
    found: dict[str, str] = {}
    for place, given in words:
        word = given.upper()
        if not (word.isascii() and word.isalpha()):
            raise InputError(
                f"{place}: a word must consist of the letters A to Z" + (f", got {given[:40]!r}" if quoted else "")
            )
        if len(word) < 2:
            raise InputError(f"{place}: a word must have at least 2 letters" + (f", got {given!r}" if quoted else ""))
        if longest is not None and len(word) > longest:
            raise InputError(f"{place}: a word must fit into the grid, {longest} cells, got {word!r} of {len(word)}")
        if word in found:
            raise InputError(f"{place}: each word must be there once, got {word!r}, which is {found[word]} too")
        found[word] = place
    if not found:
        raise InputError("there must be at least 1 word, got none")
    if len(found) > MOST_WORDS:
        raise InputError(f"there must be at most {MOST_WORDS} words, got {len(found)}")
    return tuple(found)
