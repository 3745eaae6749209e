"""Where in a user's code a thread is that does not return.

A function in plain Python is found where its thread is. Compiled code knows no lines: the playout that it is in the
middle of is replayed, interpreted, and does not return either.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from rookery.settings import INTERPRETED
from rookery.user_code import Place, is_users, place

LOOK = 0.4
"""The most seconds that a look takes."""
STEADY = 0.15
"""A call is said not to return after this many seconds."""
POLL = 0.01

_kernels: dict[int, Callable[[], Any]] = {}  # thread -> what plays again what its kernel is at


class _Enough(BaseException):
    """Ends a thread that has shown all there is to see."""


@contextmanager
def in_kernel(again: Callable[[], Any]) -> Iterator[None]:
    """While in this context this thread is in a kernel; ``again`` plays its last playout, interpreted."""
    thread = threading.get_ident()
    _kernels[thread] = again
    try:
        yield
    finally:
        del _kernels[thread]


def is_in_kernel(thread: int) -> bool:
    """Whether a thread is in a kernel: not in a compiler, which always returns."""
    return thread in _kernels


def whereabouts(model: Any, thread: int) -> Place | None:
    """The line of the user's code in which a thread stays, if it stays in one.

    >>> whereabouts(None, thread=0) is None  # there is no such thread
    True
    """
    again = None if INTERPRETED else _kernels.get(thread)
    if again is None:
        return _stays(model, thread)
    replay = threading.Thread(target=_replay, args=(again,), daemon=True)
    replay.start()
    assert replay.ident is not None
    try:
        return _stays(model, replay.ident)
    finally:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(replay.ident), ctypes.py_object(_Enough))


def left_behind(model: Any, found: Place | None) -> str:
    """What the user is told about a function that did not return.

    >>> left_behind(0, Place("Coins.moves()", "coins.py", 7, "while True:"))
    'Coins.moves() at coins.py:7, `while True:`: did not return when the run had to end, and was left behind'
    """
    known = found or Place(f"a function of {type(model).__name__}", "", 0, "")
    return known.says("did not return when the run had to end, and was left behind")


def _replay(again: Callable[[], Any]) -> None:
    with suppress(BaseException):
        again()


def _stays(model: Any, thread: int) -> Place | None:
    """The innermost line of user code, once the call that it is part of has lasted long enough."""
    until = time.monotonic() + LOOK
    call, since = None, until
    while True:
        now = time.monotonic()
        frames = _users(sys._current_frames().get(thread))
        if not frames or frames[-1] is not call:
            call, since = (frames[-1] if frames else None), now
        elif now - since >= STEADY:
            return place(model, frames[0].f_code, frames[0].f_lineno)
        if now > until:
            return None
        time.sleep(POLL)


def _users(frame: FrameType | None) -> list[FrameType]:
    """The frames of functions in the user's own files, the innermost first."""
    frames = []
    while frame is not None:
        if frame.f_code.co_name != "<module>" and is_users(frame.f_code.co_filename):
            frames.append(frame)
        frame = frame.f_back
    return frames
