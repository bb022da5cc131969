"""The memory that Python and kernels share."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import sim
from sim.jit import Plan, Struct
from tests.sim.jit import toy


def test_assignment_copies_in_place():
    m, _ = toy.make()
    view = m.f
    m.f = np.arange(12).reshape(4, 3)
    assert view is m.f
    assert view[3, 2] == 11


def test_scalars_groups_and_defaults():
    m, d = toy.make()
    assert m.opt.step == 0.5 and m.opt.count == 3
    m.opt.step = 0.25
    assert m.opt.step == 0.25
    d.on = True
    assert d.on is True
    assert dir(m.opt) == ["count", "step"]


@pytest.mark.parametrize("name", ["qpoz", "opt.stop"])
def test_unknown_field_is_an_error(name):
    m, _ = toy.make()
    target, _, leaf = name.rpartition(".")
    owner = getattr(m, target) if target else m
    with pytest.raises(AttributeError, match=leaf):
        setattr(owner, leaf, 1)
    with pytest.raises(AttributeError, match=leaf):
        getattr(owner, leaf)


def test_wrong_shape_is_an_error():
    m, _ = toy.make()
    with pytest.raises(ValueError):
        m.f = np.zeros((5, 3))
    with pytest.raises(TypeError):
        m.bind("f", np.zeros((4, 3), np.float32))
    with pytest.raises(TypeError):
        m.bind("f", np.zeros((4, 2)))


def test_growing_arrays_show_the_rows_in_use():
    _, d = toy.make(room=2)
    assert len(d.contact) == 0 and d.contact.dist.shape == (0,)
    d.ncon = 2
    d.contact.dist = [1.0, 2.0]
    d.grow("ncon", 10)
    assert d.contact.dist.tolist() == [1.0, 2.0]
    assert d.contact[1].dist == 2.0 and d.contact[-1].pos.shape == (3,)
    with pytest.raises(IndexError):
        d.contact[2]


def test_fields_do_not_share_cache_lines():
    _, d = toy.make()
    addresses = sorted(a.ctypes.data for a in dict(d.arrays()).values())
    assert all(a % 64 == 0 for a in addresses)
    assert len(set(addresses)) == len(addresses)


def test_declaring_a_field_twice_is_an_error():
    with pytest.raises(ValueError, match="twice"):
        sim.jit.Layout("x", (toy.field("a", "f8", ()), toy.field("a", "f8", ())), const=False)


def test_a_field_is_no_group():
    with pytest.raises(ValueError, match=r"x\.a is declared as a field and as a group"):
        sim.jit.Layout("x", (toy.field("a", "f8", ()), toy.field("a.b", "f8", ())), const=False)


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_independent(pendulum, clone):
    m, d = pendulum
    d.qpos = 0.3
    d.grow("ncon", 100)
    d.ncon = 70
    m2, d2 = clone(m), clone(d)
    assert d2.address != d.address and m2.address != m.address
    assert np.array_equal(d2.qpos, d.qpos) and np.array_equal(m2.body_mass, m.body_mass)
    assert len(d2.contact) == 70
    sim.step(m2, d2)
    assert d.time == 0 and d2.time == m.opt.timestep
    del m, d
    sim.step(m2, d2)
    assert d2.time == 2 * m2.opt.timestep


def test_struct_reads_what_it_wrote():
    s = Struct(Plan(toy.MODEL, {"n": 3}))
    s.flag = [True, False, True]
    s.byte = [1, 2, 255]
    s.long = [1 << 40, -1, 0]
    assert s.flag.dtype == bool and s.byte.dtype == np.uint8 and s.long[0] == 1 << 40


FALLING = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def _use_model(m, _):
    assert m.opt.timestep == m.copy().opt.timestep
    assert m.vis.map.force > 0


def _use_groups(_, d):
    assert len(d.contact) == 0 and d.contact.dist.shape == (0,)


def _profile(m, d):
    sim.stage_times(m, d)


def _linearise(m, d):
    sim.transition_fd(m, d, 1e-6)


def _roll_out(m, d):
    for _ in range(2):
        sim.rollout(m, sim.get_state(m, d), nstep=2)


def _trace(m, d):
    sim.trace(m, d, 100)
    sim.step(m, d, 3)


def _name(m, d):
    assert d.body(1).xpos is not None and m.body(1).mass > 0


@pytest.mark.parametrize("use", [_use_model, _use_groups, sim.step, _profile, _linearise, _roll_out, _trace, _name])
def test_what_nobody_refers_to_is_freed_at_once(use):
    m = sim.loads(FALLING)
    d = sim.Data(m)
    gone = [weakref.ref(x) for x in (m, d, d.model)]
    gc.collect()
    gc.disable()
    try:
        use(m, d)
        gone += map(weakref.ref, d.__dict__.get("scratch_data", {}).values())
        gone += map(weakref.ref, m.__dict__.get("idle", ()))
        del m, d
        assert [alive for alive in gone if alive() is not None] == []
    finally:
        gc.enable()


def test_a_group_keeps_its_struct():
    options = sim.loads(FALLING).opt
    gc.collect()
    options.timestep = 0.01
    assert options.timestep == 0.01
