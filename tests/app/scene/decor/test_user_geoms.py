"""What a script adds to the picture: geoms of every type, and when they are seen."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import sim
from app.render.capture.offscreen import Renderer
from app.scene.camera import OrbitCamera
from app.scene.decor.user_geoms import ARROW, ARROW1, ARROW2, DRAWN, LABEL, LINE, LINEBOX, UserGeom, user_geom_batches
from app.scene.instances import POSITION, Batch
from app.scene.scene import lod_levels
from app.scene.surfaces import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from app.scene.visual_options import VisualOptions
from app.view.script.layer import ScriptLayer
from app.view.view_state import ViewState
from tests.app.conftest import Views, world

UP = (0.0, 0.0, 1.0)


def fine(places: Any, _: Any) -> Any:
    """The best level of detail everywhere."""
    return np.zeros(len(places), int)


def instances(batches: tuple[Batch, ...]) -> int:
    """How many there are in all batches."""
    return sum(len(batch.instances) for batch in batches)


@pytest.mark.parametrize("kind", sorted(DRAWN))
def test_geoms_of_a_type_are_drawn_in_one_call(kind: int) -> None:
    one, _ = user_geom_batches([UserGeom(kind, (0.1, 0.1, 0.2), UP)], fine)
    many, none = user_geom_batches([UserGeom(kind, (0.1, 0.1, 0.2), (k, 0, 0)) for k in range(100)], fine)
    assert len(many) == len(one) and not none
    assert instances(many) == 100 * instances(one) > 0
    _, clear = user_geom_batches([UserGeom(kind, (0.1, 0.1, 0.2), UP, rgba=(1, 0, 0, 0.5))], fine)
    assert instances(clear) == instances(one)


def test_what_is_far_is_drawn_with_less_detail() -> None:
    geoms = [UserGeom(SPHERE, (0.1, 0, 0), (x, 0, 0)) for x in (0.0, 0.3, 10.0, 11.0, 200.0)]
    batches, _ = user_geom_batches(geoms, lambda places, radii: lod_levels(places, radii))
    assert {batch.lod: len(batch.instances) for batch in batches} == {0: 2, 2: 2, 4: 1}


def test_a_mere_label_is_not_drawn() -> None:
    assert user_geom_batches([UserGeom(LABEL, (0, 0, 0), UP, label="here")], fine) == ((), ())


def test_meshes_of_the_model_are_drawn_as_they_are() -> None:
    geoms = [UserGeom(MESH, (0, 0, 0), (x, 0, 0), dataid=dataid) for x, dataid in ((0, 4), (1, 5), (200, 4))]
    batches, _ = user_geom_batches(geoms, lambda places, radii: lod_levels(places, radii))
    assert [(batch.shape, batch.lod, len(batch.instances)) for batch in batches] == [("mesh 2", 0, 2), ("hull 2", 0, 1)]


def test_edges_of_a_box() -> None:
    (batch,), _ = user_geom_batches([UserGeom(LINEBOX, (1, 2, 3), UP)], fine)
    assert len(batch.instances) == 12
    # four along each axis, where the box has its edges
    centres = {tuple((place - UP).round(5).tolist()) for place in batch.instances[:, POSITION]}
    wanted = {(0, y, z) for y in (-2, 2) for z in (-3, 3)} | {(x, 0, z) for x in (-1, 1) for z in (-3, 3)}
    assert centres == wanted | {(x, y, 0) for x in (-1, 1) for y in (-2, 2)}


@pytest.mark.parametrize("kind", (ARROW, ARROW1, ARROW2, LINE))
def test_from_one_point_to_another(kind: int) -> None:
    geom = UserGeom.between(kind, 0.1, (1, 0, 0), (1, 3, 0), (1, 0, 0, 1), "way")
    assert np.allclose(geom.pos, (1, 0, 0)) and geom.size[2] == pytest.approx(3)
    assert np.allclose(np.reshape(geom.mat, (3, 3))[:, 2], (0, 1, 0))
    assert geom.label == "way" and np.allclose(geom.rgba, (1, 0, 0, 1))


@pytest.mark.parametrize(
    ("kind", "size"),
    [(CAPSULE, (0.1, 1.5, 0)), (CYLINDER, (0.1, 1.5, 0)), (ELLIPSOID, (0.1, 0.1, 1.5)), (BOX, (0.1, 0.1, 1.5))],
)
def test_shapes_between_points_stand_about_their_middle(kind: int, size: tuple[float, ...]) -> None:
    geom = UserGeom.between(kind, 0.1, (1, 0, 0), (1, 3, 0))
    assert np.allclose(geom.pos, (1, 1.5, 0)) and np.allclose(geom.size, size)


@pytest.mark.parametrize("kind", (PLANE, SPHERE, MESH))
def test_what_has_no_two_ends_is_not_put_between_points(kind: int) -> None:
    with pytest.raises(ValueError, match=f"type {kind} does not have two ends"):
        UserGeom.between(kind, 0.1, (1, 0, 0), (1, 3, 0))


def test_a_label_may_be_a_number() -> None:
    assert UserGeom(LABEL, (0, 0, 0), UP, label=0.5).label == "0.5"  # type: ignore[arg-type]


def test_lines_are_as_many_pixels_wide_as_is_said() -> None:
    m = sim.loads("<mujoco><statistic center='0 0 0' extent='1'/></mujoco>")
    d = sim.Data(m)
    widths = {}
    with Renderer(m, 100, 100) as renderer:
        for wide, distance in product((2, 6, 12), (1.0, 20.0)):
            camera = OrbitCamera(np.zeros(3), distance, 90.0, 0.0)
            across = UserGeom.between(LINE, wide, (-9, 0, 0), (9, 0, 0), rgba=(1, 0, 0, 1))
            renderer.geoms[:] = [across]
            renderer.update_scene(d, camera)
            column = renderer.render()[:, 50].astype(float)
            red = column[:, 0] - column[:, 1:].max(axis=1)
            widths[wide, distance] = int((red > red.max() / 4).sum())
    for (wide, _), found in widths.items():
        assert found == pytest.approx(wide, abs=1.0), widths


def test_a_geom_stays_where_it_was_put() -> None:
    place = np.zeros(3)
    geom = UserGeom(SPHERE, (0.1, 0, 0), place)
    place[0] = 5
    assert geom.pos[0] == 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"type": HFIELD}, "cannot have type 1"),
        ({"type": MESH}, "needs a mesh's dataid"),
        ({"size": (0.1,)}, "size of a geom must have 3 numbers, not 1"),
        ({"pos": (0, 0)}, "pos of a geom must have 3 numbers, not 2"),
        ({"mat": (1, 0, 0)}, "mat of a geom must have 9 numbers"),
        ({"rgba": (1, 0, 0)}, "rgba of a geom must have 4 numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        UserGeom(**{"type": SPHERE, "size": (0.1, 0, 0), "pos": UP} | wrong)


def test_geoms_are_seen_when_they_are_complete() -> None:
    layer = ScriptLayer()
    first, second = (UserGeom(SPHERE, (0.1, 0, 0), (k, 0, 0)) for k in range(2))
    layer.geoms.append(first)
    assert layer.shown_geoms == ()
    layer.show_geoms()
    layer.geoms.clear()
    assert layer.shown_geoms == (first,)
    layer.geoms.append(second)
    layer.show_geoms()
    assert layer.shown_geoms == (second,)
    layer.geoms.append("no geom")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="UserGeom only, not 'no geom'"):
        layer.show_geoms()
    assert layer.shown_geoms == (second,)


# ---- how the picture is seen ----


def test_what_a_camera_does_not_have_cannot_be_set() -> None:
    camera, options = OrbitCamera(), VisualOptions()
    with pytest.raises(AttributeError, match="trackbodyid"):
        camera.trackbodyid = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="flags"):
        options.flags = [1]  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="three numbers"):
        camera.lookat = np.zeros(2)
    with pytest.raises(TypeError):
        camera.azimuth = None  # type: ignore[assignment]


@pytest.mark.parametrize("name", ("lookat", "distance", "azimuth", "fovy"))
def test_a_camera_that_sees_nothing_is_not_looked_through(views: Views, name: str) -> None:
    model, state = views(world("<geom size='.1'/>"))
    seen = ViewState()
    seen.align(model, state)
    start = seen.current_view(model, state)
    setattr(seen.camera, name, np.full(3, np.nan) if name == "lookat" else np.nan)
    view = seen.current_view(model, state)
    assert np.allclose(view.eye, start.eye) and view.fovy == start.fovy
    # nor one of the model that there is not
    seen.camera_id = 3
    assert np.isfinite(seen.current_view(model, state).eye).all()
