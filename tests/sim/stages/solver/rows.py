"""Constraint rows made by MuJoCo, for our solver; and the scenes they come from."""

from __future__ import annotations

import mujoco
import numpy as np

import sim
from sim.stages.solver.solve import fwd_constraint
from tests import oracle

SMOOTH = ["qpos", "qvel", "M", "qLD", "qLDiagInv", "qfrc_smooth", "qacc_smooth", "qacc_warmstart"]
CONTACT = ["dim", "friction", "mu", "efc_address", "geom"]
ROWS = ["type", "id", "D", "R", "aref", "frictionloss"]
RESULTS = ["qacc", "qfrc_constraint", "efc_force"]

# equalities, dry friction, limits, contacts with 1, 3, 4 and 6 dimensions: every kind of row
ZOO = """
<mujoco>
  <default><geom density="500"/><joint damping=".1"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction=".7 .01 .001" condim="3"/>
    <body pos="0 0 .28"><freejoint/>
      <geom type="box" size=".2 .15 .05"/>
      <body pos=".2 0 0"><joint name="a" axis="0 1 0" range="-20 20" limited="true" frictionloss=".3"/>
        <geom type="capsule" fromto="0 0 0 .3 0 -.1" size=".04" condim="4"/>
        <body name="tip" pos=".3 0 -.1"><joint name="b" axis="1 0 0" frictionloss=".05" range="-10 10" limited="true"/>
          <geom type="capsule" fromto="0 0 0 .2 0 -.05" size=".04" condim="6"/></body></body>
      <body pos="-.2 0 0"><joint type="ball" range="0 30" limited="true"/>
        <geom type="capsule" fromto="0 0 0 -.3 0 -.1" size=".04"/>
        <body name="tail" pos="-.3 0 -.1"><joint type="slide" axis="1 0 0" range="-.05 .05" limited="true"/>
          <geom type="sphere" size=".07" condim="1"/></body></body>
    </body>
    <body name="box" pos="0 0 .45"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
    <body name="ball" pos=".05 0 .66"><freejoint/><geom type="sphere" size=".1" condim="4"/></body>
    <body name="hung" pos="1 0 1"><joint type="ball" frictionloss=".02"/><geom type="capsule" size=".03 .2"/>
      <body pos="0 0 -.3"><joint axis="0 1 0"/><geom type="box" size=".05 .05 .1"/></body></body>
    <body name="held" pos="1.3 0 1"><freejoint/><geom type="box" size=".05 .05 .1"/></body>
  </worldbody>
  <equality>
    <connect body1="hung" body2="held" anchor=".15 0 0"/>
    <weld body1="box" body2="ball" active="false"/>
  </equality>
  <tendon>
    <fixed frictionloss=".1" limited="true" range="-.1 .1">
      <joint joint="a" coef="1"/><joint joint="b" coef="-1"/>
    </fixed>
  </tendon>
</mujoco>
"""


def pile(n: int, condim: int = 3) -> str:
    """n boxes and capsules in a heap."""
    rng = np.random.default_rng(n)
    bodies = ""
    for i in range(n):
        x, y = rng.uniform(-0.25, 0.25, 2) * (n / 20) ** 0.5
        kind = 'type="box" size=".1 .08 .06"' if i % 2 else 'type="capsule" size=".06 .1"'
        bodies += f'<body pos="{x:.3f} {y:.3f} {0.15 + 0.1 * i / max(1, n // 8):.3f}" euler="{37 * i} {61 * i} 0">'
        bodies += f'<freejoint/><geom {kind} condim="{condim}"/></body>'
    return f'<mujoco><worldbody><geom type="plane" size="5 5 .1" condim="{condim}"/>{bodies}</worldbody></mujoco>'


ONE = """
<mujoco><worldbody><geom type="plane" size="1 1 1" condim="1"/>
<body pos="0 0 .09"><joint type="slide" axis="0 0 1"/><geom size=".1" condim="1"/></body></worldbody></mujoco>
"""

SCENES = {"one": ONE, "zoo": ZOO, "pile3": pile(3), "pile12": pile(12), "pile75": pile(75), "rolling": pile(8, 6)}


def settle(scene: str, steps: int, *, islands: bool = False, **options) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """MuJoCo's model and data after some steps, all rows in one block or by islands."""
    mj = mujoco.MjModel.from_xml_string(SCENES.get(scene, scene))
    if not islands:
        mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
    dj = mujoco.MjData(mj)
    mujoco.mj_step(mj, dj, steps)
    for name, value in options.items():
        setattr(mj.opt, name, value)
    return mj, dj


def copy_rows(mj: mujoco.MjModel, dj: mujoco.MjData, d: sim.Data) -> None:
    """What the solver reads, with room for it."""
    d.grow("ncon", dj.ncon)
    d.grow("nefc", dj.nefc)
    d.grow("nJ", len(dj.efc_J))
    for name in ("ncon", "nefc", "ne", "nf", "nl"):
        d.write(name, getattr(dj, name))
    d.nJ = len(dj.efc_J)
    oracle.copy_fields(dj, d, SMOOTH + [f"contact.{n}" for n in CONTACT])
    for name in ROWS:
        d.write(f"efc_{name}", getattr(dj, f"efc_{name}"))
    d.efc_J = dj.efc_J
    if mujoco.mj_isSparse(mj):
        oracle.copy_fields(dj, d, ["efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"])
    else:
        d.efc_J_rownnz = mj.nv
        d.efc_J_rowadr = np.arange(dj.nefc) * mj.nv
        d.efc_J_colind = np.tile(np.arange(mj.nv), dj.nefc)


def engines(mj: mujoco.MjModel, dj: mujoco.MjData) -> tuple[sim.Model, sim.Data]:
    """Our model and data, with the rows that MuJoCo makes in this state."""
    mujoco.mj_forward(mj, dj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    copy_rows(mj, dj, d)
    return m, d


def solve(m: sim.Model, d: sim.Data) -> None:
    """The stage, with results poisoned first; gives it the room it asks for."""
    while True:
        d.required.nL = d.required.nY = 0
        oracle.poison(d, RESULTS)
        fwd_constraint(m, d)
        if not d.grow_required():
            return
