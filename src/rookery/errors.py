"""The errors that the library raises.

::

    RookeryError
    +-- InputError          a parameter, file or option that cannot be used
        +-- IllegalSolution a solution that was written down and breaks a rule
    +-- ExecutorError       what carries tasks to workers has failed
    +-- ProblemError        a problem that breaks its contract
        +-- CompileError    one of its functions cannot be compiled
        +-- RemoteError     an exception in its own code, in another process
    +-- SearchError         a search that breaks its contract

    RookeryWarning          something the user should know, though the run continues
"""

from __future__ import annotations

__all__ = [
    "CompileError",
    "ExecutorError",
    "IllegalSolution",
    "InputError",
    "ProblemError",
    "RemoteError",
    "RookeryError",
    "RookeryWarning",
    "SearchError",
]


class RookeryError(Exception):
    """Base of every error of the library.

    >>> issubclass(ProblemError, RookeryError)
    True
    """


class InputError(RookeryError, ValueError):
    """A parameter, file or option that cannot be used; its text is one sentence.

    >>> str(InputError("iterations must be at least 1, got 0"))
    'iterations must be at least 1, got 0'
    """


class IllegalSolution(InputError):
    """A solution that was written down and breaks a rule; its text is that rule, and where.

    >>> issubclass(IllegalSolution, InputError)
    True
    """


class ExecutorError(RookeryError):
    """What carries tasks to workers has failed; its text is one sentence.

    >>> str(ExecutorError("the executor is broken"))
    'the executor is broken'
    """


class ProblemError(RookeryError):
    """A problem that breaks its contract: too many moves, a code out of range, a score that is not a number.

    >>> str(ProblemError("TSP: 51 moves, but limits() declares moves=50"))
    'TSP: 51 moves, but limits() declares moves=50'
    """


class CompileError(ProblemError):
    """A function of a problem that cannot be compiled.

    >>> issubclass(CompileError, ProblemError)
    True
    """


class RemoteError(ProblemError):
    """An exception in a problem's own Python code, in a worker of another process; its text says where it was.

    >>> issubclass(RemoteError, ProblemError)
    True
    """


class SearchError(RookeryError):
    """A user's search that breaks its contract.

    >>> str(SearchError("MySearch plays 9 playouts where it may play 5"))
    'MySearch plays 9 playouts where it may play 5'
    """


class RookeryWarning(RuntimeWarning):
    """Something the user should know, though the run continues: a plug-in left out, a cache that cannot be written.

    >>> issubclass(RookeryWarning, RuntimeWarning)
    True
    """


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read or written, in words that are the same in every version of Python.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    >>> reason(ValueError("lstat: embedded null character in path"))
    'embedded null byte'
    """
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "embedded null byte" if "embedded null" in str(error) else str(error)
