"""Figures of a script, read from an MjvFigure."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from app.view.script.figure import Figure, read_figure


@pytest.fixture
def figure() -> mujoco.MjvFigure:
    """Two curves: one of 40 points, one of 2."""
    made = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(made)
    made.linepnt[:2], made.linename[0], made.title = (40, 2), "first", "a title"
    made.linedata[0][:80:2], made.linedata[0][1:80:2] = np.arange(40), np.arange(40) - 10.0
    made.linedata[1][:4] = (0, 5, 50, 6)
    made.linergb[1] = (0, 1, 0)
    return made


def read(figure: mujoco.MjvFigure) -> Figure:
    """As it is now."""
    return read_figure(mujoco.MjrRect(10, 20, 300, 200), figure)


def test_what_is_drawn_is_what_the_script_has_set(figure: mujoco.MjvFigure) -> None:
    shown = read(figure)
    assert (shown.left, shown.bottom, shown.width, shown.height) == (10, 20, 300, 200)
    assert [len(line.points) for line in shown.lines] == [40, 2]
    assert (shown.lines[0].name, shown.lines[1].colour, shown.title) == ("first", (0, 1, 0), "a title")
    assert shown.lines[1].points.tolist() == [[0, 5], [50, 6]]
    # later points are not in it
    figure.linedata[1][0] = 7
    assert shown.lines[1].points[0, 0] == 0


def test_ranges(figure: mujoco.MjvFigure) -> None:
    # the given range, and all data
    figure.range[:] = ((0, 1), (0, 1))
    assert (read(figure).low, read(figure).high) == ((0, -10), (50, 29))
    figure.flg_extend = 0
    assert (read(figure).low, read(figure).high) == ((0, 0), (1, 1))
    # an empty one is that of the data
    figure.range[:] = ((0, 1), (1, 0))
    assert (read(figure).low[1], read(figure).high[1]) == (-10, 29)
    figure.flg_symmetric = 1
    assert (read(figure).low[1], read(figure).high[1]) == (-29, 29)


def test_numbers_that_are_not_finite_are_left_out(figure: mujoco.MjvFigure) -> None:
    figure.linedata[0][5] = np.nan
    assert len(read(figure).lines[0].points) == 39
    figure.linepnt[:] = 0
    empty = read(figure)
    assert empty.lines == ()
    assert empty.high > empty.low
