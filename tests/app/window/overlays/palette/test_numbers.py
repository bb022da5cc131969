"""A name and a number in the command palette set that number."""

from __future__ import annotations

import math

import pytest

import sim
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window.overlays.palette.numbers import typed_edits, typed_name
from tests.app.live import SMALL

SERVO, MUSCLE, JOINT = ("actuator", 1), ("actuator", 6), ("joint", 1)


def typed(text: str, selected: tuple[str, int] | None, degrees: bool = False) -> list[tuple[str, cmd.Command]]:
    """Titles and commands of what is offered for a text."""
    model = sim.loads(SMALL)
    snapshot = Snapshot(0, RunState(), view_model(model), view_state(sim.Data(model)))
    view, sent = ViewState(), list[cmd.Command]()
    view.prefs.degrees = degrees
    if selected:
        view.select(*selected)
    found = typed_edits(snapshot, view, sent.append, text)
    for entry in found:
        entry.do()
    return [(entry.title, command) for entry, command in zip(found, sent, strict=True)]


@pytest.mark.parametrize("text", ["kp 200", "KP=200", "set kp to 2e2", "kp: +200.", "edit kp 200"])
def test_a_parameter_of_the_selection(text: str) -> None:
    only, *_ = typed(text, SERVO)
    linked = (cmd.SetField("actuator_biasprm", -200.0, (1,), 1),)
    assert only == (
        "set kp of hinge / position servo 1 to 200 N·m/rad",
        cmd.SetField("actuator_gainprm", 200.0, (1,), 0, linked, "kp"),
    )


def test_names_may_be_short_and_the_whole_name_comes_first() -> None:
    assert [title for title, _ in typed("f .5", MUSCLE)] == [
        "set force of t / muscle to 0.5 N", "set fpmax of t / muscle to 0.5", "set fvmax of t / muscle to 0.5",
    ]  # fmt: skip
    assert typed("damping 3", JOINT)[0] == (
        "set damping of joint hinge to 3 N·m·s/rad", cmd.SetField("dof_damping", 3.0, (6,)),
    )  # fmt: skip
    assert typed("timestep 0.001", None)[0] == ("set timestep to 0.001 s", cmd.SetField("opt.timestep", 0.001))


def test_an_angle_is_typed_in_the_unit_that_is_shown() -> None:
    for degrees, number, unit in ((True, 30.0, "°"), (False, math.radians(30), "rad")):
        title, command = typed(f"springref {number:.8f}", JOINT, degrees)[0]
        assert title.endswith(f" {number:g} {unit}")
        assert isinstance(command, cmd.SetField)
        assert command.value == pytest.approx(math.radians(30), abs=1e-7)


def test_the_speed_of_the_run() -> None:
    assert typed("speed .5", None) == [("set speed to 0.5 times real time", cmd.SetSpeed(0.5))]
    assert typed("speed = 1000", None) == [("set speed to 8 times real time", cmd.SetSpeed(8.0))]
    assert typed("speed 0", None) == []


def test_what_is_shown_is_what_is_legal() -> None:
    only, *_ = typed("kv -3", SERVO)
    assert only == (
        "set kv of hinge / position servo 1 to 0 N·m·s/rad",
        cmd.SetField("actuator_biasprm", -0.0, (1,), 2, name="kv"),
    )


def test_of_a_body_its_joints_and_their_servos_are_meant() -> None:
    """A double-click selects a body."""
    model = sim.loads(SMALL)
    body = ("body", int(model.jnt_bodyid[1]))
    assert typed("damping 3", body)[0] == typed("damping 3", JOINT)[0]
    assert typed("kp 200", SERVO)[0] in typed("kp 200", body) and typed("kp 200", SERVO)[0] in typed("kp 200", JOINT)
    assert typed("kp 200", ("body", 0)) == typed("kp 200", None)


def test_the_name_before_a_number() -> None:
    assert [typed_name(text) for text in ("kp 200", "set damping to 3", "kp", "")] == ["kp", "damping", "", ""]


@pytest.mark.parametrize("text", ["", "kp", "200", "kp x", "kp 1 2 x", "nonsense 3"])
def test_other_texts_set_nothing(text: str) -> None:
    assert typed(text, SERVO) == []


def test_all_elements_of_a_type_are_one_edit() -> None:
    (title, command), *_ = typed("damping 3", None)
    assert title == "set damping of all 4 joints to 3"
    assert isinstance(command, cmd.SetField)
    edits = [command, *command.also]
    assert {edit.path for edit in edits} == {"dof_damping"} and {edit.value for edit in edits} == {3.0}
    assert sorted(row for edit in edits for row in edit.rows) == list(range(sim.loads(SMALL).nv))


def test_words_behind_the_name_choose_elements() -> None:
    for selected in (None, JOINT):
        (title, _), *others = typed("kp hinge 200", selected)
        assert title == "set kp of the 4 actuators with “hinge” to 200 N·m/rad" and not others
    assert not typed("kp nothing 200", None)


def test_a_component_of_a_vector_is_typed_behind_its_name() -> None:
    assert typed("gravity z -5", None)[0] == ("set gravity z to -5 m/s²", cmd.SetField("opt.gravity", -5.0, (2,)))
