"""The instrument Forces: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.forces.panel import forces_panel

INSTRUMENT = Instrument(
    "Forces",
    "right below",
    forces_panel,
    question="where does this acceleration come from?",
    words="torque acceleration why",
)
