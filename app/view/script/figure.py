"""Figures of a script over the view: curves or bars in a rectangle, read from a mujoco.MjvFigure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Colour = tuple[float, ...]


@dataclass(frozen=True)
class Line:
    """One curve: points (n, 2), colour, name."""

    points: Array
    colour: Colour
    name: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure: its rectangle in pixels from the lower left corner of the view, curves, ranges, texts, colours."""

    left: int
    bottom: int
    width: int
    height: int
    lines: tuple[Line, ...] = ()
    # of x and of y
    low: tuple[float, float] = (0.0, 0.0)
    high: tuple[float, float] = (1.0, 1.0)
    bars: bool = False
    legend: bool = True
    line_width: float = 3.0
    # lines of the grid, and whether they have numbers, in x and y
    grid: tuple[int, int] = (2, 2)
    numbered: tuple[bool, bool] = (True, True)
    formats: tuple[str, str] = ("%.0f", "%.2g")
    title: str = ""
    xlabel: str = ""
    background: Colour = (0.0, 0.0, 0.0, 1.0)
    pane: Colour = (0.0, 0.0, 0.0, 1.0)
    grid_colour: Colour = (0.4, 0.4, 0.4)
    text_colour: Colour = (1.0, 1.0, 1.0)


def read_figure(rect: Any, figure: Any) -> Figure:
    """A figure as it is now, from a mujoco.MjrRect and a mujoco.MjvFigure."""
    counts = np.clip(np.asarray(figure.linepnt), 0, figure.linedata.shape[1] // 2)
    data, colours, names = figure.linedata, figure.linergb, figure.linename
    lines = []
    for k in np.flatnonzero(counts).tolist():
        points = np.array(data[k][: 2 * counts[k]], float).reshape(-1, 2)
        name = names[k].decode() if isinstance(names[k], bytes) else str(names[k])
        lines.append(Line(points[np.isfinite(points).all(axis=1)], tuple(colours[k].tolist()), name))
    low, high = _ranges(lines, np.array(figure.range, float), bool(figure.flg_extend), bool(figure.flg_symmetric))
    return Figure(
        int(rect.left), int(rect.bottom), int(rect.width), int(rect.height), tuple(lines), low, high,
        bars=bool(figure.flg_barplot),
        legend=bool(figure.flg_legend),
        line_width=float(figure.linewidth),
        grid=(int(figure.gridsize[0]), int(figure.gridsize[1])),
        numbered=(bool(figure.flg_ticklabel[0]), bool(figure.flg_ticklabel[1])),
        formats=(str(figure.xformat), str(figure.yformat)),
        title=str(figure.title),
        xlabel=str(figure.xlabel),
        background=tuple(figure.figurergba.tolist()),
        pane=tuple(figure.panergba.tolist()),
        grid_colour=tuple(figure.gridrgb.tolist()),
        text_colour=tuple(figure.textrgb.tolist()),
    )  # fmt: skip


def _ranges(
    lines: list[Line], given: Array, extend: bool, symmetric: bool
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Low and high end of x and y: as given, or of the data where the range is empty; `extend` includes all data."""
    ends = []
    for axis in (0, 1):
        low, high = given[axis].tolist()
        values = np.concatenate([line.points[:, axis] for line in lines]) if lines else np.zeros(0)
        if values.size:
            least, most = float(values.min()), float(values.max())
            if low >= high:
                low, high = least, most
            elif extend:
                low, high = min(low, least), max(high, most)
        if symmetric and axis == 1:
            high = max(abs(low), abs(high))
            low = -high
        ends.append((low, high if high > low else low + 1.0))
    return (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1])
