"""Who can touch whom, as far as filters say: the same pairs as the engine finds where everything overlaps."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.doctor.collidable import Collidable
from app.instruments.doctor.subject import Subject

# every geom is inside of every other, so that filters alone decide
XML = """<mujoco><option><flag {flag}/></option><worldbody>
<geom name='floor' type='plane' size='5 5 .1'/><geom name='static' size='.2'/>
<body name='a'><freejoint/><geom name='a' size='.2'/><geom name='a2' size='.21' contype='2' conaffinity='0'/>
  <body name='b' pos='0 0 .01'><joint/><geom name='b' size='.2'/>
    <body name='c' pos='0 0 .01'><joint/><geom name='c' size='.2' contype='0' conaffinity='2'/></body>
    <body name='d' pos='0 .01 0'><geom name='d' size='.19'/></body></body></body>
<body name='e' pos='.01 0 0'><freejoint/><geom name='e' size='.2'/></body>
<body name='f' pos='0 .02 0'><freejoint/><geom name='f' size='.2' contype='0' conaffinity='0'/></body>
</worldbody><contact>{contact}</contact></mujoco>"""
EXCLUDE = "<exclude body1='a' body2='e'/><exclude body1='e' body2='world'/>"


@pytest.mark.parametrize("flag", ["", "filterparent='disable'"])
@pytest.mark.parametrize("contact", ["", EXCLUDE, "<pair geom1='f' geom2='floor'/>"])
def test_same_pairs_as_contacts(flag: str, contact: str) -> None:
    model = sim.loads(XML.format(flag=flag, contact=contact))
    subject = Subject(model)
    geoms = np.sort(np.asarray(subject.data.contact.geom)[: int(subject.data.ncon)], axis=1)
    expected = {(int(first), int(second)) for first, second in geoms}
    found = {(int(i), int(j)) for i, j in np.argwhere(Collidable(subject).matrix) if i < j}
    assert found == expected and expected


def test_disabled_contacts() -> None:
    model = sim.loads(XML.format(flag="contact='disable'", contact=""))
    assert not Collidable(Subject(model)).matrix.any()


def test_floors_face_up() -> None:
    model = sim.loads(XML.format(flag="", contact="").replace("size='5 5 .1'/>", "size='5 5 .1'/><geom type='plane' "
                      "size='5 5 .1' zaxis='1 0 0'/>"))  # fmt: skip
    collidable = Collidable(Subject(model))
    assert collidable.ground.sum() == 2 and np.flatnonzero(collidable.floors).tolist() == [0]


def test_what_falls() -> None:
    model = sim.loads(XML.format(flag="", contact=""))
    assert Collidable(Subject(model)).standing == [0, 1, 2]
    model.opt.gravity[:] = 0
    assert Collidable(Subject(model)).standing == []
