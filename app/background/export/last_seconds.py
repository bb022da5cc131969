"""A recording (.ktr) of the steps before a moment: made again with the export's own model, so that it holds no path.

What the user did in that time, in the state or to the model, is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import sim
from app.run.engine.installed import mujoco
from app.run.engine.mujoco_model import MujocoModel
from app.run.history.taken_rows import TakenRows
from app.run.recording.run_recorder import VIEW
from sim.edits import NO_EDITS
from sim.recording.record import Recorder

# how far it goes back, s, in how many steps and bytes of rows at most
SECONDS, MOST_STEPS, MOST_BYTES = 5.0, 2000, 64 << 20


def steps_back(timestep: float, width: int) -> int:
    """How many steps before a moment a recording has, of rows with so many numbers."""
    return int(max(min(SECONDS / max(timestep, 1e-9), MOST_STEPS, MOST_BYTES / (8 * max(width, 1))), 1))


def plain_model(model: sim.Model) -> sim.Model:
    """A model as its files say, without edits, which knows nothing of where they were."""
    plain = model.copy()
    model.engine.apply_edits(plain, NO_EDITS)
    if plain.__dict__.get("source") is None:
        return plain
    files = plain.packed()
    xml = files.pop("model.xml").decode()
    if isinstance(model, MujocoModel):
        return MujocoModel(mujoco().MjModel.from_xml_string(xml, files))
    return sim.loads(xml, files)


def write_last_seconds(m: sim.Model, taken: Sequence[TakenRows], path: Path, name: str, view: str = "") -> int:
    """Record rows of consecutive steps with a model that has no edits; returns how many steps are in the file."""
    engine, d = m.engine, m.engine.Data(m)
    # an edit makes the model another one: of several versions of the file the last counts
    pieces = [rows for rows in taken if rows.model is taken[-1].model and len(rows.rows)]
    made, last = 0, pieces[-1] if pieces else None
    with Recorder(m, d, path, name=name) as recorder:
        for piece in pieces:
            engine.apply_edits(m, piece.edits)
            signature = engine.record_signature(m)
            for row in piece.rows[: -1 if piece is last else None]:
                if engine.get_state(m, d, signature).tobytes() != row.tobytes():
                    engine.set_state(m, d, row, signature, check=False)
                recorder.step()
                made += 1
        if view:
            recorder.writer.note(VIEW, {"view": view})
    if recorder.problem:
        raise OSError(recorder.problem)
    return made
