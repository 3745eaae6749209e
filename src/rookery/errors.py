"""The errors that the library raises.

::

    RookeryError
    +-- InputError          a parameter, file or option that cannot be used
        +-- IllegalSolution a solution that was written down and breaks a rule
    +-- ExecutorError       what carries tasks to workers has failed
    +-- ProblemError        a problem that breaks its contract
        +-- CompileError    one of its functions cannot be compiled
        +-- RemoteError     an exception in its own code, in another process
"""

from __future__ import annotations


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
