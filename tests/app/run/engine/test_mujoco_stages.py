"""Stages of a step of MuJoCo: with the rest they add up to it, for every integrator."""

from __future__ import annotations

from typing import Any

import mujoco
import pytest

from app.run.engine import mujoco_stages
from sim.script.profile import REST

MODEL = """<mujoco><option integrator="{}"/><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_stages_and_the_rest_are_the_step(integrator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    m = mujoco.MjModel.from_xml_string(MODEL.format(integrator))
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 10)
    time, made = d.time, set[Any]()

    def seconds(function: Any, *arguments: Any) -> float:
        """A millisecond for the step, a microsecond for an empty call, three for a stage."""
        function(*arguments)
        made.add(function)
        return {mujoco.mj_step: 1e-3, mujoco.mj_stateSize: 1e-6}.get(function, 3e-6)

    monkeypatch.setattr(mujoco_stages, "_seconds", seconds)
    times = mujoco_stages.stage_times(mujoco, m, d)
    assert sum(times.values()) == pytest.approx(1e-3 - 1e-6)
    assert times["inertia"] == pytest.approx(4e-6) and times["integration"] == pytest.approx(2e-6)
    # what this model does not have is not called
    assert not {"tendons", "flexes", "sensors", "actuation"} & set(times)
    assert list(times)[-1] == REST and times[REST] == pytest.approx(1e-3 - 1e-6 - 2e-6 * (len(made) - 2))
    assert d.time == time
