"""Constants that follow from the model at qpos0 and need its inertia matrix.

dof_M0 = diag M; dof_invweight0 = mean of diag M⁻¹ over a joint's dofs of one kind; body_invweight0 = the same for
the motion of each centre of mass, diag J M⁻¹ Jᵀ, moving and turning; stat.meaninertia = mean of dof_M0.
They scale constraints, so that a soft constraint feels the same on a light and on a heavy body.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from sim.com import com_pos, subtree_coms
from sim.enums import JNT_BALL, JNT_FREE, MINVAL
from sim.inertia import crb
from sim.jacobian import dofs_above, jac_body_com
from sim.jit import interpreted
from sim.kinematics import kinematics
from sim.model import Data, Model


def set_constants(m: Model, given: Container[str] = ()) -> None:
    """Fill in dof_M0, dof_invweight0, body_invweight0 and, unless it was given, stat.meaninertia."""
    if m.nv == 0:
        return
    simplenum = m.dof_simplenum.copy()
    # the inertia of simple dofs is read from dof_M0, which is only now being found out
    m.dof_simplenum[:] = 0
    try:
        d = at_qpos0(m)
    finally:
        m.dof_simplenum[:] = simplenum
    m.dof_M0 = d.M[m.M_rowadr + m.M_rownnz - 1]
    if "stat.meaninertia" not in given:
        m.stat.meaninertia = m.dof_M0.mean()
    inverses = {t: np.linalg.inv(tree_inertia(m, d, t)) for t in range(m.ntree)}
    set_dof_weights(m, np.concatenate([np.diag(inverses[t]) for t in range(m.ntree)]))
    set_body_weights(m, d, inverses)


def at_qpos0(m: Model) -> Data:
    """Data with the inertia matrix at qpos0. Runs before kernels may have been compiled: as plain Python."""
    d = Data(m)
    with interpreted():
        kinematics(m, d)
        subtree_coms(m, d)
        com_pos(m, d)
        crb(m, d)
    return d


def tree_inertia(m: Model, d: Data, tree: int) -> np.ndarray:
    """Dense inertia matrix of one tree."""
    first, n = m.tree_dofadr[tree], m.tree_dofnum[tree]
    dense = np.zeros((n, n))
    for v in range(first, first + n):
        row = slice(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v])
        columns = m.M_colind[row] - first
        dense[v - first, columns] = d.M[row]
        dense[columns, v - first] = d.M[row]
    return dense


def set_dof_weights(m: Model, diagonal: np.ndarray) -> None:
    """Mean over dofs that act alike: three moves or three turns are one."""
    m.dof_invweight0 = diagonal
    for j in range(m.njnt):
        v = m.jnt_dofadr[j]
        blocks = {JNT_FREE: (v, v + 3), JNT_BALL: (v,)}.get(int(m.jnt_type[j]), ())
        for block in blocks:
            m.dof_invweight0[block : block + 3] = diagonal[block : block + 3].mean()


def set_body_weights(m: Model, d: Data, inverses: dict[int, np.ndarray]) -> None:
    """diag J M⁻¹ Jᵀ of each centre of mass, averaged over directions."""
    m.body_invweight0[:] = 0.0
    for b in range(1, m.nbody):
        chain = dofs_above(m, b)
        if not chain:
            continue
        jacobian = np.vstack(jac_body_com(m, d, b))[:, chain]
        tree = int(m.body_treeid[b])
        local = np.array(chain) - m.tree_dofadr[tree]
        spread = jacobian @ inverses[tree][np.ix_(local, local)] @ jacobian.T
        weights = np.diag(spread)
        m.body_invweight0[b] = max(MINVAL, weights[:3].mean()), max(MINVAL, weights[3:].mean())
