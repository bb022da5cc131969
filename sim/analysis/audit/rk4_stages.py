"""The states at which RK4 evaluates forces in a step, but the first, where it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.audit.instant import Instant, instant
from sim.analysis.audit.momentum import Charge
from sim.pipeline.integrate import rotation_vector_rate, shortest
from sim.script.positions import integrate_pos, position_parts

if TYPE_CHECKING:
    from sim.model import Data, Model


def rk4_stages(m: Model, d: Data, scratch: Data, trees: list[int], charges: list[Charge]) -> list[Instant]:
    """Of the step that begins at `d`, which has been `forward`ed; `scratch` is changed."""
    h, turning = m.opt.timestep, [int(v.start) for _, v in position_parts(m).quats]
    qpos, qvel, act, time = d.qpos.copy(), d.qvel.copy(), np.array(d.act), float(d.time)
    rate, acceleration, act_rate = qvel.copy(), d.qacc.copy(), np.array(d.act_dot)
    m.engine.copy_data(scratch, m, d)
    found = []
    for part in (h / 2, h / 2, h):
        place = qpos.copy()
        integrate_pos(m, place, rate, part)
        scratch.qpos, scratch.qvel, scratch.time = place, qvel + part * acceleration, time + part
        if m.na:
            scratch.act = act + part * act_rate
        m.engine.forward(m, scratch)
        found.append(instant(m, scratch, trees, charges))
        angles, rate = part * rate, scratch.qvel.copy()
        for v in turning:
            angle = shortest(tuple(angles[v : v + 3].tolist()))
            rate[v : v + 3] = rotation_vector_rate(angle, tuple(rate[v : v + 3].tolist()))
        acceleration, act_rate = scratch.qacc.copy(), np.array(scratch.act_dot)
    return found
