"""Starts the server: on this machine alone unless told otherwise, with a new token each time."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.web.desk import environment
from rookery.web.folder import Folder

LOOPBACK = ("127.0.0.1", "::1", "localhost")
PORT = 8765
"""The port, unless it is taken."""


class Server:
    """A server that listens: its ``address`` holds the token.

    Parameters
    ----------
    host
        the interface to listen on; by default this machine cannot be asked by others
    port
        None: 8765, or any free one if that is taken
    """

    def __init__(
        self,
        folder: str,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        own: Sequence[str] = (),
        run: str | None = None,
    ) -> None:
        try:
            import uvicorn
            from starlette.concurrency import run_in_threadpool

            from rookery.web.app import Site
        except ImportError:
            raise rk.InputError('rookery serve needs Starlette and uvicorn: pip install "rookery[web]"') from None
        place = Folder(folder)
        token = secrets.token_urlsafe(24)
        self._socket = listening(host, port)
        number = self._socket.getsockname()[1]
        is_open = host not in LOOPBACK
        names = frozenset({*LOOPBACK, host.lower(), *({socket.gethostname().lower()} if is_open else ())})
        shown = socket.gethostname() if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{number}/?token={token}"
        site = Site(place, [absolute(name) for name in own], run)

        class Ending(uvicorn.Server):
            """Ends the streams first: they would go on as long as the page is open."""

            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                await run_in_threadpool(site.close)
                await super().shutdown(sockets)

        self._uvicorn = Ending(
            uvicorn.Config(
                site.guarded(token, names, is_open),
                log_level="warning",
                access_log=False,
                server_header=False,
                ws="none",
                limit_concurrency=200,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=3,
            )
        )

    def run(self) -> None:
        """Serve until Ctrl-C or :meth:`stop`."""
        self._uvicorn.run(sockets=[self._socket])

    def close(self) -> None:
        """Listen no more, if it has not run."""
        self._socket.close()

    def stop(self) -> None:
        """Have the server end soon."""
        self._uvicorn.should_exit = True


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port.

    >>> with listening("127.0.0.1", 0) as one:
    ...     one.getsockname()[0]
    '127.0.0.1'
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        made = socket.socket(family)
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
            made.listen(128)
        except (OSError, OverflowError, ValueError) as error:  # ValueError: a name that no machine can have
            made.close()
            if port is None and number:
                continue
            why = getattr(error, "strerror", None) or str(error)
            raise rk.InputError(f"cannot listen on {host}, port {number}: {why}") from None
        return made
    raise AssertionError  # the last port is any that is free


def absolute(name: str) -> str:
    """A user's class by the whole path of its file.

    >>> absolute("module:Class")
    'module:Class'
    """
    file, colon, cls = name.rpartition(":")
    return f"{Path(file).resolve()}:{cls}" if colon and file.endswith(".py") else name


class Beside:
    """A server in a process of its own, for a run in this one; it ends with this process, however that ends."""

    def __init__(self, journal: str, own: Sequence[str] = (), tell: Callable[[str], Any] = print) -> None:
        path = Path(journal).resolve()
        command = [sys.executable, "-m", "rookery.web.beside", str(path.parent), path.name, *map(absolute, own)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
            start_new_session=True,  # Ctrl-C is meant for the run
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        if not self.address:
            raise rk.InputError("the page cannot be served: see above")
        tell(self.address)

    def wait(self) -> None:
        """Serve on until somebody asks this process to end."""
        with suppress(KeyboardInterrupt):
            self._process.wait()

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def stop_with_input(server: Server) -> None:
    """Stop a server when standard input ends, as it does when the process that started it does."""

    def wait() -> None:
        with suppress(OSError, ValueError):
            sys.stdin.buffer.read()
        server.stop()

    threading.Thread(target=wait, daemon=True).start()
