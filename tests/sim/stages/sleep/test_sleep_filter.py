"""What is computed of sleeping trees, and what wakes them, against MuJoCo 4.0: histories, tendons, energy, momentum."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import ENBL_SLEEP
from tests import oracle

# a pendulum never sleeps
WORLD = """
<mujoco>
  <option{options}><flag sleep="enable" energy="enable"{flags}/></option>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    <body name="pendulum" pos="3 0 1" sleep="never"><joint name="swing" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/>
      <site name="bob" pos=".3 0 0"/></body>
    {bodies}
  </worldbody>
  {more}
</mujoco>
"""


def world(bodies: str, more: str = "", flags: str = "", options: str = "") -> str:
    return WORLD.format(bodies=bodies, more=more, flags=flags, options=options)


def engines(xml: str) -> tuple[sim.Model, sim.Data, mujoco.MjModel, mujoco.MjData]:
    m, mj = sim.loads(xml), mujoco.MjModel.from_xml_string(xml)
    return m, sim.Data(m), mj, mujoco.MjData(mj)


def run_both(xml: str, steps: int, names: tuple[str, ...], act: Callable[[int, sim.Data | mujoco.MjData], None]) -> int:
    """Step both engines and compare fields at every step; returns how many trees slept at most, next to awake ones."""
    m, d, mj, dj = engines(xml)
    most = 0
    for step in range(steps):
        act(step, d)
        act(step, dj)
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        assert d.tree_asleep.tolist() == dj.tree_asleep.tolist(), step
        for name in names:
            assert oracle.error(d.read(name), oracle.read(dj, name)) < 1e-6, (step, name)
        most = max(most, m.ntree - d.ntree_awake)
    assert most < m.ntree
    return most


def still(step: int, d: sim.Data | mujoco.MjData) -> None:
    """Nothing is done."""


# ---- sensors with a history

BOX = '<body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><site name="box"/></body>'
HISTORIES = (
    'nsample="4"',
    'nsample="4" delay=".004"',
    'nsample="6" delay=".0073" interp="linear"',
    'nsample="3" interval=".006"',
    'nsample="5" interval=".005" delay=".011" interp="linear"',
)
KINDS = (
    '<framepos objtype="site" objname="box" {}/>',
    '<framelinvel objtype="site" objname="box" {}/>',
    '<accelerometer site="box" {}/>',
    '<touch site="box" {}/>',
    '<contact geom1="box" data="found force" {}/>',
    '<framepos objtype="site" objname="bob" {}/>',
    '<subtreeangmom body="world" {}/>',
)


@pytest.mark.parametrize("history", HISTORIES)
def test_sensors_with_a_history_do_not_sleep(history: str) -> None:
    """They go on reading and recording; without a history they keep what they said last."""
    sensors = "".join(kind.format(history) + kind.format("") for kind in KINDS)

    def push(step: int, d: sim.Data | mujoco.MjData) -> None:
        d.xfrc_applied[2, 2] = 30 * (200 <= step < 205)

    assert run_both(world(BOX, f"<sensor>{sensors}</sensor>"), 300, ("sensordata", "history"), push) == 1


@pytest.mark.parametrize("kind", ["subtreelinvel", "subtreeangmom"])
def test_what_sleeps_has_no_momentum(kind: str) -> None:
    """Also where nobody measured it again when it fell asleep."""
    sensor = f'<sensor><{kind} body="box" nsample="4" delay=".004"/></sensor>'
    assert run_both(world(BOX, sensor), 100, ("sensordata", "history"), still) == 1


# ---- tendons between two trees

SLIDE = """<body pos="{x} 1 {z}" sleep="{sleep}"><joint name="{name}" type="slide" axis="0 0 1" stiffness="900"
  damping="80"/><geom size=".1"/><site name="{name}"/></body>"""


def tendon(policies: tuple[str, str], attributes: str, flags: str = "") -> str:
    """Two sliders that a tendon connects, at the same height: along it they move only in the second order."""
    bodies = "".join(
        SLIDE.format(x=x, z=1, sleep=sleep, name=name)
        for x, (sleep, name) in enumerate(zip(policies, "uv", strict=True))
    )
    path = '<site site="u"/><site site="v"/>'
    return world(bodies, f"<tendon><spatial {attributes}>{path}</spatial></tendon>", flags)


def kick(step: int, d: sim.Data | mujoco.MjData) -> None:
    """The first slider is pushed, and later the second one gets a speed."""
    d.qfrc_applied[1] = 300 * (700 <= step < 760)
    if step == 1000:
        d.qvel[2] = 0.3


POLICIES = (("allowed", "allowed"), ("never", "allowed"), ("allowed", "never"))
FIELDS = ("qpos", "qvel", "qacc", "M", "qfrc_bias", "qfrc_constraint", "ten_velocity", "energy")


@pytest.mark.parametrize("policies", POLICIES)
@pytest.mark.parametrize(
    ("attributes", "flags"),
    [
        ('frictionloss=".5"', ""),
        ('frictionloss=".5"', ' frictionloss="disable"'),
        ('frictionloss=".5"', ' constraint="disable"'),
        ('limited="true" range="0 1.002" margin=".05"', ' limit="disable"'),
        ('armature=".5"', ""),
        ('armature=".5" frictionloss=".1"', ""),
    ],
)
def test_tendons_between_trees(policies: tuple[str, str], attributes: str, flags: str) -> None:
    """Friction wakes, unless it is disabled; armature adds nothing to the inertia and bias of dofs that sleep."""
    assert run_both(tendon(policies, attributes, flags), 1200, FIELDS, kick) >= 1


def test_friction_wakes() -> None:
    """A tendon with friction does not let one of its trees sleep for longer than a step while the other moves."""
    m, d, *_ = engines(tendon(("never", "allowed"), 'frictionloss=".5"'))
    asleep = 0
    for _ in range(400):
        sim.step(m, d)
        asleep += d.tree_asleep[2] >= 0
        assert asleep < 3 or d.tree_asleep[2] < 0
    assert asleep >= 1
    assert d.tree_wakecause[2, 0] == sim.enums.WAKE_TENDON


# ---- energy and momentum of what sleeps

SPRINGS = """
<body pos="1 0 1"><joint name="s" type="slide" axis="0 0 1" stiffness="500" springref=".1" damping="80"/>
  <geom size=".1"/></body>
<body pos="2 0 1"><joint type="ball" stiffness="50" damping="9"/><geom size=".1" pos=".2 0 0"/></body>
<body pos="-2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
"""


def test_energy_and_momentum_of_sleeping_trees() -> None:
    """Springs of sleeping joints keep their energy; sleeping bodies count in the momentum about the common centre."""
    sensors = '<sensor><subtreeangmom body="world"/><subtreelinvel body="world"/><e_potential/></sensor>'
    assert run_both(world(SPRINGS, sensors), 1200, ("energy", "sensordata", "qpos"), still) == 3


def test_springs_of_sleeping_tendons_keep_their_energy() -> None:
    """MuJoCo 4.0.0 sets the length of a sleeping tendon to 0 and counts the energy of that; here it stays."""
    stretched = '<tendon><fixed stiffness="300" springlength=".5"><joint joint="s" coef="1"/></fixed></tendon>'
    m, d, mj, dj = engines(world(SPRINGS, stretched))
    sim.step(m, d, 1200)
    mujoco.mj_step(mj, dj, 1200)
    assert d.tree_asleep[1] >= 0
    assert d.ten_length[0] != 0 == dj.ten_length[0]
    awake = d.copy()
    m.opt.enableflags &= ~ENBL_SLEEP
    sim.forward(m, awake)
    m.opt.enableflags |= ENBL_SLEEP
    sim.forward(m, d)
    assert d.energy[0] == pytest.approx(awake.energy[0], rel=1e-12)
    mujoco.mj_forward(mj, dj)
    wrong = 150 * ((0.5 - d.ten_length[0]) ** 2 - 0.5**2)
    assert d.energy[0] - dj.energy[0] == pytest.approx(wrong, rel=1e-6)


# ---- constants


def test_computing_constants_wakes_all() -> None:
    """sim.set_const with Data, as in MuJoCo; without, nobody wakes."""
    m, d, mj, dj = engines(world(BOX + SPRINGS))
    sim.step(m, d, 1200)
    mujoco.mj_step(mj, dj, 1200)
    assert d.tree_asleep.tolist() == dj.tree_asleep.tolist() == [-11, 1, 2, 3, 4]
    sim.set_const(m)
    assert d.ntree_awake == 1
    sim.set_const(m, d)
    mujoco.mj_setConst(mj, dj)
    assert d.tree_asleep.tolist() == dj.tree_asleep.tolist() == [-11] * 5
    assert d.ntree_awake == dj.ntree_awake == 5
    np.testing.assert_array_equal(d.qvel[1:], 0)
