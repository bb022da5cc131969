"""The small chart of the Lockstep instrument: the difference over the recorded past, and where the engines part."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.lockstep.free import TWIN
from app.instruments.lockstep.worker import Lockstep
from app.run.commands import GoTo, Send
from app.ui import theme
from app.ui.plots.sketch import Sketch
from app.ui.widgets import show_tooltip

HEIGHT_EM = 6.0
# powers of ten at the edges of the chart: differences in tolerances, distances of free runs
TOLERANCES, DISTANCES = (-9.0, 9.0), (-17.0, 1.0)
FOLLOWED = "largest difference of a stage over its tolerance, at recorded moments; click: go there"
RAN_FREE = "distance of the free run; grey: of MuJoCo from itself, started 1e-10 away; click: go there"
# points that are drawn at most
MOST_POINTS = 600


def draw_chart(found: Lockstep, free: bool, send: Send) -> None:
    """The past as a curve with a line at the shown moment; a click goes to the nearest moment."""
    points = [*found.points][:: max(len(found.points) // MOST_POINTS, 1)]
    times = np.array([p.time for p in points] if free else [time for time, _ in found.past.values()])
    steps = [p.step for p in points] if free else [*found.past]
    if len(times) < 2 or not times[-1] > times[0]:
        return
    values = np.array([p.distance for p in points] if free else [excess for _, excess in found.past.values()])
    imgui.spacing()
    sketch = Sketch("lockstep past", times, HEIGHT_EM)
    edges = DISTANCES if free else TOLERANCES
    if free:
        sketch.curve(_heights(np.array([TWIN * p.growth for p in points]), edges), theme.DIM)
    else:
        sketch.level(float(_heights(np.ones(1), edges)[0]), theme.ERROR)
    sketch.curve(_heights(values, edges), theme.ACCENT)
    sketch.mark(found.time, theme.TEXT)
    if free and found.parted is not None:
        sketch.mark(found.parted.time, theme.ERROR, "diverged")
    sketch.corners("", "distance" if free else "error / tolerance")
    nearest = sketch.pointed
    if nearest is not None:
        show_tooltip(
            f"{times[nearest]:.6g} s, step {steps[nearest]}: {values[nearest]:.1e}\n{RAN_FREE if free else FOLLOWED}"
        )
        if sketch.clicked:
            send(GoTo(steps[nearest]))


def _heights(values: np.ndarray, edges: tuple[float, float]) -> np.ndarray:
    """Where values are on a logarithmic axis, as shares."""
    low, high = edges
    powers = np.log10(np.clip(np.nan_to_num(values, nan=10.0**high), 10.0**low, 10.0**high))
    shares: np.ndarray = (powers - low) / (high - low)
    return shares
