"""The subject of the Forces instrument follows the selection, and stays when a bar is clicked: state.py."""

from __future__ import annotations

from typing import Any

import pytest

import sim
from app.instruments.forces.state import ForcesState, axes_of
from app.model.selection import Selection
from app.run.snapshot import view_model, view_state

XML = """<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>
<body name='box' pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/>
<body name='arm'><joint name='lift' type='slide'/><joint type='ball'/>
<geom size='.1' contype='0' conaffinity='0'/></body></body></worldbody>
<actuator><motor joint='lift'/></actuator></mujoco>"""


@pytest.fixture
def views() -> tuple[Any, Any]:
    m = sim.loads(XML)
    d = sim.Data(m)
    sim.forward(m, d)
    return view_model(m), view_state(d)


def test_selection_is_followed_to_its_joint_or_body(views: Any) -> None:
    shown = ForcesState()
    for selection, subject in (
        (Selection("joint", 2), Selection("joint", 2)),
        (Selection("body", 1), Selection("body", 1)),
        (Selection("geom", 2), Selection("body", 2)),
        (Selection("contact", 0), Selection("body", 1)),
        (Selection("actuator", 0), Selection("joint", 1)),
    ):
        shown.follow(selection, *views)
        assert shown.subject == subject


def test_what_moves_nothing_leaves_the_subject(views: Any) -> None:
    shown = ForcesState()
    shown.follow(Selection("body", 2), *views)
    for selection in (None, Selection("geom", 0), Selection("body", 0), Selection("body", 99)):
        shown.follow(selection, *views)
        assert shown.subject == Selection("body", 2)


def test_click_on_a_bar_leaves_the_subject_until_something_else_is_selected(views: Any) -> None:
    shown = ForcesState()
    shown.follow(Selection("body", 1), *views)
    shown.clicked = Selection("joint", 1)
    shown.follow(Selection("joint", 1), *views)
    assert shown.subject == Selection("body", 1)
    shown.follow(Selection("body", 2), *views)
    assert shown.subject == Selection("body", 2)
    shown.follow(Selection("joint", 1), *views)
    assert shown.subject == Selection("joint", 1)


def test_axis_exists(views: Any) -> None:
    model, _ = views
    assert [axes_of(model, Selection("joint", j)) for j in range(3)] == [6, 1, 3]
    shown = ForcesState()
    shown.show(Selection("joint", 1), 1)
    assert shown.axis == 0
    shown.show(Selection("body", 1), 6)
    assert shown.axis == 2
    shown.axis = 4
    shown.show(Selection("body", 1), 6)
    assert shown.axis == 4
