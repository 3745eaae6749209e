"""``rookery resume``: go on with a run from its checkpoint."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.solve import limits
from rookery.tools import search_class


def resume(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that solve --checkpoint has written.")],
    time: Annotated[
        o.Text, typer.Option(metavar="TIME", help="Another time limit, counted from the beginning of the run: 60s, 2h.")
    ] = None,
    target: Annotated[o.Text, typer.Option(metavar="X", help="Another target score.")] = None,
    playouts: Annotated[
        o.Text, typer.Option(metavar="N", help="Another limit on playouts, counted from the beginning of the run.")
    ] = None,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="Drop the limits of the run.")] = False,
    problem: Annotated[
        o.Text, typer.Option(metavar="PROBLEM", help="Where the problem is now [default: where it was]")
    ] = None,
    parameters: o.Parameters = None,
    algorithm: Annotated[
        o.Text,
        typer.Option(metavar="FILE:CLASS", help="The search, if it is your own: path/to/file.py:Class."),
    ] = None,
    workers: r.Workers = None,
    executor: r.Executor = "threads",
    address: r.Address = None,
    checkpoint: Annotated[
        o.Text, typer.Option(metavar="FILE", help="Keep the run in another file from now on [default: in this one]")
    ] = None,
    checkpoint_every: r.CheckpointEvery = None,
    log: r.Log = None,
    out: r.Out = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Go on with a run from its checkpoint; the result is the same as without the interruption."""
    saved = rk.Checkpoint.load(file)
    stop = None
    changed = limits(time, playouts, None, target, None)
    if changed or no_limits:
        kept = {} if no_limits else {item.name: saved.stop.get(item.name) for item in fields(rk.Stop)}
        new = {item.name: getattr(changed, item.name) for item in fields(rk.Stop)}
        stop = rk.Stop(**{**kept, **{name: value for name, value in new.items() if value is not None}})
    r.workers_of(executor, workers, None)
    every = r.every(checkpoint_every)
    if parameters and problem is None:
        raise rk.InputError("-p goes with --problem: the checkpoint holds the parameters of its own")

    def search(callbacks: tuple[rk.Callback, ...]) -> rk.Result:
        loaded = rk.tools.checkpoint_problem(saved, problem, o.key_values(parameters), file)
        return rk.resume(
            file,
            loaded,
            search=None if algorithm is None else search_class(algorithm),
            stop=stop,
            workers=r.workers_of(executor, workers, loaded),
            executor=executor,
            address=address,
            checkpoint=checkpoint,
            checkpoint_every=every,
            callbacks=callbacks,
        )

    lines = None if log is None else rk.RunLog(log, append=True)
    return r.run(search, quiet=quiet, log=lines, out=out, as_json=as_json, checkpoint=checkpoint or file)
