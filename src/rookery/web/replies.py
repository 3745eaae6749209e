"""How requests are read and answers written; and the files of the page."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

import rookery as rk

PAGES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""The files of the page, by the ends of their names."""
KNOWN = ("of", "moves", "search", "playouts", "seconds", "seed", "person", "format")
"""What a request may bring."""


async def question_of(request: Request) -> dict[str, Any]:
    """What a request asks a desk, as far as it is of the right kind."""
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        raise rk.InputError("a request must bring JSON of at most 64 kB") from None
    if not isinstance(data, dict) or "do" in data:
        raise rk.InputError("a request must bring a JSON object")
    return {name: data[name] for name in KNOWN if name in data}


def asked(request: Request, name: str) -> str:
    """What the address says about something that it must name."""
    value = request.query_params.get(name)
    if not value:
        raise rk.InputError(f"the address must name a {name}")
    return value


def as_json(answer: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """An answer as JSON."""

    async def answered(request: Request) -> Response:
        return Response(json.dumps(await answer(request), default=str), media_type="application/json")

    return safe(answered)


def safe(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Whatever goes wrong with a file or a question is one sentence."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except (rk.RookeryError, OSError, RecursionError, ValueError) as error:
            return refused(error)

    return answered


def refused(error: Exception) -> Response:
    """The answer to what cannot be answered."""
    known = isinstance(error, rk.RookeryError)
    return JSONResponse({"error": str(error)[:500] if known else "the file cannot be read"}, 400)


def page_names() -> list[str]:
    """The files of the page.

    >>> "index.html" in page_names()
    True
    """
    return sorted(file.name for file in _pages().iterdir() if Path(file.name).suffix in PAGES)


def page(name: str) -> bytes:
    """The content of a file of the page.

    >>> page("index.html")[:15]
    b'<!doctype html>'
    """
    content: bytes = _pages().joinpath(name).read_bytes()
    return content


def _pages() -> Any:
    return resources.files("rookery.web").joinpath("pages")
