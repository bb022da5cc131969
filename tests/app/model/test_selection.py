"""The selection: one element wherever it was picked."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import sim
from app.model.selection import Selection, followed
from app.model.views import ModelView, StateView
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.input.mouse import follow_selection
from app.view.view_state import ViewState
from sim.analysis.element_names import described, element_name

MODEL = """<mujoco><worldbody><geom name='floor' type='plane' size='1 1 .1'/>
<body name='box' pos='.5 0 .09'><freejoint name='free'/><geom name='skin' type='box' size='.1 .1 .1'/>
  <site name='mark' pos='0 0 .1'/><site name='other'/><camera name='eye'/></body>
</worldbody><tendon><spatial name='cord'><site site='mark'/><site site='other'/></spatial></tendon></mujoco>"""

Views = tuple[ModelView, StateView]


@pytest.fixture(scope="module")
def touching() -> Views:
    """A box that touches the floor."""
    model = sim.loads(MODEL)
    data = sim.Data(model)
    sim.forward(model, data)
    return view_model(model), view_state(data)


@pytest.mark.parametrize(
    ("kind", "index", "title", "body", "place"),
    [
        ("body", 1, "body box", 1, (0.5, 0, 0.09)), ("geom", 1, "geom skin", 1, (0.5, 0, 0.09)),
        ("joint", 0, "joint free", 1, (0.5, 0, 0.09)), ("site", 0, "site mark", 1, (0.5, 0, 0.19)),
        ("camera", 0, "camera eye", 1, (0.5, 0, 0.09)), ("tendon", 0, "tendon cord", -1, None),
        ("contact", 0, "contact of world / floor and box / skin", 1, None),
        ("tree", 0, "tree of box", 1, (0.5, 0, 0.09)), ("island", 0, "island 0", -1, None),
    ],
)  # fmt: skip
def test_what_is_selected(
    touching: Views, kind: str, index: int, title: str, body: int, place: tuple[float, ...] | None
) -> None:
    selection = Selection(kind, index)
    assert selection.exists(*touching)
    assert selection.title(*touching) == title
    assert selection.body(*touching) == body
    if place is not None:
        assert selection.place(*touching) == pytest.approx(place)
    assert not Selection(kind, 99).exists(*touching)


def test_an_actuator_is_where_it_acts() -> None:
    model = sim.loads(
        "<mujoco><worldbody><body pos='1 2 3'><joint name='j' pos='0 0 1'/><geom size='.1'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
        "<actuator><motor joint='j'/><motor tendon='t'/></actuator></mujoco>"
    )
    data = sim.Data(model)
    sim.forward(model, data)
    shown = view_model(model), view_state(data)
    assert Selection("actuator", 0).place(*shown) == pytest.approx((1, 2, 4))
    assert [Selection("actuator", k).body(*shown) for k in (0, 1)] == [1, -1]
    assert Selection("actuator", 1).place(*shown) is None


def test_a_contact_is_where_bodies_touch(touching: Views) -> None:
    place = Selection("contact", 0).place(*touching)
    assert place is not None
    assert abs(place[2]) < 0.02
    assert abs(abs(place[0] - 0.5) - 0.1) < 1e-6


LIMBS = """<mujoco><worldbody><geom name='floor' type='plane' size='1 1 .1'/><site name='nail'/>
<body name='trunk' pos='5 0 .5'><freejoint/><geom size='.2'/>
  <body name='limb' pos='1 0 0'><joint axis='0 1 0'/><geom name='thigh' size='.1'/>
    <body name='foot' pos='0 0 -.46'><geom name='sole' size='.05'/></body></body></body>
<body name='other' pos='-9 0 9'><freejoint/><geom size='1'/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("kind", "name", "radius"),
    [
        ("body", "trunk", np.hypot(1, 0.46) + 0.05), ("body", "limb", 0.51), ("geom", "thigh", 0.1), ("joint", 1, 0.51),
        ("contact", 0, 0.05), ("tree", 1, 1.0), ("body", "world", 0.0), ("geom", "floor", 0.0), ("site", "nail", 0.0),
    ],
)  # fmt: skip
def test_how_far_it_reaches_and_how_near_the_camera_comes(kind: str, name: str | int, radius: float) -> None:
    model = sim.loads(LIMBS)
    data = sim.Data(model)
    sim.forward(model, data)
    snapshot = Snapshot(1, RunState(), view_model(model), view_state(data))
    index = name if isinstance(name, int) else model.name2id(kind, name)
    selection, view = Selection(kind, index), ViewState()
    assert selection.radius(snapshot.model, snapshot.state) == pytest.approx(radius)
    # from far away it is a speck, and the flight comes nearer
    view.camera.distance = 500.0
    view.select(kind, index, fly=True)
    follow_selection(SimpleNamespace(view=view, snapshot=snapshot))  # type: ignore[arg-type]
    assert view.flight is not None
    assert view.flight.lookat == pytest.approx(selection.place(snapshot.model, snapshot.state))
    nearer = 2.5 * radius / np.tan(np.radians(22.5))
    assert view.flight.distance == pytest.approx(nearer if radius else 500.0)


def test_names(touching: Views) -> None:
    assert element_name(touching[0], "geom", 0) == "floor"
    assert element_name(touching[0], "body", 77) == "body 77"


def test_what_has_no_name_is_called_by_its_body(views: Callable[[str], Views]) -> None:
    model, state = views("<worldbody><body><freejoint/><geom size='.1'/></body></worldbody>")
    assert Selection("geom", 0).title(model, state) == element_name(model, "geom", 0) == "body 1 / sphere"
    assert described(model, "body", 1) == "body 1"
    assert described(model, "body", 0) == "body world"


FALLING = """<mujoco><option timestep='.01'/><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
<body pos='0 0 .3'><freejoint/><geom name='late' size='.1'/></body>
<body pos='1 0 .09'><freejoint/><geom name='first' type='box' size='.1 .1 .1'/></body>
</worldbody></mujoco>"""


def test_contacts_and_islands_are_followed_from_state_to_state() -> None:
    model = sim.loads(FALLING)
    data = sim.Data(model)
    sim.step(model, data, 2)
    seen, before = view_model(model), view_state(data)
    assert before.nisland == 1
    contact, island = Selection("contact", 3), Selection("island", 0)
    assert contact.title(seen, before) == "contact of world / floor and body 2 / first"
    place = contact.place(seen, before)
    # the ball arrives and comes first
    sim.step(model, data, 40)
    after = view_state(data)
    assert after.nisland == 2
    assert followed(island, before, after) == Selection("island", 1)
    same = followed(contact, before, after)
    assert same == Selection("contact", 4)
    assert same.place(seen, after) == pytest.approx(place, abs=0.01)
    # elements of the model are what they are
    assert followed(Selection("geom", 1), before, after) == Selection("geom", 1)
    assert followed(None, before, after) is None
    # and back in time there is no contact of the ball
    assert followed(Selection("contact", 0), after, before) is None
    assert followed(Selection("island", 0), after, before) is None
