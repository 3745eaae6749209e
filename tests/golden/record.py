"""Write answers of ``results.json`` again: ``python tests/golden/record.py [NAME ...]``, without names all of them.

For an answer that has changed on purpose, with a line in the changelog that says why; and for a new entry, which is
written into the file by hand without its ``answer``.
"""

from __future__ import annotations

import sys

from entries import Answers, read_entries, write_entries


def main(names: list[str]) -> None:
    entries = read_entries()
    unknown = [name for name in names if name not in entries]
    if unknown:
        sys.exit(f"no entry is named {', '.join(unknown)}")
    with Answers(entries) as answers:
        for name in names or entries:
            answer = answers[name]
            if entries[name].get("answer") != answer:
                print(f"{name}: {'changed' if 'answer' in entries[name] else 'new'}")
                entries[name]["answer"] = answer
    write_entries(entries)


if __name__ == "__main__":
    main(sys.argv[1:])
