"""The instrument Code: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.code.panel.panel import code_panel
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Code",
    "right below",
    code_panel,
    question="which kernel computes this, and how?",
    words="kernel source formula definition editor debugger pdb",
)
