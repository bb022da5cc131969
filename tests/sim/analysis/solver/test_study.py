"""A study of a step: its islands, the one of a tree, the contact at a place and its force on the way; names of rows."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.contact_detail import contact_detail, with_force
from sim.analysis.contact_state import OPEN
from sim.analysis.solver.problem import WHOLE
from sim.analysis.solver.row_table import row_table
from sim.analysis.solver.study import Place, study_step
from sim.script.contact_force import contact_forces
from tests.sim.analysis.solver.test_walk import prepared


def test_islands_by_size_and_the_one_of_a_tree() -> None:
    m, d = prepared("Newton")
    study = study_step(m, d)
    assert [island.index for island in study.islands] == sorted(range(d.nisland), key=lambda i: -d.island_nefc[i])
    assert study.island == study.islands[0]
    for island in study.islands:
        assert island.iterations == d.solver_niter[island.index]
        again = study_step(m, d, island.tree)
        assert again.island == island and again.walk is not None
        assert again.walk.problem.rows.tolist() == np.flatnonzero(d.efc_island == island.index).tolist()
        assert len(again.rows.rows) == island.rows and island.dofs == len(again.walk.problem.dofs)
        assert 0 < again.seconds < 1.0


def test_without_islands_there_is_one_block() -> None:
    m, d = prepared("CG", island="disable")
    study = study_step(m, d, 1)
    assert study.island is not None and study.island.index == WHOLE
    assert (study.island.rows, study.island.trees) == (d.nefc, m.ntree)


def test_nothing_to_solve() -> None:
    m = sim.loads("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    sim.forward(m, d)
    study = study_step(m, d)
    assert study.islands == () and study.walk is None and study.contact is None
    empty = sim.loads("<mujoco/>")
    d = sim.Data(empty)
    sim.forward(empty, d)
    assert study_step(empty, d).walk is None


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_the_contact_at_a_place(cone: str) -> None:
    m, d = prepared("CG", cone)
    forces = contact_forces(d)
    for contact in range(d.ncon):
        place = Place(tuple(d.contact.geom[contact].tolist()), tuple(d.contact.pos[contact].tolist()))
        tree = int(m.body_treeid[m.geom_bodyid[d.contact.geom[contact]]].max())
        found = study_step(m, d, tree, place)
        assert found.contact is not None and found.walk is not None
        assert found.contact.contact.index == contact
        assert found.contact.forces.shape == (len(found.walk.iterations), 6)
        assert np.array_equal(found.contact.forces[-1], forces[contact])
        assert not np.array_equal(found.contact.forces[0], forces[contact])


def test_without_a_place_the_contact_that_bears_most() -> None:
    m, d = prepared("Newton")
    study = study_step(m, d)
    assert study.contact is not None and study.island is not None
    mine = np.flatnonzero(d.efc_island[d.contact.efc_address] == study.island.index)
    assert study.contact.contact.index == mine[np.argmax(contact_forces(d)[mine, 0])]


def test_a_contact_with_another_force() -> None:
    m, d = prepared("Newton")
    contact = contact_detail(m, d, 0)
    again = with_force(contact, contact.force)
    assert (again.state, again.limit, again.margin) == (contact.state, contact.limit, contact.margin)
    assert again.axes == contact.axes and again.utilization == pytest.approx(contact.utilization)
    assert with_force(contact, np.zeros(6)).state == OPEN


def test_rows_have_names_and_sources() -> None:
    m, d = prepared("Newton", "elliptic")
    table = row_table(d, np.arange(d.nefc))
    names = [table.name(m, row) for row in range(d.nefc)]
    assert len(set(names[: d.ne + d.nf + d.nl])) == d.ne + d.nf + d.nl
    assert names[0].startswith("joint equality") and table.source(m, 0) == ("equality", 0)
    assert {"dry friction of a", "dry friction of b", "dry friction of tendon t", "limit of joint a"} <= set(names)
    assert table.source(m, names.index("limit of joint a")) == ("joint", m.name2id("joint", "a"))
    assert table.source(m, names.index("dry friction of tendon t")) == ("tendon", 0)
    for contact in range(d.ncon):
        first = int(d.contact.efc_address[contact])
        assert names[first].endswith(", normal") and table.source(m, first) == ("contact", contact)
        assert names[first + 1].endswith(", tangent 1")
        assert table.unit(first) == "N"
    assert table.unit(0) == "N or N m"
    m, d = prepared("Newton", "elliptic", condim=6)
    table = row_table(d, np.arange(d.nefc))
    turning = [row for row in range(d.nefc) if table.unit(row) == "N m"]
    assert turning and all("torsion" in table.name(m, row) or "roll" in table.name(m, row) for row in turning)
    m, d = prepared("Newton", "pyramidal")
    table = row_table(d, np.arange(d.nefc))
    first = int(d.contact.efc_address[0])
    assert [table.name(m, first + k).partition(", ")[2] for k in range(4)] == [
        "normal + μ tangent 1", "normal - μ tangent 1", "normal + μ tangent 2", "normal - μ tangent 2",
    ]  # fmt: skip


def test_rows_of_a_weld_are_numbered() -> None:
    m = sim.loads("""<mujoco><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>
      <equality><weld name='hold' body1='b'/></equality></mujoco>""")
    d = sim.Data(m)
    sim.forward(m, d)
    table = row_table(d, np.arange(d.nefc))
    assert [table.name(m, row) for row in range(6)] == [f"equality hold, row {k + 1}" for k in range(6)]
