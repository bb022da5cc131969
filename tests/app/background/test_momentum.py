"""Momentum of bodies and subtrees: against the engine's sensors."""

from __future__ import annotations

import numpy as np

import sim
from app.background.momentum import body_momentum, subtree, subtree_momentum
from app.run.snapshot import view_model, view_state

MODEL = """<mujoco><worldbody>
  <body name="a" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body name="b" pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 .1 .2" size=".05"/>
      <body name="c" pos=".3 0 0"><joint type="ball"/><geom size=".1" pos=".1 0 0"/></body>
    </body>
    <body name="d" pos="-.4 0 0"><joint axis="1 0 0"/><geom size=".1" pos="0 .2 0"/></body>
  </body>
</worldbody><sensor>
  <subtreelinvel body="a"/><subtreeangmom body="a"/><subtreelinvel body="b"/><subtreeangmom body="b"/>
  <subtreelinvel body="c"/><subtreeangmom body="c"/>
</sensor></mujoco>"""


def test_momentum_is_that_of_the_sensors() -> None:
    m = sim.loads(MODEL)
    d = sim.Data(m)
    random = np.random.default_rng(1)
    d.qpos[3:] += random.normal(size=m.nq - 3)
    d.qvel[:] = random.normal(size=m.nv)
    sim.forward(m, d)
    model, state = view_model(m), view_state(d)
    for place, name in enumerate("abc"):
        body = m.name2id("body", name)
        velocity, spin = d.sensordata[6 * place : 6 * place + 3], d.sensordata[6 * place + 3 : 6 * place + 6]
        linear, angular = subtree_momentum(model, state, body)
        assert np.allclose(linear, m.body_subtreemass[body] * velocity, rtol=1e-9, atol=1e-12)
        assert np.allclose(angular, spin, rtol=1e-9, atol=1e-12)
    # the last one carries nothing else
    for mine, whole in zip(body_momentum(model, state, body), (linear, angular), strict=True):
        assert np.allclose(mine, whole)


def test_a_subtree_is_a_body_and_what_it_carries() -> None:
    model = view_model(sim.loads(MODEL))
    assert [subtree(model, body).tolist() for body in range(5)] == [[0, 1, 2, 3, 4], [1, 2, 3, 4], [2, 3], [3], [4]]
