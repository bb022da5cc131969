"""Forces by source: force_sources.py, against known cases, against MuJoCo's fields, and by switching sources off."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import sim
from sim.analysis.force_sources import KINDS, ForceSources, Source, force_sources, gravity_force
from sim.enums import (
    DSBL_ACTUATION,
    DSBL_CONSTRAINT,
    DSBL_DAMPER,
    DSBL_GRAVITY,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_EULER,
    INT_SPRINGDAMPER,
    PERT_TRANSLATE,
    SOL_CG,
    SOL_NEWTON,
    SOL_PGS,
)
from tests.sim.analysis.force_check import all_shares, errors

# what no other model here has: all kinds of forces at once, none of them zero
EVERYTHING = """
<mujoco>
  <option timestep="0.001" density="1.2" viscosity="0.01" wind="1 0 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .098">
      <freejoint name="loose"/>
      <geom name="crate" type="box" size=".1 .1 .1"/>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".1" stiffness="2" springref="20" frictionloss=".3"
             actuatorfrcrange="-.5 .5"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <site name="hook" pos=".1 0 0"/>
      <body name="hand" pos=".3 0 0" gravcomp=".4">
        <joint name="wrist" axis="0 1 0" range="-10 10" damping=".2" actuatorgravcomp="true"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <site name="tip" pos=".2 0 0"/>
      </body>
    </body>
    <site name="ceiling" pos="1.2 .1 2"/>
    <body name="cart" pos="2 0 1">
      <joint name="rail" type="slide" axis="1 0 0" damping="1"/>
      <geom size=".1"/>
    </body>
    <body name="other" pos="3 0 1">
      <joint name="rail2" type="slide" axis="1 0 0"/>
      <geom size=".1"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="30" damping="3" springlength="0.2" frictionloss=".2" range="0 .98">
      <site site="ceiling"/><site site="tip"/>
    </spatial>
  </tendon>
  <equality><joint name="coupled" joint1="rail" joint2="rail2"/></equality>
  <actuator>
    <motor name="push" joint="rail" gear="2"/>
    <motor name="lift" joint="shoulder"/>
    <general name="pull" tendon="rope"/>
  </actuator>
</mujoco>
"""


def moment(xml: str, **fields: object) -> tuple[sim.Model, sim.Data, ForceSources]:
    """A model at a state, forwarded, and its sources."""
    m = sim.loads(xml)
    d = sim.Data(m)
    for name, value in fields.items():
        setattr(d, name, value)
    sim.forward(m, d)
    return m, d, force_sources(m, d)


def everything() -> tuple[sim.Model, sim.Data]:
    """The model with everything, moving and pulled."""
    m = sim.loads(EVERYTHING)
    d = sim.Data(m)
    rng = np.random.default_rng(5)
    d.qvel = 0.3 * rng.standard_normal(m.nv)
    wrist = m.name2id("joint", "wrist")
    d.qpos[m.jnt_qposadr[wrist]], d.qvel[m.jnt_dofadr[wrist]] = -0.2, -2.0
    d.ctrl = [0.7, 2.0, -0.4]
    d.qfrc_applied[m.jnt_dofadr[m.name2id("joint", "rail")]] = 0.2
    d.xfrc_applied[m.name2id("body", "hand")] = (0.1, 0.2, 0.3, 0.04, 0.05, 0.06)
    d.perturb.select, d.perturb.active = m.name2id("body", "box"), PERT_TRANSLATE
    d.perturb.refselpos = (0.2, 0.1, 0.3)
    sim.forward(m, d)
    return m, d


def row(found: ForceSources, kind: str) -> np.ndarray:
    """The force of all sources of a kind."""
    rows = [k for k, source in enumerate(found.sources) if source.kind == kind]
    return np.asarray(found.qfrc[rows].sum(axis=0))


def sizeable(found: ForceSources) -> list[Source]:
    """Sources that are more than rounding."""
    return [s for s, force in zip(found.sources, found.qfrc, strict=True) if np.abs(force).max() > 1e-12]


# ---------------------------------------------------------------- known cases


def test_free_fall_is_gravity_alone():
    m, d, found = moment("<mujoco><worldbody><body><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>")
    assert sizeable(found) == [Source("gravity")]
    assert row(found, "gravity") == pytest.approx([0, 0, -2 * 9.81, 0, 0, 0])
    assert all_shares(m, d, found).sum(axis=0) == pytest.approx([0, 0, -9.81, 0, 0, 0])


def test_box_at_rest_is_carried_by_its_contacts():
    m = sim.loads(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' mass='3'/></body></worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.step(m, d, 2000)
    sim.forward(m, d)
    found = force_sources(m, d)
    contacts = [s for s in found.sources if s.kind == "contact"]
    assert sorted(s.id for s in contacts) == [0, 1, 2, 3]
    assert row(found, "gravity")[2] == pytest.approx(-3 * 9.81)
    assert row(found, "contact")[2] == pytest.approx(3 * 9.81, rel=1e-6)
    # each corner carries a quarter
    quarter = [found.qfrc[found.sources.index(s)][2] for s in contacts]
    assert quarter == pytest.approx([3 * 9.81 / 4] * 4, rel=1e-4)


def test_spring_and_damper_at_known_stretch_and_speed():
    _, _, found = moment(
        "<mujoco><option gravity='0 0 0'/><worldbody><body>"
        "<joint type='slide' axis='1 0 0' stiffness='50' damping='4'/>"
        "<geom size='.1' mass='2'/></body></worldbody></mujoco>",
        qpos=[0.1],
        qvel=[0.5],
    )
    assert sizeable(found) == [Source("joint spring", "joint", 0), Source("joint damper", "joint", 0)]
    assert found.qfrc[:2, 0] == pytest.approx([-5.0, -2.0])


def test_motor_is_a_source_by_its_number():
    _, _, found = moment(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='hinge' axis='0 0 1'/>"
        "<geom size='.1' mass='2'/></body></worldbody>"
        "<actuator><motor joint='j'/><motor joint='j' gear='3'/></actuator></mujoco>",
        ctrl=[0.0, 1.5],
    )
    assert sizeable(found) == [Source("actuator", "actuator", 1)]
    assert found.qfrc[0] == pytest.approx([4.5])


def test_tendon_spring_and_damper_are_apart_from_those_of_joints():
    xml = (
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' axis='1 0 0' stiffness='7'"
        " damping='2'/><geom size='.1'/></body></worldbody><tendon><fixed stiffness='10' damping='3'"
        " springlength='0 .1'><joint joint='j' coef='2'/></fixed></tendon></mujoco>"
    )
    _, _, found = moment(xml, qpos=[0.3], qvel=[-1.0])
    # length .6: half a metre beyond the rest range; velocity -2
    assert row(found, "tendon spring") == pytest.approx([2 * -10 * 0.5])
    assert row(found, "tendon damper") == pytest.approx([2 * 3 * 2.0])
    assert row(found, "joint spring") == pytest.approx([-7 * 0.3])
    assert row(found, "joint damper") == pytest.approx([2.0])


def test_pendulum_with_a_sliding_bob_has_the_textbook_velocity_forces():
    # r, φ of a bob that slides along a rotating rod: m r φ'² outwards, -2 m r r' φ' about the axis
    m, d, found = moment(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='hinge' axis='0 0 1'/>"
        "<inertial pos='0 0 0' mass='1e-6' diaginertia='1e-6 1e-6 1e-6'/><body><joint type='slide' axis='1 0 0'/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='1e-6 1e-6 1e-6'/></body></body></worldbody></mujoco>",
        qpos=[0.7, 0.5],
        qvel=[3.0, 0.4],
    )
    assert row(found, "velocity") == pytest.approx([-2 * 2 * 0.5 * 0.4 * 3.0, 2 * 0.5 * 9.0], rel=1e-5)
    assert all_shares(m, d, found).sum(axis=0) == pytest.approx(d.qacc)


# ---------------------------------------------------------------- everything at once


def test_model_with_everything_has_every_kind_of_source():
    m, d = everything()
    kinds = {s.kind for s in force_sources(m, d).sources}
    # flexes are of MuJoCo alone
    assert kinds == {*KINDS} - {"callback", "implicit integration", "flex"}


def test_elements_are_those_of_the_model():
    m, d = everything()
    sources = force_sources(m, d).sources
    for kind, element, name in (
        ("joint friction", "joint", "shoulder"), ("joint limit", "joint", "wrist"), ("tendon limit", "tendon", "rope"),
        ("equality", "equality", "coupled"), ("actuator limit", "joint", "shoulder"), ("mouse", "body", "box"),
        ("applied force", "joint", "rail"), ("applied force", "body", "hand"), ("actuator", "actuator", "pull"),
    ):  # fmt: skip
        assert Source(kind, element, m.name2id(element, name)) in sources


def test_sums_are_what_the_engine_computed():
    m, d = everything()
    assert max(errors(m, d).values()) < 1e-12


def test_parts_are_mujocos_fields():
    m, d = everything()
    reference = mujoco.MjModel.from_xml_string(EVERYTHING)
    data = mujoco.MjData(reference)
    for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied"):
        setattr(data, name, np.array(d.read(name)))
    data.xfrc_applied[int(d.perturb.select)] += d.perturb.xfrc
    mujoco.mj_forward(reference, data)
    found = force_sources(m, d)
    fields = {
        "qfrc_spring": ("joint spring", "tendon spring"),
        "qfrc_damper": ("joint damper", "tendon damper"),
        "qfrc_fluid": ("fluid",),
        "qfrc_gravcomp": ("gravity compensation",),
        "qfrc_constraint": (
            "contact", "equality", "joint limit", "tendon limit", "joint friction", "tendon friction"
        ),
    }  # fmt: skip
    for name, kinds in fields.items():
        assert sum(row(found, kind) for kind in kinds) == pytest.approx(getattr(data, name), rel=1e-6, abs=1e-6), name
    assert -row(found, "gravity") - row(found, "velocity") == pytest.approx(data.qfrc_bias)
    by_actuators = row(found, "actuator") + row(found, "actuator limit")
    wrist = int(m.jnt_dofadr[m.name2id("joint", "wrist")])
    by_actuators[wrist] += data.qfrc_gravcomp[wrist]
    assert by_actuators == pytest.approx(data.qfrc_actuator)


# flag -> the kinds of sources that it takes away from forces without constraints
SWITCHES = {
    DSBL_GRAVITY: ("gravity", "gravity compensation"),
    DSBL_SPRING: ("joint spring", "tendon spring"),
    DSBL_DAMPER: ("joint damper", "tendon damper"),
}


@pytest.mark.parametrize("flag", SWITCHES)
def test_source_switched_off_changes_qacc_by_its_share(flag):
    m, d = everything()
    # without what is not linear: constraints, and the limits of actuators
    m.opt.disableflags |= DSBL_CONSTRAINT | DSBL_ACTUATION
    sim.forward(m, d)
    found = force_sources(m, d)
    gone = [k for k, source in enumerate(found.sources) if source.kind in SWITCHES[flag]]
    share = all_shares(m, d, found)[gone].sum(axis=0)
    before = d.qacc.copy()
    m.opt.disableflags |= flag
    sim.forward(m, d)
    assert np.abs(share).max() > 0.1
    assert before - d.qacc == pytest.approx(share, abs=1e-9)


def test_gravity_is_what_the_bias_force_is_at_rest():
    m, d = everything()
    d.qvel = 0.0
    sim.forward(m, d)
    assert gravity_force(m, d) == pytest.approx(-d.qfrc_bias, abs=1e-12)


def test_solver_that_stops_early_leaves_a_residual():
    m, d = everything()
    m.opt.iterations = 1
    sim.forward(m, d)
    left = sim.mul_m(m, d, d.qacc) - d.qfrc_smooth - d.qfrc_constraint
    assert np.abs(left).max() > 1e-3
    assert row(force_sources(m, d), "residual") == pytest.approx(left, abs=1e-9)
    assert errors(m, d)["qacc"] < 1e-12


def test_user_callback_is_a_source():
    m, d = everything()
    try:
        sim.callbacks.passive = lambda m, d: d.qfrc_passive.__iadd__(0.25)
        sim.forward(m, d)
        assert row(force_sources(m, d), "callback") == pytest.approx(np.full(m.nv, 0.25))
    finally:
        sim.callbacks.passive = None


def test_springdamper_integrator_has_its_implicit_part():
    m, d = everything()
    m.opt.integrator = INT_SPRINGDAMPER
    sim.forward(m, d)
    implicit = row(force_sources(m, d), "implicit integration")
    shoulder = int(m.jnt_dofadr[m.name2id("joint", "shoulder")])
    h, k, b = m.opt.timestep, 2.0, 0.1
    assert implicit[shoulder] == pytest.approx(-h * (b + h * k) * d.qacc[shoulder] - h * k * d.qvel[shoulder])
    assert np.abs(row(force_sources(m, d), "residual")).max() < 1e-6
    m.opt.integrator = INT_EULER
    sim.forward(m, d)
    assert not row(force_sources(m, d), "implicit integration").any()


@pytest.mark.parametrize("solver", [SOL_PGS, SOL_CG, SOL_NEWTON])
def test_discrete_integrator_has_its_implicit_part(solver: int):
    """What springs, dampers and servos change until the end of the step has a name; the residual is the solver's."""
    m, d = everything()
    m.opt.integrator, m.opt.solver, m.opt.tolerance, m.opt.iterations = INT_DISCRETE, solver, 0.0, 1000
    for _ in range(3):
        sim.step(m, d, 20)
        sim.forward(m, d)
        found = force_sources(m, d)
        assert max(errors(m, d).values()) < 1e-9
        implicit, residual = np.abs(row(found, "implicit integration")), np.abs(row(found, "residual"))
        assert implicit.max() > 0.005
        assert residual.max() < (1e-3 if solver == SOL_PGS else 1e-6) * implicit.max()


def test_discrete_servo_and_gyroscope():
    """Of a servo: -(h kv + h² kp) qacc - h kp qvel; of a single body that spins, its gyroscopic forces."""
    m, d, _ = moment(
        "<mujoco><worldbody>"
        """<body><joint name="j" axis="0 1 0"/><geom size=".1"/></body>
        <body pos="2 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody>"""
        '<actuator><position joint="j" kp="500" kv="3"/></actuator></mujoco>',
    )
    m.opt.integrator = INT_DISCRETE
    d.qvel[:] = (2.0, 0, 0, 0, 3.0, 4.0, 5.0)
    sim.forward(m, d)
    found, h = force_sources(m, d), m.opt.timestep
    implicit = row(found, "implicit integration")
    assert implicit[0] == pytest.approx(-(h * 3 + h * h * 500) * d.qacc[0] - h * 500 * 2.0, rel=1e-9)
    assert np.abs(implicit[4:]).min() > 1e-3
    assert not np.abs(row(found, "residual")).max() > 1e-9


PLASTIC = """<mujoco><compiler angle="radian"/><worldbody>
  <body><joint axis="0 1 0" stiffness="2" springyield=".2" damping="1"/><geom size=".1" pos=".3 0 0"/></body>
  <body pos="2 0 0"><joint name="s" type="slide" axis="0 0 1" damping="9"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed stiffness="50" springyield=".1" springlength="0"><joint joint="s" coef="1"/></fixed></tendon>
</mujoco>"""


def test_plastic_springs_pull_to_where_they_rest():
    """A spring that has yielded pulls by its yield, and by no more, whatever springref and springlength are."""
    m, d, _ = moment(PLASTIC)
    sim.step(m, d, 1000)
    sim.forward(m, d)
    found = force_sources(m, d)
    assert d.plastic[0] > 0.2 and d.plastic[1] < -0.1
    assert row(found, "joint spring")[0] == pytest.approx(-2 * (d.qpos[0] - d.plastic[0]))
    assert 0 < abs(row(found, "joint spring")[0]) <= 2 * 0.2 < 2 * abs(d.qpos[0])
    assert row(found, "tendon spring")[1] == pytest.approx(50 * 0.1, rel=1e-3)
    assert max(errors(m, d).values()) < 1e-9


def test_adhesion_is_part_of_its_contact():
    m = sim.loads(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' adhesion='4'/>"
        "<body pos='0 0 .099'><freejoint/><geom size='.1' mass='1' adhesion='4'/></body></worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.forward(m, d)
    found = force_sources(m, d)
    assert d.qfrc_adhesion[2] < 0
    assert {s.kind for s in found.sources} <= {"gravity", "contact", "residual"}
    assert row(found, "contact")[2] == pytest.approx(d.qfrc_constraint[2] + d.qfrc_adhesion[2])


def test_what_sleeps_has_no_sources():
    m = sim.loads(
        "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 1'/>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body pos='3 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/></body>"
        "</worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.step(m, d, 3000)
    assert d.tree_awake.tolist() == [0, 1]
    sim.forward(m, d)
    found = force_sources(m, d)
    assert not found.qfrc[:, :6].any()
    assert not found.qacc[:6].any()
    assert all_shares(m, d, found).sum(axis=0) == pytest.approx([*np.zeros(6), d.qacc[6]])


@pytest.mark.parametrize("scene", ["geckos", "gripper", "ragdolls", "tensegrity", "quadruped"])
def test_bundled_scenes(scene):
    m = sim.load(f"scenes/{scene}.xml")
    d = sim.Data(m)
    rng = np.random.default_rng(1)
    for _ in range(4):
        d.ctrl = rng.uniform(-1, 1, m.nu)
        sim.step(m, d, 25)
        sim.forward(m, d)
        assert max(errors(m, d, most=4).values()) < 1e-10
