"""Rookery: nested Monte Carlo search. Write a problem in Python, search it at the speed of C++."""

from rookery._version import __version__
from rookery.callbacks import Callback, Progress
from rookery.checkpoint import Checkpoint
from rookery.compiler.cache_contents import CacheEntry, cache_contents, cache_folder, cache_limit, clear_cache
from rookery.compiler.constants import fixed
from rookery.decide import decide
from rookery.decision import Decision
from rookery.drawing import Drawing
from rookery.errors import (
    CompileError,
    ExecutorError,
    IllegalSolution,
    InputError,
    ProblemError,
    RemoteError,
    RookeryError,
)
from rookery.experiment import Experiment, experiment
from rookery.files import check_writable, write_bytes
from rookery.game import Game, PythonGame
from rookery.game_searches import load_game_search
from rookery.games.atarigo import AtariGo
from rookery.games.breakthrough import Breakthrough
from rookery.games.domineering import Domineering
from rookery.games.go import Go
from rookery.games.knightthrough import Knightthrough
from rookery.games.misere_breakthrough import MisereBreakthrough
from rookery.games.misere_domineering import MisereDomineering
from rookery.games.misere_knightthrough import MisereKnightthrough
from rookery.games.misere_nogo import MisereNoGo
from rookery.games.nogo import NoGo
from rookery.games.sgf import SgfGame, read_sgf, write_sgf
from rookery.interrupts import interrupt_run
from rookery.loading import (
    builtin_games,
    builtin_name,
    builtin_problems,
    describe_exception,
    game_parameters,
    load_any,
    load_game,
    load_problem,
    problem_parameters,
)
from rookery.match import match
from rookery.match_callbacks import MatchCallback, MatchLine, MatchProgress
from rookery.match_files import KeptGame, KeptMatch, MatchVerdict, is_match, read_match, verify_match
from rookery.match_result import MatchResult, MatchScore, PlayedGame
from rookery.match_sgf import check_sgf, write_match_sgf
from rookery.papers.agreement import PaperTable
from rookery.papers.reproduce import reproduce
from rookery.problem import Limits, Problem, PythonProblem, capacity
from rookery.problems.crossword import Crossword
from rookery.problems.leftmost import LeftmostPath
from rookery.problems.leftmove import LeftMove
from rookery.problems.morpion import Morpion
from rookery.problems.morpion.formats import ReadGame, read_game, write_game
from rookery.problems.morpion.raster import game_gif, game_png
from rookery.problems.morpion.svg import game_svg
from rookery.problems.morpion.text import game_text
from rookery.problems.morpion.tuned import TunedMorpion
from rookery.problems.samegame import SameGame
from rookery.problems.sudoku import ForwardChecking, Sudoku
from rookery.problems.tsp import TSP
from rookery.progress import ProgressLine
from rookery.result import Improvement, Result
from rookery.rng import below, uniform
from rookery.runlog import RunLog
from rookery.search.flat import FlatMC
from rookery.search.game_uct import GameUCT
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.ppa import PPA
from rookery.search.reflexive import Reflexive
from rookery.search.sampling import Sampling
from rookery.search.uct import SPMCTS, UCT
from rookery.simulate import simulate
from rookery.simulation import Simulation
from rookery.solutions import Comparison, Verdict, compare_files, verify_file
from rookery.solve import checkpoint_problem, replay, resume, solve
from rookery.stop import MaxIterations, MaxPlayouts, MaxTime, NoImprovement, Stop, Target

__all__ = [
    "NMCS",
    "NRPA",
    "PPA",
    "SPMCTS",
    "TSP",
    "UCT",
    "AtariGo",
    "Breakthrough",
    "CacheEntry",
    "Callback",
    "Checkpoint",
    "Comparison",
    "CompileError",
    "Crossword",
    "Decision",
    "Domineering",
    "Drawing",
    "ExecutorError",
    "Experiment",
    "FlatMC",
    "ForwardChecking",
    "Game",
    "GameUCT",
    "Go",
    "IllegalSolution",
    "Improvement",
    "InputError",
    "KeptGame",
    "KeptMatch",
    "Knightthrough",
    "LeftMove",
    "LeftmostPath",
    "Limits",
    "MatchCallback",
    "MatchLine",
    "MatchProgress",
    "MatchResult",
    "MatchScore",
    "MatchVerdict",
    "MaxIterations",
    "MaxPlayouts",
    "MaxTime",
    "MisereBreakthrough",
    "MisereDomineering",
    "MisereKnightthrough",
    "MisereNoGo",
    "Morpion",
    "NoGo",
    "NoImprovement",
    "PaperTable",
    "PlayedGame",
    "Problem",
    "ProblemError",
    "Progress",
    "ProgressLine",
    "PythonGame",
    "PythonProblem",
    "ReadGame",
    "Reflexive",
    "RemoteError",
    "Result",
    "RookeryError",
    "RunLog",
    "SameGame",
    "Sampling",
    "SgfGame",
    "Simulation",
    "Stop",
    "Sudoku",
    "Target",
    "TunedMorpion",
    "Verdict",
    "__version__",
    "below",
    "builtin_games",
    "builtin_name",
    "builtin_problems",
    "cache_contents",
    "cache_folder",
    "cache_limit",
    "capacity",
    "check_sgf",
    "check_writable",
    "checkpoint_problem",
    "clear_cache",
    "compare_files",
    "decide",
    "describe_exception",
    "experiment",
    "fixed",
    "game_gif",
    "game_parameters",
    "game_png",
    "game_svg",
    "game_text",
    "interrupt_run",
    "is_match",
    "load_any",
    "load_game",
    "load_game_search",
    "load_problem",
    "match",
    "problem_parameters",
    "read_game",
    "read_match",
    "read_sgf",
    "replay",
    "reproduce",
    "resume",
    "simulate",
    "solve",
    "uniform",
    "verify_file",
    "verify_match",
    "write_bytes",
    "write_game",
    "write_match_sgf",
    "write_sgf",
]
