"""Games that pictures carry: as metadata of an SVG, as a text chunk of a PNG.

Neither file is given to a parser that could be led astray: an SVG is searched as text, so that no entity is ever
expanded but those of a letter, and a PNG is walked chunk by chunk.
"""

from __future__ import annotations

import html
import re
import struct
import zlib

from rookery.contents import as_text
from rookery.errors import InputError

KEY = "rookery-game"
"""The id of the metadata element, and the keyword of the text chunk."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"

# No part of it can match across a tag: the search takes time in proportion to the text, whatever the text is.
OPENING = re.compile(rf"""<metadata\b[^<>]{{0,500}}?\bid\s*=\s*["']{KEY}["'][^<>]{{0,500}}>""")


def in_svg(text: str) -> str:
    """The game of an SVG, as JSON text.

    >>> in_svg('<svg><metadata id="rookery-game">{&quot;score&quot;: 1}</metadata></svg>')
    '{"score": 1}'
    """
    opening = OPENING.search(text)
    if opening is None:
        raise InputError(f'a picture must hold its game in <metadata id="{KEY}">, and this one has none')
    end = text.find("</metadata>", opening.end())
    if end < 0:
        raise InputError(f'its <metadata id="{KEY}"> has no end')
    return html.unescape(text[opening.end() : end]).strip()


def in_png(content: bytes) -> str:
    """The game of a PNG, as JSON text.

    >>> in_png(SIGNATURE)
    Traceback (most recent call last):
    rookery.errors.InputError: a picture must hold its game in a text chunk 'rookery-game', and this one has none
    """
    at = len(SIGNATURE)
    while at < len(content):
        if at + 12 > len(content):
            raise InputError(f"the PNG is cut short at byte {len(content)}")
        size, kind = struct.unpack_from(">I4s", content, at)
        end = at + 8 + size
        if end + 4 > len(content):
            raise InputError(f"the PNG is cut short at byte {len(content)}")
        keyword, found, rest = content[at + 8 : end].partition(b"\0") if kind in (b"tEXt", b"iTXt") else (b"", b"", b"")
        if found and keyword == KEY.encode():
            if zlib.crc32(content[at + 4 : end]) != struct.unpack_from(">I", content, end)[0]:
                raise InputError(f"the text chunk at byte {at} of the PNG is damaged: its checksum is wrong")
            return _latin(rest) if kind == b"tEXt" else _international(rest)
        at = end + 4
    raise InputError(f"a picture must hold its game in a text chunk {KEY!r}, and this one has none")


def _latin(text: bytes) -> str:
    return text.decode("latin-1")


def _international(rest: bytes) -> str:
    """The text of an iTXt chunk: compression, its method, language, the translated keyword come before."""
    if rest[:1] != b"\0":
        raise InputError(f"the text chunk {KEY!r} must not be compressed")
    parts = rest[2:].split(b"\0", 2)
    if len(parts) < 3:
        raise InputError(f"the text chunk {KEY!r} is cut short")
    return as_text(parts[2])
