"""The short run: what is kept of it, where it starts, and that it ends."""

from __future__ import annotations

import numpy as np

import sim
from app.instruments.doctor.short_run import short_run, start_key

PENDULUM = """<mujoco><option timestep='.01'/><worldbody><body><joint {}/><geom size='.1' pos='.5 0 0'/></body>
</worldbody>
<keyframe><key name='odd' qpos='1'/><key name='Home' qpos='2'/></keyframe></mujoco>"""


def test_runs_a_second_from_the_home_keyframe() -> None:
    model = sim.loads(PENDULUM.format(""))
    run = short_run(model, most=np.inf)
    assert start_key(model) == run.key == 1
    assert run.steps == 100 and not run.diverged
    data = sim.Data(model)
    sim.reset(model, data, 1)
    for moment in run.moments:
        while data.time < moment.time:
            sim.step(model, data)
        assert np.array_equal(data.qpos, moment.qpos)
    assert run.moments[0].time == 0.01 and run.moments[-1].time == data.time


def test_without_a_known_keyframe_from_qpos0() -> None:
    model = sim.loads(PENDULUM.format("").replace("Home", "other"))
    assert start_key(model) == short_run(model, seconds=0.02, most=np.inf).key == -1


def test_divergence_is_found() -> None:
    model = sim.loads(PENDULUM.format("stiffness='1e9' armature='1e-3'"))
    flags = int(model.opt.disableflags)
    run = short_run(model, most=np.inf)
    assert run.diverged and run.dof == 0 and run.steps < 100
    assert all(np.isfinite(moment.qpos).all() for moment in run.moments)
    # the model itself is as it was
    assert int(model.opt.disableflags) == flags


def test_slow_steps_end_it() -> None:
    run = short_run(sim.loads(PENDULUM.format("")), most=0.0)
    assert run.steps == 1 and len(run.moments) == 1
