"""Speculative contacts: against MuJoCo, pair by pair and over steps; and that nothing passes through a thin wall."""

from itertools import product

import mujoco
import numpy as np
import pytest

import sim
from tests import oracle

FAST = """<mujoco><option gravity="0 0 0" timestep=".01" {option}><flag speculative="enable"/></option><worldbody>
  {obstacle}<body pos="0 0 .5"><freejoint/><geom {shape}/></body></worldbody></mujoco>"""
SHAPES = {
    "sphere": 'size=".05"',
    "box": 'type="box" size=".05 .06 .02"',
    "capsule": 'type="capsule" size=".03 .05"',
    "cylinder": 'type="cylinder" size=".05 .02"',
    "ellipsoid": 'type="ellipsoid" size=".05 .06 .02"',
}
OBSTACLES = {
    "plane": '<geom type="plane" size="5 5 1"/>',
    **{kind: f'<geom type="{kind}" size=".1 .12 .13"/>' for kind in ("sphere", "box", "capsule", "cylinder")},
}
# distances of curved surfaces come from searches that end at a tolerance
CURVED = ("cylinder", "ellipsoid")
# which four corners of the polygon in the cap is a tie
ON_THEIR_CAPS = ("cylinder", "plane")


def contacts(data, count: int) -> np.ndarray:
    """Geoms, position, distance and normal of all contacts, in the order of their places."""
    c = data.contact
    rows = np.array([
        (*c.geom[i], *np.round(c.pos[i], 5), *c.pos[i], c.dist[i], c.includemargin[i], *c.frame[i].ravel()[:3])
        for i in range(count)
    ]).reshape(count, 13)  # fmt: skip
    return rows[np.lexsort(rows[:, :5].T[::-1])]


def both(xml: str, qvel, qpos=None):
    """(MuJoCo's data, ours), forwarded."""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    if qpos is not None:
        dj.qpos[:] = qpos
    dj.qvel[:] = qvel
    d.qpos, d.qvel = dj.qpos, dj.qvel
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    return mj, dj, m, d


@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
@pytest.mark.parametrize(("shape", "obstacle"), [pair for pair in product(SHAPES, OBSTACLES) if pair != ON_THEIR_CAPS])
def test_pairs(shape, obstacle, integrator):
    xml = FAST.format(option=f'integrator="{integrator}"', obstacle=OBSTACLES[obstacle], shape=SHAPES[shape])
    _, dj, _, d = both(xml, [0, 0, -60, 0, 0, 0], [0.02, 0.01, 0.5, 0.99, 0.1, 0.05, 0])
    assert d.ncon == dj.ncon > 0
    tolerance = 1e-5 if shape in CURVED or obstacle in CURVED else 1e-12
    assert np.allclose(contacts(d, d.ncon), contacts(dj, dj.ncon), rtol=0, atol=tolerance)
    oracle.assert_same(d, dj, ["qacc"], 1e-4 if tolerance > 1e-6 else 1e-11)


@pytest.mark.parametrize("shape", ["sphere", "box", "capsule"])
@pytest.mark.parametrize("option", ["", 'integrator="discrete"', 'cone="elliptic"', 'timestep=".02"'])
def test_spin(shape, option):
    xml = FAST.format(option=option, obstacle=OBSTACLES["plane"], shape=SHAPES[shape])
    _, dj, _, d = both(xml.replace('timestep=".01" timestep', "timestep"), [3, 1, -55, 3, 4, 5])
    assert d.ncon == dj.ncon > 0
    assert np.allclose(contacts(d, d.ncon), contacts(dj, dj.ncon), rtol=0, atol=1e-12)
    oracle.assert_same(d, dj, ["qacc"], 1e-10)


@pytest.mark.parametrize(
    ("speed", "count"), [(4.9, 0), (44, 0), (46, 1)], ids=["slow", "it does not reach the plane", "it does"]
)
def test_who_is_fast(speed, count):
    _, dj, _, d = both(
        FAST.format(option="", obstacle=OBSTACLES["plane"], shape=SHAPES["sphere"]), [0, 0, -speed, 0, 0, 0]
    )
    assert d.ncon == dj.ncon == count


@pytest.mark.parametrize("shape", ["sphere", "box", "capsule"])
def test_what_is_hidden_is_left_out(shape):
    """A plate in front of the plane: there is a contact with the plate only."""
    obstacle = OBSTACLES["plane"] + '<geom type="box" pos="0 0 .15" size=".3 .3 .01"/>'
    _, dj, m, d = both(FAST.format(option="", obstacle=obstacle, shape=SHAPES[shape]), [0, 0, -55, 0, 0, 0])
    assert d.ncon == dj.ncon > 0
    assert {int(g) for g in d.contact.geom[: d.ncon].ravel()} == {1, 2}
    assert np.allclose(contacts(d, d.ncon), contacts(dj, dj.ncon), rtol=0, atol=1e-12)
    assert m.ngeom == 3


@pytest.mark.parametrize("pair", ["", '<contact><pair geom1="a" geom2="b" margin=".01" solref=".05 1"/></contact>'])
@pytest.mark.parametrize("margin", [0, 0.02])
def test_two_that_move(pair, margin):
    """Both geoms move, at different speeds; with margins and as an explicit pair."""
    xml = f"""<mujoco><option gravity="0 0 0" timestep=".01"><flag speculative="enable"/></option><worldbody>
      <body pos="0 0 .5"><freejoint/><geom name="a" size=".05" margin="{margin}"/></body>
      <body pos=".1 0 -.2"><freejoint/><geom name="b" type="box" size=".2 .2 .01"/></body></worldbody>{pair}</mujoco>"""
    _, dj, _, d = both(xml, [1, 2, -50, 0, 0, 0, 0, 0, 30, 0.1, 0.2, 0.3])
    assert d.ncon == dj.ncon == 1
    assert np.allclose(contacts(d, 1), contacts(dj, 1), rtol=0, atol=1e-11)
    oracle.assert_same(d, dj, ["qacc"], 1e-9)


def test_a_cylinder_on_its_cap():
    """As far from the plane as in MuJoCo, and stopped as much; which four of the 16 corners of a cap is a tie."""
    xml = FAST.format(option="", obstacle=OBSTACLES["plane"], shape=SHAPES["cylinder"])
    _, dj, _, d = both(xml, [0, 0, -60, 0, 0, 0])
    assert (d.ncon, dj.ncon) == (4, 4)
    assert np.allclose(d.contact.dist[:4], dj.contact.dist[:4], rtol=0, atol=1e-12)
    assert np.allclose(np.linalg.norm(d.contact.pos[:4, :2], axis=1), 0.05)


MESH = "<asset><mesh name='m' vertex='.06 0 0 -.05 .04 0 -.04 -.05 0 0 0 .07 .03 .05 .04 .02 -.04 -.05'/></asset>"
MORE_SHAPES = {**SHAPES, "mesh": 'type="mesh" mesh="m"', "plane": 'type="plane" size="5 5 1"'}
PLATE = '<body pos="0 0 .25"><freejoint/><geom type="box" size=".15 .15 .004"/></body>'


@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
@pytest.mark.parametrize("plate", ["", PLATE], ids=["two", "three"])
@pytest.mark.parametrize(
    "pair", ["sphere-sphere", "plane-box", "plane-mesh", "capsule-box", "box-mesh", "plane-capsule"]
)
def test_random_poses(pair, plate, integrator):
    """Both move and spin, in any pose, also past each other; with a plate that may hide them."""
    first, second = (MORE_SHAPES[kind] for kind in pair.split("-"))
    one = f"<geom {first} margin='.01'/>"
    one = one if "plane" in pair else f"<body><freejoint/>{one}</body>"
    xml = FAST.format(option=f'integrator="{integrator}"', obstacle=one, shape=second)
    xml = xml.replace("<worldbody>", MESH + "<worldbody>").replace("</worldbody>", plate + "</worldbody>")
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    mj.opt.ccd_tolerance = m.opt.ccd_tolerance = 1e-10
    dj, d, rng, found = mujoco.MjData(mj), sim.Data(m), np.random.default_rng(3), 0
    for k in range(40):
        qpos, qvel = mj.qpos0 + 0.03 * rng.normal(size=mj.nq), 4 * rng.normal(size=mj.nv)
        moving = 7 * (pair.split("-")[0] != "plane")
        qpos[moving + 3 : moving + 7] = rng.normal(size=4)
        qpos[moving + 3 : moving + 7] /= np.linalg.norm(qpos[moving + 3 : moving + 7])
        qvel[6 * (moving > 0) + 2] -= rng.uniform(30, 90)
        qvel[3:6] *= 5 * (k % 2)
        dj.qpos[:], dj.qvel[:] = qpos, qvel
        mujoco.mj_normalizeQuat(mj, dj.qpos)
        d.qpos, d.qvel = dj.qpos, dj.qvel
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        assert d.ncon == dj.ncon
        assert np.allclose(contacts(d, d.ncon), contacts(dj, dj.ncon), rtol=0, atol=1e-6)
        found += d.ncon > 0
    assert found > 20


@pytest.mark.parametrize(
    ("obstacle", "shape", "option"),
    [
        ('<geom type="plane" size="5 5 1" margin=".01" gap=".5"/>', "sphere", ""),
        (OBSTACLES["box"], "box", '><flag nativeccd="disable"/></option><option'),
    ],
    ids=["instead of what is in the gap", "not without nativeccd"],
)
def test_what_becomes_of_other_contacts(obstacle, shape, option):
    _, dj, _, d = both(FAST.format(option=option, obstacle=obstacle, shape=SHAPES[shape]), [0, 0, -60, 0, 0, 0])
    assert d.ncon == dj.ncon == (shape == "sphere")
    assert np.allclose(contacts(d, d.ncon), contacts(dj, dj.ncon), rtol=0, atol=1e-11)


def test_excluded_bodies():
    xml = FAST.format(option="", obstacle='<body name="w"><geom size=".1"/></body>', shape=SHAPES["sphere"])
    xml = xml.replace('<body pos="0 0 .5">', '<body name="x" pos="0 0 .5">')
    excluded = xml.replace("</worldbody>", '</worldbody><contact><exclude body1="w" body2="x"/></contact>')
    assert both(xml, [0, 0, -60, 0, 0, 0])[3].ncon == 1
    assert both(excluded, [0, 0, -60, 0, 0, 0])[3].ncon == 0


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete"])
def test_steps(integrator):
    """A ball between two thin plates, fast enough to jump over both: step by step as in MuJoCo, and always between."""
    xml = f"""<mujoco><option gravity="0 0 0" timestep=".01" integrator="{integrator}">
        <flag speculative="enable"/></option><default><geom solref="-1e4 -20"/></default>
      <worldbody><geom type="box" pos="0 0 -.3" size=".5 .5 .005"/><geom type="box" pos="0 0 .3" size=".5 .5 .005"/>
      <body><freejoint/><geom size=".03"/></body></worldbody></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.qvel[2] = d.qvel[2] = 80
    for _ in range(40):
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        oracle.assert_same(d, dj, ["qpos", "qvel"], 1e-8)
        assert abs(d.qpos[2]) < 0.3
    m.opt.enableflags = 0
    sim.reset(m, d)
    d.qvel[2] = 80
    sim.step(m, d, 2)
    assert d.qpos[2] > 0.3


TWO_BALLS = """<mujoco><option gravity="0 0 0" timestep=".01"><flag speculative="enable"/></option><worldbody>
  <geom type="plane" size="5 5 1"/>
  <body pos="0 0 .5"><freejoint/><geom size=".05"/></body>
  <body pos="1 0 .04"><freejoint/><geom size=".05"/></body></worldbody></mujoco>"""


def test_contacts_to_come_have_their_places():
    """They are among the others, by bodies: the second ball lies on the plane that the first one will meet."""
    _, dj, _, d = both(TWO_BALLS, [0, 0, -55, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert d.contact.geom[: d.ncon].tolist() == [[0, 1], [0, 2]] == dj.contact.geom.tolist()
    assert np.allclose(d.contact.dist[:2], dj.contact.dist, rtol=0, atol=1e-12)
    oracle.assert_same(d, dj, ["contact.pos", "contact.frame", "contact.solref", "efc_J", "qacc"], 1e-11)


def test_geoms_of_fast_bodies_are_paired_in_order():
    """Also where pairs of slow ones are sorted by type: a capsule that falls next to a ball of the same body."""
    xml = """<mujoco><option gravity="0 0 0" timestep=".01"><flag speculative="enable"/></option><worldbody>
      <body pos="0 0 .3"><freejoint/><geom type="capsule" size=".02 .05" euler="0 90 0"/>
        <geom size=".05" pos=".2 0 -.2"/></body>
      <body><freejoint/><geom type="box" size="1 1 .06"/></body></worldbody></mujoco>"""
    _, dj, _, d = both(xml, [0, 0, -40, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert d.contact.geom[: d.ncon].tolist() == dj.contact.geom.tolist()
    assert d.contact.geom[0].tolist() == [0, 2] and d.contact.geom[d.ncon - 1].tolist() == [1, 2]


@pytest.mark.parametrize(("shape", "count"), [("box", 4), ("capsule", 1), ("cylinder", 2)])
def test_faces_that_land(shape, count):
    """All of a face that is nearer at the impact than the geoms are now; a capsule as any convex geom."""
    obstacle = OBSTACLES["box"].replace(".1 .12 .13", ".3 .3 .1")
    xml = FAST.format(option="", obstacle=obstacle, shape=SHAPES[shape])
    turn = [0.8, 0.6, 0, 0] if shape == "capsule" else [1, 0.001, 0.002, 0]
    _, dj, _, d = both(xml, [0, 0, -50, 0, 0, 0], [0, 0, 0.5, *turn])
    assert d.ncon == dj.ncon and d.ncon >= count
    assert np.allclose(d.contact.dist[: d.ncon], dj.contact.dist, rtol=0, atol=1e-6)
