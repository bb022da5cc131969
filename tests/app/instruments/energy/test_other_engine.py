"""The audit with MuJoCo as the engine: its steps close by the same formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.run.engine.mujoco_engine import mujoco_engine
from sim.analysis.audit.walker import Walker
from sim.analysis.audit.work_source import BY_HAND, INTEGRATOR, WorkSource
from sim.enums import INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from tests.sim.analysis.test_force_sources import EVERYTHING


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE])
def test_mujocos_steps_close(tmp_path: Path, integrator: int) -> None:
    file = tmp_path / "everything.xml"
    file.write_text(EVERYTHING)
    engine = mujoco_engine()
    m = engine.load(str(file))
    m.opt.integrator = integrator
    d = engine.Data(m)
    d.qvel = 0.3 * np.random.default_rng(0).standard_normal(m.nv)
    signature = engine.record_signature(m)
    walker = Walker(m)
    tally = walker.begin(0, engine.get_state(m, d, signature))
    for step in range(1, 50):
        engine.step(m, d)
        walker.advance(step, engine.get_state(m, d, signature), tally)
    assert tally.rounding < 1e-13
    assert tally.net(BY_HAND) == 0
    work = sum(tally.work_in.values()) + sum(tally.work_out.values())
    assert work == pytest.approx(tally.change, rel=1e-9)
    assert tally.net(WorkSource("joint damper", "joint", (3,))) < 0
    assert abs(tally.net(INTEGRATOR)) < (0.001 if integrator == INT_RK4 else 0.05) * tally.most_kinetic
