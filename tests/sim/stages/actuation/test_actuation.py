"""Transmissions and actuators against MuJoCo: every stage alone, steps, and what needs no oracle."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import INT_RK4, WARN_BADCTRL
from sim.mjcf.set_const.length_range_pull import pull_until
from sim.stages.actuation import fwd_actuation, muscle
from sim.stages.smooth.transmission import transmission, transmission_velocity
from sim.state import delay
from sim.state.advance import integrate_pos
from tests import oracle
from tests.sim.actuator_models import ALL, model

SEEDS = (1, 2, 3)
POSITION = ["xpos", "xquat", "site_xpos", "site_xquat", "site_xmat", "subtree_com", "cdof", "ten_length", "ten_J"]
POSITION += ["qfrc_gravcomp"]
TRANSMISSION = ["actuator_length", "actuator_velocity"]
FORCES = ["act_dot", "actuator_force", "qfrc_actuator"]


def both(xml):
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.fixture(params=list(ALL))
def engines(request):
    return both(ALL[request.param])


def random_state(mj, dj, seed):
    """A generic state, controls and activations included, some of them beyond their limits."""
    oracle.random_state(mj, dj, seed)
    rng = np.random.default_rng(seed)
    dj.ctrl[:] = rng.normal(size=mj.nu) * rng.choice([0.3, 3], size=mj.nu)
    dj.act[:] = rng.normal(size=mj.na) * 0.5


def dense_moment(m, d):
    dense = np.zeros((m.nout, m.nv))
    for r in range(m.nout):
        row = slice(d.moment_rowadr[r], d.moment_rowadr[r] + d.moment_rownnz[r])
        assert (np.diff(d.moment_colind[row]) > 0).all()
        dense[r, d.moment_colind[row]] = d.actuator_moment[row]
    return dense


def assert_same_moment(m, d, mj, dj):
    ours, theirs = dense_moment(m, d), np.zeros((mj.nout, mj.nv))
    mujoco.mju_sparse2dense(theirs, dj.actuator_moment, dj.moment_rownnz, dj.moment_rowadr, dj.moment_colind)
    assert np.allclose(ours, theirs, rtol=1e-10, atol=1e-10), np.abs(ours - theirs).max(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_transmission_alone(engines, seed):
    mj, dj, m, d = engines
    random_state(mj, dj, seed)
    mujoco.mj_forward(mj, dj)
    oracle.copy_fields(dj, d, [*oracle.STATE, *POSITION])
    oracle.poison(d, [*TRANSMISSION, "actuator_moment"])
    transmission(m, d)
    oracle.assert_same(d, dj, ["actuator_length"])
    assert_same_moment(m, d, mj, dj)
    transmission_velocity(m, d)
    oracle.assert_same(d, dj, ["actuator_velocity"])


@pytest.mark.parametrize("seed", SEEDS)
def test_actuation_alone(engines, seed):
    mj, dj, m, d = engines
    random_state(mj, dj, seed)
    mujoco.mj_forward(mj, dj)
    given = [*TRANSMISSION, "moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment"]
    oracle.copy_fields(dj, d, [*oracle.STATE, *POSITION, *given])
    oracle.poison(d, [*FORCES, "actuator_input"])
    fwd_actuation(m, d)
    oracle.assert_same(d, dj, FORCES)


@pytest.mark.parametrize("flags", ["", "ACTUATION", "CLAMPCTRL", "GRAVITY"])
def test_steps(engines, flags):
    mj, dj, m, d = engines
    oracle.disable(mj, flags.split())
    m.opt.disableflags = mj.opt.disableflags
    random_state(mj, dj, 4)
    dj.time = 0
    oracle.copy_fields(dj, d, oracle.STATE)
    rng = np.random.default_rng(5)
    for step in range(12):
        dj.ctrl[:] = d.ctrl[:] = rng.normal(size=mj.nu)
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        tolerance = 1e-10 if step < 2 else 1e-6
        oracle.assert_same(d, dj, [*TRANSMISSION, *FORCES, "qpos", "qvel", "act", "history"], tolerance)


@pytest.mark.parametrize("seed", SEEDS)
def test_forward(engines, seed):
    mj, dj, m, d = engines
    random_state(mj, dj, seed)
    oracle.copy_fields(dj, d, oracle.STATE)
    oracle.poison(d, [*TRANSMISSION, *FORCES])
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, [*TRANSMISSION, *FORCES, "qfrc_smooth", "qacc_smooth"], 1e-9)


def test_adhesion_pulls_along_the_contacts():
    """Contacts are MuJoCo's: several on one body, some within their gap, some of other bodies."""
    mj = mujoco.MjModel.from_xml_string("""
    <mujoco><worldbody><geom type="plane" size="5 5 1"/>
      <body name="box" pos="0 0 .095" euler="3 2 0"><freejoint/><geom type="box" size=".1 .1 .1" gap=".2"/>
        <body pos=".1 0 .05"><joint axis="0 1 0"/><geom size=".12" pos=".2 0 0" gap=".1"/></body>
        <body name="arm" pos="-.1 0 .05"><joint axis="0 1 0"/><geom type="capsule" size=".12 .1" pos="-.2 0 -.05"/>
        </body></body>
      <body name="flying" pos="0 0 3"><freejoint/><geom size=".1"/></body></worldbody>
      <actuator><adhesion body="box" ctrlrange="0 1" gain="3"/><adhesion body="arm" ctrlrange="0 1" gain="3"/>
        <adhesion body="flying" ctrlrange="0 1" gain="3"/></actuator></mujoco>""")
    dj, m = mujoco.MjData(mj), oracle.model_of(mj)
    d = sim.Data(m)
    mujoco.mj_forward(mj, dj)
    assert dj.ncon >= 6
    assert {0, 1} <= set(dj.contact.exclude.tolist())
    oracle.copy_fields(dj, d, [*oracle.STATE, *POSITION])
    d.ncon = dj.ncon
    for name in ("geom", "pos", "frame", "exclude"):
        d.write(f"contact.{name}", getattr(dj.contact, name))
    transmission(m, d)
    assert_same_moment(m, d, mj, dj)
    assert d.moment_rownnz.tolist()[2] == 0


def test_a_pull_that_goes_on_measures_its_own_step():
    """Not the pose in which the step was cut short."""
    m = sim.loads(ALL["muscles"])
    d = sim.Data(m)
    d.length_pull, d.actuator_length = (np.inf, -np.inf), 99.0
    assert pull_until(m, d, 0, 1.0, 0.0, 0.9, -1.0, m.opt.timestep / 2, 1) == 0
    rest = sim.Data(m)
    sim.forward(m, rest)
    assert (d.length_pull == rest.actuator_length[0]).all()


def test_curves_of_muscles():
    """At all lengths and speeds, for parameters that make no sense too: an edit goes through those."""
    rng = np.random.default_rng(1)
    for _ in range(500):
        length, speed, lmin, lmax, fpmax, fvmax = rng.uniform((0, -2, 0, 0.3, 0, 0.8), (3, 2, 1.5, 2.5, 3, 1.6))
        prm = np.array([0, 1, 1, 200, lmin, lmax, 1, fpmax, fvmax])
        gain = -muscle.length_curve(length, lmin, lmax) * muscle.velocity_curve(speed, fvmax)
        bias = -muscle.passive_curve(length, lmax, fpmax)
        assert gain == pytest.approx(mujoco.mju_muscleGain(length, speed, [0, 1], 1, prm), rel=1e-12, abs=1e-12)
        assert bias == pytest.approx(mujoco.mju_muscleBias(length, [0, 1], 1, prm), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("sleep", ["enable", "disable"])
def test_actuators_between_sites_that_cannot_move(sleep):
    """If trees may sleep, what can only act on the world is idle, though everything is awake."""
    mj, dj, m, d = both(f"""<mujoco><option><flag sleep="{sleep}"/></option>
      <worldbody><site name="here"/>
        <body pos=".1 .2 1" euler="10 20 30"><geom size=".1"/><site name="there"/></body>
        <body pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
      <actuator>
        <motor cranksite="here" slidersite="there" cranklength="2"/>
        <general cranksite="here" slidersite="there" cranklength="2" dyntype="filter" dynprm=".1"/>
        <motor site="here" refsite="there" gear="1 2 3 4 5 6"/>
        <orientation site="here" refsite="there" kp="2"/>
      </actuator></mujoco>""")
    d.ctrl[:] = dj.ctrl[:] = 0.3
    mujoco.mj_step(mj, dj, 5)
    sim.step(m, d, 5)
    oracle.assert_same(d, dj, ["actuator_length", "actuator_force", "act_dot", "act"], 1e-12)


def test_one_bad_control_switches_all_off(engines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    mj, dj, m, d = engines
    random_state(mj, dj, 6)
    mj.actuator_delay[:] = m.actuator_delay[:] = 0
    mj.actuator_ctrllimited[:] = m.actuator_ctrllimited[:] = False
    dj.ctrl[mj.nu // 2] = np.nan
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, FORCES, 1e-9)
    assert d.warning.number.tolist() == [w.number for w in dj.warning]
    assert d.warning[WARN_BADCTRL].lastinfo == mj.nu // 2


# ---------------------------------------------------------------- delays


def test_delay_buffers_are_read_as_in_mujoco():
    """Between samples, at them, before and after them; in every order of interpolation."""
    mj, dj, m, d = both(ALL["delays"])
    rng = np.random.default_rng(7)
    for _ in range(9):
        dj.ctrl[:] = d.ctrl[:] = rng.normal(size=mj.nu)
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
    assert np.array_equal(d.history, dj.history)
    with sim.interpreted():
        for i in range(mj.nactuator):
            n, adr, dim = m.actuator_history[i, 0], m.actuator_historyadr[i], m.actuator_ctrlnum[i]
            for age in np.linspace(-0.001, 0.03, 63):
                for order in range(3):
                    t = dj.time - m.actuator_delay[i] - age
                    theirs = mujoco.mj_readCtrl(mj, dj, i, dj.time - age, np.zeros(dim), order)
                    ours = [delay.read_sample(d, adr, n, dim, k, t, order) for k in range(dim)]
                    assert ours == pytest.approx(theirs.tolist(), abs=1e-12)


@pytest.mark.parametrize("time", [0.5, -0.008, -0.01, -0.0093, -0.5])
def test_samples_out_of_order(time):
    mj, dj, m, d = both(ALL["delays"])
    dj.time = d.time = time
    for k in range(3):
        dj.ctrl[:] = d.ctrl[:] = k + 1
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
    oracle.assert_same(d, dj, ["history", "actuator_force"], 1e-12)


def test_a_bad_state_empties_the_buffers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mj, dj, m, d = both(ALL["delays"])
    for k in range(8):
        dj.ctrl[:] = d.ctrl[:] = k
        if k == 5:
            dj.qpos[0] = d.qpos[0] = np.nan
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
    oracle.assert_same(d, dj, ["history", "act"], 1e-12)


# ---------------------------------------------------------------- the user's own


def test_controls_that_are_a_quaternion_start_as_no_rotation(tmp_path, monkeypatch):
    """In a new Data, after a reset, and after a bad state; those of other kinds start as zeros."""
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    mj, dj, m, d = both(model('<pid joint="hinge" kp="1" input="vel"/><orientation joint="ball" kp="3" input="quat"/>'))
    assert d.ctrl.tolist() == dj.ctrl.tolist() == [0, 1, 0, 0, 0]
    d.ctrl[:] = 3
    sim.reset(m, d)
    assert d.ctrl.tolist() == dj.ctrl.tolist()
    d.ctrl[:] = dj.ctrl[:] = 3
    d.qpos[0] = dj.qpos[0] = np.nan
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    assert d.ctrl.tolist() == dj.ctrl.tolist() == [0, 1, 0, 0, 0]


@pytest.fixture
def no_callbacks():
    yield
    sim.callbacks.act_dyn = sim.callbacks.act_gain = sim.callbacks.act_bias = None
    for name in ("dyn", "gain", "bias"):
        getattr(mujoco, f"set_mjcb_act_{name}")(None)


def user_rate(m, d, i):
    if m.actuator_actnum[i] == 1:
        return 2 * d.ctrl[i] - d.act[m.actuator_actadr[i]]
    first = m.actuator_actadr[i]
    d.act_dot[first : first + m.actuator_actnum[i]] = [d.ctrl[i], d.actuator_length[i], d.actuator_velocity[i]]
    return 0.0


def user_gain(m, d, i):
    return 1.5 + d.actuator_length[i]


def user_bias(m, d, i):
    return d.actuator_velocity[i] + m.actuator_biasprm[i][0]


USER = model("""
    <general joint="hinge" dyntype="user" actdim="1" gainprm="2"/>
    <general joint="slide" dyntype="user" actdim="3" gaintype="user" biastype="user" biasprm="3" actlimited="true"
             actrange="-.5 .4" actearly="true"/>
    <general joint="branch" gaintype="user"/>
    <general joint="other" biastype="user"/>""")


def test_callbacks(no_callbacks):
    mj, dj, m, d = both(USER)
    random_state(mj, dj, 8)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.callbacks.act_dyn, sim.callbacks.act_gain, sim.callbacks.act_bias = user_rate, user_gain, user_bias
    mujoco.set_mjcb_act_dyn(user_rate)
    mujoco.set_mjcb_act_gain(user_gain)
    mujoco.set_mjcb_act_bias(user_bias)
    mujoco.mj_step(mj, dj, 5)
    sim.step(m, d, 5)
    oracle.assert_same(d, dj, [*FORCES, "act", "qpos", "qvel"], 1e-9)


def test_without_callbacks(no_callbacks):
    mj, dj, m, d = both(USER)
    random_state(mj, dj, 9)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, [*FORCES, "act", "qpos", "qvel"], 1e-10)


def test_a_callback_that_fails_is_heard_of(no_callbacks):
    _, _, m, d = both(USER)
    sim.callbacks.act_gain = lambda m, d, i: 1 / 0
    with pytest.raises(ZeroDivisionError):
        sim.step(m, d)
    sim.callbacks.act_gain = None
    sim.step(m, d)


def test_a_callback_that_fails_leaves_no_half_of_a_step(no_callbacks):
    """RK4 looks at other states on its way: none of them stays."""
    _, _, m, d = both(USER)
    m.opt.integrator = INT_RK4

    def fail_later(m, d, i):
        if d.time > 2.6 * m.opt.timestep:
            raise ValueError("not now")
        return 1.0

    sim.callbacks.act_gain = fail_later
    with pytest.raises(ValueError, match="not now"):
        sim.step(m, d, 5)
    assert d.time == pytest.approx(2 * m.opt.timestep)
    twin = sim.Data(m)
    sim.callbacks.act_gain = lambda m, d, i: 1.0
    sim.step(m, twin, 2)
    for name in ("time", "qpos", "qvel", "act", "qacc_warmstart"):
        assert np.array_equal(d.read(name), twin.read(name)), name


# ---------------------------------------------------------------- without the oracle


def numeric_moment(m, d, eps=1e-6):
    """Finite differences of the lengths, dof by dof."""
    arms = np.zeros((m.nout, m.nv))
    qpos = d.qpos.copy()
    for v in range(m.nv):
        lengths = []
        for side in (eps, -eps):
            d.qpos = qpos
            d.qvel = np.eye(m.nv)[v]
            with sim.interpreted():
                integrate_pos(m, d, side)
            sim.forward(m, d)
            lengths.append(d.actuator_length.copy())
        arms[:, v] = (lengths[0] - lengths[1]) / (2 * eps)
    d.qpos = qpos
    sim.forward(m, d)
    return arms


# a moment arm is the slope of the length where the length is a smooth function of qpos that MuJoCo differentiates:
# not for balls away from the gear's axis, free joints, wrenches, or dofs that turn the reference site
SMOOTH = """
    <motor joint="hinge" gear="3"/>
    <motor jointinparent="slide" gear="-2"/>
    <motor tendon="fixed" gear="2"/>
    <motor tendon="spatial" gear="-3"/>
    <motor site="on_lower" refsite="world" gear="1 2 3 0 0 0"/>
    <motor site="on_other" refsite="world" gear="1 2 3 0 0 0"/>
    <general cranksite="on_lower" slidersite="on_base" cranklength="3" gear="2"/>
    <general cranksite="on_branch" slidersite="on_lower" cranklength="2" gear="1.5"/>
    <general cranksite="on_other" slidersite="world" cranklength=".01"/>
    <general cranksite="on_lower" slidersite="on_other" cranklength="5"/>"""


@pytest.mark.parametrize("seed", range(6))
def test_moment_arms_are_slopes_of_the_lengths(seed):
    mj, dj, m, d = both(model(SMOOTH))
    random_state(mj, dj, 20 + seed)
    d.qpos = dj.qpos
    numeric = numeric_moment(m, d)
    assert np.allclose(dense_moment(m, d), numeric, rtol=1e-6, atol=1e-6 * np.abs(numeric).max())


@pytest.mark.parametrize("along", [0.0, 1.0, -0.7])
def test_moment_arms_of_turns_about_the_gear(along):
    """A ball joint, a site and an orientation turned about the very axis that the gear measures."""
    axis = np.array([1.0, 2.0, 2.0]) / 3
    *_, m, d = both(f"""<mujoco><worldbody><site name="ref"/><body><joint name="ball" type="ball"/>
        <geom type="box" size=".1 .2 .3"/><site name="s"/></body></worldbody><actuator>
        <motor joint="ball" gear="{axis[0]} {axis[1]} {axis[2]}"/>
        <motor jointinparent="ball" gear="{axis[0]} {axis[1]} {axis[2]}"/>
        <motor site="s" refsite="ref" gear="0 0 0 {axis[0]} {axis[1]} {axis[2]}"/>
        <orientation joint="ball"/><orientation site="s" refsite="ref"/></actuator></mujoco>""")
    d.qpos = [np.cos(along / 2), *(np.sin(along / 2) * axis)]
    numeric = numeric_moment(m, d)
    assert np.allclose(dense_moment(m, d)[:3] @ axis, 1)
    assert np.allclose(numeric[:3] @ axis, 1, atol=1e-8)
    assert np.allclose(dense_moment(m, d)[3:] @ axis, numeric[3:] @ axis, atol=1e-8)


def test_power_of_actuators_is_that_of_the_dofs(engines):
    """force · velocity = qfrc · qvel, where no joint limits its force and nothing else acts."""
    mj, dj, m, d = engines
    m.jnt_actfrclimited[:] = False
    m.jnt_actgravcomp[:] = False
    random_state(mj, dj, 11)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.forward(m, d)
    assert d.actuator_force @ d.actuator_velocity == pytest.approx(d.qfrc_actuator @ d.qvel, rel=1e-9)
