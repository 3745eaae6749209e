"""Rookery: nested Monte Carlo search. Write a problem in Python, search it at the speed of C++."""

from rookery._version import __version__
from rookery.callbacks import Callback, Progress
from rookery.errors import CompileError, InputError, ProblemError, RookeryError
from rookery.experiment import Experiment, experiment
from rookery.loading import builtin_name, builtin_problems, describe_exception, load_problem, problem_parameters
from rookery.problem import Limits, Problem, PythonProblem, capacity
from rookery.problems.leftmost import LeftmostPath
from rookery.problems.leftmove import LeftMove
from rookery.problems.morpion import Morpion
from rookery.problems.tsp import TSP
from rookery.progress import ProgressLine
from rookery.result import Improvement, Result, check_writable
from rookery.rng import below, uniform
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.sampling import Sampling
from rookery.solve import replay, solve
from rookery.stop import MaxIterations, MaxPlayouts, MaxTime, NoImprovement, Stop, Target

__all__ = [
    "NMCS",
    "NRPA",
    "TSP",
    "Callback",
    "CompileError",
    "Experiment",
    "Improvement",
    "InputError",
    "LeftMove",
    "LeftmostPath",
    "Limits",
    "MaxIterations",
    "MaxPlayouts",
    "MaxTime",
    "Morpion",
    "NoImprovement",
    "Problem",
    "ProblemError",
    "Progress",
    "ProgressLine",
    "PythonProblem",
    "Result",
    "RookeryError",
    "Sampling",
    "Stop",
    "Target",
    "__version__",
    "below",
    "builtin_name",
    "builtin_problems",
    "capacity",
    "check_writable",
    "describe_exception",
    "experiment",
    "load_problem",
    "problem_parameters",
    "replay",
    "solve",
    "uniform",
]
