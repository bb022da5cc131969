"""Builtin meshes made of a lattice: figures of MuJoCo 4.0.0, and laws of their geometry."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import sim
from sim.attributes import KEYWORDS
from sim.mjcf.asset.builtin_lattice import MOST_POINTS, make_lattice


def text(shape: str, params: str, mesh: str = "", geom: str = 'contype="0" conaffinity="0"') -> str:
    return f"""<mujoco><asset><mesh name="m" builtin="{shape}" params="{params}" {mesh}/></asset>
      <worldbody><body><geom type="mesh" mesh="m" {geom}/></body></worldbody></mujoco>"""


def made(shape: str, *params: float) -> Any:
    return make_lattice(KEYWORDS["meshbuiltin"][shape], params)


def figures(m: Any) -> list[float]:
    """Numbers of vertices and faces, sums that depend on their order, mass and moments of inertia."""
    vertex, face = np.asarray(m.mesh_vert, float), np.asarray(m.mesh_face)
    rank = np.arange(1, len(vertex) + 1)
    order = (np.arange(1, face.size + 1) * face.ravel()).sum()
    sums = rank @ (np.asarray(m.mesh_pos)[0] + vertex @ rotation(m.mesh_quat[0]).T)
    return [len(vertex), len(face), float(order), *sums.tolist(), float(m.body_mass[1]), *m.body_inertia[1].tolist()]


def rotation(quat: Any) -> Any:
    w, x, y, z = quat
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


# made by MuJoCo 4.0.0; the faces of solids are those of the hull
FIGURES = {
    "grid 3 4 5 .1 .2 .3": "60 12 20064 80.000001 75.000003 36.000001 144.00001 21.600004 17.760003 4.8000008",
    "grid 4 6 1 .31 .17 1 2": "24 30 58980 55.8 11.9 0 790.50003 104.56998 56.97529 47.594692",
    "box 4 3 2 .3 .2 .1 3": "25 12 9381 27 3.2 7.2000001 36 2.9099999 2.4599999 0.51000002",
    "box 3 4 6 .1 .2 .3 2": "62 112 2124837 23.2 75.500003 252.75 2520.0001 625.88575 534.68573 132.00001",
    "cylinder 3 4 5 .1 .25 .3": "55 36 85168 11.259373 32.734771 92.400004 130.88884 19.838903 16.02011 4.445689",
    "cylinder 5 3 4 .1 .25 .3 2": "51 88 1056482 22.669702 49.386048 134.1 1405.0685 149.80685 136.92955 63.580625",
    "ellipsoid 3 4 5 .1 .2 .3": "55 104 1528870 9.6940031 23.962354 65.02304 64.902858 5.140603 4.2116321 1.1750463",
    "ellipsoid 4 3 6 .11 .2 .3 2": "62 112 2115900 25.308962 60.859079 164.8315 1147.2621 132.00243 127.3652 27.961448",
    "square 5 3 1 .31 .27 1": "15 16 10480 27.9 2.7000001 0 669.60003 102.06937 85.798085 16.271282",
    "disc 5 7 1 .9 .7 1": "35 48 225444 679.1358 178.45267 0 44699.101 337772.39 224311.14 113461.25",
    "disc 4 4 1 .9 -.7 1": "16 18 13979 85.169748 12.593361 0 6377.6519 7555.9766 5677.542 1878.4345",
}


@pytest.mark.parametrize("shape", FIGURES)
def test_figures_of_mujoco(shape: str) -> None:
    name, _, params = shape.partition(" ")
    expected = [float(word) for word in FIGURES[shape].split()]
    assert figures(sim.loads(text(name, params))) == pytest.approx(expected, rel=1e-6, abs=1e-5)


@pytest.mark.parametrize("shape", ["box", "cylinder", "ellipsoid"])
@pytest.mark.parametrize("counts", [(2, 2, 2), (3, 4, 5), (4, 3, 2)])
def test_a_surface_is_open_at_the_top_only(shape: str, counts: tuple[int, int, int]) -> None:
    soup = made(shape, *counts, 0.1, 0.2, 0.3, 2)
    edges = Counter((a, b) for face in soup.face.tolist() for a, b in zip(face, face[1:] + face[:1], strict=True))
    assert max(edges.values()) == 1
    rim = [(a, b) for a, b in edges if (b, a) not in edges]
    assert len(rim) == 2 * (counts[0] - 1) + 2 * (counts[1] - 1)
    assert {i for face in soup.face.tolist() for i in face} == set(range(len(soup.vertex)))
    # seen from outside its triangles run counter-clockwise
    a, b, c = (soup.vertex[soup.face[:, k]].astype(float) for k in range(3))
    outwards = np.sum(np.cross(b - a, c - a) * (a + b + c), axis=1)
    assert (outwards >= -1e-9).all() and outwards.max() > 0


@pytest.mark.parametrize("dim", [2, 3])
def test_points_are_on_the_surface(dim: int) -> None:
    half = np.array([0.5 * 0.1 * 2, 0.5 * 0.2 * 3, 0.5 * 0.3 * 4])
    start = dim - 2
    ball = made("ellipsoid", 3, 4, 5, 0.1, 0.2, 0.3, dim).vertex[start:] / half
    assert np.allclose(np.sum(ball**2, axis=1), 1, atol=1e-6)
    tube = made("cylinder", 3, 4, 5, 0.1, 0.2, 0.3, dim).vertex[start:] / half
    radius, inner = np.hypot(tube[:, 0], tube[:, 1]), np.abs(tube[:, 2]) < 0.99
    assert inner.any() and np.allclose(radius[inner], 1, atol=1e-6) and radius.max() < 1 + 1e-6
    box = made("box", 3, 4, 5, 0.1, 0.2, 0.3, dim).vertex[start:] / half
    assert np.allclose(np.abs(box).max(axis=1), 1, atol=1e-6)
    disc = made("disc", 7, 7, 1, 1, 1, 1)
    # scaled by the coordinate, as in MuJoCo: the rim is at half size times half size
    assert np.hypot(*disc.vertex[:, :2].T).max() == pytest.approx(9, rel=1e-6)


@pytest.mark.parametrize("shape", ["square", "grid"])
def test_area_of_a_plane(shape: str) -> None:
    m = sim.loads(text(shape, "3 5 1 .5 .25 7" + " 2" * (shape == "grid")))
    # legacy inertia is that of a shell
    assert m.body_mass[1] == pytest.approx(1000 * 1.0 * 1.0)
    assert m.nmeshgraph == 0


@pytest.mark.parametrize("shape", ["grid", "box"])
def test_a_solid_is_its_hull(shape: str) -> None:
    m = sim.loads(text(shape, "3 4 5 .1 .2 .3"))
    assert m.body_mass[1] == pytest.approx(1000 * 0.2 * 0.6 * 1.2)
    assert m.nmeshface == 12


@pytest.mark.parametrize(
    ("shape", "params", "error"),
    [
        ("grid", "2 2 2 1 1", "a grid has 6 or 7 parameters, not 5"),
        ("square", "2 2 1 1 1 1 2", "a square has 6 parameters, not 7"),
        ("grid", "2 2 2 1 1 1 1", "the dimension must be 2 or 3, not 1"),
        ("grid", "2 2 2 1 1 1 2", "the third count must be 1"),
        ("disc", "3 3 2 1 1 1", "the third count must be 1"),
        ("square", "1 3 1 1 1 1", "at least 2"),
        ("grid", "3 3 1 1 1 1", "at least 2"),
        ("cylinder", "3 1 3 1 1 1", "at least 2"),
        ("box", "-3 3 3 1 1 1", "at least 2"),
        ("box", "900 900 900 1 1 1", f"more than {MOST_POINTS} points"),
        ("box", "2001 2 2 1 1 1", "a parameter can be at most 2000"),
        ("grid", "2 2 1 0 1 1 2", "its surface area is 0"),
    ],
)
def test_bad_parameters(shape: str, params: str, error: str) -> None:
    with pytest.raises(sim.MjcfError, match=error) as raised:
        sim.loads(text(shape, params))
    assert raised.value.line == 1


def test_a_flat_mesh_has_no_hull() -> None:
    with pytest.raises(sim.MjcfError, match="plane"):
        sim.loads(text("square", "3 3 1 1 1 1", geom=""))
