"""Files: read within limits, written whole or not at all; whatever is wrong with one is reported in one sentence."""

from rookery.disk.locks import SoleWriter
from rookery.disk.reading import (
    LARGEST,
    as_json,
    as_text,
    brief,
    check_fields,
    check_size,
    file_bytes,
    file_lines,
    frozen,
    is_a,
    plain,
    read_json,
)
from rookery.disk.writing import check_writable, write_bytes, write_text

__all__ = [
    "LARGEST",
    "SoleWriter",
    "as_json",
    "as_text",
    "brief",
    "check_fields",
    "check_size",
    "check_writable",
    "file_bytes",
    "file_lines",
    "frozen",
    "is_a",
    "plain",
    "read_json",
    "write_bytes",
    "write_text",
]
