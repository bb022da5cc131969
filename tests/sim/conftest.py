"""Small models for the tests of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import sim

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def pendulum() -> tuple[sim.Model, sim.Data]:
    # imported late: tests/conftest.py first chooses between plain kernels and those with checked indices
    import mujoco

    import sim
    from tests import oracle

    m = oracle.model_of(mujoco.MjModel.from_xml_string(PENDULUM))
    return m, sim.Data(m)
