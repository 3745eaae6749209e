"""The process behind a :class:`rookery.web.desk.Desk`: reads questions from standard input, a JSON object per line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

import rookery as rk
from rookery.web.answers import Answers

MOST_MEMORY = 6 << 30
"""The most bytes of memory: much of what a compiler reserves it never uses."""


def main() -> None:
    """Answer until standard input ends."""
    limit_memory()
    questions, out = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a user's code prints is no answer
    answers = Answers(os.getcwd(), sys.argv[1:])
    for line in questions:
        for answer in answered(answers, json.loads(line)):
            write(out, answer)


def answered(answers: Answers, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The answers to a question; what goes wrong is one sentence."""
    try:
        yield from answers.to(question)
    except rk.RookeryError as error:
        yield {"refused": str(error)[:500]}
    except MemoryError:
        yield {"refused": "that needs more memory than there is for it"}
    except Exception as error:  # whatever a file holds in place of parameters and moves
        yield {"refused": rk.tools.describe_exception(error)[:500]}


def write(out: IO[bytes], answer: dict[str, Any]) -> None:
    """Write an answer."""
    out.write(json.dumps(answer, default=str).encode() + b"\n")
    out.flush()


def limit_memory() -> None:
    """Have a question that needs too much memory fail, where the system has such a limit."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
