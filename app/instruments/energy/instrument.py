"""The instrument Energy: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.energy.panel import energy_panel
from app.instruments.energy.state import EnergyState
from app.instruments.energy.worker import EnergyWorker
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Energy",
    "right below",
    energy_panel,
    question="where does energy come from and go to, and what is conserved?",
    words="conservation momentum dissipation audit leak power work",
    worker=(EnergyState, EnergyWorker),
    quantities=lambda _snapshot, _view: ("energy()",),
)
