"""tree_sleep.py: reasons are those of the engine's next step, countdowns are exact, tolerances just enough."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim import enums
from sim.analysis.trees.tree_sleep import FLAG, ISLANDS, NEVER, RK4, least_tolerance, tree_sleep

FLOATING = "<option gravity='0 0 0'><flag sleep='enable'/></option>"
BALLS = "".join(
    f"<body name='b{k}' pos='{k} 0 1'><freejoint/><geom size='.1' mass='1'/></body>" for k in range(8)
)  # fmt: skip
MANY = f"""<mujoco>{FLOATING}<worldbody>{BALLS}
  <body name='arm' pos='0 3 0'><joint name='elbow'/><geom size='.1'/></body>
  <body name='rail' pos='0 5 0' sleep='never'><joint type='slide'/><geom size='.1'/></body>
  <body name='ball' pos='0 7 0'><joint type='ball'/><geom size='.1' pos='.3 0 0'/></body>
</worldbody><actuator><motor joint='elbow'/></actuator>
<equality><connect body1='b6' body2='b7' anchor='.5 0 0'/></equality></mujoco>"""


def stirred(seed: int) -> tuple[sim.Model, sim.Data]:
    """Trees that are fast, slow, pushed and asleep."""
    m = sim.loads(MANY)
    d = sim.Data(m)
    rng = np.random.default_rng(seed)
    sim.step(m, d, int(rng.integers(0, 14)))
    for tree in range(m.ntree):
        dofs = slice(int(m.tree_dofadr[tree]), int(m.tree_dofadr[tree] + m.tree_dofnum[tree]))
        body, kind = int(m.tree_bodyadr[tree]), rng.integers(0, 6)
        if kind == 0:
            d.qvel[dofs] = rng.normal(size=d.qvel[dofs].shape) * 10.0 ** rng.integers(-6, 1)
        elif kind == 1:
            d.qfrc_applied[dofs.stop - 1] = 1e-9
        elif kind == 2:
            d.xfrc_applied[body, 2] = -0.0
        elif kind == 3:
            d.perturb.select, d.perturb.active = body, 1
            d.perturb.refselpos, d.perturb.refquat = d.xipos[body], d.xquat[body]
    sim.forward(m, d)
    return m, d


@pytest.mark.parametrize("seed", range(12))
def test_reasons_are_those_of_the_next_step(seed: int) -> None:
    m, d = stirred(seed)
    found = tree_sleep(m, d)
    assert not found.off
    sim.step(m, d)
    for tree in range(m.ntree):
        if d.tree_asleep[tree] < 0:
            assert found.reason[tree].tolist() == d.tree_restless[tree].tolist(), tree
        else:
            assert found.countdown[tree] in (0, 1)


@pytest.mark.parametrize("seed", range(6))
def test_countdown_is_exact(seed: int) -> None:
    m, d = stirred(seed)
    # nothing changes: what moves goes on as it does, forces stay, the joint of two is at rest
    d.qvel[36:48] = 0.0
    sim.forward(m, d)
    found = tree_sleep(m, d)
    fell = np.where(found.asleep, 0, NEVER)
    for step in range(1, 15):
        sim.step(m, d)
        fell[(d.tree_asleep >= 0) & (fell == NEVER)] = step
    # a countdown of what is pushed or fast has not begun, and does not
    assert fell.tolist() == found.countdown.tolist()
    assert {*fell.tolist()} & {*range(1, 12)}


def test_an_island_counts_as_its_last_tree() -> None:
    m = sim.loads(MANY)
    d = sim.Data(m)
    # the first of the two that are joined has counted four steps already
    sim.step(m, d, 4)
    d.tree_asleep[7] = -11
    sim.forward(m, d)
    found = tree_sleep(m, d)
    assert found.island[6] == found.island[7] >= 0
    assert found.countdown[6] == found.countdown[7] == 10
    assert found.mates(7).tolist() == [6, 7] and found.mates(0).tolist() == [0]
    sim.step(m, d, 9)
    assert (d.tree_asleep[6:8] < 0).all()
    sim.step(m, d)
    assert (d.tree_asleep[6:8] >= 0).all()


def test_speed_is_that_of_the_fastest_dof() -> None:
    m = sim.loads(MANY)
    d = sim.Data(m)
    d.qvel[0], d.qvel[4] = 1e-3, 0.5
    sim.forward(m, d)
    found = tree_sleep(m, d)
    speeds = m.dof_length[:6] * np.abs(d.qvel[:6])
    assert found.dof[0] == 4 and found.speed[0] == speeds.max() == pytest.approx(0.5 * m.dof_length[4])
    # the engine names the first one that is too fast
    assert found.obstacle[0].tolist() == [enums.AWAKE_MOVING, 0]


@pytest.mark.parametrize("speed", [0.3, 1.0, 1.01, 0.0999, 3.17e-5, 0.1, 7e-13, 99.5])
def test_tolerance_is_enough_and_hardly_more(speed: float) -> None:
    needed = least_tolerance(speed)
    assert 0.9 * needed < speed < needed
    assert float(f"{needed:.2g}") == needed


@pytest.mark.parametrize("speed", [0.0123, 0.4, 1.0])
def test_a_tree_falls_asleep_at_the_tolerance_and_not_at_nine_tenths(speed: float) -> None:
    m = sim.loads(f"<mujoco>{FLOATING}<worldbody>{BALLS}</worldbody></mujoco>")
    for factor, sleeps in ((1.0, True), (0.9, False)):
        d = sim.Data(m)
        d.qvel[1] = speed
        sim.forward(m, d)
        m.opt.sleep_tolerance = factor * least_tolerance(float(tree_sleep(m, d).speed[0]))
        sim.step(m, d, 30)
        assert (d.tree_asleep[0] >= 0) == sleeps


def test_why_nothing_sleeps() -> None:
    for option, why in (("", FLAG), ("integrator='RK4'", RK4)):
        flag = "<flag sleep='enable'/>" if why == RK4 else ""
        m = sim.loads(f"<mujoco><option {option}>{flag}</option><worldbody>{BALLS}</worldbody></mujoco>")
        d = sim.Data(m)
        sim.forward(m, d)
        found = tree_sleep(m, d)
        assert found.off == why
        assert (found.reason[:, 0] == enums.AWAKE_OFF).all() and (found.countdown == NEVER).all()
    m = sim.loads(MANY.replace("sleep='enable'", "sleep='enable' island='disable'"))
    d = sim.Data(m)
    sim.forward(m, d)
    assert tree_sleep(m, d).off == ISLANDS


def test_a_state_of_nan_has_an_answer() -> None:
    m = sim.loads(MANY)
    d = sim.Data(m)
    sim.forward(m, d)
    d.qvel[:] = np.nan
    assert tree_sleep(m, d).reason.shape == (m.ntree, 2)
