"""``rookery solve``: one search on one problem."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import options as o
from rookery.cli.interrupts import Interrupts
from rookery.cli.search import check_algorithm, make_search
from rookery.cli.summary import summary


def solve(
    problem: o.ProblemName,
    parameters: o.Parameters = None,
    algorithm: o.Algorithm = "nrpa",
    level: o.Level = None,
    iterations: o.Iterations = None,
    alpha: o.Alpha = None,
    ties: o.Ties = None,
    layers: o.Layers = None,
    memorise: o.Memorise = None,
    sample: o.Sample = None,
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
        typer.Option("--restarts/--no-restarts", help="Fill the limits with restarts [default: if a limit is given]"),
    ] = None,
    workers: Annotated[
        o.Text, typer.Option(metavar="N", help="Threads; the result is the same for any number [default: all cores]")
    ] = None,
    atomic_level: Annotated[
        o.Text, typer.Option(metavar="N", help="Nested calls of this level are one task [default: what takes a second]")
    ] = None,
    start_from: Annotated[
        o.Text, typer.Option(metavar="FILE|MOVES", help="Moves that are fixed: of a result file, or as 3,7,12.")
    ] = None,
    warm_start: Annotated[
        o.Text, typer.Option(metavar="FILE|MOVES", help="A sequence that the policy is adapted to first (nrpa).")
    ] = None,
    out: Annotated[o.Text, typer.Option(metavar="FILE", help="Save the result as JSON.")] = None,
    as_json: o.Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")] = False,
    debug: o.Debug = False,
) -> int:
    """Search a problem and print the best sequence found."""
    check_algorithm(
        algorithm,
        {
            "--level": level,
            "--iterations": iterations,
            "--alpha": alpha,
            "--ties": ties,
            "--layers": layers,
            "--memorise": memorise,
            "--sample": sample,
            "--restarts": restarts,
            "--atomic-level": atomic_level,
            "--warm-start": warm_start,
        },
    )
    run: dict[str, Any] = {
        "search": make_search(algorithm, level, iterations, alpha, ties, layers, memorise, sample),
        "stop": _limits(time, playouts, max_iterations, target, no_improvement),
        "seed": None if seed is None else o.whole("--seed", seed, least=0),
        "restarts": restarts,
        "atomic_level": o.optional(o.whole, "--atomic-level", atomic_level),
        "debug": debug,
    }
    given = {
        "start_from": o.optional(o.moves, "--start-from", start_from),
        "warm_start": o.optional(o.moves, "--warm-start", warm_start),
    }
    if algorithm == "sampling" and not run["stop"]:
        raise rk.InputError("sampling has no end of its own: give it a limit, such as --playouts 1000")
    threads = o.optional(o.whole, "--workers", workers)
    if out is not None:
        rk.check_writable(out)
    with contextlib.redirect_stdout(sys.stderr):  # what a user's code prints is not the result
        loaded = rk.load_problem(problem, o.key_values(parameters))
        run |= {name: moves.of(loaded, problem) for name, moves in given.items() if moves is not None}
        run["workers"] = _default_workers(loaded) if threads is None else threads
        result, code = _search(loaded, run, quiet)
    if result is not None:
        try:
            if out is not None:
                result.save(out)
        finally:  # what was found is not lost with a disk that is full
            print(json.dumps(result.to_json()) if as_json else summary(loaded, result))
    return code


def _limits(
    time: str | None, playouts: str | None, iterations: str | None, target: str | None, no_improvement: str | None
) -> rk.Stop:
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


def _default_workers(problem: rk.Problem | rk.PythonProblem) -> int:
    """All cores; one in plain Python, where threads take turns and a second would only slow down the first."""
    return 1 if isinstance(problem, rk.PythonProblem) else o.cores()


def _search(problem: rk.Problem | rk.PythonProblem, run: dict[str, Any], quiet: bool) -> tuple[rk.Result | None, int]:
    """The result, if there is one, and the exit code."""
    line = None if quiet else rk.ProgressLine()
    interrupts = Interrupts()
    try:
        with interrupts:
            result = rk.solve(problem, callbacks=(interrupts,) if line is None else (interrupts, line), **run)
    except (KeyboardInterrupt, rk.InputError):
        if interrupts.exit_code is None:
            raise
        if line is not None:
            line.close()
        print("rookery: interrupted before the first playout was finished", file=sys.stderr)
        return None, interrupts.exit_code
    finally:
        if line is not None:
            line.close()
    return result, (interrupts.exit_code or 0) if result.status == "interrupted" else 0
