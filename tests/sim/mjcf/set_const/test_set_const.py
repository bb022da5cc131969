"""Constants are computed beside the model: it changes when all of them are known, or not at all."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.jit.structs import Struct
from sim.mjcf.set_const import set_const

# simple bodies, tracking cameras and lights, anchors, tendons at rest and a damping ratio; all may sleep
TEXT = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <light pos="0 0 2" mode="trackcom"/>
    <camera name="c" pos="0 -2 1" mode="targetbody" target="a"/>
    <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="s"/><camera mode="track"/></body>
    <body name="b" pos="1 0 1">
      <joint name="j" damping=".1"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/><site name="t" pos=".1 0 0"/>
      <body pos=".3 0 0"><joint name="k" type="ball"/><geom size=".07"/></body>
    </body>
  </worldbody>
  <equality><connect body1="a" body2="b" anchor="0 0 .1"/><weld body1="b" body2="a"/></equality>
  <tendon><spatial name="u" springlength="-1" armature=".1"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator>
    <position joint="j" kp="20" dampratio="1"/>
    <muscle tendon="u" lengthrange="0 2"/>
  </actuator>
</mujoco>
"""


def edited() -> sim.Model:
    """A model whose constants are out of date."""
    m = sim.loads(TEXT)
    m.body_mass[1:] *= 2
    m.body_inertia[1:] *= 3
    m.body_pos[1:] += 0.1
    m.body_gravcomp[2] = 0.5
    m.tendon_lengthspring[:] = -1
    m.actuator_biasprm[0, 2] = 0.7
    return m


def changed(m: sim.Model, before: dict[str, Any]) -> set[str]:
    """The fields that differ."""
    return {name for name, value in before.items() if not np.array_equal(m.read(name), value, equal_nan=True)}


def test_nobody_sees_a_model_between_two_states() -> None:
    """Looks at every byte of the model in each call of a function until the results are written."""
    m = edited()
    before, known = m.values(), m._buffer.tobytes() + m._block.tobytes()
    seen, written = 0, False

    def look(frame: FrameType, event: str, _: Any) -> None:
        nonlocal seen, written
        if event != "call" or written:
            return
        written = frame.f_code is Struct.write.__code__ and frame.f_locals["self"] is m
        seen += 1
        assert m._buffer.tobytes() + m._block.tobytes() == known, frame.f_code.co_qualname

    sys.setprofile(look)
    try:
        sim.set_const(m)
    finally:
        sys.setprofile(None)
    assert seen > 100 and written
    found = changed(m, before)
    assert {"dof_M0", "body_subtreemass", "flg_gravcomp", "tendon_length0", "actuator_acc0", "eq_data"} <= found
    assert found <= {*set_const.EDIT_CONSTANTS}


@pytest.mark.parametrize("stage", ["set_frames", "set_anchors", "set_body_weights", "set_actuator_constants"])
def test_an_error_leaves_the_model_as_it_was(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    m = edited()
    before = m.values()

    def broken(*_: Any) -> None:
        raise ArithmeticError(stage)

    monkeypatch.setattr(set_const, stage, broken)
    with pytest.raises(ArithmeticError, match=stage):
        sim.set_const(m)
    assert not changed(m, before)
    monkeypatch.undo()
    sim.set_const(m)
    assert changed(m, before)


def test_a_model_that_shares_arrays_owns_its_scalars() -> None:
    m = sim.loads(TEXT)
    other = m.with_own(("body_mass",))
    other.opt.timestep, other.body_mass[1], other.body_pos[1] = 0.5, 7.0, 8.0
    assert (m.opt.timestep, m.body_mass[1] != 7.0, m.body_pos[1].tolist()) == (0.002, True, [8.0] * 3)
    assert other.body("b").id == m.body("b").id
    # kernels read what it owns
    d = sim.Data(other)
    sim.step(other, d)
    assert d.time == 0.5


RESOLVED = """<mujoco><worldbody><body pos="0 0 1"><joint name="j" armature=".1"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody><tendon><fixed name="t" stiffness="1"><joint joint="j" coef="2"/></fixed></tendon>
  <actuator><position joint="j" kp="3" dampratio="1"/></actuator></mujoco>"""


def test_what_the_compiler_resolves_stays() -> None:
    """Damping by a ratio, lengths of springs and statistics are those of the file, whatever is edited."""
    mj, m = mujoco.MjModel.from_xml_string(RESOLVED), sim.loads(RESOLVED)
    assert m.actuator_biasprm[0, 2] == pytest.approx(mj.actuator_biasprm[0, 2], rel=1e-12)
    before = m.actuator_acc0[0]
    for model in (mj, m):
        model.actuator_biasprm[0, 2] = 0.5
        model.tendon_lengthspring[:] = -1
        model.body_mass[1] *= 2
        model.body_inertia[1] *= 2
    mujoco.mj_setConst(mj, mujoco.MjData(mj))
    sim.set_const(m)
    assert m.actuator_acc0[0] == pytest.approx(mj.actuator_acc0[0], rel=1e-9) and m.actuator_acc0[0] != before
    assert m.actuator_biasprm[0, 2] == mj.actuator_biasprm[0, 2] == 0.5
    assert (m.tendon_lengthspring == mj.tendon_lengthspring).all() and (m.tendon_lengthspring == -1).all()
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        assert getattr(m.stat, name) == pytest.approx(getattr(mj.stat, name), rel=1e-12), name
