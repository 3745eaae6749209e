"""``rookery solve``: one search on one problem; ``rookery resume``: continue it from its checkpoint."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.search import Chosen, takes_search
from rookery.tools import search_class


@takes_search(without="auto with --time or --playouts and no option of a search; else nrpa")
def solve(
    problem: o.ProblemName,
    chosen: Chosen,
    parameters: o.Parameters = None,
    seed: o.Seed = None,
    time: o.Text = o.option("TIME", "Stop after 60s, 1.5m, 2h, 500ms."),
    target: o.Text = o.option("X", "Stop at this score."),
    playouts: o.Text = o.option("N", "Stop after this many playouts."),
    max_iterations: o.Text = o.option("N", "Stop after this many iterations of the top level."),
    no_improvement: o.Text = o.option("N", "Stop after this many iterations without a better score."),
    restarts: bool | None = o.flag(
        "--restarts/--no-restarts", "Restart the search until a limit is met [default: if a limit is given]", None
    ),
    runs: o.Text = o.option("N", "This many independent runs, side by side; the best of all is kept."),
    workers: r.Workers = None,
    executor: r.Executor = None,
    address: r.Address = None,
    select: o.Text = o.option("NAME", "How to choose what is computed ahead: learned, table or literal (nrpa)."),
    atomic_level: o.Text = o.option(
        "N", "Nested calls of this level are one task [default: chosen by how long they take]"
    ),
    start_from: o.Text = o.option("FILE|MOVES", "The first moves, which are fixed: from a result file, or as 3,7,12."),
    warm_start: o.Text = o.option("FILE|MOVES", "A sequence to which the policy is adapted first (nrpa)."),
    keep: o.Text = o.option("N", "Keep the N best sequences that differ."),
    differ: o.Text = o.option("SHARE", "Share of its codes in which each must differ [default: 0.1]"),
    checkpoint: o.Text = o.option("FILE", "Keep the run in a file; rookery resume FILE continues it."),
    checkpoint_every: r.CheckpointEvery = None,
    log: r.Log = None,
    serve: r.Serve = False,
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
    special: dict[str, Any] = {"restarts": restarts, "runs": runs, "select": select, "warm_start": warm_start}
    special["atomic_level"] = atomic_level
    of_a_search = chosen.said or any(value is not None for value in special.values())
    run: dict[str, Any] = {
        "search": chosen.search(**special) if of_a_search else None,
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
    if of_a_search and run["search"].endless and not run["stop"]:
        name = run["search"].name
        raise rk.InputError(f"{name} has no end of its own: give it a limit, such as --playouts 1000")
    r.workers_of(executor, workers, None)

    def search(callbacks: tuple[rk.Callback, ...]) -> rk.Result:
        loaded = rk.load_problem(problem, o.key_values(parameters))
        moves: dict[str, Any] = {name: value.of(loaded, problem) for name, value in given.items() if value is not None}
        moves["workers"] = r.workers_of(executor, workers, loaded)
        result: rk.Result = rk.solve(loaded, callbacks=callbacks, **run, **moves)
        return result

    with r.watched(serve, log, [problem] if ":" in problem else []) as (path, stay):
        lines = None if path is None else r.journal(path, checkpoint=checkpoint, result=out)
        return stay(r.run(search, quiet=quiet, log=lines, out=out, as_json=as_json, checkpoint=checkpoint))


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
    file: str = o.argument("FILE", "A file that solve --checkpoint has written."),
    time: o.Text = o.option("TIME", "A new time limit, counted from the beginning of the run: 60s, 2h."),
    target: o.Text = o.option("X", "A new target score."),
    playouts: o.Text = o.option("N", "A new limit on playouts, counted from the beginning of the run."),
    no_limits: bool = o.flag("--no-limits", "Drop the limits of the run."),
    problem: o.Text = o.option("PROBLEM", "Where the problem is now [default: where it was]"),
    parameters: o.Parameters = None,
    algorithm: o.Text = o.option("FILE:CLASS", "The search, if it is your own: path/to/file.py:Class."),
    workers: r.Workers = None,
    executor: r.Executor = None,
    address: r.Address = None,
    checkpoint: o.Text = o.option("FILE", "Keep the run in another file from now on [default: in this one]"),
    checkpoint_every: r.CheckpointEvery = None,
    log: r.Log = None,
    serve: r.Serve = False,
    out: r.Out = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Continue a run from its checkpoint; the result is the same as without the interruption."""
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
        raise rk.InputError("-p goes with --problem: the checkpoint holds its own parameters")

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

    with r.watched(serve, log, [problem] if problem is not None and ":" in problem else []) as (path, stay):
        keeping = checkpoint or file
        lines = None if path is None else r.journal(path, append=True, checkpoint=keeping, result=out)
        return stay(r.run(search, quiet=quiet, log=lines, out=out, as_json=as_json, checkpoint=keeping))
