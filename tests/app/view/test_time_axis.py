"""The time axis: pixels and times, ticks, zoom and pan, what is kept in sight."""

from __future__ import annotations

import pytest

from app.view.time_axis import TimeAxis, clock_text, follow, tick_step

WHOLE = (0.0, 100.0)


@pytest.mark.parametrize(
    ("time", "step", "text"),
    [
        (0.0, 1.0, "0 s"), (12.0, 1.0, "12 s"), (12.5, 0.5, "12.5 s"), (0.002, 0.001, "0.002 s"), (60.0, 10.0, "1:00"),
        (62.5, 0.5, "1:02.5"), (3753.0, 1.0, "1:02:33"), (7200.0, 3600.0, "2:00:00"), (-3.0, 1.0, "-3 s"),
        (59.9999, 0.01, "1:00.00"), (-1e-12, 1.0, "0 s"), (3599.9999, 0.1, "1:00:00.0"),
    ],
)  # fmt: skip
def test_times_are_read_like_a_clock(time: float, step: float, text: str) -> None:
    assert clock_text(time, step) == text


@pytest.mark.parametrize(
    ("least", "step"),
    [
        (0.0011, 0.002),
        (0.3, 0.5),
        (0.7, 1.0),
        (1.0, 1.0),
        (1.1, 2.0),
        (6.0, 10.0),
        (11.0, 15.0),
        (31.0, 60.0),
        (2000.0, 3600.0),
    ],
)
def test_ticks_stand_at_round_times(least: float, step: float) -> None:
    assert tick_step(least)[0] == pytest.approx(step)


@pytest.mark.parametrize("length", [1e-4, 0.03, 1.0, 17.0, 100.0, 3600.0, 36000.0, 1e6])
def test_labels_have_room(length: float) -> None:
    axis = TimeAxis(3.0, 3.0 + length, 100.0, 800.0)
    step, ticks = axis.ticks(80.0)
    labelled = [tick for tick in ticks if tick.label]
    assert step * axis.scale >= 80.0 * (1 - 1e-9)
    assert 2 <= len(labelled) <= 11
    assert len({tick.label for tick in labelled}) == len(labelled), "two ticks read the same"
    assert all(axis.first <= tick.time * (1 + 1e-12) and tick.time <= axis.last * (1 + 1e-12) for tick in ticks)
    assert len(ticks) < 70


def test_zoom_keeps_the_time_under_the_pointer() -> None:
    axis = TimeAxis(*WHOLE, 50.0, 500.0)
    span = axis.zoomed(300.0, 2.0, WHOLE, 0.02)
    assert span is not None
    closer = TimeAxis(*span, 50.0, 500.0)
    assert span[1] - span[0] == pytest.approx(50.0)
    assert closer.time(300.0) == pytest.approx(axis.time(300.0))
    # back again is the whole, and there is nothing beyond
    assert closer.zoomed(300.0, 0.5, WHOLE, 0.02) is None
    assert closer.zoomed(300.0, 0.1, WHOLE, 0.02) is None
    nearest = closer.zoomed(300.0, 1e9, WHOLE, 0.02)
    assert nearest is not None
    assert nearest[1] - nearest[0] == pytest.approx(0.02)


def test_a_zoom_out_at_the_edge_stays_inside() -> None:
    axis = TimeAxis(0.0, 10.0, 0.0, 500.0)
    assert axis.zoomed(500.0, 0.5, WHOLE, 0.02) == (0.0, 20.0)


def test_pan_follows_the_mouse_up_to_the_ends() -> None:
    axis = TimeAxis(40.0, 60.0, 0.0, 200.0)
    assert axis.panned(50.0, WHOLE) == pytest.approx((35.0, 55.0))
    assert axis.panned(1e6, WHOLE) == pytest.approx((0.0, 20.0))
    assert axis.panned(-1e6, WHOLE) == pytest.approx((80.0, 100.0))


def test_the_playhead_stays_in_sight_if_it_was() -> None:
    assert follow((10.0, 20.0), 18.0, 19.5, WHOLE, 0.1) == pytest.approx((10.5, 20.5))
    assert follow((10.0, 20.0), 12.0, 3.0, WHOLE, 0.1) == pytest.approx((2.0, 12.0))
    # it has not moved, or moves in sight, or the user looks elsewhere, or at everything
    assert follow((10.0, 20.0), 19.5, 19.5, WHOLE, 0.1) == (10.0, 20.0)
    assert follow((10.0, 20.0), 12.0, 15.0, WHOLE, 0.1) == (10.0, 20.0)
    assert follow((10.0, 20.0), 50.0, 51.0, WHOLE, 0.1) == (10.0, 20.0)
    assert follow(None, 50.0, 51.0, WHOLE, 0.1) is None


def test_what_follows_does_not_leave_the_whole() -> None:
    assert follow((80.0, 90.0), 85.0, 100.0, WHOLE, 0.1) == pytest.approx((90.0, 100.0))
    assert follow((10.0, 20.0), 15.0, 0.0, WHOLE, 0.1) == pytest.approx((0.0, 10.0))
