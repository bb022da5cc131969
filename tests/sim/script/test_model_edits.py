"""Edits of a model as plain numbers: the same bits whatever edits it had before; and edits that were tampered with."""

import random

import numpy as np
import pytest

import sim
from sim.edits import CellValue, Key, ModelEdits
from sim.enums import DSBL_CONTACT, ENBL_SLEEP
from sim.mjcf.set_const.set_const import EDIT_CONSTANTS
from sim.script.model_edits import SOURCES, edits_of, file_field
from sim.script.state_vector import KEY_FIELDS
from tests.sim.state.test_state import ROOT

# what constants depend on, what they complete, what has dependents, and the rest
MODEL = """<mujoco>
  <worldbody>
    <body name="a" pos="0 0 1"><joint name="a" axis="0 1 0"/><geom name="g" size=".1" mass="1"/>
      <body name="b" pos=".3 .1 0" euler="3 4 5"><joint name="b" type="ball"/><geom size=".1" margin=".01"/>
        <site name="s" pos="0 0 .1"/></body></body>
    <body name="c" pos="1 .1 1" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="t"/></body>
  </worldbody>
  <tendon><spatial name="t" stiffness="3"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><connect body1="a" body2="c" anchor=".1 .2 .3"/><weld body1="b" body2="c" relpose="0 1 0 1 2 3 4"/>
    <weld body1="a" body2="c"/></equality>
  <actuator><position joint="a" kp="20" dampratio="1"/><general joint="a" gear="3" dyntype="filter" dynprm=".1"/>
    </actuator>
  <keyframe><key name="k" time="1"/><key name="l" time="2"/></keyframe>
</mujoco>"""
PATHS = (
    "body_mass", "dof_armature", "eq_data", "actuator_gear", "tendon_armature", "tendon_lengthspring",
    "actuator_biasprm", "actuator_gainprm", "geom_margin", "geom_gap", "geom_contype", "geom_conaffinity",
    "body_gravcomp", "geom_friction", "opt.timestep", "opt.gravity", "geom_rgba", "key_qpos", "key_ctrl",
    "opt.disableflags", "opt.enableflags",
)  # fmt: skip
SCENES = ("humanoid", "muscle_arm", "puppet", "servos", "sleepers")


def everything(m):
    return {name: m.read(name) for name in m.layout.places}


def assert_same(m, other):
    assert m.names == other.names and m.key_rows == other.key_rows
    wanted = everything(other)
    for name, value in everything(m).items():
        assert np.asarray(value).tobytes() == np.asarray(wanted[name]).tobytes(), name


def random_edits(m, rng):
    """Some cells, and perhaps keyframes; the model is only asked for sizes."""
    keys = []
    own = sum(row >= 0 for row in m.key_rows)
    for name in rng.sample(("x", "y", "z"), rng.choice((0, 0, 1, 2))):
        sizes = {path: int(np.prod(np.shape(m.read(path))[1:])) for path in KEY_FIELDS}
        keys.append(Key(name, tuple((path, tuple(rng.random() for _ in range(n))) for path, n in sizes.items())))
    cells = {}
    for path in rng.sample(PATHS, rng.randrange(6)):
        shape = np.shape(m.read(path))
        size = (own + len(keys)) * int(np.prod(shape[1:])) if path in KEY_FIELDS else int(np.prod(shape))
        if size == 0:
            continue
        if path.endswith("flags"):
            bits = {"opt.disableflags": DSBL_CONTACT, "opt.enableflags": ENBL_SLEEP}
            cells[path] = (CellValue(0, bits[path], float(rng.random() < 0.5)),)
            continue
        kind = np.asarray(m.read(path)).dtype.kind
        where = sorted(rng.sample(range(size), rng.randint(1, min(size, 4))))
        # float32 has fewer digits; a damping ratio is positive
        cells[path] = tuple(
            CellValue(at, 0, float(rng.randint(1, 3) if kind != "f" else rng.randint(1, 64) / 8)) for at in where
        )
    return ModelEdits(cells, tuple(keys))


def walk(m, fresh, seed, steps=40):
    """From edits to edits; each time as if they had been made in the model as it was loaded."""
    rng = random.Random(seed)
    pool = [ModelEdits()] + [random_edits(fresh, rng) for _ in range(10)]
    start = fresh.copy()
    with np.errstate(invalid="ignore"):
        for _ in range(steps):
            edits = rng.choice(pool)
            before = {name: np.copy(value) for name, value in everything(m).items()}
            changed = sim.apply_edits(m, edits)
            assert edits_of(m) == edits
            other = start.copy()
            sim.apply_edits(other, edits)
            assert_same(m, other)
            after = everything(m)
            differing = {name for name in after if not np.array_equal(before[name], after[name], equal_nan=True)}
            # constants follow from what they depend on
            assert differing - {*EDIT_CONSTANTS} <= changed, differing - changed
    sim.apply_edits(m, ModelEdits())
    assert_same(m, start)


@pytest.mark.parametrize("seed", range(12))
def test_no_path_leaves_a_trace(seed):
    walk(sim.loads(MODEL), sim.loads(MODEL), seed)


@pytest.mark.parametrize("name", SCENES)
def test_no_path_leaves_a_trace_in_a_scene(name):
    path = ROOT / f"scenes/{name}.xml"
    walk(sim.load(path), sim.load(path), 1, 12)


def test_constants_follow():
    m = sim.loads(MODEL)
    before = m.dof_invweight0.copy()
    assert sim.apply_edits(m, ModelEdits({"body_mass": (CellValue(1, 0, 9.0),)})) == {"body_mass"}
    assert m.body_mass[1] == 9.0 and not np.array_equal(m.dof_invweight0, before)
    assert m.body_subtreemass[1] == m.body_mass[1] + m.body_mass[2]
    # a value that is the file's is not an edit
    edits = ModelEdits({"body_mass": (CellValue(1, 0, float(m.file_values["body_mass"][1])),)})
    assert sim.apply_edits(m, edits) == {"body_mass"}
    assert np.array_equal(m.dof_invweight0, before)


def test_dependents_are_reported():
    m = sim.loads(MODEL)
    for path, following in (
        ("geom_margin", {"body_margin"}),
        ("geom_contype", {"body_contype"}),
        ("body_gravcomp", {"ngravcomp", "flg_gravcomp"}),
    ):
        changed = sim.apply_edits(m, ModelEdits({path: (CellValue(1, 0, 2.0),)}))
        assert {path, *following} <= changed
    assert sim.apply_edits(m, edits_of(m)) == set()


def test_a_script_keeps_what_it_wrote():
    m = sim.loads(MODEL)
    m.geom_friction[0] = 0.123
    sim.apply_edits(m, ModelEdits({"geom_friction": (CellValue(3, 0, 0.5),)}))
    sim.apply_edits(m, ModelEdits())
    assert m.geom_friction[0, 0] == 0.123 and m.geom_friction[1, 0] == 1.0


def test_keyframes_have_rows_of_their_own():
    m = sim.loads(MODEL)
    d = sim.Data(m)
    values = tuple((path, tuple(v.tolist())) for path, v in sim.key_values(m, d).items())
    edits = ModelEdits({"key_time": (CellValue(2, 0, 7.0), CellValue(0, 0, 5.0))}, (Key("new", values),))
    assert sim.apply_edits(m, edits) == {*KEY_FIELDS, "nkey"}
    assert m.key_time.tolist() == [5.0, 2.0, 7.0] and m.names["key"] == ["k", "l", "new"]
    assert file_field(m, "key_time").tolist() == [1.0, 2.0, 0.0]
    copy = m.copy()
    sim.apply_edits(copy, ModelEdits())
    assert copy.key_time.tolist() == [1.0, 2.0] and m.nkey == 3


def test_what_fails_changes_nothing(monkeypatch):
    m = sim.loads(MODEL)
    first = ModelEdits({"geom_friction": (CellValue(0, 0, 0.5),), "body_mass": (CellValue(1, 0, 3.0),)})
    sim.apply_edits(m, first)
    before = m.copy()
    wanted = ModelEdits({"body_mass": (CellValue(1, 0, 4.0),), "geom_margin": (CellValue(0, 0, 0.5),)})
    for path, cell in (
        ("body_mass", CellValue(99, 0, 1.0)),
        ("body_mass", CellValue(-1, 0, 1.0)),
        ("nonsense", CellValue(0, 0, 1.0)),
    ):
        with pytest.raises(ValueError, match=path):
            sim.apply_edits(m, ModelEdits({path: (cell,), "geom_margin": (CellValue(0, 0, 0.5),)}))
        assert_same(m, before)
    compute, failed = sim.set_pose_constants, []

    def fail(scratch):
        if not failed:
            failed.append(scratch)
            raise ValueError("a simple body has moved")
        return compute(scratch)

    monkeypatch.setattr(sim, "set_pose_constants", fail)
    with pytest.raises(ValueError, match="simple body"):
        sim.apply_edits(m, wanted)
    assert_same(m, before)
    assert edits_of(m) == first
    sim.apply_edits(m, wanted)
    assert m.body_mass[1] == 4.0


FORGED = [
    ("body_parentid", CellValue(1, 0, 7.0), "cannot be edited"),
    ("opt.integrator", CellValue(0, 0, 9.0), "integrator"),
    ("geom_condim", CellValue(0, 0, 2.0), "geom_condim"),
    ("geom_condim", CellValue(0, 0, 3.5), "geom_condim"),
    ("jnt_limited", CellValue(0, 0, 2.0), "jnt_limited"),
    ("opt.iterations", CellValue(0, 0, -1.0), "iterations"),
    ("opt.iterations", CellValue(0, 0, 2.0**40), "iterations"),
    ("tree_sleep_policy", CellValue(0, 0, 6.0), "tree_sleep_policy"),
    ("body_mass", CellValue(0, 0, np.nan), "not finite"),
    ("body_mass", CellValue(0, 1, 1.0), "invalid bit"),
    ("body_mass", CellValue(1000, 0, 1.0), "outside"),
    ("key_qpos", CellValue(10**6, 0, 1.0), "outside"),
    ("opt.disableflags", CellValue(0, 3, 1.0), "invalid bit"),
    ("opt.disableflags", CellValue(0, 0, 1.0), "invalid bit"),
    ("opt.disableflags", CellValue(0, 1 << 40, 1.0), "invalid bit"),
]


@pytest.mark.parametrize(("path", "cell", "why"), FORGED)
def test_forged_edits_are_refused(path, cell, why):
    with pytest.raises(ValueError, match=why):
        sim.check_edits(sim.loads(MODEL), ModelEdits({path: (cell,)}))


def test_forged_keyframes_are_refused():
    m = sim.loads(MODEL)
    values = tuple((path, tuple(v.tolist())) for path, v in sim.key_values(m, sim.Data(m)).items())
    sim.check_edits(m, ModelEdits({"key_time": (CellValue(2, 0, 1.0),)}, (Key("n", values),)))
    with pytest.raises(ValueError, match="same name"):
        sim.check_edits(m, ModelEdits({}, (Key("n", values), Key("n", values))))
    for forged in (values[1:], (*values[:-1], (values[-1][0], (1.0,)))):
        with pytest.raises(ValueError, match="another model"):
            sim.check_edits(m, ModelEdits({}, (Key("n", forged),)))


@pytest.mark.parametrize("seed", range(5))
def test_honest_edits_are_accepted(seed):
    m = sim.loads(MODEL)
    sim.check_edits(m, random_edits(m, random.Random(seed)))
    assert SOURCES
