"""Searches, one algorithm per file; this module has what a search of your own is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.control import OK as OK
    from rookery.control import PLY as PLY
    from rookery.control import STOPPED as STOPPED
    from rookery.control import Signal as Signal
    from rookery.kernels.memory import Call as Call
    from rookery.kernels.memory import Memory as Memory
    from rookery.kernels.nrpa import NRPAParts as NRPAParts
    from rookery.kernels.nrpa import make_nrpa_parts as make_nrpa_parts
    from rookery.kernels.playout import check_step as check_step
    from rookery.kernels.playout import draw as draw
    from rookery.kernels.playout import finish_playout as finish_playout
    from rookery.kernels.playout import make_weighted_playout as make_weighted_playout
    from rookery.kernels.playout import may_begin as may_begin
    from rookery.kernels.policy import make_policy as make_policy
    from rookery.kernels.repeat import Repeat as Repeat
    from rookery.kernels.rules import make_copy_line as make_copy_line
    from rookery.kernels.rules import make_random_playout as make_random_playout
    from rookery.plans.independent import OneTask as OneTask
    from rookery.plans.independent import Samples as Samples
    from rookery.rng import below as below
    from rookery.rng import mix as mix
    from rookery.rng import seed_stream as seed_stream
    from rookery.rng import uniform as uniform
    from rookery.search.nrpa_tasks import NRPATask as NRPATask
    from rookery.search.protocol import Cost as Cost
    from rookery.search.protocol import RuleSearch as RuleSearch
    from rookery.search.protocol import Search as Search
    from rookery.search.protocol import Setting as Setting
    from rookery.tasks import Task as Task
    from rookery.tasks import Weights as Weights

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "control": "OK PLY STOPPED Signal",
        "kernels.memory": "Call Memory",
        "kernels.nrpa": "NRPAParts make_nrpa_parts",
        "kernels.playout": "check_step draw finish_playout make_weighted_playout may_begin",
        "kernels.policy": "make_policy",
        "kernels.repeat": "Repeat",
        "kernels.rules": "make_copy_line make_random_playout",
        "plans.independent": "OneTask Samples",
        "rng": "below mix seed_stream uniform",
        "search.nrpa_tasks": "NRPATask",
        "search.protocol": "Cost RuleSearch Search Setting",
        "tasks": "Task Weights",
    },
)
