"""Statistics of curves: against numpy's where samples are dense, by hand where they are few."""

from __future__ import annotations

import numpy as np
import pytest

from app.background.curve_statistics import HEADINGS, Statistics, as_text, statistics


def test_of_a_sine() -> None:
    times = np.linspace(0.0, 2 * np.pi, 20_001)
    found = statistics(times, 3.0 + np.sin(times))
    assert found.min == pytest.approx(2.0) and found.max == pytest.approx(4.0)
    assert found.mean == pytest.approx(3.0)
    assert found.rms == pytest.approx(np.sqrt(9.5), rel=1e-6)
    assert found.std == pytest.approx(np.sqrt(0.5), rel=1e-6)
    assert found.change == pytest.approx(0.0, abs=1e-12)
    assert found.samples == 20_001


def test_dense_samples_in_one_place_do_not_count_more() -> None:
    times = np.concatenate([np.linspace(0, 1, 1001), np.linspace(1.01, 2, 100)])
    values = np.where(times <= 1.0, 0.0, 2.0)
    assert statistics(times, values).mean == pytest.approx(1.0, abs=0.01)


def test_what_has_no_value_does_not_count() -> None:
    found = statistics(np.arange(5.0), np.array([np.nan, 1.0, np.inf, 3.0, np.nan]))
    assert found == Statistics(1.0, 3.0, 2.0, pytest.approx(np.sqrt(5)), 1.0, 2.0, 2)
    none = statistics(np.arange(3.0), np.full(3, np.nan))
    assert none.samples == 0 and np.isnan(none.mean)
    assert statistics(np.array([4.0]), np.array([-2.0])) == Statistics(-2.0, -2.0, -2.0, 2.0, 0.0, 0.0, 1)


def test_small_ripple_on_a_large_value() -> None:
    times = np.linspace(0, 1, 1001)
    ripple = 1e-4 * np.sin(2 * np.pi * times)
    assert statistics(times, 1e6 + ripple).std == pytest.approx(1e-4 / np.sqrt(2), rel=1e-3)


def test_text_for_a_spreadsheet() -> None:
    row = Statistics(0.1, 2.0, 1.0, 1.5, 0.5, -1.0, 7)
    head, line = (text.split("\t") for text in as_text(["d.qpos[0]"], [row], "0 to 1 s").splitlines())
    assert head == ["0 to 1 s", *HEADINGS]
    assert line[0] == "d.qpos[0]"
    assert Statistics(*(float(x) for x in line[1:])) == row
