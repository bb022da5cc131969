"""Inputs of recorded rows: all that no step computes is set in another Data, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.run.history.recorded_inputs import RecordedInputs, row_places
from sim.enums import STATE_RECORD

XML = """<mujoco><worldbody><body name='cart' mocap='true'/><body><joint name='j'/><geom size='.1'/></body></worldbody>
<size nuserdata='2'/><actuator><motor joint='j'/></actuator>
<equality><joint joint1='j' active='false'/></equality></mujoco>"""


def test_inputs_are_set_and_the_motion_is_not() -> None:
    m = sim.loads(XML)
    source, other = sim.Data(m), sim.Data(m)
    source.ctrl[:], source.qfrc_applied[:], source.xfrc_applied[2, 1] = 0.5, 0.2, 3.0
    source.eq_active[:], source.mocap_pos[0], source.userdata[:] = True, (1, 2, 3), (7, 8)
    source.perturb.select, source.perturb.active = 2, 1
    source.noise.scale, source.noise.rate, source.noise.seed = 0.3, 0.1, -(1 << 40) - 5
    source.qpos[:], source.qvel[:], source.time = 1.0, 2.0, 3.0
    row = sim.get_state(m, source, STATE_RECORD)
    recorded = RecordedInputs(m, STATE_RECORD)
    recorded.write(row, other)
    set_ = sim.get_state(m, other, STATE_RECORD)
    assert np.array_equal(recorded.of(set_), recorded.of(row))
    assert other.noise.seed == -(1 << 40) - 5
    assert (other.time, other.qpos[0], other.qvel[0]) == (0.0, 0.0, 0.0)
    assert other.ctrl[0] == 0.5 and other.perturb.select == 2 and other.eq_active[0]


@pytest.mark.parametrize("without", ["ctrl", "eq_active"])
def test_a_field_can_be_left_out(without: str) -> None:
    m = sim.loads(XML)
    source, other = sim.Data(m), sim.Data(m)
    source.ctrl[:], source.eq_active[:], source.userdata[:] = 0.5, True, 1.0
    RecordedInputs(m, STATE_RECORD).write(sim.get_state(m, source, STATE_RECORD), other, (without,))
    assert not other.read(without).any() and other.userdata.all()


def test_places_cover_the_row() -> None:
    m = sim.loads(XML)
    places = row_places(m, STATE_RECORD)
    assert sum(place.stop - place.start for place in places.values()) == sim.state_size(m, STATE_RECORD)
    assert places["time"] == slice(0, 1)
