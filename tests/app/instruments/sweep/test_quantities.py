"""Quantities of a sweep: reductions of curves, units, defaults, the best value."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.sweep.quantities import (
    DISTANCE,
    END,
    INTEGRAL,
    LARGEST,
    MAX,
    MEAN,
    MIN,
    NONE,
    REDUCTIONS,
    RMS,
    SMALLEST,
    Quantity,
    best_and_worst,
    default_quantities,
    reduced,
)
from app.run.snapshot import view_model, view_state

BALL = "<mujoco><worldbody>{}<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def test_reductions_of_a_sine() -> None:
    times = np.linspace(0.0, 2 * np.pi, 2001)
    curve = 3 * np.sin(times) + 1
    wanted = {END: 1.0, MIN: -2.0, MAX: 4.0, MEAN: 1.0, RMS: np.sqrt(5.5), INTEGRAL: 2 * np.pi}
    assert wanted.keys() == REDUCTIONS.keys()
    for name, number in wanted.items():
        assert reduced(times, curve, name) == pytest.approx(number, abs=1e-5)


def test_samples_need_not_be_at_equal_distances() -> None:
    times = np.array([0.0, 1.0, 1.5, 4.0])
    assert reduced(times, 2 * times, MEAN) == pytest.approx(4.0)
    assert reduced(times[:1], times[:1] + 5, MEAN) == 5.0


def test_without_values_there_is_no_number() -> None:
    times = np.arange(3.0)
    assert np.isnan(reduced(times[:0], times[:0], MAX))
    assert np.isnan(reduced(times, np.full(3, np.nan), MAX))
    assert reduced(times, np.array([1.0, np.nan, 3.0]), MAX) == 3.0
    assert np.isnan(reduced(times, np.array([1.0, 2.0, np.nan]), END))


def test_units() -> None:
    view = view_model(sim.loads(BALL.format("")))
    assert Quantity("energy()").unit(view) == "J"
    assert Quantity("d.qpos[2]", INTEGRAL).unit(view) == "m s"
    assert Quantity(DISTANCE, MAX).unit(view) == "m"


@pytest.mark.parametrize("floor", [True, False])
def test_defaults_have_contacts_where_there_can_be_some(floor: bool) -> None:
    m = sim.loads(BALL.format("<geom type='plane' size='1 1 1'/>" if floor else ""))
    found = [quantity.expression for quantity in default_quantities(view_model(m), view_state(sim.Data(m)))]
    assert found[0] == "energy()" and found[-1] == DISTANCE
    assert ("depth()" in found) == floor


def test_best_and_worst() -> None:
    values = np.array([3.0, np.nan, 1.0, 2.0])
    assert best_and_worst(values, SMALLEST) == (2, 0)
    assert best_and_worst(values, LARGEST) == (0, 2)
    assert best_and_worst(values, NONE) == (-1, -1)
    assert best_and_worst(np.array([1.0, 1.0]), LARGEST) == (-1, -1)
    assert best_and_worst(np.array([np.nan, 1.0]), LARGEST) == (-1, -1)
