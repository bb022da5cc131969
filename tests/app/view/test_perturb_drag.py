"""Selection and the targets of a drag."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.run import perturb
from app.run.commands import Perturbation
from app.scene.camera import OrbitCamera, View
from app.view.perturb_drag import PerturbDrag, perturb_object
from tests.app.conftest import Views


def seen_from(eye: tuple[float, ...] = (0, -3, 0)) -> View:
    """Towards +y: x right, z up."""
    camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
    return View(np.array(eye, float), camera.axes(), 45.0, 0.01, 100.0)


def test_pointer_and_projection_agree() -> None:
    view = seen_from()
    for x, y in ((0.0, 0.0), (0.5, -0.7), (-1.0, 1.0)):
        origin, direction = view.ray(x, y, 1.6)
        assert view.project(origin + 2.5 * direction, 1.6) == pytest.approx((x, y))
    assert view.project(np.array([0.0, -9.0, 0.0]), 1.6) is None


# ---- drags ----

BALL = "<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"


def test_target_follows_the_pointer(views: Views) -> None:
    _, state = views(BALL)
    view, perturb = seen_from((0, -3, 1)), PerturbDrag(1, np.array([0.0, -0.1, 0.0]))
    assert np.allclose(perturb.world_point(state), (0, -0.1, 1))
    height = 2 * 2.9 * np.tan(np.radians(22.5))
    perturb.translate(state, view, 0.1, -0.2, horizontal=False)
    assert perturb.target is not None
    assert np.allclose(perturb.target, (0.1 * height, -0.1, 1 + 0.2 * height))
    perturb.release()
    perturb.translate(state, view, 0.0, -0.2, horizontal=True)
    assert np.allclose(perturb.target, (0, -0.1 + 0.2 * height, 1))
    assert perturb.perturbation() == Perturbation(1, (0.0, -0.1, 0.0), tuple(perturb.target.tolist()))
    assert perturb.active
    assert perturb.forces(state) == [(0.0, "N")]
    perturb.release()
    assert not perturb.active
    assert perturb.perturbation() is None


def test_turning(views: Views) -> None:
    _, state = views(BALL)
    perturb = PerturbDrag(1, np.zeros(3))
    perturb.rotate(state, seen_from(), 0.5, 0.0)
    wanted = perturb.perturbation()
    assert wanted is not None
    assert np.allclose(wanted.refquat, (math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    assert wanted.refselpos is None


def test_marks(views: Views) -> None:
    model, state = views(BALL)
    perturb = PerturbDrag(1, np.zeros(3))
    assert [batch.shape for batch in perturb_object(model, state, perturb)] == []
    perturb.target = np.array([0.0, 0.0, 2.0])
    assert [batch.shape for batch in perturb_object(model, state, perturb)] == ["cylinder", "cone"]


def test_paused_pull_moves_the_pose() -> None:
    import sim

    mocap = "<body name='m' mocap='true' pos='1 0 0'><geom size='.1'/></body>"
    hinge = "<body><joint/><geom size='.1'/></body>"
    xml = BALL.replace("</worldbody>", f"{mocap}{hinge}</worldbody>")
    model: Any = sim.loads(f"<mujoco>{xml}</mujoco>")
    data = sim.Data(model)
    sim.forward(model, data)
    quat = sim.axis_angle_to_quat((0.0, 0.0, 1.0), 2.5)
    turn = sim.quat_to_mat(quat).reshape(3, 3)
    for body in (1, 2):
        wanted = Perturbation(body, (0.1, 0.0, 0.0), (0.0, 2.0, 1.0), tuple(quat.tolist()))
        assert perturb.move(model, data, wanted)
        sim.forward(model, data)
        assert np.allclose(data.xmat[body].reshape(3, 3), turn)
        assert np.allclose(data.xpos[body] + turn @ (0.1, 0, 0), (0, 2, 1))
    assert not perturb.move(model, data, Perturbation(3, (0.0, 0.0, 0.0), (0.0, 2.0, 1.0)))
