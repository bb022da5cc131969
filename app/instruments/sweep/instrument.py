"""The instrument Sweep: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.sweep.panel import sweep_panel
from app.instruments.sweep.pictures import SweepPictures
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.worker import SweepWorker

INSTRUMENT = Instrument(
    "Sweep",
    "right below",
    sweep_panel,
    question="which of these values is the best?",
    words="parameter study values scan try several tune compare grid search",
    worker=(SweepState, SweepWorker),
    pictures=SweepPictures,
    closed=lambda view: view.of(SweepState).drop(),
)
