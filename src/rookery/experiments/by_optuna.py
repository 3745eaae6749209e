"""Settings proposed by Optuna: the next one from how those before it did."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.errors import InputError
from rookery.experiments.halving import Hunt
from rookery.experiments.space import AnySearch, Range, Space, made, setting_name

TRIALS = 4
"""Trials of each setting that is proposed."""
FINALISTS = 5
"""Settings that meet each other afterwards, with the default."""
FAR = 1e300
"""In place of a score that is infinite: nothing feasible was found."""
ASKED = 5
"""Proposals for each one that is measured: some were proposed before, some are refused."""


def propose(hunt: Hunt) -> dict[str, AnySearch]:
    """The default, and the best of the settings that Optuna proposed; two thirds of the trials that choose are used.

    Everything that it is told follows from the seed and the trials: an interrupted tuning that reads its trials from a
    folder proposes the same settings again.
    """
    try:
        import optuna
    except ImportError:
        raise InputError('sampler "optuna" needs Optuna: pip install "rookery[tune]"') from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=hunt.seed))
    most = max(2, 2 * hunt.choosing // 3 // TRIALS)
    found: dict[str, float] = {}
    for name, base in hunt.bases.items():
        study.enqueue_trial({"search": name, **_enqueued(name, base, hunt.spaces[name])}, skip_if_exists=True)
    for _ in range(ASKED * most):
        if len(found) >= most:
            break
        trial = study.ask()
        name = trial.suggest_categorical("search", list(hunt.bases))
        base, space = hunt.bases[name], hunt.spaces[name]
        values = {key: _suggested(trial, f"{name} {key}", of) for key, of in space.items()}
        one = made(base, values, hunt.subject)
        if one is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        setting = setting_name(name, one, base)
        if setting not in found:
            hunt.settings[setting] = one
            found[setting] = _worth(hunt, setting, len(found) + 1)
        study.tell(trial, found[setting])
    hunt.seeds += TRIALS
    best = sorted(found, key=lambda setting: -found[setting])[:FINALISTS]
    return {name: hunt.settings.get(name, hunt.bases.get(name)) for name in dict.fromkeys([*hunt.bases, *best])}


def _worth(hunt: Hunt, setting: str, number: int) -> float:
    """What a setting came to in its trials: the median, to be maximised."""
    values = hunt.measure(f"trial-{number}", [setting], hunt.first_seed, TRIALS).get(setting)
    if values is None:  # the opponent of all others, in a game
        return 0.5
    sign = -1.0 if getattr(hunt.subject, "sense", "max") == "min" else 1.0
    return float(np.median(np.clip(sign * np.array(values), -FAR, FAR)))


def _suggested(trial: Any, name: str, values: Any) -> Any:
    if isinstance(values, Range):
        return values.at(trial.suggest_float(name, 0.0, 1.0))
    return values[trial.suggest_int(name, 0, len(values) - 1)]


def _enqueued(name: str, base: AnySearch, space: Space) -> dict[str, Any]:
    """The places of a setting's values in its space; those that are not in it are left to Optuna."""
    return {
        f"{name} {key}": list(values).index(getattr(base, key))
        for key, values in space.items()
        if not isinstance(values, Range) and getattr(base, key) in values
    }
