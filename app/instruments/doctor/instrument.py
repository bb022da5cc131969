"""The instrument Doctor: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.doctor.divergence_examiner import DivergenceExaminer
from app.instruments.doctor.panel.panel import doctor_panel
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Doctor",
    "right below",
    doctor_panel,
    question="what is wrong with this model?",
    words="check problems warnings diagnose debug",
    worker=(PostMortemState, DivergenceExaminer),
)
