"""``python -m rookery``: the same as the command ``rookery``."""

from __future__ import annotations

import sys

from rookery.cli import main

if __name__ == "__main__":
    sys.exit(main())
