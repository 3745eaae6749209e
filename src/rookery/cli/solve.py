"""``rookery solve``: one search on one problem; ``rookery resume``: go on with it from its checkpoint."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.search import Chosen, takes_search
from rookery.tools import search_class


@takes_search()
def solve(
    problem: o.ProblemName,
    chosen: Chosen,
    parameters: o.Parameters = None,
    seed: o.Seed = None,
    time: Annotated[o.Text, typer.Option(metavar="TIME", help="Stop after 60s, 1.5m, 2h, 500ms.")] = None,
    target: Annotated[o.Text, typer.Option(metavar="X", help="Stop at this score.")] = None,
    playouts: Annotated[o.Text, typer.Option(metavar="N", help="Stop after this many playouts.")] = None,
    max_iterations: Annotated[
        o.Text, typer.Option(metavar="N", help="Stop after this many iterations of the top level.")
    ] = None,
    no_improvement: Annotated[
        o.Text, typer.Option(metavar="N", help="Stop after this many iterations without a better score.")
    ] = None,
    restarts: Annotated[
        bool | None,
        typer.Option(
            "--restarts/--no-restarts", help="Restart the search until a limit is met [default: if a limit is given]"
        ),
    ] = None,
    runs: Annotated[
        o.Text, typer.Option(metavar="N", help="This many independent runs, side by side; the best of all is kept.")
    ] = None,
    workers: r.Workers = None,
    executor: r.Executor = None,
    address: r.Address = None,
    select: Annotated[
        o.Text, typer.Option(metavar="NAME", help="How to choose what to compute ahead: learned or table (nrpa).")
    ] = None,
    atomic_level: Annotated[
        o.Text,
        typer.Option(
            metavar="N", help="Nested calls of this level are one task [default: chosen by how long they take]"
        ),
    ] = None,
    start_from: Annotated[
        o.Text,
        typer.Option(metavar="FILE|MOVES", help="The first moves, which are fixed: from a result file, or as 3,7,12."),
    ] = None,
    warm_start: Annotated[
        o.Text, typer.Option(metavar="FILE|MOVES", help="A sequence that the policy is adapted to first (nrpa).")
    ] = None,
    keep: Annotated[o.Text, typer.Option(metavar="N", help="Keep the N best sequences that differ.")] = None,
    differ: Annotated[
        o.Text, typer.Option(metavar="SHARE", help="Share of its codes in which each must differ [default: 0.1]")
    ] = None,
    checkpoint: Annotated[
        o.Text, typer.Option(metavar="FILE", help="Keep the run in a file; rookery resume FILE goes on from it.")
    ] = None,
    checkpoint_every: r.CheckpointEvery = None,
    log: r.Log = None,
    out: r.Out = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Search a problem and print the best sequence found."""
    if checkpoint_every is not None and checkpoint is None:
        raise rk.InputError("--checkpoint-every goes with --checkpoint FILE")
    if runs is not None and restarts is not None:
        raise rk.InputError("--runs says how many restarts there are: it does not go with --restarts or --no-restarts")
    if differ is not None and keep is None:
        raise rk.InputError("--differ goes with --keep N")
    run: dict[str, Any] = {
        "search": chosen.search(
            restarts=restarts, runs=runs, select=select, atomic_level=atomic_level, warm_start=warm_start
        ),
        "stop": limits(time, playouts, max_iterations, target, no_improvement),
        "seed": None if seed is None else o.whole("--seed", seed, least=0),
        "restarts": restarts if runs is None else o.whole("--runs", runs),
        "atomic_level": o.optional(o.whole, "--atomic-level", atomic_level),
        "select": "learned" if select is None else select,
        "keep": 0 if keep is None else o.whole("--keep", keep),
        "differ": 0.1 if differ is None else o.number("--differ", differ),
        "executor": executor,
        "address": address,
        "checkpoint": checkpoint,
        "checkpoint_every": r.every(checkpoint_every),
        "debug": debug,
    }
    given = {
        "start_from": o.optional(o.moves, "--start-from", start_from),
        "warm_start": o.optional(o.moves, "--warm-start", warm_start),
    }
    if run["search"].endless and not run["stop"]:
        name = run["search"].name
        raise rk.InputError(f"{name} has no end of its own: give it a limit, such as --playouts 1000")
    r.workers_of(executor, workers, None)

    def search(callbacks: tuple[rk.Callback, ...]) -> rk.Result:
        loaded = rk.load_problem(problem, o.key_values(parameters))
        moves: dict[str, Any] = {name: value.of(loaded, problem) for name, value in given.items() if value is not None}
        return rk.solve(loaded, callbacks=callbacks, **run, **moves, workers=r.workers_of(executor, workers, loaded))

    lines = None if log is None else rk.RunLog(log)
    return r.run(search, quiet=quiet, log=lines, out=out, as_json=as_json, checkpoint=checkpoint)


def limits(
    time: str | None, playouts: str | None, iterations: str | None, target: str | None, no_improvement: str | None
) -> rk.Stop:
    """Limits from texts."""
    stop = rk.Stop()
    if time is not None:
        stop |= rk.MaxTime(o.duration("--time", time))
    if playouts is not None:
        stop |= rk.MaxPlayouts(o.whole("--playouts", playouts))
    if iterations is not None:
        stop |= rk.MaxIterations(o.whole("--max-iterations", iterations))
    if target is not None:
        stop |= rk.Target(o.number("--target", target))
    if no_improvement is not None:
        stop |= rk.NoImprovement(o.whole("--no-improvement", no_improvement))
    return stop


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
    executor: r.Executor = None,
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
        loaded = rk.tools.checkpoint_problem(saved, problem, o.key_values(parameters))
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
