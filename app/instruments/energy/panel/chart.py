"""The chart of the Energy instrument: energies, or the work of each kind of source, over the range."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.energy.curves import Curves
from app.instruments.energy.panel.tints import ENERGY_TINTS, tint_of
from app.instruments.energy.report import Group
from app.run.commands import GoTo, Send
from app.run.history.timeline import Timeline
from app.ui import theme
from app.ui.plots.sketch import Sketch, value_shares
from app.ui.plots.small import no_plot
from app.ui.quantities import compact
from app.ui.widgets import em, show_tooltip

HEIGHT_EM, CURVES = 8.0, 5
Curve = tuple[str, np.ndarray, theme.Rgba]


def energy_lines(curves: Curves) -> tuple[np.ndarray, list[Curve]]:
    """Kinetic energy, potential energies above their lowest, and the total above the same."""
    kinetic, gravity, springs = curves.energies
    above = gravity - gravity.min(initial=np.inf)
    names = [("total", kinetic + above + springs), ("kinetic", kinetic)]
    names += [(name, part) for name, part in (("gravity", above), ("springs", springs)) if np.ptp(part) > 0]
    return curves.times, [(name, values, ENERGY_TINTS[name]) for name, values in names]


def work_lines(curves: Curves, found: list[Group]) -> tuple[np.ndarray, list[Curve]]:
    """The work of the largest kinds since the beginning of the range."""
    lines = []
    for group in found[:CURVES]:
        parts = [curves.work[source] for source in group.row.sources if source in curves.work]
        if parts:
            lines.append((group.row.name, np.sum(parts, axis=0), tint_of(group.row.kind)))
    return curves.work_times, lines


def draw_chart(times: np.ndarray, lines: list[Curve], now: float, timeline: Timeline, send: Send) -> None:
    """Curves with a line at the current step; a click goes to the time at the pointer."""
    if len(times) < 2 or not times[-1] > times[0] or not lines:
        no_plot("nothing to draw yet", max(imgui.get_content_region_avail().x, 1.0), em(HEIGHT_EM))
        return
    sketch = Sketch("energy over time", times, HEIGHT_EM, 0.95)
    shares, low, high = value_shares(np.array([line for _, line, _ in lines]))
    sketch.level(-low / (high - low), theme.LINE)
    for row, (_, _, tint) in zip(shares, lines, strict=True):
        sketch.curve(row, tint)
    sketch.mark(now, theme.ACCENT)
    sketch.corners(compact(high, "J"), compact(low, "J"))
    sketch.legend([(name, tint) for name, _, tint in lines])
    nearest = sketch.pointed
    if nearest is not None:
        numbers = [f"{name} {compact(float(line[nearest]), 'J')}" for name, line, _ in lines]
        show_tooltip("\n".join([f"{times[nearest]:.4g} s", *numbers, "click: go there"]))
        if sketch.clicked:
            send(GoTo(timeline.step_at(float(times[nearest]))))
