"""why.py and ways.py: one sentence with names for each reason to be awake, and changes that do let a tree sleep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from app.instruments.lens.questions import LensQuestion, WhyQuestion
from app.instruments.lens.ways import Way, ways_to_sleep
from app.instruments.lens.why import Why, why_sentence
from app.run.commands import SetData, SetField, SetFlag
from app.run.snapshot import view_model, view_state
from sim import enums
from sim.analysis.trees.tree_sleep import tree_sleep

BODY = "<body name='{0}' pos='{1} 0 0'><freejoint/><geom name='{0}' size='.1' mass='1'/><site name='{0}'/></body>"
MODEL = f"""<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>
  <body name='arm' pos='0 3 0'><joint name='elbow' damping='1'/><geom size='.1' pos='.3 0 0'/></body>
  <body name='sled' pos='0 5 0'><joint name='rail' type='slide'/><geom size='.1'/></body>
  <body name='post' pos='0 7 0' sleep='never'><joint name='lid'/><geom size='.1' pos='.3 0 0'/></body>
  {BODY.format("a", 1)}{BODY.format("b", 1.19)}{BODY.format("c", 3)}{BODY.format("d", 5)}{BODY.format("e", 7)}
</worldbody>
  <tendon><spatial name='rope' stiffness='1' springlength='2'><site site='d'/><site site='e'/></spatial></tendon>
  <actuator><motor name='hoist' joint='elbow'/></actuator>
  <equality><connect name='pin' body1='b' body2='c' anchor='.5 0 0' active='false'/></equality></mujoco>"""
ARM, SLED, POST, A, B, C, D, E = range(8)


class Case:
    """A model and a state."""

    def __init__(self, xml: str = MODEL) -> None:
        self.m: Any = sim.loads(xml)
        self.d: Any = sim.Data(self.m)
        # a and b touch
        sim.forward(self.m, self.d)

    def why(self, tree: int) -> Why:
        sim.forward(self.m, self.d)
        found = why_sentence(self.m, self.d, tree_sleep(self.m, self.d), tree)
        # a view of both says the same
        model, state = view_model(self.m), view_state(self.d)
        assert why_sentence(model, state, tree_sleep(model, state), tree) == found
        return found

    def ways(self, tree: int) -> tuple[Way, ...]:
        sim.forward(self.m, self.d)
        return ways_to_sleep(self.m, self.d, tree_sleep(self.m, self.d), tree)

    def do(self, way: Way) -> None:
        """What a click on its button does."""
        assert way.label and way.commands
        for command in way.commands:
            if isinstance(command, SetData):
                self.d.read(command.path).reshape(-1)[command.start : command.start + len(command.values)] = (
                    command.values
                )
            elif isinstance(command, SetFlag):
                flags = int(self.m.read(command.path))
                self.m.write(command.path, flags | command.bit if command.on else flags & ~command.bit)
            else:
                assert isinstance(command, SetField)
                if command.rows:
                    self.m.read(command.path)[list(command.rows)] = command.value
                else:
                    self.m.write(command.path, command.value)

    def sleeps(self, tree: int, steps: int = 11) -> bool:
        """Whether it falls asleep in some steps."""
        sim.step(self.m, self.d, steps)
        return bool(self.d.tree_asleep[tree] >= 0)


def test_an_actuator_is_named_and_a_policy_lets_it_sleep() -> None:
    case = Case()
    found = case.why(ARM)
    assert found.text == (
        "arm is awake because the actuator hoist acts on it, and driven trees never sleep by default."
    )
    assert found.elements == (("tree", ARM), ("actuator", 0))
    (way,) = case.ways(ARM)
    assert not case.sleeps(ARM, 30)
    case.do(way)
    assert case.sleeps(ARM)


def test_a_tendon_is_named_with_what_it_ties() -> None:
    case = Case()
    found = case.why(E)
    assert found.text == "e is awake because the tendon rope ties it to d, and such trees never sleep by default."
    assert ("tendon", 0) in found.elements
    (way,) = case.ways(E)
    assert way.text == (
        "The tendon rope couples trees through a spring or damper, and these cannot sleep."
        " Remove its stiffness and damping, in the file."
    )
    assert not case.sleeps(E, 30)
    assert Case(MODEL.replace("stiffness='1'", "")).sleeps(E)


def test_a_driven_tree_that_moves_needs_more_than_a_policy() -> None:
    case = Case()
    case.d.ctrl[0] = 0.7
    sim.step(case.m, case.d, 50)
    allow, control, wait, tolerance = case.ways(ARM)
    assert (allow.label, control.label, wait.label, tolerance.label) == ("Allow", "Set to 0", "", "Raise")
    case.do(allow)
    assert not case.sleeps(ARM, 30)
    case.do(control)
    assert case.sleeps(ARM, 5000)


def test_a_policy() -> None:
    case = Case()
    assert case.why(POST).text == "post is awake because its sleep policy is never."
    (way,) = case.ways(POST)
    case.do(way)
    assert case.sleeps(POST)


def test_velocities_of_joints_and_their_tolerance() -> None:
    case = Case()
    case.d.qvel[1], case.d.qvel[2 + 1 + 12 + 4] = 0.25, 0.5
    text = case.why(SLED).text
    assert text == "sled is awake because its joint rail still moves at 0.25 m/s: the sleep tolerance is 0.001 m/s."
    assert case.why(SLED).elements == (("tree", SLED), ("joint", 1))
    turning = case.why(C).text
    counted = 0.5 * case.m.dof_length[19]
    assert turning == (
        f"c is awake because it still turns about y at 0.5 rad/s, which counts as {counted:.3g} m/s:"
        " the sleep tolerance is 0.001 m/s."
    )
    wait, tolerance, damping = case.ways(SLED)
    assert wait.text.startswith("Wait until") and not wait.label
    assert tolerance.commands == (SetField("opt.sleep_tolerance", 0.26),)
    assert "damping" in damping.text and not damping.label
    assert not case.sleeps(SLED, 30)
    case.do(tolerance)
    assert case.sleeps(SLED)


def test_nine_tenths_of_the_tolerance_are_not_enough() -> None:
    case = Case()
    case.d.qvel[1] = 0.25
    command = case.ways(SLED)[1].commands[0]
    assert isinstance(command, SetField)
    case.m.opt.sleep_tolerance = 0.9 * command.value
    assert not case.sleeps(SLED, 30)


def test_forces_and_the_mouse_are_named() -> None:
    case = Case()
    d = case.d
    d.qfrc_applied[1] = 0.3
    assert case.why(SLED).text == "sled is awake because qfrc_applied pushes rail with 0.3 N."
    (way,) = case.ways(SLED)
    case.do(way)
    assert d.qfrc_applied[1] == 0 and case.sleeps(SLED)
    d.xfrc_applied[6, 4] = 2.0
    assert case.why(C).text == "c is awake because xfrc_applied pushes c with 2 N m."
    case.do(case.ways(C)[0])
    assert not d.xfrc_applied.any()
    d.perturb.select, d.perturb.active, d.perturb.refselpos = 6, 1, d.xipos[6]
    assert case.why(C).text == "c is awake because the mouse pulls c."
    assert [way.text for way in case.ways(C)] == ["Release c, which the mouse is pulling."]


def test_a_neighbour_and_the_contact_are_named() -> None:
    case = Case()
    sim.step(case.m, case.d, 12)
    case.d.qvel[:] = 0.0
    # a pushes itself against b, which is at rest
    case.d.qfrc_applied[3] = 1.0
    found = case.why(B)
    assert found.text == (
        "b is awake because it touches a (contact of b / b with a / a), and qfrc_applied pushes a along x with 1 N."
    )
    assert found.elements[:3] == (("tree", B), ("geom", A), ("tree", A))
    assert case.ways(B)[0].commands == (SetData("qfrc_applied", 3, (0.0,)),)


def test_a_neighbour_of_a_neighbour_through_an_equality() -> None:
    case = Case()
    case.d.eq_active[0] = 1
    case.d.qpos[2 + 1] = 0.99
    case.d.xfrc_applied[4, 0] = 1.0
    sim.forward(case.m, case.d)
    case.m.tree_sleep_policy[A] = enums.SLEEP_NEVER
    found = case.why(C)
    case.d.qvel[:] = 0.0
    found = case.why(C)
    assert found.text == (
        "c is awake because the equality pin ties it to b, which is tied to a, and a's sleep policy is never."
    )


def test_waiting_says_when() -> None:
    case = Case()
    sim.step(case.m, case.d, 4)
    assert case.why(C).text == "c is slow enough, and falls asleep in 6 steps (12 ms) unless something changes."
    assert [way.text for way in case.ways(C)] == ["Nothing: it will fall asleep by itself in 6 steps (12 ms)."]
    assert not case.sleeps(C, 5)
    assert case.sleeps(C, 1)
    assert case.why(C).text == "c is asleep." and case.ways(C) == ()


def test_what_begins_to_fall_is_slow_for_a_moment_only() -> None:
    case = Case()
    case.m.opt.gravity[2] = -9.81
    assert case.why(C).text == ("c is slow now, but it accelerates along z by 9.81 m/s², so it will not sleep yet.")
    assert [way.text for way in case.ways(C)] == ["Wait until it comes to rest: something is accelerating it."]
    case.sleeps(C, 1)
    assert "moves along z at 0.0196 m/s" in case.why(C).text


def test_controls_are_set_to_zero() -> None:
    case = Case()
    case.m.tree_sleep_policy[ARM] = enums.SLEEP_ALLOWED
    case.d.ctrl[0] = 0.7
    sim.step(case.m, case.d, 50)
    control, _, tolerance = case.ways(ARM)[:3]
    assert control.text == "Set the control of the actuator hoist to 0; it is 0.7."
    case.do(control)
    assert case.sleeps(ARM, 5000)
    assert tolerance.label == "Raise"


@pytest.mark.parametrize(
    ("option", "words", "label"),
    [
        ("<option/>", "its sleep flag is disabled", "Enable sleep"),
        ("<option integrator='RK4'><flag sleep='enable'/></option>", "integrator RK4", "Use implicitfast"),
        ("<option><flag sleep='enable' island='disable'/></option>", "the island flag is disabled", "Enable islands"),
    ],
)
def test_nothing_sleeps(option: str, words: str, label: str) -> None:
    case = Case(MODEL.replace("<option gravity='0 0 0'><flag sleep='enable'/></option>", option))
    case.m.opt.gravity[:] = 0.0
    assert words in case.why(C).text
    way = case.ways(C)[0]
    assert way.label == label
    case.do(way)
    # and with constraints: two balls touch
    assert case.d.nefc > 0
    assert case.sleeps(C, 20)


class Still:
    """A moment that is not a simulation's."""

    def __init__(self, m: Any, d: Any) -> None:
        self.model, self.data = m, d

    def scratch(self) -> tuple[Any, Any]:
        scratch = sim.Data(self.model)
        sim.restore_state(self.model, scratch, sim.copy_state(self.model, self.data))
        return self.model, scratch


def test_questions_are_answered() -> None:
    case = Case()
    moment: Any = Still(case.m, case.d)
    lens = LensQuestion().answer(moment)
    assert lens.costs is not None and lens.islands.rows.sum() == case.d.nefc
    assert len(lens.energies.kinetic) == len(lens.sleep.asleep) == 8
    why = WhyQuestion(ARM).answer(moment)
    assert "hoist" in why.why.text and why.ways and why.countdown == -1
    case.d.qvel[:] = np.nan
    assert WhyQuestion(SLED).answer(moment).speed == np.inf
    assert LensQuestion() == LensQuestion() and WhyQuestion(1) != WhyQuestion(2)
