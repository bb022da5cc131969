"""Rollouts: against MuJoCo and against stepping by hand, on threads and on a cluster of processes."""

import os
import signal
import threading
import time
from concurrent import futures

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import sim
from sim.enums import DSBL_SENSOR, ENBL_SLEEP, STATE_FULLPHYSICS
from sim.jit.build import cores
from tests import oracle
from tests.sim import actuator_models, models
from tests.sim.stages.constraint import scenes

CRANE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body pos=".5 0 0"><joint name="b" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
    </body>
    <body pos=".4 0 .15"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
    <body name="hand" mocap="true" pos="0 0 3"/>
  </worldbody>
  <actuator><general joint="a" dyntype="filter" dynprm=".05" gainprm="3"/><motor joint="a"/></actuator>
  <sensor><jointpos joint="a"/><jointvel joint="a"/><actuatorfrc actuator="x"/></sensor>
</mujoco>
""".replace("<motor ", '<motor name="x" ')
ALL = {"crane": CRANE, "contacts": scenes.CONTACTS, "medium": models.MEDIUM} | {
    name: actuator_models.ALL[name] for name in ("muscles", "delays")
}


def case(name, nroll=7, nstep=60, seed=1):
    """Both models, and states and controls for some rollouts."""
    mj = mujoco.MjModel.from_xml_string(ALL[name])
    rng = np.random.default_rng(seed)
    dj = mujoco.MjData(mj)
    states = np.zeros((nroll, mujoco.mj_stateSize(mj, STATE_FULLPHYSICS)))
    for state in states:
        mujoco.mj_resetData(mj, dj)
        dj.qvel[:] = 0.1 * rng.normal(size=mj.nv)
        dj.time = rng.random()
        mujoco.mj_getState(mj, dj, state, STATE_FULLPHYSICS)
    return mj, oracle.model_of(mj), states, 0.3 * rng.normal(size=(nroll, nstep, mj.nu))


def of_mujoco(mj, states, ctrls):
    nothing = mj[0].nu == 0 if isinstance(mj, list) else mj.nu == 0
    data = mujoco.MjData(mj[0] if isinstance(mj, list) else mj)
    return mujoco.rollout.rollout(mj, data, states, None if nothing else ctrls, nstep=ctrls.shape[-2])


@pytest.mark.parametrize("name", ALL)
def test_against_mujoco(name):
    mj, m, states, ctrls = case(name)
    ours, theirs = sim.rollout(m, states, ctrls), of_mujoco(mj, states, ctrls)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert oracle.error(a[:, :10], b[:, :10]) < 1e-8
        assert oracle.error(a, b) < 1e-5


def test_the_same_by_hand():
    _, m, states, ctrls = case("crane")
    found = sim.rollout(m, states, ctrls)
    for r in range(len(states)):
        d = sim.Data(m)
        sim.set_state(m, d, states[r])
        for t in range(ctrls.shape[1]):
            d.ctrl = ctrls[r, t]
            sim.step(m, d)
            assert np.array_equal(found.state[r, t], sim.get_state(m, d))
            assert np.array_equal(found.sensordata[r, t], d.sensordata)


@pytest.mark.parametrize("name", ["crane", "contacts"])
def test_threads_make_no_difference(name):
    _, m, states, ctrls = case(name, nroll=40)
    results = [sim.rollout(m, states, ctrls, nthread=n) for n in (1, 2, 3, 1)]
    for other in results[1:]:
        assert np.array_equal(results[0].state, other.state)
    # nor does what ran before
    alone = sim.rollout(m, states[17], ctrls[17])
    assert np.array_equal(alone.state[0], results[0].state[17])


def test_as_many_threads_as_the_process_may_use(monkeypatch):
    """Not as many as the machine has: a container, or taskset, may allow fewer."""
    _, m, states, ctrls = case("crane", nroll=40)
    pools, make = [], futures.ThreadPoolExecutor
    monkeypatch.setattr(futures, "ThreadPoolExecutor", lambda n, name: pools.append(n) or make(n, name))
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    sim.rollout(m, states, ctrls)
    assert pools == [3]


def test_a_model_keeps_no_more_data_than_cores():
    _, m, states, ctrls = case("crane", nroll=40)
    sim.rollout(m, states, ctrls, nthread=cores() + 5)
    assert 1 <= len(m.__dict__["idle"]) <= cores()


def test_trees_that_fall_asleep():
    """Who sleeps is no part of a state: every rollout begins with all awake, whatever slept before."""
    boxes = "".join(f"<body pos='{k} 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for k in range(3))
    flag = "<option><flag sleep='enable'/></option>"
    m = sim.loads(f"<mujoco>{flag}<worldbody><geom type='plane' size='1 1 1'/>{boxes}</worldbody></mujoco>")
    d = sim.Data(m)
    states = np.stack([sim.get_state(m, d)] * 6)
    states[::2, -3] = 4
    found = [sim.rollout(m, states, nstep=150, nthread=n).state for n in (1, 2)]
    assert np.array_equal(*found)
    sim.step(m, d, 150)
    assert (d.tree_asleep >= 0).all()
    assert np.array_equal(found[0][1, -1], sim.get_state(m, d))


def test_what_is_the_same_for_all_is_given_once():
    _, m, states, ctrls = case("crane")
    whole = sim.rollout(m, states[:1].repeat(7, 0), ctrls)
    assert np.array_equal(sim.rollout(m, states[0], ctrls).state, whole.state)
    whole = sim.rollout(m, states, ctrls[:1].repeat(7, 0))
    assert np.array_equal(sim.rollout(m, states, ctrls[0]).state, whole.state)
    whole = sim.rollout(m, states, np.zeros((5, 2)))
    assert np.array_equal(sim.rollout(m, states, nstep=5).state, whole.state)


def test_several_models():
    mj, m, states, ctrls = case("crane")
    heavy, heavy_mj = m.copy(), mujoco.MjModel.from_xml_string(CRANE)
    heavy.opt.gravity = heavy_mj.opt.gravity = [0, 0, -20]
    pick = [0, 1, 1, 0, 0, 0, 1]
    ours = sim.rollout([(m, heavy)[k] for k in pick], states, ctrls)
    theirs = of_mujoco([(mj, heavy_mj)[k] for k in pick], states, ctrls)
    assert oracle.error(ours.state, theirs[0]) < 1e-5
    assert np.array_equal(ours.state[0], sim.rollout(m, states[0], ctrls[0]).state[0])


def test_a_rollout_that_fails_stays_where_it_is():
    mj, m, states, ctrls = case("crane", nstep=12)
    ctrls[2, 3:, 1] = 1e9
    states[4, 1 + mj.nq + 2] = 1e12
    ours, theirs = sim.rollout(m, states, ctrls), of_mujoco(mj, states, ctrls)
    assert np.array_equal(ours.state[2, -1], ours.state[2, -2])
    assert oracle.error(ours.state, theirs[0]) < 1e-6


def test_more_contacts_than_there_is_room_for():
    bodies = "".join(
        f"<body pos='{x} {y} .102'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        for x in range(6)
        for y in range(5)
    )
    mj = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>"
    )
    m, state = oracle.model_of(mj), np.hstack([0, mj.qpos0, np.zeros(mj.nv)])
    ours = sim.rollout(m, state[None].repeat(3, 0), nstep=20)
    theirs = of_mujoco(mj, state[None].repeat(3, 0), np.zeros((20, 0)))
    assert oracle.error(ours.state, theirs[0]) < 1e-8


def test_progress(capsys):
    _, m, states, ctrls = case("crane")
    sim.rollout(m, states, ctrls, progress=True)
    assert "7/7" in capsys.readouterr().err
    sim.rollout(m, states, ctrls)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.update(states=a["states"][:, :-1]), r"states must be of shape \(rollouts, 24\)"),
        (lambda a: a.update(ctrls=a["ctrls"][:, :, :1]), r"ctrls must be of shape \(rollouts, steps, 2\)"),
        (lambda a: a.update(ctrls=a["ctrls"][0, 0]), "ctrls must be of shape"),
        (lambda a: a.update(ctrls=a["ctrls"][:, :0]), "ctrls must be of shape"),
        (lambda a: a.update(ctrls=a["ctrls"][:3]), r"different numbers of rollouts: \[3, 7\]"),
        (lambda a: a["ctrls"].__setitem__((2, 5, 1), np.nan), r"ctrls has a number that is not finite at \(2, 5, 1\)"),
        (lambda a: a["states"].__setitem__((3, 4), np.inf), r"states has a number that is not finite at \(3, 4\)"),
        (lambda a: a.update(ctrls=None), "without controls it must be positive"),
        (lambda a: a.update(nstep=3), "controls for 60 steps"),
        (lambda a: a.update(nthread=0), "nthread is 0"),
        (lambda a: a.update(m=[]), "no model"),
        (lambda a: a.update(m=[a["m"], sim.loads("<mujoco/>")]), "of the same size"),
    ],
)
def test_bad_input(change, message):
    _, m, states, ctrls = case("crane")
    arguments = {"m": m, "states": states, "ctrls": ctrls}
    change(arguments)
    with pytest.raises(ValueError, match=message):
        sim.rollout(**arguments)


def test_callbacks_on_several_threads():
    _, m, states, ctrls = case("crane", nroll=30, nstep=12)
    meetings = []
    meeting = threading.Barrier(3, lambda: meetings.append(True))  # of three threads, each in its first call
    here = threading.local()

    def control(m, d):
        d.ctrl[0] += np.sin(9 * d.time)

    def meet_and_control(m, d):
        if not hasattr(here, "met"):
            here.met = meeting.wait(timeout=60)
        control(m, d)

    def explode(m, d):
        # one of them, in the middle
        d.qfrc_applied[0] = 1e20 if d.qvel[0] == states[2, 1 + m.nq] else 0

    try:
        sim.callbacks.control = control
        found = [sim.rollout(m, states, ctrls, nthread=n) for n in (1, 100)]
        sim.callbacks.control = meet_and_control
        found.append(sim.rollout(m, states, ctrls, nthread=3))
        sim.callbacks.control = explode
        failed = sim.rollout(m, states, ctrls, nthread=3).state
    finally:
        sim.callbacks.control = None
    assert meetings
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))
    calm = sim.rollout(m, states, ctrls).state
    assert not np.array_equal(found[0].state, calm)
    assert (failed[2] == failed[2, 0]).all()
    assert np.array_equal(np.delete(failed, 2, 0), np.delete(calm, 2, 0))


def test_nothing_is_left_of_earlier_rollouts():
    """Data are kept from one call to the next; the model may be another by then."""
    _, m, states, ctrls = case("crane")
    sim.rollout(m, states, ctrls)

    def edit_geometry():
        m.geom_pos[0, 2] += 0.02
        m.geom_sameframe[0] = 0
        m.body_mass[1] *= 2
        sim.set_const(m)

    def switch_sensors_off():
        m.opt.disableflags |= DSBL_SENSOR

    def switch_sleep_on():
        m.opt.enableflags |= ENBL_SLEEP

    for edit in (edit_geometry, switch_sensors_off, switch_sleep_on, edit_geometry):
        edit()
        again, anew = sim.rollout(m, states, ctrls), sim.rollout(m.copy(), states, ctrls)
        assert np.array_equal(again.state, anew.state) and np.array_equal(again.sensordata, anew.sensordata)


def test_an_error_in_a_callback_ends_all():
    xml = CRANE.replace('<motor name="x" joint="a"/>', '<general name="x" joint="a" gaintype="user"/>')
    m = oracle.model_of(mujoco.MjModel.from_xml_string(xml))

    def fail(m, d, i):
        raise KeyError("broken")

    sim.callbacks.act_gain = fail
    try:
        with pytest.raises(KeyError, match="broken"):
            sim.rollout(m, np.hstack([0, m.qpos0, np.zeros(m.nv + m.na)]), np.zeros((50, 10, 2)))
    finally:
        sim.callbacks.act_gain = None


# ---------------------------------------------------------------- a cluster


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as connection,
    ):
        yield connection


def test_a_cluster_makes_no_difference(client):
    _, m, states, ctrls = case("crane", nroll=12)
    heavy = m.copy()
    heavy.opt.gravity = [0, 0, -20]
    for which in (m, [m] * 5 + [heavy] * 7):
        alone, shared = sim.rollout(which, states, ctrls), sim.rollout(which, states, ctrls, cluster=client)
        assert np.array_equal(alone.state, shared.state) and np.array_equal(alone.sensordata, shared.sensordata)


def test_a_worker_that_is_killed_costs_no_result(client):
    """It has results that nobody has fetched yet."""
    _, m, states, ctrls = case("crane", nroll=60, nstep=1000)
    alone = sim.rollout(m, states, ctrls)
    found = []
    job = threading.Thread(target=lambda: found.append(sim.rollout(m, states, ctrls, cluster=client)))
    job.start()
    while not (holders := [w for w, keys in client.has_what().items() if any("remote" in str(k) for k in keys)]):
        time.sleep(0.01)
    os.kill(client.run(os.getpid, workers=holders[:1])[holders[0]], signal.SIGKILL)
    assert job.is_alive()
    job.join()
    assert np.array_equal(alone.state, found[0].state)
