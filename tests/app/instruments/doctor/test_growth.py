"""The last sane step of an explosion, and what grew from there."""

from __future__ import annotations

import numpy as np

import sim
from app.instruments.doctor.growth import absurd_speeds, find_growth, translates
from app.run.history.recorded_inputs import row_places
from sim.enums import STATE_RECORD

MODEL = sim.loads(
    "<mujoco><option timestep='.01'/><worldbody><body><freejoint/><geom size='.1'/></body>"
    "<body pos='2 0 0'><joint/><geom size='.1'/></body></worldbody></mujoco>"
)
SPEEDS = row_places(MODEL, STATE_RECORD)["qvel"]


def rows_with(speeds: list[float], dof: int) -> np.ndarray:
    """States in which one dof has these speeds, and the others move a little."""
    rows = np.zeros((len(speeds), sim.state_size(MODEL, sim.record_signature(MODEL))))
    rows[:, SPEEDS] = 0.01 * np.sin(np.arange(len(speeds)))[:, None]
    rows[:, SPEEDS][:, dof] = speeds
    return rows


def test_speeds_are_absurd_if_a_step_moves_too_far() -> None:
    assert translates(MODEL).tolist() == [True] * 3 + [False] * 4
    limit = absurd_speeds(MODEL)
    assert limit[3:].tolist() == [50.0] * 4
    np.testing.assert_allclose(limit[:3], 0.5 * MODEL.stat.extent / 0.01)


def test_growth_is_followed_back_to_its_onset() -> None:
    # 20 calm steps, then five times as fast in each, with alternating signs
    calm = [0.02 * np.cos(k) for k in range(20)]
    wild = [0.02 * (-5.0) ** k for k in range(1, 12)]
    growth = find_growth(MODEL, rows_with(calm + wild, 6))
    assert 18 <= growth.sane <= 20
    assert growth.sane <= growth.step <= growth.sane + 4
    assert np.abs(growth.change).argmax() == 6


def test_a_single_jump_is_found() -> None:
    growth = find_growth(MODEL, rows_with([0.0] * 10 + [1e9, -1e9, 1e9], 3))
    assert (growth.sane, growth.step) == (9, 9)
    assert growth.change.argmax() == 3


def test_one_row_is_enough() -> None:
    growth = find_growth(MODEL, rows_with([0.0], 3))
    assert (growth.sane, growth.step) == (0, 0)


def test_numbers_that_are_not_finite_are_no_obstacle() -> None:
    growth = find_growth(MODEL, rows_with([0.0, 0.0, np.inf, np.nan], 3))
    assert growth.sane == 1
    assert np.isfinite(growth.change).all()
