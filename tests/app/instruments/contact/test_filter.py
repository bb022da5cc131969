"""Filters of the contact table: what each word chooses, and what a wrong one says."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.contact.filter import FilterError, chosen_contacts, parse_filter
from app.instruments.contact.table import ContactTable, contact_table
from app.model.views import ModelView
from app.run.snapshot import view_model, view_state

# contacts in this order of bodies: rest, left foot, smooth; all with the floor
MODEL = """<mujoco><option gravity='0 0 -10' cone='elliptic'/>
<worldbody>
  <geom name='floor' type='plane' size='9 9 .1' condim='3'/>
  <body name='rest' pos='0 0 .0999'>{joints}<geom size='.1' mass='1'/></body>
  <body name='left foot' pos='1 0 .095'>{joints}<geom name='Sole' size='.1' mass='3' friction='.3'
    priority='1'/></body>
  <body name='smooth' pos='2 0 .0999'>{joints}<geom size='.1' mass='2' condim='1' priority='1'/></body>
</worldbody></mujoco>"""
JOINTS = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
REST, FOOT, SMOOTH = range(3)


@pytest.fixture(scope="module")
def contacts() -> tuple[ModelView, ContactTable]:
    model = sim.loads(MODEL.format(joints=JOINTS))
    data = sim.Data(model)
    data.qvel[2] = 1.5
    sim.forward(model, data)
    table = contact_table(view_model(model), view_state(data))
    assert table.bodies[:, 1].tolist() == [1, 2, 3]
    return view_model(model), table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (REST, FOOT, SMOOTH)),
        ("floor", (REST, FOOT, SMOOTH)),
        ("foot", (FOOT,)),
        ("FOOT", (FOOT,)),
        ("sole", (FOOT,)),
        ("body:foot", (FOOT,)),
        ("body:sole", ()),
        ("geom:sole", (FOOT,)),
        ("geom:foot", ()),
        ("geom:1", (REST,)),
        ("geom:3", (SMOOTH,)),
        ("geom:77", ()),
        ('"left foot"', (FOOT,)),
        ('body:"left foot"', (FOOT,)),
        ('"left  foot"', ()),
        ("left rest", ()),
        ("-foot", (REST, SMOOTH)),
        ("-body:foot -state:smooth", (REST,)),
        ("depth>1e-3", (FOOT,)),
        ("depth>1mm", (FOOT,)),
        ("depth<1mm", (REST, SMOOTH)),
        ("distance<-0.1cm", (FOOT,)),
        ("slip>0.1", (FOOT,)),
        ("slip>=1501mm/s", ()),
        ("state:slip", (FOOT,)),
        ("state:Smooth", (SMOOTH,)),
        ("used>90%", (FOOT,)),
        ("friction>0", (FOOT,)),
        ("island:1", (FOOT,)),
        ("island=2", (SMOOTH,)),
        ("floor slip>0.1 -state:stick", (FOOT,)),
    ],
)
def test_what_words_choose(contacts: tuple[ModelView, ContactTable], text: str, expected: tuple[int, ...]) -> None:
    assert tuple(chosen_contacts(parse_filter(text), *contacts).tolist()) == expected


def test_forces_are_compared_in_newtons(contacts: tuple[ModelView, ContactTable]) -> None:
    _, table = contacts
    length = np.linalg.norm(table.force, axis=1)
    bound = float(np.sort(length)[1] + np.sort(length)[2]) / 2
    for text in (f"force>{bound}", f"force>{bound * 1e-3}kN", f"force>{bound}N"):
        assert chosen_contacts(parse_filter(text), *contacts).tolist() == [int(length.argmax())]
    normal = chosen_contacts(parse_filter(f"normal<={float(table.normal[REST])!r}"), *contacts)
    assert normal.tolist() == np.flatnonzero(table.normal <= table.normal[REST]).tolist()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("force>", "'force>' needs a number after it"),
        ("force>ten", "'ten' is not a number"),
        ("force>3 lbs>2", "'lbs' cannot be compared: use force, normal, friction, used, depth, distance, slip"),
        ("force>3lbs", "'lbs' is not a unit: use N, mm, m/s, %, ..."),
        ("force=3", "'force=' never holds exactly: use < or >"),
        ("bdy:foot", "'bdy:' is not known: use body:, geom:, state:, island:"),
        ("body:", "'body:' needs a word after it"),
        ("island:", "'island:' needs a number after it"),
        ("island:left", "'left' is not an island number"),
        ("state:glides", "'glides' is not a contact state: use open, stick, slip or smooth"),
        (">3", "'' cannot be compared: use force, normal, friction, used, depth, distance, slip"),
    ],
)
def test_a_wrong_filter_says_why(text: str, reason: str) -> None:
    with pytest.raises(FilterError) as error:
        parse_filter(text)
    assert str(error.value) == reason


@pytest.mark.parametrize("text", ['"', '"left', "-", ":", "--a", "a:b:c", '"a:b"', "<", "=", "=="])
def test_nothing_else_is_raised(contacts: tuple[ModelView, ContactTable], text: str) -> None:
    """Whatever is typed half."""
    try:
        found = chosen_contacts(parse_filter(text), *contacts)
    except FilterError as error:
        assert str(error)
    else:
        assert found.ndim == 1
