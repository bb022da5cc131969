"""A copy of a model on which a fix of the doctor was tried."""

from __future__ import annotations

import sim
from app.instruments.doctor.finding import Fix
from app.run.edited_cells import edits_with
from sim.script.model_edits import edits_of


def cured(model: sim.Model, fix: Fix) -> sim.Model:
    copy = model.copy()
    sim.apply_edits(copy, edits_with(copy, edits_of(copy), fix.edits))
    return copy
