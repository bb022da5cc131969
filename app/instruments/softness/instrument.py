"""The instrument Softness: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.softness.panel import softness_panel

INSTRUMENT = Instrument(
    "Softness",
    "right below",
    softness_panel,
    question="how stiff is this contact, in newtons per metre?",
    words="stiffness solref solimp penetration",
    quantities=lambda _snapshot, _view: ("depth()",),
)
