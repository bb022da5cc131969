"""Paths around spheres and cylinders: against MuJoCo over thousands of poses, and the rule of the side site alone."""

from itertools import pairwise
from math import atan2, cos, pi, sin

import mujoco
import numpy as np
import pytest

import sim
from sim.stages.smooth.com import com_pos, subtree_coms
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.tendon import tendon
from sim.stages.smooth.wrapping import around_circle, sided_path
from tests import oracle

RADIUS = 0.3
POSES = 1500
SIDES = {"shortest": "", "sided": "0.2 0.4 0.1", "beside": "-0.5 0.05 0.3", "inside": "0.01 0.02 0.03"}

# a geom between two points that go anywhere
TWO_POINTS = """<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>
  <body euler="10 50 20"><geom name="g" type="{kind}" size="{radius} 1"/><site name="side" pos="{side}"/></body>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/>
    <geom size=".01"/><site name="a"/></body>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/>
    <geom size=".01"/><site name="b"/></body>
  </worldbody>
  <tendon><spatial><site site="a"/><geom geom="g" {attribute}/><site site="b"/></spatial></tendon></mujoco>"""


def poses(rng, count: int) -> np.ndarray:
    """Two points: apart, close together, next to the surface, on opposite sides, far away, and on a coarse grid."""
    points = rng.normal(size=(count, 2, 3))
    kind = np.arange(count) % 6
    points[kind == 1, 1] = points[kind == 1, 0] + 0.01 * rng.normal(size=(np.sum(kind == 1), 3))
    near = points[kind == 2, 0]
    height = 10 ** rng.uniform(-4, -1, (len(near), 1))
    points[kind == 2, 0] = near * RADIUS * (1 + height) / np.linalg.norm(near, axis=1, keepdims=True)
    points[kind == 3, 1] = -1.5 * points[kind == 3, 0] + 1e-3 * rng.normal(size=(np.sum(kind == 3), 3))
    points[kind == 4] *= 20
    points[kind == 5] = np.round(2 * points[kind == 5]) / 2
    return points.reshape(count, 6)


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("side", SIDES)
def test_poses(kind, side):
    attribute = "sidesite='side'" if SIDES[side] else ""
    xml = TWO_POINTS.format(kind=kind, radius=RADIUS, side=SIDES[side] or "0 0 0", attribute=attribute)
    mj = mujoco.MjModel.from_xml_string(xml)
    dj, m = mujoco.MjData(mj), oracle.model_of(mj)
    d = sim.Data(m)
    wrapped = 0
    for qpos in poses(np.random.default_rng(7), POSES):
        dj.qpos[:] = d.qpos[:] = qpos
        mujoco.mj_kinematics(mj, dj)
        mujoco.mj_comPos(mj, dj)
        mujoco.mj_tendon(mj, dj)
        for name in ("ten_length", "ten_J", "wrap_xpos"):
            d.read(name)[...] = np.nan
        for stage in (kinematics, subtree_coms, com_pos, tendon):
            stage(m, d)
        oracle.assert_same(d, dj, ["ten_length", "ten_wrapnum"], 1e-11)
        # with endpoints 1 cm apart, rounding moves the point of an inside wrap by 3e-13 and turns the path by 3e-11
        oracle.assert_same(d, dj, ["ten_J"], 1e-10 if side == "inside" else 1e-11)
        n = int(dj.ten_wrapnum[0])
        wrapped += n == 4
        assert d.wrap_obj.ravel()[:n].tolist() == dj.wrap_obj.ravel()[:n].tolist()
        assert oracle.error(d.wrap_xpos.reshape(-1, 3)[:n], dj.wrap_xpos.reshape(-1, 3)[:n]) < 1e-12
    assert POSES / 10 < wrapped < POSES


@pytest.mark.parametrize("sided", [False, True])
@pytest.mark.parametrize("above", [1e-15, 1e-13, 1e-10, 1e-7, 1e-4])
def test_wrap_onset(sided, above):
    """Grazing the circle, a segment wraps by an arc of no length, not by a whole turn; missing it, not at all."""
    rng = np.random.default_rng(1)
    for phi, before, after in rng.uniform((0, 0.1, 0.1), (2 * pi, 1, 1), (300, 3)):
        normal, along = np.array((cos(phi), sin(phi))), np.array((-sin(phi), cos(phi)))
        side = tuple(normal * RADIUS)
        for depth in (above, -above):
            foot = normal * RADIUS * (1 - depth)
            a, b = tuple(foot - before * along), tuple(foot + after * along)
            length, first, last = around_circle(a, b, sided, side, RADIUS)
            if depth < 0:
                assert length == -1
            else:
                assert 0 <= length < 50 * above * RADIUS + 1e-15
                assert np.allclose((first, last), side, atol=50 * above)


def turned(points) -> float:
    """Angle by which a polyline turns about the origin."""
    return sum(atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]) for p, q in pairwise(points))


def test_a_sided_path_turns_as_the_way_over_the_side_site():
    """Homotopy: the path and the polyline over the side site turn by the same angle; no shorter path does."""
    rng = np.random.default_rng(3)
    long = 0
    for _ in range(2000):
        a, b, s = rng.normal(size=(3, 2))
        a, b = a * (1 + RADIUS / np.linalg.norm(a)), b * (1 + RADIUS / np.linalg.norm(b))
        side = tuple(s * RADIUS / np.linalg.norm(s))
        length, first, last = sided_path(tuple(a), tuple(b), side, RADIUS)
        way = turned([a, side, b])
        if length < 0:
            assert turned([a, b]) == pytest.approx(way, abs=1e-12)
            continue
        # points of the arc, in the sense of the way
        start, angle = atan2(first[1], first[0]), np.copysign(length / RADIUS, way)
        arc = [(RADIUS * cos(start + t * angle), RADIUS * sin(start + t * angle)) for t in np.linspace(0, 1, 20)]
        assert np.allclose(arc[-1], last, atol=1e-12)
        assert turned([a, *arc, b]) == pytest.approx(way, abs=1e-12)
        # tangents
        assert np.dot(first, a) == pytest.approx(RADIUS**2)
        assert np.dot(last, b) == pytest.approx(RADIUS**2)
        long += length > pi * RADIUS
    assert long > 10


def test_length_jumps_only_across_the_ray_opposite_the_side_site():
    """One end goes once around the circle: its path has one jump, where the end is opposite the side site."""
    a, side = (-0.8, 0.1), (0.0, RADIUS)
    angles = np.linspace(-pi / 2 + 1e-9, 3 * pi / 2 - 1e-9, 4001)
    lengths = []
    for angle in angles:
        b = (0.7 * cos(angle), 0.7 * sin(angle))
        length, first, last = sided_path(a, b, side, RADIUS)
        whole = np.linalg.norm(np.subtract(a, b))
        if length >= 0:
            whole = length + np.linalg.norm(np.subtract(a, first)) + np.linalg.norm(np.subtract(b, last))
        lengths.append(whole)
    assert np.abs(np.diff(lengths)).max() < 0.002
    assert abs(lengths[0] - lengths[-1]) > 0.9
