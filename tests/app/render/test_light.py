"""Light off screen: mirrors, several shadows, fog, blending, wireframe, metal, outlines, ids; pixels are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import moderngl
import mujoco
import numpy as np
import pytest

from app.model.selection import Selection
from app.model.views import ModelView
from app.render.device import RenderTexture
from app.render.quality import FINE, QUICK, Quality
from app.render.regions import mirrored_spheres, outside, screen_rect
from app.render.renderer import Renderer
from app.render.textures import mip_levels
from app.render.uniforms import AMBIENT_FLOOR, light_uniforms
from app.scene.camera import OrbitCamera, View
from app.scene.decor.user_geoms import ARROW, UserGeom
from app.scene.instances import NO_TEXTURE, Batch, Kind, rods
from app.scene.picking import hit_of, without_decor
from app.scene.scene import DrawList, Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views, world

SIZE = (160, 120)
Draw = Callable[..., Any]
FLOOR = "<geom type='plane' size='5 5 1' rgba='.6 .6 .6 1'/>"


def look(distance: float = 3.0, height: float = 0.4, elevation: float = -25.0) -> View:
    """From -y towards +y, a little from above."""
    camera = OrbitCamera(np.array([0.0, 0.0, height]), distance, 90.0, elevation)
    return View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)


class Studio:
    """A renderer and what it draws into."""

    def __init__(self, gl: moderngl.Context, views: Views, quality: Quality | None = None) -> None:
        self.gl, self.views = gl, views
        self.renderer, self.picture = Renderer(gl, quality), RenderTexture(gl, SIZE)

    def list(
        self, body: str, selected: Selection | None = None, extra: Any = (), **options: Any
    ) -> tuple[ModelView, DrawList]:
        """A model and what is drawn of it."""
        model, state = self.views(body)
        scene = Scene(model, VisualOptions(**options))
        return model, scene.draw_list(state, look().eye, selected, extra)

    def __call__(self, body: str, view: View | None = None, **options: Any) -> Any:
        """Pixels, rows from the top."""
        model, scene = self.list(body, **options)
        self.renderer.draw(model, scene, view or look(), self.picture.framebuffer, (0, 0, *SIZE))
        assert self.gl.error == "GL_NO_ERROR"
        return self.picture.pixels().astype(int)


@pytest.fixture
def draw(gl: moderngl.Context, views: Views) -> Iterator[Studio]:
    """From the body of an MJCF file to pixels."""
    studio = Studio(gl, views)
    yield studio
    studio.picture.release()
    studio.renderer.release()


def in_qualities(gl: moderngl.Context, views: Views, body: str, qualities: tuple[Quality, ...]) -> list[Any]:
    """Pictures of the same model by renderers of several qualities."""
    pictures = []
    for quality in qualities:
        studio = Studio(gl, views, quality)
        pictures.append(studio(body))
        studio.picture.release()
        studio.renderer.release()
    return pictures


def changed(first: Any, second: Any, least: int = 12) -> Any:
    """Where two pictures differ."""
    return np.abs(first - second).max(axis=2) > least


MIRROR = "<asset><material name='m' reflectance='.6' rgba='.2 .2 .2 1'/></asset>"
BALL = "<geom size='.15' pos='0 0 .5' rgba='1 .1 .1 1'/>"


@pytest.mark.parametrize("floor", ["type='plane' size='2 2 1'", "type='box' size='2 2 .1' pos='0 0 -.1'"])
def test_mirror_shows_what_is_above_it(draw: Studio, floor: str) -> None:
    body = MIRROR + world(f"<geom {floor} material='m'/>{BALL}")
    plain, mirrored = (draw(body, reflection=on, shadow=False) for on in (False, True))
    rows, columns = np.nonzero(changed(plain, mirrored))
    # the image hangs as far below the floor as the ball is above it
    view = look()
    x, y = view.project(np.array([0.0, 0.0, -0.5]), SIZE[0] / SIZE[1]) or (9.0, 9.0)
    assert columns.mean() == pytest.approx(SIZE[0] * (1 + x) / 2, abs=3)
    assert rows.mean() == pytest.approx(SIZE[1] * (1 - y) / 2, abs=4)
    assert (mirrored - plain)[rows, columns, 0].mean() > 20


def test_mirror_adds_light(draw: Studio) -> None:
    # what is as dark as the floor makes it brighter, and what is black hardly darkens it
    shades = []
    for shade in (0.35, 0.0):
        ball = f"<geom size='.15' pos='0 0 .5' rgba='{shade} {shade} {shade} 1'/>"
        floor = "<geom type='plane' size='2 2 1' material='m' rgba='.35 .35 .35 1'/>"
        body = MIRROR + world(floor + ball)
        plain, mirrored = (draw(body, reflection=on, shadow=False) for on in (False, True))
        shades.append(mirrored - plain)
    assert shades[0].max() > 20
    assert shades[1].min() > -30


def test_highlights_have_the_colour_of_the_texture(draw: Studio) -> None:
    light = "<light pos='0 .5 1.5' dir='0 0 -1' specular='1 1 1' cutoff='80' exponent='0' castshadow='false'/>"
    floor = "<geom type='plane' size='2 2 1' material='{}'/>"
    body = """<asset><texture name='t' type='2d' builtin='flat' rgb1='.1 .25 .5' width='8' height='8'/>
    <material name='painted' texture='t' specular='1'/><material name='plain' rgba='.1 .25 .5 1' specular='1'/></asset>
    """
    painted, plain = (draw(body + world(light + floor.format(m))).reshape(-1, 3) for m in ("painted", "plain"))
    # the brightest spot is blue, and not white as it is without a texture
    brightest = [pixels[pixels.sum(axis=1).argmax()] for pixels in (painted, plain)]
    assert brightest[0][2] > 1.5 * brightest[0][0]
    assert brightest[1][2] < 1.5 * brightest[1][0]


def test_bold_rods_are_wider(draw: Studio) -> None:
    model, scene = draw.list("")
    rod = rods(np.array([[-0.5, 0, 0.4]]), np.array([[0.5, 0, 0.4]]), 1e-5, np.array([[1.0, 0, 0, 1]]))
    widths = []
    for bold in (1.0, 3.0):
        drawn = replace(scene, overlay=(Batch("capsule", NO_TEXTURE, rod, width_scale=bold),))
        draw.renderer.draw(model, drawn, look(), draw.picture.framebuffer, (0, 0, *SIZE))
        pixels = draw.picture.pixels().astype(int)
        widths.append((pixels[:, SIZE[0] // 2, 0] > pixels[:, SIZE[0] // 2, 2] + 40).sum())
    assert widths[1] >= widths[0] + 2


def test_of_two_in_one_place_the_one_that_is_seen_is_picked(draw: Studio) -> None:
    model, scene = draw.list(world("<geom size='.3' pos='0 0 .4'/><geom size='.3' pos='0 0 .4'/>"))
    found = draw.renderer.pick(model, scene, look(), SIZE[0] / SIZE[1], 0.0, 0.0)
    assert found is not None
    assert found.index == 1


def test_mirror_is_empty_from_behind_and_of_what_is_behind_it(draw: Studio) -> None:
    below = world("<geom type='plane' size='2 2 1' material='m'/><geom size='.15' pos='0 0 -.5' rgba='1 .1 .1 1'/>")
    assert not changed(draw(MIRROR + below, reflection=False), draw(MIRROR + below)).any()


def test_every_light_casts_its_own_shadow(draw: Studio) -> None:
    lights = [
        "<light directional='true' dir='.5 0 -1' pos='0 0 3' diffuse='.5 .5 .5'/>",
        "<light pos='1.5 0 2' dir='-.6 0 -1' cutoff='60' exponent='0' diffuse='.5 .5 .5'/>",
        "<light type='point' pos='0 1.5 1.5' dir='0 -1 -1' diffuse='.5 .5 .5'/>",
    ]
    shadows = []
    for light in lights:
        body = world(light + FLOOR + BALL)
        rows, columns = np.nonzero(changed(draw(body, shadow=False), draw(body)))
        assert len(rows) > 15
        shadows.append((rows.mean(), columns.mean()))
    together = world("".join(lights) + FLOOR + BALL)
    all_of_them = changed(draw(together, shadow=False), draw(together), 6)
    for row, column in shadows:
        assert all_of_them[round(row) - 2 : round(row) + 3, round(column) - 2 : round(column) + 3].any()
    assert shadows[0][1] > shadows[1][1] + 10
    assert shadows[2][0] > shadows[0][0] + 2


WAYS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def _room() -> str:
    """A ball and behind it a wall, in each of six directions."""
    parts = []
    for way in np.array(WAYS):
        ball, wall, half = 0.5 * way, 1.5 * way, np.where(way != 0, 0.02, 1.4)
        parts.append(f"<geom size='.1' pos='{ball[0]} {ball[1]} {ball[2]}'/>")
        parts.append(f"<geom type='box' pos='{wall[0]} {wall[1]} {wall[2]}' size='{half[0]} {half[1]} {half[2]}'/>")
    return "".join(parts)


def _facing(way: Any) -> View:
    """From the side of the middle towards the wall in a direction."""
    target, eye = 1.48 * way, 0.5 * np.roll(way, 1)
    backward = (eye - target) / np.linalg.norm(eye - target)
    right = np.cross(np.roll(way, 2), backward)
    right /= np.linalg.norm(right)
    return View(eye, np.column_stack([right, np.cross(backward, right), backward]), 60.0, 0.01, 100.0)


@pytest.mark.parametrize("light", ["type='point'", "cutoff='85' exponent='0' dir='{} {} {}'"])
@pytest.mark.parametrize("way", WAYS)
def test_shadows_all_round_a_light(draw: Studio, light: str, way: tuple[int, int, int]) -> None:
    direction = np.array(way)
    body = world(f"<light {light.format(*way)} diffuse='.8 .8 .8'/>" + _room())
    view, aspect = _facing(direction), SIZE[0] / SIZE[1]
    dark = changed(draw(body, view, shadow=False), draw(body, view), 30)
    for aside, expected in ((0.0, True), (0.2, True), (0.45, False), (-0.7, False)):
        x, y = view.project(1.48 * direction + aside * np.roll(direction, 2), aspect) or (9.0, 9.0)
        row, column = round(SIZE[1] * (1 - y) / 2), round(SIZE[0] * (1 + x) / 2)
        assert dark[row, column] == expected, aside


@pytest.mark.parametrize("cutoff", [0, 0.01])
def test_a_spot_without_a_cone_can_be_drawn(draw: Studio, cutoff: float) -> None:
    body = world(f"<light cutoff='{cutoff}' pos='0 0 2' dir='0 0 -1' diffuse='1 1 1'/><geom size='.4'/>")
    picture = draw(body, look(3.0, 0.0, -20.0))
    assert picture.max() < 255


def test_shadow_goes_on_from_map_to_map(draw: Studio) -> None:
    # a wide board before the light: its shadow crosses the borders of the six maps without a gap
    body = world(
        "<light type='point' pos='0 0 1' diffuse='.8 .8 .8'/><geom type='plane' size='4 4 1'/>"
        "<geom type='box' size='.1 1.5 .02' pos='0 0 .5'/><geom size='.05' pos='0 0 2'/><geom size='.05' pos='2 2 .1'/>"
    )
    view = look(5.0, 0.3, -89.0)
    dark = changed(draw(body, view, shadow=False), draw(body, view), 30)
    for along in np.linspace(-2.4, 2.4, 33):
        # beside the board, which hides the middle of its shadow
        x, y = view.project(np.array([0.16, along, 0.0]), SIZE[0] / SIZE[1]) or (9.0, 9.0)
        if max(abs(x), abs(y)) < 0.98:
            assert dark[round(SIZE[1] * (1 - y) / 2), round(SIZE[0] * (1 + x) / 2)], along


def test_shadows_can_be_refused_by_the_model(draw: Studio) -> None:
    light = "<light directional='true' dir='0 0 -1' pos='0 0 3' castshadow='{}'/>"
    for text in (
        world(light.format("false") + FLOOR + BALL),
        "<visual><quality shadowsize='0'/></visual>" + world(light.format("true") + FLOOR + BALL),
    ):
        assert not changed(draw(text, shadow=False), draw(text)).any()


@pytest.mark.parametrize("alpha", [1, 0.5])
def test_shadows_can_be_refused_by_a_geom(draw: Studio, alpha: float) -> None:
    # two balls of the same shape and colour, one of which casts no shadow
    def balls(*casts: str) -> str:
        ball = f"<geom size='.15' pos='{{}} 0 .5' rgba='1 .1 .1 {alpha}' castshadow='{{}}'/>"
        both = "".join(ball.format(x, word) for x, word in zip((-0.5, 0.5), casts, strict=True))
        return world("<light directional='true' dir='0 0 -1' pos='0 0 3'/>" + FLOOR + both)

    view = look(elevation=-60.0)
    dark = changed(draw(balls("true", "false"), view, shadow=False), draw(balls("true", "false"), view))
    assert dark[:, : SIZE[0] // 2].sum() > 50
    assert not dark[:, SIZE[0] // 2 :].any()
    assert not changed(draw(balls("false", "false"), view, shadow=False), draw(balls("false", "false"), view)).any()


def test_a_geom_without_shadow_is_lit_as_before(draw: Studio) -> None:
    # and it receives shadows
    board = "<geom type='box' size='1 1 .02' pos='0 0 .2' castshadow='{}'/>"
    text = "<light directional='true' dir='0 0 -1' pos='0 0 3'/>" + board + BALL
    with_shadow, without = (draw(world(text.format(word)), look(elevation=-60.0)) for word in ("true", "false"))
    assert not changed(with_shadow, without).any()


def test_fog_hides_what_is_far(draw: Studio) -> None:
    visual = "<visual><rgba fog='.9 .1 .1 1'/><map fogstart='2' fogend='6'/></visual><statistic extent='1'/>"
    near, far = "<geom size='.1' pos='-.4 0 .4'/>", "<geom size='.4' pos='2 5 .4'/>"
    clear, fog = (draw(visual + world(near + far), fog=on) for on in (False, True))
    # the sky is far, too
    assert fog[2, 80, 0] > 180
    assert fog[2, 80, 1:].max() < 60
    difference = (fog - clear)[:, :, 0]
    assert difference[40:80, 110:150].max() > 60
    assert abs(difference[60, 62]) < 45


def test_additive_light_adds_up(draw: Studio) -> None:
    body = world("<geom type='box' size='2 .1 2' pos='0 1 0' rgba='.3 .3 .3 1'/><geom size='.3' rgba='.3 .3 .3 .5'/>")
    mixed, added = draw(body), draw(body, additive=True)
    middle = SIZE[1] // 2 + 8, SIZE[0] // 2
    assert added[middle].min() > mixed[middle].max() + 10


def test_wireframe_lets_through(draw: Studio) -> None:
    body = world("<geom type='box' size='.5 .5 .5' pos='0 0 .4' rgba='1 .1 .1 1'/>")
    solid, wires = draw(body), draw(body, wireframe=True)

    def red(pixels: Any) -> int:
        return int((pixels[:, :, 0] > pixels[:, :, 1] + 30).sum())

    assert 20 < red(wires) < 0.5 * red(solid)


def test_metal_keeps_its_colour_in_highlights(draw: Studio) -> None:
    looks = []
    for finish in ("metallic='1' roughness='.4'", "metallic='0' roughness='.4'"):
        asset = f"<asset><material name='m' rgba='.9 .6 .1 1' {finish}/></asset>"
        pixels = draw(asset + world("<geom size='.4' pos='0 0 .4' material='m'/>"))
        brightest = pixels.reshape(-1, 3)[pixels.sum(axis=2).argmax()]
        looks.append(brightest[2] / brightest[0])
    assert looks[0] < 0.7 * looks[1]


def _layered(role: str, rgb: str, material: str, geom: str = "size='.4'", light: str = "0 .5 -1") -> str:
    """A geom whose material has a texture of one colour in some role; none if the colour is empty."""
    texture = f"<texture name='t' type='2d' builtin='flat' rgb1='{rgb}' width='8' height='8'/>" if rgb else ""
    layer = f"<layer role='{role}' texture='t'/>" if rgb else ""
    asset = f"<asset>{texture}<material name='m' rgba='.8 .5 .2 1' {material}>{layer}</material></asset>"
    return asset + world(f"<light directional='true' dir='{light}'/><geom {geom} pos='0 0 .4' material='m'/>")


@pytest.mark.parametrize(("role", "rgb", "material", "plain"), [
    ("metallic", "1 1 1", "metallic='.8' roughness='.4'", "metallic='.8' roughness='.4'"),
    ("metallic", "0 0 0", "metallic='.8' roughness='.4'", "metallic='0' roughness='.4'"),
    ("metallic", "1 1 1", "roughness='.4'", "metallic='1' roughness='.4'"),
    ("roughness", ".5 .5 .5", "metallic='0' roughness='.8'", "metallic='0' roughness='.4'"),
    ("roughness", ".2 .2 .2", "metallic='0'", "metallic='0' roughness='.2'"),
    ("orm", "1 .4 .6", "", "metallic='.6' roughness='.4'"),
    ("occlusion", "1 1 1", "", ""),
    ("emissive", "0 0 0", "", ""),
    ("normal", ".5 .5 1", "", ""),
])  # fmt: skip
def test_layers_of_a_material_multiply_it(draw: Studio, role: str, rgb: str, material: str, plain: str) -> None:
    assert not changed(draw(_layered(role, rgb, material)), draw(_layered(role, "", plain)), 6).any()


def test_layers_that_darken_and_glow(draw: Studio) -> None:
    middle = SIZE[1] // 2, SIZE[0] // 2
    plain = draw(_layered("occlusion", "", ""))[middle]
    assert draw(_layered("occlusion", "0 0 0", ""))[middle].mean() < plain.mean() - 20
    assert draw(_layered("orm", "0 1 0", ""))[middle].mean() < plain.mean() - 20
    glowing = draw(_layered("emissive", "0 0 1", ""))[middle]
    assert glowing[2] > plain[2] + 60
    # as all textures they can be switched off
    assert not changed(draw(_layered("emissive", "0 0 1", ""), texture=False), draw(_layered("emissive", "", ""))).any()


@pytest.mark.parametrize("geom", ["type='box' size='.5 .5 .5'", "type='plane' size='.5 .5 1' euler='90 0 0'"])
@pytest.mark.parametrize(("bump", "light"), [("1 .5 .5", "-1 1 0"), (".5 1 .5", "0 1 -1")])
def test_bumps_face_the_right_way(draw: Studio, geom: str, bump: str, light: str) -> None:
    # light from the right falls on what is turned to the right, light from above on what is turned up
    middle = SIZE[1] // 2, SIZE[0] // 2
    away = " ".join(str(1 - float(x)) if x == "1" else x for x in bump.split())
    view = look(elevation=0.0)
    dark = "<visual><headlight diffuse='0 0 0' specular='0 0 0'/></visual>"
    levels = [draw(dark + _layered("normal", rgb, "", geom, light), view)[middle].mean() for rgb in (bump, away)]
    assert levels[0] > levels[1] + 40


def test_bumps_are_mirrored_too(draw: Studio) -> None:
    # what is bright on a wall is bright in the floor that mirrors it
    dark = "<visual><headlight diffuse='0 0 0' specular='0 0 0'/></visual>"
    floor = "<worldbody><geom type='plane' size='3 3 1' material='mirror'/></worldbody>"
    asset = "<asset><material name='mirror' reflectance='1' rgba='.1 .1 .1 1' specular='0'/></asset>"
    levels = []
    for rgb in ("1 .5 .5", "0 .5 .5"):
        pixels = draw(dark + asset + floor + _layered("normal", rgb, "", "type='box' size='.4 .1 .39'", "-1 1 0"))
        x, y = look().project(np.array([0.0, -0.1, -0.2]), SIZE[0] / SIZE[1]) or (9.0, 9.0)
        levels.append(pixels[round(SIZE[1] * (1 - y) / 2), round(SIZE[0] * (1 + x) / 2)].mean())
    assert levels[0] > levels[1] + 30


def test_emission_lights_the_dark(draw: Studio) -> None:
    dark = "<visual><headlight ambient='0 0 0' diffuse='0 0 0' specular='0 0 0'/></visual>"
    light = "<light diffuse='0 0 0' specular='0 0 0' castshadow='false'/>"
    levels = []
    for emission in (0.0, 0.8):
        asset = f"<asset><material name='m' rgba='.8 .8 .8 1' emission='{emission}' specular='0'/></asset>"
        pixels = draw(dark + asset + world(f"{light}<geom size='.4' pos='0 0 .4' material='m'/>"))
        levels.append(pixels[SIZE[1] // 2, SIZE[0] // 2].mean())
    assert levels[0] < 60
    assert levels[1] > 150


def test_much_ambient_light_leaves_a_dark_side(draw: Studio) -> None:
    def uniforms(level: float) -> dict[str, Any]:
        head = f"<visual><headlight ambient='{level} {level} {level}' diffuse='0 0 0'/></visual>"
        _, scene = draw.list(head + world("<light directional='true' diffuse='1 1 1'/><geom size='.4'/>"))
        return light_uniforms(scene)

    little, much = uniforms(0.1), uniforms(0.4)
    assert little["u_ambient"] == pytest.approx([AMBIENT_FLOOR + 0.1] * 3)
    # as dark as four tenths look on a screen; what is missing comes from the light
    assert much["u_ambient"] == pytest.approx([AMBIENT_FLOOR + 0.133] * 3, abs=1e-3)
    gained = much["u_light_diffuse"][0, 0] / little["u_light_diffuse"][0, 0]
    assert gained == pytest.approx(1 + 0.4 - 0.133, abs=1e-3)


def test_selection_is_outlined(draw: Studio) -> None:
    body = world("<body pos='0 0 .4'><geom size='.3' rgba='.5 .5 .5 1'/></body>" + BALL)
    line = changed(draw(body), draw(body, selected=Selection("body", 1)), 60)
    columns = np.nonzero(line)[1]
    # a ring: about as wide as the ball, and nothing in its middle
    assert columns.max() - columns.min() == pytest.approx(0.6 / (3 * 2 * np.tan(np.radians(22.5))) * SIZE[1], abs=5)
    middle = slice(SIZE[1] // 2 - 4, SIZE[1] // 2 + 4), slice(SIZE[0] // 2 - 4, SIZE[0] // 2 + 4)
    assert not line[middle].any()


def test_extra_geoms_are_drawn(draw: Studio) -> None:
    geoms = [
        UserGeom(6, (0.1, 0.1, 0.1), (-0.5, 0, 0.4), rgba=(1, 0, 0, 1)),
        UserGeom(ARROW, (0.03, 0.03, 0.5), (0.5, 0, 0.2), rgba=(1, 0, 0, 1)),
    ]
    pixels = draw("", extra=geoms)
    columns = np.nonzero(pixels[:, :, 0] > pixels[:, :, 1:].max(axis=2) + 40)[1]
    assert (columns < SIZE[0] / 2 - 10).sum() > 20
    assert (columns > SIZE[0] / 2 + 10).sum() > 20


ZOO = """
<asset>
  <mesh name="m" vertex="-.3 -.3 -.3 .3 -.3 -.3 .3 .3 -.3 -.3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 .3 .3 .3 -.3 .3 .3"/>
  <hfield name="h" nrow="3" ncol="3" size=".5 .5 .3 .1" elevation="0 .2 0 .1 1 0 0 .3 0"/>
</asset>
<worldbody>
  <geom type="plane" size="2 2 .1" pos="0 0 -2"/>
  <geom type="sphere" size=".3" pos="-2 0 0"/>
  <geom type="capsule" size=".2 .3" pos="-1 0 0" euler="30 20 10"/>
  <geom type="ellipsoid" size=".2 .3 .4" pos="0 0 0" euler="10 50 0"/>
  <geom type="cylinder" size=".25 .3" pos="1 0 0" euler="70 20 0"/>
  <geom type="box" size=".2 .3 .25" pos="2 0 0" euler="20 30 40"/>
  <geom type="mesh" mesh="m" pos="0 0 1.2" euler="30 30 0"/>
  <geom type="hfield" hfield="h" pos="1.3 0 1.2"/>
</worldbody>"""


def test_clicks_meet_what_rays_meet(draw: Studio) -> None:
    """Geom and point of what is drawn at a place of the picture, against MuJoCo's ray through it."""
    model, scene = draw.list(ZOO)
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{ZOO}</mujoco>")
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    view, aspect, rng = look(), SIZE[0] / SIZE[1], np.random.default_rng(1)
    met = set()

    def ray(x: float, y: float) -> tuple[int, float]:
        origin, direction = view.ray(x, y, aspect)
        geom = np.zeros(1, np.int32)
        distance = mujoco.mj_ray(theirs, data, origin, direction, None, 1, -1, geom)
        return int(geom[0]), distance

    for _ in range(300):
        x, y = rng.uniform(-1, 1, 2)
        found = draw.renderer.pick(model, scene, view, aspect, x, y)
        index, away = (found.index, found.distance) if found else (-1, -1.0)
        # polygons are a little smaller than what they stand for: at an outline, a ray close by hits what is drawn
        near = [(x, y), *((x + dx, y + dy) for dx in (-0.02, 0, 0.02) for dy in (-0.02, 0, 0.02))]
        assert any(index == geom and abs(away - distance) < 0.05 for geom, distance in (ray(*at) for at in near)), (
            x,
            y,
        )
        met.add(index)
    assert len(met) >= 7


def test_clicks_go_through_decor(draw: Studio) -> None:
    body = world("<body><joint axis='1 0 0'/><geom size='.1' pos='0 .5 .4'/></body>")
    model, scene = draw.list(body, joint=True)
    view, aspect = look(), SIZE[0] / SIZE[1]
    x, y = view.project(np.array([0.1, 0.0, 0.0]), aspect) or (9.0, 9.0)
    found = draw.renderer.pick(model, scene, view, aspect, x, y)
    assert found is not None and found.kind == Kind.JOINT
    assert draw.renderer.pick(model, without_decor(scene), view, aspect, x, y) is None
    x, y = view.project(np.array([0.0, 0.5, 0.4]), aspect) or (9.0, 9.0)
    behind = draw.renderer.pick(model, without_decor(scene), view, aspect, x, y)
    assert behind is not None and (behind.kind, behind.index) == (Kind.GEOM, 0)


def test_ids_of_what_is_drawn(draw: Studio) -> None:
    body = world(FLOOR + "<geom size='.2' pos='-.5 0 .4'/><site type='box' size='.2 .2 .2' pos='.5 0 .4'/>")
    model, scene = draw.list(body)
    view, aspect = look(), SIZE[0] / SIZE[1]
    for place, kind, index in (
        ((-0.5, 0, 0.4), Kind.GEOM, 1),
        ((0.5, 0, 0.4), Kind.SITE, 0),
        ((0, -0.5, 0), Kind.GEOM, 0),
    ):
        x, y = view.project(np.array(place), aspect) or (9.0, 9.0)
        found = draw.renderer.pick(model, scene, view, aspect, x, y)
        assert found is not None
        assert (found.kind, found.index) == (kind, index)
        assert found.distance == pytest.approx(np.linalg.norm(place - view.eye), abs=0.25)
    assert draw.renderer.pick(model, scene, view, aspect, 0.0, 0.99) is None


def test_sparing_renderer_leaves_nothing_out(gl: moderngl.Context, views: Views) -> None:
    # the same picture whether shadows, mirror images and edges are looked for everywhere or only where they can be
    light = "<light pos='1 0 2' dir='-.5 0 -1' cutoff='70'/><light directional='true' dir='-.4 .3 -1'/>"
    balls = "".join(f"<geom size='.08' pos='{x} {x * x} {0.1 + abs(x)}'/>" for x in (-0.7, -0.2, 0.3, 0.8))
    body = MIRROR + world(f"{light}<geom type='plane' size='0 0 1' material='m'/>{balls}")
    everywhere = Quality(QUICK.samples, QUICK.shadow_size, QUICK.taps, QUICK.mirror_scale, False)
    pictures = in_qualities(gl, views, body, (QUICK, everywhere))
    # grid lines at the most are smoothed in one and not in the other
    assert not changed(*pictures, least=24).any()


def test_fine_renderer_draws_the_same_scene(gl: moderngl.Context, views: Views) -> None:
    body = world(f"<light directional='true' dir='0 0 -1'/>{FLOOR}{BALL}")
    pictures = in_qualities(gl, views, body, (QUICK, FINE))
    assert changed(*pictures, least=40).mean() < 0.02


@pytest.mark.parametrize("quality", [QUICK, FINE], ids=["quick", "fine"])
def test_shadow_beside_what_casts_it_has_no_holes(gl: moderngl.Context, views: Views, quality: Quality) -> None:
    # light almost along a wall, under an eave: where blockers are hardly above the surface
    studio = Studio(gl, views, quality)
    body = world(
        "<light directional='true' dir='0 .12 -1' diffuse='1 1 1'/>"
        "<geom type='box' size='.5 .1 .4' pos='0 0 .4'/><geom type='box' size='.6 .15 .05' pos='0 0 .85'/>"
        "<geom size='.1' pos='-3 0 0'/><geom size='.1' pos='3 0 0'/>"
    )
    view = look(1.5, 0.55, 0.0)
    lit, shaded = studio(body, view, shadow=False), studio(body, view)
    places = [view.project(np.array([x, -0.1, z]), SIZE[0] / SIZE[1]) for x in (-0.4, 0.4) for z in (0.55, 0.74)]
    rows = sorted(round(SIZE[1] * (1 - y) / 2) for _, y in filter(None, places))
    columns = sorted(round(SIZE[0] * (1 + x) / 2) for x, _ in filter(None, places))
    patch = slice(rows[0], rows[-1]), slice(columns[0], columns[-1])
    darker = (lit - shaded).mean(axis=2)[patch]
    assert darker.min() > 0.6 * darker.mean() > 3
    studio.picture.release()
    studio.renderer.release()


def test_regions() -> None:
    view = look(elevation=0.0)
    left, bottom, width, height = screen_rect(np.array([[0.0, 0.0, 0.4, 0.1]]), view, (200, 100))
    assert left + width / 2 == pytest.approx(100, abs=2)
    assert bottom + height / 2 == pytest.approx(50, abs=2)
    assert width == pytest.approx(height, abs=2)
    assert screen_rect(np.array([[*view.eye, 0.1]]), view, (200, 100)) == (0, 0, 200, 100)
    assert screen_rect(np.zeros((0, 4)), view, (200, 100)) == (0, 0, 0, 0)
    assert sum(w * h for _, _, w, h in outside((20, 30, 40, 50), (200, 100))) == 200 * 100 - 40 * 50
    assert mirrored_spheres(np.array([[1.0, 2.0, 3.0, 0.5]]), (0, 0, 1, 1)).tolist() == [[1, 2, -1, 0.5]]


def test_small_copies_of_textures_keep_their_light() -> None:
    checker = np.zeros((6, 8, 4), np.uint8)
    checker[::2, ::2], checker[1::2, 1::2] = 255, 255
    sizes = []
    for part in mip_levels(checker):
        sizes.append(part.shape[:2])
        # half the light is sRGB 188, not 128
        assert np.abs(part[:, :, :3].astype(int) - 188).max() <= 1
        assert np.abs(part[:, :, 3].astype(int) - 128).max() <= 1
    assert sizes == [(3, 4), (1, 2), (1, 1)]


def test_what_is_drawn_belongs_to_a_body(views: Views) -> None:
    model, state = views(
        "<worldbody><body name='a' pos='0 0 1'><geom size='.1'/><site name='s'/></body>"
        "<body name='b' pos='0 0 3'><geom size='.1'/></body></worldbody>"
    )
    point = np.array([0.0, 0.0, 2.9])
    geom = hit_of(model, state, Kind.GEOM, 1, point)
    assert geom is not None
    assert (geom.geom, geom.body) == (1, 2) and np.array_equal(geom.point, point)
    site = hit_of(model, state, Kind.SITE, 0, point)
    assert site is not None
    assert site.body == 1
    assert hit_of(model, state, Kind.CONTACT, 0, point) is None


def test_marks_can_be_picked(draw: Studio) -> None:
    joint = world("<body pos='0 0 .4'><joint axis='1 0 0'/><geom size='.05' rgba='1 1 1 .5'/></body>")
    model, scene = draw.list("<visual><scale jointlength='5' jointwidth='.5'/></visual>" + joint, joint=True)
    view, aspect = look(), SIZE[0] / SIZE[1]
    arrow = float(model.stat.meansize) * float(model.vis.scale.jointlength)
    x, y = view.project(np.array([0.7 * arrow, 0.0, 0.4]), aspect) or (9.0, 9.0)
    found = draw.renderer.pick(model, scene, view, aspect, x, y)
    assert found is not None
    assert (found.kind, found.index) == (Kind.JOINT, 0)


def test_the_shadow_of_what_can_be_seen_through_is_as_light(gl: moderngl.Context, views: Views) -> None:
    """And even: the pattern of texels that lets light pass does not show."""
    above = View(np.array([0.0, 0.0, 3.0]), np.eye(3), 45.0, 0.01, 100.0)
    for quality in (QUICK, FINE):
        studio = Studio(gl, views, quality)
        means = []
        for alpha in (0.0, 0.25, 0.5, 0.75, 1.0):
            plate = f"<geom type='box' size='.3 .3 .01' pos='0 0 .5' rgba='1 0 0 {alpha}'/>"
            lamp = "<light pos='-2 0 2' dir='1 0 -1' directional='true' diffuse='.8 .8 .8'/>"
            # half a metre beside the plate
            shadow = studio(world(FLOOR + plate + lamp), above)[55:65, 100:112].mean(axis=2)
            means.append(shadow.mean())
            assert np.abs(np.diff(shadow, axis=0)).max() < 2.5, (quality, alpha)
        steps = -np.diff(means)
        assert (steps > 8).all(), means
        assert steps.max() < 2.5 * steps.min(), means
        # a wall that is seen from behind, and through, casts none
        wall = "<geom type='plane' size='.3 .3 .01' pos='0 0 .5' euler='180 0 0' rgba='1 0 0 .5'/>"
        assert studio(world(FLOOR + wall + lamp), above)[55:65, 100:112].mean() == pytest.approx(means[0], abs=1.0)
        studio.picture.release()
        studio.renderer.release()
