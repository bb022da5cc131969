"""Rows of Controls and Joints: names, what a search finds, what differs and what moves."""

from __future__ import annotations

import numpy as np
import pytest

from app.model.drive_table import control_table, joint_table, matching, moving_joints
from app.model.views import ModelView, StateView
from tests.app.conftest import Views

BODY = """<worldbody>
  <body name="torso"><freejoint/><geom size=".1"/>
    <body name="thigh"><joint name="hip" type="ball"/><geom size=".1"/>
      <body name="shin"><joint name="knee"/><geom size=".1"/></body></body></body>
</worldbody><actuator><motor name="extensor" joint="knee"/><motor joint="hip" gear="1 0 0"/></actuator>"""


@pytest.fixture
def seen(views: Views) -> tuple[ModelView, StateView]:
    """A leg."""
    return views(BODY)


def test_a_search_finds_names_bodies_and_what_is_driven(seen: tuple[ModelView, StateView]) -> None:
    controls, joints = control_table(seen[0]), joint_table(seen[0])
    assert controls.labels[0] == "extensor"
    for query, rows in (("exten", [0]), ("shin", [0]), ("KNEE ext", [0]), ("thigh", [1]), ("toe", []), ("", [0, 1])):
        assert np.flatnonzero(matching(controls, query)).tolist() == rows, query
    for query, rows in (("hinge", [2]), ("thigh", [1]), ("torso free", [0]), ("knee shin", [2])):
        assert np.flatnonzero(matching(joints, query)).tolist() == rows, query


def test_rows_know_their_numbers(seen: tuple[ModelView, StateView]) -> None:
    joints = joint_table(seen[0])
    assert joints.places(np.array([1, 2])).tolist() == [7, 8, 9, 10, 11]
    assert joints.places(np.array([], int)).tolist() == []


def test_what_differs_and_what_moves(seen: tuple[ModelView, StateView]) -> None:
    model, state = seen
    joints, qpos = joint_table(model), np.array(state.qpos)
    assert not joints.differing(qpos, model.qpos0).any()
    qpos[5] += 1e-12
    qpos[11] += 1e-3
    assert joints.differing(qpos, model.qpos0).tolist() == [False, False, True]
    qvel = np.zeros(model.nv)
    qvel[5], qvel[7] = 1e-9, 0.1
    assert moving_joints(model, qvel).tolist() == [False, True, False]


def test_tables_are_made_once(seen: tuple[ModelView, StateView]) -> None:
    assert control_table(seen[0]) is control_table(seen[0])
    assert joint_table(seen[0]) is joint_table(seen[0])


def test_models_without_actuators_or_joints(views: Views) -> None:
    model, state = views("<worldbody><geom size='.1'/></worldbody>")
    assert len(control_table(model)) == len(joint_table(model)) == 0
    assert joint_table(model).differing(state.qpos, model.qpos0).tolist() == []
    assert moving_joints(model, state.qvel).tolist() == []
