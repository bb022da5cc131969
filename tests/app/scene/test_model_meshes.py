"""Meshes and height fields: their triangles, and the pictures they make."""

from __future__ import annotations

import io
from typing import Any

import moderngl
import numpy as np
import pytest
from PIL import Image

from app.model.views import ModelView, StateView
from app.render.device import RenderTexture
from app.render.renderer import Renderer
from app.run.snapshot import view_model, view_state
from app.scene.camera import OrbitCamera, View
from app.scene.instances import POSITION
from app.scene.meshes import Mesh
from app.scene.model_meshes import model_mesh
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions

SIZE = (160, 120)
CUBE = """vertex='-.3 -.3 -.3 .3 -.3 -.3 .3 .3 -.3 -.3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 .3 .3 .3 -.3 .3 .3'
face='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7'"""
IMAGE_PLACES = "texcoord='0 1 1 1 1 0 0 0 0 1 1 1 1 0 0 0'"
SHEET = "vertex='-.4 .1 -.4 .4 0 -.4 .4 .1 .4 -.4 0 .4' face='0 1 2 0 2 3' inertia='shell'"


def load(xml: str, **assets: bytes) -> tuple[ModelView, StateView]:
    """What the GUI thread would see of a model with assets."""
    import sim

    model: Any = sim.loads(f"<mujoco>{xml}</mujoco>", {f"{name}.png": data for name, data in assets.items()})
    data = sim.Data(model)
    sim.place(model, data)
    return view_model(model), view_state(data)


def with_mesh(attributes: str, geom: str = "", assets: str = "") -> str:
    """A model with one mesh geom."""
    return (
        f"<asset>{assets}<mesh name='m' {attributes}/></asset>"
        f"<worldbody><geom type='mesh' mesh='m' rgba='1 .1 .1 1' {geom}/></worldbody>"
    )


def volume(mesh: Mesh) -> float:
    """Positive if triangles face outwards."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles, :3].astype(float), 1, 0)
    return float(np.sum(a * np.cross(b, c)) / 6)


def picture(
    gl: moderngl.Context, views: tuple[ModelView, StateView], azimuth: float = 90.0, elevation: float = 0.0
) -> Any:
    """Pixels, seen from -y towards +y unless told otherwise."""
    model, state = views
    camera = OrbitCamera(np.zeros(3), 3.0, azimuth, elevation)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
    renderer, target = Renderer(gl), RenderTexture(gl, SIZE)
    scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
    renderer.draw(model, scene, view, target.framebuffer, (0, 0, *SIZE))
    pixels = target.pixels().astype(int)
    target.release()
    renderer.release()
    assert gl.error == "GL_NO_ERROR"
    return pixels


def reddish(pixels: Any) -> Any:
    return pixels[:, :, 0] > pixels[:, :, 1:].max(axis=2) + 40


@pytest.mark.parametrize("scale", ["1 1 1", "-1 1 1", "-1 -1 -1", "1 -2 1"])
def test_meshes_face_outwards_whatever_their_scale(scale: str) -> None:
    model, _ = load(with_mesh(f"{CUBE} scale='{scale}'"))
    mesh = model_mesh(model, "mesh 0")
    assert volume(mesh) == pytest.approx(0.216 * np.abs(np.prod([float(s) for s in scale.split()])), rel=1e-5)
    assert not mesh.open
    assert not mesh.textured
    assert mesh.triangles.max() < len(mesh.vertices)


def test_every_combination_of_indices_is_a_vertex() -> None:
    model, _ = load(with_mesh(f"{CUBE} {IMAGE_PLACES}"))
    mesh = model_mesh(model, "mesh 0")
    assert mesh.textured
    # every corner has the vertex and the texture coordinate that the model gives it
    corners = mesh.vertices[mesh.triangles]
    for columns, values, indices in (
        (slice(0, 3), model.mesh_vert, model.mesh_face),
        (slice(7, 9), model.mesh_texcoord, model.mesh_facetexcoord),
    ):
        assert np.allclose(np.sort(corners[:, :, columns], axis=1), np.sort(values[indices], axis=1))


def test_box_with_shared_vertices_is_drawn_flat() -> None:
    mesh = model_mesh(load(with_mesh(CUBE))[0], "mesh 0")
    corner = mesh.vertices[mesh.triangles]
    across = np.cross(corner[:, 1, :3] - corner[:, 0, :3], corner[:, 2, :3] - corner[:, 0, :3])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    assert np.sum(across[:, None] * corner[:, :, 3:6], axis=2).min() > 0.39


def test_open_sheet_is_seen_from_both_sides(gl: moderngl.Context) -> None:
    views = load(with_mesh(SHEET))
    mesh = model_mesh(views[0], "mesh 0")
    assert mesh.open
    front, back = (reddish(picture(gl, views, azimuth)).sum() for azimuth in (90.0, -90.0))
    assert front > 500
    assert back == pytest.approx(front, rel=0.15)


def test_mesh_is_where_it_should_be(gl: moderngl.Context) -> None:
    rows, columns = np.nonzero(reddish(picture(gl, load(with_mesh(CUBE, "pos='.5 0 .3'")))))
    per_metre = SIZE[1] / 2 / (3 * np.tan(np.radians(22.5)))
    assert columns.mean() == pytest.approx(SIZE[0] / 2 + 0.5 * per_metre, abs=3)
    assert rows.mean() == pytest.approx(SIZE[1] / 2 - 0.3 * per_metre, abs=3)


def test_many_geoms_share_one_mesh() -> None:
    geoms = "".join(f"<geom type='mesh' mesh='m' pos='{x} 0 0'/>" for x in range(5))
    model, state = load(f"<asset><mesh name='m' {CUBE}/></asset><worldbody>{geoms}</worldbody>")
    (batch,) = Scene(model, VisualOptions()).draw_list(state, np.array([0.0, -99.0, 0.0])).opaque
    assert batch.shape == "mesh 0"
    assert batch.lod == 0
    assert np.allclose(np.sort(batch.instances[:, POSITION][:, 0]), range(5), atol=1e-6)


def png(pixels: Any) -> bytes:
    """An image file."""
    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(("places", "split"), [(IMAGE_PLACES, True), ("", False)])
def test_image_on_a_mesh(gl: moderngl.Context, places: str, split: bool) -> None:
    # red on the left, blue on the right of the image
    image = np.zeros((16, 16, 3))
    image[:, :8, 0] = image[:, 8:, 2] = 255
    assets = "<texture name='t' type='2d' file='t.png'/><material name='p' texture='t' rgba='1 1 1 1'/>"
    body = with_mesh(f"{CUBE} {places}", "material='p'", assets).replace("rgba='1 .1 .1 1' ", "")
    pixels = picture(gl, load(body, t=png(image)), elevation=-89.0)
    red, blue = reddish(pixels), pixels[:, :, 2] > pixels[:, :, 0] + 40
    assert red.sum() + blue.sum() > 400
    if split:
        assert np.nonzero(red)[1].mean() < SIZE[0] / 2 - 5
        assert np.nonzero(blue)[1].mean() > SIZE[0] / 2 + 5


def test_cube_texture_of_a_file(gl: moderngl.Context) -> None:
    image = np.zeros((16, 16, 3))
    image[:, :, 0] = 255
    assets = "<texture name='t' type='cube' file='t.png'/><material name='p' texture='t' rgba='1 1 1 1'/>"
    body = with_mesh(CUBE, "material='p'", assets).replace("rgba='1 .1 .1 1' ", "")
    assert reddish(picture(gl, load(body, t=png(image)))).sum() > 400


HILL = """<asset><hfield name='h' nrow='9' ncol='7' size='.6 .4 .5 .1' elevation='{}'/></asset>
<worldbody><geom type='hfield' hfield='h' rgba='1 .1 .1 1'/></worldbody>"""


def test_height_field() -> None:
    heights = np.zeros((9, 7))
    heights[4, 3] = 1.0
    model, _ = load(HILL.format(" ".join(map(str, heights.ravel()))))
    mesh = model_mesh(model, "height field 0")
    low, high = mesh.vertices[:, :3].min(axis=0), mesh.vertices[:, :3].max(axis=0)
    assert np.allclose(low, (-0.6, -0.4, -0.1), atol=1e-6)
    assert np.allclose(high, (0.6, 0.4, 0.5), atol=1e-6)
    peak = mesh.vertices[np.argmax(mesh.vertices[:, 2])]
    assert np.allclose(peak[:2], 0, atol=1e-6)
    # closed, outward, and normals agree with triangles
    base, cell = 1.2 * 0.8 * 0.1, (1.2 / 6) * (0.8 / 8)
    assert volume(mesh) == pytest.approx(base + 0.5 * cell, rel=1e-3)
    corner = mesh.vertices[mesh.triangles]
    across = np.cross(corner[:, 1, :3] - corner[:, 0, :3], corner[:, 2, :3] - corner[:, 0, :3])
    assert (np.sum(across * corner[:, :, 3:6].sum(axis=1), axis=1) > 0).all()


def test_height_field_rises_in_the_picture(gl: moderngl.Context) -> None:
    heights = np.zeros((9, 7))
    flat = np.nonzero(reddish(picture(gl, load(HILL.format("0 " * 62 + "0")))))[0].min()
    heights[4, 3] = 1.0
    hill = np.nonzero(reddish(picture(gl, load(HILL.format(" ".join(map(str, heights.ravel())))))))[0].min()
    assert hill < flat - 10


def test_one_renderer_draws_meshes_of_model_after_model(gl: moderngl.Context) -> None:
    renderer, target = Renderer(gl), RenderTexture(gl, SIZE)
    camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
    for attributes, area in ((CUBE, True), (SHEET, True), (f"{CUBE} scale='.01 .01 .01'", False)):
        model, state = load(with_mesh(attributes))
        scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
        renderer.draw(model, scene, view, target.framebuffer, (0, 0, *SIZE))
        assert bool(reddish(target.pixels().astype(int)).sum() > 300) is area
    target.release()
    renderer.release()
    assert gl.error == "GL_NO_ERROR"
