"""Meshes of flexes, in `flex_meshes.py`: triangles, normals and texture coordinates are those of MuJoCo's scene."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from app.model.views import ModelView
from app.scene.flex_meshes import FlexMesh, element_materials, flex_faces, flex_skin, part_number
from tests.app.scene.flex_views import BALL, BOX, CLOTH, FlexViews

Array = NDArray[Any]


@pytest.fixture(scope="module")
def views() -> FlexViews:
    return FlexViews()


def posed(views: FlexViews, mesh: FlexMesh, index: int) -> Array:
    """Corners of all triangles, (n, 3, 9)."""
    first, count = int(views.mj.flex_vertadr[index]), int(views.mj.flex_vertnum[index])
    position = views.state.flexvert_xpos[first : first + count].astype(np.float32)
    return mesh.posed(position, float(views.mj.flex_radius[index]))[mesh.triangles]


def their_triangles(scene: Any, index: int) -> tuple[Array, Array, Array]:
    """Position, normal and texture coordinate of the corners of MuJoCo's triangles."""
    part = slice(int(scene.flexfaceadr[index]), int(scene.flexfaceadr[index] + scene.flexfaceused[index]))
    fields = (("flexface", 3), ("flexnormal", 3), ("flextexcoord", 2))
    position, normal, texcoord = (np.array(getattr(scene, name)).reshape(-1, 3, n)[part] for name, n in fields)
    return position, normal, texcoord


def matched(ours: Array, theirs: Array) -> Array:
    """Our triangle for each of theirs, with its corners in their order; fails unless all have a partner."""
    turned = np.concatenate([np.roll(ours, turn, axis=1) for turn in range(3)])
    distance, which = cKDTree(turned[:, :, :3].reshape(-1, 9)).query(theirs.reshape(-1, 9))
    assert distance.max() < 1e-5
    assert len(set((which % len(ours)).tolist())) == len(theirs) == len(ours)
    found: Array = turned[which]
    return found


@pytest.mark.parametrize("index", [CLOTH, BOX, BALL])
def test_skin_is_that_of_mujoco(views: FlexViews, index: int) -> None:
    position, normal, texcoord = their_triangles(views.theirs(), index)
    mesh = flex_skin(views.model, index)
    ours = matched(posed(views, mesh, index), position)
    # the rim is shaded by the normals of its own triangles
    surface = len(ours) - mesh.rim
    assert np.abs(ours[:surface, :, 3:6] - normal[:surface]).max() < 1e-4
    edges = ours[surface:, 1:, :3] - ours[surface:, :1, :3]
    flat = np.cross(edges[:, 0], edges[:, 1])
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    assert np.allclose(ours[surface:, :, 3:6], flat[:, None], atol=1e-4)
    assert mesh.rim == (2 * views.mj.flex_shellnum[index] if index == CLOTH else 0)
    assert mesh.textured == (views.mj.flex_texcoordadr[index] >= 0) == (index != BOX)
    if mesh.textured:
        assert np.allclose(ours[:, :, 7:9], texcoord)


@pytest.mark.parametrize("index", [CLOTH, BOX, BALL])
def test_faces_are_those_of_mujoco(views: FlexViews, index: int) -> None:
    position, normal, texcoord = their_triangles(views.theirs(FLEXSKIN=False, FLEXFACE=True), index)
    ours = posed(views, flex_faces(views.model, index), index)
    if index == BALL:
        # its elements are thin: faces of neighbours coincide
        assert len(ours) == len(position)
        return
    ours = matched(ours, position)
    assert np.abs(ours[:, :, 3:6] - normal).max() < 1e-4
    if index == CLOTH:
        assert np.allclose(ours[:, :, 7:9], texcoord)


def test_smooth_vertices_are_shared_and_flat_ones_are_not(views: FlexViews) -> None:
    vertices = [len(flex_skin(views.model, index).vertices) for index in (CLOTH, BOX, BALL)]
    assert vertices[0] == 2 * views.mj.flex_vertnum[CLOTH] + 6 * views.mj.flex_shellnum[CLOTH]
    assert vertices[1] == 3 * views.mj.flex_shellnum[BOX]
    assert vertices[2] <= views.mj.flex_vertnum[BALL]


@pytest.mark.parametrize("index", [CLOTH, BOX])
@pytest.mark.parametrize("make", [flex_skin, flex_faces])
def test_elements_of_different_materials_share_the_surface(views: FlexViews, index: int, make: Any) -> None:
    whole = make(views.model, index)
    material = np.concatenate([element_materials(views.model, k) for k in range(views.model.nflex)])
    first, count = int(views.mj.flex_elemadr[index]), int(views.mj.flex_elemnum[index])
    # two materials, by where the element is
    corners = int(views.mj.flex_dim[index]) + 1
    elements = views.mj.flex_elem[views.mj.flex_elemdataadr[index] :][: count * corners].reshape(-1, corners)
    middle = views.state.flexvert_xpos[views.mj.flex_vertadr[index] :][elements].mean(axis=1)[:, 0]
    left = middle < middle.mean()
    material[first : first + count] = np.where(left, 0, 1)
    model = ModelView({**vars(views.model), "flex_matid": material, "identity": object()})
    parts = [make(model, part_number(model, index, k)) for k in range(2)]
    together = {tuple(row) for part in parts for row in part.triangles.tolist()}
    assert together == {tuple(row) for row in whole.triangles.tolist()}
    assert sum(len(part.triangles) for part in parts) == len(whole.triangles)
    sides = [posed(views, part, index)[:, :, 0].mean() for part in parts]
    assert sides[0] < sides[1] - 0.05
