"""Moments without a window: of a model that is run from its start to a time, or of a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import sim
from app.background.export.last_seconds import steps_back
from app.background.export.moment import ExportMoment, export_moment
from app.files.resources import start_key
from app.run.engine.choice import open_model_saying
from app.run.engine.recorded import LOADERS
from app.run.history.taken_rows import TakenRows
from app.run.snapshot import element_names
from sim.edits import NO_EDITS
from sim.engine import Engine, Progress
from sim.recording.recording import Recording

# steps between two times that progress is shown
CHUNK = 1000

# the keyframe in which a file starts, by the names of its keyframes
FirstKey = Callable[[Path, Sequence[str]], int | None]
Found = tuple[ExportMoment, list[TakenRows]]


def moment_of_model(engine: Engine, path: Path, time: float, progress: Progress, first: FirstKey = start_key) -> Found:
    """The state of a model some simulated seconds after its start, and the rows of the steps before.

    `first` finds the keyframe to start in.
    """
    m = open_model_saying(engine, path)
    engine = m.engine
    d = engine.Data(m)
    engine.reset(m, d, first(path, element_names(m)["key"]))
    engine.prepare(m, progress, edits=False)
    total = round(time / float(m.opt.timestep))
    signature = engine.record_signature(m)
    kept = min(steps_back(float(m.opt.timestep), engine.state_size(m, signature)), total)
    for done in range(0, total - kept, CHUNK):
        progress(done, total, "steps")
        engine.step(m, d, min(CHUNK, total - kept - done))
    rows = [engine.get_state(m, d, signature)]
    for done in range(kept):
        if done % CHUNK == 0:
            progress(total - kept + done, total, "steps")
        engine.step(m, d)
        rows.append(engine.get_state(m, d, signature))
    state = engine.copy_state(m, d)
    moment = export_moment(m.copy(), d, NO_EDITS, state, path.name, "", total)
    return moment, [TakenRows(m, NO_EDITS, np.arange(total - kept, total + 1), np.array(rows))]


def moment_of_recording(path: Path, time: float | None, branch: int | str | None) -> Found:
    """A moment of a recording, the last one if no time is given, and the rows of the steps before."""
    with Recording(path, LOADERS) as recording:
        infos = recording.branches
        line = infos[-1] if branch is None else next(
            (info for info in infos if branch in (info.id, info.name)), infos[-1]
        )  # fmt: skip
        # an unknown one is refused there
        step = recording.step_at(np.inf if time is None else time, branch)
        d = recording.data(step, branch=branch)
        m, edits = d.model, recording.edits(step, branch)
        title = recording.versions[0].name
        state = m.engine.copy_state(m, d)
        # the edits are made again on the export's own model
        moment = export_moment(m, m.engine.Data(m), edits, state, title, line.name if len(infos) > 1 else "", step)
        return moment, _rows_before(recording, line.id, step, moment)


def _rows_before(recording: Recording, branch: int, step: int, moment: ExportMoment) -> list[TakenRows]:
    """Rows of a recording before a step, by segment."""
    m = moment.model
    width = m.engine.state_size(m, m.engine.record_signature(m))
    first = max(step - steps_back(float(m.opt.timestep), width), 0)
    models: dict[int, sim.Model] = {}
    found: list[TakenRows] = []
    for segment, at, rows in recording.rows(first, step, branch):
        model = models.setdefault(segment.version, recording.model_of(segment.version).copy())
        found.append(TakenRows(model, segment.edits, np.arange(at, at + len(rows)), rows))
    return found
