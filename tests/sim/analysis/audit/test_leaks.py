"""Planted leaks: each is named as the largest source, and as what breaks the law."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.audit.laws import BROKEN, HOLDS, NONE
from sim.analysis.audit.work_source import BY_HAND, WorkSource
from sim.enums import INT_EULER
from tests.sim.analysis.audit.audited import audited

# a chain that swings, with nothing that takes energy
CHAIN = """<mujoco><option timestep="0.004" integrator="RK4" {option}/><worldbody>
  <body><joint name="shoulder" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body pos=".3 0 0"><joint name="elbow" axis="0 1 0" {elbow}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="wrist" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      </body></body></body></worldbody>{more}</mujoco>"""
LEAKS = {
    "a hidden damper": ({"elbow": "damping='.003'"}, WorkSource("joint damper", "joint", (1,))),
    "dry friction": ({"elbow": "frictionloss='.01'"}, WorkSource("joint friction", "joint", (1,))),
    "viscosity": ({"option": "viscosity='.01'"}, WorkSource("fluid")),
    "a soft equality": (
        {"more": "<equality><joint name='tie' joint1='wrist' solref='.05 .3'/></equality>"},
        WorkSource("equality", "equality", (0,)),
    ),
    "a forgotten motor": (
        {"more": "<actuator><position name='hold' joint='wrist' kp='.3'/></actuator>"},
        WorkSource("actuator", "actuator", (0,)),
    ),
}


def chain(**parts: str) -> tuple[sim.Model, sim.Data]:
    m = sim.loads(CHAIN.format(**{"option": "", "elbow": "", "more": "", **parts}))
    return m, sim.Data(m)


def test_without_a_leak_energy_holds():
    found = audited(*chain(), 125)
    assert found.laws[0].verdict == HOLDS and not found.laws[0].breakers


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_named(leak):
    parts, source = LEAKS[leak]
    found = audited(*chain(**parts), 125)
    law = found.laws[0]
    assert found.largest() == source
    assert law.verdict == BROKEN and law.breakers[0].source == source
    assert found.total.change == pytest.approx(found.total.net(source), rel=0.02)


def test_a_timestep_that_is_too_large_is_the_integrators():
    m = sim.loads("""<mujoco><option timestep="0.06" gravity="0 0 0"/><worldbody><body>
      <joint type="ball"/><geom type="box" size=".3 .1 .03"/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    d.qvel = (2.0, 6.0, 1.0)
    found = audited(m, d, 40)
    assert found.total.change > 0.1 * found.total.start.kinetic
    assert found.largest().kind == "integrator"
    assert found.laws[0].verdict == BROKEN and found.laws[0].breakers[0].source.kind == "integrator"


def test_a_moving_surface_brings_energy():
    m = sim.loads("""<mujoco><option timestep="0.002"/><worldbody>
      <geom name="belt" type="box" size="3 1 .1" surfacevel="1 0 0"/>
      <body pos="0 0 .2"><freejoint/><geom name="parcel" type="box" size=".1 .1 .1" mass="1"/></body>
    </worldbody></mujoco>""")
    d = sim.Data(m)
    found = audited(m, d, 300)
    assert float(d.qvel[0]) == pytest.approx(1.0, abs=0.02)
    belt, parcel = (m.name2id("geom", name) for name in ("belt", "parcel"))
    source = WorkSource("moving surface", "contact", (belt, parcel))
    # of the work of the belt, m v², half becomes kinetic energy and half is lost by slip
    assert found.total.net(source) == pytest.approx(1.0, rel=0.05)
    assert found.work("friction") == pytest.approx(-0.5, rel=0.05)


def test_a_state_that_is_set_by_hand_is_no_ones_work():
    m, d = chain()

    def each(step: int) -> None:
        if step == 40:
            d.qvel[0] += 2.0
        if step == 80:
            d.qpos[0] += 0.5

    m.opt.integrator, m.opt.timestep = INT_EULER, 0.001
    found = audited(m, d, 120, each=each)
    assert found.largest() == BY_HAND
    assert found.total.change == pytest.approx(found.total.net(BY_HAND), rel=0.02)


# ---------------------------------------------------------------- momentum

FLOATING = """<mujoco><option timestep="0.004" {option}/><worldbody>{world}
  <body name="torso" pos="0 0 {z}"><freejoint/><geom name="hull" type="box" size=".2 .1 .1" {geom}/>
    <body pos=".3 0 0"><joint name="arm" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
  </body></worldbody><actuator><motor name="lift" joint="arm"/></actuator></mujoco>"""


def floating(**parts: str) -> tuple[sim.Model, sim.Data]:
    m = sim.loads(FLOATING.format(**{"option": "", "world": "", "z": "1", "geom": "", **parts}))
    d = sim.Data(m)
    d.ctrl[0] = 0.5
    d.qvel[:6] = 0.3, 0.2, 0.1, 0.4, -0.3, 0.5
    return m, d


def test_momentum_of_a_floating_tree_holds_though_its_motor_works():
    found = audited(*floating(option="gravity='0 0 0' integrator='RK4'"), 125)
    energy, *momenta = found.laws
    assert energy.verdict == BROKEN and energy.breakers[0].source.kind == "actuator"
    assert [law.verdict for law in momenta] == [HOLDS] * 6
    assert max(abs(law.drift) for law in momenta) < 1e-9
    body = found.data.qvel[:3]
    assert momenta[0].start != 0 and not np.allclose(body, (0.3, 0.2, 0.1))


def test_in_free_fall_gravity_takes_the_vertical_one_alone():
    found = audited(*floating(option="integrator='RK4'"), 75)
    verdicts = [law.verdict for law in found.laws[1:]]
    assert verdicts == [HOLDS, HOLDS, NONE, HOLDS, HOLDS, HOLDS]
    assert found.laws[3].breakers[0].source.kind == "gravity"
    weight = 9.81 * float(found.model.body_mass.sum())
    assert found.laws[3].breakers[0].rate == pytest.approx(-weight, rel=1e-9)


def test_a_floor_without_friction_breaks_what_is_vertical():
    world = "<geom name='floor' type='plane' size='9 9 1'/>"
    m, d = floating(world=world, geom="condim='1' priority='1'", z=".1", option="integrator='RK4'")
    m.opt.timestep = 0.001
    d.qvel[3:] = 0
    d.ctrl[0] = 0
    found = audited(m, d, 60)
    x, y, z, _, ry, rz = found.laws[1:]
    assert x.verdict == y.verdict == HOLDS
    assert z.verdict == NONE
    assert ry.verdict == BROKEN and ry.breakers[0].source.kind == "contact"
    assert rz.verdict == HOLDS


def test_friction_of_the_floor_breaks_the_horizontal_one_and_is_named():
    m, d = floating(world="<geom name='floor' type='plane' size='9 9 1'/>", z=".1")
    found = audited(m, d, 100)
    floor, hull = m.name2id("geom", "floor"), m.name2id("geom", "hull")
    law = found.laws[1]
    assert law.verdict == BROKEN and law.breakers[0].source == WorkSource("contact", "contact", (floor, hull))
    # since the moment when it touched the floor
    assert 0 < law.breakers[0].step < 20


def test_bodies_that_collide_keep_their_common_momentum():
    body = "<body pos='{} 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    m = sim.loads(f"<mujoco><option gravity='0 0 0' timestep='.0005'/><worldbody>{body.format(0)}{body.format(0.25)}"
                  "</worldbody></mujoco>")  # fmt: skip
    d = sim.Data(m)
    d.qvel[:6] = 1.0, 0.05, 0, 0.2, 0.1, 0
    both, alone = (audited(m, copy, 300, trees) for copy, trees in ((d, None), (_again(m), [0])))
    assert "contact" in both.kinds
    assert [law.verdict for law in both.laws[1:]] == [HOLDS] * 6
    assert max(abs(law.drift) for law in both.laws[1:]) < 1e-3
    assert alone.laws[1].verdict == BROKEN and alone.laws[1].breakers[0].source.kind == "contact"


def _again(m: sim.Model) -> sim.Data:
    d = sim.Data(m)
    d.qvel[:6] = 1.0, 0.05, 0, 0.2, 0.1, 0
    return d


def test_a_joint_to_the_world_is_named_where_there_is_no_law():
    m = sim.loads("""<mujoco><worldbody><body name="cart"><joint name="rail" type="slide" axis="1 0 0"/>
      <geom size=".1"/><body pos="0 0 .1"><joint name="pole" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .1 0 .5" size=".02"/></body></body></worldbody></mujoco>""")
    found = audited(m, sim.Data(m), 100)
    x, y, z, *angular = found.laws[1:]
    # a cart on a rail: what swings on it and the cart keep their momentum along it
    assert x.verdict == HOLDS and abs(x.drift) < 0.02
    assert [law.charge.blocker for law in (y, z, *angular)] == [0] * 5


def test_a_hinge_keeps_the_momentum_about_its_axis_unless_gravity_turns_it():
    turntable = """<mujoco><worldbody><body><joint name="axle" axis="{axis}"/>
      <geom type="cylinder" size=".3 .02"/><body pos=".2 0 .1"><joint type="slide" axis="1 0 0" stiffness="3"/>
        <geom size=".05"/></body></body></worldbody></mujoco>"""
    verdicts = {}
    for axis in ("0 0 1", "0 1 0"):
        m = sim.loads(turntable.format(axis=axis))
        d = sim.Data(m)
        d.qvel[0] = 5.0
        found = audited(m, d, 100)
        (law,) = found.laws[1:]
        assert law.charge.joint == 0
        verdicts[axis] = law.verdict
    assert verdicts == {"0 0 1": HOLDS, "0 1 0": NONE}
