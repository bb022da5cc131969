"""Flexes, in `flexes.py`: which parts are drawn, their look, shadows, picking, selection and ghost."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from app.model.flex_bodies import flex_bodies
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.render.capture.offscreen import Renderer
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_model import MujocoModel
from app.run.snapshot import refreshed_view, view_model, view_state
from app.scene import decor
from app.scene.flex_meshes import element_materials
from app.scene.flexes import any_flex_visible
from app.scene.ghost import Ghost
from app.scene.instances import ALPHA, COLOUR, EMISSION, ID, ID_STEP, NO_TEXTURE, POSITION, ROTATION, SHAPE, Batch, Kind
from app.scene.labels import labels
from app.scene.picking import hit_of, without_decor
from app.scene.scene import DrawList, Scene
from app.scene.visual_flags import CHOICES, VISUAL_FLAGS
from app.scene.visual_options import LABELS, VisualOptions
from app.window.overlays.view.marks import why_empty
from sim.enums import EQ_FLEX, OBJ_FLEX
from tests.app.scene.flex_views import BALL, BOX, CABLE, CLOTH, MODELS, FlexViews

EYE = np.array([0.1, -2.0, 1.1])


@pytest.fixture(scope="module")
def views() -> FlexViews:
    return FlexViews()


def listed(views: FlexViews, selected: Selection | None = None, **options: Any) -> DrawList:
    return Scene(views.model, VisualOptions(**options)).draw_list(views.state, EYE, selected)


def of_flex(batches: tuple[Batch, ...], index: int) -> list[Batch]:
    """The batches of one flex."""
    return [batch for batch in batches if batch.instances[0, ID] == Kind.FLEX * ID_STEP + index]


@pytest.mark.parametrize(
    ("options", "of_cloth", "of_cable"),
    [
        ({}, ["flex skin 0"], ["capsule"]),
        ({"flex_face": True, "flex_vert": True}, ["flex skin 0"], ["capsule", "sphere"]),
        ({"flex_skin": False}, ["capsule"], ["capsule"]),
        ({"flex_skin": False, "flex_face": True}, ["flex faces 0", "capsule"], ["capsule"]),
        ({"flex_skin": False, "flex_edge": False, "flex_vert": True}, ["sphere"], ["sphere"]),
        ({"flex_skin": False, "flex_edge": False}, [], []),
        ({"flex_group": [False] * 6}, [], []),
    ],
)
def test_the_skin_takes_the_place_of_all_else(
    views: FlexViews, options: dict[str, Any], of_cloth: list[str], of_cable: list[str]
) -> None:
    drawn = listed(views, **options)
    assert [batch.shape for batch in of_flex(drawn.opaque, CLOTH)] == of_cloth
    assert [batch.shape for batch in of_flex(drawn.opaque, CABLE)] == of_cable
    assert set(drawn.deformed) == {b.shape for b in drawn.opaque + drawn.transparent if b.shape.startswith("flex")}


def test_options_start_as_in_mujoco() -> None:
    theirs, ours = mujoco.MjvOption(), VisualOptions()
    for name in ("skin", "face", "edge", "vert"):
        flag = getattr(mujoco.mjtVisFlag, f"mjVIS_FLEX{name.upper()}")
        assert getattr(ours, f"flex_{name}") == bool(theirs.flags[flag])
    assert ours.flex_group == theirs.flexgroup.astype(bool).tolist()


def test_edges_and_vertices_have_the_radius(views: FlexViews) -> None:
    rod, ball = of_flex(listed(views, flex_vert=True).opaque, CABLE)
    first, count = int(views.mj.flex_vertadr[CABLE]), int(views.mj.flex_vertnum[CABLE])
    position = views.mj_data.flexvert_xpos[first : first + count]
    assert np.allclose(ball.instances[:, POSITION], position, atol=1e-6)
    assert np.allclose(rod.instances[:, POSITION], (position[:-1] + position[1:]) / 2, atol=1e-6)
    assert np.allclose(rod.instances[:, SHAPE][:, 3], np.linalg.norm(np.diff(position, axis=0), axis=1) / 2, atol=1e-6)
    for batch in (rod, ball):
        assert np.allclose(batch.instances[:, SHAPE][:, 0], views.mj.flex_radius[CABLE])


@pytest.mark.parametrize("transparent", [False, True])
def test_colours_are_those_of_mujoco(views: FlexViews, transparent: bool) -> None:
    scene, drawn = views.theirs(TRANSPARENT=transparent), listed(views, transparent=transparent)
    theirs = {g.objid: g.rgba for g in scene.geoms[: scene.ngeom] if g.objtype == OBJ_FLEX}
    assert set(theirs) == {CLOTH, CABLE, BOX, BALL}
    for index, rgba in theirs.items():
        opaque, clear = of_flex(drawn.opaque, index), of_flex(drawn.transparent, index)
        assert bool(clear) == (rgba[3] < 1) == (not opaque)
        assert np.allclose((opaque + clear)[0].instances[:, COLOUR], rgba)


def test_textures_need_texture_coordinates(views: FlexViews) -> None:
    (cloth,), (box,) = (of_flex(listed(views).opaque, index) for index in (CLOTH, BOX))
    assert (cloth.texture, box.texture) == (0, NO_TEXTURE)
    assert of_flex(listed(views, texture=False).opaque, CLOTH)[0].texture == NO_TEXTURE
    bare = ModelView({**vars(views.model), "flex_texcoordadr": np.full(4, -1), "identity": object()})
    drawn = Scene(bare, VisualOptions()).draw_list(views.state, EYE)
    assert of_flex(drawn.opaque, CLOTH)[0].texture == NO_TEXTURE


def test_each_material_of_a_flex_is_a_part(views: FlexViews) -> None:
    per_element = np.concatenate([element_materials(views.model, index) for index in range(views.model.nflex)])
    same = ModelView({**vars(views.model), "flex_matid": per_element, "identity": object()})
    assert [b.shape for b in Scene(same, VisualOptions()).draw_list(views.state, EYE).opaque] == [
        b.shape for b in listed(views).opaque
    ]
    mixed = per_element.copy()
    mixed[: views.mj.flex_elemnum[CLOTH] : 2] = 1
    model = ModelView({**vars(views.model), "flex_matid": mixed, "identity": object()})
    drawn = Scene(model, VisualOptions()).draw_list(views.state, EYE)
    (checks,), (jelly,) = of_flex(drawn.opaque, CLOTH), of_flex(drawn.transparent, CLOTH)
    assert (checks.shape, jelly.shape) == ("flex skin 0", "flex skin 4")
    assert np.allclose(jelly.instances[0, COLOUR], views.mj.mat_rgba[1])
    assert any_flex_visible(model, [True] * 6)


def test_a_diverged_flex_is_left_out(views: FlexViews) -> None:
    position = views.state.flexvert_xpos.copy()
    position[3] = np.nan
    state = StateView({**vars(views.state), "flexvert_xpos": position})
    scene = Scene(views.model, VisualOptions())
    drawn = scene.draw_list(state, EYE)
    assert not of_flex(drawn.opaque, CLOTH)
    assert of_flex(drawn.opaque, BOX)
    assert len(drawn.casters) == len(scene.draw_list(views.state, EYE).casters) - 1
    assert np.isfinite(drawn.casters).all()


def test_shadows_reach_around_flexes(views: FlexViews) -> None:
    position, casters = views.state.flexvert_xpos, listed(views).casters
    away = np.linalg.norm(position[:, None] - casters[None, :, :3], axis=2) - casters[:, 3]
    assert (away.min(axis=1) <= 1e-5).all()


def test_a_click_selects_the_body_of_the_nearest_vertex(views: FlexViews) -> None:
    model, state = views.model, views.state
    vertex = int(model.flex_vertadr[BOX]) + 20
    hit = hit_of(model, state, Kind.FLEX, BOX, state.flexvert_xpos[vertex] + 1e-3)
    assert hit is not None
    assert hit.body == model.flex_vertbodyid[vertex]


def test_flexes_are_picked_as_bodies_are(views: FlexViews) -> None:
    kept = without_decor(listed(views))
    assert of_flex(kept.opaque, CLOTH)
    assert of_flex(kept.opaque, CABLE)


def test_a_selected_vertex_lights_up_its_flex(views: FlexViews) -> None:
    body = int(flex_bodies(views.model, CLOTH)[10])
    before, after = listed(views), listed(views, Selection("body", body))
    assert [batch.shape for batch in after.outlined] == ["flex skin 0"]
    glow = float(views.model.vis.global_.glow)
    for index in (CLOTH, BOX):
        gained = of_flex(after.opaque, index)[0].instances - of_flex(before.opaque, index)[0].instances
        assert gained[0, EMISSION] == pytest.approx(glow if index == CLOTH else 0.0)
    assert not listed(views, Selection("body", 0)).outlined


def test_a_ghost_has_flexes_where_they_are_elsewhere(views: FlexViews) -> None:
    position = views.state.flexvert_xpos.copy()
    position[: int(views.mj.flex_vertnum[CLOTH])] += 0.1
    other = StateView({**vars(views.state), "flexvert_xpos": position})
    scene = Scene(views.model, VisualOptions())
    drawn = scene.draw_list(views.state, EYE, ghost=Ghost(other, (1.0, 0.5, 0.0)))
    ghosts = [batch for batch in drawn.ghost if batch.instances[0, ID] // ID_STEP == Kind.FLEX]
    assert [batch.shape for batch in ghosts] == ["ghost flex skin 0"]
    assert ghosts[0].instances[0, ALPHA] < 1
    moved = drawn.deformed["ghost flex skin 0"][:, :3] - drawn.deformed["flex skin 0"][:, :3]
    assert np.allclose(moved, 0.1, atol=1e-4)


def test_labels_have_the_names_of_flexes(views: FlexViews) -> None:
    made = labels(views.model, views.state, VisualOptions(label="flex"))
    assert [text for _, text in made] == ["cloth", "cable", "box", "ball"]
    first, count = int(views.mj.flex_vertadr[BOX]), int(views.mj.flex_vertnum[BOX])
    assert np.allclose(made[BOX][0], views.state.flexvert_xpos[first : first + count].mean(axis=0))


def test_a_model_of_flexes_alone_is_not_empty(views: FlexViews) -> None:
    hidden = [False] * 6
    assert not why_empty(views.model, VisualOptions(geom_group=hidden))
    assert why_empty(views.model, VisualOptions(geom_group=hidden, flex_group=hidden))


def test_vertices_are_copied_once_and_the_model_is_not_copied_again(views: FlexViews) -> None:
    assert not np.shares_memory(views.state.flexvert_xpos, views.mj_data.flexvert_xpos)
    assert not views.state.flexvert_xpos.flags.writeable
    assert refreshed_view(views.model, views.engine_model).flex_elem is views.model.flex_elem


def test_pictures_and_segmentation_show_the_cloth() -> None:
    mj = mujoco.MjModel.from_xml_path(str(MODELS / "cloth.xml"))
    model = MujocoModel(mj)
    data = MujocoData(model)
    mujoco.mj_forward(mj, data.mj)
    with Renderer(model, 90, 120) as renderer:
        renderer.update_scene(data, "front")
        picture = renderer.render().astype(int)
        renderer.enable_segmentation_rendering()
        seen = renderer.render()
        renderer.disable_segmentation_rendering()
        renderer.update_scene(data, "front", VisualOptions(flex_group=[False] * 6))
        without = renderer.render().astype(int)
    cloth = (seen == (0, OBJ_FLEX)).all(axis=2)
    assert 0.05 < cloth.mean() < 0.6
    red = picture[..., 0] - picture[..., 1:].max(axis=2) > 60
    # checks: about a half of it, and of nothing else
    assert 0.25 < red[cloth].mean() < 0.75
    assert red[~cloth].mean() < 0.05
    assert np.abs(picture - without)[cloth].max(axis=1).mean() > 20


def test_nothing_that_can_be_shown_fails_on_contacts_and_equalities_of_flexes() -> None:
    views = FlexViews(steps=150)
    model, state = views.model, views.state
    assert (np.asarray(state.contact.geom) < 0).any()
    assert (model.eq_type == EQ_FLEX).any()
    for flag in VISUAL_FLAGS:
        for value in CHOICES.get(flag.option, (False, True)):
            Scene(model, VisualOptions(**{flag.option: value})).draw_list(state, EYE)
    for label in LABELS:
        labels(model, state, VisualOptions(label=label))
    touching = [text for _, text in labels(model, state, VisualOptions(label="contact"))]
    assert any(text.startswith(("floor – box", "box – floor")) for text in touching)
    # the force on a flex, which is above the floor, points up
    shafts = next(b for b in decor.overlay(model, state, VisualOptions(contact_force=True)) if b.shape == "cone")
    assert (shafts.instances[:, ROTATION].reshape(-1, 3, 3)[:, 2, 2] > 0).all()


SKIN = """<mujoco><worldbody><body name="l" pos="-1 0 0"><joint axis="0 1 0"/><geom size=".1" group="4"/></body>
<body name="r" pos="1 0 0"><geom size=".1" group="4"/></body></worldbody>
<deformable><skin name="s" vertex="-1 0 0 1 0 0 0 0 1" face="0 1 2" inflate=".05">
<bone body="l" bindpos="-1 0 0" bindquat="1 0 0 0" vertid="0 2" vertweight="1 .5"/>
<bone body="r" bindpos="1 0 0" bindquat="1 0 0 0" vertid="1 2" vertweight="1 .5"/></skin></deformable></mujoco>"""


def test_skins_of_mujocos_models_are_drawn() -> None:
    mj: Any = mujoco.MjModel.from_xml_string(SKIN)
    model = MujocoModel(mj)
    data = MujocoData(model)
    data.qpos[0] = 1.0
    mujoco.mj_forward(mj, data.mj)
    scene = mujoco.MjvScene(mj, 100)
    look = (mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL)
    mujoco.mjv_updateScene(mj, data.mj, *look, scene)
    drawn = Scene(view_model(model), VisualOptions()).draw_list(view_state(data), EYE)
    assert np.allclose(drawn.deformed["skin 0"][:, :3].ravel(), scene.skinvert[:9], atol=1e-5)
