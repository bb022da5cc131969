"""Constants of tendons computed at qpos0 and qpos_spring: tendon_length0, _lengthspring, _invweight0.

tendon_length0 = length at qpos0; tendon_lengthspring = length at qpos_spring where springlength is not given (-1 -1);
tendon_invweight0 = J M⁻¹ Jᵀ at qpos0, which scales limits and friction of tendons.
"""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np

from sim.jit import interpreted
from sim.mjcf.set_const.inverse_inertia import row_weight
from sim.model import Data, Model
from sim.stages.smooth.com import com_pos, subtree_coms
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.tendon import tendon

# with this many wrap objects plain Python takes a second
MANY_WRAPS = 1 << 16


def set_tendon_constants(m: Model, d: Data, factors: list[np.ndarray]) -> None:
    """Set the constants from Data at qpos0 and the factors of M⁻¹ of each tree."""
    m.tendon_length0 = d.ten_length
    automatic = (m.tendon_lengthspring == -1).all(axis=1)
    if automatic.any():
        same = np.array_equal(m.qpos_spring, m.qpos0)
        lengths = np.array(d.ten_length) if same else spring_lengths(m)
        m.tendon_lengthspring[automatic] = lengths[automatic, None]
    for t in range(m.ntendon):
        m.tendon_invweight0[t] = inverse_weight(m, d, t, factors)


def spring_lengths(m: Model) -> np.ndarray:
    """Tendon lengths at qpos_spring, computed as plain Python because kernels may not be compiled yet."""
    d = Data(m)
    d.qpos = m.qpos_spring
    with interpreted():
        for stage in (kinematics, subtree_coms, com_pos):
            stage(m, d)
    compute_tendons(m, d)
    return np.array(d.ten_length)


def compute_tendons(m: Model, d: Data) -> None:
    """Paths and lengths, as plain Python, or by native code if there are many wrap objects and it is available."""
    native = m.nwrap >= MANY_WRAPS and tendon.is_available()
    with nullcontext() if native else interpreted():
        tendon(m, d)


def inverse_weight(m: Model, d: Data, tendon: int, factors: list[np.ndarray]) -> float:
    """J M⁻¹ Jᵀ of one tendon."""
    row = slice(m.ten_J_rowadr[tendon], m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon])
    # a fixed tendon can name a joint many times
    columns, place = np.unique(m.ten_J_colind[row], return_inverse=True)
    return row_weight(m, columns, np.bincount(place, d.ten_J[row]), factors)
