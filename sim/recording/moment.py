"""One moment as a recording: the model with its edits and the state, for another process."""

from __future__ import annotations

import os

from sim.model import Data, Model
from sim.recording.record import ROOT, KeptRow
from sim.recording.run import Block, Branch, Run, Segment
from sim.recording.write import RecordingWriter
from sim.script.model_edits import edits_of


def save_moment(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Write the state of `d`, even one that has diverged, and the model with its edits.

    `sim.load_recording(path).data()` gives both. ValueError: the model was not compiled from files or a text; OSError:
    the file cannot be written.
    """
    row = m.engine.get_state(m, d, m.engine.record_signature(m))
    writer = RecordingWriter(path)
    try:
        writer.model(0, m)
        segment = Segment(0, 0, 0, edits_of(m), float(row[0]), float(m.opt.timestep))
        segment.blocks.append(Block(0, 1, KeptRow(row[None])))
        writer.sync(Run({ROOT: Branch(ROOT, name="moment", segments=[segment])}))
    finally:
        writer.close()
    if writer.problem:
        raise OSError(writer.problem)
