"""The audit of energy against cases that are known by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import simpson

import sim
from sim.analysis.audit.instant import Energies
from sim.analysis.audit.laws import BROKEN, HOLDS, laws
from sim.analysis.audit.tally import Tally
from sim.analysis.audit.work_source import INTEGRATOR, WorkSource
from tests.sim.analysis.audit.audited import Audited, audited

PENDULUM = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody><body>
  <joint name="pivot" axis="0 1 0" {joint}/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass="1"/>
</body></worldbody>{more}</mujoco>"""
SLIDER = """<mujoco><option timestep="{h}" integrator="{integrator}" {option}/><worldbody><body>
  <joint name="rail" type="slide" axis="1 0 0" {joint}/><geom size=".1" mass="2"/>
</body></worldbody>{more}</mujoco>"""


def run(xml: str, steps: int, h: float = 0.001, integrator: str = "Euler", speed: float = 0.0, **parts: str) -> Audited:
    m = sim.loads(xml.format(**{"h": h, "integrator": integrator, "joint": "", "more": "", "option": "", **parts}))
    d = sim.Data(m)
    d.qvel[0] = speed
    return audited(m, d, steps)


def test_a_pendulum_without_damping_exchanges_energy_with_gravity_alone():
    found = run(PENDULUM, 200, h=0.004, integrator="RK4")
    assert found.total.most_kinetic > 1.0
    assert not found.kinds
    assert abs(found.total.change) < 1e-8
    assert found.laws[0].verdict == HOLDS


def test_a_damper_takes_the_integral_of_b_v_squared():
    b, speeds = 0.05, []
    xml = PENDULUM.format(h=0.001, integrator="RK4", joint=f"damping='{b}'", more="")
    m = sim.loads(xml)
    d = sim.Data(m)
    found = audited(m, d, 150, each=lambda _: speeds.append(float(d.qvel[0])))
    lost = b * simpson(np.square(speeds), dx=0.001)
    assert found.work("joint damper") == pytest.approx(-lost, rel=1e-6)
    assert found.total.change == pytest.approx(-lost, rel=1e-6)
    assert found.kinds == {"joint damper"}
    assert found.laws[0].verdict == BROKEN and found.laws[0].breakers[0].source.kind == "joint damper"


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_friction_of_a_sliding_block_takes_mu_m_g_times_the_way(cone):
    xml = f"""<mujoco><option timestep="0.001" cone="{cone}"/><worldbody><geom name="floor" type="plane" size="9 9 1"/>
      <body name="block" pos="0 0 .1"><freejoint/><geom type="box" size=".3 .3 .1" mass="3" friction=".2 0 0"/></body>
    </worldbody></mujoco>"""
    m = sim.loads(xml.replace('size="9 9 1"', 'size="9 9 1" friction=".2 0 0"'))
    d = sim.Data(m)
    # sink in first
    sim.step(m, d, 300)
    d.qvel[0] = 2.0
    start = float(d.qpos[0])
    found = audited(m, d, 200)
    way = float(d.qpos[0]) - start
    assert found.work("friction") == pytest.approx(-0.2 * 3 * 9.81 * way, rel=0.01)
    assert found.work("contact") == pytest.approx(0.0, abs=0.05)
    assert found.largest().kind == "friction"


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "discrete"])
def test_a_motor_with_a_constant_torque_does_torque_times_angle(integrator):
    xml = SLIDER.format(h=0.002, integrator=integrator, joint="", option="gravity='0 0 0'",
                        more="<actuator><motor joint='rail' name='engine'/></actuator>")  # fmt: skip
    m = sim.loads(xml)
    d = sim.Data(m)
    d.ctrl[0] = 3.0
    found = audited(m, d, 100)
    speed, way = float(d.qvel[0]), float(d.qpos[0])
    # the way is that of the mean velocity: but for RK4, qpos is half a step ahead
    if integrator != "RK4":
        way -= 0.5 * 0.002 * speed
    assert found.work("actuator") == pytest.approx(0.5 * 2.0 * speed**2, rel=1e-9)
    assert found.work("actuator") == pytest.approx(3.0 * way, rel=1e-9)
    assert found.kinds == {"actuator"}


def test_an_oscillator_exchanges_energy_with_its_spring():
    found = run(SLIDER, 200, h=0.004, joint="stiffness='20'", speed=1.0, integrator="RK4", option="gravity='0 0 0'")
    assert not found.kinds
    assert found.total.potential[1] == pytest.approx(1.0, rel=1e-4)
    assert found.laws[0].verdict == HOLDS


def test_an_implicit_spring_damps_and_the_integrator_is_named():
    found = run(SLIDER, 500, h=0.005, joint="stiffness='200'", speed=1.0, integrator="implicitspringdamper",
                option="gravity='0 0 0'")  # fmt: skip
    assert found.largest().kind == "integrator"
    law = found.laws[0]
    assert law.verdict == BROKEN and law.breakers[0].source.kind == "integrator" and law.breakers[0].rate < 0


def test_an_elastic_impact_does_no_work_in_all_and_what_it_does_is_the_contact():
    xml = """<mujoco><option timestep="0.0005" gravity="0 0 0"/>
      <default><geom solref="-20000 0" condim="1" mass="1"/></default><worldbody>
      <body><joint type="slide" axis="1 0 0"/><geom name="left" size=".1"/></body>
      <body pos=".25 0 0"><joint type="slide" axis="1 0 0"/><geom name="right" size=".1"/></body>
    </worldbody></mujoco>"""
    m = sim.loads(xml)
    d = sim.Data(m)
    d.qvel[0] = 1.0
    found = audited(m, d, 300)
    assert d.qvel == pytest.approx([0, 1], abs=0.02)
    contact = next(source for source in found.total.work_in if source.kind == "contact")
    # half of the energy was in the contact when both went at the same speed
    assert found.total.work_out[contact] == pytest.approx(-0.25, rel=0.05)
    assert found.total.net(contact) == pytest.approx(0.0, abs=0.02)
    # and momentum is passed on
    along = found.laws[1]
    assert along.verdict == HOLDS and along.start == pytest.approx(1.0) and along.end == pytest.approx(1.0)


def test_springs_that_yield_lose_what_they_cannot_hold():
    m = sim.loads(SLIDER.format(h=0.001, integrator="Euler", joint="stiffness='100' springyield='.05'",
                                option="gravity='0 0 0'", more=""))  # fmt: skip
    d = sim.Data(m)
    d.qvel[0] = 1.0
    found = audited(m, d, 400)
    assert found.work("spring yield") < -0.5
    assert found.largest().kind == "spring yield"
    assert found.total.rounding < 1e-13


@pytest.mark.parametrize(("created", "verdict"), [(-1e-5, HOLDS), (-1e-4, BROKEN)])
def test_what_gives_back_all_that_it_took_breaks_no_law(created: float, verdict: str) -> None:
    """A contact is pressed and springs back: what is lost is the integrator's."""
    contact = WorkSource("contact", "contact", (0, 1))
    still, none = Energies(0.0, 0.0, 0.0), np.zeros(0)
    part = Tally(0, 9, (0.0, 1.0), still, still, (none, none), work_in={contact: 1e-3},
                 work_out={contact: -1e-3 + 2e-15, INTEGRATOR: created}, most_kinetic=1e-3)  # fmt: skip
    (law,) = laws([part], [], 1e-9, 1.0, 1.0)
    assert law.verdict == verdict
    assert [breaker.source for breaker in law.breakers] == [INTEGRATOR] * (verdict == BROKEN)
