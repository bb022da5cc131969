"""References of a model by index: what a script or an edit writes is an element's, or an error that names the range."""

import pickle

import numpy as np
import pytest

import sim
from sim import mujoco as ours
from sim.edits import CellValue, ModelEdits
from sim.fields import MODEL_LAYOUT
from sim.fields.references import GUARDS, REFERENCES, check_references
from sim.script.model_edits import apply_edits, edits_of

MODEL = """<mujoco><asset><mesh name="k" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><site name="s"/>
  <body><joint name="a"/><geom size=".1"/></body><body><joint name="b"/><geom size=".1"/></body></worldbody>
  <equality><joint joint1="a" joint2="b"/></equality><actuator><motor joint="a"/></actuator>
  <sensor><jointpos joint="a"/></sensor><tendon><fixed><joint joint="a" coef="1"/></fixed></tendon></mujoco>"""
WRONG = [
    ("eq_obj1id", 0, 10**6, "from 0 to 1"),
    ("eq_obj1id", 0, -1, "from 0 to 1"),
    ("eq_obj2id", 0, 2, "from -1 to 1"),
    ("eq_obj2id", 0, -2, "from -1 to 1"),
    ("actuator_trnid", (0, 0), 2, "from 0 to 1"),
    ("actuator_trnid", (0, 1), 5, "from -1 to 0"),
    ("geom_dataid", 1, 1, "from -1 to 0"),
    ("sensor_objid", 0, -1, "from 0 to 1"),
    ("wrap_objid", 0, 2, "from 0 to 1"),
]


@pytest.mark.parametrize(("name", "at", "value", "span"), WRONG)
def test_what_is_no_element(name, at, value, span):
    m = sim.loads(MODEL)
    before, d = np.array(m.read(name)), sim.Data(m)
    place = ", ".join(map(str, at)) if isinstance(at, tuple) else str(at)
    message = rf"{name}\[{place}\] is {value}: it must be {span}"
    with pytest.raises(ValueError, match=message):
        getattr(m, name)[at] = value
    with pytest.raises(ValueError, match=message):
        changed = np.array(before)
        changed[at] = value
        setattr(m, name, changed)
    with pytest.raises(ValueError, match=message):
        part = getattr(m, name)[:]
        part[at] = value
    flat = int(np.ravel_multi_index(at, before.shape)) if isinstance(at, tuple) else at
    with pytest.raises(ValueError, match=message):
        apply_edits(m, ModelEdits({name: (CellValue(flat, 0, value),)}))
    assert np.array_equal(m.read(name), before) and not edits_of(m).cells
    sim.step(m, d)


def test_what_is_one():
    m = sim.loads(MODEL)
    m.eq_obj1id[0], m.eq_obj2id[0] = 1, -1
    m.actuator_trnid[0][0] = 1
    m.actuator_trnid[0, 0] -= 1
    m.sensor_objid = 1
    m.eq_obj2id += 1
    assert (m.eq_obj1id[0], m.eq_obj2id[0], m.actuator_trnid[0, 0], m.sensor_objid[0]) == (1, 0, 0, 1)
    d = sim.Data(m)
    d.qpos[1] = 0.25
    sim.forward(m, d)
    assert d.sensordata[0] == 0.25


def test_types_that_references_have():
    """A type is refused as long as the reference is none of its elements."""
    m = sim.loads(MODEL)
    with pytest.raises(ValueError, match=r"geom_dataid\[0\] is -1: it must be from 0 to 0"):
        m.geom_type[0] = sim.enums.GEOM_MESH
    m.geom_dataid[0] = 0
    m.geom_type[0] = sim.enums.GEOM_MESH
    with pytest.raises(ValueError, match=r"geom_dataid\[0\] is -1"):
        m.geom_dataid[0] = -1
    with pytest.raises(ValueError, match=r"eq_obj1id\[0\] is 1: it must be from 0 to 0"):
        m.eq_obj1id[0] = 1
        m.eq_type[0] = sim.enums.EQ_TENDON


def test_other_ways_to_write():
    m = sim.loads(MODEL)
    for write in (lambda: m.eq_obj1id.fill(5), lambda: np.copyto(m.eq_obj1id, [5])):
        with pytest.raises(ValueError, match="read-only"):
            write()
    with pytest.raises(ValueError, match=r"actuator_trnid\[0, 0\] is 3"):
        m.actuator_trnid += 3
    assert m.actuator_trnid.tolist() == [[0, -1]]


def test_copies_are_their_own():
    m = sim.loads(MODEL)
    numbers, other = m.eq_obj1id.copy(), m.copy()
    numbers[0] = 99
    other.eq_obj1id[0] = 1
    again = pickle.loads(pickle.dumps(m))
    with pytest.raises(ValueError, match="eq_obj1id"):
        again.eq_obj1id[0] = 99
    assert (m.eq_obj1id[0], other.eq_obj1id[0], numbers[0]) == (0, 1, 99)
    assert type(m.eq_obj1id + 1) is type(m.geom_type == 2) is np.ndarray


def test_with_the_names_of_mujoco():
    m = ours.MjModel.from_xml_string(MODEL)
    with pytest.raises(ValueError, match=r"eq_obj1id\[0\] is 7"):
        m.eq_obj1id[0] = 7
    with pytest.raises(ValueError, match=r"eq_obj1id\[0\] is 7"):
        m.eq_obj1id = 7


def test_the_tables():
    assert GUARDS.keys() <= {*MODEL_LAYOUT.arrays}
    assert {name for names in GUARDS.values() for name in names} == REFERENCES.keys()
    check_references(sim.loads(MODEL), tuple(REFERENCES))
