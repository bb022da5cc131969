"""States for the constraint rows: scenes with every kind of row, and what MuJoCo has before it makes them."""

from __future__ import annotations

import mujoco
import numpy as np

import sim
from sim.stages.constraint.assemble import make_constraint
from sim.stages.constraint.reference import reference_constraint
from tests import oracle

PLACES = ["xpos", "xquat", "xmat", "xipos", "geom_xpos", "geom_xmat", "site_xpos", "subtree_com", "cdof"]
INPUTS = [*PLACES, "qpos", "qvel", "qLD", "qLDiagInv", "cvel", "cdof_dot", "ten_length", "ten_J", "eq_active"]
SHAPES = ["dist", "pos", "frame", "includemargin", "dim", "geom"]
CONTACT = [*SHAPES, "friction", "solref", "solreffriction", "solimp", "adhesion", "surfacevel"]
RESULTS = ["pos", "margin", "frictionloss", "diagA", "KBIP", "D", "R", "vel", "aref"]
COUNTS = ("nefc", "ne", "nf", "nl")


def dense(mj: mujoco.MjModel, dj: mujoco.MjData) -> np.ndarray:
    """MuJoCo's J as a matrix; dense rows that came out empty have left room behind them."""
    if not mujoco.mj_isSparse(mj):
        return dj.efc_J[: dj.nefc * mj.nv].reshape(dj.nefc, mj.nv)
    out = np.zeros((dj.nefc, mj.nv))
    if dj.nefc:
        mujoco.mju_sparse2dense(out, dj.efc_J, dj.efc_J_rownnz, dj.efc_J_rowadr, dj.efc_J_colind)
    return out


def our_dense(m: sim.Model, d: sim.Data) -> np.ndarray:
    """Our J as a matrix; both layouts are read alike."""
    out = np.zeros((d.nefc, m.nv))
    for r in range(d.nefc):
        row = slice(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r])
        columns = d.efc_J_colind[row]
        assert (np.diff(columns) > 0).all(), f"columns of row {r} do not ascend: {columns}"
        out[r, columns] = d.efc_J[row]
    return out


def engines(mj: mujoco.MjModel, dj: mujoco.MjData) -> tuple[sim.Model, sim.Data]:
    """Our model and data, with what MuJoCo computes in this state up to the rows."""
    mujoco.mj_forward(mj, dj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    copy_inputs(mj, dj, d)
    return m, d


def copy_inputs(mj: mujoco.MjModel, dj: mujoco.MjData, d: sim.Data) -> None:
    d.grow("ncon", dj.ncon)
    d.ncon = dj.ncon
    oracle.copy_fields(dj, d, INPUTS + [f"contact.{name}" for name in CONTACT])
    # what the rows decide is taken back: without dofs, and where they begin
    d.contact.exclude = np.where(dj.contact.exclude == 3, 0, dj.contact.exclude)
    d.contact.efc_address = -1


def make(m: sim.Model, d: sim.Data) -> None:
    """Both stages, with results poisoned first and room made."""
    while True:
        d.required.nefc = d.required.nJ = 0
        for name in ("efc_J", *(f"efc_{name}" for name in RESULTS)):
            d.array(name)[...] = np.nan
        make_constraint(m, d)
        if not d.grow_required():
            break
    reference_constraint(m, d)


def compare(mj: mujoco.MjModel, dj: mujoco.MjData, m: sim.Model, d: sim.Data, tolerance: float = 1e-9) -> None:
    """Every field of the rows."""
    assert {n: d.read(n) for n in COUNTS} == {n: getattr(dj, n) for n in COUNTS}
    assert d.nJ == (dj.nJ if mujoco.mj_isSparse(mj) else dj.nefc * mj.nv)
    for name in ("efc_type", "efc_id", "contact.efc_address", "contact.exclude"):
        assert d.read(name).tolist() == oracle.read(dj, name).tolist(), name
    if dj.nefc:
        oracle.assert_same(d, dj, [f"efc_{name}" for name in RESULTS] + ["contact.mu"], tolerance)
        assert oracle.error(our_dense(m, d), dense(mj, dj)) < tolerance
        if mj.ntendon:
            assert d.tendon_efcadr.tolist() == dj.tendon_efcadr.tolist()
