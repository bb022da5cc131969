"""States as vectors and files, recordings, noise on the controls, and steps in halves."""

import errno
import hashlib
import io
import os
import secrets
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import (
    PERT_TRANSLATE,
    STAGE_POS,
    STAGE_VEL,
    STATE_CTRL,
    STATE_FULLPHYSICS,
    STATE_INTEGRATION,
    STATE_PHYSICS,
    STATE_QPOS,
    STATE_QVEL,
    STATE_TIME,
    STATE_USER,
    WARN_BADQACC,
)
from sim.fields import DATA
from tests import oracle
from tests.sim import models, sleep_scenes

ROOT = Path(__file__).parents[3]
# every part of a state: activations, delays, equalities, mocap bodies, user data
EVERYTHING = """
<mujoco>
  <size nuserdata="3"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="hand" mocap="true" pos="0 0 2"><geom size=".1" contype="0" conaffinity="0"/></body>
    <body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body name="tip" pos=".5 0 0"><joint name="b" type="ball"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
    </body>
    <body name="box" pos="1 0 .3"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="box" active="false"/><joint joint1="a" polycoef="0 1 0 0 0"/></equality>
  <actuator>
    <general joint="a" dyntype="filter" dynprm=".1" gainprm="2" ctrllimited="true" ctrlrange="-1 3"/>
    <motor joint="a" delay=".01" nsample="6"/>
  </actuator>
  <keyframe><key time="2" qpos="1 1 0 0 0 0 0 1 1 0 0 0" ctrl=".1 .2"/><key/></keyframe>
</mujoco>
"""
TWO_BOXES = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="0 0 .6"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
SIGNATURES = [1 << k for k in range(14)] + [STATE_PHYSICS, STATE_FULLPHYSICS, STATE_USER, STATE_INTEGRATION, 5, 0]


def both(xml):
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def shuffled(mj, dj, seed=1):
    """A state in which every number is its own."""
    rng = np.random.default_rng(seed)
    size = mujoco.mj_stateSize(mj, STATE_INTEGRATION)
    mujoco.mj_setState(mj, dj, rng.normal(size=size), STATE_INTEGRATION)
    dj.eq_active[:] = [1, 0]
    state = np.zeros(size)
    mujoco.mj_getState(mj, dj, state, STATE_INTEGRATION)
    return state


def digest(d):
    return hashlib.sha256(b"".join(d.read(n).tobytes() for n in ("qpos", "qvel", "act", "qacc"))).hexdigest()


# ---------------------------------------------------------------- vectors


@pytest.mark.parametrize("sig", SIGNATURES)
def test_parts_are_those_of_mujoco(sig):
    mj, dj, m, d = both(EVERYTHING)
    assert sim.state_size(m, sig) == mujoco.mj_stateSize(mj, sig)
    state = shuffled(mj, dj)
    sim.set_state(m, d, state, STATE_INTEGRATION)
    wanted = np.zeros(mujoco.mj_stateSize(mj, sig))
    mujoco.mj_getState(mj, dj, wanted, sig)
    assert np.array_equal(sim.get_state(m, d, sig), wanted)
    assert np.array_equal(sim.extract_state(m, state, STATE_INTEGRATION, sig), wanted)
    mujoco.mj_setState(mj, dj, -wanted, sig)
    sim.set_state(m, d, -wanted, sig)
    for name in ("time", "qpos", "qvel", "act", "history", "ctrl", "mocap_pos", "eq_active", "userdata"):
        assert np.array_equal(d.read(name), getattr(dj, name)), name


def test_a_restored_state_continues_bit_for_bit():
    _, _, m, d = both(EVERYTHING)
    d.ctrl = [0.3, 0.2]
    sim.step(m, d, 200)
    state = sim.get_state(m, d, STATE_INTEGRATION)
    twin = d.copy()
    other = sim.Data(m)
    sim.set_state(m, other, state, STATE_INTEGRATION)
    for data in (d, twin, other):
        sim.step(m, data, 100)
    assert d.ncon > 0
    assert digest(d) == digest(twin) == digest(other)


@pytest.mark.parametrize(
    ("state", "sig", "message"),
    [
        (np.zeros(3), STATE_FULLPHYSICS, "has .* numbers in this model, not shape"),
        (np.zeros((2, 2)), STATE_FULLPHYSICS, "not shape"),
        (np.full(11 + 1, np.nan), STATE_QPOS, "qpos of this state has a number that is not finite"),
        (np.zeros(3), 1 << 18, "not a state signature"),
        (np.zeros(3), -1, "not a state signature"),
    ],
)
def test_bad_states_change_nothing(state, sig, message):
    _, _, m, d = both(EVERYTHING)
    d.qpos = m.key_qpos[0]
    before = sim.get_state(m, d, STATE_INTEGRATION)
    with pytest.raises(ValueError, match=message):
        sim.set_state(m, d, state, sig)
    assert np.array_equal(sim.get_state(m, d, STATE_INTEGRATION), before)


def test_a_state_that_is_not_finite_is_put_back_if_it_is_wanted():
    _, _, m, d = both(EVERYTHING)
    wanted = sim.get_state(m, d, STATE_INTEGRATION)
    wanted[1] = np.nan
    sim.set_state(m, d, wanted, STATE_INTEGRATION, check=False)
    assert np.array_equal(sim.get_state(m, d, STATE_INTEGRATION), wanted, equal_nan=True)
    with pytest.raises(ValueError, match="numbers in this model"):
        sim.set_state(m, d, wanted[1:], STATE_INTEGRATION, check=False)


def test_data_of_another_model_is_refused():
    _, _, m, d = both(EVERYTHING)
    _, _, _, other = both(models.JOINTS)
    with pytest.raises(ValueError, match="another model"):
        sim.get_state(m, other)
    with pytest.raises(ValueError, match="another model"):
        sim.set_state(m, other, sim.get_state(m, d))
    before = other.values()
    for use in (
        sim.step,
        sim.forward,
        sim.inverse,
        sim.transition_fd,
        lambda m, d: sim.ray(m, d, (0, 0, 1), (0, 0, -1)),
        lambda m, d: sim.trace(m, d, 5),
        lambda m, d: sim.reset(m, d, 0),
        lambda m, d: sim.set_keyframe(m, d, 0),
    ):
        with pytest.raises(ValueError, match="another model"):
            use(m, other)
    after = other.values()
    assert [n for n in before if not np.array_equal(before[n], after[n])] == []
    # a model with the same sizes is welcome: edited copies are made all the time
    sim.step(m.copy(), d)
    with pytest.raises(ValueError, match="does not include"):
        sim.extract_state(m, sim.get_state(m, d), STATE_FULLPHYSICS, STATE_CTRL)


# ---------------------------------------------------------------- keyframes and files


def test_keyframes_from_and_to_a_state():
    mj, dj, m, d = both(EVERYTHING)
    sim.set_state(m, d, shuffled(mj, dj), STATE_INTEGRATION)
    mujoco.mj_setKeyframe(mj, dj, 1)
    sim.set_keyframe(m, d, 1)
    for name in ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
        assert np.array_equal(m.read(f"key_{name}"), getattr(mj, f"key_{name}")), name
    sim.reset(m, d, 1)
    assert np.array_equal(d.qpos, dj.qpos) and d.time == dj.time
    with pytest.raises(ValueError, match="no keyframe 2"):
        sim.set_keyframe(m, d, 2)


CHILD = """
import os, signal, sys
import sim
from tests.sim.state.test_state import TWO_BOXES, digest
m = sim.loads(TWO_BOXES)
d = sim.Data(m)
if sys.argv[1] == "begin":
    sim.step(m, d, 150)
    sim.save_state(m, d, sys.argv[2])
    os.kill(os.getpid(), signal.SIGKILL)
sim.load_state(m, d, sys.argv[2])
sim.step(m, d, 150)
print(digest(d))
"""


def test_save_kill_load_continue(tmp_path):
    file = tmp_path / "state.npz"
    begin, end = (
        subprocess.run(
            [sys.executable, "-c", CHILD, what, str(file)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for what in ("begin", "end")
    )
    assert begin.returncode == -signal.SIGKILL, begin.stderr
    m = sim.loads(TWO_BOXES)
    d = sim.Data(m)
    sim.step(m, d, 300)
    assert d.ncon > 4
    assert end.stdout.strip() == digest(d), end.stderr


def test_sleepers_sleep_on(tmp_path):
    """One box wakes another up after the state was put back: at the same step, and bit for bit."""
    xml = TWO_BOXES.replace("<worldbody>", "<option><flag sleep='enable'/></option><worldbody>")
    m = sim.loads(xml.replace('pos="0 0 .6"', 'pos="0 0 2"').replace('pos="0 0 .3"', 'pos="0 0 .1"'))
    d, other = sim.Data(m), sim.Data(m)
    sim.step(m, d, 200)
    assert d.tree_asleep[0] >= 0 > d.tree_asleep[1]
    sim.save_state(m, d, tmp_path / "state.npz")
    sim.load_state(m, other, tmp_path / "state.npz")
    woke = False
    for _ in range(20):
        sim.step(m, d, 10)
        sim.step(m, other, 10)
        assert np.array_equal(d.tree_asleep, other.tree_asleep)
        assert digest(d) == digest(other)
        woke |= d.tree_asleep[0] < 0
    assert woke


SLEEPING = [
    *(pytest.param(sim.load, ROOT / "scenes" / f"{name}.xml", id=name) for name in ("sleepers", "dominoes")),
    *(pytest.param(sim.loads, sleep_scenes.SCENES[name].xml, id=name) for name in ("everything", "crowd")),
]


def test_all_scenes_with_sleep_are_known():
    """Those of which the next test restores states."""
    scenes = {file.stem for file in (ROOT / "scenes").glob("*.xml") if 'sleep="enable"' in file.read_text()}
    assert scenes == {"sleepers", "dominoes"}


@pytest.mark.parametrize(("load", "source"), SLEEPING)
def test_what_sleepers_keep_is_part_of_the_state(load, source):
    """Accelerations of a tree that never woke are those of no pass; warm starts take them over in every step."""
    m = load(source)
    d = sim.Data(m)
    for _ in range(6):
        sim.step(m, d, 97)
        one, other = sim.Data(m), sim.Data(m)
        sim.copy_data(one, m, d)
        sim.restore_state(m, other, sim.unpack_state(m, sim.pack_state(m, sim.copy_state(m, d))))
        assert sim.copy_state(m, other).keys() == sim.copy_state(m, d).keys()
        assert d.ntree_awake < m.ntree
        for _ in range(20):
            sim.step(m, one, 5)
            sim.step(m, other, 5)
            first, second = sim.copy_state(m, one), sim.copy_state(m, other)
            for name, value in first.items():
                assert value.tobytes() == second[name].tobytes(), name


def test_files_that_are_refused(tmp_path):
    file = tmp_path / "state.npz"
    _, _, m, d = both(EVERYTHING)
    sim.save_state(m, d, file)
    assert [p.name for p in tmp_path.iterdir()] == ["state.npz"]
    m2 = sim.loads(TWO_BOXES)
    d2 = sim.Data(m2)
    with pytest.raises(ValueError, match="another model: nq is 12, not 14"):
        sim.load_state(m2, d2, file)
    # the same sizes, another meaning
    m3 = sim.loads(TWO_BOXES.replace("<body", "<body name='one'", 1))
    sim.save_state(m2, d2, file)
    with pytest.raises(ValueError, match="bodies, joints or names differ"):
        sim.load_state(m3, sim.Data(m3), file)
    m2.geom_friction = 0.3
    sim.load_state(m2, d2, file)
    for content in (b"", b"hello", file.read_bytes()[:200]):
        file.write_bytes(content)
        with pytest.raises(ValueError, match="not a saved state"):
            sim.load_state(m2, d2, file)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(ValueError, match="not a saved state"):
        sim.load_state(m2, d2, tmp_path / "array.npy")
    with pytest.raises(FileNotFoundError):
        sim.load_state(m2, d2, tmp_path / "nothing")


def test_a_damaged_file_gives_the_state_or_an_error(tmp_path):
    m = sim.loads(TWO_BOXES)
    d, other = sim.Data(m), sim.Data(m)
    sim.step(m, d, 3)
    file = tmp_path / "state.npz"
    sim.save_state(m, d, file)
    whole, first = file.read_bytes(), sim.get_state(m, other, STATE_INTEGRATION)
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(150):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        file.write_bytes(damaged)
        try:
            sim.load_state(m, other, file)
        except ValueError:
            refused += 1
            assert np.array_equal(sim.get_state(m, other, STATE_INTEGRATION), first)
        else:
            assert np.array_equal(sim.get_state(m, other), sim.get_state(m, d))
            sim.set_state(m, other, first, STATE_INTEGRATION)
    assert refused > 75


def test_a_full_disk_costs_no_saved_state(tmp_path, monkeypatch):
    file = tmp_path / "state.npz"
    m = sim.loads(TWO_BOXES)
    d = sim.Data(m)
    sim.save_state(m, d, file)
    before = file.read_bytes()

    def fill(target, **_):
        target.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "savez", fill)
    with pytest.raises(OSError, match="No space left"):
        sim.save_state(m, d, file)
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["state.npz"]


def test_a_link_in_the_way_is_not_followed(tmp_path, monkeypatch):
    """Whoever could guess the name of the unfinished file could have another one overwritten."""
    other = tmp_path / "other"
    other.write_text("precious")
    monkeypatch.setattr(secrets, "token_hex", lambda _: "guessed")
    (tmp_path / ".state.npz.guessed").symlink_to(other)
    m = sim.loads(TWO_BOXES)
    with pytest.raises(FileExistsError):
        sim.save_state(m, sim.Data(m), tmp_path / "state.npz")
    assert other.read_text() == "precious"


# ---------------------------------------------------------------- files that were tampered with


@pytest.fixture(scope="module")
def sleepers(tmp_path_factory):
    """Two boxes that fell asleep one on the other, one that falls, and their state in a file."""
    box = '<body pos="{} 0 {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    boxes = box.format(0, 0.1) + box.format(0, 0.3) + box.format(2, 9)
    flag = "<option><flag sleep='enable'/></option>"
    m = sim.loads(f"<mujoco>{flag}<worldbody><geom type='plane' size='5 5 1'/>{boxes}</worldbody></mujoco>")
    d = sim.Data(m)
    sim.step(m, d, 300)
    assert sorted(d.tree_asleep[:2]) == [0, 1] and d.tree_asleep[2] < 0
    file = tmp_path_factory.mktemp("sleepers") / "state.npz"
    sim.save_state(m, d, file)
    with np.load(file) as archive:
        return m, d, dict(archive)


def refused(m, d, path, content, why):
    """A file with this content raises, names itself and leaves everything as it was."""
    np.savez(path, **content)
    before = d.values()
    with pytest.raises(ValueError, match=why) as refusal:
        sim.load_state(m, d, path)
    assert str(refusal.value).startswith(f"{path}: ")
    after = d.values()
    assert all(np.array_equal(before[name], after[name]) for name in before)


FORGED = [
    ("tree_asleep", [1, 3, -5], "between -11 and 2"),
    ("tree_asleep", [1, 0, -12], "between -11 and 2"),
    ("tree_asleep", [1, 1, -5], "does not consist of cycles"),
    ("tree_asleep", [1, 2, -5], "does not consist of cycles"),
    ("tree_asleep", [1, 0], r"int32 of shape \(2,\), not int32 of shape \(3,\)"),
    ("tree_wakecause", [[6, 99], [0, 0], [0, 0]], "tree_wakecause has the invalid pair 6, 99"),
    ("tree_wakecause", [[77, 0], [0, 0], [0, 0]], "tree_wakecause has the invalid pair"),
    ("tree_restless", [[4, -1], [0, 0], [0, 0]], "tree_restless has the invalid pair"),
]


@pytest.mark.parametrize(("name", "value", "why"), FORGED)
def test_a_forged_sleep_is_refused(sleepers, tmp_path, name, value, why):
    m, d, content = sleepers
    refused(m, d, tmp_path / "forged.npz", content | {name: np.array(value, np.int32)}, why)


def test_a_field_of_another_kind_is_refused(sleepers, tmp_path):
    m, d, content = sleepers
    path = tmp_path / "forged.npz"
    whole = {name: value for name, value in content.items() if value.ndim}
    for name, value in whole.items():
        for other in (value.astype(">f4"), value[None], value[:-1], np.array(None), value.astype(str)):
            if other.shape != value.shape or other.dtype != value.dtype:
                refused(m, d, path, content | {name: other}, f"{name} is ")
    for name in [n for n, v in content.items() if v.dtype.kind == "f" and v.size]:
        value = content[name].copy()
        value.flat[-1] = np.nan
        refused(m, d, path, content | {name: value}, f"{name} has a number that is not finite")
    left = {name: value for name, value in content.items() if name != "sleep.qpos"}
    refused(m, d, path, left, "but not sleep.qpos")


def test_a_pull_goes_on(sleepers, tmp_path):
    m, d, content = sleepers
    path = tmp_path / "state.npz"
    pulled, other = d.copy(), sim.Data(m)
    pulled.perturb.select, pulled.perturb.active, pulled.perturb.refselpos = 3, PERT_TRANSLATE, (2.0, 1.0, 5.0)
    sim.save_state(m, pulled, path)
    sim.load_state(m, other, path)
    for data in (pulled, other):
        sim.step(m, data, 20)
    assert digest(pulled) == digest(other)
    assert abs(other.xpos[3, 1]) > 1e-3
    for name, value in (("select", m.nbody), ("select", -1), ("select", 1 << 40), ("active", 4), ("active", -1)):
        field = f"perturb.{name}"
        refused(m, d, path, content | {field: np.array(value)}, f"{field} is {value}, not between 0 and")
    refused(m, d, path, content | {"perturb.refquat": np.zeros(3)}, "perturb.refquat is float64 of shape")


def test_who_is_awake_is_not_read(sleepers, tmp_path):
    """What follows from tree_asleep is computed: a file may say what it likes about it, as old ones do."""
    m, d, content = sleepers
    path = tmp_path / "forged.npz"
    lies = {"span.nbody": 10**6, "span.ngeom": 10**6, "span.njnt": 10**6, "span.ndof": 10**6, "nbody_awake": 10**6}
    lists = {"body_awake_ind": np.full(m.nbody, 10**6, np.int32), "span.jnt": np.full((m.njnt, 2), 10**6, np.int32)}
    np.savez(path, **content, **lies, **lists)
    other, twin = sim.Data(m), d.copy()
    sim.load_state(m, other, path)
    lists = [
        f.name for f in DATA if f.owner == "stages/sleep" and not f.name.startswith(("checkpoint_", "sleep.changed"))
    ]
    assert "tree_awake" in lists
    for name in lists:
        assert np.array_equal(other.read(name), d.read(name)), name
    sim.step(m, other, 3)
    sim.step(m, twin, 3)
    assert digest(other) == digest(twin)


def test_a_bomb_is_refused_before_it_goes_off(sleepers, tmp_path):
    m, d, content = sleepers
    path = tmp_path / "forged.npz"
    np.savez_compressed(path, **content)
    with pytest.raises(ValueError, match="compressed"):
        sim.load_state(m, d, path)
    np.savez(path, **content, more=np.zeros(1 << 19))
    with pytest.raises(ValueError, match="larger than"):
        sim.load_state(m, d, path)
    # a header that promises more numbers than any machine holds
    promise = io.BytesIO()
    np.lib.format.write_array_header_1_0(promise, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    np.savez(path, **{name: value for name, value in content.items() if name != "state"})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("state.npy", promise.getvalue())
    with pytest.raises(ValueError, match="shape"):
        sim.load_state(m, d, path)
    with pytest.raises(ValueError, match="larger than"):
        sim.load_state(m, d, "/dev/zero")


# ---------------------------------------------------------------- recordings


def test_every_step_is_recorded():
    """More steps than rows, and steps that have to be taken back because their contacts found no room."""
    bodies = "".join(
        f"<body pos='{x} {y} .15'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        for x in range(6)
        for y in range(5)
    )
    _, _, m, d = both(f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>")
    twin = d.copy()
    sim.trace(m, d, 40)
    sim.step(m, d, 90)
    wanted = []
    for _ in range(90):
        sim.step(m, twin)
        wanted.append(sim.get_state(m, twin, sim.record_signature(m)))
    assert d.ncon == 120 and d.trace.count == 90
    for k in range(50, 90):
        assert np.array_equal(d.trace.state[k % 40], wanted[k])
    # a copy and a reset leave the recording alone
    assert d.copy().trace.state.shape == (0, len(wanted[0]))
    sim.reset(m, d)
    assert d.trace.count == 90 and np.array_equal(d.trace.state[89 % 40], wanted[89])
    sim.trace(m, d, 0)
    sim.step(m, d)
    assert d.trace.count == 0
    with pytest.raises(ValueError, match="rows is -1"):
        sim.trace(m, d, -1)


def test_recorded_states_are_whole():
    mj, dj, m, d = both(EVERYTHING)
    sim.set_state(m, d, shuffled(mj, dj), STATE_INTEGRATION)
    d.perturb.select, d.perturb.active, d.perturb.localpos = 2, 3, (0.1, 0.2, 0.3)
    d.perturb.refselpos, d.perturb.refquat = (1.0, 2.0, 3.0), (0.5, 0.5, -0.5, 0.5)
    d.noise.scale, d.noise.rate, d.noise.seed = 0.5, 0.25, -(1 << 63) + 7
    sim.trace(m, d, 1)
    sim.step(m, d)
    row = d.trace.state[0]
    assert np.array_equal(row, sim.get_state(m, d, sim.record_signature(m)))
    assert row[-16:].tolist() == [2, 3, 0.1, 0.2, 0.3, 1, 2, 3, 0.5, 0.5, -0.5, 0.5, 0.5, 0.25, 7, -(1 << 31)]


# ---------------------------------------------------------------- noise


def test_noise_is_that_of_simulate():
    """Deviation and memory of the process, range of a limited control; nothing without a scale."""
    _, _, m, d = both(EVERYTHING)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    d.noise.scale, d.noise.rate = 0.25, 0.01
    samples = []
    for _ in range(6000):
        sim.step(m, d)
        samples.append(d.ctrl.copy())
    free, limited = np.array(samples)[100:, 1], np.array(samples)[100:, 0]
    assert abs(free.mean()) < 0.05 and free.std() == pytest.approx(0.25, rel=0.1)
    assert limited.mean() == pytest.approx(1, abs=0.1) and limited.std() == pytest.approx(0.5, rel=0.1)
    assert np.corrcoef(free[:-5], free[5:])[0, 1] == pytest.approx(np.exp(-5 * m.opt.timestep / 0.01), abs=0.1)
    assert abs(np.corrcoef(free, limited)[0, 1]) < 0.1
    d.noise.scale = 20
    sim.step(m, d, 100)
    assert -1 <= d.ctrl[0] <= 3 and abs(d.ctrl[1]) > 3
    d.noise.scale, d.ctrl = 0, 0.5
    sim.step(m, d)
    assert np.array_equal(d.ctrl, [0.5, 0.5])


def test_noise_is_a_function_of_seed_and_time():
    _, _, m, d = both(EVERYTHING)
    d.noise.scale, d.noise.rate, d.noise.seed = 0.5, 0.1, 7
    sim.step(m, d, 50)
    state = sim.get_state(m, d, STATE_INTEGRATION)
    sim.step(m, d, 50)
    end = digest(d)
    sim.set_state(m, d, state, STATE_INTEGRATION)
    for _ in range(50):
        sim.step(m, d)
    assert digest(d) == end
    sim.set_state(m, d, state, STATE_INTEGRATION)
    d.noise.seed = 8
    sim.step(m, d, 50)
    assert digest(d) != end


# ---------------------------------------------------------------- parts of a step

PARTS_OF_STEP = {"everything": EVERYTHING, "two boxes": TWO_BOXES, "medium": models.MEDIUM}


@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PARTS_OF_STEP)
def test_two_halves_of_a_step(name, integrator):
    mj, dj, m, d = both(PARTS_OF_STEP[name])
    mj.opt.integrator = m.opt.integrator = integrator
    rng = np.random.default_rng(1)
    for _ in range(20):
        mujoco.mj_step1(mj, dj)
        sim.step1(m, d)
        dj.qfrc_applied[:] = d.qfrc_applied[:] = rng.normal(size=mj.nv)
        mujoco.mj_step2(mj, dj)
        sim.step2(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel", "act"], 1e-9)
    assert d.time == pytest.approx(dj.time, abs=1e-12)


def test_a_second_half_that_goes_wrong(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    mj, dj, m, d = both(EVERYTHING)
    mujoco.mj_step(mj, dj, 50)
    sim.step(m, d, 50)
    mujoco.mj_step1(mj, dj)
    sim.step1(m, d)
    dj.qfrc_applied[0] = d.qfrc_applied[0] = 1e20
    mujoco.mj_step2(mj, dj)
    sim.step2(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel", "act", "qacc"], 1e-9)
    assert d.time == dj.time == m.opt.timestep
    assert d.warning[WARN_BADQACC].number == 1


def test_a_second_half_that_goes_wrong_wakes_all(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    xml = TWO_BOXES.replace("<worldbody>", "<option><flag sleep='enable'/></option><worldbody>")
    mj, dj, m, d = both(xml.replace('pos="0 0 .6"', 'pos="0 0 2"').replace('pos="0 0 .3"', 'pos="0 0 .1"'))
    mujoco.mj_step(mj, dj, 100)
    sim.step(m, d, 100)
    assert d.tree_asleep[0] >= 0 > d.tree_asleep[1]
    mujoco.mj_step1(mj, dj)
    sim.step1(m, d)
    dj.qfrc_applied[6] = d.qfrc_applied[6] = 1e20
    mujoco.mj_step2(mj, dj)
    sim.step2(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel", "qacc", "tree_asleep", "body_awake"], 1e-9)


@pytest.mark.parametrize("skip", [STAGE_POS, STAGE_VEL])
def test_forward_with_stages_skipped(skip):
    mj, dj, m, d = both(models.MEDIUM)
    oracle.random_state(mj, dj, 3)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    names = ["xpos", "cvel", "qfrc_bias", "qfrc_passive", "qacc", "energy"]
    before = {name: d.read(name).copy() for name in names}
    # what is skipped stays as it was, though the state is another
    for data in (dj, d):
        data.qpos[:] += 0.1
        data.qvel[:] += 0.2
        data.qfrc_applied[:] = 0.3
    mujoco.mj_forwardSkip(mj, dj, skip, 0)
    sim.forward(m, d, skip)
    oracle.assert_same(d, dj, names, 1e-9)
    assert np.array_equal(d.xpos, before["xpos"])
    assert np.array_equal(d.cvel, before["cvel"]) == (skip == STAGE_VEL)
    assert not np.array_equal(d.qacc, before["qacc"])


def test_a_reset_clears_everything_but_recordings_and_noise():
    m = sim.loads(EVERYTHING)
    fresh, d = sim.Data(m), sim.Data(m)
    assert not any(place.field.default for place in d.layout.places.values())
    sim.trace(m, d, 3)
    # arrays that have grown are no longer where the others are
    d.grow("ncon", 100)
    every = [*d.arrays(), *((name, d.word(name)) for name in d.layout.scalars)]
    for _, values in every:
        values.fill(1)
    sim.reset(m, d)
    for name, values in every:
        if name.startswith(("trace.", "fd.", "roll.", "noise.")):
            assert (values == 1).all(), name
        elif not name.startswith("solver."):
            # of arrays that grow no row is in use
            np.testing.assert_array_equal(d.read(name), fresh.read(name), name)
    assert not d.solver_niter.any()


def test_time_comes_first():
    """Whoever reads rows of a recording relies on it."""
    _, _, m, d = both(EVERYTHING)
    d.time = 3.5
    assert sim.get_state(m, d, STATE_TIME | STATE_QPOS | STATE_QVEL)[0] == 3.5


@pytest.mark.parametrize("name", ["nq", "jnt_qposadr", "jnt_type", "body_jntnum", "geom_bodyid", "M_colind"])
def test_what_lays_a_model_out_cannot_be_set(name: str) -> None:
    m = sim.loads(models.JOINTS)
    with pytest.raises(AttributeError, match=f"{name} cannot be set: it says how the Model is laid out"):
        setattr(m, name, 100000)
    if name != "nq":
        with pytest.raises(ValueError, match="read-only"):
            getattr(m, name)[0] = 100000
    sim.step(m, sim.Data(m))


@pytest.mark.parametrize("condim, dim", [(10**6, 6), (-5, 1)])
def test_the_dimension_of_a_contact_has_bounds(condim: int, dim: int) -> None:
    m = sim.loads(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
        '<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    m.geom_condim[:] = condim
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.contact.dim.tolist() == [dim]


def test_what_is_awake_is_not_set_by_a_number() -> None:
    m = sim.loads(models.JOINTS)
    d = sim.Data(m)
    with pytest.raises(AttributeError, match="nbody_awake cannot be set"):
        d.nbody_awake = 100000
    sim.place(m, d)
