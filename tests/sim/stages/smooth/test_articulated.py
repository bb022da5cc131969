"""Deep trees: articulated bodies against M, its factor and MuJoCo; M and its factor for those who read them."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import SOL_CG
from tests import oracle

JOINTS = (
    "",
    '<joint type="ball" pos="{pos}" {rest}/>',
    '<joint axis="{axis}" pos="{pos}" {rest}/>',
    '<joint type="slide" axis="{axis}" {rest}/>',
    '<joint axis="{axis}" pos="{pos}" {rest}/><joint type="slide" axis="0 1 0" {rest}/>',
)


def deep_tree(seed: int, option: str = "") -> str:
    """A chain of 60 bodies with joints of all types and short branches; odd seeds start with a free joint."""
    rng = np.random.default_rng(seed)

    def numbers(low: float, high: float) -> str:
        return " ".join(f"{x:.3f}" for x in rng.uniform(low, high, 3))

    def body(inner: str, joint: str = "") -> str:
        rest = 'armature="{:.4f}" damping="{:.3f}" stiffness="{:.3f}"'.format(*rng.uniform(0, (0.01, 0.1, 1.0)))
        joint = joint or JOINTS[rng.integers(len(JOINTS))].format(
            pos=numbers(-0.05, 0.05), axis=numbers(0.1, 1), rest=rest
        )
        shape = f'<geom type="box" size=".03 .04 .05" pos="{numbers(-0.05, 0.05)}" contype="0" conaffinity="0"/>'
        return f'<body pos="{numbers(-0.15, 0.15)}" euler="{numbers(-40, 40)}">{joint}{shape}{inner}</body>'

    inner = ""
    for k in range(59):
        inner = body(inner + (body("", JOINTS[2].format(pos="0 0 0", axis="0 1 0", rest="")) if k % 9 == 0 else ""))
    root = body(inner, "<freejoint/>" if seed % 2 else "")
    return f"<mujoco><option {option}/><worldbody>{root}</worldbody></mujoco>"


def chain(contacts: bool, joint: str, option: str, equality: str = "") -> str:
    """60 capsules on hinges, just above the floor: bodies 1 to 60."""
    mask = 'contype="0"' if contacts else 'contype="0" conaffinity="0"'
    geom = f'<geom type="capsule" fromto="0 0 0 .07 0 0" size=".02" {mask}/>'
    links = "".join(
        f'<body name="{k + 1}" pos=".1 0 0"><joint axis="0 {k % 2} {1 - k % 2}" {joint}/>{geom}' for k in range(60)
    )
    world = f'<geom type="plane" size="9 9 1"/><body pos="0 0 .05">{links}{"</body>" * 61}'
    return f"<mujoco><option {option}/><worldbody>{world}</worldbody><equality>{equality}</equality></mujoco>"


def both(xml: str):
    """(MuJoCo's model and data, ours)"""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def relative(x, y) -> float:
    return np.abs(x - y).max() / np.abs(y).max()


@pytest.mark.parametrize("option", ["", 'integrator="RK4"', 'integrator="implicitfast"', "springdamper"])
@pytest.mark.parametrize("seed", range(3))
def test_accelerations(seed, option):
    """As from M, to the last digits; M itself, and a step that is implicit in damping, as MuJoCo's."""
    springdamper = option == "springdamper"
    mj, dj, m, d = both(deep_tree(seed, "" if springdamper else option))
    if springdamper:
        m.opt.integrator = sim.enums.INT_SPRINGDAMPER
    oracle.random_state(mj, dj, seed)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert d.inertia.pending
    acceleration = d.qacc_smooth.copy()
    full = sim.full_m(m, d)
    assert not d.inertia.pending
    # as exact as a solution can be: the residual is that of rounding
    assert np.abs(full @ acceleration - d.qfrc_smooth).max() < 1e-13 * np.abs(d.qfrc_smooth).max()
    assert relative(acceleration, np.linalg.solve(full, d.qfrc_smooth)) < 1e-10
    oracle.assert_same(d, dj, ["M", "qLD", "qLDiagInv", "qacc_smooth"], 1e-9)
    if springdamper:
        h = m.opt.timestep
        implicit = np.diag(h * m.dof_damping + h * h * m.jnt_stiffness[m.dof_jntid])
        right = d.qfrc_smooth - h * (m.jnt_stiffness[m.dof_jntid] * d.qvel)
        assert relative(d.qacc, np.linalg.solve(full + implicit, right)) < 1e-9
        return
    for _ in range(3):
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel"], 1e-9)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(
    ("contacts", "joint", "equality"),
    [
        (False, 'range="-1 1" damping=".01"', '<weld body1="60"/>'),
        (True, 'range="-9 9" frictionloss=".001"', ""),
        (True, 'range="-3 3"', '<connect body1="40" anchor=".05 0 0"/><weld body2="60" body1="world"/>'),
    ],
)
def test_rows(contacts, joint, equality, cone):
    """Newton's method finds the solution of MuJoCo's, without M; a solver that needs M has it."""
    mj, dj, m, d = both(chain(contacts, joint, f'cone="{cone}" tolerance="1e-12" iterations="100"', equality))
    dj.qvel[:] = np.random.default_rng(1).normal(size=mj.nv)
    for _ in range(4):
        mujoco.mj_step(mj, dj, 15)
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        assert d.nefc == dj.nefc > 5 and d.block.articulated and d.solver_niter[0] > 0
        oracle.assert_same(d, dj, ["qacc", "qfrc_constraint", "efc_force"], 1e-6)
    assert not contacts or d.ncon > 10
    # nobody has asked for M
    assert not d.inertia.wanted and d.inertia.pending
    m.opt.solver = SOL_CG
    sim.forward(m, d)
    assert not d.block.articulated and not d.inertia.pending
    oracle.assert_same(d, dj, ["qacc_smooth", "qLD"], 1e-8)


def test_arrays_that_a_script_keeps():
    """Whoever has read M once has it after each step; reading changes no result."""
    _, _, m, d = both(chain(True, "", ""))
    other = sim.Data(m)
    inertia, factor = d.M, d.qLD
    for _ in range(5):
        sim.step(m, d)
        sim.step(m, other)
        assert not d.inertia.pending and other.inertia.pending
        copy = other.copy()
        np.testing.assert_array_equal(inertia, copy.M)
        np.testing.assert_array_equal(factor, copy.qLD)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    d.clear()
    sim.forward(m, d)
    assert not d.inertia.pending


def test_two_trees_and_a_row_between_them():
    """Islands are solved apart; a contact of two moving bodies needs M."""
    links = chain(True, "", "")
    second = links[links.index("<body") : links.index("</worldbody>")].replace("0 0 .05", "0 2 .05")
    second = second.replace('name="', 'name="second ')
    world = f'{second}<body pos=".5 0 .14"><freejoint/><geom size=".03"/></body>'
    mj, dj, m, d = both(links.replace("</worldbody>", world + "</worldbody>"))
    seen = set()
    for _ in range(12):
        mujoco.mj_step(mj, dj, 5)
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        seen.add((int(d.nisland), bool(d.block.articulated)))
        oracle.assert_same(d, dj, ["qacc"], 1e-3)
    assert {kind for _, kind in seen} == {True, False} and max(n for n, _ in seen) > 1, seen
