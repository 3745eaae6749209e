"""``rookery serve``: a page of the runs in a folder, and games to play."""

from __future__ import annotations

import sys

import rookery as rk
from rookery.cli import options as o


def serve(
    folder: str = o.argument("[FOLDER]", "The folder whose journals, results and matches are shown.", "."),
    host: str = o.option("NAME", "The interface to listen on; with any other, people elsewhere can ask.", "127.0.0.1"),
    port: o.Text = o.option("N", "The port [default: 8765, or a free one if that is taken]"),
    own: list[str] | None = o.option(
        "FILE:CLASS", "A problem or game of your own, to be drawn and played: path/to/file.py:Class.", None, "--own"
    ),
    browser: bool = o.flag("--open", "Open the page in the browser."),
) -> int:
    """Serve a page on which runs are watched, replayed and compared, and games played."""
    from rookery.web.serving import LOOPBACK, Server

    number = None if port is None else o.whole("--port", port, least=0)
    for name in own or ():
        rk.tools.load_any(name)  # a mistake is told here, not on the page
    server = Server(folder, host=host, port=number, own=own or ())
    if host not in LOOPBACK:
        print("rookery: whoever has this address can read the folder and use this machine", file=sys.stderr)
    print(server.address, flush=True)
    if browser:
        import webbrowser

        webbrowser.open(server.address)
    server.run()
    return 0
