"""The instrument A/B: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.ab.panel import ab_panel
from app.instruments.ab.state import AbState
from app.instruments.ab.worker import AbWorker
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "A/B",
    "right below",
    ab_panel,
    question="what would another value do? A second simulation, as a ghost",
    words="ab compare variant copy ghost what if other value file branch difference second",
    worker=(AbState, AbWorker),
)
