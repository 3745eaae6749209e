"""What a front end needs: names, parameters, positions, the cache of machine code, how to describe an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.compiler.cache_contents import CacheEntry as CacheEntry
    from rookery.compiler.cache_contents import cache_contents as cache_contents
    from rookery.compiler.cache_contents import cache_folder as cache_folder
    from rookery.compiler.cache_contents import cache_limit as cache_limit
    from rookery.compiler.cache_contents import clear_cache as clear_cache
    from rookery.experiments.judgement import Judgement as Judgement
    from rookery.experiments.power import power_suite as power_suite
    from rookery.experiments.space import Range as Range
    from rookery.loading.loading import Parameter as Parameter
    from rookery.loading.loading import builtin_games as builtin_games
    from rookery.loading.loading import builtin_name as builtin_name
    from rookery.loading.loading import builtin_problems as builtin_problems
    from rookery.loading.loading import game_parameters as game_parameters
    from rookery.loading.loading import load_any as load_any
    from rookery.loading.loading import problem_parameters as problem_parameters
    from rookery.loading.modules import naming as naming
    from rookery.loading.presets import Preset as Preset
    from rookery.loading.presets import is_preset_file as is_preset_file
    from rookery.loading.presets import read_preset as read_preset
    from rookery.loading.searches import SearchParameter as SearchParameter
    from rookery.loading.searches import builtin_searches as builtin_searches
    from rookery.loading.searches import game_searches as game_searches
    from rookery.loading.searches import load_game_search as load_game_search
    from rookery.loading.searches import make_search as make_search
    from rookery.loading.searches import presets as presets
    from rookery.loading.searches import search_class as search_class
    from rookery.loading.searches import search_names as search_names
    from rookery.loading.searches import search_parameters as search_parameters
    from rookery.loading.searches import searches as searches
    from rookery.matches.gtp.engine import GtpEngine as GtpEngine
    from rookery.matches.scores import MatchProgress as MatchProgress
    from rookery.matches.scores import MatchScore as MatchScore
    from rookery.matches.scores import PlayedGame as PlayedGame
    from rookery.matches.sitting import Position as Position
    from rookery.matches.sitting import Sitting as Sitting
    from rookery.running.interrupts import interrupt_run as interrupt_run
    from rookery.running.result import Improvement as Improvement
    from rookery.running.resumed import checkpoint_problem as checkpoint_problem
    from rookery.user_code import describe_exception as describe_exception

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "compiler.cache_contents": "CacheEntry cache_contents cache_folder cache_limit clear_cache",
        "experiments.judgement": "Judgement",
        "experiments.power": "power_suite",
        "experiments.space": "Range",
        "loading.loading": "Parameter builtin_games builtin_name builtin_problems game_parameters load_any "
        "problem_parameters",
        "loading.modules": "naming",
        "loading.presets": "Preset is_preset_file read_preset",
        "loading.searches": "SearchParameter builtin_searches game_searches load_game_search make_search presets "
        "search_class search_names search_parameters searches",
        "matches.gtp.engine": "GtpEngine",
        "matches.scores": "MatchScore PlayedGame MatchProgress",
        "matches.sitting": "Position Sitting",
        "running.interrupts": "interrupt_run",
        "running.result": "Improvement",
        "running.resumed": "checkpoint_problem",
        "user_code": "describe_exception",
    },
)
