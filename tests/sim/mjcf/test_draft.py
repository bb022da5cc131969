"""Drafts of models with large files: the same elements, boxes for meshes (draft.py)."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sim
from sim.mjcf.draft import draft_file

MODEL = """<mujoco><asset>
    <mesh name="one" file="one.{kind}" scale="2 1 1"/><mesh name="flat" file="flat.{kind}" inertia="shell"/>
    <texture name="picture" type="2d" file="picture.png"/><texture name="sky" type="skybox" builtin="gradient"
    width="256" height="256"/><material name="painted" texture="picture"/>
    <hfield name="hill" file="picture.png" size="1 1 .5 .1"/>
  </asset><worldbody>
    <geom name="ground" type="hfield" hfield="hill"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="g" type="mesh" mesh="one" material="painted"/>
      <body name="b" pos="1 0 0"><joint name="j" range="-40 40"/><geom size=".1"/>
        <geom type="mesh" mesh="flat" mass="1" contype="0" conaffinity="0"/></body></body>
  </worldbody><actuator><muscle name="m" joint="j"/></actuator></mujoco>"""
# corners of a tetrahedron, and of a square
SOLID = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
TRIANGLES = [(0, 1, 2), (0, 2, 3)]


def stl(vertices: list[tuple[int, int, int]], faces: list[tuple[int, int, int]]) -> bytes:
    """A binary STL file."""
    rows = [struct.pack("<12fH", 0, 0, 0, *(x for k in face for x in vertices[k]), 0) for face in faces]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(rows)


def obj(vertices: list[tuple[int, int, int]], faces: list[tuple[int, int, int]]) -> bytes:
    """An OBJ file."""
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    return "\n".join(lines).encode()


@pytest.fixture(params=["stl", "obj"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A model with files."""
    write = {"stl": stl, "obj": obj}[request.param]
    (tmp_path / f"one.{request.param}").write_bytes(write(SOLID, TETRAHEDRON))
    (tmp_path / f"flat.{request.param}").write_bytes(write(SQUARE, TRIANGLES))
    Image.fromarray(np.arange(64, dtype=np.uint8).reshape(8, 8)).save(tmp_path / "picture.png")
    (tmp_path / "model.xml").write_text(MODEL.format(kind=request.param))
    return tmp_path / "model.xml"


def test_a_draft_has_the_elements_of_the_model_and_boxes_for_meshes(path: Path) -> None:
    draft, model = draft_file(path, many=1), sim.load(path)
    assert draft is not None and (draft.meshes, draft.images) == (2, 1)
    for kind, count in (("body", "nbody"), ("geom", "ngeom"), ("joint", "njnt"), ("mesh", "nmesh"), ("actuator", "nu")):
        names = [[m.id2name(kind, i) for i in range(getattr(m, count))] for m in (draft.model, model)]
        assert names[0] == names[1]
    assert [*draft.model.mesh_vertnum] == [8, 8] and [*draft.model.mesh_facenum] == [12, 12]
    # the box in the world is the one around the mesh
    d = sim.Data(draft.model)
    sim.place(draft.model, d)
    corners = d.geom_xpos[1] + draft.model.mesh_vert[:8] @ d.geom_xmat[1].reshape(3, 3).T
    assert corners.min(axis=0) == pytest.approx([0, 0, 1], abs=1e-6)
    assert corners.max(axis=0) == pytest.approx([2, 2, 4], abs=1e-6)
    # images are one white pixel, patterns are coarse, height fields are level
    assert draft.model.tex_width.tolist() == [1, 64] and not draft.model.hfield_data.any()


def test_small_files_need_no_draft(path: Path) -> None:
    assert draft_file(path) is None
