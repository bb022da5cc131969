"""The result of a check of a model at several states: one line for each stage, at the state where it is worst."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.instruments.lockstep.free import FreeRun
from app.instruments.lockstep.judge import Comparison, Judged, Verdict, compare_at
from app.instruments.lockstep.pair import EngineRun, Pair

# from harmless to bad
SEVERITY = (Verdict.SAME, Verdict.UNSTEADY, Verdict.FOLLOWS, Verdict.MUJOCO, Verdict.DIFFERS)
# standard deviation of noise on controls, in halves of their range; its correlation time, s
NOISE, NOISE_SECONDS = 0.1, 0.1


@dataclass(frozen=True)
class Line:
    """A stage at the step where it is worst."""

    judged: Judged
    step: int


@dataclass(frozen=True)
class Report:
    """All stages over some steps; `free` is how a free run went."""

    lines: tuple[Line, ...]
    version: str
    steps: tuple[int, ...]
    free: FreeRun | None = None

    @property
    def verdict(self) -> Verdict:
        """The worst verdict; that of a stage which follows from another does not count."""
        found = {line.judged.verdict for line in self.lines} - {Verdict.FOLLOWS}
        return max(found, key=SEVERITY.index, default=Verdict.SAME)

    @property
    def culprit(self) -> Line | None:
        """The first stage with the worst verdict; none if all are the same."""
        worst = self.verdict
        return next((line for line in self.lines if line.judged.verdict is worst is not Verdict.SAME), None)


def moments(steps: int) -> tuple[int, ...]:
    """At which steps to compare: the first two, then ever less often."""
    spread = (0, 1, 10, 30, 100, 300, 1000, 3000)
    return (*(step for step in spread if step < steps), steps)


def check(pair: Pair, key: int | None, steps: int, progress: Callable[[int], None] = lambda _: None) -> Report:
    """MuJoCo runs, with noise on its controls; at some moments both engines compute from its state."""
    truth = start(pair, key)
    found: list[tuple[int, Comparison]] = []
    done = 0
    for moment in moments(steps):
        if moment > done:
            truth.engine.step(truth.model, truth.data, moment - done)
            done = moment
        progress(moment)
        found.append((moment, compare_at(pair, truth.row())))
        if not np.isfinite(truth.data.qpos).all():
            break
    return Report(tuple(merged(found)), pair.version, tuple(step for step, _ in found))


def start(pair: Pair, key: int | None) -> EngineRun:
    """A run of MuJoCo from its start."""
    truth = EngineRun(pair.theirs.model)
    truth.engine.reset(truth.model, truth.data, key)
    if truth.model.nu:
        truth.data.write("noise.scale", NOISE)
        truth.data.write("noise.rate", NOISE_SECONDS)
    return truth


def run_free(pair: Pair, key: int | None, steps: int) -> FreeRun:
    """MuJoCo and our engine, each from its own state, with the same controls."""
    truth = start(pair, key)
    found = FreeRun(pair.ours.model)
    found.follow(truth.row(), 0)
    for step in range(1, steps + 1):
        truth.step()
        found.follow(truth.row(), step)
        if found.parted is not None or found.chaotic is not None:
            break
    return found


def merged(found: Sequence[tuple[int, Comparison]]) -> list[Line]:
    """Each stage where its verdict is worst, and then its difference largest."""
    lines = []
    for place in range(len(found[0][1].stages)):
        choices = [Line(comparison.stages[place], step) for step, comparison in found]
        lines.append(max(choices, key=lambda line: (SEVERITY.index(line.judged.verdict), line.judged.result.error)))
    return lines


def line_json(line: Line) -> dict[str, Any]:
    """A line for machines."""
    judged, difference = line.judged, line.judged.difference
    found: dict[str, Any] = {
        "stage": judged.result.stage.name,
        "error": _number(judged.result.error),
        "tolerance": judged.result.stage.tolerance,
        "verdict": judged.verdict.value,
        "reason": judged.reason or None,
        "step": line.step,
    }
    if difference is not None and difference.error:
        element = difference.element
        found |= {
            "field": difference.field,
            "component": difference.component or None,
            "element": {"kind": element.kind, "index": element.index, "name": element.name} if element.kind else None,
            "ours": _number(difference.ours),
            "theirs": _number(difference.theirs),
        }
    return found


def _number(value: float) -> float | str:
    """JSON has no infinity."""
    return value if np.isfinite(value) else str(value)
