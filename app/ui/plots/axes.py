"""Axes of a plot: curves of one unit share an axis, at most three; the first on the left, others on the right."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from imgui_bundle import imgui, implot

from app.ui.plots.drawn import Drawn
from app.ui.widgets import em

Y_AXES = (implot.ImAxis_.y1, implot.ImAxis_.y2, implot.ImAxis_.y3)
# the closest look at values of size one: below it there is rounding, and ticks would all read the same
CLOSEST = 1e-5
# a plot has an axis for each of these of its width
AXIS_EM = 9.0


def units_by_axis(units: Sequence[str], most: int = len(Y_AXES)) -> list[tuple[str, ...]]:
    """The units of each axis, in the order of curves; what so many axes do not hold is on the last one."""
    different = tuple(dict.fromkeys(units)) or ("",)
    last = most - 1
    return [*((unit,) for unit in different[:last]), *([different[last:]] if different[last:] else [])]


def _has_values(curve: Drawn) -> bool:
    """Whether a curve begins or ends with a number: that of an error is NaN everywhere."""
    ends = [float(line.values[k]) for line in curve.curves if len(line) for k in (0, -1)]
    return not all(map(math.isnan, ends))


def _size(curves: Sequence[Drawn]) -> float:
    """How large the latest values are; not 0."""
    latest = [abs(float(line.values[-1])) for curve in curves for line in curve.curves[-1:] if len(line)]
    return max((value for value in latest if math.isfinite(value)), default=0.0) or sys.float_info.min


def setup_axes(shown: Sequence[Drawn], width: float) -> dict[str, implot.ImAxis_]:
    """Set the axes of a plot of some width up; returns the axis of each unit. An axis of one curve has its colour."""
    implot.setup_axis(implot.ImAxis_.x1, "", implot.AxisFlags_.none)
    # the unit is in the labels of the ticks: a line below would cost a tenth of a low panel
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    axes = {}
    # an error has no curve, and no axis
    named = [curve for curve in shown if curve.name and _has_values(curve)]
    by_axis = units_by_axis([curve.unit for curve in named], min(max(int(width / em(AXIS_EM)), 1), len(Y_AXES)))
    for k, (axis, units) in enumerate(zip(Y_AXES, by_axis, strict=False)):
        flags = implot.AxisFlags_.auto_fit | implot.AxisFlags_.no_side_switch
        if k:
            flags |= implot.AxisFlags_.opposite | implot.AxisFlags_.no_grid_lines
        tints = {curve.tint[:3] for curve in named if curve.unit in units}
        own = len(by_axis) > 1 and len(tints) == 1
        if own:
            implot.push_style_color(implot.Col_.axis_text, imgui.ImVec4(*tints.pop(), 1.0))
        implot.setup_axis(axis, ", ".join(unit for unit in units if unit), int(flags))
        if own:
            implot.pop_style_color()
        implot.setup_axis_zoom_constraints(axis, CLOSEST * _size([c for c in named if c.unit in units]), math.inf)
        axes.update(dict.fromkeys(units, axis))
    return axes
