"""Rays and distances against MuJoCo: every geom type from all sides, filters, many rays at once, bad input."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np
import pytest

import sim
from tests import oracle

SHAPES = {
    "plane": 'type="plane" size=".5 .7 .1"',
    "endless": 'type="plane" size="0 0 .1"',
    "sphere": 'size=".5"',
    "capsule": 'type="capsule" size=".3 .4"',
    "ellipsoid": 'type="ellipsoid" size=".5 .3 .7"',
    "cylinder": 'type="cylinder" size=".4 .3"',
    "box": 'type="box" size=".5 .3 .4"',
    "mesh": 'type="mesh" mesh="ball"',
    "slab": 'type="mesh" mesh="slab"',
    "hfield": 'type="hfield" hfield="hills"',
}
ASSETS = """
  <asset>
    <mesh name="ball" builtin="supersphere" params="12 1 1" scale=".6 .4 .5"/>
    <mesh name="slab" vertex="0 0 0  1 0 0  1 1 0  0 1 .02  .5 .5 .3" scale=".8 .8 .8"/>
    <hfield name="hills" nrow="7" ncol="9" size=".8 .6 .4 .2" elevation="{}"/>
    <material name="glass" rgba="1 1 1 0"/>
  </asset>
""".format(" ".join(str((5 * i * i + 3 * i) % 7) for i in range(63)))


def scene(geoms: str) -> tuple[mujoco.MjModel, mujoco.MjData, sim.Model, sim.Data]:
    """Both engines, with everything in its place."""
    mj = mujoco.MjModel.from_xml_string(f"<mujoco>{ASSETS}<worldbody>{geoms}</worldbody></mujoco>")
    dj = mujoco.MjData(mj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    mujoco.mj_forward(mj, dj)
    sim.place(m, d)
    return mj, dj, m, d


def their_ray(mj, dj, pnt, vec, group=None, static=True, exclude=-1):
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    return mujoco.mj_ray(mj, dj, pnt, vec, group, static, exclude, geom, normal), geom[0], normal


def assert_same_ray(ours, theirs) -> None:
    assert ours[1] == theirs[1]
    assert ours[0] == pytest.approx(theirs[0], rel=1e-9, abs=1e-12)
    np.testing.assert_allclose(ours[2], theirs[2], atol=1e-8)


def towards(rng: np.random.Generator, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """A ray that starts somewhere, inside too, and has a good chance to meet what is at the origin."""
    start = reach * rng.normal(size=3)
    return start, (0.4 * rng.normal(size=3) - start) * rng.uniform(0.2, 3)


@pytest.mark.parametrize("shape", SHAPES)
def test_shape(shape: str) -> None:
    """Distance and normal from outside, from inside, and of misses."""
    mj, dj, m, d = scene(f'<geom {SHAPES[shape]} pos=".1 -.2 .05" euler="20 -35 50"/>')
    rng = np.random.default_rng(1)
    met = 0
    for k in range(400):
        p, v = towards(rng, 1.0 if k % 2 else 0.2)
        ours = sim.ray(m, d, p, v)
        assert_same_ray(ours, their_ray(mj, dj, p, v))
        met += ours[1] >= 0
    assert met > 40


@pytest.mark.parametrize("shape", SHAPES)
def test_along_the_axes(shape: str) -> None:
    """Rays that are parallel to faces and edges, start on them, or run along the grid of a height field."""
    mj, dj, m, d = scene(f"<geom {SHAPES[shape]}/>")
    grid = (-1.0, -0.4, -0.3, 0.0, 0.1, 0.3, 0.5)
    for axis, sign in itertools.product(range(3), (-1.0, 1.0)):
        for p in itertools.product(grid, repeat=3):
            v = np.zeros(3)
            v[axis] = sign
            ours, theirs = sim.ray(m, d, p, v), their_ray(mj, dj, np.array(p), v)
            assert (ours[0], ours[1]) == (pytest.approx(theirs[0], abs=1e-12), theirs[1]), (p, v)


@pytest.mark.parametrize("shape", ["mesh", "slab"])
def test_corners_and_edges(shape: str) -> None:
    """Rays through vertices and the middles of edges, where single bits decide which triangle is hit."""
    mj, dj, m, d = scene(f"<geom {SHAPES[shape]}/>")
    mesh = mj.geom_dataid[0]
    vertices = mj.mesh_vert[mj.mesh_vertadr[mesh] :][: mj.mesh_vertnum[mesh]]
    vertices = vertices @ dj.geom_xmat[0].reshape(3, 3).T + dj.geom_xpos[0]
    faces = mj.mesh_face[mj.mesh_faceadr[mesh] :][: mj.mesh_facenum[mesh]]
    rng = np.random.default_rng(5)
    for k, target in enumerate([*vertices, *vertices[faces[:, :2]].mean(1)]):
        for v in (rng.normal(size=3), np.eye(3)[k % 3] * (-1) ** k):
            p = target - v * rng.uniform(0.5, 2)
            assert_same_ray(sim.ray(m, d, p, v), their_ray(mj, dj, p, v))


CROWD = """
  <geom type="plane" size="5 5 .1" group="3"/>
  <geom name="glass" size=".5" material="glass" pos="1 0 1"/>
  <geom name="air" size=".5" rgba="1 1 1 0" pos="0 1 1"/>
  <geom type="box" size=".7 .6 .3" pos="1 1 .7" euler="0 20 30" group="1"/>
  <body pos="-1 0 1"><freejoint/><geom type="capsule" size=".2 .4" euler="30 0 0" group="2"/>
    <geom type="mesh" mesh="ball" pos="0 1 0" group="5"/></body>
  <body pos="0 -1 .4"><geom type="cylinder" size=".3 .3" group="4"/></body>
  <body pos="2 2 1" mocap="true"><geom type="ellipsoid" size=".5 .3 .4"/></body>
  <geom type="hfield" hfield="hills" pos="-2 -2 .3" euler="0 0 20"/>
"""


def test_filters() -> None:
    """Groups, static geoms, a body and invisible geoms left out."""
    mj, dj, m, d = scene(CROWD)
    rng = np.random.default_rng(2)
    seen = set()
    for k in range(400):
        p, v = rng.uniform((-3, -3, 0), (3, 3, 6)), rng.normal(size=3) - (0, 0, 1)
        group = None if k % 3 == 0 else rng.integers(0, 2, 6).astype(np.uint8)
        static, exclude = bool(k % 4), int(rng.integers(-1, mj.nbody))
        ours = sim.ray(m, d, p, v, group, static, exclude)
        assert_same_ray(ours, their_ray(mj, dj, p, v, group, static, exclude))
        seen.add(ours[1])
    assert seen == set(range(-1, mj.ngeom)) - {1, 2}


def test_many_rays() -> None:
    """All rays from one point at once, also beyond the room there was, with a cutoff and a direction without length."""
    mj, dj, m, d = scene(CROWD)
    rng = np.random.default_rng(3)
    seen: set[int] = set()
    for cutoff, point in itertools.product((1e10, 2.0), ((0.0, 0.0, 2.0), (-1.0, 1.0, 1.0), (3.0, 3.0, 4.0))):
        vec = rng.normal(size=(500, 3))
        vec[7] = 0.0
        dist, geom, normal = sim.multi_ray(m, d, point, vec, cutoff=cutoff)
        theirs = np.zeros(500, np.int32), np.zeros(500), np.zeros((500, 3))
        pnt = np.array(point)
        mujoco.mj_multiRay(
            mj, dj, pnt, vec.ravel(), None, True, -1, theirs[0], theirs[1], theirs[2].ravel(), 500, cutoff
        )
        theirs[0][7] = -1
        np.testing.assert_array_equal(geom, theirs[0])
        np.testing.assert_allclose(dist, theirs[1], atol=1e-9)
        np.testing.assert_allclose(normal, theirs[2], atol=1e-8)
        seen |= set(geom.tolist())
    assert seen == set(range(-1, mj.ngeom)) - {1, 2}


def test_bundle_overlooks_nothing() -> None:
    """Rays of a bundle meet what a ray alone meets, also what hangs far off a turned body."""
    inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    mj, dj, m, d = scene(f'<body euler="0 0 180"><freejoint/>{inertia}<geom size=".3" pos="2 0 0"/></body>')
    pnt, vec = np.array((-2.0, 0.1, 5.0)), np.array((0.0, 0.0, -1.0))
    geom = np.zeros(1, np.int32)
    mujoco.mj_multiRay(mj, dj, pnt, vec, None, True, -1, geom, np.zeros(1), np.zeros(3), 1, 1e10)
    assert sim.multi_ray(m, d, pnt, [vec])[1][0] == sim.ray(m, d, pnt, vec)[1] == geom[0] == 0


def test_bad_rays() -> None:
    """Wrong shapes, numbers that are none, and what is not there."""
    _, _, m, d = scene(CROWD)
    for pnt, vec in (
        ((0, 0), (0, 0, 1)),
        ((0, 0, 0), (0, 0, np.nan)),
        ((0, 0, 0), (0, 0, 0)),
        ((0, np.inf, 0), (1, 0, 0)),
    ):
        with pytest.raises(ValueError, match=r"pnt|vec"):
            sim.ray(m, d, pnt, vec)
    with pytest.raises(ValueError, match="it must have 6"):
        sim.ray(m, d, (0, 0, 1), (0, 0, -1), geomgroup=[1, 0])
    with pytest.raises(IndexError, match="body 99"):
        sim.ray(m, d, (0, 0, 1), (0, 0, -1), bodyexclude=99)
    with pytest.raises(ValueError, match="shape"):
        sim.multi_ray(m, d, (0, 0, 1), (0, 0, -1))


# ---- distances


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(SHAPES, 2)), ids="-".join)
def test_distance(pair: tuple[str, str]) -> None:
    """Apart, touching and overlapping, in either order, with the segment; nothing beyond distmax."""
    bodies = "".join(
        f'<body mocap="true"><geom {SHAPES[shape]}/></body>' if shape not in ("hfield", "plane", "endless")
        else f"<geom {SHAPES[shape]}/>"
        for shape in pair
    )  # fmt: skip
    mj, dj, m, d = scene(bodies)
    rng = np.random.default_rng(4)
    for k in range(12):
        dj.mocap_pos[:] = rng.normal(size=dj.mocap_pos.shape) * (1.5 if k % 2 else 0.4)
        dj.mocap_quat[:] = rng.normal(size=dj.mocap_quat.shape)
        oracle.copy_fields(dj, d, ("mocap_pos", "mocap_quat"))
        mujoco.mj_kinematics(mj, dj)
        sim.place(m, d)
        for g1, g2, distmax in ((0, 1, 5.0), (1, 0, 5.0), (0, 1, 0.3)):
            segment = np.zeros(6)
            theirs = mujoco.mj_geomDistance(mj, dj, g1, g2, distmax, segment)
            dist, fromto = sim.geom_distance(m, d, g1, g2, distmax)
            assert dist == pytest.approx(theirs, abs=1e-6)
            np.testing.assert_allclose(fromto, segment, atol=1e-4)


def test_bad_distances() -> None:
    _, _, m, d = scene(CROWD)
    with pytest.raises(IndexError, match="geom 77"):
        sim.geom_distance(m, d, 0, 77, 1.0)
    with pytest.raises(ValueError, match="distmax"):
        sim.geom_distance(m, d, 0, 1, np.nan)
