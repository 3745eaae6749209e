"""What a file of a picture carries: as metadata of an SVG, a text chunk of a PNG, a comment of a GIF.

No file is given to a parser that could be tricked: an SVG is searched as text, so that only entities for single
characters are expanded; a PNG is walked chunk by chunk and a GIF block by block.
"""

from __future__ import annotations

import html
import re
import struct
import zlib
from typing import Any, NamedTuple

from rookery.disk import as_json, as_text
from rookery.errors import InputError

KEY = "rookery-game"
"""The id of the metadata element, the keyword of the text chunk, the first word of the comment."""
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
GIF_SIGNATURES = (b"GIF87a", b"GIF89a")

# No part of it can match across a tag: the search takes time in proportion to the text, whatever the text is.
OPENING = re.compile(rf"""<metadata\b[^<>]{{0,500}}?\bid\s*=\s*["']{KEY}["'][^<>]{{0,500}}>""")


class Held(NamedTuple):
    """The kind of a picture, and what it carries."""

    kind: str
    data: Any


def held(content: bytes) -> Held | None:
    """What the picture in a file carries; None if the file is not a picture.

    >>> held(b'<svg><metadata id="rookery-game">{&quot;score&quot;: 1}</metadata></svg>')
    Held(kind='SVG', data={'score': 1})
    >>> held(b"(28,28)") is None
    True
    """
    if content.startswith(PNG_SIGNATURE):
        return Held("PNG", as_json(in_png(content)))
    if content.startswith(GIF_SIGNATURES):
        return Held("GIF", as_json(in_gif(content)))
    try:
        text = as_text(content)
    except InputError:
        return None
    return Held("SVG", as_json(in_svg(text))) if text.lstrip().startswith("<") else None


def in_svg(text: str) -> str:
    """What an SVG carries, as JSON text.

    >>> in_svg("<svg></svg>")
    Traceback (most recent call last):
    rookery.errors.InputError: a picture must hold its game in <metadata id="rookery-game">, and this one has none
    """
    opening = OPENING.search(text)
    if opening is None:
        raise InputError(f'a picture must hold its game in <metadata id="{KEY}">, and this one has none')
    end = text.find("</metadata>", opening.end())
    if end < 0:
        raise InputError(f'its <metadata id="{KEY}"> has no end')
    return html.unescape(text[opening.end() : end]).strip()


def in_png(content: bytes) -> str:
    """What a PNG carries, as JSON text.

    >>> in_png(PNG_SIGNATURE)
    Traceback (most recent call last):
    rookery.errors.InputError: a picture must hold its game in a text chunk 'rookery-game', and this one has none
    """
    at = len(PNG_SIGNATURE)
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
            return rest.decode("latin-1") if kind == b"tEXt" else _international(rest)
        at = end + 4
    raise InputError(f"a picture must hold its game in a text chunk {KEY!r}, and this one has none")


def _international(rest: bytes) -> str:
    """The text of an iTXt chunk: compression, its method, language, the translated keyword come before."""
    if rest[:1] != b"\0":
        raise InputError(f"the text chunk {KEY!r} must not be compressed")
    parts = rest[2:].split(b"\0", 2)
    if len(parts) < 3:
        raise InputError(f"the text chunk {KEY!r} is cut short")
    return as_text(parts[2])


def in_gif(content: bytes) -> str:
    """What a GIF carries, as JSON text.

    >>> in_gif(b"GIF89a" + bytes(7) + b"\\x3b")
    Traceback (most recent call last):
    rookery.errors.InputError: a picture must hold its game in a comment 'rookery-game', and this one has none
    """
    try:
        at = 13 + _table(content[10])
        while content[at] != 0x3B:  # the end
            label = content[at + 1] if content[at] == 0x21 else None  # an extension; anything else is an image
            at += 2 if label is not None else 11 + _table(content[at + 9])
            data = bytearray()
            while size := content[at]:
                data += content[at + 1 : at + 1 + size]
                at += 1 + size
            at += 1
            if label == 0xFE and data.startswith(f"{KEY} ".encode()):
                return as_text(bytes(data[len(KEY) + 1 :]))
    except IndexError:
        raise InputError(f"the GIF is cut short at byte {len(content)}") from None
    raise InputError(f"a picture must hold its game in a comment {KEY!r}, and this one has none")


def _table(flags: int) -> int:
    """The bytes of a table of colours."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
