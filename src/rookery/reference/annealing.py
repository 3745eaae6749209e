"""Annealing in plain Python: lines that are edited under a falling temperature, after Kirkpatrick et al. 1983."""

from __future__ import annotations

from typing import Any

from rookery.reference.edits import Best, Incumbent, Learned, codes_are_better, turn
from rookery.reference.loose import make_editor
from rookery.reference.playout import Line, Monitor, Rules
from rookery.reference.tempering import ln
from rookery.rng import Stream, exp_float, mix_int

TURN = 200


def anneal(
    rules: Rules,
    root: Any,
    stage: int,
    stages: int,
    key: int,
    proposals: int,
    living: int,
    after: int,
    keys: str | None,
    cold: float | None,
    hot: float | None,
    carried: dict[str, Any] | None,
    monitor: Monitor,
) -> tuple[Line | None, bool, dict[str, Any] | None]:
    """A stage: the best line, whether all was played, and what the next stage needs."""
    best, learned, lines = Best(), Learned(), []
    kind = {"move": 0.0, "code": 1.0, None: -1.0}[keys]
    if carried is not None:
        numbers = carried["numbers"]
        learned.tried, learned.won = numbers[0:3] + numbers[6:8], numbers[3:6] + numbers[8:10]
        best.score, best.since, kind, learned.loss = numbers[10:14]
        learned.common = dict(zip(carried["codes"], map(float, carried["weights"]), strict=True))
        lines = [Incumbent(s, list(m)) for s, m in zip(carried["scores"], carried["lines"], strict=True)]
    stream = Stream(mix_int(key, stage))
    editor = make_editor(rules, root, monitor, stream, learned)
    if stage == 0:
        for _ in range(living):
            line = editor.random_line()
            if line is None:
                return best.line, False, None
            best.note(line)
            lines.append(line)
        learned.set_loss(lines)
    begin = ln(2.0 * learned.loss if hot is None else hot)
    end = ln(0.2 * learned.loss if cold is None else cold)
    rounds = (proposals + TURN - 1) // TURN
    for number in range(rounds):
        learned.set_shares(editor.kinds)
        past = (stage - 1 + number / rounds) / (stages - 1)
        temperature = 0.0 if stage == 0 else exp_float(begin + (end - begin) * past)
        for i in range(living):
            code_keys = i % 2 == 1 if kind == -1.0 else kind == 1.0
            count = min(TURN, proposals - TURN * number)
            lines[i], _, _, done = turn(editor, lines[i], code_keys, temperature, count, best)
            if not done:
                return best.line, False, None
        learned.fade(1.0 - 0.002 * living)
    if kind == -1.0:
        kind = float(codes_are_better(lines))
    while len(lines) > after:
        worst = min(range(len(lines)), key=lambda i: (lines[i].score, -i))
        del lines[worst]
    tried, won = learned.tried, learned.won
    return (
        best.line,
        True,
        {
            "numbers": [*tried[:3], *won[:3], *tried[3:], *won[3:], best.score, best.since, kind, learned.loss],
            "lines": [line.moves for line in lines],
            "scores": [line.score for line in lines],
            "codes": list(learned.common),
            "weights": list(learned.common.values()),
        },
    )
