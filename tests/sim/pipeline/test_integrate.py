"""Integrators against MuJoCo, for one step and twenty; and what needs no oracle."""

import re

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, INT_SPRINGDAMPER
from tests import oracle
from tests.sim import actuator_models, models, tendon_models
from tests.sim.stages.constraint import scenes

INTEGRATORS = {"euler": INT_EULER, "rk4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST}
SMOOTH = models.ALL | {f"tendon_{k}": v for k, v in tendon_models.ALL.items()}
# whether the torque of an orientation servo at its limit has a slope is decided by rounding in MuJoCo
DRIVEN = {k: re.sub(r'(<orientation [^>]*) forcerange="[^"]*"', r"\1", v) for k, v in actuator_models.ALL.items()}
integrators = pytest.mark.parametrize("integrator", INTEGRATORS.values(), ids=INTEGRATORS)


@pytest.fixture(autouse=True)
def log_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is


def both(xml, integrator):
    mj = mujoco.MjModel.from_xml_string(xml)
    mj.opt.integrator = INT_IMPLICITFAST if integrator == INT_SPRINGDAMPER else integrator
    m = oracle.model_of(mj)
    m.opt.integrator = integrator
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def compare(mj, dj, m, d, one=1e-10, twenty=1e-8):
    """The same state in both, then one step and nineteen more."""
    oracle.copy_fields(dj, d, oracle.STATE)
    names = ["qpos", "qvel", "act", "qacc_warmstart"]
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, [*names, "qacc"], one)
    mujoco.mj_step(mj, dj, 19)
    sim.step(m, d, 19)
    oracle.assert_same(d, dj, names[:3], twenty)
    assert d.time == pytest.approx(dj.time, abs=1e-14)


@integrators
@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_models(name, integrator):
    mj, dj, m, d = both(SMOOTH[name], integrator)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    m.opt.disableflags = mj.opt.disableflags
    oracle.random_state(mj, dj, 3)
    compare(mj, dj, m, d)


@integrators
@pytest.mark.parametrize("name", DRIVEN)
def test_actuators(name, integrator):
    mj, dj, m, d = both(DRIVEN[name], integrator)
    oracle.random_state(mj, dj, 3)
    rng = np.random.default_rng(3)
    dj.ctrl[:] = rng.normal(size=mj.nu) * rng.choice([0.3, 3], size=mj.nu)
    dj.act[:] = rng.normal(size=mj.na) * 0.5
    compare(mj, dj, m, d)


@integrators
@pytest.mark.parametrize("halves", [False, True], ids=["step", "halves"])
@pytest.mark.parametrize("interval", ["0 0", ".004 -.002", ".002 0", ".002 -.001", ".006 0", ".012 -.007"])
def test_histories_of_sensors(interval, halves, integrator):
    """Recorded once a step, also in halves, which know no RK4; intervals may be shorter than a timestep."""
    xml = f"""<mujoco><option timestep=".005"/><worldbody><body><joint name="j" axis="0 1 0"/>
      <geom size=".1" pos=".1 0 0"/></body></worldbody><sensor>
      <jointpos joint="j" nsample="5" interval="{interval}" delay=".007"/><jointvel joint="j" nsample="4" delay=".01"/>
      </sensor></mujoco>"""
    mj, dj, m, d = both(xml, integrator)
    for _ in range(12):
        oracle.assert_same(d, dj, ["history", "sensordata"], 1e-12)
        if halves:
            mujoco.mj_step1(mj, dj)
            mujoco.mj_step2(mj, dj)
            sim.step1(m, d)
            sim.step2(m, d)
        else:
            mujoco.mj_step(mj, dj)
            sim.step(m, d)


WOUND = """<mujoco><worldbody><site name="fixed"/><body><joint name="ball" type="ball"/><geom size=".1" pos=".1 0 0"/>
  <site name="site"/></body></worldbody><actuator>{}</actuator></mujoco>"""
SETPOINTS = {
    "filterexact": '<position joint="ball" gear="0 1 0" kp="1" timeconst=".1"/>',
    "between": '<position site="site" refsite="fixed" gear="0 0 0 .5 1 0" kp="1" timeconst=".1"/>',
    "filter": '<general joint="ball" gear="0 1 0" dyntype="filter" dynprm=".1" biastype="affine" biasprm="0 -1 0"/>',
    "integrator": '<intvelocity joint="ball" gear="0 1 0" kp="1"/>',
    "beside a motor": '<dcmotor joint="ball" gear="0 1 0" motorconst=".1" resistance="2"/>'
    '<general joint="ball" gear="0 1 0" dyntype="filter" dynprm=".1"/>',
    "not a servo": '<general joint="ball" gear="0 1 0" dyntype="filter" dynprm=".1" biasprm="0 -2 0"/>',
}


@integrators
@pytest.mark.parametrize("name", SETPOINTS)
def test_states_that_are_setpoints_of_rotations(name, integrator):
    """They follow the control nearest to them, and stay nearest to the angle; in RK4, to that at the start."""
    for act in (0, 2, 5, 9, -7):
        mj, dj, m, d = both(WOUND.format(SETPOINTS[name]), integrator)
        oracle.random_state(mj, dj, 3)
        dj.qvel[:] = 5, -8, 3
        dj.ctrl[:], dj.act[:] = 7, act
        compare(mj, dj, m, d)
        oracle.assert_same(d, dj, ["actuator_length", "actuator_velocity", "actuator_force"], 1e-8)


@integrators
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", scenes.ALL)
def test_constraints(name, cone, integrator):
    mj, dj, m, d = both(scenes.ALL[name], integrator)
    mj.opt.cone = m.opt.cone = cone
    dj.qvel[:] = 0.1 * np.random.default_rng(4).normal(size=mj.nv)
    compare(mj, dj, m, d, 1e-8, 1e-5)


@pytest.mark.parametrize("flags", ["DAMPER", "SPRING", "SPRING DAMPER", "GRAVITY", "ACTUATION"])
@pytest.mark.parametrize("integrator", [INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST])
def test_flags(integrator, flags):
    for xml in (models.MEDIUM, models.POLYNOMIAL, DRIVEN["muscles"], tendon_models.FIXED):
        mj, dj, m, d = both(xml, integrator)
        oracle.disable(mj, flags.split())
        m.opt.disableflags = mj.opt.disableflags
        oracle.random_state(mj, dj, 5)
        dj.ctrl[:] = 0.5
        compare(mj, dj, m, d)


@integrators
def test_more_contacts_than_there_is_room_for(integrator):
    bodies = "".join(
        f"<body pos='{x} {y} .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        for x in range(6)
        for y in range(5)
    )
    xml = f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>"
    mj, dj, m, d = both(xml, integrator)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel", "qacc_warmstart"])
    assert d.ncon == 120


# ---------------------------------------------------------------- without the oracle

ARM = "<joint axis='0 1 0' {}/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>"


def chain(integrator, timestep, joint="", n=2):
    """A chain of hinges."""
    bodies = "".join(f"<body pos='{0.5 * (k > 0)} 0 0'>{ARM.format(joint)}" for k in range(n)) + "</body>" * n
    xml = f"<mujoco><option timestep='{timestep}'><flag contact='disable' energy='enable'/></option>"
    return both(f"{xml}<worldbody>{bodies}</worldbody></mujoco>", integrator)[2:]


def energy_error(timestep):
    """Energy that RK4 gains or loses of a double pendulum within a second."""
    m, d = chain(INT_RK4, timestep)
    sim.forward(m, d)
    before = d.energy.sum()
    sim.step(m, d, round(1 / timestep))
    assert abs(d.qvel).max() > 1
    sim.forward(m, d)
    return abs(d.energy.sum() - before)


def test_rk4_is_of_fourth_order():
    coarse, fine = energy_error(1e-2), energy_error(5e-3)
    assert fine < 1e-6
    assert coarse / fine > 14


@pytest.mark.parametrize("turn", [3.0, 3.2, 4.0, 6.0, 6.5, 9.0, 13.0])
def test_rk4_turns_by_any_angle_in_a_step(turn):
    """Beyond half a turn the correction of the stages is that of the shortest rotation."""
    xml = """<mujoco><option gravity="0 0 0" timestep="1"/><worldbody><body><freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5"/></body>
      <body><joint type="ball"/><inertial pos="0 0 .1" mass="1" diaginertia="1 1 1.5"/></body></worldbody></mujoco>"""
    mj, dj, m, d = both(xml, INT_RK4)
    axes = np.random.default_rng(0).normal(size=(2, 3))
    dj.qvel[3:] = (turn * axes / np.linalg.norm(axes, axis=1)[:, None]).ravel()
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    assert oracle.error(np.abs(d.qpos), np.abs(dj.qpos)) < 1e-11
    oracle.assert_same(d, dj, ["qvel"], 1e-11)


@pytest.mark.parametrize("disable", [[], ["ACTUATION"]], ids=["on", "off"])
def test_what_rk4_leaves_of_motors_of_balls(disable):
    """Lengths and speeds of actuators: of the start if motors were asked where they are, else of the last stage."""
    xml = """<mujoco><option integrator="RK4"/><worldbody>
      <body><joint name="b" type="ball"/><geom size=".1" pos=".3 0 0"/></body>
      <body pos="2 0 0"><joint name="h"/><geom size=".1" pos="0 .3 0"/></body></worldbody>
      <actuator><motor joint="b" gear="1 2 -1"/><intvelocity joint="b" gear="1 0 0"/>
        <dcmotor joint="h" motorconst=".3" resistance="2" inductance=".01"/></actuator></mujoco>"""
    mj, dj, m, d = both(xml, INT_RK4)
    oracle.disable(mj, disable)
    m.opt.disableflags = mj.opt.disableflags
    dj.qvel[:] = d.qvel[:] = 1, 2, 3, 4
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, ["actuator_length", "actuator_velocity", "qpos", "qvel"])


def test_a_single_free_body_takes_the_whole_derivative():
    xml = """<mujoco><option gravity="0 0 0" timestep=".01"/><worldbody><body><freejoint/>
      <geom type="box" size=".1 .2 .3" pos=".1 .05 .2"/></body></worldbody></mujoco>"""
    ends = []
    for integrator in (INT_IMPLICIT, INT_IMPLICITFAST, INT_EULER):
        _, _, m, d = both(xml, integrator)
        d.qvel = [0.1, 0.2, 0.3, 1, 2, 3]
        sim.step(m, d, 100)
        ends.append(np.hstack([d.qpos, d.qvel]))
    assert np.allclose(ends[0], ends[1], rtol=0, atol=1e-11)
    assert not np.allclose(ends[0], ends[2], rtol=0, atol=1e-3)


@pytest.mark.parametrize("integrator", [INT_IMPLICITFAST, INT_DISCRETE], ids=["implicitfast", "discrete"])
@pytest.mark.parametrize("shape", ["none", "ellipsoid"])
@pytest.mark.parametrize("density", [0, 3000])
def test_what_is_welded_to_a_free_body_is_part_of_it(density, shape, integrator):
    geom = f'<geom type="box" size=".1 .2 .3" pos=".02 .03 .01" fluidshape="{shape}"'
    xml = f"""<mujoco><option timestep=".005" gravity="0 0 0" density="{density}" viscosity=".5"/><worldbody><body>
      <freejoint/>{geom}/><body pos=".2 0 0" euler="10 20 30">{geom}/><body pos=".1 .1 0">{geom}/></body></body>
      </body></worldbody></mujoco>"""
    mj, dj, m, d = both(xml, integrator)
    dj.qvel[:] = 1, 2, 3, 3, 8, 2
    compare(mj, dj, m, d)


@pytest.mark.parametrize("integrator", [INT_IMPLICIT, INT_DISCRETE], ids=["implicit", "discrete"])
@pytest.mark.parametrize("shaft", ['lugre="10 1 .1 .3 .5"', 'cogging=".5 6 .2"'])
def test_the_shaft_of_a_motor_is_not_at_the_limit_of_its_tendon(shaft, integrator):
    xml = f"""<mujoco><option timestep=".01"/><worldbody><body><joint name="j" axis="0 1 0"/>
      <geom size=".1" pos=".1 0 0"/></body></worldbody>
      <tendon><fixed name="t" actuatorfrcrange="-.3 .3"><joint joint="j" coef=".9"/></fixed></tendon><actuator>
      <dcmotor tendon="t" motorconst=".3" resistance="2" {shaft}/><velocity tendon="t" kv=".3"/></actuator></mujoco>"""
    mj, dj, m, d = both(xml, integrator)
    dj.qpos[:], dj.qvel[:], dj.ctrl[:] = 0.4, 2, 3
    compare(mj, dj, m, d)


@pytest.mark.parametrize("stiffness", [3, 3000])
def test_spring_damper_solves_for_the_next_velocity(stiffness):
    """(M + h B + h² K) v' = M v + h (forces without springs and dampers) - h K (q - rest)"""
    m, d = chain(INT_SPRINGDAMPER, 0.01, f"stiffness='{stiffness}' damping='.2' springref='20'", 4)
    d.qpos, d.qvel = [0.1, -0.2, 0.3, 0.4], [1, -2, 3, 0.5]
    d.qfrc_applied = [0.3, 0.2, -0.1, 0.4]
    sim.forward(m, d)
    inertia = np.zeros((4, 4))
    for v in range(4):
        row = slice(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v])
        inertia[v, m.M_colind[row]] = inertia[m.M_colind[row], v] = d.M[row]
    h, b, k = 0.01, np.diag(m.dof_damping), np.diag(m.jnt_stiffness)
    right = inertia @ d.qvel + h * (d.qfrc_applied - d.qfrc_bias) - h * k @ (d.qpos - m.qpos_spring)
    wanted = np.linalg.solve(inertia + h * b + h * h * k, right)
    sim.step(m, d)
    assert np.allclose(d.qvel, wanted, rtol=1e-12, atol=1e-12)


def test_spring_damper_bears_stiff_springs():
    top = []
    for integrator in (INT_SPRINGDAMPER, INT_EULER):
        m, d = chain(integrator, 0.01, "stiffness='1e5' damping='.01'", 3)
        d.qpos = [0.1, 0.1, 0.1]
        sim.step(m, d, 300)
        top.append(np.abs(d.qpos).max() if not d.warning.number.any() else np.inf)
    assert top[0] < 0.01 and top[1] > 1


@pytest.mark.parametrize("stiffness", [3, 1e14])
def test_spring_damper_accelerates_as_it_steps(stiffness):
    """qacc is (v' - v) / h; an accelerometer says so, and a spring that is borne is no reason to start over."""
    m = sim.loads(
        "<mujoco><option integrator='implicitspringdamper' timestep='.01'/><worldbody><body>"
        f"<joint type='slide' axis='0 0 1' stiffness='{stiffness}' damping='.2'/>"
        "<geom size='.1' mass='2'/><site name='s'/></body></worldbody>"
        "<sensor><accelerometer site='s'/></sensor></mujoco>"
    )
    d = sim.Data(m)
    d.qpos, d.qvel = 0.1, -0.3
    sim.forward(m, d)
    before, acc = d.qvel.copy(), d.qacc.copy()
    assert d.sensordata[2] == pytest.approx(acc[0] + 9.81, rel=1e-12)
    sim.step(m, d)
    assert not d.warning.number.any()
    assert np.array_equal(d.qacc, acc)
    assert acc == pytest.approx((d.qvel - before) / 0.01, rel=1e-12)
    assert abs(d.qpos[0]) < 0.1


def test_spring_damper_forward_and_inverse_agree():
    m, d = chain(INT_SPRINGDAMPER, 0.01, "stiffness='300' damping='.2' springref='20'", 4)
    d.qpos, d.qvel, d.qfrc_applied = [0.1, -0.2, 0.3, 0.4], [1, -2, 3, 0.5], [0.3, 0.2, -0.1, 0.4]
    sim.forward(m, d)
    acc = d.qacc.copy()
    sim.inverse(m, d)
    assert d.qfrc_inverse == pytest.approx(d.qfrc_applied, rel=1e-9)
    assert np.array_equal(d.qacc, acc)


def test_spring_damper_is_euler_without_springs():
    ends = []
    for integrator in (INT_SPRINGDAMPER, INT_EULER):
        _, _, m, d = both(models.JOINTS, integrator)
        m.jnt_stiffness = 0
        d.qvel = 0.3
        sim.step(m, d, 20)
        ends.append(d.qpos.copy())
    assert np.array_equal(*ends)


def test_spring_damper_on_every_joint():
    """Springs that are soft are the same springs in both."""
    for xml in (models.JOINTS, models.POLYNOMIAL):
        ends = []
        for integrator in (INT_SPRINGDAMPER, INT_EULER):
            _, _, m, d = both(xml, integrator)
            m.opt.timestep = 1e-5
            d.qvel = 0.3
            sim.step(m, d, 1000)
            ends.append(d.qpos.copy())
        assert np.abs(ends[0] - ends[1]).max() < 1e-5


def test_keyword():
    xml = '<mujoco><option integrator="implicitspringdamper"/><worldbody/></mujoco>'
    assert sim.loads(xml).opt.integrator == INT_SPRINGDAMPER


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("integrator", 7, "opt.integrator is 7: it must be one of 0, 1, 2, 3, 4"),
        ("solver", 10, "opt.solver is 10: it must be one of 0, 1, 2"),
        ("cone", 7, "opt.cone is 7: it must be one of 0, 1"),
        ("jacobian", -1, "opt.jacobian is -1"),
        ("timestep", 0.0, "opt.timestep is 0.0: it must be positive"),
        ("timestep", -0.01, "opt.timestep is -0.01"),
        ("timestep", np.inf, "opt.timestep is inf"),
        ("timestep", np.nan, "opt.timestep is not a number"),
        # which numpy makes a NaN of
        ("timestep", None, "opt.timestep is not a number"),
        ("impratio", np.nan, "opt.impratio is not a number"),
        ("iterations", -1, "opt.iterations is -1: it cannot be negative"),
        ("ccd_iterations", -1, "opt.ccd_iterations is -1"),
    ],
)
def test_options_without_a_meaning(option, value, message):
    """They are refused before anything moves, and as often as it is tried; then all goes on."""
    m, d = chain(INT_EULER, 0.01)
    sim.step(m, d)
    start, good = d.qpos.copy(), m.read(f"opt.{option}")
    setattr(m.opt, option, value)
    state = sim.get_state(m, d)
    tries = (
        lambda: sim.step(m, d),
        lambda: sim.step(m, d, 3),
        lambda: sim.forward(m, d),
        lambda: sim.inverse(m, d),
        lambda: sim.step1(m, d),
        lambda: sim.step2(m, d),
        lambda: sim.rollout(m, state, nstep=2),
        lambda: sim.transition_fd(m, d),
    )
    for attempt in tries:
        with pytest.raises(ValueError, match=message):
            attempt()
    assert np.array_equal(d.qpos, start)
    setattr(m.opt, option, good)
    sim.step(m, d)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(("option", "value"), [("impratio", 0.0), ("disableflags", 1 << 29), ("enableflags", 1 << 29)])
def test_options_that_mujoco_takes(cone, option, value):
    """Without friction, and with flags that nothing reads."""
    xml = f"""<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    for model, data in ((mj, dj), (m, d)):
        setattr(model.opt, option, value)
        data.qvel[:] = 0.3, 0.2, -0.1, 1, 2, 3
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, ["qacc", "qvel"])


def test_another_integrator_while_it_runs():
    """Units that were not loaded with the model are bound when they are first called."""
    mj, dj, m, d = both(models.MEDIUM, INT_EULER)
    oracle.random_state(mj, dj, 6)
    oracle.copy_fields(dj, d, oracle.STATE)
    for integrator in (*INTEGRATORS.values(), INT_EULER):
        mj.opt.integrator = m.opt.integrator = integrator
        mujoco.mj_step(mj, dj, 3)
        sim.step(m, d, 3)
    oracle.assert_same(d, dj, ["qpos", "qvel"])
