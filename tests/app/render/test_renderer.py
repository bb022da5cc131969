"""The renderer off screen: pictures are read back and looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest
from imgui_bundle import imgui

from app.files.resources import bundled_scenes, folder
from app.render import device
from app.render.device import RenderTexture, shader_fault, shader_source
from app.render.gui import SHADERS, GuiRenderer
from app.render.renderer import Renderer
from app.render.shadow import ShadowRegion, light_cameras, shadow_region
from app.run.snapshot import view_model, view_state
from app.scene.camera import OrbitCamera, View
from app.scene.lights import KEY_LIGHT
from app.scene.meshes import primitive_meshes
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views, world
from tests.app.gui_driver import gui_context

SIZE = (160, 120)
Pixels = np.ndarray
Draw = Callable[..., Pixels]


def level_view(distance: float = 3.0, height: float = 0.0, elevation: float = 0.0) -> View:
    """From -y towards +y; x goes to the right of the picture, z up."""
    camera = OrbitCamera(np.array([0.0, 0.0, height]), distance, 90.0, elevation)
    return View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)


@pytest.fixture
def draw(gl: moderngl.Context, views: Views) -> Iterator[Draw]:
    """From the body of an MJCF file to pixels, rows from the top."""
    renderer, picture = Renderer(gl), RenderTexture(gl, SIZE)

    def make(body: str, view: View | None = None, **options: object) -> Pixels:
        model, state = views(body)
        view = view or level_view()
        scene = Scene(model, VisualOptions(**options)).draw_list(state, view.eye)  # type: ignore[arg-type]
        renderer.draw(model, scene, view, picture.framebuffer, (0, 0, *SIZE))
        assert gl.error == "GL_NO_ERROR"
        return picture.pixels().astype(int)

    make.renderer = renderer  # type: ignore[attr-defined]
    yield make
    picture.release()
    renderer.release()
    assert gl.error == "GL_NO_ERROR"


def reddish(pixels: Pixels) -> Pixels:
    """Where red stands out."""
    return pixels[:, :, 0] > pixels[:, :, 1:].max(axis=2) + 40


@pytest.mark.parametrize("geom", [
    "type='sphere' size='.3'", "type='capsule' size='.2 .15'", "type='ellipsoid' size='.3 .3 .2'",
    "type='cylinder' size='.25 .2'", "type='box' size='.25 .25 .25'",
])  # fmt: skip
def test_each_shape_is_where_it_should_be(draw: Draw, geom: str) -> None:
    red = reddish(draw(world(f"<geom {geom} pos='.5 0 .3' rgba='1 .1 .1 1'/>")))
    rows, columns = np.nonzero(red)
    # half the height of the picture is 1.24 m at this distance
    pixels_per_metre = SIZE[1] / 2 / (3 * np.tan(np.radians(22.5)))
    assert columns.mean() == pytest.approx(SIZE[0] / 2 + 0.5 * pixels_per_metre, abs=3)
    assert rows.mean() == pytest.approx(SIZE[1] / 2 - 0.3 * pixels_per_metre, abs=3)
    width = columns.max() - columns.min()
    assert 0.3 * pixels_per_metre < width < 0.8 * pixels_per_metre


def test_nothing_but_sky(draw: Draw) -> None:
    pixels = draw("")
    assert pixels.max() > 10
    assert pixels.std(axis=1).max() < 3
    assert pixels[SIZE[1] // 2].mean() > pixels[0].mean()


def test_few_shaders_are_kept(gl: moderngl.Context, draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "MAX_PROGRAMS", 4)
    made: list[moderngl.Program] = []
    compile_program = device.program
    monkeypatch.setattr(device, "program", lambda *args: made.append(compile_program(*args)) or made[-1])
    looks: list[dict[str, object]] = [{}, {"shadow": False}, {"skybox": False}, {"haze": False}, {"fog": True}]
    body = world("<geom type='plane' size='3 3 1'/><geom size='.3' rgba='1 .1 .1 1'/>")
    first = [draw(body, **look) for look in looks]
    again = [draw(body, **look) for look in looks]
    assert all(np.array_equal(*pair) for pair in zip(first, again, strict=True))
    # those of the last picture, which needed more, and what was not given up before it
    living = [shader for shader in made if type(shader.mglo).__name__ != "InvalidObject"]
    assert 4 <= len(living) < len(made) / 2
    # and what was made for those that are gone has gone with them
    alive = {shader.glo for shader in living}
    renderer = draw.renderer  # type: ignore[attr-defined]
    assert {shader for shader, _ in renderer.assets.pool._arrays} <= alive
    assert set(renderer.assets.fullscreen) <= alive


def test_near_hides_far(draw: Draw) -> None:
    pixels = draw(world("<geom size='.3' pos='0 1 0' rgba='0 0 1 1'/><geom size='.3' pos='0 0 0' rgba='1 0 0 1'/>"))
    assert reddish(pixels)[SIZE[1] // 2, SIZE[0] // 2]


def test_transparent_mixes(draw: Draw) -> None:
    behind = "<geom type='box' size='2 .1 2' pos='0 1 0' rgba='0 0 .9 1'/>"
    middle = SIZE[1] // 2, SIZE[0] // 2
    through = draw(world(behind + "<geom size='.3' rgba='1 0 0 .5'/>"))[middle]
    solid = draw(world(behind + "<geom size='.3' rgba='1 0 0 1'/>"))[middle]
    assert through[2] > solid[2] + 30
    assert 30 < through[0] < solid[0]


def test_near_and_far_side_are_seen_through(draw: Draw) -> None:
    behind = "<geom type='box' size='2 .1 2' pos='0 1 0' rgba='0 0 .9 1'/>"
    middle = SIZE[1] // 2, SIZE[0] // 2
    dull = "<asset><material name='dull' rgba='.2 0 0 .5' specular='0'/></asset>"
    plain = draw(world(behind), shadow=False)[middle]
    through = draw(dull + world(behind + "<geom type='box' size='.3 .3 .3' material='dull'/>"), shadow=False)[middle]
    # each side lets half of the light through
    assert 0.2 * plain[2] < through[2] < 0.35 * plain[2]


def test_later_of_two_in_one_place_is_seen(draw: Draw) -> None:
    red, blue = "<geom size='.3' rgba='.9 0 0 1'/>", "<geom size='.3' rgba='0 0 .9 1'/>"
    assert reddish(draw(world(blue + red))).sum() > 500
    assert not reddish(draw(world(red + blue))).any()


def test_wall_from_behind(draw: Draw) -> None:
    wall = world("<geom type='plane' size='.5 .5 1' zaxis='0 {} 0' rgba='1 0 0 1'/>")
    front, behind = (draw(wall.format(y))[SIZE[1] // 2, SIZE[0] // 2] for y in (-1, 1))
    sky = draw("")[SIZE[1] // 2, SIZE[0] // 2]
    assert sky[0] + 20 < behind[0] < front[0] - 20


def test_edges_are_smooth(draw: Draw) -> None:
    pixels = draw(world("<geom type='box' size='.5 .1 .5' euler='0 20 0' rgba='1 1 1 1'/>"))
    levels = np.unique(pixels[:, :, 0])
    assert len(levels) > 12


def test_shadow_falls_on_the_floor(draw: Draw) -> None:
    body = world(
        "<light directional='true' dir='0 0 -1' pos='0 0 3'/>"
        "<geom type='plane' size='0 0 1' rgba='.6 .6 .6 1'/><geom size='.2' pos='0 0 .6'/>"
    )
    view = level_view(distance=3.0, height=0.4, elevation=-25.0)
    lit, shaded = draw(body, view, shadow=False), draw(body, view)
    darker = (lit - shaded).max(axis=2) > 20
    rows, columns = np.nonzero(darker)
    assert 30 < darker.sum() < 3000
    assert columns.mean() == pytest.approx(SIZE[0] / 2, abs=3)
    # only the floor below the ball: the ball itself is not speckled by its own shadow
    ball = slice(SIZE[1] // 2 - 20, SIZE[1] // 2 - 6), slice(SIZE[0] // 2 - 4, SIZE[0] // 2 + 4)
    assert not darker[ball].any()
    assert rows.min() > SIZE[1] // 2


def test_shadow_of_a_spot_light(draw: Draw) -> None:
    body = world(
        "<light pos='0 0 3' dir='0 0 -1' cutoff='60' exponent='0'/>"
        "<geom type='plane' size='0 0 1' rgba='.6 .6 .6 1'/><geom size='.2' pos='0 0 .6'/>"
    )
    view = level_view(distance=3.0, height=0.4, elevation=-25.0)
    assert ((draw(body, view, shadow=False) - draw(body, view)).max(axis=2) > 20).sum() > 30


def test_floor_meets_the_sky_without_an_edge(draw: Draw) -> None:
    body = world("<geom type='plane' size='0 0 1' rgba='.8 .8 .8 1'/>")
    largest_step = {}
    for haze in (True, False):
        rows = draw(body, level_view(height=1.0, elevation=-8.0), haze=haze).mean(axis=(1, 2))
        largest_step[haze] = np.abs(np.diff(rows)).max() / (rows[-1] - rows[0])
    assert largest_step[True] < 0.2
    assert largest_step[False] > 0.35


def test_floor_is_not_seen_from_below(draw: Draw) -> None:
    body = world("<geom type='plane' size='0 0 1' rgba='1 0 0 1'/>")
    assert not reddish(draw(body, level_view(height=-2.0))).any()


def test_checker(draw: Draw) -> None:
    body = """
    <asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 0 1' width='64' height='64'/>
    <material name='m' texture='t' texrepeat='1 1' texuniform='true'/></asset>
    <worldbody><geom type='plane' size='0 0 1' material='m'/></worldbody>"""
    view = level_view(distance=2.0, elevation=-89.0)
    pixels = draw(body, view)
    red, blue = reddish(pixels), pixels[:, :, 2] > pixels[:, :, 0] + 40
    assert 0.3 < red.mean() < 0.7
    assert 0.3 < blue.mean() < 0.7
    plain = draw(body, view, texture=False)
    assert not reddish(plain).any()


@pytest.mark.parametrize(
    "geom", ["type='sphere' size='.4'", "type='ellipsoid' size='.4 .4 .4'", "type='cylinder' size='.35 .4'"]
)
def test_texture_goes_around_round_shapes(draw: Draw, geom: str) -> None:
    body = f"""
    <asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 0 1' width='64' height='64'/>
    <material name='m' texture='t' specular='0'/></asset>
    <worldbody><geom {geom} material='m'/></worldbody>"""
    pixels = draw(body)
    red, blue = reddish(pixels), pixels[:, :, 2] > pixels[:, :, 0] + 40
    # from the side one sees half of the way around: one field of the checker over another
    assert min(red.sum(), blue.sum()) > 300
    upper, lower = (red, blue) if red[: SIZE[1] // 2].any() else (blue, red)
    assert not upper[SIZE[1] // 2 + 2 :].any()
    assert not lower[: SIZE[1] // 2 - 2].any()


def test_skybox(draw: Draw) -> None:
    body = (
        "<asset><texture type='skybox' builtin='gradient' rgb1='1 0 0' rgb2='0 0 1' width='64' height='384'/></asset>"
    )
    pixels = draw(body)
    assert pixels[0, :, 0].mean() > pixels[-1, :, 0].mean() + 20
    assert pixels[-1, :, 2].mean() > pixels[0, :, 2].mean() + 20
    grey = draw(body, skybox=False)
    assert abs(grey[0, :, 0].mean() - grey[0, :, 2].mean()) < 20


def test_colours_survive(draw: Draw) -> None:
    # a surface lit by one unit of ambient light shows its own sRGB colour
    body = """<visual><headlight ambient='.95 .95 .95' diffuse='0 0 0' specular='0 0 0'/></visual>
    <asset><material name='m' rgba='.5 .3 .2 1' specular='0' shininess='0'/></asset>
    <worldbody><light diffuse='0 0 0' specular='0 0 0'/>
    <geom type='box' size='3 .1 3' material='m'/></worldbody>"""
    middle = draw(body)[SIZE[1] // 2, SIZE[0] // 2]
    assert np.allclose(middle, (0.5 * 255, 0.3 * 255, 0.2 * 255), rtol=0.16)


def test_part_of_a_target(gl: moderngl.Context, views: Views) -> None:
    renderer, picture = Renderer(gl), RenderTexture(gl, SIZE)
    picture.framebuffer.clear()
    model, state = views(world("<geom size='.5' rgba='1 0 0 1'/>"))
    view = level_view()
    scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
    renderer.draw(model, scene, view, picture.framebuffer, (80, 0, 80, 60))
    red = np.nonzero(reddish(picture.pixels().astype(int)))
    assert picture.pixels()[:60].max() == 0
    assert red[0].mean() == pytest.approx(90, abs=2)
    assert red[1].mean() == pytest.approx(120, abs=2)
    # nothing to draw into is no error
    for viewport in ((0, 0, 0, 0), (0, 0, 5, -3)):
        renderer.draw(model, scene, view, picture.framebuffer, viewport)
    picture.release()
    renderer.release()
    assert gl.error == "GL_NO_ERROR"


def test_one_renderer_draws_model_after_model(draw: Draw) -> None:
    many = "".join(f"<geom size='.05' pos='{x} 0 0' rgba='1 0 0 1'/>" for x in np.linspace(-1, 1, 40))
    assert reddish(draw(world("<geom size='.3' rgba='1 0 0 1'/>"))).sum() > 100
    assert reddish(draw(world(many))).sum() > 100
    assert not reddish(draw("")).any()


@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda scene: scene.name)
def test_bundled_scenes_are_worth_looking_at(gl: moderngl.Context, scene: object) -> None:
    import sim
    from app.scene.camera import default_free_camera

    model = sim.load(str(scene.path))  # type: ignore[attr-defined]
    data = sim.Data(model)
    sim.place(model, data)
    constants, state = view_model(model), view_state(data)
    renderer, picture = Renderer(gl), RenderTexture(gl, SIZE)
    view = default_free_camera(constants).view(constants)
    draw_list = Scene(constants, VisualOptions()).draw_list(state, view.eye)
    renderer.draw(constants, draw_list, view, picture.framebuffer, (0, 0, *SIZE))
    pixels = picture.pixels().astype(int)
    assert gl.error == "GL_NO_ERROR"
    # something bright is near the middle, and the picture is neither black nor burnt out
    assert pixels[30:90, 40:120].max() > 120
    assert 15 < pixels.mean() < 160
    picture.release()
    renderer.release()


def test_texture_goes_over_a_capsule_three_times() -> None:
    vertices = primitive_meshes()["capsule", 0].vertices.round(5)
    # upper pole, upper and lower equator, lower pole
    places = {(z, cap): v for z, cap, v in vertices[:, (2, 6, 8)].tolist()}
    assert [places[key] for key in ((1, 1), (0, 1), (0, -1), (-1, -1))] == [0, 1, 2, 3]
    around = vertices[vertices[:, 2] == 0, 7]
    assert (around.min(), around.max()) == (0, 1)


def test_meshes_are_closed_and_face_outwards() -> None:
    for (name, level), mesh in primitive_meshes().items():
        corners = mesh.vertices[mesh.triangles][:, :, :3].astype(float)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        given = mesh.vertices[mesh.triangles][:, :, 3:6].mean(axis=1)
        area = np.linalg.norm(normals, axis=1) > 1e-6
        assert (np.sum(normals * given, axis=1)[area] > 0).all(), name
        if name != "plane":
            assert np.allclose(normals.sum(axis=0), 0, atol=1e-4), name
            volume = np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])) / 6
            expected = {
                "sphere": 4.19, "capsule": 4.19, "cylinder": 6.28, "cone": 2.09, "pyramid": 4 / 3, "box": 8.0,
            }[name]  # fmt: skip
            assert volume == pytest.approx(expected, rel=(0.01, 0.03, 0.09, 0.2, 0.4)[level]), name


def test_light_camera_sees_all_casters() -> None:
    center = np.array([1.0, 2.0, 0.5])
    (camera,) = light_cameras(KEY_LIGHT, ShadowRegion(center, 2.0), 1024)
    points = center + 2.0 * np.vstack([np.eye(3), -np.eye(3)])
    clip = np.column_stack([points, np.ones(6)]) @ camera.matrix.T
    assert (np.abs(clip[:, :3] / clip[:, 3:]) <= 1.0).all()
    # moving by less than a texel does not move the map sideways
    (moved,) = light_cameras(KEY_LIGHT, ShadowRegion(center + 1e-5, 2.0), 1024)
    assert np.allclose(camera.matrix[:2], moved.matrix[:2])


def test_shadows_follow_the_view() -> None:
    near = np.array([[0.0, 0, 0, 0.2], [1.0, 0, 0, 0.2]])
    view = replace(level_view(), focus=3.0)
    looked_at = view.eye - 3.0 * view.axes[:, 2]
    near[:, :3] += looked_at
    region = shadow_region(near, KEY_LIGHT, view, 2.0)
    assert np.allclose(region.center, near[:, :3].mean(axis=0))
    assert region.radius == pytest.approx(0.7)
    # one that rolls away changes nothing
    gone = np.vstack([near, [50.0, 0, 0, 0.2]])
    assert shadow_region(gone, KEY_LIGHT, view, 2.0).radius == region.radius
    # ground that is larger than the view is covered around what the view looks at
    ground = np.vstack([near, [0.0, 0, 0, 80.0]])
    region = shadow_region(ground, KEY_LIGHT, view, 2.0)
    assert np.allclose(region.center, looked_at)
    assert region.radius == 6.0


def test_shader_includes_and_defines() -> None:
    text = shader_source("surface.frag", ("PLANE", "LIGHTS 2"))
    assert text.startswith("#version 330 core\n#define PLANE\n#define LIGHTS 2\n")
    assert "#include" not in text
    assert text.count("#version") == 1


def test_changed_shaders_wait_for_the_next_start(
    gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shader_source("gui.frag")
    shutil.copytree(folder("shaders"), tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(device, "folder", lambda _: tmp_path)
    assert shader_fault(gl, [SHADERS]) == ""
    changed = tmp_path / "gui.frag"
    changed.write_text(changed.read_text().replace("void main()", "void mian()"))
    assert shader_source("gui.frag") == before
    device.program(gl, *SHADERS).release()
    # what would not start is known before that
    assert shader_fault(gl, [SHADERS]).startswith("shaders gui.vert and gui.frag: ")
    changed.write_text("void main() {}")
    assert shader_fault(gl, [SHADERS]) == "gui.frag has no #version line"
    changed.unlink()
    assert shader_fault(gl, [SHADERS]) == "shaders gui.vert and gui.frag: no such file: 'gui.frag'"


def test_panels_are_drawn(gl: moderngl.Context) -> None:
    with gui_context():
        io = imgui.get_io()
        io.set_ini_filename("")
        io.display_size = imgui.ImVec2(*SIZE)
        io.delta_time = 1 / 60
        gui, picture = GuiRenderer(gl), RenderTexture(gl, SIZE)
        for size in (15, 31):
            # another font size makes ImGui enlarge its atlas
            for _ in range(3):
                imgui.new_frame()
                imgui.set_next_window_pos((0, 0))
                imgui.set_next_window_size((100, 80))
                imgui.begin("panel", None, imgui.WindowFlags_.no_decoration)
                imgui.push_font(None, size)
                imgui.text("Hello")
                imgui.pop_font()
                imgui.end()
                imgui.render()
                picture.framebuffer.clear()
                gui.draw(picture.framebuffer, imgui.get_draw_data())
            pixels = picture.pixels()
            assert gl.error == "GL_NO_ERROR"
            assert pixels[:, 110:].max() == 0
            assert 15 < pixels[60, 50].mean() < 60
            assert (pixels[:50, :90] > 150).sum() > 60
        gui.release()
        picture.release()
