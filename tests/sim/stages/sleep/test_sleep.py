"""Trees fall asleep and wake as MuJoCo's do, and nothing of a tree that sleeps is computed."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import sim
from sim import enums
from sim.fields import DATA_LAYOUT
from tests import oracle
from tests.sim.sleep_scenes import SCENES, Scene, box, world
from tests.soak import sleep as soak

WHO = ("tree_asleep", "tree_awake", "body_awake", "ntree_awake", "nbody_awake", "nparent_awake", "nv_awake")
COUNTS = ("ncon", "nefc", "nisland", "nidof")
# what a tree that sleeps keeps; ten_length is not among them: MuJoCo sets it to 0 while a tendon sleeps
KEPT = (
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
    "cam_xpos",
    "cam_xmat",
    "light_xpos",
    "light_xdir",
    "subtree_com",
    "cinert",
    "cdof",
    "cvel",
    "cdof_dot",
    "crb",
    "M",
    "qLD",
    "qLDiagInv",
    "qfrc_bias",
    "qfrc_spring",
    "qfrc_damper",
    "qfrc_gravcomp",
    "qfrc_fluid",
    "qfrc_passive",
    "actuator_length",
    "actuator_velocity",
    "act_dot",
    "actuator_force",
    "qfrc_actuator",
    "qfrc_smooth",
    "qacc_smooth",
    "qacc",
    "qacc_warmstart",
    "act",
    "sensordata",
)


def engines(xml: str) -> tuple[sim.Model, sim.Data, mujoco.MjModel, mujoco.MjData]:
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return m, sim.Data(m), mj, mujoco.MjData(mj)


def ours(xml: str) -> tuple[sim.Model, sim.Data]:
    m = sim.loads(xml)
    return m, sim.Data(m)


def asleep(d: sim.Data) -> list[int]:
    return np.flatnonzero(d.tree_asleep >= 0).tolist()


def assert_same_trees(d: sim.Data, dj: mujoco.MjData, step: int) -> None:
    """Who sleeps, for how long the others have been slow, islands and contacts."""
    wrong = {n: (d.read(n), getattr(dj, n)) for n in (*WHO, *COUNTS) if np.any(d.read(n) != getattr(dj, n))}
    assert not wrong, f"step {step}: {wrong}"
    for name, count in (("body_awake_ind", d.nbody_awake), ("parent_awake_ind", d.nparent_awake)):
        assert (d.read(name)[:count] == getattr(dj, name)[:count]).all(), f"step {step}: {name}"
    if d.nisland:
        assert (d.tree_island == dj.tree_island).all(), f"step {step}: tree_island"
    assert (d.contact.geom == dj.contact.geom).all(), f"step {step}: contacts"
    assert np.abs(d.contact.dist - dj.contact.dist).max(initial=0) < 1e-6, f"step {step}: distances"


def side_by_side(scene: Scene, integrator: str = "Euler") -> tuple[sim.Data, mujoco.MjData, int, int]:
    """Both engines, compared after each step; (ours, MuJoCo's, trees that fell asleep, trees that woke)."""
    xml = scene.xml.replace("<option ", f'<option integrator="{integrator}" ')
    m, d, mj, dj = engines(xml)
    slept = woke = 0
    for step in range(scene.steps):
        before = d.tree_asleep >= 0
        scene.act(step, d)
        scene.act(step, dj)
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        assert_same_trees(d, dj, step)
        assert np.abs(d.qpos - dj.qpos).max() < 1e-6, f"step {step}: the trajectories part"
        after = d.tree_asleep >= 0
        slept += (after & ~before).sum()
        woke += (before & ~after).sum()
        if step % 97 == 0:
            oracle.assert_same(d, dj, KEPT, 1e-6)
    return d, dj, slept, woke


# ---- as MuJoCo does


@pytest.mark.parametrize(
    ("name", "slept", "woke"),
    [
        ("dominoes", 200, 20),
        ("piles", 10, 6),
        ("welds", 8, 6),
        ("finger", 4, 3),
        ("leash", 4, 4),
        ("tendons", 5, 3),
        ("crowd", 1, 3),
        ("everything", 4, 1),
    ],
)
def test_trees_sleep_and_wake_as_in_mujoco(name: str, slept: int, woke: int) -> None:
    *_, fell, rose = side_by_side(SCENES[name])
    assert fell >= slept
    assert rose >= woke


def test_for_long() -> None:
    """The slice of tests.soak.sleep that is cheap."""
    parted, slept, woke, _ = soak.run(SCENES["finger"], 1500)
    assert parted == "never"
    assert len(set(slept.split(", "))) == len(set(woke.split(", "))) == 1


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_implicit_integrators(integrator: str) -> None:
    *_, slept, _ = side_by_side(SCENES["everything"], integrator)
    assert slept >= 2


def test_the_world_s_centre_of_mass_is_followed() -> None:
    """Cameras and lights of bodies of no tree that look at a centre of mass, while some sleep and others do not.

    MuJoCo leaves them where they were when the first tree fell asleep: the referee is MuJoCo without the flag.
    """
    views = """<camera mode="trackcom"/><light mode="trackcom"/>
        <camera mode="targetbodycom" target="post" pos="2 1 3"/>
        <light mode="targetbodycom" target="post" pos="1 1 1"/>"""
    pendulum = '<body pos="1 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>'
    post = f'<body name="post"><geom size=".1" pos="0 3 1"/>{views}{pendulum}</body>'
    xml = world(f"{views}{post}{box('rest', '-2 0 .1')}")
    m, d = ours(xml)
    mj = mujoco.MjModel.from_xml_string(xml)
    mj.opt.enableflags = 0
    dj = mujoco.MjData(mj)
    for steps in (1, 100, 100):
        sim.step(m, d, steps)
        sim.forward(m, d)
        dj.qpos[:] = d.qpos
        mujoco.mj_forward(mj, dj)
        oracle.assert_same(d, dj, ("cam_xpos", "cam_xmat", "light_xpos", "light_xdir"), 1e-12)
    assert asleep(d) == [1]


def test_a_tendon_that_sleeps_keeps_its_length() -> None:
    d, dj, *_ = side_by_side(SCENES["tendons"]._replace(steps=120))
    assert asleep(d) == [0, 1, 2, 3, 4]
    assert d.ten_length[0] == pytest.approx(0.5, abs=1e-3)
    assert dj.ten_length[0] == 0


def test_new_data_is_awake() -> None:
    _, d, _, dj = engines(SCENES["finger"].xml)
    for name in WHO:
        assert np.all(d.read(name) == getattr(dj, name)), name
    assert (d.dof_awake_ind == dj.dof_awake_ind).all()


# ---- with and without


def test_until_the_first_sleep_nothing_differs() -> None:
    """The same trajectory to the last bit, and another one afterwards."""
    scene = SCENES["piles"]
    m, d = ours(scene.xml)
    free = sim.loads(scene.xml.replace('sleep="enable"', 'sleep="disable"'))
    twin = sim.Data(free)
    steps = 0
    while not asleep(d):
        scene.act(steps, d)
        scene.act(steps, twin)
        sim.step(m, d)
        sim.step(free, twin)
        steps += 1
        if not asleep(d):
            assert (d.qpos == twin.qpos).all() and (d.qvel == twin.qvel).all(), steps
    assert steps > 20
    assert (d.qpos != twin.qpos).any()


def test_switching_sleep_off_wakes_all() -> None:
    m, d, mj, dj = engines(SCENES["crowd"].xml)
    m.opt.enableflags = mj.opt.enableflags = 0
    sim.step(m, d)
    mujoco.mj_step(mj, dj)
    assert asleep(d) == []
    assert (d.tree_wakecause[:36, 0] == enums.WAKE_FLAG).all()
    assert np.abs(d.qpos - dj.qpos).max() < 1e-9


def test_switching_sleep_off_starts_every_countdown_anew() -> None:
    """As in MuJoCo, if something is asleep by then; else the countdowns are kept."""
    scene = world("".join(box(f"b{k}", f"{k} 0 .1") for k in range(3)), option='sleep_tolerance="1"')
    for steps, expected in ((5, [-6] * 3), (14, [-11] * 3)):
        m, d, mj, dj = engines(scene)
        for k in range(steps):
            if k in (7, 9):
                d.qvel[0] = dj.qvel[0] = 2 if k == 7 else 0
            sim.step(m, d)
            mujoco.mj_step(mj, dj)
        assert d.tree_asleep.tolist() == dj.tree_asleep.tolist() == ([-6] * 3 if steps == 5 else [-6, 1, 2])
        m.opt.enableflags = mj.opt.enableflags = 0
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        assert d.tree_asleep.tolist() == dj.tree_asleep.tolist() == expected


def test_rk4_knows_no_sleep_and_says_so() -> None:
    m, d = ours(world(box("a", "0 0 .1"), option='integrator="RK4"'))
    with pytest.warns(UserWarning, match="nothing sleeps with RK4"):
        sim.step(m, d, 200)
    with pytest.warns(UserWarning, match="nothing sleeps with RK4") as told:
        sim.rollout(m, [sim.get_state(m, d)] * 3, nstep=2)
    assert len(told) == 1 and told[0].filename == __file__
    assert asleep(d) == []
    m.opt.integrator = enums.INT_EULER
    sim.step(m, d, 200)
    assert asleep(d) == [0]


# ---- why


TWO = world(
    '<body name="m" mocap="true" pos="0 0 3"><geom name="m" size=".1"/></body>'
    + box("a", "0 0 .1")
    + box("b", ".5 0 .1")
    + '<body pos="2 0 1"><joint name="h" damping=".5" axis="0 1 0"/><geom size=".1" pos="0 0 -.2"/></body>',
    """<equality><weld body1="a" body2="b" active="false"/></equality>
    <tendon><fixed name="f" limited="true" range="-1 1"><joint joint="h" coef="1"/></fixed></tendon>""",
)


def resting() -> tuple[sim.Model, sim.Data]:
    m, d = ours(TWO)
    sim.step(m, d, 150)
    assert asleep(d) == [0, 1, 2]
    return m, d


def _set(field: str, index: object, value: float):
    def act(m: sim.Model, d: sim.Data) -> None:
        d.read(field)[index] = value

    return act


@pytest.mark.parametrize(
    ("act", "cause", "woken"),
    [
        (_set("qpos", 9, 0.11), (enums.WAKE_QPOS, 9), [1]),
        (_set("qvel", 7, -0.0), (enums.WAKE_QVEL, 7), [1]),
        (_set("qvel", 12, 1e-300), (enums.WAKE_QVEL, 12), [2]),
        (_set("qfrc_applied", 3, 1e-9), (enums.WAKE_QFRC, 3), [0]),
        (_set("xfrc_applied", (2, 4), -0.0), (enums.WAKE_XFRC, 2), [0]),
        (_set("eq_active", 0, True), (enums.WAKE_EQUALITY, 0), [0, 1]),
        (_set("mocap_pos", (0, 2), 0.29), (enums.WAKE_CONTACT, 1), [0]),
        (lambda m, d: sim.wake(m, d, 2), (enums.WAKE_CALL, 0), [2]),
        (lambda m, d: m.tree_sleep_policy.__setitem__(1, enums.SLEEP_NEVER), (enums.WAKE_POLICY, 0), [1]),
    ],
)
def test_what_wakes_a_tree_is_known(act, cause, woken: list[int]) -> None:
    m, d = resting()
    act(m, d)
    sim.forward(m, d)
    assert [t for t in range(3) if t not in asleep(d)] == woken
    for t in woken:
        assert tuple(d.tree_wakecause[t]) == cause
    assert (d.tree_wakecause[asleep(d), 0] == enums.WAKE_NONE).all()


def test_a_write_that_changes_nothing_wakes_nobody() -> None:
    m, d = resting()
    d.qpos[:] = d.qpos.copy()
    d.qvel[:] = 0.0
    d.xfrc_applied[:] = 0.0
    sim.step(m, d, 3)
    assert asleep(d) == [0, 1, 2]


def test_why_a_tree_is_awake_is_known() -> None:
    never = box("d", "2 0 .1", more='sleep="never"')
    m, d = ours(world(box("a", "0 0 .1") + box("b", ".5 0 .1") + box("c", ".5 0 .299") + never))
    sim.step(m, d)
    assert d.tree_restless[0].tolist() == [enums.AWAKE_WAITING, 9]
    assert d.tree_restless[3].tolist() == [enums.AWAKE_POLICY, 0]
    sim.step(m, d, 150)
    assert asleep(d) == [0, 1, 2]
    assert (d.tree_restless[:3, 0] == enums.AWAKE_ASLEEP).all()
    d.xfrc_applied[3, 5] = 1e-12
    sim.step(m, d, 100)
    assert d.tree_restless[2].tolist() == [enums.AWAKE_XFRC, 3]
    assert d.tree_restless[1].tolist() == [enums.AWAKE_ISLAND, 2]
    d.xfrc_applied[:] = 0
    d.qfrc_applied[1] = 1e-12
    sim.step(m, d, 30)
    assert d.tree_restless[0].tolist() == [enums.AWAKE_QFRC, 1]
    d.qfrc_applied[:] = 0
    d.qvel[2] = 3
    sim.step(m, d)
    assert d.tree_restless[0].tolist() == [enums.AWAKE_MOVING, 2]


# ---- by hand


def test_by_hand() -> None:
    """A tree takes its island along, loses its velocity, and sleeps on; waking it wakes them all."""
    m, d = ours(world(box("a", "0 0 .1") + box("b", "0 0 .299") + box("c", "2 0 1") + box("d", "3 0 .1")))
    sim.step(m, d, 4)
    energy = _energy(m, d)
    sim.put_to_sleep(m, d, 2)
    assert asleep(d) == [2]
    assert (d.qvel[12:18] == 0).all()
    sim.put_to_sleep(m, d, 1)
    assert asleep(d) == [0, 1, 2]
    assert d.tree_asleep[:2].tolist() == [1, 0]
    assert _energy(m, d) < energy
    height = d.qpos[16]
    sim.step(m, d, 50)
    assert d.qpos[16] == height
    energy = _energy(m, d)
    sim.wake(m, d, 0)
    assert asleep(d)[0] == 2
    sim.wake(m, d)
    assert asleep(d) == []
    assert _energy(m, d) == energy
    sim.step(m, d, 50)
    assert d.qpos[16] < height


def test_by_hand_as_far_as_it_is_allowed() -> None:
    m, d = ours(world(box("a", "0 0 .1", more='sleep="never"') + box("b", "0 0 .299") + box("c", "2 0 1")))
    for tree, what in ((0, "policy"), (1, "policy"), (3, "no tree 3"), (-1, "no tree -1")):
        with pytest.raises(ValueError, match=what):
            sim.put_to_sleep(m, d, tree)
    m.opt.disableflags |= enums.DSBL_ISLAND
    with pytest.raises(ValueError, match="islands are disabled"):
        sim.put_to_sleep(m, d, 2)
    m.opt.enableflags = 0
    with pytest.raises(ValueError, match="nothing can sleep"):
        sim.put_to_sleep(m, d, 2)
    assert asleep(d) == []


def test_after_an_edit_everything_is_looked_at_again() -> None:
    """What is fixed is placed once while trees may sleep, until all are woken."""
    m, d = ours(world(box("a", "0 0 .1") + '<body pos="1 0 0"><geom size=".1"/></body>'))
    sim.step(m, d, 100)
    m.body_pos[2] = 2, 0, 0
    sim.step(m, d)
    assert d.xpos[2, 0] == 1
    sim.wake(m, d)
    sim.step(m, d)
    assert d.xpos[2, 0] == d.geom_xpos[2, 0] == 2


# ---- asleep from the start


STACKED = world(box("a", "0 0 .1", more='sleep="init"') + box("b", "0 0 .299", more="{}"))


@pytest.mark.parametrize("policy", ["", 'sleep="allowed"', 'sleep="never"'])
def test_a_tree_that_touches_others_without_the_policy_starts_awake(policy: str) -> None:
    """With a warning that says where; the others fall asleep. The step after a reset is as in MuJoCo."""
    alone = box("c", "2 0 .1", more='sleep="init"')
    xml = STACKED.format(policy).replace("</worldbody>", f"{alone}</worldbody>")
    with pytest.warns(UserWarning, match="1 of 2 trees with sleep='init' start awake; this is the first") as caught:
        m = sim.loads(xml)
    assert "<text>:2: <body>: 'a':" in str(caught[0].message)
    mj = mujoco.MjModel.from_xml_string(xml)
    d, dj = sim.Data(m), mujoco.MjData(mj)
    for _ in range(2):
        assert d.tree_asleep.tolist() == dj.tree_asleep.tolist()
        assert asleep(d) == [2]
        for step in range(60):
            sim.step(m, d)
            mujoco.mj_step(mj, dj)
            assert d.tree_asleep.tolist() == dj.tree_asleep.tolist(), step
        sim.reset(m, d)
        mujoco.mj_resetData(mj, dj)


def test_asleep_from_the_start() -> None:
    m, d, _, dj = engines(SCENES["crowd"].xml)
    assert (d.tree_asleep == dj.tree_asleep).all()
    for _ in range(3):
        sim.step(m, d, 50)
        sim.reset(m, d)
        assert (d.tree_asleep == dj.tree_asleep).all()
        assert d.nefc == d.nisland == 0
    assert (d.copy().tree_asleep == dj.tree_asleep).all()


def test_a_bad_state_starts_over_asleep() -> None:
    m, d, *_ = engines(SCENES["crowd"].xml)
    start = d.tree_asleep.copy()
    sim.wake(m, d)
    sim.step(m, d, 5)
    d.qpos[4] = np.nan
    sim.step(m, d)
    assert d.warning.number[enums.WARN_BADQPOS] == 1
    assert asleep(d) == np.flatnonzero(start >= 0).tolist()


# ---- nothing of a tree that sleeps is computed


def test_nothing_of_a_sleeping_tree_is_computed() -> None:
    """Its fields can be poisoned, and neither are they written nor does anybody read them."""
    policies = ("", "", 'sleep="never"', "", "")
    m, d = ours(world("".join(box(f"b{k}", f"{0.5 * k:g} 0 .1", more=p) for k, p in enumerate(policies))))
    sim.step(m, d, 150)
    assert asleep(d) == [0, 1, 3, 4]
    twin = d.copy()
    still = np.flatnonzero(d.body_awake == enums.ASLEEP)
    dofs = np.setdiff1d(np.arange(m.nv), d.dof_awake_ind[: d.nv_awake])
    by_body = ("cinert", "crb", "cvel", "rne_acceleration", "rne_force")
    by_dof = ("cdof", "cdof_dot", "qLDiagInv", "qfrc_bias", "qfrc_passive", "qfrc_smooth", "qacc_smooth", "qacc_step")
    for name in by_body:
        d.read(name)[still] = np.nan
    for name in by_dof:
        d.read(name)[dofs] = np.nan
    sim.step(m, d, 20)
    sim.step(m, twin, 20)
    for name in by_body:
        assert np.isnan(d.read(name)[still]).all(), name
    for name in by_dof:
        assert np.isnan(d.read(name)[dofs]).all(), name
    assert (d.qpos == twin.qpos).all() and (d.qvel == twin.qvel).all()


# ---- a step that is undone


def test_a_step_that_finds_no_room_is_undone_with_its_sleep() -> None:
    """Buffers too small in the step in which a pile wakes, and in all others: nothing differs."""
    scene = SCENES["piles"]
    m, d = ours(scene.xml)
    twin = sim.Data(m)
    for step in range(400):
        scene.act(step, d)
        scene.act(step, twin)
        for name, size in DATA_LAYOUT.growing.items():
            if size in ("ncon", "nefc", "nisland"):
                array = d.array(name)
                d.bind(name, np.zeros((1, *array.shape[1:]), array.dtype))
        sim.step(m, d)
        sim.step(m, twin)
        for name in ("tree_asleep", "tree_wakecause", "tree_restless", "qpos", "qvel", "qacc_warmstart"):
            assert (d.read(name) == twin.read(name)).all(), (step, name)
    assert (d.tree_wakecause[:, 0] == enums.WAKE_CONTACT).any()


# ---- random worlds


def _energy(m: sim.Model, d: sim.Data) -> float:
    """Potential and kinetic energy of a state, in a Data of its own in which all are awake."""
    twin = d.copy()
    sim.wake(m, twin)
    flags = m.opt.enableflags
    m.opt.enableflags = enums.ENBL_ENERGY
    sim.forward(m, twin)
    m.opt.enableflags = flags
    return float(twin.energy.sum())


def _random_world(rng: np.random.Generator) -> str:
    places = rng.permutation(25)[:8]
    bodies = "".join(
        box(f"b{k}", f"{0.24 * (p % 5)} {0.24 * (p // 5)} {rng.uniform(0.1, 0.8)}", more=f'euler="{k} {p} 0"')
        for k, p in enumerate(places)
    )
    pairs = [rng.choice(8, 2, replace=False) for _ in range(4)]
    welds = "".join(f'<weld body1="b{a}" body2="b{b}" active="false"/>' for a, b in pairs)
    return world(bodies, f"<equality>{welds}</equality>", 'sleep_tolerance=".02"')


@pytest.mark.parametrize("seed", range(4))
def test_laws_of_sleep(seed: int) -> None:
    """No sleeping tree moves, none touches one that is awake, and neither sleeping nor waking brings energy."""
    rng = np.random.default_rng(seed)
    m, d = ours(_random_world(rng))
    slept = woke = 0
    for step in range(900):
        if step % 60 == 20:
            d.xfrc_applied[:] = 0
        if step >= 240 and step % 60 == 0:
            poke = rng.integers(3)
            if poke == 0:
                d.qvel[rng.integers(m.nv)] += rng.normal()
            elif poke == 1:
                d.eq_active[rng.integers(m.neq)] ^= True
            else:
                d.xfrc_applied[rng.integers(1, m.nbody), 2] = 100
            # waking by itself changes nothing
            energy, qpos, qvel = _energy(m, d), d.qpos.copy(), d.qvel.copy()
            sim.forward(m, d)
            assert (d.qpos == qpos).all() and (d.qvel == qvel).all()
            assert _energy(m, d) == energy
        before, qpos = d.tree_asleep >= 0, d.qpos.copy()
        sim.step(m, d)
        after = d.tree_asleep >= 0
        slept += (after & ~before).sum()
        woke += (before & ~after).sum()
        # one coordinate more than dofs for each box
        still = np.repeat(after, 6)
        assert (d.qvel[still] == 0).all()
        assert (d.qpos[np.repeat(after, 7)] == qpos[np.repeat(after, 7)]).all()
        # of two trees that touch both sleep or none, and those that sleep have just fallen asleep
        trees = m.body_treeid[m.geom_bodyid[d.contact.geom]]
        for a, b in trees[(trees >= 0).all(1)]:
            assert after[a] == after[b]
        assert not (after & before)[trees[trees >= 0]].any()
    assert slept > 10
    assert woke > 3
