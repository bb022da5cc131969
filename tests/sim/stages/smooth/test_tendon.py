"""Tendons against MuJoCo, field by field, and against themselves by finite differences."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import WRAP_SPHERE
from sim.jit import interpreted
from sim.mjcf.set_const.set_const import set_inertia_constants
from sim.stages.smooth.com import com_pos, subtree_coms
from sim.stages.smooth.inertia import crb, tendon_armature
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.passive import passive
from sim.stages.smooth.rne import rne, tendon_bias
from sim.stages.smooth.tendon import tendon, tendon_velocity
from sim.stages.smooth.wrapping import wrap
from tests import oracle
from tests.sim import tendon_models

SEEDS = range(10)

# stages -> fields they write; what they read is taken from MuJoCo
STAGES = {
    "tendon": ((tendon,), "ten_length ten_J ten_wrapadr ten_wrapnum"),
    "tendon_velocity": ((tendon_velocity,), "ten_velocity"),
    "tendon_armature": ((crb, tendon_armature), "crb M"),
    "passive": ((passive,), "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"),
    "tendon_bias": ((rne, tendon_bias), "qfrc_bias"),
}
INPUTS = [
    *(
        "xpos",
        "xquat",
        "xmat",
        "xipos",
        "ximat",
        "xanchor",
        "xaxis",
        "geom_xpos",
        "geom_xmat",
        "site_xpos",
        "site_xmat",
    ),
    *("subtree_com", "cinert", "cdof", "cvel", "cdof_dot"),
]
OUTPUTS = [name for _, fields in STAGES.values() for name in fields.split()]


def engines_of(xml: str):
    """(MuJoCo's model and data, ours), constraints and actuators off."""
    mj = mujoco.MjModel.from_xml_string(xml)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.fixture(params=list(tendon_models.ALL))
def engines(request):
    return engines_of(tendon_models.ALL[request.param])


def poison(d, names) -> None:
    """NaN into what is real, an impossible number into what is whole."""
    for name in names:
        field = d.read(name)
        field[...] = np.nan if field.dtype.kind == "f" else -7


def assert_same_paths(d, dj) -> None:
    """The points that paths have, and what they lie on; the rest of the arrays is not in use."""
    n = int(dj.ten_wrapnum.sum())
    assert d.wrap_obj.ravel()[:n].tolist() == dj.wrap_obj.ravel()[:n].tolist()
    assert oracle.error(d.wrap_xpos.reshape(-1, 3)[:n], dj.wrap_xpos.reshape(-1, 3)[:n]) < 1e-10


@pytest.mark.parametrize("stage", STAGES)
def test_stage_alone(engines, stage):
    mj, dj, m, d = engines
    kernels, names = STAGES[stage]
    for seed in SEEDS:
        oracle.random_state(mj, dj, seed)
        mujoco.mj_forward(mj, dj)
        outputs = names.split()
        oracle.copy_fields(dj, d, [*oracle.STATE, *INPUTS, *(n for n in OUTPUTS if n not in outputs)])
        poison(d, [*outputs, "tendon_arm", "wrap_obj", "wrap_xpos"])
        for kernel in kernels:
            kernel(m, d)
        oracle.assert_same(d, dj, outputs)
        if stage == "tendon":
            assert_same_paths(d, dj)


@pytest.mark.parametrize("flags", ["", "SPRING", "DAMPER", "SPRING DAMPER"])
def test_forward_and_steps(engines, flags):
    mj, dj, m, d = engines
    oracle.disable(mj, flags.split())
    m.opt.disableflags = mj.opt.disableflags
    oracle.random_state(mj, dj, 3)
    oracle.copy_fields(dj, d, oracle.STATE)
    names = [*OUTPUTS, "energy", "qfrc_smooth", "qacc_smooth"]
    poison(d, names)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, names, 1e-9)
    mujoco.mj_step(mj, dj, 5)
    sim.step(m, d, 5)
    oracle.assert_same(d, dj, ["qpos", "qvel"], 1e-8)


def test_every_kind_of_path_is_taken(engines):
    """Over the random states above, each geom is wrapped in some and left alone in others."""
    mj, dj, _, _ = engines
    wrapped = []
    for seed in range(40):
        oracle.random_state(mj, dj, seed)
        mujoco.mj_forward(mj, dj)
        wrapped.append((dj.wrap_obj.ravel()[: dj.ten_wrapnum.sum()] >= 0).sum())
    if (mj.wrap_type >= WRAP_SPHERE).any():
        assert max(wrapped) > min(wrapped)


@pytest.mark.parametrize("name", tendon_models.ALL)
def test_constants(name):
    """What the compiler leaves to the engine at qpos0, and at qpos_spring where springs rest by themselves."""
    mj, m = mujoco.MjModel.from_xml_string(tendon_models.ALL[name]), sim.loads(tendon_models.ALL[name])
    names = ["tendon_length0", "tendon_lengthspring", "tendon_invweight0", "dof_invweight0", "body_invweight0"]
    names += ["dof_M0", "stat.meaninertia"]
    wrong = {n: e for n in names if (e := oracle.error(m.read(n), oracle.read(mj, n))) > 1e-9}
    assert not wrong


def test_a_tendon_that_nothing_moves():
    """Length and spring of a thread between two sites of the world, without any dof."""
    mj = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><site name='a'/><site name='b' pos='1 2 3'/></worldbody>"
        "<tendon><spatial><site site='a'/><site site='b'/></spatial></tendon></mujoco>"
    )
    m = oracle.model_of(mj)
    m.tendon_length0[:], m.tendon_invweight0[:], m.tendon_lengthspring[:] = 0, 7, -1
    set_inertia_constants(m)
    assert m.tendon_length0 == pytest.approx(14**0.5)
    assert m.tendon_lengthspring == pytest.approx(14**0.5)
    assert m.tendon_invweight0 == mj.tendon_invweight0 == 0
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.ten_length == pytest.approx(14**0.5)


# ---------------------------------------------------------------- degenerate paths


def two_sites(first: str, second: str, side: str = "", kind: str = "cylinder", radius: float = 0.1) -> str:
    """Two sites that slide in space, on either side of a geom at the origin."""
    slides = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
    return f"""<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>
      <geom name="g" type="{kind}" size="{radius} .2"/><site name="side" pos="{side or "0 0 0"}"/>
      <body pos="{first}">{slides}<geom size=".01"/><site name="a"/></body>
      <body pos="{second}">{slides}<geom size=".01"/><site name="b"/></body></worldbody>
      <tendon><spatial><site site="a"/><geom geom="g" {"sidesite='side'" if side else ""}/><site site="b"/></spatial>
      <spatial><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""


DEGENERATE = {
    "through the centre": ("-.5 0 0", ".5 0 0", "", "sphere"),
    "through the centre, sided": ("-.5 0 0", ".5 0 0", "0 .3 0", "sphere"),
    "through the axis": ("-.5 0 .1", ".5 0 -.1", "", "cylinder"),
    "both at one point": (".3 0 0", ".3 0 0", "", "sphere"),
    "both at one point, sided": (".3 0 0", ".3 0 0", "-.3 0 0", "cylinder"),
    "both at the centre": ("0 0 0", "0 0 0", "", "sphere"),
    "one at the centre": ("0 0 0", ".3 0 0", "", "cylinder"),
    "one within": (".05 0 0", ".3 .1 0", "", "cylinder"),
    "on one ray": (".2 0 0", ".4 0 0", "-.3 0 0", "sphere"),
    "on one ray, inside": (".2 0 0", ".4 0 0", "0 0 .01", "sphere"),
    "on one ray along z": ("0 0 .2", "0 0 .4", "-.3 0 0", "sphere"),
    "on one ray along y": ("0 .2 0", "0 .4 0", "-.3 0 0", "sphere"),
    "opposite, inside": ("-.2 0 0", ".4 0 0", "0 0 .01", "sphere"),
    "above each other": (".3 .1 -.4", ".3 .1 .4", "-.3 0 0", "cylinder"),
    "on the axis": ("0 0 -.4", "0 0 .4", "", "cylinder"),
    "on the surface": ("-.1 0 0", ".1 .1 0", "", "cylinder"),
    "grazing": ("-.5 .1 0", ".5 .1 0", "", "cylinder"),
    "the side site on the axis": ("-.5 .15 0", ".5 .2 0", "0 0 .5", "cylinder"),
    "inside, nearly touching": ("-.101 0 0", "0 .101 0", "0 0 .01", "cylinder"),
    "inside, far away": ("-50 1 0", "40 3 0", "0 0 .01", "cylinder"),
    "inside, close together": (".2 .05 0", ".2 .050001 0", "0 0 .01", "sphere"),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_paths(case):
    """Length, moment arms and path are MuJoCo's where a direction or a choice is hardly defined, and finite."""
    mj, dj, m, d = engines_of(two_sites(*DEGENERATE[case]))
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert np.isfinite(d.ten_length).all()
    assert np.isfinite(d.ten_J).all()
    oracle.assert_same(d, dj, ["ten_length", "ten_J", "ten_wrapnum"], 1e-7)
    assert_same_paths(d, dj)


def test_no_radius():
    mj, dj, m, d = engines_of(two_sites("-.5 0 0", ".5 .1 0"))
    mj.geom_size[0, 0] = m.geom_size[0, 0] = 0.0
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, ["ten_length", "ten_J"])
    assert d.ten_wrapnum.tolist() == [2, 2]


# ---------------------------------------------------------------- without the oracle


def lengths(m, d) -> np.ndarray:
    for stage in (kinematics, subtree_coms, com_pos, tendon):
        stage(m, d)
    return np.array(d.ten_length)


def dense_jacobian(m, d) -> np.ndarray:
    dense = np.zeros((m.ntendon, m.nv))
    for t in range(m.ntendon):
        row = slice(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t])
        dense[t, m.ten_J_colind[row]] = d.ten_J[row]
    return dense


def difference_jacobian(mj, m, d, step: float = 1e-6) -> tuple[np.ndarray, np.ndarray]:
    """(central differences of lengths, whether a tendon keeps one kind of path over all of them)."""
    start = np.array(d.qpos)
    result, steady = np.zeros((m.ntendon, m.nv)), np.ones(m.ntendon, bool)
    lengths(m, d)
    kind = np.array(d.ten_wrapnum)
    for v in range(m.nv):
        for sign in (1, -1):
            q = start.copy()
            mujoco.mj_integratePos(mj, q, np.eye(m.nv)[v], sign * step)
            d.qpos = q
            result[:, v] += sign * lengths(m, d) / (2 * step)
            steady &= d.ten_wrapnum == kind
    d.qpos = start
    return result, steady


def test_moment_arms_are_derivatives_of_lengths(engines):
    """Inside wrapping stops short of the shortest path, as in MuJoCo: its moment arms are only nearly derivatives."""
    mj, dj, m, d = engines
    inside = any(
        mj.wrap_type[w] >= WRAP_SPHERE
        and mj.wrap_prm[w] >= 0
        and np.linalg.norm(mj.site_pos[int(mj.wrap_prm[w])]) < 0.1
        for w in range(mj.nwrap)
    )
    for seed in range(3):
        oracle.random_state(mj, dj, seed)
        oracle.copy_fields(dj, d, oracle.STATE)
        numeric, steady = difference_jacobian(mj, m, d)
        lengths(m, d)
        assert steady.sum() >= m.ntendon - 2
        assert np.allclose(dense_jacobian(m, d)[steady], numeric[steady], atol=2e-4 if inside else 1e-7)


@pytest.mark.parametrize("distance", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
def test_moment_arms_near_singular_points(distance, kind):
    """Grazing the surface, starting on it, and two sites that nearly coincide: derivatives still."""
    cases = [
        ("-.5 {0} 0", ".5 {0} 0", 0.1 - distance),
        ("{0} 0 0", ".3 .4 .1", -0.1 - distance),
        (".3 {0} 0", ".3 0 0", distance),
    ]
    for first, second, number in cases:
        mj, _, m, d = engines_of(two_sites(first.format(number), second.format(number), "", kind))
        numeric, steady = difference_jacobian(mj, m, d, distance * 1e-4)
        lengths(m, d)
        assert steady.all()
        assert np.allclose(dense_jacobian(m, d), numeric, atol=1e-6)


def test_wrapped_length_is_a_great_circle():
    """Opposite points, equally far from the centre of a sphere: two tangents and the arc between them."""
    r, far = 0.1, 0.3
    identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    on, first, last = wrap((-far, 0.0, 0.0), (far, 0.0, 0.0), True, (0.0, 1.0, 0.0), (0.0,) * 3, identity, r, False)
    assert on == pytest.approx(r * (np.pi - 2 * np.arccos(r / far)))
    for point in (first, last):
        assert np.linalg.norm(point) == pytest.approx(r)
        assert point[1] > 0
    tangent = np.subtract(first, (-far, 0, 0))
    assert tangent @ first == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(tangent) == pytest.approx((far**2 - r**2) ** 0.5)


def test_helix_is_straight_when_unrolled():
    """The thread on a cylinder climbs evenly over its whole way."""
    identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    a, b, r = np.array([-0.3, 0.05, -0.2]), np.array([0.4, -0.02, 0.5]), 0.1
    on, first, last = wrap(tuple(a), tuple(b), True, (0.0, 1.0, 0.0), (0.0,) * 3, identity, r, True)
    pieces = [
        (np.subtract(first, a)[:2], first[2] - a[2]),
        (None, last[2] - first[2]),
        (b[:2] - last[:2], b[2] - last[2]),
    ]
    flat = [np.linalg.norm(p) if p is not None else (on**2 - h**2) ** 0.5 for p, h in pieces]
    slopes = [h / f for f, (_, h) in zip(flat, pieces, strict=True)]
    assert slopes == pytest.approx([slopes[0]] * 3)


def test_length_is_symmetric():
    """A path and its reverse are equally long, and their touching points are the same."""
    rng = np.random.default_rng(0)
    identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    touched = 0
    for _ in range(200):
        a, b, side = (tuple(map(float, rng.normal(size=3))) for _ in range(3))
        for cylinder in (False, True):
            for sided in (False, True):
                there = wrap(a, b, sided, side, (0.0,) * 3, identity, 0.4, cylinder)
                back = wrap(b, a, sided, side, (0.0,) * 3, identity, 0.4, cylinder)
                assert there[0] == pytest.approx(back[0], abs=1e-12)
                if there[0] >= 0:
                    touched += 1
                    assert np.allclose(there[1], back[2], atol=1e-9)
                    assert np.allclose(there[2], back[1], atol=1e-9)
    assert touched > 100


def test_interpreted_equals_compiled(engines):
    """Constants are computed as plain Python, so that loading never compiles."""
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 1)
    oracle.copy_fields(dj, d, oracle.STATE)
    native = lengths(m, d), np.array(d.ten_J)
    with interpreted():
        plain = lengths(m, d), np.array(d.ten_J)
    for a, b in zip(native, plain, strict=True):
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("name", "inert"), [("sites", [2]), ("fixed", [0, 1])])
def test_energy_of_springs_and_inertia_is_kept(name, inert):
    """Undamped, the error of the energy is of the first order of the timestep; it was exchanged on the way."""
    drift = []
    for timestep in (2e-5, 1e-5):
        mj, dj, m, d = engines_of(tendon_models.ALL[name])
        m.opt.timestep = timestep
        m.tendon_damping[:] = m.tendon_dampingpoly[:] = m.actuator_damping[:] = m.actuator_dampingpoly[:] = 0
        # M has no room for coupling between branches: inertia of tendons across them would upset the balance
        across = np.setdiff1d(np.arange(m.ntendon), inert)
        m.tendon_armature[across] = 0
        m.tendon_actuatorid[across] = -1
        oracle.random_state(mj, dj, 2)
        oracle.copy_fields(dj, d, ["qpos", "qvel"])
        sim.forward(m, d)
        before = np.array(d.energy)
        sim.step(m, d, round(0.1 / timestep))
        sim.forward(m, d)
        exchanged = abs(d.energy - before).max()
        assert exchanged > 1
        drift.append((d.energy.sum() - before.sum()) / exchanged)
    assert abs(drift[1]) < 1e-3
    assert drift[0] / drift[1] == pytest.approx(2, rel=0.02)


def test_a_picture_shows_the_paths(engines):
    """Placed without native code, tendons are where they are drawn."""
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 1)
    mujoco.mj_forward(mj, dj)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.place(m, d)
    assert d.ten_wrapadr.tolist() == dj.ten_wrapadr.tolist()
    assert_same_paths(d, dj)
