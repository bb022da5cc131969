"""Bundled scenes: both engines read them alike, and they show what their captions promise."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from app.resources import START_KEY, SceneFile, bundled_scenes, folder

SCENES = bundled_scenes()
WORDS = 12


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
    assert len(scene.caption.split()) > WORDS


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_it_neither_explodes_nor_leaves(scene: SceneFile) -> None:
    model = mujoco.MjModel.from_xml_path(str(scene.path))
    data = start(model)
    mujoco.mj_step(model, data, round(3.0 / model.opt.timestep))
    assert not any(warning.number for warning in data.warning)
    assert np.abs(data.xpos).max() < 10


def start(model: mujoco.MjModel) -> mujoco.MjData:
    """The state in which the viewer opens a bundled scene."""
    data = mujoco.MjData(model)
    keys = [model.key(k).name for k in range(model.nkey)]
    if START_KEY in keys:
        mujoco.mj_resetDataKeyframe(model, data, keys.index(START_KEY))
    return data


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_it_starts_within_its_joint_limits(scene: SceneFile) -> None:
    model = mujoco.MjModel.from_xml_path(str(scene.path))
    data = start(model)
    mujoco.mj_forward(model, data)
    limits = data.efc_type == mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT
    assert not (data.efc_pos[limits] < -0.01).any()
    # a replicate would copy keyframes too, and the viewer lists them
    assert len({model.key(k).name.rstrip("0123456789") for k in range(model.nkey)}) == model.nkey


@pytest.mark.parametrize("name", ["ball_chain", "double_pendulum", "humanoid", "sculpture", "spinning_handle"])
def test_nothing_touches(name: str) -> None:
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    assert not (model.geom_contype.any() and model.geom_conaffinity.any())


def run(name: str, seconds: float) -> tuple[mujoco.MjModel, list[np.ndarray]]:
    """The poses of all geoms over time, from the start keyframe if there is one."""
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    data = start(model)
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
    if model.nkey:
        sim.reset(model, data, model.name2id("key", START_KEY))
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


def test_condims_separate_on_the_ramp() -> None:
    model, data = settle("friction_ramp", 1.0)
    way = {c: data.body(f"condim{c}").xpos[0] + 0.55 for c in (1, 3, 4, 6)}
    turn = {c: data.body(f"condim{c}").cvel[:3] for c in (1, 3, 4, 6)}
    normal = np.array([np.sin(np.radians(12)), 0, np.cos(np.radians(12))])
    # slides, rolls, rolls, stays
    assert way[1] > 1.2 * way[3]
    assert way[3] == pytest.approx(way[4], rel=0.05)
    assert way[6] < 0.2 * way[3]
    # what rolls turns about y; spin about the normal is lost from 4 upwards
    assert abs(turn[1][1]) < 0.5
    assert turn[3][1] > 5
    assert turn[1] @ normal == pytest.approx(12, abs=0.5)
    assert turn[3] @ normal > 8
    assert abs(turn[4] @ normal) < 3
    assert model.nbody == 5


def test_last_ball_of_the_cradle_rises_as_high_as_the_first_fell() -> None:
    _, data = settle("newtons_cradle", 0.75)
    first, *between, last = data.qpos
    assert last < -0.7
    assert np.abs([first, *between]).max() < 0.05
    # ten blows later it is still so
    _, frames = run("newtons_cradle", 8.0)
    sideways = np.array([frame[-1, 0] for frame in frames[-1000:]])
    assert sideways.max() > frames[0][-1, 0] + 0.5 * np.sin(0.65)


def test_softer_contacts_sink_deeper_and_less_damped_ones_bounce_longer() -> None:
    model, frames = run("soft_contacts", 2.0)
    boxes = [g for g in range(model.ngeom) if model.geom_bodyid[g]]
    heights = np.array([frame[boxes, 2] for frame in frames])
    assert np.all(np.diff(heights[-1, :5]) < 0)
    late = np.ptp(heights[len(heights) // 3 :], axis=0)
    assert np.all(np.diff(late[5:]) > 0)
    assert late[:5].max() < 0.01


def test_piston_lingers_near_the_wheel() -> None:
    model, frames = run("slider_crank", 6.0)
    piston = next(g for g in range(model.ngeom) if model.geom_bodyid[g] == model.body("piston").id)
    x = np.array([frame[piston, 0] for frame in frames])[20:]
    assert np.ptp(x) == pytest.approx(2 * 0.12, rel=0.05)
    middle = (x.min() + x.max()) / 2
    assert (x < middle).mean() > 0.55


def test_gripper_lifts_the_ball_and_holds_it() -> None:
    _, data = settle("gripper", 5.0)
    assert data.body("ball").xpos[2] > 0.165 + 0.3
    assert np.abs(data.body("ball").xpos[:2]).max() < 0.02


def finish(name: str, seconds: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """MuJoCo after some time."""
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    data = start(model)
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    mujoco.mj_forward(model, data)
    return model, data


def rounds(path: np.ndarray) -> float:
    """How often a path goes around the middle, with the sun or against it."""
    angle = np.unwrap(np.arctan2(path[:, 1], path[:, 0]))
    return abs(float(angle[-1] - angle[0])) / (2 * np.pi)


def test_dog_trots_around_the_springs() -> None:
    model, data = finish("quadruped", 0.0)
    path = []
    while data.time < 30.0:
        mujoco.mj_step(model, data, 50)
        path.append(data.body("trunk").xpos.copy())
        assert data.body("trunk").xmat[8] > 0.95
    assert rounds(np.array(path)) > 1.5
    away = np.linalg.norm(np.array(path)[:, :2], axis=1)
    assert 0.7 < away.min() < away.max() < 1.5


def test_eel_swims_in_water_and_writhes_without() -> None:
    path = folder("scenes") / "swimmer.xml"
    ways = []
    for density in (1000, 0):
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.density = density
        data = start(model)
        mujoco.mj_forward(model, data)
        way = [data.body("head").subtree_com.copy()]
        while data.time < 20.0:
            mujoco.mj_step(model, data, 100)
            way.append(data.body("head").subtree_com.copy())
        ways.append(np.array(way))
    water, vacuum = ways
    assert rounds(water) > 0.8
    assert np.linalg.norm(water[:, :2], axis=1).max() < 1.0
    # six seconds take it more than a metre, or nowhere
    assert np.linalg.norm(water[30] - water[0]) > 1.0
    assert np.abs(vacuum[:30] - vacuum[0]).max() < 0.2


def test_integrators_treat_the_gyroscope_as_its_caption_says() -> None:
    path = folder("scenes") / "gyroscope.xml"
    gain = {}
    for name in ("RK4", "EULER", "IMPLICIT"):
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{name}")
        model.dof_damping[:] = 0
        data = start(model)
        mujoco.mj_forward(model, data)
        before = data.energy.sum()
        mujoco.mj_step(model, data, 5000)
        gain[name] = data.energy.sum() - before
    assert abs(gain["RK4"]) < 1e-3
    assert gain["EULER"] > 0.2
    assert gain["IMPLICIT"] < -0.05


def test_arch_stands_and_sinks_into_a_gap() -> None:
    model, data = finish("arch", 5.0)
    # the centring has gone, and nothing touches it
    centring = model.body("centring").id
    assert data.xpos[centring, 2] < 0.05
    assert not (model.geom_bodyid[data.contact.geom] == centring).any()
    before = data.xpos[:, 2].copy()
    assert data.body("keystone").xpos[2] == pytest.approx(0.81, abs=0.01)
    # the third stone is pulled out
    data.qpos[model.jnt_qposadr[2] + 1] += 1.0
    mujoco.mj_step(model, data, 1000)
    sunk = before - data.xpos[:, 2]
    assert sunk[4] > 0.1
    assert 0.05 < sunk[model.body("keystone").id] < 0.2


def test_arms_rise() -> None:
    for name, body in (("muscle_arm", "forearm"), ("tendon_arm", "fore")):
        model, data = finish(name, 2.0)
        _, low = finish(name, 0.0)
        assert data.body(body).xipos[2] > low.body(body).xipos[2] + 0.2, name
        assert np.abs(data.qvel).max() < 0.2, name
        assert model.ntendon >= 2


def test_puppet_dances() -> None:
    model, frames = run("puppet", 20.0)
    hands = [g for g in range(model.ngeom) if model.geom_size[g][0] == 0.026 and model.geom_type[g] == 2]
    height = np.array([frame[hands, 2] for frame in frames])
    assert len(hands) == 2
    # up and down by turns, and still so in the end
    assert np.ptp(height[: len(height) // 4], axis=0).min() > 0.1
    assert np.ptp(height[-len(height) // 4 :], axis=0).min() > 0.1
    assert np.corrcoef(height.T)[0, 1] < -0.5


def test_puppet_hangs_on_taut_strings_and_follows_the_hand() -> None:
    model, data = finish("puppet", 2.0)
    assert data.ncon == 0
    assert data.ten_length[0] == pytest.approx(model.tendon_range[0, 1], abs=0.01)
    data.mocap_pos[0, 0] += 0.3
    before = data.body("puppet").xpos[0]
    mujoco.mj_step(model, data, 1500)
    assert data.body("cross").xpos[0] == pytest.approx(0.3, abs=0.05)
    # it still swings
    assert data.body("puppet").xpos[0] == pytest.approx(before + 0.3, abs=0.2)


def test_part_of_the_wall_falls() -> None:
    model, data = finish("wall", 3.0)
    _, before = finish("wall", 0.0)
    bricks = [b for b in range(1, model.nbody) if model.body(b).name != "pendulum"]
    fallen = data.xpos[bricks, 2] < before.xpos[bricks, 2] - 0.06
    assert len(bricks) == 60
    assert 15 < fallen.sum() < 55


def test_car_stays_on_its_circle_and_rovers_on_their_hills() -> None:
    model, data = finish("car", 30.0)
    assert 0.7 < np.linalg.norm(data.body("car").xpos[:2]) < 1.5
    # marbles roll about, inside the kerb
    marbles = data.xpos[1 : model.body("car").id, :2]
    assert len(marbles) == 12
    assert np.linalg.norm(marbles, axis=1).max() < 1.6
    assert np.linalg.norm(marbles, axis=1).max() > 1.3
    model, data = finish("rovers", 20.0)
    for name in ("red", "blue", "gold"):
        assert np.abs(data.body(name).xpos[:2]).max() < 2.6
        assert data.body(name).xmat[8] > 0.7
    assert model.nhfield == 1


def test_dolls_and_meshes_come_to_rest() -> None:
    _, dolls = finish("ragdolls", 8.0)
    assert np.abs(dolls.qvel).max() < 0.5
    # at the foot of the stairs
    assert max(dolls.body(f"doll{k}").xpos[2] for k in (1, 2, 3)) < 0.35
    model, meshes = finish("bin", 5.0)
    inside = np.abs(meshes.xpos[1:, :2]).max(axis=1) < 0.34
    assert inside.sum() >= model.nbody - 5


def test_towers_sleep_until_the_hand_comes_and_again_after_it() -> None:
    _, before = settle("sleepers", 0.1)
    assert before.ntree_awake == 1
    awake = []
    model, data = finish("sleepers", 0.0)
    for _ in range(200):
        mujoco.mj_step(model, data, 33)
        awake.append(data.ntree_awake)
    # a tower or two at a time; after a round, only the hand
    assert 6 <= max(awake) <= 16
    assert awake[-1] == 1
    assert data.xpos[2:, 2].max() < 0.2
    _, ours = settle("sleepers", 20.0)
    assert ours.ntree_awake == 1


def test_house_of_cards_stands_until_it_is_hit() -> None:
    _, before = finish("cards", 0.0)
    _, standing = finish("cards", 3.0)
    _, fallen = finish("cards", 6.0)
    cards = slice(1, -1)
    assert np.abs(standing.xpos[cards] - before.xpos[cards]).max() < 0.003
    assert fallen.xpos[cards, 2].max() < 0.2
