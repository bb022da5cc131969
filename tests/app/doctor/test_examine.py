"""The doctor's examination: order of findings, and consequences that a cause explains."""

from __future__ import annotations

import sim
from app.doctor import examine

XML = """<mujoco><option gravity='0 0 -9810' timestep='.03'/><worldbody><body><freejoint/><geom size='.1'/></body>
</worldbody></mujoco>"""


def test_worst_first() -> None:
    assert [finding.check for finding in examine.examine(sim.loads(XML))] == ["gravity-unit", "timestep"]
