"""What is drawn: instance lists from models, without GL."""

from __future__ import annotations

import numpy as np
import pytest

from app.model.selection import Selection
from app.model.views import StateView
from app.scene.instances import COLOUR, ID, ID_STEP, MATERIAL, NO_TEXTURE, POSITION, SHAPE, TEXTURE, Kind
from app.scene.lights import DIRECTIONAL, KEY_LIGHT
from app.scene.scene import DrawList, Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views, world

EYE = np.array([0.0, -3.0, 1.0])


def drawn(views: Views, body: str, **options: object) -> DrawList:
    """The draw list of a model."""
    model, state = views(body)
    return Scene(model, VisualOptions(**options)).draw_list(state, EYE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("geom", "shape", "scale"),
    [
        ("type='sphere' size='.1'", "sphere", (0.1, 0.1, 0.1, 0)),
        ("type='capsule' size='.1 .3'", "capsule", (0.1, 0.1, 0.1, 0.3)),
        ("type='ellipsoid' size='.1 .2 .3'", "sphere", (0.1, 0.2, 0.3, 0)),
        ("type='cylinder' size='.1 .3'", "cylinder", (0.1, 0.1, 0.3, 0)),
        ("type='box' size='.1 .2 .3'", "box", (0.1, 0.2, 0.3, 0)),
    ],
)
def test_shapes(views: Views, geom: str, shape: str, scale: tuple[float, ...]) -> None:
    (batch,) = drawn(views, world(f"<geom {geom} pos='1 2 3' rgba='.1 .2 .3 1'/>")).opaque
    assert batch.shape == shape
    assert np.allclose(batch.instances[0, SHAPE], scale)
    assert np.allclose(batch.instances[0, POSITION], (1, 2, 3))
    assert np.allclose(batch.instances[0, COLOUR], (0.1, 0.2, 0.3, 1))


def test_planes_are_apart_and_cast_no_shadow(views: Views) -> None:
    scene = drawn(views, world("<geom type='plane' size='0 0 1'/><geom size='.1' pos='0 0 2'/>"))
    assert len(scene.planes) == 1
    assert len(scene.opaque) == 1
    assert np.allclose(scene.casters[:, :3], [(0, 0, 2)], atol=1e-6)
    assert 0.1 <= scene.casters[0, 3] < 0.4


def test_equal_shapes_share_a_batch(views: Views) -> None:
    geoms = "".join(f"<geom size='.1' pos='{x} 0 0'/>" for x in np.linspace(-0.3, 0.3, 5))
    (batch,) = drawn(views, world(geoms)).opaque
    assert len(batch.instances) == 5


def test_detail_falls_with_distance(views: Views) -> None:
    scene = drawn(views, world("<geom size='.2'/><geom size='.2' pos='0 15 0'/><geom size='.2' pos='0 90 0'/>"))
    assert [(batch.lod, batch.instances[0, POSITION][1]) for batch in scene.opaque] == [(1, 0), (2, 15), (3, 90)]


def test_transparent_is_sorted_far_to_near(views: Views) -> None:
    geoms = (
        "<geom size='.1' pos='0 {} 0' rgba='1 1 1 .5'/><geom type='box' size='.1 .1 .1' pos='0 1 0' rgba='1 1 1 .5'/>"
    )
    scene = drawn(views, world(geoms.format(0) + "<geom size='.1' pos='0 2 0' rgba='1 1 1 .5'/>"))
    assert not scene.opaque
    order = [row[1] for batch in scene.transparent for row in batch.instances]
    assert order == [2, 1, 0]
    assert [batch.shape for batch in scene.transparent] == ["sphere", "box", "sphere"]


def test_invisible_things_are_left_out(views: Views) -> None:
    body = world("<geom size='.1' rgba='1 0 0 0'/><geom size='.1' group='4'/><geom size='.1'/>")
    assert sum(len(batch.instances) for batch in drawn(views, body).opaque) == 1
    everything = drawn(views, body, geom_group=[True] * 6)
    assert sum(len(batch.instances) for batch in everything.opaque) == 2


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30, 1e300])
def test_explosion_leaves_the_rest_visible(views: Views, value: float) -> None:
    model, state = views(world("<geom size='.1'/><body><freejoint/><geom size='.1' pos='0 0 1'/></body>"))
    broken = state.geom_xpos.copy()
    broken[1] = value
    exploded = StateView({**vars(state), "geom_xpos": broken})
    scene = Scene(model, VisualOptions()).draw_list(exploded, EYE)
    rows = np.concatenate([batch.instances for batch in scene.opaque])
    assert np.isfinite(rows).all()
    assert len(scene.casters) == 1


def test_geoms_without_shadow_are_no_casters(views: Views) -> None:
    both = "<worldbody><geom size='.1' castshadow='{}'/><geom size='.1' pos='1 0 0'/></worldbody>"
    assert len(drawn(views, both.format("false")).casters) == 1
    assert [batch.casts_shadow for batch in drawn(views, both.format("false")).opaque] == [False, True]
    assert [batch.casts_shadow for batch in drawn(views, both.format("true")).opaque] == [True]


def test_sites_are_drawn(views: Views) -> None:
    scene = drawn(views, world("<site type='box' size='.1 .1 .1' pos='0 0 1' rgba='1 0 0 1'/>"))
    assert scene.opaque[0].shape == "box"
    assert np.allclose(scene.opaque[0].instances[0, POSITION], (0, 0, 1))


ASSETS = """
<asset>
  <texture name="t" type="2d" builtin="checker" rgb1="0 0 0" rgb2="1 1 1" width="8" height="8"/>
  <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="8" height="48"/>
  <material name="shiny" rgba=".9 .8 .7 1" specular=".25" shininess=".75" emission=".1" reflectance=".2"/>
  <material name="tiled" texture="t" texrepeat="3 4"/>
  <material name="metric" texture="t" texrepeat="3 4" texuniform="true"/>
</asset>
"""


def test_materials(views: Views) -> None:
    scene = drawn(views, ASSETS + world("<geom size='.1' material='shiny'/>"))
    row = scene.opaque[0].instances[0]
    assert np.allclose(row[COLOUR], (0.9, 0.8, 0.7, 1))
    assert np.allclose(row[MATERIAL], (0.25, 0.75, 0.1, 0.2))
    own = drawn(views, ASSETS + world("<geom size='.1' material='shiny' rgba='1 0 0 1'/>"))
    assert np.allclose(own.opaque[0].instances[0, COLOUR], (1, 0, 0, 1))


def test_textures(views: Views) -> None:
    planes = [drawn(views, ASSETS + world(f"<geom type='plane' {g}/>")).planes[0] for g in (
        "size='2 5 1' material='tiled'", "size='0 0 1' material='tiled'", "size='2 5 1' material='metric'",
    )]  # fmt: skip
    assert all(plane.texture == 0 for plane in planes)
    assert [tuple(plane.instances[0, TEXTURE][:4]) for plane in planes] == [(3, 4, 2, 5), (3, 4, 1, 1), (3, 4, 1, 1)]
    plain = drawn(views, ASSETS + world("<geom type='plane' size='1 1 1' material='tiled'/>"), texture=False)
    assert plain.planes[0].texture == NO_TEXTURE


def test_cube_textures(views: Views) -> None:
    assets = """<asset><texture name='t' type='cube' builtin='flat' rgb1='1 0 0' width='8' height='48'/>
    <material name='cube' texture='t'/><material name='metric' texture='t' texuniform='true'/>
    <mesh name='m' vertex='-.3 -.2 -.1 .3 -.2 -.1 0 .2 -.1 0 0 .1'/></asset>"""
    extents = {}
    for material in ("cube", "metric"):
        for geom in ("type='mesh' mesh='m'", "type='capsule' size='.1 .4'"):
            scene = drawn(views, assets + world(f"<geom {geom} material='{material}'/>"))
            extents[material, geom[6:10]] = scene.opaque[0].instances[0, TEXTURE][2:]
    # a mesh is in metres, and its size is on top of it
    assert np.allclose(extents["cube", "mesh"], 1)
    size = views(assets + world("<geom type='mesh' mesh='m'/>"))[0].geom_size[0]
    assert np.allclose(1 / extents["metric", "mesh"], size)
    # the ends of a capsule stand out
    assert np.allclose(extents["cube", "caps"], (0.1, 0.1, 0.4))
    assert np.allclose(extents["metric", "caps"], 1)


def test_walls_are_seen_through_from_behind(views: Views) -> None:
    wall = "<geom type='plane' zaxis='0 {} 0' size='{} 1 1' rgba='1 0 0 .8'/>"
    front, behind, endless = (drawn(views, world(wall.format(*how))) for how in ((-1, 1), (1, 1), (1, 0)))
    assert not front.transparent
    assert not endless.transparent
    (batch,) = behind.transparent
    assert batch.shape == "plane"
    assert batch.instances[0, COLOUR] == pytest.approx((1, 0, 0, 0.4))


def test_skybox(views: Views) -> None:
    assert drawn(views, ASSETS).skybox == 1
    assert drawn(views, ASSETS, skybox=False).skybox == NO_TEXTURE
    assert drawn(views, "").skybox == NO_TEXTURE


def test_lights(views: Views) -> None:
    lights = (
        "<light castshadow='false'/><light directional='true' dir='0 1 -1' diffuse='.1 .2 .3'/><light active='false'/>"
    )
    first, second = drawn(views, world(lights)).lights
    assert first.shadow
    assert first.type == DIRECTIONAL
    assert np.allclose(first.diffuse, (0.1, 0.2, 0.3))
    assert np.allclose(first.direction, np.array([0, 1, -1]) / np.sqrt(2), atol=1e-6)
    assert not second.shadow


def test_scene_without_lights_gets_one(views: Views) -> None:
    assert drawn(views, "").lights == (KEY_LIGHT,)


def test_headlight_can_be_switched_off(views: Views) -> None:
    assert drawn(views, "").headlight.diffuse.max() > 0
    assert drawn(views, "<visual><headlight active='0'/></visual>").headlight.diffuse.max() == 0


@pytest.mark.parametrize("light", ["", "<worldbody><light/></worldbody>"])
def test_automatic_headlight_is_on(views: Views, light: str) -> None:
    # as in MuJoCo's classic renderer: models that say nothing are tuned for both
    auto, on = (drawn(views, f"<visual><headlight active='{a}'/></visual>{light}") for a in ("auto", "true"))
    assert (auto.headlight.diffuse == on.headlight.diffuse).all() and on.headlight.diffuse.max() > 0


TREES = """<worldbody><geom type="plane" size="0 0 1"/>
<body name="a" pos="0 0 .1"><freejoint/><geom size=".1"/><geom size=".05" pos="0 0 .2"/><site name="s"/>
 <body name="b" pos="0 0 .5"><joint/><geom size=".07"/></body></body>
<body name="c" pos="1 0 .1"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><spatial name="t"><site site="s"/><site site="s2"/></spatial></tendon>""".replace(
    '<geom size=".07"/>', '<geom size=".07"/><site name="s2"/>'
)


@pytest.mark.parametrize(
    ("kind", "index", "count"),
    [("body", 1, 3), ("body", 0, 0), ("geom", 1, 1), ("site", 0, 1), ("joint", 1, 2), ("tree", 0, 5), ("tendon", 0, 1)],
)
def test_what_is_selected_is_outlined(views: Views, kind: str, index: int, count: int) -> None:
    model, state = views(TREES)
    scene = Scene(model, VisualOptions()).draw_list(state, EYE, Selection(kind, index))
    assert sum(len(batch.instances) for batch in scene.outlined) == count
    assert all(batch.shape != "plane" for batch in scene.outlined)


SOLID = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3 .3 .4 2.5'/></asset>"
POSE = "pos='.3 0 .1' euler='10 20 30'"


@pytest.mark.parametrize("hull", [False, True])
def test_a_mesh_is_drawn_at_a_site_as_at_a_geom(views: Views, hull: bool) -> None:
    rows = []
    for element in (f"<geom type='mesh' mesh='m' {POSE}/>", f"<site type='mesh' mesh='m' {POSE}/>"):
        inside = f"<body pos='1 2 3' euler='0 40 0'>{element}</body><site size='.1'/>"
        scene = drawn(views, SOLID + world(inside), convex_hull=hull)
        (batch,) = (batch for batch in scene.opaque if batch.shape == ("hull 0" if hull else "mesh 0"))
        rows.append(batch.instances[0])
        assert len(scene.casters) == 2
        assert scene.casters[:, 3].max() > 2
    assert rows[1][:ID] == pytest.approx(rows[0][:ID], abs=1e-6)
    assert rows[1][ID] // ID_STEP == Kind.SITE


def test_selected_mesh_site_is_outlined(views: Views) -> None:
    model, state = views(SOLID + world(f"<site type='mesh' mesh='m' {POSE}/><geom size='.1'/>"))
    scene = Scene(model, VisualOptions()).draw_list(state, EYE, Selection("site", 0))
    assert [batch.shape for batch in scene.outlined] == ["mesh 0"]
