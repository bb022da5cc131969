"""Constants of actuators computed at qpos0: actuator_length0, actuator_acc0, damping from dampratio.

actuator_length0 = length; actuator_acc0 = |M⁻¹ J|, the acceleration by a unit force, from which muscles get their peak
force; kv = 2 · dampratio · √(kp · m), where m = (J M⁻¹ Jᵀ)⁻¹ is the reflected inertia, with the mean over the
outputs of an actuator. A dampratio is a positive biasprm[2] until it is replaced by -kv.
"""

from __future__ import annotations

import numpy as np

from sim import enums
from sim.jit import interpreted
from sim.mjcf.set_const.inverse_inertia import acceleration, row_weight
from sim.model import Data, Model
from sim.stages.smooth.transmission import transmission


def set_actuator_constants(m: Model, d: Data, factors: list[np.ndarray]) -> None:
    """Set the constants from Data at qpos0 and the factors of M⁻¹ of each tree."""
    if m.nactuator == 0:
        return
    with interpreted():
        transmission(m, d)
    m.actuator_length0 = d.actuator_length
    for r in range(m.nout):
        m.actuator_acc0[r] = unit_acceleration(m, *moment_row(d, r), factors)
    for i in range(m.nactuator):
        set_damping(m, d, i, factors)


def moment_row(d: Data, r: int) -> tuple[np.ndarray, np.ndarray]:
    """Dofs and moment arms of an output."""
    row = slice(d.moment_rowadr[r], d.moment_rowadr[r] + d.moment_rownnz[r])
    return d.moment_colind[row], d.actuator_moment[row]


def unit_acceleration(m: Model, dofs: np.ndarray, arms: np.ndarray, factors: list[np.ndarray]) -> float:
    """|M⁻¹ J|, tree by tree."""
    trees = m.dof_treeid[dofs]
    total = 0.0
    for tree in sorted(set(trees.tolist())):
        here = trees == tree
        moved = acceleration(factors[tree], dofs[here] - m.tree_dofadr[tree], arms[here])
        total += (moved * moved).sum()
    return float(np.sqrt(total))


def set_damping(m: Model, d: Data, i: int, factors: list[np.ndarray]) -> None:
    """Replace the damping ratio of a position servo by its damping."""
    # a position servo has gainprm[0] == -biasprm[1], exactly
    kp = -m.actuator_biasprm[i, 1] if m.actuator_gaintype[i] == enums.GAIN_PID else m.actuator_gainprm[i, 0]
    ratio = m.actuator_biasprm[i, 2]
    if kp != -m.actuator_biasprm[i, 1] or ratio <= 0.0:
        return
    m.actuator_biasprm[i, 2] = -servo_damping(ratio, kp, reflected_inertia(m, d, i, factors))


def servo_damping(ratio: float, kp: float, inertia: float) -> float:
    """kv of a servo with this damping ratio."""
    # a negative kp gives NaN, as in MuJoCo
    with np.errstate(invalid="ignore"):
        return float(ratio * 2.0 * np.sqrt(kp * inertia))


def reflected_inertia(m: Model, d: Data, i: int, factors: list[np.ndarray]) -> float:
    """The inertia that a servo moves at qpos0."""
    outputs = range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i])
    weights = [row_weight(m, *moment_row(d, r), factors) for r in outputs]
    mean = float(np.mean(weights))
    return 1.0 / mean if mean > enums.MINVAL else 0.0
