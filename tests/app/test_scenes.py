"""Bundled scenes: both engines read them alike, and they show what their captions promise.

`mujoco` here is this engine under MuJoCo's names; MuJoCo itself is `theirs`.
"""

from __future__ import annotations

from typing import Any

import mujoco as theirs
import numpy as np
import pytest

from app.files.resources import START_KEY, SceneFile, bundled_scenes, find_scene, folder
from sim import mujoco
from tests.sim.models import OURS_ALONE

SCENES = bundled_scenes()
SHARED = [scene for scene in SCENES if scene.name not in OURS_ALONE]
WORDS = 12


@pytest.mark.parametrize("scene", SHARED, ids=lambda scene: scene.name)
def test_both_engines_read_it(scene: SceneFile) -> None:
    import sim

    other, ours = theirs.MjModel.from_xml_path(str(scene.path)), sim.load(str(scene.path))
    for name in ("nq", "nv", "nbody", "ngeom", "nkey", "ncam", "nlight"):
        assert getattr(ours, name) == getattr(other, name), name
    assert np.allclose(ours.body_mass, other.body_mass)


def test_captions_say_what_happens() -> None:
    for scene in SCENES:
        assert scene.caption[0].isupper() and scene.caption.endswith(".") and not scene.caption.startswith("Watch ")
        assert len(scene.caption.split()) > WORDS


@pytest.mark.parametrize("name", sorted(OURS_ALONE))
def test_scenes_of_ours_alone_need_us_and_stay(name: str) -> None:
    with pytest.raises(ValueError, match="unrecognized element"):
        theirs.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    _, data = settle(name, 10.0)
    assert not data.warning.number.any()
    assert np.abs(data.xpos).max() < 2
    assert np.abs(data.qvel).max() < 0.5


@pytest.mark.parametrize("scene", SHARED, ids=lambda scene: scene.name)
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


@pytest.mark.parametrize("scene", SHARED, ids=lambda scene: scene.name)
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


@pytest.mark.release
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

    model = sim.load(find_scene(name))
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


@pytest.mark.release
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


@pytest.mark.release
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


def test_brass_stays_bent() -> None:
    model, data = finish("bent_wire", 8.0)
    tips = {name: float(data.body(f"{name}9").xpos[2]) for name in ("steel", "brass")}
    assert tips["steel"] > tips["brass"] + 0.1
    assert np.degrees(data.plastic).max() > 5
    assert np.abs(data.qvel[model.body("steel0").dofadr[0] :][:20]).max() < 1


def test_a_marble_does_not_pass_through_plates() -> None:
    model, data = finish("thin_plates", 0.05)
    assert data.body("marble").xpos[0] < 0.3
    assert abs(data.qpos[0]) > 0.1
    model.opt.enableflags = 0
    data = start(model)
    mujoco.mj_step(model, data, 10)
    assert data.body("marble").xpos[0] > 1


def test_stiff_servos_need_the_discrete_integrator() -> None:
    model, data = finish("stiff_servos", 3.0)
    assert np.abs(data.qvel[:3]).max() < 0.01
    assert data.ncon > 4
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data = start(model)
    mujoco.mj_step(model, data, 100)
    assert data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number


@pytest.mark.release
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


@pytest.mark.release
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


@pytest.mark.release
def test_dolls_and_meshes_come_to_rest() -> None:
    _, dolls = finish("ragdolls", 8.0)
    assert np.abs(dolls.qvel).max() < 0.5
    # at the foot of the stairs
    assert max(dolls.body(f"doll{k}").xpos[2] for k in (1, 2, 3)) < 0.35
    model, meshes = finish("bin", 5.0)
    inside = np.abs(meshes.xpos[1:, :2]).max(axis=1) < 0.34
    assert inside.sum() >= model.nbody - 5


@pytest.mark.release
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


def over_time(name: str, seconds: float, key: int = 0) -> tuple[mujoco.MjModel, np.ndarray]:
    """Coordinates over time, from a keyframe."""
    model = mujoco.MjModel.from_xml_path(str(folder("scenes") / f"{name}.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, key)
    states = []
    while data.time < seconds:
        mujoco.mj_step(model, data, 5)
        states.append(data.qpos.copy())
    return model, np.array(states)


def test_beams_swing_as_their_joints_say() -> None:
    _, angles = over_time("oscillators", 12.0)
    linear, damped, dry, heavy, hard, soft = angles.T
    late = slice(len(angles) // 2, None)
    assert np.abs(linear[late]).max() > 1.4
    assert np.abs(damped[late]).max() < 0.05
    # it rests, and not in the middle
    assert np.ptp(dry[late]) < 0.03 < abs(dry[-1])
    crossings = [np.count_nonzero(np.diff(np.sign(x))) for x in (heavy, soft, linear, hard)]
    assert crossings == sorted(set(crossings))


def test_servos_ring_sag_and_hold() -> None:
    _, angles = over_time("servos", 6.0)
    rings, critical, slow, pid, motor = angles.T
    assert rings.max() > 0.2
    assert critical.max() < -0.2
    assert np.argmax(critical > -0.3) < np.argmax(slow > -0.3)
    assert angles[-1, :3] == pytest.approx(-0.25, abs=0.02)
    assert np.abs([pid[-1], motor[-1]]).max() < 0.01


def test_delay_is_not_lag() -> None:
    _, angles = over_time("delay_and_lag", 0.5)
    late, lagging = angles[-1, :9], angles[-1, 9:]
    # up, or not yet told; each on its way
    assert late[:4].min() > 1.4
    assert late[5:].max() < 0
    assert np.all(np.diff(lagging) < 0)
    assert 0.4 < lagging.min() < lagging[2:].max() < 1.4
    _, angles = over_time("delay_and_lag", 6.0, 1)
    assert np.abs(angles[-1]).max() < 0.1


def test_lift_holds_balloons_against_the_wind() -> None:
    model, data = finish("balloons", 6.0)
    _, begin = finish("balloons", 0.0)
    lean = data.xpos[1:, 0] - begin.xpos[1:, 0]
    assert data.xpos[1, 2] < 0.1
    assert data.xpos[3:, 2].min() > 0.6
    assert np.all(np.diff(lean[2:]) < 0)
    assert data.ten_length[2:] == pytest.approx(model.tendon_range[2:, 1], abs=0.005)


def test_geckos_fall_slide_and_stay() -> None:
    _, begin = finish("geckos", 0.0)
    model, data = finish("geckos", 0.6)
    fallen = begin.xpos[2:, 2] - data.xpos[2:, 2]
    assert fallen[0] > 0.35
    assert 0.05 < fallen[1] < 0.3
    assert np.abs(fallen[2:]).max() < 0.002
    # one lets go, the last has nothing to let go with
    assert model.nu == 5
    data.ctrl[:] = 0
    mujoco.mj_step(model, data, 500)
    assert np.count_nonzero(data.xpos[2:, 2] > 0.55) == 1


def test_parcels_go_around_and_none_falls_off() -> None:
    model, frames = run("conveyor", 16.0)
    free = [model.body_geomadr[b] for b in range(1, model.nbody)]
    path = np.array(frames)[:, free]
    assert path[:, :, 2].min() > 0.3
    turns = [rounds(path[:, k, :2]) for k in range(len(free))]
    assert len(turns) == 12
    assert min(turns) > 0.8


def test_steam_drives_the_engine_either_way() -> None:
    for key, way in ((0, 1), (1, -1)):
        model, angle = over_time("radial_engine", 6.0, key)
        assert model.nbody == 2
        # rad in the last second
        assert way * (angle[-1, 0] - angle[-201, 0]) == pytest.approx(9, rel=0.15)


def test_windlass_moves_as_its_radii() -> None:
    _, states = over_time("windlass", 10.0)
    drum, light, heavy = states.T
    assert np.ptp(drum) > 1
    assert light == pytest.approx(0.24 * drum, abs=0.003)
    assert heavy == pytest.approx(-0.08 * drum, abs=0.003)


def test_pitch_of_the_blades_is_their_speed() -> None:
    _, data = finish("pinwheels", 5.0)
    speed = np.abs(data.qvel[:4])
    assert np.all(np.diff(speed) < 0)
    assert speed[3] > 3
    # the sock hangs in the wind, neither down nor straight
    assert 0.3 < data.body("sock5").xmat[0] < 0.95


def test_books_creep_without_the_second_pass() -> None:
    path = str(folder("scenes") / "noslip.xml")
    moved = []
    for sweeps in (12, 0):
        model = mujoco.MjModel.from_xml_path(path)
        model.opt.noslip_iterations = sweeps
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 200)
        begin = data.xpos.copy()
        mujoco.mj_step(model, data, 800)
        moved.append(np.linalg.norm(data.xpos - begin, axis=1)[1:])
    assert moved[0].max() < 0.003
    assert moved[1].min() > 0.005


def test_override_makes_balls_alike() -> None:
    path = str(folder("scenes") / "override.xml")
    spread = []
    for flags in (mujoco.mjtEnableBit.mjENBL_OVERRIDE, 0):
        model = mujoco.MjModel.from_xml_path(path)
        model.opt.enableflags = flags
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 400)
        spread.append(np.ptp(data.qpos))
    assert spread[0] == 0
    assert spread[1] > 0.1


def test_rover_stands_on_six_wheels_with_a_level_deck() -> None:
    model, data = settle("rocker_bogie", 4.0)
    touching = {model.names["body"][model.geom_bodyid[geom]] for geom in data.contact.geom[: data.ncon].ravel()}
    assert sum(name.endswith("wheel") for name in touching) == 6
    left, right = (data.qpos[model.jnt_qposadr[model.name2id("joint", f"{side}_rocker")]] for side in ("left", "right"))
    assert abs(left - right) > 0.1
    assert data.xmat[model.name2id("body", "deck"), 8] > 0.99


def test_balls_stay_on_the_bridge() -> None:
    model, data = finish("bridge", 20.0)
    for name in ("ball1", "ball2"):
        assert np.abs(data.body(name).xpos[:2]).max() < 0.5
        assert data.body(name).xpos[2] > 0.2
    assert model.neq == 28
    assert np.abs(data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]).max() < 0.005


def test_drone_hangs_level_on_its_tether() -> None:
    model, data = finish("drone", 10.0)
    assert data.body("drone").xpos[2] > 0.48
    assert data.body("drone").xmat[8] > 0.99
    assert data.ten_length[0] == pytest.approx(model.tendon_range[0, 1], abs=0.005)
    # one rotor stronger: the servo answers
    data.ctrl[0] += 0.5
    mujoco.mj_step(model, data, 2000)
    assert 0.9 < data.body("drone").xmat[8] < 0.9999


def test_hand_follows_the_wheel_and_instruments_read() -> None:
    model, data = finish("instruments", 4.0)
    readings = []
    for _ in range(100):
        mujoco.mj_step(model, data, 30)
        readings.append(data.sensordata.copy())
        assert np.linalg.norm(data.site("hand").xpos - data.site("spot").xpos) < 0.01
    change = np.ptp(readings, axis=0)
    silent = [s for s in range(model.nsensor) if not change[model.sensor_adr[s] :][: model.sensor_dim[s]].any()]
    assert [model.sensor(s).name for s in silent] == []


def test_tray_feels_where_balls_roll() -> None:
    model, data = finish("touch", 3.0)
    felt = set()
    for _ in range(100):
        mujoco.mj_step(model, data, 20)
        felt |= set(np.flatnonzero(data.sensor("taxels").data[:64]))
        assert data.sensor("on the tray").data[0] > 0.5
        assert data.sensor("ball to ball").data[0] < 0.5
    assert len(felt) > 10


def test_bow_shoots_and_bursts_under_euler() -> None:
    import sim

    model, drawn = settle("bow", 0.0)
    draw = model.jnt_qposadr[model.name2id("joint", "draw")]
    assert drawn.qpos[draw] > 0.5
    _, shot = settle("bow", 0.1)
    assert shot.qpos[draw] < 0.2
    model.opt.integrator = sim.enums.INT_EULER
    sim.step(model, drawn, 100)
    assert drawn.warning.number.any()


def struts_touch(model: Any, data: Any) -> bool:
    """Whether something touches that is not the floor."""
    return bool((model.geom_bodyid[data.contact.geom[: data.ncon]] > 0).all(axis=1).any())


def test_struts_stand_apart_until_a_constraint_is_switched_off() -> None:
    import sim

    model, data = settle("tensegrity", 5.0)
    assert min(data.site(f"head{k}").xpos[2] for k in (1, 2, 3)) > 0.4
    assert not struts_touch(model, data)
    data.eq_active[0] = 0
    sim.step(model, data, 2000)
    assert struts_touch(model, data)
