"""What the page asks for, and the answers: lists, stories, streams of news, pictures, comparisons, games."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import queue
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import rookery as rk
from rookery.web.comparing import compared
from rookery.web.desk import Desk
from rookery.web.folder import Folder
from rookery.web.guard import App, Guard
from rookery.web.replies import PAGES, as_json, asked, page, page_names, question_of, refused, safe
from rookery.web.simulations import simulation_of
from rookery.web.stories import Readers, news_of, result_of, story_of

POLL, LIST_POLL = 0.1, 0.5
"""Seconds between two looks at a journal, and at the folder."""
QUIET = 15.0
"""Seconds without news after which a stream says that it is still there."""
MOST_STREAMS = 64
"""The most streams at the same time."""
IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""What a picture may do if it is opened by itself: be looked at."""
DOWNLOADS = ("checkpoint", "result", "record", "sgf")


class Site:
    """The page of a folder.

    Parameters
    ----------
    own
        problems and games of the user's whose code may be run, as ``path/to/file.py:Class``
    run
        the file that the page begins with
    """

    def __init__(self, folder: Folder, own: Sequence[str] = (), run: str | None = None) -> None:
        self.folder, self._run = folder, run
        self.readers = Readers()
        self.painter, self.player = Desk(folder.path, own), Desk(folder.path, own)
        self._streams = 0
        self._ending = False

    def guarded(self, token: str, names: frozenset[str], is_open: bool = False) -> Guard:
        """The application behind its guard."""
        return Guard(self.app(), token, names, is_open)

    def app(self) -> App:
        """The application."""
        routes = [
            Route("/", self._page("index.html")),
            *(Route(f"/{name}", self._page(name)) for name in page_names() if name != "index.html"),
            Route("/api/begin", as_json(self._begin)),
            Route("/api/runs", as_json(self._rows)),
            Route("/api/runs/events", self._rows_events),
            Route("/api/run", as_json(self._story_if_any)),
            Route("/api/run/events", self._story_events),
            Route("/api/words", as_json(self._words)),
            Route("/api/picture", safe(self._picture)),
            Route("/api/download", safe(self._download)),
            Route("/api/compare", as_json(self._compare)),
            Route("/api/simulation", as_json(self._simulation)),
            Route("/api/choices", as_json(self._choices)),
            Route("/api/position", as_json(self._position), methods=["POST"]),
            Route("/api/board", safe(self._board)),
            Route("/api/think", self._think, methods=["POST"]),
            Route("/api/hint", as_json(self._hint), methods=["POST"]),
            Route("/api/keep", as_json(self._keep), methods=["POST"]),
        ]

        return Starlette(routes=routes)

    def close(self) -> None:
        """End streams and processes."""
        self._ending = True
        self.painter.close()
        self.player.close()

    # --- pages ---

    def _page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        content, kind = page(name), PAGES[Path(name).suffix]

        async def answer(_: Request) -> Response:
            return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

        return answer

    async def _begin(self, _: Request) -> Any:
        return {"folder": self.folder.path.name, "run": self._run, "version": rk.__version__}

    # --- runs ---

    async def _rows(self, _: Request) -> Any:
        return await run_in_threadpool(self.folder.rows)

    async def _story(self, request: Request) -> Any:
        path, run = self.folder.find(asked(request, "file")), request.query_params.get("run")
        return await run_in_threadpool(story_of, self.readers, path, run)

    async def _story_if_any(self, request: Request) -> Any:
        """A story; nothing yet if the page ``wait``s for a file that is not there."""
        try:
            self.folder.find(asked(request, "file"))
        except rk.InputError:
            if "wait" in request.query_params:
                return {}
            raise
        return await self._story(request)

    async def _words(self, request: Request) -> Any:
        of, moves, score = await self._solution(request)
        return await run_in_threadpool(self.painter.ask, "words", of=of, moves=moves, score=score)

    async def _picture(self, request: Request) -> Response:
        """The picture of a solution, whole or as it was after some moves."""
        of, moves, _ = await self._solution(request)
        params = request.query_params
        question = {"of": of, "moves": moves, "dark": params.get("dark") == "1", "format": params.get("format", "svg")}
        if params.get("step", "").isdigit():
            question["step"] = int(params["step"][:9])
        return await self._drawn(question, "save" in params)

    async def _drawn(self, question: dict[str, Any], save: bool) -> Response:
        answer = await run_in_threadpool(lambda: self.painter.ask("picture", **question))
        kind = "png" if "png" in answer else "svg"
        content = base64.b64decode(answer["png"]) if kind == "png" else answer["svg"].encode()
        headers = {"content-security-policy": IMAGE_POLICY}
        if save:
            headers["content-disposition"] = f'attachment; filename="rookery.{kind}"'
        return Response(content, media_type="image/png" if kind == "png" else "image/svg+xml", headers=headers)

    async def _solution(self, request: Request) -> tuple[dict[str, Any], list[Any], Any]:
        """The problem, the moves and the score that a file holds; ``rank`` is of its pool, from 1."""
        story = await self._story(request)
        start, best = story.get("start", {}), story.get("best") or {}
        rank, pool = request.query_params.get("rank", ""), (story.get("end") or {}).get("pool") or []
        if rank.isdigit() and 1 <= int(rank[:9]) <= len(pool):
            best = pool[int(rank) - 1]
        if not isinstance(best.get("moves"), list):
            raise rk.InputError("there are no moves yet")
        return {"name": start.get("problem"), "parameters": start.get("parameters")}, best["moves"], best.get("score")

    async def _download(self, request: Request) -> Response:
        """A file, or what a journal says was written beside it; or the result so far, as JSON."""
        name, what = asked(request, "file"), request.query_params.get("what", "file")
        path = self.folder.find(name)
        if what == "json":
            result = await run_in_threadpool(result_of, self.readers, path, request.query_params.get("run"))
            if result is None:
                raise rk.InputError("there is no result yet")
            headers = {"content-disposition": 'attachment; filename="result.json"'}
            return Response(json.dumps(result.to_json()), media_type="application/json", headers=headers)
        if what in DOWNLOADS:
            files = (await self._story(request)).get("start", {}).get("files")
            beside = files.get(what) if isinstance(files, dict) else None
            if not isinstance(beside, str):
                raise rk.InputError(f"the run has no {what}")
            path = self.folder.find(os.path.relpath(path.parent / beside, self.folder.path))
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    async def _compare(self, request: Request) -> Any:
        names = request.query_params.getlist("file")
        by = request.query_params.get("by", "playouts")
        return await run_in_threadpool(compared, self.folder, self.readers, names, by)

    async def _simulation(self, request: Request) -> Any:
        return await run_in_threadpool(simulation_of, self.readers, self.folder.find(asked(request, "file")))

    # --- news ---

    async def _rows_events(self, request: Request) -> Response:
        async def news() -> AsyncIterator[Any]:
            before: dict[str, Any] = {}
            while True:
                rows = {row["file"]: row for row in await run_in_threadpool(self.folder.rows)}
                changed = [row for name, row in rows.items() if before.get(name) != row]
                gone = [name for name in before if name not in rows]
                yield {"changed": changed, "gone": gone} if changed or gone or not before else None
                before = rows
                await asyncio.sleep(LIST_POLL)

        return self._stream(request, news())

    async def _story_events(self, request: Request) -> Response:
        """What is new in a journal, as it is written."""
        try:
            path = self.folder.find(asked(request, "file"))
        except rk.InputError as error:
            return refused(error)
        run = request.query_params.get("run")

        async def news() -> AsyncIterator[Any]:
            before: Any = None
            seen: dict[str, Any] = {}
            while True:
                about = path.stat()
                now = (about.st_mtime_ns, about.st_size)
                yield None if now == before else await run_in_threadpool(news_of, self.readers, path, run, seen)
                before = now
                await asyncio.sleep(POLL)

        return self._stream(request, news())

    def _stream(self, request: Request, news: AsyncIterator[Any]) -> Response:
        """Server-sent events; a stream ends when whoever reads it has gone, or when the file has."""
        if self._streams >= MOST_STREAMS:
            return JSONResponse({"error": f"at most {MOST_STREAMS} streams are open at once"}, 429)

        async def events() -> AsyncIterator[str]:
            self._streams += 1
            told = time.monotonic()
            try:
                yield ": here\n\n"
                async for new in news:
                    if new is not None:
                        yield f"data: {json.dumps(new, default=str)}\n\n"
                        told = time.monotonic()
                    elif time.monotonic() - told > QUIET:
                        yield ": still here\n\n"
                        told = time.monotonic()
                    if self._ending or await request.is_disconnected():
                        return
            except (OSError, ValueError) as error:  # including InputError: the file has gone, or is no journal any more
                yield f"event: lost\ndata: {json.dumps(str(error))}\n\n"
            finally:
                self._streams -= 1

        return StreamingResponse(events(), media_type="text/event-stream")

    # --- play ---

    async def _choices(self, _: Request) -> Any:
        return await run_in_threadpool(self.painter.ask, "choices")

    async def _position(self, request: Request) -> Any:
        question = await question_of(request)
        return await run_in_threadpool(lambda: self.painter.ask("position", **question))

    async def _board(self, request: Request) -> Response:
        """The board after some moves, as a picture."""
        try:
            question = json.loads(asked(request, "q"))
            of, moves = {"name": question["name"], "parameters": question["parameters"]}, question["moves"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise rk.InputError("q must hold name, parameters and moves as JSON") from None
        params = request.query_params
        about = {"of": of, "moves": moves, "dark": params.get("dark") == "1", "format": params.get("format", "svg")}
        return await self._drawn(about, "save" in params)

    async def _think(self, request: Request) -> Response:
        """The opinion of a search line by line, the last one with its move."""
        try:
            question = await question_of(request)
        except rk.InputError as error:
            return refused(error)
        lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

        def think() -> None:
            try:
                for answer in self.player.answers("think", **question):
                    lines.put(answer)
            except Exception as error:
                lines.put({"error": str(error)})
            lines.put(None)

        def told() -> Iterator[str]:
            threading.Thread(target=think, daemon=True).start()
            while (line := lines.get()) is not None:
                yield json.dumps(line, default=str) + "\n"

        return StreamingResponse(told(), media_type="application/x-ndjson")

    async def _hint(self, request: Request) -> Any:
        question = await question_of(request)
        return await run_in_threadpool(lambda: self.player.ask("hint", **question))

    async def _keep(self, request: Request) -> Any:
        question = await question_of(request)
        return await run_in_threadpool(lambda: self.painter.ask("keep", **question))
