"""The papers by name; each is in a module of its own, which is imported when it is asked for."""

from __future__ import annotations

import importlib

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.papers.items import Paper

MODULES = {
    "nmcs-2009": "nmcs2009",
    "nrpa-2011": "nrpa2011",
    "parallel-nrpa-2019": "parallel2019",
    "ppa-2015": "ppa2015",
    "ppaf-2016": "ppaf2016",
    "reflexive-2007": "reflexive2007",
}


def paper_named(name: str) -> Paper:
    """The paper of a name.

    >>> paper_named("reflexive-2007").items[0].name
    'table 1'
    """
    if name not in MODULES:
        raise InputError(f"unknown paper {shown(name)}: there are {', '.join(MODULES)}")
    paper: Paper = importlib.import_module(f"rookery.papers.{MODULES[name]}").PAPER
    return paper


def paper_names() -> list[str]:
    """The names of all papers.

    >>> paper_names()[-1]
    'reflexive-2007'
    """
    return list(MODULES)
