"""MjModel, MjData and the small structs against MuJoCo's.

Fields with their shapes and types, named views, copies, pickles, printing, comparison and assignment.
"""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim import mujoco as ours
from sim.fields.references import GUARDS
from sim.jit.structs import Guarded
from sim.mujoco.data import MjData
from sim.mujoco.model import MjModel
from sim.mujoco.structs import absent
from tests.sim.mujoco.scenes import Pair, moved, pair

# the order of MuJoCo's elements in views
KINDS = (
    "actuator", "body", "cam", "camera", "eq", "equality", "exclude", "geom", "hfield", "jnt", "joint", "key",
    "keyframe", "light", "mat", "material", "mesh", "numeric", "pair", "sensor", "site", "skin", "tendon", "tex",
    "texture", "tuple",
)  # fmt: skip
COUNTS = {
    "actuator": "nactuator", "cam": "ncam", "camera": "ncam", "eq": "neq", "equality": "neq", "jnt": "njnt",
    "joint": "njnt", "key": "nkey", "keyframe": "nkey", "mat": "nmat", "material": "nmat", "tex": "ntex",
    "texture": "ntex",
}  # fmt: skip


@pytest.fixture(scope="module")
def both() -> Pair:
    made = moved()
    made.call("mj_forward")
    return made


def public(struct: Any) -> list[str]:
    return [n for n in dir(struct) if not n.startswith("_") and not callable(getattr(struct, n, None))]


def test_every_field_of_a_model(both: Pair) -> None:
    """Each field of MjModel is there with its type and shape, or its absence has a reason."""
    for name in public(both.their_m):
        theirs = getattr(both.their_m, name)
        if name in absent.MISSING_MODEL:
            with pytest.raises(AttributeError, match=name):
                getattr(both.m, name)
            continue
        mine = getattr(both.m, name)
        assert name in dir(both.m), name
        if name in ("nbuffer", "names", "opt", "stat", "vis"):
            continue
        # references by index are arrays that check what is written
        assert type(mine) is (Guarded if name in GUARDS else type(theirs)), name
        if isinstance(theirs, np.ndarray):
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), name


def test_every_field_of_data(both: Pair) -> None:
    """Each field of MjData is there with its type and shape, or its absence has a reason."""
    for name in public(both.their_d):
        if name in absent.MISSING_DATA:
            with pytest.raises(AttributeError, match=name):
                getattr(both.d, name)
            continue
        theirs, mine = getattr(both.their_d, name), getattr(both.d, name)
        assert name in dir(both.d), name
        if name == "nbuffer" or type(theirs).__name__.startswith("_Mj") or name == "model":
            continue
        assert type(mine) is type(theirs), name
        if isinstance(theirs, np.ndarray):
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), name


def test_missing_fields_are_theirs(both: Pair) -> None:
    """What is said to be missing or empty is a field of MuJoCo's, and not one of ours."""
    for table, struct, mine in (
        ({**absent.MISSING_MODEL, **absent.EMPTY_MODEL}, both.their_m, sim.loads("<mujoco/>")),
        ({**absent.MISSING_DATA, **absent.EMPTY_DATA}, both.their_d, sim.Data(sim.loads("<mujoco/>"))),
    ):
        for name in table:
            assert hasattr(struct, name), name
            assert not hasattr(mine, name), name


def test_names(both: Pair) -> None:
    """The bytes of all names, and their addresses."""
    assert both.m.names == both.their_m.names
    for field in [n for n in dir(both.their_m) if n.startswith("name_")]:
        np.testing.assert_array_equal(getattr(both.m, field), getattr(both.their_m, field), err_msg=field)
    assert both.m.names is both.m.names and both.m.names[:4] == b"rich"
    # what the engine reads
    assert both.m.names["body"][1] == "box" and "geom" in both.m.names and both.m.id2name("body", 1) == "box"


@pytest.mark.parametrize("kind", KINDS)
def test_views(both: Pair, kind: str) -> None:
    """Every attribute of every element by name and number: the same shapes and values as MuJoCo's."""
    count = getattr(both.m, COUNTS.get(kind, f"n{kind}"))
    for mine, theirs in ((both.m, both.their_m), (both.d, both.their_d)):
        if not hasattr(theirs, kind):
            continue
        for number in range(count):
            a, b = getattr(mine, kind)(number), getattr(theirs, kind)(number)
            assert a is getattr(mine, kind)(np.int64(number))
            assert (a.id, a.name) == (b.id, b.name)
            if a.name:
                assert getattr(mine, kind)(a.name) is a
            # MuJoCo 4.0.0 gives only the first number of a tendon's lengthspring
            skipped = ("_pybind11_conduit_v1_", "_lengthspring")
            for name in [n for n in dir(b) if not n.startswith("__") and n not in skipped]:
                x, y = getattr(a, name), getattr(b, name)
                if isinstance(y, np.ndarray):
                    assert (x.shape, x.dtype) == (y.shape, y.dtype), name
                    np.testing.assert_allclose(x, y, atol=1e-6, err_msg=f"{kind} {name}")
            assert repr(a).startswith(repr(b).split("\n")[0])
        for wrong, error in (("no such name", KeyError), (count, IndexError), (-1, IndexError)):
            with pytest.raises(error) as found:
                getattr(mine, kind)(wrong)
            with pytest.raises(error) as expected:
                getattr(theirs, kind)(wrong)
            assert str(found.value) == str(expected.value)


def test_views_make_no_cycle() -> None:
    """A struct whose views were used is freed with its last reference; a view keeps its arrays."""
    both = pair()
    m, d = both.m, both.d
    d = ours.MjData(m)
    view, contact = d.body("box"), d.contact
    assert view.xpos is view.xpos and len(contact) == 0
    gone = weakref.ref(d)
    gc.disable()
    try:
        del d
        assert gone() is None
    finally:
        gc.enable()
    view.xpos = 3
    np.testing.assert_array_equal(view.xpos, [3, 3, 3])


def test_views_follow_new_arrays() -> None:
    """After a keyframe is added, whose fields get new arrays, views are those of the new ones."""
    m = pair().m
    d = ours.MjData(m)
    before = m.key("home").qpos
    sim.add_keyframe(m, d, "third")
    assert m.nkey == 3 and m.key("third").id == 2 and b"third" in m.names
    m.key("home").qpos[:] = 9
    assert (m.key_qpos[0] == 9).all() and before is not m.key("home").qpos


def test_functions_of_the_engine_take_them() -> None:
    """An MjModel and MjData are a Model and Data: `sim` steps them, saves them, looks elements up."""
    both = moved()
    assert isinstance(both.m, sim.Model) and isinstance(both.d, sim.Data)
    sim.step(both.m, both.d, 2)
    state = sim.get_state(both.m, both.d)
    again = ours.MjData(both.m)
    sim.set_state(both.m, again, state)
    np.testing.assert_array_equal(again.qpos, both.d.qpos)
    assert sim.contact_detail(both.m, both.d, 0) is not None
    assert sim.rollout(both.m, state, nstep=2).state.shape == (1, 2, len(state))
    sim.reset(both.m, both.d)
    assert both.d.time == 0


def test_growing_arrays() -> None:
    """Without rows they are arrays of their own, with rows views; a list of contacts follows."""
    both = pair()
    contacts = both.d.contact
    assert both.d.efc_J.flags.owndata and len(contacts) == 0
    both.d.qpos[2] = 0.05
    ours.mj_forward(both.m, both.d)
    assert not both.d.efc_J.flags.owndata and len(contacts) == both.d.ncon > 0
    assert [c.dist for c in contacts] == contacts.dist.tolist() == both.d.contact.dist.tolist()
    assert contacts[-1] == contacts[both.d.ncon - 1] and contacts[::-1][0] == contacts[-1]
    assert [c.dist for c in contacts[1:3]] == contacts.dist[1:3].tolist()
    with pytest.raises(IndexError):
        contacts[both.d.ncon]
    with pytest.raises(AttributeError):
        contacts.nothing  # noqa: B018


def test_copies_and_pickles() -> None:
    """Copies are independent and equal; data keeps its model, a deep copy has its own."""
    both = moved(steps=2)
    for m in (copy.copy(both.m), copy.deepcopy(both.m), pickle.loads(pickle.dumps(both.m))):
        assert isinstance(m, MjModel) and m.names == both.m.names and m.opt == both.m.opt
        m.opt.timestep = 0.5
        m.body_mass[1] = 77
        assert both.m.opt.timestep == 0.004 and both.m.body_mass[1] == 0.5
    d = copy.copy(both.d)
    assert isinstance(d, MjData) and d.model is both.m and d.contact == both.d.contact and d.timer == both.d.timer
    assert copy.deepcopy(both.d).model is not both.m
    other = pickle.loads(pickle.dumps(both.d))
    for one in (d, other):
        ours.mj_step(one.model, one)
    ours.mj_step(both.m, both.d)
    for one in (d, other):
        np.testing.assert_array_equal(one.qpos, both.d.qpos)
    into = ours.MjData(both.m)
    ours.mj_copyData(into, both.m, both.d)
    np.testing.assert_array_equal(into.qpos, both.d.qpos)
    with pytest.raises(TypeError):
        ours.MjModel()
    with pytest.raises(TypeError):
        ours.MjData(3)


STRUCTS = (
    "MjOption", "MjStatistic", "MjContact", "MjWarningStat", "MjTimerStat", "MjSolverStat", "MjLROpt", "MjvCamera",
    "MjvPerturb", "MjvOption", "MjvGeom", "MjvLight", "MjvGLCamera",
)  # fmt: skip


@pytest.mark.parametrize("name", STRUCTS)
def test_small_structs(name: str) -> None:
    """Members, types and defaults as MuJoCo's; printed alike; compared, copied, pickled; unknown members refused."""
    mine, theirs = getattr(ours, name)(), getattr(mujoco, name)()
    members = [n for n in dir(theirs) if not n.startswith("_")]
    for member in members:
        a, b = getattr(mine, member), getattr(theirs, member)
        assert type(a) is type(b) or isinstance(b, (bool, int)), member
        np.testing.assert_array_equal(a, b, err_msg=member)
        if isinstance(b, np.ndarray):
            assert (a.shape, a.dtype) == (b.shape, b.dtype), member
    assert repr(mine).split("\n")[0] == repr(theirs).split("\n")[0]
    assert [line.split(":")[0] for line in repr(mine).split("\n")][1:2] == [
        line.split(":")[0] for line in repr(theirs).split("\n")
    ][1:2]
    for other in (copy.copy(mine), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
        assert other == mine and type(other) is type(mine)
    with pytest.raises(AttributeError):
        mine.no_such_member = 1
    with pytest.raises(TypeError):
        hash(mine)
    number = next(m for m in members if type(getattr(theirs, m)) in (int, float))
    with pytest.raises(TypeError):
        setattr(mine, number, "word")


def test_groups_of_a_model(both: Pair) -> None:
    """opt, stat and vis are MuJoCo's member by member; what is assigned is copied into them."""
    for group in ("opt", "stat"):
        for name in public(getattr(both.their_m, group)):
            a, b = getattr(getattr(both.m, group), name), getattr(getattr(both.their_m, group), name)
            np.testing.assert_allclose(a, b, rtol=1e-9, err_msg=name)
    for part in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        theirs = getattr(both.their_m.vis, part)
        # MuJoCo 4.0.0 gives no numbers of two of the colours
        for name in [n for n in public(theirs) if np.size(getattr(theirs, n))]:
            np.testing.assert_allclose(getattr(getattr(both.m.vis, part), name), getattr(theirs, name), err_msg=name)
    assert isinstance(both.m.opt, ours.MjOption) and isinstance(both.m.vis.headlight, ours.MjVisual.Headlight)
    assert both.m.opt is both.m.opt and copy.copy(both.m.vis) == both.m.vis
    with pytest.raises(TypeError):
        both.m.opt = 3
    with pytest.raises(TypeError):
        both.m.opt.integrator = 0.5


def test_data_refers_to_its_model() -> None:
    """And to nothing else that refers to it."""
    d = ours.MjData(ours.MjModel.from_xml_string("<mujoco/>"))
    m = d.model
    ours.mj_step(m, d)
    del d
    assert sys.getrefcount(m) == 2
