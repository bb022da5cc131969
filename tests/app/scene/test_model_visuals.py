"""What a model says about its looks in m.vis: every field is used, or known not to be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from app import application
from app.application import Application
from app.model.views import MODEL_FIELDS
from app.run.commands import SetSpeed
from app.run.run_state import RunState
from app.scene.decor.bodies import body_boxes, mesh_boxes
from app.scene.decor.cameras_lights import cameras
from app.scene.instances import COLOUR, POSITION
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from app.view.view_state import ViewState
from tests.app.conftest import Views, world

GROUPS = ("global_", "quality", "headlight", "map", "scale", "rgba")
# why not is said beside the fields in app/run/snapshot.py
NOT_USED = {
    "global_.ipd", "global_.linewidth", "global_.offwidth", "global_.offheight", "global_.bvactive",
    "quality.offsamples", "quality.numslices", "quality.numstacks", "quality.numquads", "map.shadowclip",
    "map.shadowscale", "map.torque", "rgba.bvactive", "rgba.contacttorque",
}  # fmt: skip
# read by the hand that pulls, on the simulation thread
OF_THE_HAND = {"map.stiffness", "map.stiffnessrot"}


def test_every_field_is_used_or_known_not_to_be() -> None:
    vis = mujoco.MjModel.from_xml_string("<mujoco/>").vis
    fields = {f"{g}.{name}" for g in GROUPS for name in dir(getattr(vis, g)) if not name.startswith("_")}
    carried = {name.removeprefix("vis.") for name in MODEL_FIELDS if name.startswith("vis.")}
    assert fields - carried - OF_THE_HAND == NOT_USED
    assert not carried & NOT_USED


def test_a_new_model_starts_at_its_own_speed(views: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    model, _ = views("<visual><global realtime='.25'/></visual>")
    monkeypatch.setattr(application, "add_recent", lambda _: None)
    sent: list[Any] = []
    app: Any = SimpleNamespace(
        view=ViewState(), snapshot=SimpleNamespace(run=RunState(path="a.xml")), _path=None,
        send=sent.append, _model=None,
        window=SimpleNamespace(set_caption=lambda _: None), sessions=None,
        _viewport=SimpleNamespace(drop_scene=lambda: None),
        input=SimpleNamespace(end_flight=lambda: None),
    )  # fmt: skip
    Application._show_model(app, model)
    assert sent == [SetSpeed(0.25)]
    # the same file once more keeps the user's
    Application._show_model(app, model)
    assert len(sent) == 1


def test_bounding_boxes_have_the_colour_of_the_model(views: Views) -> None:
    ball = world("<body><freejoint/><geom size='.1'/></body>")
    model, state = views("<visual><rgba bv='.1 .2 .3 .4'/></visual>" + ball)
    (edges,) = body_boxes(model, state, VisualOptions(bvh_depth=0))
    assert np.allclose(edges.instances[:, COLOUR], (0.1, 0.2, 0.3, 0.4))


def test_a_mesh_has_a_box_where_each_of_its_geoms_is(views: Views) -> None:
    corners = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-2, 2) for z in (-3, 3))
    places = [(1, 2, 3), (-4, 5, 6)]
    geoms = "".join(f"<geom type='mesh' mesh='m' pos='{x} {y} {z}'/>" for x, y, z in places)
    model, state = views(f"<asset><mesh name='m' vertex='{corners}'/></asset>" + world(geoms))
    (edges,) = mesh_boxes(model, state, VisualOptions(bvh_depth=0))
    for number, place in enumerate(places):
        ends = edges.instances[12 * number : 12 * number + 12, POSITION]
        assert np.allclose((ends.min(axis=0) + ends.max(axis=0)) / 2, place, atol=1e-6)
    # and none without meshes
    assert not mesh_boxes(*views(world("<geom size='.1'/>")), VisualOptions(bvh_depth=0))


def test_a_sensor_has_a_frustum_of_its_own(views: Views) -> None:
    visual = "<visual><rgba frustum='.1 .2 .3 .4'/><scale frustum='5'/></visual><statistic meansize='.2'/>"
    lenses = (
        "<camera pos='0 0 1' focal='.01 .01' sensorsize='.02 .01' resolution='100 50' principal='.002 0'/>"
        "<camera pos='0 0 1'/>"
    )
    model, state = views(visual + world(lenses))
    _, edges = cameras(model, state, VisualOptions())
    assert np.allclose(edges.instances[:8, COLOUR][:, :3], (0.1, 0.2, 0.3))
    assert not np.allclose(edges.instances[8:, COLOUR][:, :3], (0.1, 0.2, 0.3))
    # a metre long, twice as wide as high, and off centre
    far = edges.instances[4:8, POSITION]
    assert np.allclose(far[:, 2], 0.0, atol=1e-5)
    assert np.allclose(far.mean(axis=0)[:2], (0.2, 0.0), atol=1e-5)
    assert np.ptp(far[:, 0]) == pytest.approx(2.0, abs=1e-4)
    assert np.ptp(far[:, 1]) == pytest.approx(1.0, abs=1e-4)


def test_alpha_and_headlight(views: Views) -> None:
    visual = "<visual><map alpha='.25'/><headlight active='0' diffuse='1 1 1'/></visual>"
    model, state = views(visual + world("<body><freejoint/><geom size='.1'/></body>"))
    drawn = Scene(model, VisualOptions(transparent=True)).draw_list(state, np.array([3.0, 0, 0]))
    assert drawn.transparent[0].instances[0, COLOUR][3] == pytest.approx(0.25)
    assert not drawn.headlight.diffuse.any()
