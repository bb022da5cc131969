"""The whole stage against MuJoCo: parameters, order, piles, trees of bounding boxes, and room for it all.

Files: driver.py, broadphase.py, midphase.py, contact.py.
"""

import mujoco
import numpy as np
import pytest

import sim
from tests import oracle
from tests.sim.stages.collision import scenes

KINDS = ("type='sphere' size='.1'", "type='capsule' size='.05 .1'", "type='box' size='.1 .08 .06'")


def check(mj: mujoco.MjModel, dj: mujoco.MjData) -> sim.Data:
    """Our contacts, after they were found to be MuJoCo's."""
    mujoco.mj_kinematics(mj, dj)
    mujoco.mj_collision(mj, dj)
    _, d = scenes.contacts_of(mj, dj)
    assert scenes.difference(d, dj) == ""
    return d


def check_xml(xml: str, without_gaps: bool = False) -> sim.Data:
    mj = mujoco.MjModel.from_xml_string(xml)
    if without_gaps:
        mj.geom_gap[:] = 0
    return check(mj, mujoco.MjData(mj))


# ---------------------------------------------------------------- parameters


def parameters(rng: np.random.Generator) -> str:
    """Everything about a geom that contacts are made of."""
    solref = rng.choice([".02 1", ".01 .5", "-500 -10", "-100 0"])
    solimp = " ".join(map(str, [*sorted(rng.uniform(0.5, 0.99, 2)), *rng.uniform(0.001, 0.5, 2), rng.uniform(1, 3)]))
    friction = " ".join(map(str, rng.uniform(0, 1, 3) * rng.choice([0, 1], 3)))
    return (
        f"priority='{rng.integers(0, 3)}' solmix='{rng.choice([0, 0, 1, 2.5])}' solref='{solref}' solimp='{solimp}' "
        f"condim='{rng.choice([1, 3, 4, 6])}' friction='{friction}' adhesion='{rng.choice([0, 1, 2])}' "
        f"margin='{rng.choice([0, 0.05])}' gap='{rng.choice([0, 0.05])}'"
    )


@pytest.mark.parametrize("override", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_mixing(seed, override):
    """Without gaps if the options override: MuJoCo's sweep forgets them then, though its contacts have them."""
    rng = np.random.default_rng(seed)
    bodies = "".join(
        f"<body pos='{x + 0.3 * (k // 2)} {0.17 * (k % 2)} {z}'><freejoint/>"
        f"<geom {KINDS[rng.integers(3)]} {parameters(rng)}/></body>"
        for k, (x, z) in enumerate(rng.uniform((-0.05, 0.04), (0.05, 0.2), (80, 2)))
    )
    o = "o_margin='.03' o_solref='.03 .9' o_solimp='.8 .9 .01 .4 3' o_friction='.4 .5 0 .001 .002'"
    d = check_xml(
        f"<mujoco><option {o}><flag override='{'enable' if override else 'disable'}'/></option><worldbody>"
        f"<geom type='plane' size='1 1 1' {parameters(rng)}/>{bodies}</worldbody></mujoco>",
        without_gaps=override,
    )
    assert d.ncon > 40
    assert override or d.contact.exclude.any()
    assert not d.contact.exclude.all()


@pytest.mark.parametrize("flag", ["constraint", "contact"])
def test_switched_off(flag):
    body = "<body><freejoint/><geom size='.1'/></body>"
    d = check_xml(f"<mujoco><option><flag {flag}='disable'/></option><worldbody>{body}{body}</worldbody></mujoco>")
    assert d.ncon == 0


def test_frames_are_rotations():
    mj = scenes.grid("capsule", "box", 100, np.random.default_rng(1))
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    _, d = scenes.contacts_of(mj, dj)
    frames = d.contact.frame.reshape(-1, 3, 3)
    assert d.ncon > 0
    assert np.allclose(frames @ frames.transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(frames), 1)


# ---------------------------------------------------------------- many bodies


def heap(kind: str, count: int, seed: int) -> str:
    """Bodies thrown onto each other; "several": with up to five geoms each."""
    rng = np.random.default_rng(seed)
    width = 0.14 * np.cbrt(count)
    bodies = []
    for _ in range(count):
        geoms = ""
        for _ in range(rng.integers(1, 6) if kind == "several" else 1):
            shape = KINDS[{"sphere": 0, "capsule": 1, "box": 2}.get(kind, rng.integers(3))]
            x, y = rng.normal(size=2) * 0.05
            geoms += f"<geom {shape} pos='{x} {y} 0' gap='{rng.choice([0, 0.01])}'/>"
        x, y, z = rng.uniform(-width, width, 3)
        bodies.append(f"<body pos='{x} {y} {z + width}' euler='{rng.uniform(0, 180)} 30 0'><freejoint/>{geoms}</body>")
    return f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{''.join(bodies)}</worldbody></mujoco>"


@pytest.mark.parametrize("count", [2, 30, 300])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "box", "mixed", "several"])
def test_heap(kind, count):
    """Through a fall, in which the axis of largest spread changes."""
    mj = mujoco.MjModel.from_xml_string(heap(kind, count, 1))
    mj.opt.iterations = 5
    dj = mujoco.MjData(mj)
    for _ in range(6):
        check(mj, dj)
        mujoco.mj_step(mj, dj, 20)


@pytest.mark.parametrize("midphase", ["enable", "disable"])
@pytest.mark.parametrize("seed", range(4))
def test_bodies_of_many_geoms(seed, midphase):
    """Static scenery of many geoms and clusters of many geoms: found through the trees, or without them."""
    rng = np.random.default_rng(seed)

    def geoms(n: int, spread: float, margin: float) -> str:
        lines = ""
        for _ in range(n):
            x, y, z = rng.normal(size=3) * spread
            turn = " ".join(map(str, rng.uniform(0, 360, 3)))
            lines += f"<geom {KINDS[rng.integers(3)]} pos='{x} {y} {z}' euler='{turn}' margin='{margin}' gap='.01'/>"
        return lines

    clusters = "".join(
        f"<body pos='{x} {y} {z}'><freejoint/>{geoms(rng.integers(1, 40), 0.3, 0.01)}</body>"
        for x, y, z in rng.normal(size=(8, 3)) * 0.5
    )
    plane = "<geom type='plane' size='1 1 1' pos='0 0 -1'/>"
    d = check_xml(
        f"<mujoco><option><flag midphase='{midphase}'/></option><worldbody>{plane}{geoms(150, 0.8, 0)}{clusters}"
        "</worldbody></mujoco>"
    )
    assert d.ncon > 200


def test_arrays_grow_until_all_contacts_fit():
    mj = mujoco.MjModel.from_xml_string(heap("sphere", 300, 2))
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    mujoco.mj_collision(mj, dj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, scenes.POSES)
    assert dj.ncon > len(d.array("contact.dist"))
    scenes.detect(m, d)
    assert (d.ncon, d.required.ncon, d.required.nnear) == (dj.ncon, 0, 0)
    assert scenes.difference(d, dj) == ""


# ---------------------------------------------------------------- without the oracle


def test_contacts_move_with_the_scene():
    """Distances do not depend on where the scene is and how it is turned; positions and normals follow it."""
    rng = np.random.default_rng(3)
    mj = mujoco.MjModel.from_xml_string(heap("mixed", 60, 4))
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    _, before = scenes.contacts_of(mj, dj)
    turn, shift = scenes.random_turn(rng), rng.normal(size=3)
    for pos, mat in (("geom_xpos", "geom_xmat"), ("xipos", "ximat")):
        getattr(dj, pos)[...] = getattr(dj, pos) @ turn.T + shift
        mats = getattr(dj, mat)
        mats[...] = (turn @ mats.reshape(-1, 3, 3)).reshape(-1, 9)
    _, after = scenes.contacts_of(mj, dj)
    assert np.array_equal(before.contact.geom, after.contact.geom)
    assert np.allclose(before.contact.dist, after.contact.dist, atol=1e-12)
    assert np.allclose(before.contact.pos @ turn.T + shift, after.contact.pos, atol=1e-12)
    assert np.allclose(before.contact.frame[:, :3] @ turn.T, after.contact.frame[:, :3], atol=1e-10)


def test_same_poses_same_bits():
    """What a former call left behind in the scratch fields does not matter."""
    mj = mujoco.MjModel.from_xml_string(heap("several", 60, 5))
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    m, once = scenes.contacts_of(mj, dj)
    twice = sim.Data(m)
    oracle.copy_fields(dj, twice, scenes.POSES)
    twice.geom_xpos[1:] = 0
    scenes.detect(m, twice)
    oracle.copy_fields(dj, twice, scenes.POSES)
    scenes.detect(m, twice)
    for name in (*scenes.EXACT, *scenes.CLOSE):
        assert getattr(once.contact, name).tobytes() == getattr(twice.contact, name).tobytes()


@pytest.mark.parametrize("direction", [(1, 0, 0), (1, 1, 0)])
@pytest.mark.parametrize("geoms", [1, 2])
@pytest.mark.parametrize("apart", [0.0071, 0.0131, 0.0531, 0.0631])
def test_an_overriding_margin_and_a_gap(direction: tuple[float, ...], geoms: int, apart: float) -> None:
    """Contacts reach as far as margin and gap together, but boxes of bodies with several geoms by the margin alone.

    MuJoCo leaves the gap out for two moving bodies as well, in boxes along axes of its own; there we keep it.
    """
    x, y, z = (0.1 + apart) * np.array(direction) / np.linalg.norm(direction)
    far = '<geom size=".02" pos="0 0 2"/>' * (geoms - 1)
    mj = mujoco.MjModel.from_xml_string(f"""<mujoco><option o_margin=".01"><flag override="enable"/></option><worldbody>
      <geom size=".05"/>
      <body pos="{x} {y} {z}"><freejoint/><geom size=".05" margin=".02" gap=".05"/>{far}</body></worldbody></mujoco>""")
    dj = mujoco.MjData(mj)
    mujoco.mj_fwdKinematics(mj, dj)
    mujoco.mj_collision(mj, dj)
    cut = geoms == 2 and direction == (1, 0, 0)
    assert dj.ncon == (apart < (0.01 if cut else 0.06))
    _, d = scenes.contacts_of(mj, dj)
    assert scenes.difference(d, dj) == ""
