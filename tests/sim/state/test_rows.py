"""Rows of a recorded run: in any Data the run goes on from one, bit for bit; and rows that were tampered with."""

import numpy as np
import pytest

import sim
from sim.enums import ENBL_SLEEP, PERT_TRANSLATE, STATE_NOISE, STATE_RECORD, STATE_SLEEP, STATE_TRACE
from sim.script.state_vector import split_state
from tests.sim import sleep_scenes
from tests.sim.state.test_state import EVERYTHING, ROOT

STEPS = 50


def stir(k, d):
    """What a user does before step k: controls, a pull, a force, an equality, a mocap body."""
    if k == 20:
        d.ctrl[:] = 0.2
    if k == 60 and len(d.xpos) > 1:
        d.perturb.select, d.perturb.active, d.perturb.refselpos = len(d.xpos) - 1, PERT_TRANSLATE, (0.5, 0.5, 1.5)
    if k == 90:
        d.perturb.active = 0
        d.eq_active[:] = ~d.eq_active
    if k == 120:
        d.mocap_pos[:] += 0.05
        d.xfrc_applied[1:, 2] += 0.5


def watched(m, d):
    """Every number of a moment that a step depends on, and some that it shows."""
    parts = split_state(m, sim.get_state(m, d, sim.record_signature(m)), sim.record_signature(m), check=False)
    parts |= {name: d.read(name) for name in ("xpos", "geom_xmat", "actuator_force", "qacc", "sensordata")}
    return {name: np.copy(part).tobytes() for name, part in parts.items()}


def poison(d):
    """No number of Data is what it was; without actuators, nobody writes their force."""
    for name, array in [*d.arrays(), *((name, d.word(name)) for name in d.layout.scalars)]:
        if array.dtype.kind == "f" and (name != "qfrc_actuator" or d.model.nactuator):
            array.fill(np.nan)


def used(m, act, steps):
    """Data that did something else, and every number of which is poisoned."""
    d = sim.Data(m)
    for k in range(steps):
        act(k, d)
        sim.step(m, d)
    poison(d)
    return d


def goes_on(m, act, steps, moments):
    """Record a run; it goes on from rows of it, one after the other in one Data, as it did."""
    d, sig = sim.Data(m), sim.record_signature(m)
    d.noise.scale, d.noise.rate, d.noise.seed = 0.3, 0.1, (1 << 62) + 12345
    sim.trace(m, d, steps)
    wanted, slept = [], set()
    for k in range(steps):
        act(k, d)
        sim.step(m, d)
        wanted.append(watched(m, d))
        slept.add(tuple(d.tree_asleep >= 0))
    rows = d.trace.state.copy()
    other = used(m, act, steps // 2)
    for moment in moments:
        poison(other)
        sim.set_state(m, other, rows[moment], sig, check=False)
        assert sim.get_state(m, other, sig).tobytes() == rows[moment].tobytes()
        for k in range(moment + 1, min(moment + 1 + STEPS, steps)):
            act(k, other)
            sim.step(m, other)
            assert watched(m, other) == wanted[k], (moment, k)
    return slept


@pytest.mark.parametrize("name", ["delay_and_lag", "muscle_arm", "puppet", "humanoid", "servos"])
def test_a_scene_goes_on(name):
    goes_on(sim.load(ROOT / f"scenes/{name}.xml"), stir, 180, (5, 130, 59, 89, 10))


def test_every_part_of_a_state_goes_on():
    goes_on(sim.loads(EVERYTHING), stir, 180, (5, 130, 59, 89, 119))


@pytest.mark.parametrize("name", ["dominoes", "sleepers"])
def test_a_sleeping_scene_goes_on(name):
    m = sim.load(ROOT / f"scenes/{name}.xml")
    assert m.opt.enableflags & ENBL_SLEEP
    slept = goes_on(m, stir, 260, (200, 10, 150, 110, 59, 205))
    assert len(slept) > 2


@pytest.mark.parametrize("name", [name for name in sleep_scenes.SCENES if name != "dominoes"])
def test_who_sleeps_goes_on_sleeping(name):
    scene = sleep_scenes.SCENES[name]
    slept = goes_on(sim.loads(scene.xml), scene.act, 450, (400, 100, 300, 151, 399, 200, 60))
    assert len(slept) > 1


def test_sleeping_can_be_switched():
    """Rows are as wide as `sim.trace` makes them: a row without the sleep state wakes everybody."""
    m = sim.loads(sleep_scenes.PILES.xml)
    d = sim.Data(m)
    sim.trace(m, d, 400)
    sim.step(m, d, 300)
    asleep = d.trace.state[299].copy()
    assert d.ntree_awake < m.ntree and len(asleep) == sim.state_size(m, sim.record_signature(m))
    m.opt.enableflags &= ~ENBL_SLEEP
    narrow = sim.state_size(m, sim.record_signature(m))
    assert narrow == sim.state_size(m, STATE_RECORD) < len(asleep)
    # rows that are too wide for the flag have the sleep state all the same
    sim.step(m, d)
    assert np.array_equal(d.trace.state[300], sim.get_state(m, d, STATE_RECORD | STATE_SLEEP))
    sim.trace(m, d, 5)
    sim.step(m, d)
    assert d.trace.state.shape == (5, narrow)
    assert np.array_equal(d.trace.state[0], sim.get_state(m, d, STATE_RECORD))
    m.opt.enableflags |= ENBL_SLEEP
    sim.step(m, d)
    assert np.array_equal(d.trace.state[1], sim.get_state(m, d, STATE_RECORD))
    sim.set_state(m, d, asleep, sim.record_signature(m))
    assert d.ntree_awake < m.ntree
    sim.set_state(m, d, asleep[:narrow], STATE_RECORD)
    assert d.ntree_awake == m.ntree
    # what MuJoCo calls a state says nothing about it
    sim.set_state(m, d, asleep, sim.record_signature(m))
    sim.set_state(m, d, sim.get_state(m, d, STATE_TRACE), STATE_TRACE)
    assert d.ntree_awake < m.ntree


def test_rows_can_be_given():
    m = sim.loads(sleep_scenes.PILES.xml)
    d, sig = sim.Data(m), sim.record_signature(m)
    for signature in (sig, STATE_RECORD):
        rows = np.zeros((3, sim.state_size(m, signature)))
        sim.trace(m, d, rows)
        sim.step(m, d, 2)
        assert d.trace.state is rows and d.trace.count == 2
        assert np.array_equal(rows[1], sim.get_state(m, d, signature))
        assert not rows[2].any()
    for shape in ((3, 7), (3,), (3, sim.state_size(m, sig) + 1)):
        with pytest.raises(ValueError, match="rows have"):
            sim.trace(m, d, np.zeros(shape))
    assert d.trace.state is rows


@pytest.mark.parametrize("seed", [0, 1, -1, (1 << 63) - 1, -(1 << 63), 1 << 53 | 1, 1 << 32, -(1 << 32) + 3])
def test_a_seed_survives(seed):
    m = sim.loads(EVERYTHING)
    d = sim.Data(m)
    d.noise.seed = seed
    row = sim.get_state(m, d, STATE_NOISE)
    sim.check_row(m, row, STATE_NOISE)
    other = sim.Data(m)
    sim.set_state(m, other, row, STATE_NOISE)
    assert other.noise.seed == seed


# ---------------------------------------------------------------- rows that were tampered with


@pytest.fixture(scope="module")
def sleepers():
    """A pile of which some sleep, and its row."""
    m = sim.loads(sleep_scenes.PILES.xml)
    d = sim.Data(m)
    sim.step(m, d, 300)
    return m, sim.get_state(m, d, sim.record_signature(m))


def column(m, sig, name):
    """The first column of a field."""
    names = list(split_state(m, np.arange(float(sim.state_size(m, sig))), sig).items())
    return int(next(np.ravel(part)[0] for found, part in names if found == name))


@pytest.mark.parametrize("name", ["perturb.select", "perturb.active", "tree_asleep", "tree_wakecause", "tree_restless"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, 0.5, -99, 2.0**40, 1e6])
def test_a_forged_index_is_refused(sleepers, name, value):
    m, row = sleepers
    sig = sim.record_signature(m)
    sim.check_row(m, row, sig)
    forged = row.copy()
    forged[column(m, sig, name)] = value
    with pytest.raises(ValueError, match=name):
        sim.check_row(m, forged, sig)


def test_forged_sleep_cycles_are_refused(sleepers):
    m, row = sleepers
    sig = sim.record_signature(m)
    at = column(m, sig, "tree_asleep")
    trees = row[at : at + m.ntree]
    asleep = np.flatnonzero(trees >= 0)
    assert len(asleep) > 1
    forged = row.copy()
    forged[at + asleep[0]] = trees[asleep[1]]
    with pytest.raises(ValueError, match="cycles"):
        sim.check_row(m, forged, sig)


def test_rows_of_a_run_that_diverged_are_accepted(sleepers):
    m, row = sleepers
    sig = sim.record_signature(m)
    whole = ("perturb.select", "perturb.active", "tree_asleep", "tree_wakecause", "tree_restless", "noise.seed")
    parts = split_state(m, row.copy(), sig)
    bad = [np.ravel(part if name in whole else np.full(part.shape, np.nan)) for name, part in parts.items()]
    sim.check_row(m, np.concatenate(bad), sig)
    with pytest.raises(ValueError, match="numbers in this model"):
        sim.check_row(m, row[1:], sig)


@pytest.mark.parametrize("halves", [(-1, 0), (1 << 32, 0), (0, 1 << 31), (0.5, 0), (np.nan, 0), (0, np.inf)])
def test_a_forged_seed_is_refused(sleepers, halves):
    with pytest.raises(ValueError, match=r"noise\.seed"):
        sim.check_row(sleepers[0], np.array([0.1, 0.1, *halves]), STATE_NOISE)


def test_other_forgeries_are_refused():
    m = sim.loads(EVERYTHING)
    d, sig = sim.Data(m), sim.record_signature(m)
    sim.step(m, d, 10)
    row = sim.get_state(m, d, sig)
    sim.check_row(m, row, sig)
    # the index of the newest sample of a delayed control
    for name, value in (("eq_active", 2.0), ("eq_active", np.nan), ("history", np.nan), ("history", 1e300)):
        forged = row.copy()
        forged[column(m, sig, name) + (name == "history")] = value
        with pytest.raises(ValueError, match=name):
            sim.check_row(m, forged, sig)
