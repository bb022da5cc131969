"""The instrument Contact: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.contact.panel import contact_panel
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Contact",
    "right below",
    contact_panel,
    question="does this contact stick or slip, and how hard does it push?",
    words="microscope friction cone slip",
)
