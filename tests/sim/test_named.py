"""Elements by name, as in MuJoCo's bindings."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import sim
from tests.sim import models

MODEL_KINDS = ("body", "joint", "jnt", "geom", "site", "camera", "cam", "light", "material", "mat", "key")
DATA_KINDS = ("body", "joint", "jnt", "geom", "site", "camera", "cam", "light")

XML = models.FOLLOWERS.replace("</worldbody>", "</worldbody><keyframe><key name='k' time='1'/></keyframe>")


@pytest.fixture
def engines():
    mj = mujoco.MjModel.from_xml_string(XML)
    dj, m = mujoco.MjData(mj), sim.loads(XML)
    d = sim.Data(m)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    return mj, dj, m, d


def fields(accessor):
    skipped = {"id", "name", "user", "plugin", "bvhadr", "bvhnum"}
    return [
        f for f in dir(accessor) if not f.startswith("_") and f not in skipped and not callable(getattr(accessor, f))
    ]


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_model_views(engines, kind):
    mj, _, m, _ = engines
    for i in range(len(m.names[sim.named.ALIASES.get(kind, kind)])):
        theirs, ours = getattr(mj, kind)(i), getattr(m, kind)(i)
        assert ours.id == theirs.id and ours.name == theirs.name
        if theirs.name:
            assert getattr(m, kind)(theirs.name).id == i
        for field in fields(theirs):
            value = getattr(ours, field)
            assert value.shape == getattr(theirs, field).shape, field
            assert np.allclose(value, getattr(theirs, field)), field


@pytest.mark.parametrize("kind", DATA_KINDS)
def test_data_views(engines, kind):
    _, dj, m, d = engines
    not_yet = {"cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom", "qfrc_inverse"}
    for i in range(len(m.names[sim.named.ALIASES.get(kind, kind)])):
        theirs, ours = getattr(dj, kind)(i), getattr(d, kind)(i)
        for field in fields(theirs):
            # the bindings give other rows than dj.cdof has for this joint
            if field in not_yet or (kind, field) in {("joint", "cdof"), ("jnt", "cdof")}:
                continue
            value = getattr(ours, field)
            assert value.shape == getattr(theirs, field).shape, field
            assert np.allclose(value, getattr(theirs, field)), field


def test_views_are_views(engines):
    _, _, m, d = engines
    m.body("base").mass = 7
    assert m.body_mass[m.body("base").id] == 7
    d.joint(0).qpos = 0.25
    assert d.qpos[0] == 0.25
    m.geom(0).rgba[3] = 0.5
    assert m.geom_rgba[0, 3] == 0.5


def test_unknown_names_say_which_are_known(engines):
    _, _, m, _ = engines
    with pytest.raises(KeyError, match=r"no body is named 'bose'.*'base'"):
        m.body("bose")
    with pytest.raises(IndexError, match="body 99: there are"):
        m.body(99)
    with pytest.raises(AttributeError, match=r"a body has no 'maas'.*mass"):
        _ = m.body("base").maas


def test_attributes_are_listed_under_one_name(engines):
    """dir() and the types of an editor have the names that work, and no others."""
    _, _, m, d = engines
    for view in (m.joint(0), d.joint(0), d.body(1)):
        assert all(name.isidentifier() and hasattr(view, name) for name in dir(view))
    # jnt_solref and dof_solref are different fields
    assert {"solref", "dof_solref"} <= {*dir(m.joint(0))}
    m.joint(0).dof_solref = 0.5
    assert m.dof_solref[0, 0] == 0.5 and m.jnt_solref[0, 0] != 0.5
    with pytest.raises(AttributeError, match="a body has no 'body_mass'"):
        _ = m.body("base").body_mass


# ---------------------------------------------------------------- every kind, every attribute

RICH = """
<mujoco>
  <size nuser_body="1" nuser_jnt="1" nuser_geom="2" nuser_site="1" nuser_cam="1" nuser_tendon="1" nuser_actuator="1"
    nuser_sensor="1"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/>
    <texture name="wide" type="2d" builtin="checker" width="8" height="4" rgb1="1 0 0" rgb2="0 1 0"/>
    <texture name="small" type="2d" builtin="gradient" width="3" height="2" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="tiles" texture="wide"/>
    <hfield name="hills" nrow="3" ncol="4" size="1 1 .2 .1" elevation="0 0 0 0 0 .1 .2 0 0 0 0 0"/>
    <hfield name="steps" nrow="2" ncol="2" size="1 1 .2 .1" elevation="0 1 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" material="tiles"/>
    <geom type="hfield" hfield="hills" pos="5 5 0"/>
    <light name="lamp" pos="0 0 3"/>
    <camera name="eye" pos="0 -1 1"/>
    <body name="a" pos="0 0 1"><freejoint name="free"/><geom name="ga" type="box" size=".1 .2 .1" user="1 2"/>
      <body name="b" pos=".3 0 0"><joint name="ball" type="ball"/><geom name="gb" size=".05"/><site name="s1"/>
        <body name="c" pos=".2 0 0"><joint name="hinge" range="-10 10" limited="true"/>
          <joint name="slide" type="slide" axis="1 0 0"/><geom name="gc" type="capsule" size=".03 .1"/>
          <site name="s2" pos=".1 0 0"/></body></body></body>
    <body name="d" pos="1 0 .09"><freejoint/><geom type="mesh" mesh="wedge"/></body>
    <body name="e" mocap="true" pos="2 0 0"><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1"><joint joint="hinge" coef="2"/><joint joint="slide" coef="1"/></fixed>
    <spatial name="t2"><site site="s1"/><site site="s2"/></spatial>
  </tendon>
  <contact><pair name="p" geom1="floor" geom2="gc"/><exclude name="x" body1="a" body2="c"/></contact>
  <equality>
    <joint name="e1" joint1="hinge" joint2="slide"/>
    <connect name="e2" body1="a" body2="d" anchor="0 0 0" active="false"/>
  </equality>
  <actuator>
    <motor name="motor" joint="hinge" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
    <position name="servo" tendon="t1" kp="10"/>
    <general name="filter" joint="slide" dyntype="filter" dynprm=".1" gainprm="2"/>
    <motor name="turner" joint="ball" gear="0 1 0"/>
    <muscle name="muscle" tendon="t2" lengthrange=".1 .5"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <framepos name="place" objtype="body" objname="b"/>
    <accelerometer name="felt" site="s1"/>
  </sensor>
  <custom>
    <numeric name="n1" data="1 2 3"/><numeric name="n2" data="4 5"/><text name="words" data="hello"/>
    <tuple name="both"><element objtype="body" objname="a"/><element objtype="body" objname="b" prm="2"/></tuple>
  </custom>
  <keyframe><key name="k1" time="1"/><key name="k2" time="2"/></keyframe>
</mujoco>
"""
# of these MuJoCo's views show rows of other elements
WRONG_ROWS = {("joint", "cdof"), ("joint", "cdof_dot"), ("tendon", "J_colind"), ("actuator", "moment")}


@pytest.fixture(scope="module")
def rich():
    """Both engines with the same numbers in every field."""
    mj = mujoco.MjModel.from_xml_string(RICH)
    dj, m = mujoco.MjData(mj), sim.loads(RICH)
    d = sim.Data(m)
    mujoco.mj_step(mj, dj, 3)
    for name in d.layout.places:
        theirs = getattr(dj, name, None)
        if isinstance(theirs, np.ndarray) and theirs.shape == np.shape(d.read(name)):
            d.write(name, theirs)
    return mj, dj, m, d


def views(theirs, ours, kind):
    """(view of MuJoCo, view of ours, attribute) of all elements of a kind."""
    for i in range(len(ours.names[kind] if isinstance(ours, sim.Model) else ours.model.names[kind])):
        a, b = getattr(theirs, kind)(i), getattr(ours, kind)(i)
        names = [n for n in dir(a) if not n.startswith("_") and not callable(getattr(a, n))]
        yield from ((a, b, n) for n in names if (kind, n) not in WRONG_ROWS)


@pytest.mark.parametrize("kind", sim.named.KINDS)
@pytest.mark.parametrize("of", ["Model", "Data"])
def test_every_attribute(rich, of, kind):
    theirs, ours = rich[of == "Data"], rich[2 + (of == "Data")]
    # where MuJoCo has no views of a kind there is nothing to compare
    for a, b, name in views(theirs, ours, kind) if hasattr(theirs, kind) else ():
        wanted, found = np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
        assert found.shape == wanted.shape, name
        # flags are bool here, bytes there
        assert found.dtype.kind == wanted.dtype.kind or (found.dtype, wanted.dtype) == (np.bool_, np.uint8), name
        assert np.array_equal(found, wanted) or np.allclose(found, wanted, rtol=1e-6, atol=1e-9), name


def test_where_plastic_springs_rest():
    """Of joints and tendons that yield; those of others are empty."""
    xml = """<mujoco><worldbody>
        <body><joint name="h" stiffness="1" springyield=".1"/><joint axis="1 0 0"/><geom size=".1" pos="1 0 0"/>
          <site name="s"/><body><joint type="ball" stiffness="2" springyield=".2"/><geom size=".1"/>
            <site name="t" pos="1 1 1"/></body></body></worldbody>
      <tendon><spatial><site site="s"/><site site="t"/></spatial>
        <spatial stiffness="3" springyield=".3"><site site="s"/><site site="t"/></spatial>
        <fixed stiffness="3" springyield=".3"><joint joint="h" coef="1"/></fixed></tendon></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(xml)
    dj, d = mujoco.MjData(mj), sim.Data(sim.loads(xml))
    dj.plastic[:] = d.plastic[:] = np.arange(mj.nplastic)
    for kind in ("joint", "tendon"):
        rest = [getattr(d, kind)(i).plastic.tolist() for i in range(3)]
        assert rest == [getattr(dj, kind)(i).plastic.tolist() for i in range(3)]
        assert [] in rest


def test_actuators_of_several_outputs():
    xml = """<mujoco><worldbody><body><joint name="j" type="ball"/><geom size=".1"/></body></worldbody>
      <actuator><orientation name="turn" joint="j" kp="3"/></actuator></mujoco>"""
    m = sim.loads(xml)
    turn = m.actuator("turn")
    assert turn.gear.shape == (3, 6) and turn.ctrlrange.shape == (3, 2) and turn.gainprm.shape == (10,)
    assert sim.Data(m).actuator("turn").ctrl.shape == (3,)


def test_rows_of_a_tendon(rich):
    _, _, m, d = rich
    for t in range(m.ntendon):
        row = slice(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t])
        assert np.array_equal(m.tendon(t).J_colind, m.ten_J_colind[row])
        assert np.array_equal(d.tendon(t).J, d.ten_J[row])


# ---------------------------------------------------------------- printed, compared, copied


@pytest.fixture
def touching():
    """Both engines with the same five contacts."""
    floor = "<geom type='plane' size='1 1 1'/>"
    bodies = "".join(f"<body name='b{x}' pos='{x} 0 .099'><freejoint/><geom size='.1'/></body>" for x in range(5))
    xml = f"<mujoco><worldbody>{floor}{bodies}</worldbody></mujoco>"
    mj = mujoco.MjModel.from_xml_string(xml)
    dj, m = mujoco.MjData(mj), sim.loads(xml)
    d = sim.Data(m)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert d.ncon == dj.ncon == 5
    return mj, dj, m, d


def lines(text):
    """The names that a printed record tells, with what is behind them."""
    return dict(line.strip().split(": ", 1) for line in text.splitlines() if ": " in line)


def test_records_print_their_values(touching):
    mj, dj, m, d = touching
    for ours, theirs in ((m.opt, mj.opt), (m.body(1), mj.body(1)), (d.body("b2"), dj.body("b2"))):
        found, wanted = lines(repr(ours)), lines(repr(theirs))
        assert wanted.keys() <= found.keys()
        same = [name for name in wanted if not wanted[name].startswith("array")]
        assert [found[n] for n in same] == [wanted[n] for n in same]
    assert "global_: <vis.global_\n" in repr(m.vis) and "    fovy: 45.0\n" in repr(m.vis)
    assert repr(d.contact[1]).startswith("<contact[1]\n") and "\n  dim: 3\n" in repr(d.contact[1])
    assert repr(d.contact[:2]).startswith("<contact, 2 rows\n") and "dim: array([3, 3]" in repr(d.contact[:2])
    assert repr(d.body(1)).startswith("<body 1 of Data\n") and "\n  name: 'b0'\n" in repr(d.body(1))
    for struct in (m, d):
        assert all(repr(getattr(struct, kind)(0)) for kind in ("body", "joint", "geom"))


@pytest.mark.parametrize("twice", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_copies_have_values_of_their_own(touching, twice):
    _, _, m, d = touching
    for record in (m.opt, m.vis, m.stat, d.contact, d.contact[0], d.contact[1:3], m.body(1), d.body(1)):
        twin = twice(record)
        assert twin == record and record == twin
        assert repr(twin) == repr(record) and twice(twin) == twin
    twin = twice(m.opt)
    twin.timestep, twin.gravity[2] = 3, 1
    twin.wind = [1, 2, 3]
    assert m.opt.timestep == 0.002 and m.opt.gravity[2] == -9.81 and not m.opt.wind.any()
    assert twin != m.opt and twin.wind.tolist() == [1, 2, 3]
    twin = twice(m.vis)
    twin.global_.fovy = 9
    assert m.vis.global_.fovy == 45 and twin != m.vis
    twin = twice(d.contact[0])
    twin.dist = 9
    assert d.contact[0].dist < 0 and twin != d.contact[0]
    with pytest.raises(AttributeError, match=r"contact.* has no 'dost', only .*dist"):
        twin.dost = 3


def test_equal_values_are_equal(touching):
    _, _, m, d = touching
    other = m.copy()
    assert m.opt == other.opt and m.vis == other.vis and m.stat == other.stat
    other.opt.impratio = 2
    other.vis.map.force = 2
    assert m.opt != other.opt and m.vis != other.vis and m.opt != m.stat and m.opt != 3
    assert d.contact[0] == d.contact[0] and d.contact[0] != d.contact[1] and d.contact[:2] == d.contact[:2]
    # a view is the element that it shows
    assert m.body(1) == m.body("b0") and m.body(1) != m.body(2) and m.body(1) != other.body(1) != d.body(1)
    assert len({m.body(1), m.body("b0"), m.body(2), d.body(1)}) == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(m.opt)


def test_slices_of_contacts(touching):
    _, dj, _, d = touching
    assert len(d.contact) == 5 and [c.geom2 for c in d.contact] == dj.contact.geom2.tolist()
    for part in (slice(0, 2), slice(1, None, 2), slice(None, None, -1), slice(3, 99), slice(4, 1), slice(-2, None)):
        rows = d.contact[part]
        assert np.array_equal(rows.pos, dj.contact.pos[part]) and rows.geom.dtype == np.int32
        assert len(rows) == len(rows.dist) == len(list(rows)) == len(dj.contact.dist[part])
        assert [c.geom2 for c in rows] == dj.contact.geom2[part].tolist()
    assert d.contact[1:][1:3][0] == d.contact[2] and d.contact[-1] == d.contact[4] == d.contact[np.int64(4)]
    d.contact[1:3].dist = 7
    assert d.contact.dist[1:3].tolist() == [7, 7] and d.contact.dist[3] != 7
    for bad in (5, -6, 99):
        with pytest.raises(IndexError, match=rf"contact\[{bad}\]: there are 5"):
            d.contact[bad]
    with pytest.raises(IndexError, match="there are 2"):
        d.contact[:2][2]
    with pytest.raises(TypeError):
        d.contact["a"]
    for not_rows in (lambda m: len(m.opt), lambda m: m.opt[0], lambda m: list(m.opt), lambda m: m.body(1.5)):
        with pytest.raises(TypeError):
            not_rows(d.model)
