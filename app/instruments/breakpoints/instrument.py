"""The instrument Breakpoints: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.breakpoints.panel import breakpoints_panel
from app.instruments.entry import Instrument
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState


def _expressions(snapshot: Snapshot, _: ViewState) -> list[str]:
    """The conditions that are waited for."""
    return [point.expression for point in snapshot.run.breakpoints]


INSTRUMENT = Instrument(
    "Breakpoints",
    "bottom",
    breakpoints_panel,
    question="when does this happen? Pause there",
    words="stop pause condition",
    quantities=_expressions,
)
