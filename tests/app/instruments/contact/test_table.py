"""The table of contacts against what physics says: weights, slip speeds, who sticks and who slides."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.contact.table import contact_table, geom_names
from app.run.snapshot import view_model, view_state
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

# a box at rest, one that is pushed along, one that slides without friction; none of them can tip over
MODEL = """<mujoco><option gravity='0 0 -10' cone='{cone}'/>
<worldbody>
  <geom name='floor' type='plane' size='9 9 .1' priority='0' condim='3'/>
  <body pos='0 0 .1'>{joints}<geom type='box' size='.1 .1 .1' mass='2'/></body>
  <body pos='1 0 .1'>{joints}<geom type='box' size='.1 .1 .1' mass='2' friction='.3' priority='1'/></body>
  <body pos='2 0 .1'>{joints}<geom type='box' size='.1 .1 .1' mass='2' condim='1' priority='1'/></body>
</worldbody></mujoco>"""
JOINTS = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_slip_and_state(cone: str) -> None:
    model = sim.loads(MODEL.format(cone=cone, joints=JOINTS))
    data = sim.Data(model)
    data.qvel[2], data.qvel[4] = 1.5, 0.7
    sim.step(model, data, 100)
    # what slides over soft contacts hops a little: wait until it is down
    while not (model.geom_bodyid[data.contact.geom[data.contact.efc_address >= 0, 1]] == 2).any():
        sim.step(model, data)
    table = contact_table(view_model(model), view_state(data))
    body = table.bodies[:, 1]
    for b, state, speed in ((1, STICK, 0.0), (2, SLIP, None), (3, SMOOTH, 0.7)):
        mine = body == b
        assert mine.any()
        assert set(table.state[mine]) <= {state, OPEN}
        if speed is not None:
            assert table.slip[mine] == pytest.approx(speed, abs=0.02)
            # those that rest or glide press with their weight
            assert table.normal[mine].sum() == pytest.approx(20, rel=0.01)
    sliding = body == 2
    assert table.slip[sliding].max() > 0.5
    ratio = table.friction[sliding].sum() / table.normal[sliding].sum()
    assert ratio == pytest.approx(0.3, rel=0.1)
    assert table.friction[body == 3].max() == 0.0
    assert len(np.unique(table.island)) == 3
    # the slipping ones use up their friction, and the vector has both parts
    assert table.used[sliding & (table.state == SLIP)].min() > 0.99
    assert np.linalg.norm(table.force, axis=1) == pytest.approx(np.hypot(table.normal, table.friction))
    names = geom_names(view_model(model))
    assert (names.full[0], names.full[1]) == ("world / floor", "body 1 / box")


def test_without_contacts() -> None:
    model = sim.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    data = sim.Data(model)
    sim.forward(model, data)
    assert len(contact_table(view_model(model), view_state(data)).state) == 0
