"""Cells name the numbers of a model by the element that they belong to."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.model.editable import BY_PATH
from app.run.journal.cells import Cell, Cells, kind_of
from tests.app.live import RICH_MODEL, SMALL


@pytest.mark.parametrize("xml", [RICH_MODEL, SMALL])
def test_every_number_has_a_cell_of_its_own(xml: str) -> None:
    model = sim.loads(xml)
    cells = Cells(model)
    for path in [*BY_PATH, "key_qpos", "key_time"]:
        count = np.size(model.read(path))
        named = [cells.cell(path, at) for at in range(count)]
        assert len(set(named)) == count
        assert [cells.at(cell) for cell in named] == list(range(count))
        assert [cells.read(cell) for cell in named] == np.ravel(model.read(path)).astype(float).tolist()


def test_a_cell_survives_what_moves_its_row() -> None:
    before = "<geom name='a' size='.1'/><body name='b'><joint name='j'/><geom name='g' size='.2'/></body>"
    after = "<geom size='.3'/><body><joint name='k' type='ball'/><geom size='.1'/></body>" + before
    was, now = (Cells(sim.loads(f"<mujoco><worldbody>{text}</worldbody></mujoco>")) for text in (before, after))
    for path, at, moved in (("geom_friction", 4, 10), ("dof_damping", 0, 3), ("body_mass", 1, 2)):
        cell = was.cell(path, at)
        assert now.at(cell) == moved
        assert now.cell(path, moved) == cell


def test_what_a_model_does_not_have_has_no_place() -> None:
    cells = Cells(sim.loads("<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>"))
    assert cells.at(Cell("geom_friction", "g", 2)) == 2
    assert cells.at(Cell("geom_friction", "g", 3)) is None
    assert cells.at(Cell("geom_friction", "h", 0)) is None
    assert cells.at(Cell("dof_damping", "g", 0)) is None
    assert cells.at(Cell("opt.gravity", "", 2)) == 2
    assert cells.at(Cell("opt.gravity", "", 3)) is None
    assert cells.read(Cell("opt.gravity", "", 3)) is None


def test_bits_are_cells() -> None:
    cells = Cells(sim.loads("<mujoco><option><flag gravity='disable'/></option></mujoco>"))
    read = [cells.read(Cell("opt.disableflags", "", 0, 1 << k)) for k in range(20)]
    assert sum(value or 0.0 for value in read) == 1.0
    assert kind_of("opt.disableflags") == ""
    assert kind_of("dof_damping") == "joint"


def test_numbers_of_a_state_belong_to_one_layout() -> None:
    body = "<body><joint/>{}<geom size='1'/></body>"
    text = f"<mujoco><worldbody>{body}</worldbody><keyframe><key name='k'/></keyframe></mujoco>"
    one, two = (Cells(sim.loads(text.format(more))) for more in ("", "<joint axis='1 0 0'/>"))
    cell = one.cell("key_qpos", 0)
    assert one.at(cell) == 0
    assert two.at(cell) is None
    assert one.layout == Cells(sim.loads(text.format("<site/>"))).layout
