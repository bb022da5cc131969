"""The grid on the plane z = 0."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.run.snapshot import view_model, view_state
from app.scene.decor import overlay
from app.scene.decor.grid import HALF, grid_spacing
from app.scene.instances import COLOUR, POSITION, SHAPE
from app.scene.visual_options import VisualOptions


@pytest.mark.parametrize(
    ("extent", "side"), [(4.0, 1.0), (7.9, 1.0), (8.0, 2.0), (30.0, 5.0), (0.04, 0.01), (0.0, 2e-7)]
)
def test_squares_have_round_sides(extent: float, side: float) -> None:
    assert grid_spacing(extent) == pytest.approx(side)


def test_lines_are_at_multiples_around_the_model_and_axes_are_coloured() -> None:
    model = sim.loads(
        "<mujoco><statistic center='3.3 0 1' extent='4'/><worldbody><geom size='.1'/></worldbody></mujoco>"
    )
    views = view_model(model), view_state(sim.Data(model))
    assert not any(not batch.shadow for batch in overlay(*views, VisualOptions()))
    (batch,) = (batch for batch in overlay(*views, VisualOptions(grid=True)) if not batch.shadow)
    rows = batch.instances
    assert len(rows) == 2 * (2 * HALF + 1)
    along_x = rows[: 2 * HALF + 1]
    assert np.allclose(along_x[:, POSITION][:, 0], 3.0)
    assert np.allclose(along_x[:, POSITION][:, 1], np.arange(-HALF, HALF + 1))
    assert np.allclose(rows[:, SHAPE][:, 3], HALF)
    red = along_x[HALF, COLOUR]
    assert red[0] > 2 * red[1]
    assert not np.allclose(along_x[HALF + 1, COLOUR], red)
