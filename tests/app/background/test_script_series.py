"""What a script plots stays: a new line when time goes back, thinned out beyond the budget, never without peaks."""

from __future__ import annotations

import numpy as np

from app.background.script_series import BYTES, MOST_LINES, ScriptSeries


def test_nothing_is_erased_when_time_goes_back() -> None:
    series = ScriptSeries()
    for time, value in ((0.0, 1.0), (0.1, 2.0), (0.0, 3.0), (0.0, 4.0), (0.2, 5.0)):
        series.sample("speed", time, value)
    series.sample("other", 9.0, 9.0)
    curves = series.curves()
    assert [line.values.tolist() for line in curves["speed"].lines] == [[1, 2], [3, 4, 5]]
    assert curves["other"].lines[0].times.tolist() == [9]
    assert curves["speed"].thinned is None


def test_curves_that_were_taken_stay_as_they_are() -> None:
    series = ScriptSeries()
    series.sample("x", 0.0, 1.0)
    (taken,) = series.curves()["x"].lines
    for k in range(1, 500):
        series.sample("x", float(k), 0.0)
    assert taken.values.tolist() == [1.0]
    (now,) = series.curves()["x"].lines
    assert len(now) == 500 and len(now.lows) == 500 // 32
    assert now.highs[0] == 1.0 and now.highs[1:].max() == 0.0


def test_beyond_the_budget_old_values_are_thinned_and_peaks_stay() -> None:
    series, count = ScriptSeries(2000 * BYTES), 9000
    values = np.sin(np.arange(count))
    values[40], values[41] = 30.0, -30.0
    for k, value in enumerate(values.tolist()):
        series.sample("x", 0.01 * k, value)
        series.sample("rare", 0.01 * k, 1.0) if k % 100 == 0 else None
    curves = series.curves()
    (line,) = curves["x"].lines
    assert 500 < len(line) <= 2000
    assert line.values.max() == 30.0 and line.values.min() == -30.0
    assert np.all(np.diff(line.times) > 0)
    # the newest part is whole, and it says from when on
    assert curves["x"].thinned is not None
    whole = line.times >= curves["x"].thinned
    assert np.allclose(np.diff(line.times[whole]), 0.01) and line.times[-1] == 0.01 * (count - 1)
    # what takes little room is left alone
    assert curves["rare"].thinned is None and len(curves["rare"].lines[0]) == 90


def test_lines_that_ended_are_thinned_first() -> None:
    series = ScriptSeries(1000 * BYTES)
    for k in range(1100):
        series.sample("x", float(k % 400), float(k))
    lines = series.curves()["x"].lines
    assert [len(line) for line in lines] == [200, 200, 300]
    assert lines[0].values[0] == 0.0 and lines[-1].values[-1] == 1099.0


def test_a_script_that_starts_over_for_ever_has_its_newest_lines() -> None:
    series = ScriptSeries()
    for k in range(3 * MOST_LINES):
        series.sample("x", float(k % 2), float(k))
    lines = series.curves()["x"].lines
    assert len(lines) == MOST_LINES and lines[-1].values[-1] == 3 * MOST_LINES - 1
