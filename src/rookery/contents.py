"""What is in a file that somebody gave: its bytes, as text, as JSON; whatever is wrong with it is one sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from rookery.errors import InputError

LARGEST = 1 << 26
"""The most bytes that are read: a file that never ends, such as a device, is refused."""


def file_bytes(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file, which is read once: it may be a pipe.

    >>> file_bytes("no such file")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read no such file: No such file or directory
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > LARGEST:
        raise InputError(f"cannot read {path}: a file must have at most {LARGEST >> 20} MB")
    return content


def as_text(content: bytes) -> str:
    """Text in any Unicode encoding, with or without a mark in front, without that mark.

    >>> as_text("(28,28)".encode("utf-16"))
    '(28,28)'
    """
    try:
        return content.decode(json.detect_encoding(content)).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    except UnicodeDecodeError:
        raise InputError("not text") from None


def as_json(text: str) -> Any:
    """What a JSON text says.

    >>> as_json('{"score": }')
    Traceback (most recent call last):
    rookery.errors.InputError: not JSON, line 1: Expecting value
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise InputError("not JSON, nested too deeply or with a number too long") from None


def brief(value: Any) -> str:
    """A value as JSON writes it, cut if it is long.

    >>> brief([1, None]), brief("a" * 50)
    ('[1, null]', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...')
    """
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else text[:37] + "..."
