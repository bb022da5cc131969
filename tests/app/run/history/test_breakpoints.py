"""Breakpoints on cases whose answer is known: where they fire, on which edge, and what they point to."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from app.model.selection import Selection
from app.run.history.breakpoints import Breakpoint, Hit, Watch, pointed

TIMESTEP = 0.001
BALL = """<mujoco><option timestep='0.001' gravity='0 0 -9.81' {option}/><worldbody>
<geom name='floor' type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 1.1'><freejoint/><geom size='.1' mass='1' solref='0.005 1'/></body></worldbody></mujoco>"""
DROP = math.sqrt(2 / 9.81)


def watch_of(*expressions: str) -> Watch:
    watch = Watch()
    watch.set([Breakpoint(k, text) for k, text in enumerate(expressions, 1)])
    return watch


def hits_of(model: sim.Model, watch: Watch, steps: int, key: int | None = None) -> list[Hit]:
    """All hits of a run."""
    data = sim.Data(model)
    sim.reset(model, data, key)
    watch.begin(model, data, (0, 0))
    found = []
    for step in range(1, steps + 1):
        sim.step(model, data)
        found += watch.check(model, data, (0, step))
    return found


@pytest.mark.parametrize("option", ["", "integrator='RK4'", "integrator='implicitfast'"])
def test_a_ball_touches_the_floor_after_its_fall(option: str) -> None:
    model = sim.loads(BALL.format(option=option))
    for text in ('touching("ball", "floor")', "d.ncon > 0", 'depth("ball") > 0'):
        hit = hits_of(model, watch_of(text), 600)[0]
        assert hit.time == pytest.approx(DROP, abs=2 * TIMESTEP)
        assert hit.moment == (0, round(hit.time / TIMESTEP))
        # the value at that moment is what forward gives at its state, as in a plot
        data = sim.Data(model)
        sim.step(model, data, hit.moment[1])
        assert data.qpos[2] <= 0.1 < data.qpos[2] - TIMESTEP * data.qvel[2]


def test_a_force_above() -> None:
    hit = hits_of(sim.loads(BALL.format(option="")), watch_of('normal_force("ball", "floor") > 100'), 600)[0]
    assert DROP - TIMESTEP <= hit.time < DROP + 0.01
    name, value = hit.detail.split(" = ")
    assert name == 'normal_force("ball", "floor")' and float(value) > 100


def test_a_speed_above_and_a_time_reached() -> None:
    hits = hits_of(sim.loads(BALL.format(option="")), watch_of("norm(d.qvel[:3]) > 2", "d.time >= 0.3"), 400)
    assert [hit.number for hit in hits] == [1, 2]
    assert hits[0].time == pytest.approx(2 / 9.81, abs=TIMESTEP)
    assert hits[1].time == pytest.approx(0.3, abs=TIMESTEP)


def test_a_joint_reaches_its_limit() -> None:
    model = sim.loads(
        """<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body><joint name='knee' axis='0 1 0'
        range='-90 30' limited='true'/><geom size='.1'/></body></worldbody><keyframe><key qvel='2'/></keyframe>
        </mujoco>"""
    )
    hit = hits_of(model, watch_of('limit_distance("knee") <= 0'), 400, key=0)[0]
    assert hit.time == pytest.approx(math.radians(30) / 2, abs=2 * TIMESTEP)
    assert pointed(model, sim.Data(model), hit.expression) == Selection("joint", 0)


def test_energy_rises_where_damping_is_negative() -> None:
    """A joint that loses nothing until a moment, and gains from then on."""
    model = sim.loads(
        """<mujoco><option timestep='0.001' integrator='RK4'/><worldbody><body><joint name='hinge' axis='0 1 0'/>
        <geom type='capsule' fromto='0 0 0 1 0 0' size='.02'/></body></worldbody></mujoco>"""
    )
    data, watch = sim.Data(model), watch_of("rises(energy()) > 1e-4")
    watch.begin(model, data, (0, 0))
    for step in range(1, 501):
        if step == 301:
            model.dof_damping[0] = -0.5
        sim.step(model, data)
        hits = watch.check(model, data, (0, step))
        assert bool(hits) == (step == 301)


def test_a_tree_wakes() -> None:
    model = sim.loads(
        """<mujoco><option timestep='0.002'><flag sleep='enable'/></option><worldbody>
        <geom name='floor' type='plane' size='5 5 1'/>
        <body name='low' pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
        <body name='high' pos='0 0 8'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"""
    )
    data, watch = sim.Data(model), watch_of('awake("low")', 'not awake("low")')
    watch.begin(model, data, (0, 0))
    slept, found = [], []
    for step in range(1, 800):
        sim.step(model, data)
        slept.append(not data.tree_awake[0])
        found += [(hit.number, hit.moment[1]) for hit in watch.check(model, data, (0, step))]
    asleep = slept.index(True) + 1
    woken = slept.index(False, asleep) + 1
    assert found[0] == (2, asleep)
    # what wakes it is in the state before the step that finds it awake
    assert found[1][0] == 1 and woken - 1 <= found[1][1] <= woken


def test_an_actuator_saturates() -> None:
    model = sim.loads(
        """<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body><joint name='slide' type='slide'/>
        <geom size='.1' mass='1'/></body></worldbody><actuator><position name='servo' joint='slide' kp='100'
        forcerange='-20 20' forcelimited='true'/></actuator></mujoco>"""
    )
    data, watch = sim.Data(model), watch_of('saturation("servo") >= 1')
    watch.begin(model, data, (0, 0))
    for step in range(1, 101):
        data.ctrl[0] = 0.003 * step
        sim.step(model, data)
        hits = watch.check(model, data, (0, step))
        if hits:
            break
    assert 100 * (data.ctrl[0] - data.qpos[0]) >= 20 > 100 * (data.ctrl[0] - 0.003 - data.qpos[0])
    assert pointed(model, data, hits[0].expression) == Selection("actuator", 0)


def test_a_solver_with_one_iteration_does_not_converge() -> None:
    text = """<mujoco><option timestep='0.001' cone='elliptic'/><worldbody><geom type='plane' size='1 1 1'/>
        <body pos='0 0 .25' euler='20 30 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>
        </mujoco>"""
    assert hits_of(sim.loads(text), watch_of("not converged()"), 800) == []
    model = sim.loads(text.replace("<option", "<option iterations='1'"))
    hits = hits_of(model, watch_of("not converged()", "touching()"), 800)
    touched = next(hit for hit in hits if hit.number == 2)
    assert next(hit for hit in hits if hit.number == 1).moment >= touched.moment


def test_it_fires_on_the_rising_edge_alone() -> None:
    model = sim.loads(BALL.format(option="").replace("solref='0.005 1'", "solref='-20000 0'"))
    watch = watch_of('touching("ball")', "d.time >= 0", "not touching()")
    hits = hits_of(model, watch, 2500)
    touches = [hit.time for hit in hits if hit.number == 1]
    # the ball bounces: it falls for 2 DROP between two contacts
    assert len(touches) == 3 and np.diff(touches) == pytest.approx(2 * DROP, abs=0.05)
    # what was true when the watch began has not become true
    assert not any(hit.number == 2 for hit in hits)
    assert len([hit for hit in hits if hit.number == 3]) in (2, 3)
    assert [point.hits for point in watch.points][:2] == [3, 0] and watch.points[0].time == touches[-1]


def test_a_run_with_breakpoints_has_the_same_bits() -> None:
    model = sim.load("scenes/humanoid.xml")
    states = []
    for watch in (None, watch_of("normal_force() > 5000", "energy() > 1e9", "not converged()")):
        data = sim.Data(model)
        for step in range(300):
            sim.step(model, data)
            if watch is not None:
                watch.check(model, data, (0, step))
        states.append(sim.get_state(model, data, sim.record_signature(model)))
    assert states[0].tobytes() == states[1].tobytes()


def test_what_raises_is_the_breakpoint_s_error_and_nothing_else() -> None:
    model = sim.loads(BALL.format(option=""))
    watch = watch_of("1 +", 'touching("bell")', "d.contact.dist[0] < 0", "d.qpos", "d.time >= 0.1", "1 / 0 > 2")
    assert watch.points[0].error
    hits = hits_of(model, watch, 455)
    assert [hit.number for hit in hits] == [5, 3]
    errors = {point.number: point.error for point in watch.points}
    assert "did you mean 'ball'" in errors[2] and "7 numbers" in errors[4] and errors[6]
    # it has a value again
    assert errors[3] == errors[5] == ""


def test_which_breakpoints_keep_their_hits() -> None:
    watch = watch_of("d.time >= 0.1", "d.time >= 0.2", "d.time >= 0.3")
    hits_of(sim.loads(BALL.format(option="")), watch, 400)
    first, second, third = watch.points
    watch.set([Breakpoint(1, "d.time >= 0.1", on=False), Breakpoint(2, "d.time >= 5"), Breakpoint(9, "1")])
    assert [(p.number, p.hits, p.on) for p in watch.points] == [(1, 1, False), (2, 0, True), (9, 0, True)]
    assert watch.points[0].time == first.time and watch.on
    watch.set([Breakpoint(1, "d.time >= 0.1", on=False)])
    assert not watch.on
    assert second.hits == third.hits == 1


def test_backwards_it_fires_where_it_became_true() -> None:
    model = sim.loads(BALL.format(option=""))
    watch = watch_of("d.time >= 0.1", "rises(d.time) > 1")
    data, states = sim.Data(model), []
    for _ in range(201):
        states.append(sim.get_state(model, data, sim.record_signature(model)))
        sim.step(model, data)

    def back(first: int, last: int) -> list[Hit]:
        found = []
        for step in range(first, last - 1, -1):
            sim.set_state(model, data, states[step], sim.record_signature(model))
            if step == first:
                watch.begin(model, data, (0, step))
            else:
                found += watch.check(model, data, (0, step), backwards=True)
        return found

    hits = back(200, 99)
    assert [(hit.moment, hit.detail) for hit in hits] == [((0, 100), "d.time = 0.1")]
    assert hits[0].time == pytest.approx(0.1)
    # from there on backwards it does not fire again
    assert back(100, 90) == []


def test_of_several_contacts_the_one_it_is_about() -> None:
    model = sim.loads(
        """<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1'/>
        <body pos='0 0 .095'><freejoint/><geom size='.1' mass='90'/></body>
        <body pos='1 0 .08'><freejoint/><geom size='.1' mass='.1'/></body>
        <body pos='2 0 .09'><freejoint/><geom size='.1' mass='1' friction='.01'/></body></worldbody></mujoco>"""
    )
    data = sim.Data(model)
    # the heavy one falls into the floor, the third one slides
    data.qvel[2], data.qvel[12] = -3, 7
    sim.forward(model, data)
    for text, body in (("normal_force() > 1", 1), ("depth() > 0", 2), ("slip_speed() > 0", 3), ("touching()", 1)):
        found = pointed(model, data, text)
        assert found is not None and found.kind == "contact"
        assert model.geom_bodyid[data.contact.geom[found.index].max()] == body, text


def test_what_is_pointed_to() -> None:
    model = sim.loads(BALL.format(option=""))
    data = sim.Data(model)
    assert pointed(model, data, 'touching("ball")') == Selection("body", 1)
    data.qpos[2] = 0.09
    sim.forward(model, data)
    assert pointed(model, data, 'd.time > 0 and depth("ball") > 0') == Selection("contact", 0)
    assert pointed(model, data, "touching()") == Selection("contact", 0)
    assert pointed(model, data, 'd.body("ball").xpos[2] < 1') == Selection("body", 1)
    assert pointed(model, data, 'depth("nobody") > 1') is None
    assert pointed(model, data, "d.time > 1") is None and pointed(model, data, "1 +") is None
