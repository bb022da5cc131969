"""The small chart of the Forces instrument: its largest bars and the total at the moments that were seen."""

from __future__ import annotations

from app.instruments.forces.bars import Bars
from app.instruments.forces.state import ForcesState
from app.ui import theme
from app.ui.plots.sketch import Sketch, value_shares
from app.ui.source_tints import tint_of
from app.ui.widgets import tooltip

HEIGHT_EM, CURVES = 5.0, 5
HINT = "the largest bars, and the total, at the moments that were seen here; Plots has all recorded time"


def draw_chart(shown: ForcesState, bars: Bars, now: float) -> None:
    """Curves in the colours of the bars, with a line at the shown moment."""
    kinds = {bar.name: bar.kind for bar in bars.bars[:CURVES]}
    times, values = shown.history.series([*kinds], shown.axis, shown.as_force, shown.by_kind)
    if len(times) < 2 or times[-1] <= times[0]:
        return
    sketch = Sketch("history", times, HEIGHT_EM)
    tooltip(HINT)
    shares, low, high = value_shares(values)
    sketch.level(-low / (high - low), theme.LINE)
    for row, kind in zip(shares, (*kinds.values(), ""), strict=True):
        sketch.curve(row, tint_of(kind) if kind else theme.TEXT)
    sketch.mark(now, theme.ACCENT)
    sketch.corners(f"{high:.3g}", f"{low:.3g}")
