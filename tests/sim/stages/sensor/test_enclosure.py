"""insidesite with `enclosed`: laws of convex shapes, and figures of MuJoCo 4.0.0 where it finds the maximum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from sim.stages.sensor.convex_distance import convex_distance
from sim.stages.sensor.enclosure import measures_enclosure

ASSET = """<asset><mesh name="m" vertex="0 0 0 .4 0 0 0 .5 0 0 0 .45 .25 .2 .3"/>
  <mesh name="n" builtin="sphere" params="1" scale=".6 .5 .7"/></asset>"""
INNER = {
    "sphere": 'size=".3"', "capsule": 'size=".2 .25"', "ellipsoid": 'size=".4 .2 .3"', "cylinder": 'size=".25 .35"',
    "box": 'size=".2 .3 .25"', "mesh": 'mesh="m"',
}  # fmt: skip
OUTER = {
    "sphere": 'size=".6"', "capsule": 'size=".45 .4"', "ellipsoid": 'size=".8 .5 .6"', "cylinder": 'size=".5 .6"',
    "box": 'size=".5 .6 .55"', "mesh": 'mesh="n"',
}  # fmt: skip
SENSOR = '<insidesite objtype="{}" objname="{}" site="outer" enclosed="true" {}/>'


def model(inner: str, outer: str, sensor: str = SENSOR.format("geom", "inner", "")) -> Any:
    return sim.loads(f"""<mujoco>{ASSET}<worldbody>
      <body name="a" mocap="true"><geom name="inner" type="{inner}" {INNER[inner]} contype="0" conaffinity="0"/>
        <site name="inside" type="{inner}" {INNER[inner]}/><camera name="eye"/></body>
      <body name="b" mocap="true"><site name="outer" type="{outer}" {OUTER[outer]}/></body>
      </worldbody><sensor>{sensor}</sensor></mujoco>""")


def place(d: Any, rng: Any, spread: float) -> None:
    d.mocap_pos[:] = spread * rng.normal(size=(2, 3))
    quat = rng.normal(size=(2, 4))
    d.mocap_quat[:] = quat / np.linalg.norm(quat, axis=1, keepdims=True)


def support(m: Any, kind: str, size: Any, mesh: int, u: Any) -> Any:
    """Support function of a shape, in its frame."""
    across = np.hypot(u[:, 0], u[:, 1])
    if kind == "mesh":
        first, count = m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]
        return (u @ m.mesh_vert[first : first + count].astype(float).T).max(axis=1)
    return {
        "sphere": lambda: np.full(len(u), size[0]),
        "capsule": lambda: size[0] + size[1] * np.abs(u[:, 2]),
        "ellipsoid": lambda: np.linalg.norm(u * size, axis=1),
        "cylinder": lambda: size[0] * across + size[1] * np.abs(u[:, 2]),
        "box": lambda: np.abs(u) @ size,
    }[kind]()


def directions(count: int) -> Any:
    """Points of a sphere, on a spiral."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    across = np.sqrt(1 - z * z)
    return np.column_stack([across * np.cos(turn), across * np.sin(turn), z])


def by_directions(m: Any, d: Any, inner: str, outer: str) -> float:
    """max over u of h(inner) - h(outer): over the whole sphere, then nearer and nearer to the best."""

    def gap(u: Any) -> Any:
        r, pos = d.site_xmat[1].reshape(3, 3), d.site_xpos[1].copy()
        if outer == "mesh":
            pos, r = pos + r @ m.mesh_pos[1], r @ sim.quat_to_mat(m.mesh_quat[1])
        inside = u @ d.geom_xpos[0] + support(m, inner, m.geom_size[0], 0, u @ d.geom_xmat[0].reshape(3, 3))
        return inside - u @ pos - support(m, outer, m.site_size[1], 1, u @ r)

    u = directions(4000)
    u = np.concatenate([u, d.site_xmat[1].reshape(3, 3).T, -d.site_xmat[1].reshape(3, 3).T])
    values = gap(u)
    best = float(values.max())
    for seed in np.argsort(-values)[:4]:
        centre, width = u[seed], 0.1
        for _ in range(70):
            near = centre + width * np.concatenate([directions(60), np.zeros((1, 3))])
            near /= np.linalg.norm(near, axis=1, keepdims=True)
            found = gap(near)
            centre, width = near[found.argmax()], width * 0.8
            best = max(best, float(found.max()))
    return best


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("inner", INNER)
def test_largest_difference_of_support_functions(inner: str, outer: str) -> None:
    rng = np.random.default_rng(7)
    m = model(inner, outer)
    assert measures_enclosure(m)
    d = sim.Data(m)
    for spread in (0.02, 0.1, 0.3, 0.8):
        place(d, rng, spread)
        sim.forward(m, d)
        expected = by_directions(m, d, inner, outer)
        assert d.sensordata[0] >= expected - 1e-8
        assert d.sensordata[0] == pytest.approx(expected, abs=1e-4)


# poses of the test above, in MuJoCo 4.0.0, where its search finds the maximum
FIGURES: dict[str, str] = {
    "sphere sphere": "0.11109868 0.48965745 0.11315323",
    "sphere ellipsoid": "0.00214110 0.57415309 0.15311327",
    "sphere box": "0.19427192 0.41800035 0.09052382",
    "sphere mesh": "0.15629055 0.59622589 0.14490481",
    "capsule sphere": "0.21535378 0.46605396 0.09844372",
    "capsule ellipsoid": "0.13602849 0.53191323 0.16038610",
    "capsule box": "0.24062310 0.32129552 0.10239702",
    "ellipsoid sphere": "0.11692828 0.39427395 0.21264171",
    "ellipsoid ellipsoid": "0.01424982 0.48132190 0.24784346",
    "ellipsoid box": "0.21007929 0.35841788 0.15960840",
    "cylinder sphere": "0.23876883 0.53479266 0.16358322",
    "cylinder ellipsoid": "0.13043125 0.60082878 0.22442049",
    "cylinder box": "0.30184887 0.37259187 0.17071818",
    "box sphere": "0.24567458 0.56113304 0.14446574",
    "box ellipsoid": "0.11941453 0.64188668 0.21156957",
    "box box": "0.32473322 0.47514622 0.15746986",
    "mesh sphere": "-0.13658610 0.68560281 0.21239239",
    "mesh ellipsoid": "-0.07754953 0.76893685 0.24521141",
    "mesh box": "-0.10572808 0.57940051 0.12956352",
}


@pytest.mark.parametrize("pair", FIGURES)
def test_figures_of_mujoco(pair: str) -> None:
    inner, outer = pair.split()
    m = model(inner, outer)
    d = sim.Data(m)
    rng = np.random.default_rng(7)
    for figure in FIGURES[pair].split():
        place(d, rng, 0.3)
        sim.forward(m, d)
        assert d.sensordata[0] == pytest.approx(float(figure), abs=1e-6)


@pytest.mark.parametrize("shape", OUTER)
def test_signed_distance_of_a_point(shape: str) -> None:
    # its gradient is the normal, it grows by one along it, and at the nearest point it is zero
    m = model("sphere", shape)
    kind, size, mesh = int(m.site_type[1]), tuple(m.site_size[1].tolist()), int(m.site_dataid[1])
    # vertices of a mesh are in single precision
    tolerance = 1e-7 if shape == "mesh" else 1e-12
    rng = np.random.default_rng(3)
    for point in rng.normal(scale=0.5, size=(60, 3)):
        distance, normal = convex_distance(m, kind, size, mesh, tuple(point))
        assert np.linalg.norm(normal) == pytest.approx(1)
        on_surface, _ = convex_distance(m, kind, size, mesh, tuple(point - distance * np.array(normal)))
        assert on_surface == pytest.approx(0, abs=tolerance)
        if distance > 0:
            farther, _ = convex_distance(m, kind, size, mesh, tuple(point + 0.1 * np.array(normal)))
            assert farther == pytest.approx(distance + 0.1, abs=tolerance)


@pytest.mark.parametrize("point", [(0, 0, 0), (0.2, 0, 0), (0.2, 0, 0.1), (0, 0.5, 0), (0.8, 0, 0), (0, 0, 1e-9)])
def test_on_the_axes_of_an_ellipsoid(point: tuple[float, float, float]) -> None:
    m = model("sphere", "ellipsoid")
    u = directions(200000)
    size = m.site_size[1]
    expected = float((u @ np.array(point) - np.linalg.norm(u * size, axis=1)).max())
    distance, _ = convex_distance(m, 4, tuple(size.tolist()), -1, tuple(float(x) for x in point))
    assert distance == pytest.approx(expected, abs=1e-4) and distance >= expected - 1e-12


def test_a_site_is_enclosed_as_a_geom_with_its_shape() -> None:
    for inner in INNER:
        m = model(inner, "ellipsoid", SENSOR.format("geom", "inner", "") + SENSOR.format("site", "inside", ""))
        d = sim.Data(m)
        place(d, np.random.default_rng(1), 0.2)
        sim.forward(m, d)
        assert d.sensordata[0] == pytest.approx(d.sensordata[1], abs=1e-12)


TREE = """<mujoco><worldbody><site name="outer" type="box" size="1 1 1"/>
  <body name="a" pos=".5 0 0"><geom name="g" size=".2"/><geom size=".3" pos="-.3 0 0"/><camera name="eye"/>
    <body name="b" pos=".6 0 0"><geom type="box" size=".1 .1 .1"/></body><body name="empty"/></body>
  <geom name="floor" type="plane" size="1 1 1"/></worldbody><sensor>{}</sensor></mujoco>"""


def test_bodies_and_subtrees_and_cutoff() -> None:
    sensors = [("geom", "g", ""), ("body", "a", ""), ("xbody", "a", ""), ("xbody", "a", 'cutoff=".1"')]
    m = sim.loads(TREE.format("".join(SENSOR.format(*row) for row in sensors)))
    d = sim.Data(m)
    sim.forward(m, d)
    # of MuJoCo 4.0.0
    assert d.sensordata == pytest.approx([-0.3, -0.3, 0.2, 0.1], abs=1e-12)
    assert m.sensor_intprm[:, 0].tolist() == [1] * 4 and m.sensor_datatype.tolist() == [0] * 4


def test_without_enclosed_it_is_a_switch() -> None:
    sensor = '<insidesite objtype="body" objname="a" site="outer" enclosed="false"/>'
    m = sim.loads(TREE.format(sensor))
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.sensordata.tolist() == [1.0] and m.sensor_datatype.tolist() == [1] and not measures_enclosure(m)


@pytest.mark.parametrize(
    ("kind", "name", "error"),
    [
        ("camera", "eye", "a camera cannot be enclosed"),
        ("body", "empty", "body 'empty' has no geom"),
        ("xbody", "empty", "body 'empty' has no geom"),
        ("geom", "floor", "geom 'floor' cannot be enclosed"),
        ("xbody", "world", "geom 'floor' cannot be enclosed"),
    ],
)
def test_errors(kind: str, name: str, error: str) -> None:
    with pytest.raises(sim.MjcfError, match=error):
        sim.loads(TREE.format(SENSOR.format(kind, name, "")))
