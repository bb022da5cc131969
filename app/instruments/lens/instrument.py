"""The instrument Lens: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.lens.panel import lens_panel
from app.instruments.lens.state import LensState
from app.instruments.lens.wake_search import WakeSearch

INSTRUMENT = Instrument(
    "Lens",
    "right below",
    lens_panel,
    question="why is this tree awake, and what does its island cost?",
    words="island sleep awake wake colour color heat map cost solver time residual energy",
    worker=(LensState, WakeSearch),
    quantities=lambda _snapshot, _view: ("d.nisland", "d.ntree_awake"),
)
