"""The commands and what they have in common."""

from __future__ import annotations

from typing import Annotated

import typer

import rookery as rk
from rookery.cli.bench import bench
from rookery.cli.cache import cache
from rookery.cli.check import check
from rookery.cli.listing import list_all
from rookery.cli.match import match
from rookery.cli.paper import paper
from rookery.cli.resume import resume
from rookery.cli.show import show
from rookery.cli.simulate import simulate
from rookery.cli.solve import solve
from rookery.cli.verify import verify

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def rookery(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Nested Monte Carlo search: write a problem in Python, search it at the speed of C++."""
    if version:
        print(f"rookery {rk.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


app.command("solve")(solve)
app.command("resume")(resume)
app.command("simulate")(simulate)
app.command("list")(list_all)
app.command("match")(match)
app.command("paper")(paper)
app.command("bench")(bench)
app.command("check")(check)
app.command("cache")(cache)
app.command("verify")(verify)
app.command("show")(show)
