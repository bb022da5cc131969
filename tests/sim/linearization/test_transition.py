"""Linear models of a step and of inverse dynamics: against MuJoCo, and formulas against differences."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import (
    CONE_ELLIPTIC,
    CONE_PYRAMIDAL,
    ENBL_INVDISCRETE,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    STATE_INTEGRATION,
)
from sim.math.so3 import quat_integrate_derivatives
from tests import oracle
from tests.sim import models
from tests.sim.pipeline.test_integrate import DRIVEN, SMOOTH, both, log_elsewhere  # noqa: F401
from tests.sim.stages.constraint import scenes

SENSORS = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body pos=".5 0 0"><joint name="b" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <site name="tip" pos=".3 0 0"/></body></body>
    <body pos="1 0 .098"><freejoint/><geom type="box" size=".1 .2 .1"/><site name="pad" size=".3"/></body>
  </worldbody>
  <actuator>
    <general joint="a" dyntype="filter" dynprm=".1" gainprm="2" ctrllimited="true" ctrlrange="-1 1"/>
    <position joint="a" kp="3" kv=".2" ctrllimited="true" ctrlrange="-.5 .5"/>
    <motor joint="a" ctrllimited="true" ctrlrange="-.1 .1"/>
  </actuator>
  <sensor><jointpos joint="a"/><jointvel joint="a"/><framepos objtype="site" objname="tip"/>
    <accelerometer site="tip"/><touch site="pad"/><actuatorfrc actuator="1"/></sensor>
</mujoco>
""".replace('actuator="1"', 'actuator="servo"').replace("<position ", '<position name="servo" ')
PICK = ["joints", "medium", "polynomial", "humanoid", "gripper", "quadruped", "ball_chain", "gyroscope", "tendon_fixed"]
ALL = {name: SMOOTH[name] for name in PICK} | scenes.ALL | DRIVEN | {"sensors": SENSORS}
# inverse dynamics has no actuators
ALL["motion sensors"] = SENSORS.replace('<actuatorfrc actuator="servo"/>', "")
# MuJoCo refuses delays
COMPARED = [name for name in ALL if "delay" not in ALL[name]]
integrators = pytest.mark.parametrize(
    "integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST], ids=["euler", "implicit", "implicitfast"]
)


def somewhere(name, integrator, cone=CONE_PYRAMIDAL):
    """Both engines in the same state, a few steps after the start."""
    mj, dj, m, d = both(ALL[name], integrator)
    mj.opt.cone = m.opt.cone = cone
    rng = np.random.default_rng(5)
    dj.qvel[:] = 0.1 * rng.normal(size=mj.nv)
    dj.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
    mujoco.mj_step(mj, dj, 5)
    oracle.copy_fields(dj, d, [*oracle.STATE, "eq_active", "history"])
    return mj, dj, m, d


def of_mujoco(mj, dj, eps, centered):
    n, ns = 2 * mj.nv + mj.na, mj.nsensordata
    result = np.zeros((n, n)), np.zeros((n, mj.nu)), np.zeros((ns, n)), np.zeros((ns, mj.nu))
    mujoco.mjd_transitionFD(mj, dj, eps, centered, *result)
    return result


def assert_close(ours, theirs, tolerance):
    """Each matrix to a tolerance of its largest number, or of 1."""
    for name, a, b in zip("ABCD", ours, theirs, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max(initial=0) < tolerance * max(1, np.abs(b).max(initial=0)), name


@integrators
@pytest.mark.parametrize("name", COMPARED)
def test_against_mujoco(name, integrator):
    mj, dj, m, d = somewhere(name, integrator)
    assert_close(sim.transition_fd(m, d, 1e-5), of_mujoco(mj, dj, 1e-5, True), 1e-6)


@pytest.mark.parametrize("name", ["polynomial", "contacts", "shortcuts", "dcmotors", "sensors"])
def test_discrete(name):
    mj, dj, m, d = somewhere(name, INT_DISCRETE)
    assert_close(sim.transition_fd(m, d, 1e-5), of_mujoco(mj, dj, 1e-5, True), 1e-6)


@pytest.mark.parametrize("name", ["contacts", "humanoid", "dynamics", "sensors"])
def test_one_sided_and_elliptic(name):
    mj, dj, m, d = somewhere(name, INT_EULER, CONE_ELLIPTIC)
    assert_close(sim.transition_fd(m, d, 1e-6, centered=False), of_mujoco(mj, dj, 1e-6, False), 1e-5)


@pytest.mark.parametrize("name", ["contacts", "humanoid", "muscles"])
def test_rk4(name):
    """MuJoCo has no differences of RK4: these are of its steps."""
    mj, dj, m, d = somewhere(name, INT_RK4)
    n, eps = 2 * mj.nv + mj.na, 1e-5
    start = np.zeros(mujoco.mj_stateSize(mj, STATE_INTEGRATION))
    mujoco.mj_getState(mj, dj, start, STATE_INTEGRATION)
    found = np.zeros((n, n))
    for c in range(n):
        ends = []
        for side in (eps, -eps):
            mujoco.mj_setState(mj, dj, start, STATE_INTEGRATION)
            if c < mj.nv:
                mujoco.mj_integratePos(mj, dj.qpos, np.eye(mj.nv)[c], side)
            elif c < 2 * mj.nv:
                dj.qvel[c - mj.nv] += side
            else:
                dj.act[c - 2 * mj.nv] += side
            mujoco.mj_step(mj, dj)
            ends.append((dj.qpos.copy(), np.hstack([dj.qvel, dj.act])))
        mujoco.mj_differentiatePos(mj, move := np.zeros(mj.nv), 2 * eps, ends[1][0], ends[0][0])
        found[:, c] = np.hstack([move, (ends[0][1] - ends[1][1]) / (2 * eps)])
    ours = sim.transition_fd(m, d, eps)
    assert np.abs(ours.A - found).max() < 1e-6 * max(1, np.abs(found).max())


def test_controls_at_and_beyond_their_ranges():
    mj, dj, m, d = somewhere("sensors", INT_EULER)
    for ctrl in ([1, -0.5, 0.1], [2, 0.5, -3], [-1, 7, 0.1 - 1e-7]):
        dj.ctrl[:] = d.ctrl[:] = ctrl
        ours, theirs = sim.transition_fd(m, d), of_mujoco(mj, dj, 1e-6, True)
        assert_close(ours, theirs, 1e-6)
    assert (ours.B[:, 1] == 0).all() and ours.B.any()


@pytest.mark.parametrize("name", ["contacts", "sensors", "humanoid", "delays"])
def test_threads_agree_and_data_is_left_alone(name):
    _, _, m, d = somewhere(name, INT_IMPLICITFAST)
    sim.forward(m, d)
    before = d.values()
    results = [sim.transition_fd(m, d, nthread=n) for n in (1, 2, 3, 2**70)]
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other, strict=True))
    after = d.values()
    assert [n for n in before if not np.array_equal(before[n], after[n], equal_nan=True)] == []


def test_more_contacts_than_there_is_room_for():
    """Copies grow as Data does."""
    bodies = "".join(
        f"<body pos='{x} {y} .1000001'><joint type='slide' axis='0 0 1'/><geom type='box' size='.1 .1 .1'/></body>"
        for x in range(6)
        for y in range(5)
    )
    xml = f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>"
    mj, dj, m, d = both(xml, INT_EULER)
    assert_close(sim.transition_fd(m, d, 1e-5), of_mujoco(mj, dj, 1e-5, True), 1e-6)


def test_sleepers_are_taken_as_awake():
    """MuJoCo refuses models that sleep."""
    boxes = "".join(f"<body pos='{k} 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for k in range(2))
    flag = "<option><flag sleep='enable'/></option>"
    m = sim.loads(f"<mujoco>{flag}<worldbody><geom type='plane' size='1 1 1'/>{boxes}</worldbody></mujoco>")
    d = sim.Data(m)
    sim.step(m, d, 100)
    assert (d.tree_asleep >= 0).all()
    asleep = sim.transition_fd(m, d)
    m.opt.enableflags = 0
    awake = sim.Data(m)
    sim.set_state(m, awake, sim.get_state(m, d, STATE_INTEGRATION), STATE_INTEGRATION)
    assert np.array_equal(asleep.A, sim.transition_fd(m, awake).A)


@pytest.mark.parametrize("bad", [{"eps": 0}, {"eps": -1e-6}, {"eps": np.nan}, {"eps": np.inf}, {"nthread": 0}])
def test_bad_arguments(bad):
    _, _, m, d = somewhere("sensors", INT_EULER)
    with pytest.raises(ValueError, match=next(iter(bad))):
        sim.transition_fd(m, d, **bad)


@pytest.mark.parametrize("name", ["time", "qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied"])
def test_a_state_that_is_not_finite_is_refused(name):
    _, _, m, d = somewhere("sensors", INT_EULER)
    for bad in (np.nan, -np.inf):
        d.write(name, bad)
        with pytest.raises(ValueError, match=f"the {name} of this state has a number that is not finite"):
            sim.transition_fd(m, d)


def test_huge_numbers_are_numbers():
    """Their sum is infinite; the step finds them too large and starts over, so that nothing matters."""
    _, _, m, d = somewhere("sensors", INT_EULER)
    d.qpos = 1e308
    assert (sim.transition_fd(m, d).A == 0).all()


def test_copies_follow_an_edit_of_what_stands_still():
    """With sleep on, what belongs to no tree is placed once: copies that are kept must not rely on that."""
    flag = "<option><flag sleep='enable'/></option>"
    floor = "<geom type='plane' size='1 1 1' pos='0 0 .1'/>"
    body = "<body pos='0 0 .199'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    m = sim.loads(f"<mujoco>{flag}<worldbody>{floor}{body}</worldbody></mujoco>")
    d = sim.Data(m)
    touching = sim.transition_fd(m, d).A
    sim.inverse_fd(m, d)
    m.geom_pos[0, 2] = -0.5
    for slopes in (sim.transition_fd, sim.inverse_fd):
        assert all(np.array_equal(a, b) for a, b in zip(slopes(m, d), slopes(m, sim.Data(m)), strict=True))
    assert not np.array_equal(sim.transition_fd(m, d).A, touching)


# ---------------------------------------------------------------- formulas


FREE = ["joints", "medium", "polynomial", "humanoid", "ball_chain", "muscles", "shortcuts", "dynamics", "tendon_fixed"]


@pytest.mark.parametrize("integrator", [INT_EULER, INT_SPRINGDAMPER], ids=["euler", "spring-damper"])
@pytest.mark.parametrize("name", FREE)
def test_formulas_against_differences(name, integrator):
    xml = (SMOOTH | DRIVEN)[name]
    mj, dj, m, d = both(xml, integrator)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    m.opt.disableflags = mj.opt.disableflags
    oracle.random_state(mj, dj, 4)
    dj.ctrl[:] = 0.3 * np.random.default_rng(4).normal(size=mj.nu)
    dj.act[:] = 0.1
    oracle.copy_fields(dj, d, oracle.STATE)
    ours, differences = sim.transition(m, d, 1e-5, sensors=False), sim.transition_fd(m, d, 1e-5)
    for a, b in zip(ours[:2], differences[:2], strict=True):
        assert np.abs(a - b).max(initial=0) < 1e-7 * max(1, np.abs(b).max(initial=0))
    assert sim.formula_error(m, d) < 1e-5
    # it is not the same thing twice
    if name in ("joints", "medium", "polynomial", "humanoid", "ball_chain"):
        assert not np.array_equal(ours.A[:, m.nv : 2 * m.nv], sim.transition_fd(m, d).A[:, m.nv : 2 * m.nv])


HELD = """
<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1" range="-20 20"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body pos=".5 0 0"><joint name="b" axis="0 1 0" frictionloss=".2" stiffness="3"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body pos=".3 0 0"><joint name="c" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 .1 0" size=".04"/></body>
      </body></body>
  </worldbody>
  <equality><joint joint1="b" joint2="c" polycoef="0 .5 .1 0 0"/></equality>
  <actuator>
    <motor joint="a"/><general joint="b" dyntype="filter" dynprm=".1" gainprm="2"/>
    <general joint="c" dyntype="integrator" gainprm="2" actearly="true"/>
  </actuator>
  <sensor><jointvel joint="a"/><jointactuatorfrc joint="b"/></sensor>
</mujoco>
"""
POSITIONS = {"positions": "they have no formulas"}


def exactly(m, integrator):
    """What the solver leaves to be done shows in differences, not in formulas."""
    m.opt.integrator, m.opt.tolerance, m.opt.iterations = integrator, 1e-14, 200


@pytest.mark.parametrize("cone", [CONE_PYRAMIDAL, CONE_ELLIPTIC], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", [INT_EULER, INT_SPRINGDAMPER], ids=["euler", "spring-damper"])
@pytest.mark.parametrize("name", ["contacts", "surfaces"])
def test_formulas_with_contacts(name, integrator, cone):
    _, _, m, d = somewhere(name, INT_EULER, cone)
    exactly(m, integrator)
    ours, differences = sim.transition(m, d, 1e-5), sim.transition_fd(m, d, 1e-5)
    assert_close(ours, differences, 1e-9)
    assert ours.differenced == POSITIONS and ours.A.shape == (2 * m.nv, 2 * m.nv)
    assert not np.array_equal(ours.A, differences.A)


@pytest.mark.parametrize("integrator", [INT_EULER, INT_SPRINGDAMPER], ids=["euler", "spring-damper"])
def test_formulas_with_limits_friction_and_equalities(integrator):
    m = sim.loads(HELD)
    exactly(m, integrator)
    d = sim.Data(m)
    d.qpos[0], d.qvel[:], d.ctrl[:], d.act[:] = 0.36, (0.3, -0.2, 1), (0.5, 0.1, -0.3), 0.2
    for speed in (0.3, -2):
        d.qvel[0] = speed
        ours, differences = sim.transition(m, d, 1e-5), sim.transition_fd(m, d, 1e-5)
        assert_close(ours, differences, 1e-9)
        # what is not differenced is not the same thing twice
        assert not np.array_equal(ours.A[:, 3:], differences.A[:, 3:]) and not np.array_equal(ours.B, differences.B)
        # sensors, and controls that act through activations, have no formula
        assert np.array_equal(ours.C, differences.C) and np.array_equal(ours.D, differences.D)
        assert np.array_equal(ours.B[:, 1:], differences.B[:, 1:])
        assert set(ours.differenced) == {"positions", "controls", "sensors"}
        assert ours.differenced["controls"].startswith("[1, 2]: no formula")
        without = sim.transition(m, d, 1e-5, sensors=False)
        assert np.array_equal(without.A, ours.A) and without.C.shape == (0, ours.A.shape[1])
        assert "sensors" not in without.differenced


def test_formulas_with_trees_that_sleep():
    box = "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    flag = "<option><flag sleep='enable'/></option>"
    m = sim.loads(f"<mujoco>{flag}<worldbody><geom type='plane' size='1 1 1'/>{box}</worldbody></mujoco>")
    d = sim.Data(m)
    sim.step(m, d, 100)
    assert (d.tree_asleep >= 0).all()
    ours = sim.transition(m, d, 1e-5)
    assert_close(ours, sim.transition_fd(m, d, 1e-5), 1e-7)
    assert ours.differenced == POSITIONS and (d.tree_asleep >= 0).all()


@pytest.mark.parametrize(
    ("change", "part", "why"),
    [
        ({"integrator": INT_IMPLICIT}, "velocities", "derivatives exist only for the integrators"),
        ({"noslip_iterations": 3}, "velocities", "noslip"),
        ({"iterations": 1, "tolerance": 0}, "controls", "did not converge"),
    ],
)
def test_why_everything_is_differenced(change, part, why):
    m = sim.loads(HELD)
    for name, value in change.items():
        setattr(m.opt, name, value)
    d = sim.Data(m)
    d.qpos[0] = 0.36
    ours, differences = sim.transition(m, d), sim.transition_fd(m, d)
    assert all(np.array_equal(a, b) for a, b in zip(ours, differences, strict=True))
    assert why in ours.differenced[part] and len(ours.differenced) == 5
    # four matrices still, and the request is the reason
    A, _, _, _ = differences
    assert np.array_equal(A, sim.transition(m, d, analytic=False).A)
    assert set(differences.differenced.values()) == {"as requested"}


def test_connects_change_with_velocities():
    _, _, m, d = somewhere("equalities", INT_EULER)
    ours = sim.transition(m, d)
    assert "connect or weld" in ours.differenced["velocities"]
    assert np.array_equal(ours.A, sim.transition_fd(m, d).A)


def with_callbacks(m, d, **functions):
    """Ours and differences while functions are called."""
    for name, function in functions.items():
        setattr(sim.callbacks, name, function)
    try:
        return sim.transition(m, d, 1e-5), sim.transition_fd(m, d, 1e-5)
    finally:
        for name in functions:
            setattr(sim.callbacks, name, None)


def test_callbacks():
    # a controller makes forces of velocities
    _, _, m, d = both(models.MEDIUM, INT_EULER)
    without = sim.transition(m, d, 1e-5)
    ours, differences = with_callbacks(m, d, control=lambda m, d: d.qfrc_applied.__setitem__(0, -100 * d.qvel[0]))
    assert np.array_equal(ours.A, differences.A) and "callbacks.control" in ours.differenced["velocities"]
    assert np.abs(ours.A - without.A).max() > 1e-3
    ours, differences = with_callbacks(m, d, passive=lambda m, d: d.qfrc_passive.__setitem__(0, -100 * d.qvel[0]))
    assert np.array_equal(ours.A, differences.A) and "callbacks.passive" in ours.differenced["controls"]
    # one that only reads changes nothing
    ours, _ = with_callbacks(m, d, sensor=lambda m, d, stage: None)
    assert ours.differenced == without.differenced == POSITIONS and np.array_equal(ours.A, without.A)


def test_actuators_of_the_user():
    """They are differenced; a motor beside them is not."""
    general = "<general joint='c' dyntype='user' actdim='1' gaintype='user' biastype='user'/>"
    start, end = HELD.index("<general"), HELD.index("</actuator>")
    m = sim.loads(HELD[:start] + general + HELD[end:])
    exactly(m, INT_EULER)
    d = sim.Data(m)
    d.qvel, d.ctrl, d.act = (0.3, -0.2, 1), (0.5, 0.1), 0.2
    ours, differences = with_callbacks(
        m, d,
        act_dyn=lambda m, d, i: d.qvel[2] - d.act[0],
        act_gain=lambda m, d, i: 2 + d.qvel[1],
        act_bias=lambda m, d, i: -0.3 * d.qvel[2],
    )  # fmt: skip
    assert_close(ours, differences, 1e-9)
    assert np.array_equal(ours.A, differences.A) and np.array_equal(ours.B[:, 1], differences.B[:, 1])
    assert not np.array_equal(ours.B[:, 0], differences.B[:, 0])
    assert set(ours.differenced) == {"positions", "velocities", "activations", "controls", "sensors"}
    assert ours.differenced["controls"].startswith("[1]:")


def test_validation():
    assert sim.max_relative_error([1, 100], [1.5, 101]) == 0.5 / 1.5
    assert sim.max_relative_error([0, 0.25], [0, 0]) == 0.25
    with pytest.raises(ValueError, match="cannot be compared"):
        sim.max_relative_error([1], [1, 2])
    _, _, m, d = somewhere("joints", INT_EULER)
    assert sim.difference_error(m, d) < 1e-5
    # on the verge of a contact a step has a kink
    m = sim.loads("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom size='.1'/>"
                  "</body></worldbody></mujoco>")  # fmt: skip
    d = sim.Data(m)
    d.qpos[2] = 0.1 + 2e-6
    assert sim.difference_error(m, d, 1e-5) > 1e-2


@pytest.mark.parametrize("speed", [0, 1e-9, 1e-3, 0.1, 1, 30])
def test_quaternions(speed):
    rng = np.random.default_rng(1)
    velocity, h = speed * rng.normal(size=3), 0.1
    wanted = np.zeros(9), np.zeros(9), np.zeros(3)
    mujoco.mjd_quatIntegrate(velocity, h, *wanted)
    assert sim.quat_integrate_derivatives is quat_integrate_derivatives
    # MuJoCo's second one is with h ω
    for ours, theirs, scale in zip(quat_integrate_derivatives(velocity, h), wanted, (1, h, 1), strict=True):
        assert np.allclose(ours.ravel(), theirs * scale, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="must have shape"):
        quat_integrate_derivatives([1, 2], h)


# ---------------------------------------------------------------- inverse dynamics


@pytest.mark.parametrize("discrete", [0, ENBL_INVDISCRETE])
@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("name", ["contacts", "motion sensors", "humanoid", "muscles", "medium"])
def test_inverse_against_mujoco(name, actuation, discrete):
    mj, dj, m, d = somewhere(name, INT_IMPLICITFAST)
    mj.opt.enableflags |= discrete
    m.opt.enableflags = mj.opt.enableflags
    mujoco.mj_forward(mj, dj)
    d.qacc = dj.qacc
    nv, ns = mj.nv, mj.nsensordata
    wanted = *(np.zeros((nv, nv)) for _ in range(3)), *(np.zeros((nv, ns)) for _ in range(3)), np.zeros((nv, mj.nC))
    mujoco.mjd_inverseFD(mj, dj, 1e-6, actuation, *wanted)
    ours = sim.inverse_fd(m, d, 1e-6, actuation)
    for name_, a, b in zip(ours._fields, ours, wanted, strict=True):
        assert np.abs(a - b).max(initial=0) < 1e-6 * max(1, np.abs(b).max(initial=0)), name_
    assert np.array_equal(d.qacc, dj.qacc)


def test_inverse_is_the_inertia_matrix_without_constraints():
    _, _, m, d = both(models.MEDIUM, INT_EULER)
    slopes = sim.inverse_fd(m, d)
    sim.forward(m, d)
    lower = np.zeros((m.nv, m.nv))
    lower[np.repeat(np.arange(m.nv), m.M_rownnz), m.M_colind] = d.M
    assert np.abs(np.tril(slopes.DfDa) - lower).max() < 1e-6
    with pytest.raises(ValueError, match="RK4"):
        m.opt.enableflags, m.opt.integrator = ENBL_INVDISCRETE, INT_RK4
        sim.inverse_fd(m, d)
