"""The curves that the Plots panel draws: expressions along each line, and what a script plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imgui_bundle import implot

from app.background.curve import Curve
from app.background.units import unit_of
from app.run.snapshot import Snapshot
from app.ui import theme
from app.view.plots import curves_of, line_name, shown_lines
from app.view.view_state import ViewState

# lengths of dashes and gaps in pixels: of the present line, then of compared ones
PATTERNS = ((1_000_000, 0), (9, 5), (3, 4), (14, 4))
COMPARED_ALPHA, OLD_ALPHA = 0.75, 0.35
# earlier lines of a script that are drawn
OLD_LINES = 8


@dataclass(frozen=True)
class Drawn:
    """A curve in the plot: what it is called, its colour and kind of line, its unit if that is known."""

    name: str
    line: str
    curves: list[Curve]
    tint: theme.Rgba
    pattern: tuple[int, int]
    weight: float = 1.6
    unit: str = ""


def tint_of(number: int, alpha: float = 1.0) -> theme.Rgba:
    """The colour of a curve."""
    tint = implot.get_colormap_color(number)
    return tint.x, tint.y, tint.z, alpha


def drawn_curves(snapshot: Snapshot, view: ViewState) -> Iterator[Drawn]:
    """All curves of the plot, of each expression the present line first."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    for watch in plots.watches:
        for index, branch in enumerate(lines) if watch.plotted else ():
            curves = curves_of(plots, timeline, branch, watch.expression)
            name = line_name(timeline, branch) if len(lines) > 1 else ""
            tint = tint_of(watch.colour, COMPARED_ALPHA if index else 1.0)
            unit = unit_of(watch.expression, snapshot.model)
            yield Drawn(watch.expression, name, curves, tint, PATTERNS[index % len(PATTERNS)], unit=unit)
    for index, (name, script) in enumerate(plots.script.items()):
        if name not in plots.unplotted:
            colour = len(plots.watches) + index
            yield Drawn(name, "", [script.lines[-1]], tint_of(colour), PATTERNS[0])
            for line in script.lines[-1 - OLD_LINES : -1]:
                yield Drawn("", "", [line], tint_of(colour, OLD_ALPHA), PATTERNS[0], 1.0)
