"""The audit closes: work by source and the integrator's part are the change of energy, under every integrator."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.files.resources import find_scene
from sim.analysis.audit.instant import energies, instant
from sim.analysis.audit.step_work import power
from sim.analysis.audit.walker import Diverged, Walker
from sim.analysis.audit.work_source import BY_HAND, EDIT, WorkSource
from sim.enums import INT_EULER, SOL_CG
from tests.sim.analysis.audit.audited import audited
from tests.sim.analysis.test_force_sources import EVERYTHING, everything
from tests.soak.energy import INTEGRATORS, closes, look_at

TUMBLING = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody>
  <body pos="0 0 2"><joint type="ball"/><geom type="capsule" fromto="0 0 0 .4 .1 0" size=".05"/>
    <body pos=".4 .1 0"><joint axis="0 1 0" stiffness="3" damping=".3"/>
      <geom type="box" size=".1 .2 .05" pos=".2 0 0"/></body></body>
  <body pos="2 0 2"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("cone", [0, 1])
def test_all_kinds_of_forces_together(integrator, cone):
    m, d = everything()
    m.opt.integrator, m.opt.cone = INTEGRATORS[integrator], cone
    found = audited(m, d, 60)
    assert found.total.rounding < 1e-12
    assert closes(found) < 1e-12
    expected = {"fluid", "actuator", "contact", "joint friction", "equality", "joint damper", "tendon damper", "mouse"}
    assert expected <= found.kinds


@pytest.mark.parametrize(
    ("integrator", "order"),
    [(name, 5 if name == "RK4" else 2)
     for name in ("Euler", "RK4", "implicit", "implicitfast", "discrete", "implicitspringdamper")],
)  # fmt: skip
def test_the_integrators_part_of_a_step_is_of_its_order(integrator, order):
    largest = []
    for h in (0.004, 0.002):
        m = sim.loads(TUMBLING.format(h=h, integrator=integrator))
        d = sim.Data(m)
        d.qvel = (1, 2, -1, 0.5, 0.1, 0.2, 0.3, 3, 1, 2)
        found = audited(m, d, round(0.4 / h), part=1)
        largest.append(max(abs(part.net(WorkSource("integrator"))) for part in found.parts))
        assert found.total.rounding < 1e-13
    assert np.log2(largest[0] / largest[1]) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("scene", ["pile", "quadruped", "swimmer", "conveyor", "bent_wire", "tensegrity", "geckos"])
def test_bundled_scenes_close(scene):
    found = look_at(sim.load(find_scene(scene)), 60)
    assert found.total.rounding < 1e-12
    assert closes(found) < 1e-12


def test_a_tree_that_falls_asleep_loses_what_it_had_left():
    m = sim.loads("""<mujoco><option gravity="0 0 0" sleep_tolerance=".1"><flag sleep="enable"/></option><worldbody>
      <body name="slow"><freejoint/><geom size=".1" mass="2"/></body>
      <body pos="1 0 0"><freejoint/><geom size=".1" mass="2"/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    d.qvel[0], d.qvel[6] = 0.05, 1.0
    found = audited(m, d, 60)
    assert d.tree_awake.tolist() == [0, 1]
    assert found.kinds == {"sleep"}
    slow = WorkSource("sleep", "body", (m.name2id("body", "slow"),))
    assert found.total.net(slow) == pytest.approx(-0.5 * 2 * 0.05**2)
    assert found.laws[1].breakers[0].source == slow
    assert closes(found) < 1e-12


def test_what_the_solver_leaves_is_a_source():
    m, d = everything()
    m.opt.solver, m.opt.iterations = SOL_CG, 2
    m.dof_damping[:] = 0.0
    found = audited(m, d, 30)
    assert found.total.rounding < 1e-12
    assert abs(found.work("residual")) > 1e-6


def test_power_is_the_rate_of_kinetic_energy():
    m, d = everything()
    here = instant(m, d, [], [])
    rate = float(d.qvel @ (sim.full_m(m, d) @ d.qacc))
    velocity = float(d.qvel @ -(d.qfrc_bias + gravity(m, d)))
    found = power(here)
    assert sum(found.values()) == pytest.approx(rate - velocity, rel=1e-9)
    assert WorkSource("velocity") not in found
    assert found[WorkSource("joint damper", "joint", (m.name2id("joint", "rail"),))] < 0


def gravity(m: sim.Model, d: sim.Data) -> np.ndarray:
    """The generalized force of gravity, from the bias force at rest."""
    still = sim.Data(m)
    still.qpos = d.qpos
    sim.forward(m, still)
    return -still.qfrc_bias


def test_steps_between_two_rows_of_a_script_are_made_again():
    m = sim.loads(TUMBLING.format(h=0.002, integrator="Euler"))
    d = sim.Data(m)
    d.qvel[0] = 2.0
    signature = sim.record_signature(m)
    walker = Walker(m)
    tally = walker.begin(0, sim.get_state(m, d, signature))
    sim.step(m, d, 7)
    walker.advance(1, sim.get_state(m, d, signature), tally)
    assert tally.net(BY_HAND) == 0 and tally.seconds == pytest.approx(0.014)
    assert tally.net(WorkSource("joint damper", "joint", (1,))) < 0
    # a jump in time is one of state
    d.time = 9.0
    d.qvel[:] = 0.0
    walker.advance(2, sim.get_state(m, d, signature), tally)
    assert tally.net(BY_HAND) == pytest.approx(-tally.most_kinetic, rel=0.1)


def test_an_edit_of_the_model_is_a_jump():
    m = sim.loads(TUMBLING.format(h=0.002, integrator="Euler"))
    d = sim.Data(m)
    signature = sim.record_signature(m)
    walker = Walker(m)
    tally = walker.begin(0, sim.get_state(m, d, signature))
    before = energies(m, walker.data)
    m.opt.gravity[2] /= 2
    walker.change(sim.get_state(m, d, signature), EDIT, tally)
    assert tally.net(EDIT) == pytest.approx(-before.gravity / 2)
    assert tally.change == pytest.approx(tally.net(EDIT))


def test_a_state_that_is_not_finite_ends_it():
    m = sim.loads(EVERYTHING)
    m.opt.integrator = INT_EULER
    d = sim.Data(m)
    signature = sim.record_signature(m)
    walker = Walker(m)
    row = sim.get_state(m, d, signature)
    tally = walker.begin(0, row)
    row[3] = np.nan
    with pytest.raises(Diverged):
        walker.advance(1, row, tally)
