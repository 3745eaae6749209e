"""The process behind a :class:`rookery.web.serving.Beside`: serves the journal of a run until standard input ends."""

from __future__ import annotations

import sys

from rookery.errors import RookeryError
from rookery.web.serving import Server, stop_with_input


def main() -> int:
    """Serve."""
    folder, run, *own = sys.argv[1:]
    try:
        server = Server(folder, own=own, run=run)
    except RookeryError as error:
        print(f"rookery: {error}", file=sys.stderr)
        return 1
    print(server.address, flush=True)
    stop_with_input(server)
    server.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
