"""The instrument Lockstep: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.lockstep.panel import lockstep_panel
from app.instruments.lockstep.state import LockstepState
from app.instruments.lockstep.worker import LockstepWorker

INSTRUMENT = Instrument(
    "Lockstep",
    "right below",
    lockstep_panel,
    question="do Kinetoscope and MuJoCo compute the same here?",
    words="compare mujoco difference",
    worker=(LockstepState, LockstepWorker),
    quantities=lambda _snapshot, _view: ("d.nefc", "d.nisland"),
)
