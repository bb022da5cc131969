"""What contact dynamics must obey, without a referee: momentum, friction, cones, islands, and the same again."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL, DSBL_ISLAND, SOL_CG, SOL_NEWTON, SOL_PGS
from tests import oracle
from tests.sim.contact_scenes import SCENES

ROOT = Path(__file__).parents[3]
CONES = {"pyramidal": CONE_PYRAMIDAL, "elliptic": CONE_ELLIPTIC}
SOLVERS = {"newton": SOL_NEWTON, "cg": SOL_CG, "pgs": SOL_PGS}
cones = pytest.mark.parametrize("cone", CONES.values(), ids=CONES)
solvers = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)


def moving(name, steps, **options):
    """A scene after some steps with noisy controls; options are set at the end."""
    m = sim.loads(SCENES[name])
    d = sim.Data(m)
    rng = np.random.default_rng(1)
    for _ in range(steps // 10):
        d.ctrl = rng.normal(size=m.nu)
        sim.step(m, d, 10)
    d.qvel += 0.05 * rng.normal(size=m.nv)
    for option, value in options.items():
        setattr(m.opt, option, value)
    return m, d


# ---------------------------------------------------------------- islands

# scenes that fall apart into several islands, in a state with and one without much motion
APART = [(name, steps) for name in ("zoo", "pile12", "rolling", "explicit", "rows_contacts") for steps in (40, 200)]
APART += [(name, 60) for name in ("plane_box", "plane_cylinder", "no_limit", "no_filterparent", "cylinder_box")]
APART += [(f"condim{n}_{cone}", steps) for n in (1, 4, 6) for cone in CONES for steps in (120, 300)]
APART += [("impratio", 150), ("margin", 150), ("soft", 150)]


@pytest.mark.parametrize(("name", "steps"), APART)
def test_islands_and_one_block_agree(name, steps):
    m, d = moving(name, steps, tolerance=0.0, ls_tolerance=1e-10, iterations=200)
    sim.forward(m, d)
    assert d.nisland > 1
    apart = d.qacc.copy(), d.efc_force.copy()
    m.opt.disableflags |= DSBL_ISLAND
    sim.forward(m, d)
    assert d.nisland == 0
    assert oracle.error(d.qacc, apart[0]) < 1e-10
    assert oracle.error(d.efc_force, apart[1]) < 1e-10


def test_thirty_scenes():
    assert len(APART) == 30


@cones
def test_solvers_agree(cone):
    """Each by its own way to the same acceleration; Gauss-Seidel only where constraints are planes, as in MuJoCo."""
    found = []
    for solver in SOLVERS.values():
        m, d = moving("condim4_elliptic", 200, cone=cone, solver=solver, tolerance=1e-14, iterations=20000)
        sim.forward(m, d)
        found.append(d.qacc.copy())
    assert oracle.error(found[1], found[0]) < 1e-6
    if cone == CONE_PYRAMIDAL:
        assert oracle.error(found[2], found[0]) < 1e-5


# ---------------------------------------------------------------- action and reaction

CLOUD = """
<mujoco><option gravity="0 0 0" timestep=".001" cone="{}"/>
  <default><geom condim="6" friction="1 .05 .01"/></default>
  <worldbody>
    <body><freejoint/><geom type="box" size=".2 .1 .15"/></body>
    <body pos=".5 .05 .02"><freejoint/><geom type="cylinder" size=".15 .1" euler="20 30 0"/></body>
    <body pos="-.4 .1 0"><freejoint/><geom type="capsule" size=".1 .2" euler="50 0 0"/></body>
    <body pos="0 .4 .1"><freejoint/><geom size=".15" density="3000"/></body>
    <body pos="0 -.4 0"><freejoint/><geom type="ellipsoid" size=".2 .1 .15"/></body>
  </worldbody>
</mujoco>
"""


def forces_and_torques(m, d):
    """What the rows do to all free bodies together: force, and torque about the origin."""
    wrench = d.qfrc_constraint.reshape(-1, 6)
    force = wrench[:, :3]
    torque = np.einsum("bij,bj->bi", d.xmat[1:].reshape(-1, 3, 3), wrench[:, 3:])
    return force.sum(0), (torque + np.cross(d.xpos[1:], force)).sum(0)


@cones
def test_momentum_and_the_third_law(cone):
    m = sim.loads(CLOUD.format(next(k for k, v in CONES.items() if v == cone)))
    d = sim.Data(m)
    # all fly to the middle
    d.qvel.reshape(-1, 6)[:, :3] = -4 * d.qpos.reshape(-1, 7)[:, :3]
    d.qvel.reshape(-1, 6)[:, 3:] = np.random.default_rng(0).normal(size=(m.nbody - 1, 3))
    before = m.body_mass[1:] @ d.qvel.reshape(-1, 6)[:, :3]
    hits = 0
    for _ in range(40):
        sim.step(m, d, 10)
        sim.forward(m, d)
        force, torque = forces_and_torques(m, d)
        scale = np.abs(d.qfrc_constraint).max() + 1.0
        assert np.abs(force).max() < 1e-12 * scale
        assert np.abs(torque).max() < 1e-12 * scale
        hits += d.ncon
    after = m.body_mass[1:] @ d.qvel.reshape(-1, 6)[:, :3]
    assert hits > 20
    assert after == pytest.approx(before, abs=1e-10)


# ---------------------------------------------------------------- friction


def contact_force(d, c):
    """Force of a contact in its frame, normal first."""
    first, dim = d.contact.efc_address[c], d.contact.dim[c]
    return d.efc_force[first : first + dim]


@solvers
@pytest.mark.parametrize("dim", [1, 3, 4, 6])
def test_forces_are_inside_their_cones(dim, solver):
    m, d = moving(f"condim{dim}_elliptic", 200, solver=solver, iterations=50)
    sim.forward(m, d)
    assert d.ncon > 3
    for c in np.flatnonzero(d.contact.efc_address >= 0):
        normal, *friction = contact_force(d, c)
        size = np.linalg.norm(friction / d.contact.friction[c, : len(friction)])
        assert normal >= 0
        assert size <= normal * (1 + 1e-9) + 1e-9


@solvers
def test_edges_of_pyramids_only_push(solver):
    m, d = moving("condim4_pyramidal", 200, solver=solver, iterations=50)
    sim.forward(m, d)
    rows = d.efc_force[d.ne + d.nf :]
    assert len(rows) > 10
    assert rows.min() >= 0


def slide(slope, cone, friction=0.5):
    """(speed at the end, what the textbook says) of a box that starts at rest on a slope, after half a second."""
    m = sim.loads(
        f"""<mujoco><option cone="{cone}" impratio="10"/><worldbody>
        <geom type="plane" size="9 9 1" euler="0 {slope} 0" friction="{friction}"/>
        <body euler="0 {slope} 0"><freejoint/><geom type="box" size=".1 .1 .02" pos="0 0 .02" friction="{friction}"/>
        </body></worldbody></mujoco>"""
    )
    d = sim.Data(m)
    sim.step(m, d, 250)
    angle = np.radians(slope)
    return np.linalg.norm(d.qvel[:3]), 9.81 * 0.5 * (np.sin(angle) - friction * np.cos(angle))


@pytest.mark.parametrize("cone", CONES)
def test_friction_angle(cone):
    """A box slips on slopes steeper than atan(friction), 26.6 degrees, and stays on others."""
    assert slide(25, cone)[0] < 0.01
    for slope in (29, 40):
        speed, textbook = slide(slope, cone)
        assert speed == pytest.approx(textbook, rel=0.05)


# ---------------------------------------------------------------- the same again


def trajectory_hash(seed: int) -> str:
    """All bits of the states of a heap that is driven at random."""
    m = sim.loads(SCENES["condim4_elliptic"])
    d = sim.Data(m)
    rng = np.random.default_rng(seed)
    digest = hashlib.sha256()
    for _ in range(30):
        d.ctrl = rng.normal(size=m.nu)
        sim.step(m, d, 10)
        for name in ("qpos", "qvel", "act", "qacc", "efc_force", "contact.pos"):
            digest.update(np.ascontiguousarray(d.read(name)).tobytes())
    return digest.hexdigest()


def test_the_same_seed_gives_the_same_bits():
    here = trajectory_hash(7)
    assert trajectory_hash(7) == here
    assert trajectory_hash(8) != here
    code = "from tests.sim.pipeline.test_contact_laws import trajectory_hash; print(trajectory_hash(7))"
    there = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here
