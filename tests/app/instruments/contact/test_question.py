"""Questions of the microscope through the probe: a contact of the past as of the present, and its solver path."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.probe import Moment, Probe, Request
from app.instruments.contact.question import PathQuestion, Touch, TouchQuestion
from app.run import commands as cmd
from app.run.history.taken_rows import TakenMoment
from sim.script.contact_force import contact_forces
from sim.script.model_edits import edits_of
from tests.app.live import Hand

FLOOR, BALL, BOX = 0, 1, 2
WEIGHT = 10.0


def test_past_and_present_of_a_contact(hand: Hand) -> None:
    """The ball falls for 0.42 s: it does not touch before, and afterwards, in the past too, it does."""
    probe = Probe(hand.thread.send)
    questions = frozenset((TouchQuestion(FLOOR, BALL), TouchQuestion(FLOOR, BOX), PathQuestion(FLOOR, BOX)))
    seen = {}
    for name, command in (("present", cmd.StepOnce(1000)), ("past", cmd.GoTo(100)), ("again", cmd.GoTo(1000))):
        snapshot = hand.send(command)
        probe.want(Request(questions, snapshot.serial, running=False))
        version = probe.latest.version
        while probe.latest.version == version:
            assert probe.turn(wait=0.05)
        assert {answer.step for answer in probe.latest.answers.values()} == {snapshot.run.history.now}
        seen[name] = {question: answer.value for question, answer in probe.latest.answers.items()}
        assert not [answer.error for answer in probe.latest.answers.values() if answer.error]
    assert seen["past"][TouchQuestion(FLOOR, BALL)].contacts == ()
    for name in ("present", "again"):
        ball, box = seen[name][TouchQuestion(FLOOR, BALL)], seen[name][TouchQuestion(FLOOR, BOX)]
        assert ball.between.force == pytest.approx((0, 0, WEIGHT), abs=1e-3)
        assert box.between.force == pytest.approx((0, 0, WEIGHT), abs=1e-3)
        assert (len(ball.contacts), len(box.contacts)) == (1, 4)
        assert (box.geoms, box.bodies) == (("floor", "geom:box"), ("world", "body:box"))
        path = seen[name][PathQuestion(FLOOR, BOX)]
        assert np.array_equal(path.forces[-1], [contact.force for contact in box.contacts])
    same = (seen[name][TouchQuestion(FLOOR, BALL)].contacts[0].force for name in ("present", "again"))
    assert np.array_equal(*same)


def moment_of(xml: str, steps: int) -> Moment:
    model = sim.loads(xml)
    data = sim.Data(model)
    sim.step(model, data, steps)
    state = sim.copy_state(model, data)
    return Moment(TakenMoment(model, edits_of(model), state, None, 0, 0, 0.0), model, sim.Data(model))


def test_the_force_is_on_the_body_that_moves_and_the_nearest_contact_is_found() -> None:
    # geoms of a lower type come first: the floor, a box, is the second one
    moment = moment_of(
        """<mujoco><worldbody><geom type='box' size='1 1 .1' pos='0 0 -.1'/>
        <body pos='0 0 .0499'><freejoint/><geom type='capsule' fromto='-.2 0 0 .2 0 0' size='.05' mass='1'/></body>
        </worldbody></mujoco>""",
        100,
    )
    touch = TouchQuestion(1, 0).answer(moment)
    assert isinstance(touch, Touch)
    assert touch.between.bodies == (0, 1)
    assert touch.between.force[2] == pytest.approx(9.81, rel=1e-3)
    assert (touch.geoms, touch.bodies) == (("geom:1", "geom:0"), ("body:1", "world"))
    for k, contact in enumerate(touch.contacts):
        assert touch.nearest(contact.position + 0.01) == k
    assert touch.contacts[touch.nearest(None)].normal == max(contact.normal for contact in touch.contacts)
    apart = TouchQuestion(0, 1).answer(moment)
    assert apart.contacts == () and apart.geoms == ("geom:0", "geom:1")
    assert PathQuestion(0, 1).answer(moment) is None


def test_the_path_does_not_touch_the_moment() -> None:
    moment = moment_of(
        """<mujoco><option iterations='7'/><worldbody><geom type='plane' size='1 1 .1'/>
        <body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>""",
        3,
    )
    before = moment.data.efc_force.copy()
    path = PathQuestion(0, 1).answer(moment)
    assert path is not None and path.forces.shape[1:] == (4, 6)
    assert np.array_equal(path.forces[-1], contact_forces(moment.data))
    assert np.array_equal(moment.data.efc_force, before) and moment.model.opt.iterations == 7
