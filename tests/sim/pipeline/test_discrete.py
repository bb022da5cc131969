"""The discrete integrator: against MuJoCo, field by field from the same state; and its stability by itself."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import INT_DISCRETE
from tests import oracle

EXACT = 'tolerance="1e-12" iterations="200" jacobian="dense"'

# contacts, limits, dry friction, an equality; a chain on a free body, single free bodies, a body held by springs
SCENE = """<mujoco><option integrator="discrete" timestep="{timestep}" {option}><flag {flag}/></option>
  <worldbody><geom type="plane" size="3 3 1" friction=".6"/><site name="w" pos="0 0 2"/>
    <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .15 .2"/>
      <body pos=".2 0 0">
        <joint name="a" axis="0 1 0" damping=".2 .1 .1" stiffness="3 1 1" limited="true" range="-20 20"/>
        <geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.1"/>
        <body pos=".3 0 -.1"><joint name="b" axis="0 1 1" damping=".1" frictionloss=".2" armature=".01"/>
          <geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.1"/><site name="s" pos=".3 0 0"/></body></body></body>
    <body pos="-1 0 .2"><joint type="free" stiffness="3" damping=".1"/><geom type="box" size=".1 .15 .2"/></body>
    <body pos="-2 0 .2"><freejoint/><geom size=".15" solref=".004 1"/></body>
    <body pos="2 0 1"><joint name="p" type="slide" axis="0 0 1" damping="1"/>
      <joint name="q" axis="1 0 0" stiffness="50"/><geom size=".2" pos=".1 0 0"/></body>
    <body pos="2 1 1"><joint type="ball" stiffness="20 3 4" damping=".1"/><geom size=".2" pos=".1 0 0"/></body>
  </worldbody>
  {forces}
  <equality><joint joint1="p" joint2="q" solref=".05 1"/></equality>
</mujoco>"""
# what couples dofs, and what does not
FORCES = """<tendon>
    <spatial name="ts" stiffness="300 10 10" damping="3" springlength="1"><site site="w"/><site site="s"/></spatial>
    <fixed name="tf" stiffness="10" springlength="0 .2"><joint joint="a" coef="1"/><joint joint="p" coef="2"/></fixed>
  </tendon>
  <actuator>
    <position joint="a" kp="500" kv="5"/><position joint="b" kp="300" forcerange="-3 3"/>
    <position joint="q" kp="200" dampratio="1"/><position tendon="tf" kp="20" kv="1"/><velocity tendon="ts" kv="2"/>
  </actuator>"""
ROWS = ("efc_R", "efc_D", "efc_diagA", "efc_KBIP", "efc_aref")


def from_the_same_states(xml: str, steps: int, tolerance: float) -> int:
    """Compare each step of a run of MuJoCo's; returns the number of rows seen."""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    rng = np.random.default_rng(0)
    seen = 0
    for _ in range(steps):
        dj.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        assert d.nefc == dj.nefc
        for name in ROWS:
            assert oracle.error(d.read(name)[: d.nefc], getattr(dj, name)) < 1e-11, name
        oracle.assert_same(d, dj, ["qacc_smooth", "qacc", "qfrc_constraint"], tolerance)
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        oracle.assert_same(d, dj, ["qpos", "qvel"], tolerance)
        seen += int(dj.nefc)
    return seen


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("forces", ["", FORCES], ids=["alone", "coupled"])
def test_solvers(cone, solver, forces):
    option = f'{EXACT} cone="{cone}" solver="{solver}"'
    tolerance = 1e-6 if solver == "CG" else 1e-9
    xml = SCENE.format(timestep=0.01, option=option, flag="", forces=forces)
    assert from_the_same_states(xml, 60, tolerance) > 200


@pytest.mark.parametrize(
    "flag",
    ['refsafe="disable"', 'diagexact="enable"', 'island="disable"', 'warmstart="disable"', 'spring="disable"',
     'damper="disable"', 'actuation="disable"'],
)  # fmt: skip
def test_flags(flag):
    xml = SCENE.format(timestep=0.01, option=EXACT, flag=flag, forces=FORCES)
    assert from_the_same_states(xml, 40, 1e-9) > 100


APART = """<worldbody>
  <body pos="4 0 1"><joint axis="0 1 0" frictionloss=".1"/><geom size=".1" pos=".2 0 0"/>
    <body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="u" pos=".2 0 0"/></body></body>
  </worldbody><tendon><spatial stiffness="300"><site site="w"/><site site="u"/></spatial></tendon>"""


@pytest.mark.parametrize("budget", ['tolerance=".001"', 'tolerance="1"', 'tolerance="1e-12" iterations="3"'])
@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("more", ["", 'noslip_iterations="5"'])
@pytest.mark.parametrize("apart", ["", APART], ids=["one", "two"])
def test_what_is_not_solved_to_the_end(apart, more, solver, budget):
    """What couples dofs is solved by iterations, within the same budget as constraints; each island by itself."""
    option = f'jacobian="dense" solver="{solver}" {budget} {more}'
    xml = SCENE.format(timestep=0.01, option=option, flag="", forces=FORCES + apart)
    assert from_the_same_states(xml, 20, 1e-7) > 60


@pytest.mark.parametrize("option", ['noslip_iterations="5"', 'density="100" viscosity="2" wind="1 0 0"'])
def test_options(option):
    xml = SCENE.format(timestep=0.01, option=f"{EXACT} {option}", flag="", forces=FORCES)
    assert from_the_same_states(xml, 40, 1e-9) > 100


@pytest.mark.parametrize("timestep", [0.002, 0.05])
def test_timesteps(timestep):
    """Contacts whose spring the timestep cannot resolve are replaced."""
    xml = SCENE.format(timestep=timestep, option=EXACT, flag="", forces=FORCES)
    assert from_the_same_states(xml, 40, 1e-9) > 100


FLUID = """<mujoco><option integrator="discrete" timestep=".01" density="100" viscosity="10" wind="1 2 3"/><worldbody>
  <body><joint axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos=".3 0 0" {0}/>
    <body pos=".5 0 0"><joint axis="0 0 1"/><geom type="box" size=".1 .2 .3" pos=".3 0 0" {0}/></body></body>
  <body pos="3 0 0"><freejoint/><geom type="box" size=".1 .2 .3" {0}/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("shape", ["", 'fluidshape="ellipsoid"'])
def test_drag(shape):
    mj, m = (load(FLUID.format(shape)) for load in (mujoco.MjModel.from_xml_string, sim.loads))
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.qvel[:] = d.qvel[:] = 0.3 * np.arange(1, 9)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert np.allclose(d.metric.M - d.M, dj.efm_fluid, rtol=0, atol=1e-13)
    oracle.assert_same(d, dj, ["qacc"])


ACTUATORS = {
    "muscle": '<muscle joint="j" lengthrange="-1 1" force="100"/>',
    "stretched muscle": '<muscle joint="j" lengthrange="-.3 .1" force="100"/>',
    "filtered position": '<position joint="j" kp="10" timeconst=".1"/>',
    "intvelocity": '<intvelocity joint="j" kp="10" actrange="-1 1"/>',
    "damper": '<damper joint="j" kv="3" ctrlrange="0 1"/>',
    "dcmotor": '<dcmotor joint="j" motorconst=".1" resistance="2"/>',
    "dcmotor with a controller": '<dcmotor joint="j" motorconst=".1" resistance="2" input="pos" controller="9 .5 1"/>',
    "slow dcmotor": '<dcmotor joint="j" motorconst=".1" resistance="2" input="pos" controller="9" inductance=".1"/>',
    "pid": '<pid joint="j" kp="10" kv="1" ki="3"/>',
    "orientation": '<orientation joint="b" kp="10" kv="1"/>',
    "cylinder": '<cylinder joint="j" bias="1 -2 -3"/>',
    "affine": '<general joint="j" gaintype="affine" gainprm="1 -2 -3" biastype="affine" biasprm="0 1 -1"/>',
    "actearly": '<general joint="j" gaintype="affine" gainprm="1 -2 -3" dyntype="filter" dynprm=".1" actearly="true"/>',
    "at its limit": '<position joint="j" kp="1000" kv="10" forcerange="-1 1"/>',
}


@pytest.mark.parametrize("name", ACTUATORS)
def test_actuators(name):
    """Position and velocity feedback of every kind of actuator joins the metric, as far as it stabilizes."""
    xml = f"""<mujoco><option integrator="discrete" timestep=".01"/><worldbody>
      <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
      <body pos="2 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".3 0 0"/></body>
      </worldbody><actuator>{ACTUATORS[name]}</actuator></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    oracle.random_state(mj, dj, 1)
    dj.ctrl[:], dj.act[:] = 0.4, 0.6
    # a gain that was edited is no longer the negative of a bias
    mj.actuator_gainprm[0, 0] = m.actuator_gainprm[0, 0] = 1.3 * m.actuator_gainprm[0, 0]
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    diagonal = m.M_rowadr + m.M_rownnz - 1
    assert np.allclose((d.metric.M - d.M)[diagonal] + d.metric.extra, dj.efm_sdiag, rtol=1e-12, atol=1e-14)
    oracle.assert_same(d, dj, ["qacc"])


def test_inverse_dynamics():
    """Of the step that forward dynamics takes, it gives the forces of actuators, as MuJoCo's."""
    xml = SCENE.format(timestep=0.01, option=EXACT, flag='fwdinv="enable"', forces=FORCES)
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    mujoco.mj_step(mj, dj, 30)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    mujoco.mj_inverse(mj, dj)
    sim.inverse(m, d)
    scale = np.abs(d.qfrc_actuator).max()
    assert np.allclose(d.qfrc_inverse, d.qfrc_actuator, rtol=0, atol=1e-8 * scale)
    assert np.allclose(d.qfrc_inverse, dj.qfrc_inverse, rtol=0, atol=1e-6 * scale)
    sim.step(m, d)
    assert d.solver_fwdinv[0] < 1e-6 * scale
    assert d.solver_fwdinv[1] < 1e-6 * scale


# ---------------------------------------------------------------- without the oracle

SERVO = """<mujoco><option integrator="{0}" timestep=".02"/><worldbody><body><joint name="j" axis="0 1 0"/>
  <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body></worldbody>
  <actuator><position joint="j" kp="1e6" kv="10"/></actuator></mujoco>"""


def test_a_stiff_servo_at_a_large_timestep():
    """A servo a thousand times stiffer than an explicit step bears holds its setpoint."""
    for integrator, holds in (("discrete", True), ("implicitfast", False)):
        m = sim.loads(SERVO.format(integrator))
        d = sim.Data(m)
        d.ctrl[0] = 0.5
        sim.step(m, d, 200)
        assert (abs(d.qpos[0] - 0.5) < 1e-4 and abs(d.qvel[0]) < 1e-6) == holds


def test_the_step_is_implicit():
    """M a = forces of the springs and dampers at the end of the step."""
    m = sim.loads("""<mujoco><option integrator="discrete" timestep=".1" gravity="0 0 0"/><worldbody><body>
      <joint type="slide" stiffness="40" damping="3"/><geom size=".1" mass="2"/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    d.qpos[0], d.qvel[0] = 0.3, -0.5
    before = float(d.qvel[0])
    sim.step(m, d)
    assert d.qacc[0] == pytest.approx((d.qvel[0] - before) / 0.1)
    assert 2 * d.qacc[0] == pytest.approx(-40 * d.qpos[0] - 3 * d.qvel[0])


def test_energy_does_not_grow():
    """Springs far beyond the explicit limit, coupled by a tendon, lose energy at every step."""
    m = sim.loads("""<mujoco><option integrator="discrete" timestep=".05" gravity="0 0 0">
        <flag energy="enable" contact="disable"/></option>
      <worldbody><body><joint name="a" type="slide" stiffness="1e4"/><geom size=".1" mass="1"/></body>
      <body><joint name="b" type="slide"/><geom size=".1" mass="1"/></body></worldbody><tendon>
      <fixed stiffness="1e5"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed>
      </tendon></mujoco>""")
    d = sim.Data(m)
    d.qpos = (0.1, -0.1)
    last = np.inf
    for _ in range(100):
        sim.forward(m, d)
        assert d.energy.sum() < last
        last = d.energy.sum()
        sim.step(m, d)


def test_keyword():
    assert sim.loads('<mujoco><option integrator="discrete"/></mujoco>').opt.integrator == INT_DISCRETE
    assert mujoco.mjtIntegrator.mjINT_DISCRETE == INT_DISCRETE


# ---------------------------------------------------------------- islands and sleep

BALLS = "".join(
    f'<body pos="{k} 0 {z}"><joint name="j{k}" type="slide" axis="0 0 1" damping=".1"/><geom size=".1"/></body>'
    for k, z in enumerate((0.099, 0.099, 0.099, 1, 1))
)
ACROSS = """<mujoco><option integrator="discrete" solver="{solver}" tolerance="1e-12"><flag {flag}/></option>
  <worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody>
  <tendon><fixed name="t" {tendon}><joint joint="j{a}" coef="1"/><joint joint="j{b}" coef="1"/></fixed></tendon>
  <actuator>{actuator}</actuator></mujoco>"""
COUPLINGS = {
    "nothing": ("", ""),
    "spring": ('stiffness="10"', ""),
    "slack": ('stiffness="10" springlength="-1 1"', ""),
    "damper": ('damping="1"', ""),
    "inertia": ('armature="1"', ""),
    "motor": ("", '<motor tendon="t"/>'),
    "damped motor": ("", '<motor tendon="t" damping="1"/>'),
    "servo": ("", '<position tendon="t" kp="10"/>'),
    "at its limit": ("", '<position tendon="t" kp="1e4" forcerange="-.1 .1"/>'),
    "muscle": ("", '<muscle tendon="t" lengthrange="-1 1"/>'),
}


def across(name, a=0, b=1, solver="Newton", flag=""):
    tendon, actuator = COUPLINGS[name]
    xml = ACROSS.format(solver=solver, flag=flag, balls=BALLS, tendon=tendon, a=a, b=b, actuator=actuator)
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.mark.parametrize("flag", ["", 'spring="disable"', 'damper="disable"', 'actuation="disable"', 'sleep="enable"'])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("name", COUPLINGS)
def test_trees_that_the_metric_couples_are_one_island(name, solver, flag):
    for a, b in ((0, 1), (0, 3), (3, 4)):
        mj, dj, m, d = across(name, a, b, solver, flag)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        assert (d.nisland, d.nidof, d.tree_island.tolist()) == (dj.nisland, dj.nidof, dj.tree_island.tolist())
        oracle.assert_same(d, dj, ["qacc"], 1e-8)


def test_they_sleep_together():
    """One ball lies still, the other one swings on."""
    for name, together in (("nothing", False), ("spring", True)):
        mj, dj, m, d = across(name, 0, 3, flag='sleep="enable"')
        mj.qpos_spring[3] = m.qpos_spring[3] = 0
        mj.jnt_stiffness[3] = m.jnt_stiffness[3] = 100
        slept = False
        for _ in range(100):
            mujoco.mj_step(mj, dj)
            sim.step(m, d)
            assert d.tree_asleep.tolist() == dj.tree_asleep.tolist()
            slept = slept or d.tree_asleep[0] >= 0
        assert slept is not together


def test_no_sleep_without_islands():
    mj, dj, m, d = across("spring", flag='sleep="enable" island="disable"')
    with pytest.raises(mujoco.FatalError, match="sleep without islands"):
        mujoco.mj_forward(mj, dj)
    with pytest.raises(ValueError, match="not support sleep without islands"):
        sim.forward(m, d)


def test_friction_of_what_hardly_gives_way():
    """R of the normal is at its lower bound; that of friction keeps its ratio to it."""
    xml = f"""<mujoco><option integrator="discrete" cone="elliptic" impratio="5" {EXACT}/>
      <default><geom solimp=".9999 .9999 .001"/></default><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .099"><freejoint/><geom size=".1" mass="1e12"/></body></worldbody></mujoco>"""
    assert from_the_same_states(xml, 1, 1e-6) == 3
