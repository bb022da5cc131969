"""Contacts by pairs of bodies: counts, the summed force, the deepest, whichever geom comes first."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.contact.pairs import contact_pairs
from app.instruments.contact.table import contact_table
from app.run.snapshot import view_model, view_state
from sim.analysis.contact_state import SLIP
from sim.analysis.pair_force import pair_force

# the capsule comes before the box in type: in their contacts the upper body may be first or second
STACK = """<mujoco><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
  <body name='low' pos='0 0 .0995'><freejoint/><geom type='box' size='.2 .2 .1'/></body>
  <body name='top' pos='0 0 .249'><freejoint/>
    <geom type='capsule' fromto='-.1 0 0 .1 0 0' size='.05'/><geom type='box' size='.04 .04 .05' pos='0 .1 0'/></body>
  <body name='slides' pos='2 0 .099'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>
    <geom type='box' size='.1 .1 .1'/></body>
</worldbody></mujoco>"""


def test_pairs_are_sums_of_their_contacts() -> None:
    m = sim.loads(STACK)
    d = sim.Data(m)
    d.qvel[12] = 2.0
    sim.forward(m, d)
    table = contact_table(view_model(m), view_state(d))
    everything = np.arange(d.ncon)
    pairs = contact_pairs(table, everything)
    assert pairs.bodies.tolist() == [[0, 1], [0, 3], [1, 2]]
    assert sorted(np.concatenate(pairs.members).tolist()) == everything.tolist()
    for k, (first, second) in enumerate(pairs.bodies.tolist()):
        summed = pair_force(m, d, first, second)
        assert pairs.count[k] == len(pairs.members[k]) == len(summed.contacts)
        assert pairs.force[k] == pytest.approx(summed.force, abs=1e-9)
        assert pairs.normal[k] == pytest.approx(summed.normal)
        assert -pairs.distance[k] == pytest.approx(summed.deepest)
        assert pairs.slip[k] == table.slip[pairs.members[k]].max()
    # both orders of bodies occur between the two that are stacked
    assert len({tuple(bodies) for bodies in table.bodies[pairs.members[2]].tolist()}) == 2
    assert pairs.state[1] == SLIP


def test_of_some_contacts_and_of_none() -> None:
    m = sim.loads(STACK)
    d = sim.Data(m)
    sim.forward(m, d)
    table = contact_table(view_model(m), view_state(d))
    some = np.flatnonzero(table.bodies[:, 1] == 3)
    pairs = contact_pairs(table, some)
    assert pairs.bodies.tolist() == [[0, 3]] and np.array_equal(pairs.members[0], some)
    assert len(contact_pairs(table, np.zeros(0, int)).count) == 0
