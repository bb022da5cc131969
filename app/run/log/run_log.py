"""Writes into the log what a run has to say: problems, warnings of reading the model, warnings of the engine."""

from __future__ import annotations

import numpy as np

from app.model.views import ModelView, StateView
from app.run.history.divergence import FIELDS
from app.run.log.log import Level, Log
from app.run.snapshot import Snapshot
from sim import enums
from sim.analysis.element_names import described

ENGINE, RECENT = "engine", 20
# warnings of the engine -> what they mean, and what helps
MEANINGS = {
    enums.WARN_INERTIA: "the inertia matrix is singular: a joint moves no mass; add armature to it",
    enums.WARN_CONTACTFULL: "too many contacts: the model's memory is full (size/memory)",
    enums.WARN_CNSTRFULL: "too many constraint rows: the model's memory is full (size/memory)",
    enums.WARN_BADQPOS: "a position is NaN, infinite or huge",
    enums.WARN_BADQVEL: "a velocity is NaN, infinite or huge",
    enums.WARN_BADQACC: "an acceleration is NaN, infinite or huge",
    enums.WARN_BADCTRL: "a control is NaN or infinite",
}


def log_run(log: Log, before: Snapshot, after: Snapshot) -> None:
    """Write what is new in a snapshot."""
    if after.run.problem is not None and after.run.problem != before.run.problem:
        text = f"{after.run.problem.title}: {after.run.problem.text}"
        # what the viewer reports comes back as a problem
        if all(entry.text != text for entry in log.entries()[-RECENT:]):
            log.add(Level.ERROR, ENGINE, text)
    if after.run.warnings is not before.run.warnings:
        recent = log.entries()[-RECENT:]
        for text in after.run.warnings:
            # Python has shown it as well
            if text not in before.run.warnings and all(text not in entry.text for entry in recent):
                log.add(Level.WARNING, ENGINE, text)
    if after.model is not None and after.state is not None and after.state is not before.state:
        _count_warnings(log, after.model, before.state, after.state)


def _count_warnings(log: Log, model: ModelView, before: StateView | None, after: StateView) -> None:
    """Count warnings of the engine that have come since."""
    numbers = after.warning.number
    old = before.warning.number if before is not None else np.zeros_like(numbers)
    if not numbers.any() or (len(old) == len(numbers) and np.array_equal(old, numbers)):
        return
    for kind in np.flatnonzero(numbers).tolist():
        was = int(old[kind]) if kind < len(old) else 0
        # counts begin again with a reset
        new = int(numbers[kind]) - (was if was <= numbers[kind] else 0)
        if new > 0:
            log.count(("engine warning", kind), Level.WARNING, ENGINE, _text(model, kind, after), new)


def _text(model: ModelView, kind: int, state: StateView) -> str:
    """What a warning means, with the element that it names."""
    meaning, info = MEANINGS.get(kind, f"warning {kind}"), int(state.warning.lastinfo[kind])
    if kind in FIELDS:
        return f"{meaning}: {FIELDS[kind]}[{info}], {_joint(model, FIELDS[kind], info)}"
    return f"{meaning} (d.warning[{kind}], info {info})"


def _joint(model: ModelView, field: str, index: int) -> str:
    """The joint that a coordinate or a degree of freedom belongs to."""
    first = np.asarray(model.jnt_qposadr if field == "qpos" else model.jnt_dofadr)
    joint = int(np.searchsorted(first, index, "right")) - 1
    return described(model, "joint", joint) if joint >= 0 else "no joint"
