"""Curves: what a screen shows of them keeps every peak; what is read off them is a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.background.curve import (
    BLOCK,
    MOST_PER_PIXEL,
    Curve,
    Cuts,
    GrowingArray,
    blocks,
    cut_down,
    dashed,
    nearest,
    polyline,
    within,
)


def long_curve(count: int, with_blocks: bool = True) -> Curve:
    """Noise with a few lonely peaks and a stretch without values."""
    random = np.random.default_rng(7)
    values = random.normal(size=count)
    values[count // 3], values[count // 2] = 50.0, -40.0
    values[count // 5 : count // 4] = np.nan
    curve = Curve(np.arange(count) * 0.002, values)
    return Curve(curve.times, values, *blocks(values)) if with_blocks else curve


@pytest.mark.parametrize("with_blocks", [False, True])
@pytest.mark.parametrize("count", [10, 5_000, 700_000])
def test_cut_down_keeps_smallest_and_largest_of_each_pixel(count: int, with_blocks: bool) -> None:
    curve, pixels = long_curve(count, with_blocks), 500
    end = float(curve.times[-1])
    times, values = cut_down(curve, 0.0, end, pixels)
    assert len(times) == len(values) <= MOST_PER_PIXEL * pixels
    assert np.all(np.diff(times) >= 0)
    assert np.nanmin(values) == np.nanmin(curve.values)
    assert np.nanmax(values) == np.nanmax(curve.values)
    # each peak is where it was, to a pixel or a block
    near = max(end / pixels, BLOCK * 0.002)
    for peak in (count // 3, count // 2):
        assert abs(times[list(values).index(curve.values[peak])] - curve.times[peak]) <= near
    # where there is no value there is a gap
    inside = (times > curve.times[count // 5] + near) & (times < curve.times[max(count // 4 - 1, 0)] - near)
    assert np.isnan(values[inside]).all()


def test_cut_down_takes_one_sample_beyond_each_edge() -> None:
    curve = Curve(np.arange(10.0), np.arange(10.0))
    times, _ = cut_down(curve, 2.5, 5.5, 100)
    assert times.tolist() == [2, 3, 4, 5, 6]
    assert cut_down(Curve(), 0.0, 1.0, 100)[0].tolist() == []


def test_a_rising_curve_is_drawn_rising() -> None:
    ramp = Curve(np.arange(10_000.0), np.arange(10_000.0))
    assert np.all(np.diff(cut_down(ramp, 0, 9_999, 50)[1]) >= 0)
    fall = Curve(ramp.times, -ramp.values)
    assert np.all(np.diff(cut_down(fall, 0, 9_999, 50)[1]) <= 0)


def test_where_time_goes_back_a_new_line_begins() -> None:
    first, second = (Curve(np.array(t), np.ones(len(t))) for t in ([0.0, 1.0, 2.0], [0.5, 1.5]))
    times, values = polyline([first, Curve(), second], 0.0, 3.0, 100)
    assert np.isnan(values).tolist() == [False, False, False, True, False, False]
    # parts that follow each other are one line
    assert not np.isnan(polyline([first, Curve(np.array([2.5]), np.ones(1))], 0.0, 3.0, 100)[1]).any()
    assert len(times) == 6


def test_nearest_sample_and_samples_of_a_range() -> None:
    curves = [Curve(np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0, 7.0])), Curve(np.array([3.0]), np.array([8.0]))]
    assert nearest(curves, 1.2) == (1.0, 6.0)
    assert nearest(curves, 9.0) == (3.0, 8.0)
    assert nearest(curves, -1.0) == (0.0, 5.0)
    assert nearest([], 0.0) is None
    assert within(curves, 1.0, 3.0)[1].tolist() == [6, 7, 8]
    assert within(curves, 1.0, 2.0)[0].tolist() == [1, 2]
    assert within(curves, 4.0, 5.0)[0].tolist() == []


def test_views_of_a_growing_array_stay_as_they_are() -> None:
    array = GrowingArray()
    array.extend(np.arange(60.0))
    seen = array.view()
    for number in range(200):
        array.append(number)
    array.extend(np.full(1000, 7.0))
    assert seen.tolist() == list(range(60))
    assert array.view().tolist() == [*range(60), *range(200), *[7.0] * 1000]
    with pytest.raises(ValueError):
        seen[0] = 1.0


def test_dashes_stay_where_they_are_in_time() -> None:
    times = np.array([0.0, 10.0])
    x, y = dashed(times, 2 * times, 0.0, 10.0, 1000, (6, 4))
    drawn = ~np.isnan(y)
    assert 0.55 < drawn.mean() < 0.65
    assert np.allclose(y[drawn], 2 * x[drawn])
    # the same window, moved by less than a dash
    moved, other = dashed(times, 2 * times, 0.02, 10.02, 1000, (6, 4))
    at = {round(t * 100): bool(np.isfinite(v)) for t, v in zip(x, y, strict=True)}
    same = [at[round(t * 100)] == np.isfinite(v) for t, v in zip(moved, other, strict=True) if round(t * 100) in at]
    assert np.mean(same) > 0.97


def grown(count: int) -> tuple[GrowingArray, GrowingArray]:
    times, values = GrowingArray(), GrowingArray()
    times.extend(np.arange(count) * 0.002)
    values.extend(np.sin(np.arange(count) * 0.001))
    return times, values


def test_a_curve_that_grows_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(curve: Curve, *rest: Any) -> Any:
        made.append(len(curve))
        return cut_down(curve, *rest)

    monkeypatch.setattr("app.background.curve.cut_down", counted)
    cuts, (times, values) = Cuts(), grown(100_000)
    for count in range(100_000, 103_000, 30):
        curve = Curve(times.view(), values.view())
        x, y = cuts.points(curve, 0.0, count * 0.002, 300)
        # all that there is is drawn, the newest as well
        assert x[0] == 0.0 and x[-1] == curve.times[-1] and y[-1] == curve.values[-1]
        assert np.all(np.diff(x) >= 0) and len(x) <= 2 * MOST_PER_PIXEL * 300
        times.extend(np.arange(count, count + 30) * 0.002)
        values.extend(np.full(30, 2.0))
    # the second time in the larger room that it got when it grew first, then with every 1200 samples
    assert made == [100_000, 100_030, 101_230, 102_430]
    # another scale, another part, and another array
    curve = Curve(times.view(), values.view())
    cuts.points(curve, 0.0, 1000.0, 300)
    cuts.points(curve, 50.0, 150.0, 300)
    assert len(made) == 6
    other = Curve(times.view().copy(), -values.view())
    assert cuts.points(other, 50.0, 150.0, 300)[1].max() <= 1.0
    assert len(made) == 7
