"""Bundled scenes: both engines read them alike, and they show what their captions promise."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from app.resources import START_KEY, SceneFile, bundled_scenes, folder

SCENES = bundled_scenes()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_both_engines_read_it(scene: SceneFile) -> None:
    import sim

    theirs, ours = mujoco.MjModel.from_xml_path(str(scene.path)), sim.load(str(scene.path))
    for name in ("nq", "nv", "nbody", "ngeom", "nkey", "ncam", "nlight"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert np.allclose(ours.body_mass, theirs.body_mass)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_caption_says_what_to_watch(scene: SceneFile) -> None:
    assert scene.caption.startswith("Watch ")


@pytest.mark.parametrize("name", ["ball_chain", "double_pendulum", "humanoid", "sculpture", "spinning_handle"])
def test_nothing_touches(name: str) -> None:
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    assert not (model.geom_contype.any() and model.geom_conaffinity.any())


def run(name: str, seconds: float) -> tuple[mujoco.MjModel, list[np.ndarray]]:
    """The poses of all geoms over time, from the start keyframe if there is one."""
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, model.key(START_KEY).id)
    frames = []
    while data.time < seconds:
        mujoco.mj_step(model, data, 20)
        frames.append(data.geom_xpos.copy())
    return model, frames


def test_sculpture_is_in_step_again_after_a_minute() -> None:
    model, frames = run("sculpture", 75.0)
    bobs = np.array([m for m in range(model.ngeom) if model.geom_type[m] == mujoco.mjtGeom.mjGEOM_SPHERE])
    spread = np.array([np.linalg.norm(frame[bobs, :2], axis=1) for frame in frames])
    # each bob's swing, from -1 (inmost) to 1 (outmost)
    low, high = spread.min(axis=0), spread.max(axis=0)
    swing = 2 * (spread - low) / (high - low) - 1
    together = swing.mean(axis=1)
    step = model.opt.timestep * 20
    middle, end = together[int(10 / step) : int(50 / step)], together[int(55 / step) :]
    assert together[0] > 0.95
    assert np.abs(middle).max() < 0.75
    assert end.max() > 0.9


def test_handle_turns_over() -> None:
    model, frames = run("spinning_handle", 8.0)
    tip, bar = model.geom("tip").id, model.geom("bar").id
    up = np.array([frame[tip, 2] - frame[bar, 2] for frame in frames])
    assert up.max() > 0.15
    assert up.min() < -0.15


def test_figure_has_27_degrees_of_freedom_and_stays() -> None:
    model, frames = run("humanoid", 10.0)
    assert model.nv == 27
    moving = np.array([frame[1:].mean(axis=0) for frame in frames])
    assert np.abs(moving - moving[0]).max() < 0.5


def settle(name: str, seconds: float) -> tuple[Any, Any]:
    """Our own engine after some time."""
    import sim

    model = sim.load(folder("scenes") / f"{name}.xml")
    data = sim.Data(model)
    sim.step(model, data, round(seconds / model.opt.timestep))
    return model, data


def test_dominoes_all_fall_and_none_before_its_turn() -> None:
    _, early = settle("dominoes", 0.4)
    _, late = settle("dominoes", 4.5)
    upright = [np.abs(data.xmat[2:, 8]) for data in (early, late)]
    assert upright[0].min() > 0.95
    assert len(upright[1]) == 64
    assert upright[1].max() < 0.8


def test_pile_comes_to_rest_as_a_heap() -> None:
    model, data = settle("pile", 5.0)
    assert model.nbody == 41
    assert np.abs(data.qvel.reshape(-1, 6)[:, :3]).max() < 0.3
    in_tray = np.abs(data.xpos[1:, :2]).max(axis=1) < 0.4
    assert in_tray.sum() >= 36
    # some lie on others, none has sunk into the floor
    assert data.xpos[1:, 2].max() > 0.12
    assert data.xpos[1:, 2].min() > 0.02
