"""Builds the documentation site into build/site/html; warnings, broken links and foreign loads are errors.

python tools/site            build it
python tools/site --links    ask for every outside link instead, which needs a network
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from check import faults
from pages import stage

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Build, check, and say where it is."""
    builder = "linkcheck" if sys.argv[1:] == ["--links"] else "html"
    pages, out = ROOT / "build" / "site" / "pages", ROOT / "build" / "site" / builder
    stage(ROOT, pages)
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--fresh-env", "--write-all"]
    status = subprocess.run([*sphinx, "-c", ROOT / "docs", "-b", builder, pages, out], check=False).returncode
    if status or builder == "linkcheck":
        return status
    found = list(faults(out))
    print("\n".join(found) or f"the site is at {out / 'index.html'}", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
