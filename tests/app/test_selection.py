"""The selection: one element wherever it was picked."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.rotation import quaternion_of, rotation_vector
from app.selection import Selection, element_name
from app.snapshot import ModelView, StateView, view_model, view_state

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
        ("contact", 0, "contact of floor and skin", 1, None), ("tree", 0, "tree #0", 1, (0.5, 0, 0.09)),
        ("island", 0, "island #0", -1, None),
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


def test_a_contact_is_where_bodies_touch(touching: Views) -> None:
    place = Selection("contact", 0).place(*touching)
    assert place is not None
    assert abs(place[2]) < 0.02
    assert abs(abs(place[0] - 0.5) - 0.1) < 1e-6


def test_names(touching: Views) -> None:
    assert element_name(touching[0], "geom", 0) == "floor"
    assert element_name(touching[0], "body", 77) == "#77"


def test_rotation_vectors_and_quaternions_agree() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        vector = rng.normal(size=3)
        vector *= min(1.0, 3.1 / np.linalg.norm(vector))
        quaternion = quaternion_of(vector)
        assert np.linalg.norm(quaternion) == pytest.approx(1)
        assert rotation_vector(quaternion) == pytest.approx(vector)
        # both signs of a quaternion are the same rotation
        assert rotation_vector(-quaternion) == pytest.approx(vector)
    assert rotation_vector((1, 0, 0, 0)).tolist() == [0, 0, 0]
