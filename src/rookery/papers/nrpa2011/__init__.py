"""Rosin 2011, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search": Morpion Solitaire and crosswords.

N = 100 and alpha = 1 throughout; dominated moves of Morpion are replaced as in the paper's section 3.2.
"""

from rookery.papers.items import Paper
from rookery.papers.nrpa2011.runs import figure_8, table_5
from rookery.papers.nrpa2011.sizes import table_1
from rookery.papers.nrpa2011.solutions import figure_7a, figure_7b, table_6
from rookery.papers.nrpa2011.timed import figure_5, table_2, table_3, table_4

PAPER = Paper(
    name="nrpa-2011",
    citation='C. D. Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011',
    items=(
        table_1(),
        table_2(),
        table_3(),
        table_4(),
        table_5(),
        table_6(),
        figure_5(),
        figure_7a(),
        figure_7b(),
        figure_8(),
    ),
)
